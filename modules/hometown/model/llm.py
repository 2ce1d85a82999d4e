"""The model boundary: two methods, and what passes through them.

A backend knows nothing of retries, journals, limits or statistics; those are wrapped around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from math import inf
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.records import Message, Served

LARGEST_COUNT = 2**63 - 1
"""The largest number of tokens that a database can hold."""


@frozen
class Request:
    """One request to a language model.

    `variables` are the prompt's typed ones (a dataclass of `hometown.prompt`); real models read
    only `messages`, the scripted one only `variables`. `schema` is the JSON schema of the reply.
    """

    kind: str
    lang: Lang
    variables: Any
    messages: tuple[Message, ...]
    schema: dict[str, Any] = field(hash=False)
    max_tokens: int
    temperature: float
    on_text: Callable[[str], None] | None = field(default=None, compare=False)
    """Called with the reply's text so far, where the model streams; no part of the request itself.
    """
    people: tuple[str, ...] = field(default=(), compare=False)
    """Who is asked, and whom it is talking to, by id: no part of the request either, but some
    models are for some people.
    """


@frozen
class Completion:
    """A model's reply: text that should be JSON by the request's schema, and what it cost.

    `prompt_tokens` counts the whole prompt; `cached_tokens` of them were not read again.
    Milliseconds are the server's own. All are 0 where a server does not report them. `failure` says
    why there is no reply, "" where there is one; `served`, which of several servers gave it.
    """

    text: str
    prompt_tokens: int
    reply_tokens: int
    cached_tokens: int = 0
    read_ms: float = 0.0
    write_ms: float = 0.0
    failure: str = ""
    served: Served | None = None

    @property
    def well_formed(self) -> bool:
        """Return whether it can be kept: text is text, and numbers fit into 64 bits. The types are
        not taken for granted, as backends are not ours alone.
        """
        counts = (self.prompt_tokens, self.reply_tokens, self.cached_tokens)
        return (
            all(isinstance(text, str) for text in (self.text, self.failure))
            and all(isinstance(count, int) and 0 <= count <= LARGEST_COUNT for count in counts)
            and all(
                isinstance(time, (int, float)) and 0 <= time < inf
                for time in (self.read_ms, self.write_ms)
            )
            and (
                self.served is None or (isinstance(self.served, Served) and self.served.well_formed)
            )
        )


class LanguageModel(Protocol):
    """`name` is as `--llm` names it ("scripted", "ollama:qwen3:8b"); it goes into the manifest."""

    name: str

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply to one request. Lower `priority` goes first where calls must queue.

        Raises ModelUnavailable where there is no reply, TooLong where the prompt does not fit;
        never makes up a reply.
        """
        ...


@runtime_checkable
class Loading(Protocol):
    """A model that takes a while to load, and does so before a run is created."""

    async def load(self, lang: Lang, notify: Callable[[str], None]) -> None:
        """Load the model; a long wait is told to `notify`, in `lang`. Raises BadInput if it can't
        be loaded.
        """
        ...


def context_of(model: LanguageModel, kind: str) -> float:
    """Return tokens that prompt and reply of this kind may have together: what the model's
    `context(kind)` gives, if it has one; `inf` if that is unknown.
    """
    context: Callable[[str], float] | None = getattr(model, "context", None)
    return context(kind) if context else inf


class Embedder(Protocol):
    """`name` is as `--embedding` names it; `dimension` is that of its vectors."""

    name: str
    dimension: int

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32[len(texts), dimension]. A text's vector does not depend on
        its batch.

        Raises ModelUnavailable where there are none.
        """
        ...
