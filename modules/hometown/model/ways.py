"""The ways of asking a model for JSON, and the one that a model on a server is known to obey.

A server may ignore the schema, or only while thinking is off; a model may think where it should
not. One question before a run shows it, unless it is known from before: if the reply is no object
with the fields asked for, the other ways are tried on the same request, and the first that is
obeyed is kept, by server, its version and model. Where the server does not answer before the run,
the first replies of the run take the place of the question. All of these requests are counted with
the next reply.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Literal

from hometown.errors import ModelBusy, ModelUnavailable
from hometown.language import Lang
from hometown.model.learnt_file import read_learnt, write_learnt
from hometown.model.llm import REASONING_TOKENS, Completion, Request
from hometown.model.question import QUESTIONS, line_request
from hometown.model.reply_parsing import ONLY_REASONING, holds_object
from hometown.paths import MODELS
from hometown.text import N_, Phrase, excerpt, pgettext

FILE = MODELS / "ways.json"
"""The ways that were learnt on this machine, by server, its version and model."""

FIRST_REPLIES = 3
"""Replies from which a way is learnt; after that, it stays as it is."""

Ask = Callable[[Request], Awaitable[Completion]]
"""Asks a model, in the current way; if that is not obeyed, in the others."""

Form = Literal["json_schema", "json_object", "text"]
Thinking = Literal["off", "low", "asked", "default", "on"]

FORM_WORDS: dict[Form, str] = {
    "json_schema": N_("JSON by a schema"),
    "json_object": N_("any JSON"),
    "text": pgettext("form of a reply", "text"),
}

THINKING_WORDS: dict[Thinking, str] = {
    "off": N_("thinking turned off"),
    "low": N_("little thinking"),
    "default": N_("thinking, which takes several times as long"),
    "asked": N_("a request in the prompt not to think"),
    "on": N_("thinking turned on"),
}

CHECK_SECONDS = 60.0
"""Seconds for the question that finds out how a model is to be asked; it may have to load first."""

CHECK_SEED = 1
"""The seed of the question that finds out how a model is to be asked."""

NO_THINKING = " /no_think"
"""Words at the end of a prompt with which Qwen 3 is asked not to think, where its server cannot turn
thinking off.
"""


@dataclass(frozen=True)
class Way:
    """A way of asking: the form that the server is to enforce, what it is told about thinking, and
    whether a reply has room for reasoning.
    """

    form: Form
    thinking: Thinking
    is_reasoning: bool = False

    @property
    def extra_tokens(self) -> int:
        """The tokens that a reply may have beside its own limit."""
        return REASONING_TOKENS * self.is_reasoning

    @property
    def suffix(self) -> str:
        """The words that are added to the last message; "" for none."""
        return NO_THINKING if self.thinking == "asked" else ""

    def limit(self, request: Request) -> int:
        """Return the tokens that a reply may have."""
        return max(request.max_tokens + self.extra_tokens, request.longest_reply)


THINKING_WAYS = (Way("text", "on", is_reasoning=True), Way("text", "default", is_reasoning=True))
"""Ways of asking for a reply after thinking, best first: a schema would forbid the thoughts."""


class LearntWay:
    """The way in which one model on one server is asked, and the other ways to try."""

    def __init__(self, ways: Sequence[Way]) -> None:
        self.ways = tuple(ways)
        self.current = self.ways[0]
        self._left = FIRST_REPLIES
        self._key = ""
        self.is_known = False
        """True if the model obeyed the current way, on this version of its server."""
        self._uncounted: list[Completion] = []

    def restore(self, server: str, protocol: str, version: str, model: str) -> None:
        """Take the way that was learnt before, if any; what is learnt from now on is kept in
        `FILE`. It has to be checked again where servers do not tell their version.
        """
        self._key = " ".join(filter(None, (server, protocol, version, model)))
        with suppress(KeyError, TypeError, ValueError):
            way = Way(**read_learnt(FILE)[self._key])
            self.current = self.ways[self.ways.index(way)]
            self.is_known = bool(version)

    async def check(self, name: str, lang: Lang, ask: Ask) -> Phrase | None:
        """Find out how the model obeys, by one question unless it is known, keep the way that it
        obeys, and return a line about it; None if the server is busy or does not answer within
        `CHECK_SECONDS`.

        Raises:
            ModelUnavailable: The server refuses to answer.
        """
        request = line_request(QUESTIONS[lang], lang)
        if not self.is_known:
            try:
                async with asyncio.timeout(CHECK_SECONDS):
                    completion = await ask(request)
            except (ModelBusy, TimeoutError):
                return None
            self._left = 0
            self._uncounted.append(completion)
            if not obeys(request, completion):
                if reply := excerpt(completion.text):
                    return Phrase(
                        "{name}: gives no JSON, in whatever way it is asked, such as: {reply}",
                        name=name,
                        reply=reply,
                    )
                return Phrase("{name}: gives no answer, in whatever way it is asked", name=name)
            self.keep(self.current)
        return Phrase(
            "{name}: is asked for {form}, with {thinking}",
            name=name,
            form=Phrase(FORM_WORDS[self.current.form]),
            thinking=Phrase(THINKING_WORDS[self.current.thinking]),
        )

    async def learn(
        self, request: Request, completion: Completion, ask: Callable[[Way], Awaitable[Completion]]
    ) -> Completion:
        """Return a reply that was asked for in the current way, or the first one in another way
        that is what was asked for. It has the cost of all requests before it that were trials.
        """
        trials, self._uncounted = self._uncounted, []
        for way in self._ways_to_try(request, completion):
            with suppress(ModelUnavailable):
                other = await ask(way)
                if obeys(request, other):
                    self.keep(way)
                    return other.with_trials([*trials, completion])
                trials.append(other)
        return completion.with_trials(trials)

    def _ways_to_try(self, request: Request, completion: Completion) -> list[Way]:
        """Return the other ways if this reply, one of the first, is not what was asked for, and
        count it; none otherwise. A reply that is ends the search.
        """
        if self._left <= 0 or completion.broken not in ("", ONLY_REASONING):
            return []
        if obeys(request, completion):
            self._left = 0
            return []
        self._left -= 1
        return [way for way in self.ways if way != self.current]

    def keep(self, way: Way) -> None:
        """Ask in this way from now on, and in later runs on the same version of the server."""
        self.current, self._left, self.is_known = way, 0, True
        if self._key:
            with suppress(OSError):
                write_learnt(FILE, read_learnt(FILE) | {self._key: asdict(way)})


def obeys(request: Request, completion: Completion) -> bool:
    """Return True if a reply holds an object with the fields asked for."""
    return holds_object(completion.text, request.schema.get("required", ()))
