"""The path of each request to a model: rendering, the journal, retries, the fallback, statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any, Protocol, TypeVar

import orjson

from hometown.errors import CallFailed, TooLong
from hometown.memory.arithmetic import Vector
from hometown.model.llm import (
    REASONING_TOKENS,
    Completion,
    Embedder,
    LanguageModel,
    Request,
    context_of,
)
from hometown.model.queue import VISITED, CallKey, CallQueue, Priority
from hometown.model.reply_journal import Journal, ReadOnlyJournal, decode_completion, request_hash
from hometown.model.reply_parsing import UnusableReply, parse_reply, sanitize
from hometown.model.stats import Stats
from hometown.model.text_vectors import Vectors, VectorStorage
from hometown.model.token_alternatives import TokenPlace
from hometown.model.usability import Usability
from hometown.prompt.budget import Fitted, Scores, about_tokens, fit
from hometown.prompt.prompt import Prompt, Reply, Variables
from hometown.prompt.render import Templates
from hometown.prompt.schema import schema_for
from hometown.records import Attempt, Call, Outcome, Retrieval
from hometown.rng import stream_seed
from hometown.settings import Settings
from hometown.text import excerpt

V = TypeVar("V", bound=Variables)
R = TypeVar("R", bound=Reply)

Answer = tuple[Any, Call, Any]
"""A reply, the record of the call, and the variables as they fitted into the prompt."""

SHORTENING = 0.75
"""Share of a prompt that is kept each time a server rejects it as too long."""


class SpeechListener(Protocol):
    """Follows lines of dialogue while a model that streams writes them."""

    def hear(self, who: str, partner: str, text: str, *, complete: bool = False) -> None:
        """Receive the text that `who` has said to `partner` so far, or to the end if `complete`."""
        ...


@dataclass(slots=True)
class _Log:
    """The attempts at one request so far, the residents concerned, and the priority of its calls.
    `live` says that a model was asked, not only the journal.
    """

    attempts: list[Attempt]
    people: tuple[str, ...]
    priority: Priority
    prompt_tokens: int = 0
    reply_tokens: int = 0
    live: bool = False
    began: float = field(default_factory=time.perf_counter)

    def record(
        self,
        place: CallKey,
        model: str,
        outcome: Outcome,
        reply: Reply,
        fitted: Fitted[Any],
        retrieved: Sequence[Retrieval],
    ) -> Call:
        """Return the record of the call, which ends now."""
        return Call(
            place.step,
            place.who,
            place.kind,
            place.ordinal,
            model,
            outcome,
            reply.model_dump_json(),
            tuple(self.attempts),
            fitted.messages,
            tuple(retrieved),
            self.prompt_tokens,
            self.reply_tokens,
            (time.perf_counter() - self.began) * 1000,
            fitted.cut,
        )


class Caller:
    """Asks one model and one embedding, for one run.

    `journal` and `table` belong to the run. `stats` counts every call; `machine.slots` limits the
    calls in progress. `depth` is the number of steps that the caller is ahead of its run;
    `is_prefetching` says that it asks questions of the next step only, `is_visited` that visitors
    wait for the replies.
    """

    def __init__(
        self,
        model: LanguageModel,
        embedder: Embedder,
        templates: Templates,
        journal: Journal,
        table: VectorStorage,
        settings: Settings,
    ) -> None:
        self.model = model
        self.templates = templates
        self.journal = journal
        self.settings = settings
        self.stats = Stats()
        self.listener: SpeechListener | None = None
        """Follows the residents' speech while it is written; nothing depends on it."""
        self.on_places: Callable[[Sequence[TokenPlace]], None] | None = None
        """Receives the probabilities of the tokens of replies; without it, none are asked for."""
        self.room: Callable[[CallKey], float] | None = None
        """Returns the tokens that a prompt may have; without it, the model's context tells."""
        self._vectors = Vectors(embedder, table)
        self._usability = Usability(settings.llm.max_fallback_share)
        self.queue = CallQueue(settings.machine.slots)
        self.depth, self.is_prefetching, self.is_visited = 0, False, False
        self._cache: dict[CallKey, tuple[tuple[object, ...], Answer]] = {}
        """Answers asked ahead of their step, by their place, each with the values that it depends
        on.
        """

    def speculative(self) -> Caller:
        """Return a caller that is one step further ahead of the run.

        It shares model, replies and vectors with this one and writes nothing to the run.
        """
        other = copy(self)
        other.depth = self.depth + 1
        other.journal = ReadOnlyJournal(self.journal)
        other.stats = Stats()
        other.listener = None
        other._usability = self._usability.speculative()
        return other

    def prefetching(self) -> Caller:
        """Return a caller for questions that a later step of the run is certain to ask: their
        replies are kept in the journal, and counted when that step asks.
        """
        other = copy(self)
        other.is_prefetching = True
        other.stats = Stats()
        other.listener = None
        return other

    def visited(self) -> Caller:
        """Return a caller for conversations with visitors, whose calls go before all others."""
        other = copy(self)
        other.is_visited = True
        return other

    def cached_answer(self, place: CallKey, basis: tuple[object, ...]) -> Answer | None:
        """Return the answer that was cached for a place if it depends on the very same `basis`, or
        None.

        An answer counts as a call now. Values are compared by identity.
        """
        kept, answer = self._cache.get(place, ((), None))
        if (
            answer is None
            or len(kept) != len(basis)
            or any(one is not other for one, other in zip(kept, basis, strict=True))
        ):
            return None
        self.stats.count(answer[1])
        return answer

    def cache_answer(self, place: CallKey, basis: tuple[object, ...], answer: Answer) -> None:
        """Cache an answer for the step that will ask for it, if this caller is prefetching."""
        if self.is_prefetching:
            self._cache[place] = basis, answer

    def evict(self, step: int) -> Stats:
        """Drop cached answers and speculative calls up to a step, and return the statistics of the
        calls that went unused. They are added to `stats`, too.
        """
        for place in [place for place in self._cache if place.step <= step]:
            del self._cache[place]
        unused = Stats()
        for kind, completion in self.queue.evict(step):
            unused.count_unused(self.model.name, kind, completion)
        self.stats.add(unused)
        return unused

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return unit vectors, float32[dimension] each, in the order of `texts`. Speculative calls
        pause meanwhile, unless this caller is speculative itself. Raises ModelUnavailable.
        """
        with self._pause_speculation():
            return await self._vectors.embed(texts, ahead=bool(self.depth))

    async def greatest_products(
        self, wanted: Sequence[tuple[tuple[str, ...], Sequence[str]]]
    ) -> list[dict[str, int]]:
        """Return, for each group of texts and the texts that are compared with it, at least these
        with the greatest dot product of their quantised vector with those of the group; 0 for an
        empty group. Raises ModelUnavailable.
        """
        with self._pause_speculation():
            return await self._vectors.greatest_products(wanted, ahead=bool(self.depth))

    def _pause_speculation(self) -> AbstractContextManager[None]:
        """Pause speculative calls, unless this caller is speculative itself."""
        return nullcontext() if self.depth else self.queue.pause_speculation()

    def begin_embedding(self, texts: Sequence[str]) -> None:
        """Start to embed texts that will be remembered once a reply has come, so that their vectors
        are ready by then.
        """
        self._vectors.begin(texts)

    def vector(self, text: str) -> Vector:
        """Return the vector of a text that has been embedded in this run. Raises LookupError for
        any other.
        """
        return self._vectors.vector(text)

    async def ask(
        self,
        prompt: Prompt[V, R],
        variables: V,
        *,
        step: int,
        who: str,
        ordinal: int,
        seed: int,
        retrieved: Sequence[Retrieval] = (),
        company: str = "",
        deferred: bool = False,
    ) -> tuple[R, Call, V]:
        """Return the reply to a prompt, the record of the call, and the variables as they fitted
        into the prompt.

        An unusable reply is requested again, together with the error, `settings.llm.retries` times;
        after that, and where only this request has no reply, the prompt's fallback is used. The
        call is added to `stats`.

        Args:
            company: The resident's partner; calls in a conversation go first.
            deferred: True if nothing waits for the reply; such calls go last.

        Raises:
            ModelUnavailable: The model gives no reply, or too many unusable ones.
            TooLong: Even a shortened prompt does not fit.
        """
        people = (who, company) if company else (who,)
        log = _Log([], people, (self.depth, self._urgency(company, deferred=deferred)))
        scores = {retrieval.memory: retrieval.score for retrieval in retrieved}
        place = CallKey(step, who, prompt.kind, ordinal)
        fitted, reply = await self._fitting_reply(prompt, variables, scores, place, seed, log)
        outcome: Outcome = "ok" if len(log.attempts) == 1 else "retried"
        if reply is None:
            reply, outcome = prompt.fallback(fitted.variables), "fallback"
        call = log.record(place, self.model.name, outcome, reply, fitted, retrieved)
        self.stats.count(call)
        if log.live:
            self._usability.check(self.model.name, log.attempts, outcome == "fallback")
        return reply, call, fitted.variables

    def _urgency(self, company: str, *, deferred: bool) -> int:
        """Return the second number of a call's `Priority`."""
        if self.is_visited:
            return VISITED
        if self.is_prefetching:
            return 3
        if company:
            return 0
        return 2 if deferred else 1

    async def _fitting_reply(
        self,
        prompt: Prompt[V, R],
        variables: V,
        scores: Scores,
        place: CallKey,
        seed: int,
        log: _Log,
    ) -> tuple[Fitted[V], R | None]:
        """Return the prompt, fitted to the model's context, and its reply, None if there is
        none. The prompt is shortened again each time the server rejects it as too long. Raises
        TooLong if nothing is left to shorten.
        """
        room = self.room(place) if self.room else self._room_for(prompt)
        while True:
            fitted = fit(prompt, variables, self.templates.render, room, scores)
            try:
                return fitted, await self._reply(prompt, fitted, place, seed, log)
            except TooLong:
                if fitted.spent:
                    raise
                room = about_tokens(fitted.messages) * SHORTENING

    def _room_for(self, prompt: Prompt[V, R]) -> float:
        """Return the tokens of the model's context that its longest reply leaves to a prompt."""
        context = context_of(self.model, prompt.kind)
        return context - prompt.longest_reply(context) - REASONING_TOKENS * self._thinks(prompt)

    async def _reply(
        self, prompt: Prompt[V, R], fitted: Fitted[V], place: CallKey, seed: int, log: _Log
    ) -> R | None:
        """Return the first usable reply, or None if all attempts are used up, the model fails, or
        the context has no room for another attempt. Attempts and tokens are added to `log`. Raises
        TooLong if the first attempt does not fit.
        """
        request = self._request(prompt, fitted, place.who, log.people)
        for attempt in range(self.settings.llm.retries + 1):
            try:
                completion = await self._complete(
                    request, place, attempt, stream_seed(seed, attempt), log
                )
            except TooLong:
                if attempt:
                    return None
                raise
            log.prompt_tokens += completion.prompt_tokens
            log.reply_tokens += completion.reply_tokens
            tried = partial(_make_attempt, completion)
            if completion.failure:
                log.attempts.append(tried("", completion.failure, failed=True))
                return None
            try:
                reply, mended = parse_reply(
                    prompt, fitted.variables, request.schema, completion.text, request.lang
                )
            except UnusableReply as error:
                fault = completion.broken or str(error)
                log.attempts.append(tried(completion.text, fault))
                written = excerpt(completion.text) if completion.broken else completion.text
                again = self.templates.again(written, fault)
                request = replace(request, messages=(*request.messages, *again))
                if not self._has_room(request):
                    return None
            else:
                log.attempts.append(tried(completion.text, mended=mended))
                return reply
        return None

    def _request(
        self, prompt: Prompt[V, R], fitted: Fitted[V], who: str, people: tuple[str, ...]
    ) -> Request:
        return Request(
            prompt.kind,
            self.templates.lang,
            fitted.variables,
            fitted.messages,
            schema_for(prompt, fitted.variables),
            prompt.longest_reply(context_of(self.model, prompt.kind)),
            prompt.temperature,
            self._on_text(prompt, fitted.variables, who),
            people,
            self.on_places,
            self._thinks(prompt),
        )

    def _thinks(self, prompt: Prompt[V, R]) -> bool:
        """Return True if the model thinks before it replies to a prompt."""
        return prompt.kind in self.settings.llm.thinking

    def _on_text(
        self, prompt: Prompt[V, R], variables: V, who: str
    ) -> Callable[[str], None] | None:
        """Return a callback that passes the words of a spoken reply to the listener, or None if
        nothing is spoken or nothing listens.
        """
        speech, listener = prompt.speech, self.listener
        if speech is None or listener is None:
            return None
        partner = speech.listener(variables)
        return lambda reply: listener.hear(who, partner, speech.words(reply))

    def _has_room(self, request: Request) -> bool:
        """Return True if a request and its longest reply fit into the model's context."""
        context = context_of(self.model, request.kind)
        return context == inf or about_tokens(request.messages) + request.longest_reply <= context

    async def _complete(
        self, request: Request, place: CallKey, attempt: int, seed: int, log: _Log
    ) -> Completion:
        """Return the model's reply, new or from before the run was interrupted, and write it to the
        journal on arrival.

        A call that the model does not answer, though it answers others, is a completion with a
        `failure`, and kept as well: a resumed run repeats it.
        """
        at = place._replace(attempt=attempt, asked=request_hash(self.model.name, request, seed))
        kept = decode_completion(self.journal.get(*at))
        if kept is not None:
            return kept
        log.live = True
        completion = await self.queue.reply(at, log.priority, partial(self._answer, request, seed))
        self.journal.put(*at, orjson.dumps(completion))
        return completion

    async def _answer(self, request: Request, seed: int) -> Completion:
        """Return the model's reply with its text sanitized, or a completion with a `failure` where
        only this request has no reply, or the backend returned something else.
        """
        try:
            completion = await self.model.complete(request, seed=seed, priority=self.depth)
        except CallFailed:
            completion = Completion(
                "", 0, 0, failure="the model gave no reply, while it answered other requests"
            )
        if not isinstance(completion, Completion) or not completion.is_well_formed:
            completion = Completion(
                "", 0, 0, failure="the backend returned something other than a reply"
            )
        text = sanitize(completion.text)
        return completion if text == completion.text else replace(completion, text=text)


def _make_attempt(
    completion: Completion,
    text: str,
    error: str = "",
    *,
    failed: bool = False,
    mended: tuple[str, ...] = (),
) -> Attempt:
    """Return the record of an attempt, with the cost of its completion."""
    return Attempt(
        text,
        error,
        failed,
        completion.cached_tokens,
        completion.read_ms,
        completion.write_ms,
        mended,
        completion.served,
        completion.trials,
    )
