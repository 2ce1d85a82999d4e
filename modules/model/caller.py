"""What every question passes on its way to a model: rendering, the journal, retries, the fallback, counting."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import inf
from typing import Any, Protocol, TypeVar

import orjson

from modules.errors import ModelUnavailable, TooLong
from modules.model.calls import Attempt, Call, Outcome, Retrieval
from modules.model.llm import Completion, Embedder, LanguageModel, Request, context_of
from modules.model.replies import Unusable, legible, usable
from modules.model.stats import Stats
from modules.model.vectors import Vector, Vectors, VectorTable
from modules.prompt.budget import Fitted, Scores, about_tokens, fit
from modules.prompt.prompt import Prompt, Reply, Variables
from modules.prompt.render import Templates
from modules.prompt.schema import schema_for
from modules.prompt.talking import UtteranceVars
from modules.settings import Settings
from modules.streams import stream_seed

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)

WINDOW = 200
"""Latest calls over which the share of fallbacks is taken."""

ENOUGH = 40
"""Calls before that share means anything."""

SHORTER = 0.75
"""What is left of a prompt that a server found too long, each time."""


class Journal(Protocol):
    """Replies as they arrived, by the place in the run where they were asked for.

    `asked` is the hash of the request: a reply to any other is not returned, and is replaced.
    """

    def get(self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes) -> bytes | None: ...

    def put(self, step: int, who: str, kind: str, ordinal: int, attempt: int, asked: bytes, reply: bytes) -> None: ...


class Listener(Protocol):
    """Hears lines of dialogue while a model that streams writes them."""

    def hear(self, who: str, partner: str, reply: str) -> None: ...


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in a run a question is asked."""

    step: int
    who: str
    kind: str
    ordinal: int


@dataclass(slots=True)
class _Log:
    """What has come of one question so far. `live`: a model was asked, and not only the journal."""

    attempts: list[Attempt]
    prompt_tokens: int = 0
    reply_tokens: int = 0
    live: bool = False


