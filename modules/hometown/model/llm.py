"""The interface to models: two methods and the types of their arguments and results.

A backend knows nothing of retries, journals, limits or statistics; those are wrapped around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from hometown.frozen import frozen
from hometown.language import Lang
from hometown.model.token_alternatives import TokenPlace
from hometown.records import Message, Served

if TYPE_CHECKING:  # to import NumPy takes longer than many a command
    import numpy as np
    from numpy.typing import NDArray

LARGEST_COUNT = 2**63 - 1
"""The largest number of tokens that fits into the database."""


REASONING_TOKENS = 1024
"""Tokens that a reply may have beside its own limit where a model thinks before it."""


@frozen
class Request:
    """One request to a language model.

    `variables` are the typed variables of the prompt (a dataclass of `hometown.prompt`); real
    models read only `messages`, the scripted model only `variables`. `schema` is the JSON schema of
    the reply. If it `thinks`, a model that can reasons before it replies, in tokens of their own.
    """

    kind: str
    lang: Lang
    variables: Any
    messages: tuple[Message, ...]
    schema: dict[str, Any] = field(hash=False)
    max_tokens: int
    temperature: float
    on_text: Callable[[str], None] | None = field(default=None, compare=False)
    """Called with the reply's text so far if the model streams; not part of the request itself."""
    people: tuple[str, ...] = field(default=(), compare=False)
    """Ids of the resident who is asked and of their partner: not part of the request itself, but
    some models serve particular residents.
    """
    on_places: Callable[[Sequence[TokenPlace]], None] | None = field(default=None, compare=False)
    """Called with the probabilities of the reply's tokens where the server reports them; not part of
    the request itself, but without it none are asked for.
    """
    thinks: bool = False

    @property
    def longest_reply(self) -> int:
        """The tokens that a reply may have, with those of thinking."""
        return self.max_tokens + REASONING_TOKENS * self.thinks


@frozen
class Completion:
    """A model's reply: text that should be JSON by the request's schema, and its cost.

    `prompt_tokens` counts the whole prompt, `cached_tokens` the part that was not read again.
    Milliseconds are the server's own. All are 0 if a server does not report them. `failure` is the
    reason for a missing reply, "" otherwise. `broken` is the message to the model about a reply
    that it did not end, to be sent if the text cannot be used. `served` names the server among
    several. `trials` counts the other requests that found out how the model is asked; the cost
    includes theirs. `reasoned` says that the server reported reasoning beside the text, which is
    not part of the reply itself.
    """

    text: str
    prompt_tokens: int
    reply_tokens: int
    cached_tokens: int = 0
    read_ms: float = 0.0
    write_ms: float = 0.0
    failure: str = ""
    served: Served | None = None
    broken: str = ""
    trials: int = 0
    reasoned: bool = field(default=False, compare=False)

    def with_trials(self, trials: Sequence[Completion]) -> Completion:
        """Return the reply with the cost of requests that found out how the model is asked."""
        each = [self, *trials]
        return replace(
            self,
            prompt_tokens=sum(reply.prompt_tokens for reply in each),
            reply_tokens=sum(reply.reply_tokens for reply in each),
            cached_tokens=sum(reply.cached_tokens for reply in each),
            read_ms=sum(reply.read_ms for reply in each),
            write_ms=sum(reply.write_ms for reply in each),
            trials=sum(reply.trials for reply in each) + len(trials),
        )

    @property
    def is_well_formed(self) -> bool:
        """Return True if the completion can be stored: texts are text, and numbers fit into 64
        bits. Types are checked because a backend may be a plug-in.
        """
        counts = (self.prompt_tokens, self.reply_tokens, self.cached_tokens, self.trials)
        return (
            all(isinstance(text, str) for text in (self.text, self.failure, self.broken))
            and all(isinstance(count, int) and 0 <= count <= LARGEST_COUNT for count in counts)
            and all(
                isinstance(time, (int, float)) and 0 <= time < inf
                for time in (self.read_ms, self.write_ms)
            )
            and (
                self.served is None
                or (isinstance(self.served, Served) and self.served.is_well_formed)
            )
        )


class LanguageModel(Protocol):
    """A language model. `name` is the name in `--llm` ("scripted", "ollama:qwen3:8b"), which the
    manifest records.
    """

    name: str

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply to one request. Calls with lower `priority` go first in a queue.

        Raises ModelUnavailable if there is no reply, and TooLong if the prompt does not fit; a
        reply is never made up.
        """
        ...


@runtime_checkable
class Loading(Protocol):
    """A model that takes a while to load, which happens before a run is created."""

    async def load(self, lang: Lang, notify: Callable[[str], None]) -> None:
        """Load the model; report a long wait to `notify`, in `lang`. Raises BadInput if it cannot
        be loaded.
        """
        ...


def context_of(model: LanguageModel, kind: str) -> float:
    """Return the tokens that a prompt of this kind and its reply may have together: the model's
    `context(kind)`, or `inf` if it has none.
    """
    context: Callable[[str], float] | None = getattr(model, "context", None)
    return context(kind) if context else inf


class Embedder(Protocol):
    """An embedding model. `name` is its name in `--embedding`; `dimension` is the number of
    components of its vectors.
    """

    name: str
    dimension: int

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit vectors, float32[len(texts), dimension]. A text's vector does not depend on
        its batch.

        Raises ModelUnavailable if they cannot be computed.
        """
        ...
