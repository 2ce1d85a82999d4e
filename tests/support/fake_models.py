"""Language models, embeddings and keeping places for tests: they delay, reorder, fail, and answer
badly, all by seed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from random import Random

import numpy as np
import orjson
from numpy.typing import NDArray

from hometown.errors import ModelUnavailable
from hometown.memory.arithmetic import Vector
from hometown.model.hashing import hash_vector
from hometown.model.llm import Completion, Embedder, LanguageModel, Request
from tests.support.prompt_samples import REPLIES


class Canned:
    """Answers each kind of prompt with the good reply of `prompt_samples`. Keeps what it was asked."""

    name = "canned"

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.seeds: list[int] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.requests.append(request)
        self.seeds.append(seed)
        return Completion(orjson.dumps(REPLIES[request.kind]).decode(), 100, 10)


class Says:
    """Says the given texts in turn, and the last one for ever."""

    name = "says"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.requests: list[Request] = []
        self.seeds: list[int] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.requests.append(request)
        self.seeds.append(seed)
        return Completion(self.texts.pop(0) if len(self.texts) > 1 else self.texts[0], 7, 3)


class Wrapped:
    """Base of models that stand around another one, and go by its name."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.name = model.name
        self.under_way = self.most_under_way = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self.answer(request, seed)
        finally:
            self.under_way -= 1

    async def answer(self, request: Request, seed: int) -> Completion:
        return await self.model.complete(request, seed=seed)


class Reordering(Wrapped):
    """Answers after a number of turns of the event loop drawn from `order`, so that replies
    overtake each other.
    """

    def __init__(self, model: LanguageModel, order: int, turns: int = 8) -> None:
        super().__init__(model)
        self.random = Random(order)
        self.turns = turns

    async def answer(self, request: Request, seed: int) -> Completion:
        for _ in range(self.random.randrange(self.turns)):
            await asyncio.sleep(0)
        return await super().answer(request, seed)


class Slow(Wrapped):
    """Answers after `seconds` of real time."""

    def __init__(self, model: LanguageModel, seconds: float) -> None:
        super().__init__(model)
        self.seconds = seconds

    async def answer(self, request: Request, seed: int) -> Completion:
        await asyncio.sleep(self.seconds)
        return await super().answer(request, seed)


class Failing(Wrapped):
    """Is there for `calls` calls, then no more."""

    def __init__(self, model: LanguageModel, calls: int) -> None:
        super().__init__(model)
        self.calls = calls

    async def answer(self, request: Request, seed: int) -> Completion:
        if self.calls <= 0:
            raise ModelUnavailable(
                "the model of this test is gone; start it again and use --resume"
            )
        self.calls -= 1
        return await super().answer(request, seed)


BAD: tuple[Callable[[str], str], ...] = (
    lambda text: "",
    lambda text: "I would rather not say.",
    lambda text: "{}",
    lambda text: text[: len(text) // 2],
    lambda text: "null",
    lambda text: '{"error": "overloaded"}',
)
"""Ways to make a reply unusable."""

HARMLESS: tuple[Callable[[str], str], ...] = (
    lambda text: f"```json\n{text}\n```",
    lambda text: f"<think>Perhaps {{no}}, perhaps yes.</think>\n{text}",
    lambda text: f"Here you are:\n{text}\nI hope that this helps.",
    lambda text: f"  {text}\n\n",
)
"""Ways to wrap a reply that leave it readable."""


class Sloppy(Wrapped):
    """Spoils `bad` of the replies and dresses up `dressed` of them, by the seed of the request
    alone.
    """

    def __init__(self, model: LanguageModel, bad: float, dressed: float = 0.0) -> None:
        super().__init__(model)
        self.bad = bad
        self.dressed = dressed

    async def answer(self, request: Request, seed: int) -> Completion:
        completion = await super().answer(request, seed)
        random = Random(seed)
        draw = random.random()
        ways: Sequence[Callable[[str], str]] = (
            BAD
            if draw < self.bad
            else HARMLESS
            if draw < self.bad + self.dressed
            else ((lambda text: text),)
        )
        return Completion(
            random.choice(ways)(completion.text), completion.prompt_tokens, completion.reply_tokens
        )


class HashEmbeddings:
    """The hash embedding, which keeps the batches it was asked for and may let them overtake each
    other.
    """

    name = "hash"

    def __init__(self, dimension: int = 64, order: int | None = None) -> None:
        self.dimension = dimension
        self.batches: list[list[str]] = []
        self.random = None if order is None else Random(order)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.batches.append(list(texts))
        for _ in range(self.random.randrange(8) if self.random else 0):
            await asyncio.sleep(0)
        return np.stack([hash_vector(text, self.dimension) for text in texts])


class OneAtATime:
    """An embedding that cuts batches up at random."""

    def __init__(self, embedder: Embedder, order: int) -> None:
        self.embedder = embedder
        self.name, self.dimension = embedder.name, embedder.dimension
        self.random = Random(order)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        parts: list[NDArray[np.float32]] = []
        rest = list(texts)
        while rest:
            count = self.random.randint(1, len(rest))
            parts.append(await self.embedder.embed(rest[:count]))
            rest = rest[count:]
        return np.concatenate(parts)


class Deaf:
    """An embedding that is not there."""

    name, dimension = "deaf", 64

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        await asyncio.sleep(0)
        raise ModelUnavailable(
            "the embedding of this test is gone; start it again and use --resume"
        )


class PocketJournal:
    """A journal in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[int, str, str, int, int], tuple[bytes, bytes]] = {}

    def get(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes
    ) -> bytes | None:
        known = self.kept.get((step, who, kind, ordinal, attempt))
        return known[1] if known and known[0] == asked else None

    def put(
        self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes
    ) -> None:
        self.kept[step, who, kind, ordinal, attempt] = (asked, reply)


class PocketTable:
    """A table of vectors in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, Vector] = {}

    def get_many(self, texts: Sequence[str]) -> dict[str, Vector]:
        return {text: self.kept[text] for text in texts if text in self.kept}

    def put_many(self, vectors: Mapping[str, Vector]) -> None:
        self.kept.update(vectors)