class Caller:
    """Asks one model and one embedding, for one run.

    `journal` and `table` are the run's. `stats` counts every call, `slots` limits those under way at once.
    """

    def __init__(self, model: LanguageModel, embedder: Embedder, templates: Templates, journal: Journal, table: VectorTable, settings: Settings) -> None:
        self.model = model
        self.templates = templates
        self.journal = journal
        self.settings = settings
        self.stats = Stats()
        self.listener: Listener | None = None
        """Who wants to hear what residents say while it is written; nothing depends on it."""
        self._vectors = Vectors(embedder, table)
        self._latest: deque[bool] = deque(maxlen=WINDOW)
        self._slots: tuple[asyncio.AbstractEventLoop, asyncio.Semaphore] | None = None

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors, float32[dimension] each, in the order of `texts`. Raises ModelUnavailable."""
        return await self._vectors.embed(texts)

    def vector(self, text: str) -> Vector:
        """The vector of a text that has been embedded in this run. Raises LookupError for any other."""
        return self._vectors.vector(text)

    async def ask(
        self, prompt: Prompt[V, R], variables: V, *, step: int, who: str, ordinal: int, seed: int, retrieved: Sequence[Retrieval] = ()
    ) -> tuple[R, Call, V]:
        """The reply to a question, the record of how it came about, and the variables as they fitted into the prompt.

        A reply that cannot be used is asked for again, with the error, `settings.llm.retries` times; then
        the prompt's fallback stands in. Raises ModelUnavailable where the model gives nothing at all, or
        too little that can be used, TooLong where even a shortened prompt does not fit.
        """
        began = time.perf_counter()
        log = _Log([])
        scores = {one.memory: one.score for one in retrieved}
        fitted, reply = await self._fitting_reply(prompt, variables, scores, _Place(step, who, prompt.kind, ordinal), seed, log)
        outcome: Outcome = "ok" if len(log.attempts) == 1 else "retried"
        if reply is None:
            reply, outcome = prompt.fallback(fitted.variables), "fallback"
        call = Call(
            step, who, prompt.kind, ordinal, self.model.name, outcome, reply.model_dump_json(), tuple(log.attempts), fitted.messages,
            tuple(retrieved), log.prompt_tokens, log.reply_tokens, (time.perf_counter() - began) * 1000, fitted.cut,
        )  # fmt: skip
        self.stats.count(call)
        if log.live:
            self._watch(outcome == "fallback")
        return reply, call, fitted.variables

    async def _fitting_reply(self, prompt: Prompt[V, R], variables: V, scores: Scores, place: _Place, seed: int, log: _Log) -> tuple[Fitted[V], R | None]:
        """The question as it fits the model's context, cut once more each time that the server says it does not, and its reply."""
        room = context_of(self.model, prompt.kind) - prompt.max_tokens
        while True:
            fitted = fit(prompt, variables, self.templates.render, room, scores)
            try:
                return fitted, await self._reply(prompt, fitted, place, seed, log)
            except TooLong:
                if fitted.spent:
                    raise
                room = about_tokens(fitted.messages) * SHORTER

    async def _reply(self, prompt: Prompt[V, R], fitted: Fitted[V], place: _Place, seed: int, log: _Log) -> R | None:
        """The first usable reply; None once all attempts are spent, or where the context has no room for another."""
        schema = schema_for(prompt, fitted.variables)
        request = Request(
            prompt.kind,
            self.templates.lang,
            fitted.variables,
            fitted.messages,
            schema,
            prompt.max_tokens,
            prompt.temperature,
            self._heard(place.who, fitted.variables),
        )
        for attempt in range(self.settings.llm.retries + 1):
            try:
                completion = await self._complete(request, place, attempt, stream_seed(seed, attempt), log)
            except TooLong:
                if attempt:
                    return None
                raise
            log.prompt_tokens += completion.prompt_tokens
            log.reply_tokens += completion.reply_tokens
            try:
                reply = usable(prompt, fitted.variables, completion.text, request.lang)
            except Unusable as error:
                log.attempts.append(Attempt(completion.text, str(error)))
                request = replace(request, messages=(*request.messages, *self.templates.again(completion.text, str(error))))
                if not self._has_room(request):
                    return None
            else:
                log.attempts.append(Attempt(completion.text))
                return reply
        return None

    def _heard(self, who: str, variables: Variables) -> Callable[[str], None] | None:
        listener = self.listener
        if listener is None or not isinstance(variables, UtteranceVars):
            return None
        return lambda reply: listener.hear(who, variables.other.id, reply)

    def _has_room(self, request: Request) -> bool:
        context = context_of(self.model, request.kind)
        return context == inf or about_tokens(request.messages) + request.max_tokens <= context

    async def _complete(self, request: Request, place: _Place, attempt: int, seed: int, log: _Log) -> Completion:
        """What the model answered, now or before the run was interrupted; written to the journal as it arrives."""
        asked = asked_hash(self.model.name, request, seed)
        kept = self.journal.get(place.step, place.who, place.kind, place.ordinal, attempt, asked)
        if kept is not None:
            return Completion(**orjson.loads(kept))
        log.live = True
        async with self._slot():
            completion = await self.model.complete(request, seed=seed)
        completion = replace(completion, text=legible(completion.text))
        self.journal.put(place.step, place.who, place.kind, place.ordinal, attempt, asked, orjson.dumps(completion))
        return completion

    def _slot(self) -> asyncio.Semaphore:
        """The limit on calls under way; a semaphore belongs to one event loop, a caller may outlive it."""
        loop = asyncio.get_running_loop()
        if self._slots is None or self._slots[0] is not loop:
            self._slots = (loop, asyncio.Semaphore(self.settings.machine.slots))
        return self._slots[1]

    def _watch(self, fallback: bool) -> None:
        self._latest.append(fallback)
        count, limit = len(self._latest), self.settings.llm.max_fallback_share
        if count >= ENOUGH and sum(self._latest) > limit * count:
            raise ModelUnavailable(
                "{name}: {failed} of the last {count} replies could not be used (llm.max_fallback_share is {limit:g});"
                " nothing is lost: see to the model, then go on with --resume",
                name=self.model.name, failed=sum(self._latest), count=count, limit=limit,
            )  # fmt: skip


def asked_hash(model: str, request: Request, seed: int) -> bytes:
    """16 bytes that change with anything a model is told: BLAKE2b of the canonical JSON of the request."""
    told: list[Any] = [model, request.kind, request.lang, seed, request.max_tokens, request.temperature, request.schema]
    told += [[message.role, message.content] for message in request.messages]
    return blake2b(orjson.dumps(told, option=orjson.OPT_SORT_KEYS), digest_size=16).digest()
