"""Several servers of one model: each resident is assigned to one, which has cached the beginning of
their prompts, and goes elsewhere while that one fails.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b

from hometown.errors import ModelBusy
from hometown.model.llm import Completion
from hometown.records import Served

AVOID_SECONDS = 10.0
"""Seconds for which a server that failed is avoided while there are others."""

UNEVEN = 4
"""Calls by which a server may be busier than the idlest one before its residents go elsewhere:
beyond that, waiting takes longer than reading their prompts anew.
"""


class Pins:
    """The calls in progress on several servers, and the time until which each is avoided, in
    seconds of the event loop.

    Residents are assigned by rendezvous hashing: the server with the highest hash of both wins. If
    a server fails, only its own residents move, spread over the others, and they return when it
    answers again.
    """

    def __init__(self, addresses: Sequence[str]) -> None:
        self.addresses = tuple(addresses)
        self.busy = [0] * len(self.addresses)
        self._avoided_until = [0.0] * len(self.addresses)

    async def ask(
        self, people: Sequence[str], call: Callable[[int], Awaitable[Completion]]
    ) -> Completion:
        """Return the completion of the first server that answers, with its number, from 1, if there
        are several. `call` takes the index of a server, from 0. Servers that fail are avoided for
        `AVOID_SECONDS`.

        Raises ModelBusy if none can answer at present, and the other errors of `call`.
        """
        failure: ModelBusy | None = None
        who = people[0] if people else ""
        failed = list[int]()
        now = asyncio.get_running_loop().time
        for at in self.order(who, now()):
            self.busy[at] += 1
            began, since = time.time(), now()
            try:
                completion = await call(at)
            except ModelBusy as error:
                self._avoided_until[at] = now() + AVOID_SECONDS
                failure = error
                failed.append(at + 1)
            else:
                if len(self.addresses) == 1:
                    return completion
                tokens = completion.prompt_tokens + completion.reply_tokens
                moved = bool(who) and at != self.own(who)
                return replace(
                    completion,
                    served=Served(
                        at + 1, began, (now() - since) * 1000, tokens, moved, tuple(failed)
                    ),
                )
            finally:
                self.busy[at] -= 1
        assert failure is not None
        raise failure

    def own(self, who: str) -> int:
        """Return the index of the server assigned to a resident."""
        return max(range(len(self.addresses)), key=lambda at: affinity(self.addresses[at], who))

    def order(self, who: str, now: float) -> list[int]:
        """Return the indices of the servers in the order in which they are asked for a resident:
        servers to avoid last, before them those that are too busy (`UNEVEN`), and the assigned one
        first among the rest. Without a resident, the idlest first, servers to avoid last.
        """
        least = min(self.busy)

        def rank(at: int) -> tuple[bool, int, int]:
            is_avoided = self._avoided_until[at] > now
            if not who:
                return is_avoided, self.busy[at], at
            is_too_busy = self.busy[at] - least > UNEVEN
            return is_avoided, is_too_busy, -affinity(self.addresses[at], who)

        return sorted(range(len(self.addresses)), key=rank)


@lru_cache(maxsize=1 << 16)
def affinity(address: str, who: str) -> int:
    """Return the hash that assigns residents to servers; the highest wins."""
    return int.from_bytes(blake2b(f"{address} {who}".encode(), digest_size=8).digest())
