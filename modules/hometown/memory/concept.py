"""A single memory."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from hometown.frozen import frozen

MemoryType = Literal["event", "thought", "chat", "plan"]
MEMORY_TYPES: tuple[MemoryType, ...] = get_args(MemoryType)

BACKGROUND = "known before"
"""The predicate of background knowledge, whose object is the passage it was read in: `FILE#NUMBER`."""

PLAN_PREDICATE = "plan"
"""The predicate of the memory of a day's plan."""

INTENTION_PREDICATE = "intend"
"""The predicate of an intention that arose in a conversation."""

NEWS_PREDICATE = "hear"
"""The predicate of memories of news; their object is the resident who told it."""

OVERHEARD_PREDICATE = "overhear"
"""The predicate of memories of overheard lines; their subject is the speaker."""

ENDED_PREDICATE = "ended"
"""The predicate of the memory that a happening is over."""

GATHERED_PREDICATE = "came together"
"""The predicate of the memory of who came to an occasion."""

NEVER = datetime(9999, 12, 31)
"""The expiry of memories that do not expire."""


@frozen
class Passage:
    """A passage of a file, by its number, counted from 1."""

    file: str
    number: int


@frozen
class Concept:
    """A node of the memory stream; it never changes once stored.

    Last access and retirement change, so `MemoryStream` holds them beside it. `id` counts up per
    resident from 1; `poignancy` is 1 to 10. `evidence` holds ids of the same resident's memories
    that support this one; `talk` is the id of the conversation it came from, if any; `about` are
    the ids of residents it concerns.
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

    @property
    def is_background(self) -> bool:
        """Return True if this is background knowledge: it was read in a file, and counts as known
        before the run began.
        """
        return self.predicate == BACKGROUND

    @property
    def source(self) -> Passage | None:
        """Return the passage in which background knowledge was read, None for any other memory or
        if its object names none.
        """
        file, _, number = self.object.rpartition("#")
        return Passage(file, int(number)) if self.is_background and number.isdecimal() else None
