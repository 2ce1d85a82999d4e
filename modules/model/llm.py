"""The model boundary: two methods, and what passes through them.

A backend knows nothing of retries, journals, limits or statistics; those are wrapped around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from modules.world.world import Lang


@dataclass(frozen=True, slots=True)
class Message:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a language model.

    `variables` are the prompt's typed ones (a dataclass of `modules.prompt`); real models read only
    `messages`, the scripted one only `variables`. `schema` is the JSON schema of the reply.
    """

    kind: str
    lang: Lang
    variables: Any
    messages: tuple[Message, ...]
    schema: dict[str, Any] = field(hash=False)
    max_tokens: int
    temperature: float
    heard: Callable[[str], None] | None = field(default=None, compare=False)
    """Told what has come of the reply's text by now, where the model streams; no part of what is asked."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered: text that should be JSON by the request's schema, and what it cost."""

    text: str
    prompt_tokens: int
    reply_tokens: int


class LanguageModel(Protocol):
    """`name` is as `--llm` names it ("scripted", "ollama:qwen3:8b"); it goes into the manifest."""

    name: str

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The reply to one request. Lower `priority` goes first where calls must queue.

        Raises ModelUnavailable where no reply can be had, TooLong where the prompt does not fit; never returns one that is made up.
        """
        ...


@runtime_checkable
class Bounded(Protocol):
    """What a model has besides whose context is known."""

    def context(self, kind: str) -> float:
        """Tokens that prompt and reply of this kind may have together; `inf` where nobody says."""
        ...


def context_of(model: LanguageModel, kind: str) -> float:
    """The context of a model, or of the one behind a wrapper; `inf` where it tells none."""
    return model.context(kind) if isinstance(model, Bounded) else inf


class Embedder(Protocol):
    """`name` is as `--embedding` names it; `dimension` is that of its vectors."""

    name: str
    dimension: int

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, float32[len(texts), dimension]. A text's vector does not depend on its batch.

        Raises ModelUnavailable where none can be had.
        """
        ...
