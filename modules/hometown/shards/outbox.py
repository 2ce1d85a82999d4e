"""What a shard hands over while it thinks: replies and vectors as they arrive, what is being said,
and what it asks for.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hometown.errors import BadRun
from hometown.memory.arithmetic import Vector, pack
from hometown.storage.checksum import row_checksum
from hometown.storage.row_conversion import text_hash
from hometown.storage.vector_table import CACHED_VECTORS, vector_row

Reply = tuple[int, str, str, int, int, bytes, bytes, bytes]
"""A row of the journal: step, resident, kind, ordinal, attempt, the hash of the request, the reply,
and the checksum of all that.
"""

Learnt = tuple[list[Reply], list[tuple[Any, ...]]]
"""Replies, and rows of vectors."""


@dataclass(slots=True)
class News:
    """What has come about since the last news: `replies` for the journal, rows of `vectors`, the
    latest `speech` by resident as (partner, text), what is to be said to the user, and whether more
    calls are wanted than were granted.
    """

    replies: list[Reply] = field(default_factory=list)
    vectors: list[tuple[Any, ...]] = field(default_factory=list)
    speech: dict[str, tuple[str, str]] = field(default_factory=dict)
    says: list[str] = field(default_factory=list)
    wants_calls: bool = False

    def __bool__(self) -> bool:
        return bool(self.replies or self.vectors or self.speech or self.says or self.wants_calls)


class Outbox:
    """News on their way. `ring` is called when there is some."""

    def __init__(self) -> None:
        self.news = News()
        self.ring: Callable[[], None] = lambda: None

    def take(self) -> News:
        news, self.news = self.news, News()
        return news

    def take_learnt(self) -> Learnt:
        """Replies and vectors, which a neighbour hands over with its own."""
        learnt, self.news.replies, self.news.vectors = (
            (self.news.replies, self.news.vectors),
            [],
            [],
        )
        return learnt

    def pass_on(self, learnt: Learnt) -> None:
        """Replies and vectors of a neighbour."""
        replies, vectors = learnt
        self.news.replies += replies
        self.news.vectors += vectors
        self.ring()

    def hear(self, who: str, partner: str, text: str) -> None:
        self.news.speech[who] = (partner, text)
        self.ring()

    def say(self, line: str) -> None:
        self.news.says.append(line)
        self.ring()

    def want_calls(self) -> None:
        self.news.wants_calls = True
        self.ring()


class ShardJournal:
    """Replies that were kept of a step that is lived again, and new ones, which are handed over at
    once.
    """

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self.known: dict[tuple[Any, ...], tuple[bytes, bytes]] = {}

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes | None:
        kept_for, reply = self.known.get((step, who, kind, ordinal, attempt), (b"", b""))
        return reply if kept_for == asked else None

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        self.known[step, who, kind, ordinal, attempt] = (asked, reply)
        row = (step, who, kind, ordinal, attempt, asked, reply)
        self._outbox.news.replies.append((*row, row_checksum(*row)))
        self._outbox.ring()

    def drop(self, step: int) -> None:
        """Drops the replies of a committed step."""
        self.known = {key: kept for key, kept in self.known.items() if key[0] > step}


class ShardTable:
    """The vectors of the texts that a shard has met lately, or of all where memories come back; new
    ones are handed over.
    """

    def __init__(self, outbox: Outbox, embedding: str, keep_all: bool) -> None:
        self._outbox, self._embedding, self._keep_all = outbox, embedding, keep_all
        self._known: OrderedDict[str, Vector] = OrderedDict()

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        return {text: self._known[text] for text in dict.fromkeys(texts) if text in self._known}

    def get(self, text: str) -> Vector:
        return self._known[text]

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        self.learn(vectors)
        self._outbox.news.vectors += [
            vector_row(self._embedding, text_hash(text), pack(vector))
            for text, vector in vectors.items()
        ]

    def learn(self, vectors: Mapping[str, Vector]) -> None:
        """Vectors that the run has already."""
        self._known.update(vectors)

    def load(self, texts: Sequence[str]) -> Vector:
        """The vectors of memories, float32[len(texts), d]. Raises BadRun where one was never known."""
        missing = next((text for text in texts if text not in self._known), None)
        if missing is not None:
            raise BadRun(
                "the vector of the memory {text!r} is missing on its shard: continue the run with hometown resume",
                text=missing,
            )
        return np.stack([self._known[text] for text in texts])

    def trim(self) -> None:
        """Forgets the oldest, between two steps."""
        while not self._keep_all and len(self._known) > CACHED_VECTORS:
            self._known.popitem(last=False)
