"""Reports of a shard to the process of the run: replies and vectors as they arrive, lines as they
are spoken.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hometown.errors import BadRun
from hometown.memory.arithmetic import Vector
from hometown.records import Replies, ReplyTable
from hometown.storage.vector_table import CACHED_VECTORS

Reply = tuple[int, str, str, int, int, bytes, bytes]
"""Step, resident, prompt kind, ordinal, attempt, hash of the request, and the reply."""


@dataclass(slots=True)
class ShardReport:
    """News since the last report: `replies` for the journal, `vectors` by text, the latest `speech`
    by resident as (partner, text), `messages` for the user, and milliseconds of processor time.
    """

    replies: list[Reply] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)
    speech: dict[str, tuple[str, str]] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)
    milliseconds: float = 0.0


class Outbox(ReplyTable):
    """The journal, the vectors and the listener of a shard's calls, which collects the next report.
    `has_news` is set when there is something to report before the next answer.

    It knows the replies that the run has kept of an interrupted step, and the vectors of the latest
    texts, or of all where memories come back (`keeps_all`).
    """

    def __init__(self, keeps_all: bool) -> None:
        super().__init__({})
        self.has_news = asyncio.Event()
        self._report = ShardReport()
        self._clock = time.process_time()
        self._keeps_all = keeps_all
        self.vectors: OrderedDict[str, Vector] = OrderedDict()

    def take(self) -> ShardReport:
        """Return the news since the last call, with the milliseconds of processor time since then."""
        self.has_news.clear()
        before, self._clock = self._clock, time.process_time()
        taken, self._report = self._report, ShardReport()
        taken.milliseconds = 1000 * (self._clock - before)
        return taken

    def restore(self, replies: Replies, vectors: Mapping[str, Vector], step: int) -> None:
        """Add replies and vectors that the run has, before a step; drop replies of earlier steps,
        and the oldest vectors in excess of CACHED_VECTORS unless it keeps all.
        """
        self.replies |= replies
        self.drop(step - 1)
        self.vectors.update(vectors)
        while not self._keeps_all and len(self.vectors) > CACHED_VECTORS:
            self.vectors.popitem(last=False)

    # what a caller needs ------------------------------------------------------------------

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        """Keep a reply, and report it at once."""
        row = (step, who, kind, ordinal, attempt, asked, reply)
        super().put(*row)
        self._report.replies.append(row)
        self.has_news.set()

    def repeat_replies(self) -> None:
        """Report all replies of the step again."""
        self._report.replies = [(*place, *kept) for place, kept in self.replies.items()]

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        """Return the known vectors, by text."""
        return {text: self.vectors[text] for text in texts if text in self.vectors}

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        """Keep new vectors, and report them with the next news (they set no `has_news`)."""
        self.vectors.update(vectors)
        self._report.vectors |= vectors

    def load(self, texts: Sequence[str]) -> Vector:
        """Return the vectors of memories, float32[len(texts), d]. Raises BadRun where one is
        missing.
        """
        for text in texts:
            if text not in self.vectors:
                raise BadRun(
                    "the vector of the memory {text!r} is missing on its shard: continue the run with hometown resume",
                    text=text,
                )
        return np.stack([self.vectors[text] for text in texts])

    def hear(self, who: str, partner: str, text: str, *, complete: bool = False) -> None:
        """Report a line while it is spoken, complete or not."""
        self._report.speech[who] = (partner, text)
        self.has_news.set()

    def say(self, message: str) -> None:
        """Report a message for the user."""
        self._report.messages.append(message)
        self.has_news.set()
