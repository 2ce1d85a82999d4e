"""A single memory."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from hometown.frozen import frozen

MemoryType = Literal["event", "thought", "chat", "plan"]
MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)


@frozen
class Concept:
    """A node of the memory stream; it never changes once stored.

    Last access and retirement change, so `MemoryStream` holds them beside it. `id` counts up per
    resident from 1. `evidence` holds ids of the same resident's memories that support this one;
    `talk` is the id of the conversation it came from, if any; `about` are the ids of residents it
    concerns.
    """

    id: int
    type: MemoryType
    text: str
    subject: str
    predicate: str
    object: str
    address: str
    poignancy: int
    created: datetime
    expires: datetime
    evidence: tuple[int, ...] = ()
    talk: str = ""
    about: tuple[str, ...] = ()

    @property
    def triple(self) -> tuple[str, str, str]:
        return (self.subject, self.predicate, self.object)
