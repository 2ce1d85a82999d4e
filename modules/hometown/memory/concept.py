"""One memory."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from hometown.frozen import frozen

MemoryType = Literal["event", "thought", "chat", "plan"]
MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)


@frozen
class Concept:
    """A node of the memory stream; it never changes once stored.

    Last access and retirement are kept beside it (`MemoryStream`), because they do change.
    `id` counts up per resident from 1. `evidence` holds ids of the same resident's memories on
    which this one rests; `talk` the id of the conversation it came from, if any;
    `about` the ids of residents it concerns.
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
