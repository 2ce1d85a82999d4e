"""Models served by Ollama, on one or several servers: its native chat, with replies constrained to
the request's schema.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from hometown.errors import ModelUnavailable, ModelUnusable, ServerMisconfigured, TooLong
from hometown.language import Lang
from hometown.model.address import redacted
from hometown.model.connection import ErrorResponse, busy_error
from hometown.model.envelope import BadResponse, within_length
from hometown.model.failure_causes import Cause, cause_of
from hometown.model.llm import Completion, Request
from hometown.model.ollama_hosts import (
    LOCAL,
    complete_address,
    hosts,
    missing_model,
    server_at,
    translate_host_failures,
)
from hometown.model.pace import Pace
from hometown.model.pins import Pins
from hometown.model.reply_parsing import ONLY_REASONING, answer_in_reasoning, without_thinking
from hometown.model.server_context import (
    SMALLEST_CONTEXT,
    choose_context,
    known_context,
    known_version,
    longer_model,
    ollama_context,
)
from hometown.model.token_alternatives import MOST_ALTERNATIVES, TokenPlace, decode_places
from hometown.model.watchdog import StallWatchdog
from hometown.model.ways import CHECK_SEED, THINKING_WAYS, LearntWay, Thinking, Way
from hometown.own_commands import list_command
from hometown.prompt.budget import about_tokens
from hometown.settings import Settings
from hometown.text import Phrase

if TYPE_CHECKING:
    from ollama import ChatResponse

    from hometown.model.ollama_client import OllamaClient

SEEDS = 2**31
"""Number of seeds that Ollama accepts; those of the engine have 64 bits."""

WAYS = (
    Way("json_schema", "off"),
    Way("json_schema", "default", is_reasoning=True),
    Way("json_schema", "low", is_reasoning=True),
    Way("text", "off"),
    Way("text", "default", is_reasoning=True),
)
"""The ways of asking Ollama, best first. Some versions ignore the schema while thinking is off."""

Think = Literal["low"] | bool | None

THINK: dict[Thinking, Think] = {
    "off": False,
    "low": "low",
    "asked": None,
    "default": None,
    "on": True,
}
"""Values of Ollama's option `think`."""

NANOSECONDS_PER_MILLISECOND = 1e6
"""Converts durations, which Ollama reports in nanoseconds."""

FULL = 0.9
"""Share of the context that prompt and reply fill where a reply was cut for lack of room."""

LONGEST_TAIL = 3000
"""Characters at the end of a reply in which a repetition is sought."""

_REPETITION = re.compile(r"(.{1,60}?)\1{19,}\Z", re.DOTALL)
"""A text that ends with the same few characters twenty times: Ollama stops after 30 equal tokens."""

REPEATED = "you repeated yourself without end, and were stopped; give the JSON object alone"
CUT = "your reply was cut off before its end; give the JSON object alone, and keep it short"
"""Messages to a model about a reply that it did not end."""


@dataclass(eq=False)
class OllamaServer:
    """One Ollama server, with its watchdog and the pace of its replies."""

    host: str
    client: OllamaClient
    watchdog: StallWatchdog
    pace: Pace = field(init=False)

    def __post_init__(self) -> None:
        self.pace = Pace(self.watchdog.limit)


class OllamaReply:
    """A reply that arrives part by part; the last part holds the counts."""

    def __init__(self) -> None:
        self.text = ""
        self._reasoning = ""
        self.places: list[TokenPlace] = []
        """The probabilities of the tokens so far, where the server reports them."""
        self._last: ChatResponse | None = None

    def add(self, part: ChatResponse) -> None:
        """Append one part. Raises BadResponse if the reply is too long."""
        self.text = within_length(self.text + (part.message.content or ""))
        self._reasoning = within_length(self._reasoning + (part.message.thinking or ""))
        self.places += decode_places(part.logprobs)
        self._last = part

    @property
    def was_cut(self) -> bool:
        """Return True if the server stopped at the reply's limit, or because the context was full."""
        return self._last is not None and self._last.done_reason == "length"

    def completion(self) -> Completion:
        """Return the reply. One that the server broke off because it repeated itself has no last
        part. Raises BadResponse if it is incomplete for another reason.
        """
        last = self._last
        if last is None or not (last.done or _REPETITION.search(self.text[-LONGEST_TAIL:])):
            raise BadResponse(Phrase("closed the connection before its response was complete"))
        times = (
            (last.prompt_eval_duration or 0) / NANOSECONDS_PER_MILLISECOND,
            (last.eval_duration or 0) / NANOSECONDS_PER_MILLISECOND,
        )
        text = without_thinking(self.text) or answer_in_reasoning(self._reasoning)
        only_reasoned = ONLY_REASONING if self._reasoning and not text else ""
        return Completion(
            text,
            last.prompt_eval_count or 0,
            last.eval_count or 0,
            0,
            *times,
            broken=only_reasoned if last.done else REPEATED,
            reasoned=bool(self._reasoning),
        )


class OllamaModel:
    """One model on one or several Ollama servers; a call goes to the resident's own server while
    that one responds (`Pins`). Raises BadInput for an invalid address.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        self.name = f"ollama:{model}"
        self.model = model
        self._llm, timeout = settings.llm, settings.machine.timeout_seconds
        self._servers = [
            OllamaServer(host, server_at(host), StallWatchdog(timeout, self._llm.give_up_after))
            for host in hosts(settings)
        ]
        self._pins = Pins([server.host for server in self._servers])
        self.way = LearntWay(WAYS)
        self._can_think = True
        self._num_ctx = self._llm.num_ctx

    async def load(self, lang: Lang, notify: Callable[[str], None]) -> None:
        """Find out how the model is to be asked, and the shortest context that it has on any
        server, which may shorten `llm.num_ctx`. Pass lines about both to `notify`, in `lang`.
        Raises BadInput if the context is too short for residents.
        """
        version = await known_version(self._servers[0].client)
        self.way.restore(self._servers[0].client.shown, "ollama", version, self.model)
        known = await asyncio.gather(
            *(known_context(ollama_context(each.client, self.model)) for each in self._servers)
        )
        has = min(filter(None, known), default=0)
        self._num_ctx, note = choose_context(self.name, has, self._llm.num_ctx, longer_model())
        way = await self.way.check(self.name, lang, partial(self.complete, seed=CHECK_SEED))
        for line in filter(None, (note, way)):
            notify(line.localize(lang))

    def context(self, kind: str) -> float:
        """Return the context that Ollama is asked to provide for each call, in tokens, without the
        part that is left for reasoning.
        """
        return self._num_ctx - self.way.current.extra_tokens

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply of the model. Raises ModelBusy if no server can answer at present,
        ModelUnavailable if trying again would not help.
        """
        self._refuse_if_too_long(request)
        return await self._pins.ask(
            request.people, lambda at: self._complete_at(self._servers[at], request, seed)
        )

    async def _complete_at(self, server: OllamaServer, request: Request, seed: int) -> Completion:
        """Return the reply, asked for in the way that the model obeys, or after thinking."""
        if request.thinks and self._can_think:
            return await self._complete_in(THINKING_WAYS[0], server, request, seed)
        completion = await self._complete_in(self.way.current, server, request, seed)
        return await self.way.learn(
            request, completion, lambda way: self._complete_in(way, server, request, seed)
        )

    async def _complete_in(
        self, way: Way, server: OllamaServer, request: Request, seed: int
    ) -> Completion:
        """Return the reply, asked for in one way. One that was cut before its limit, or stopped for
        repeating itself, is marked as `broken`. Raises TooLong if it was cut for lack of context,
        ModelUnavailable for other refusals, ModelBusy if trying again may help.
        """
        try:
            async with translate_host_failures(server.host, self.name):
                reply = await self._chat(way, server, request, seed)
                completion, was_cut = reply.completion(), reply.was_cut
        except ErrorResponse as refused:
            if cause_of(refused) is Cause.REPLY:
                return Completion("", 0, 0, broken=REPEATED)
            raise self._failure(refused, server, request) from refused
        if was_cut and completion.reply_tokens < way.limit(request):
            read = completion.prompt_tokens or about_tokens(request.messages)
            if read + completion.reply_tokens >= FULL * self._num_ctx:
                raise self._too_long(request, read)
            return replace(completion, broken=completion.broken or CUT)
        return completion

    async def _chat(
        self, way: Way, server: OllamaServer, request: Request, seed: int
    ) -> OllamaReply:
        """Return the server's reply to a request. If the server rejects the option `think`, request
        it once more without, and leave the option out from now on.
        """
        options = {
            "seed": seed % SEEDS,
            "temperature": request.temperature,
            "num_ctx": self._num_ctx,
            "num_predict": way.limit(request),
        }
        messages = [
            {"role": message.role, "content": message.content} for message in request.messages
        ]
        can_think = self._can_think
        try:
            return await self._read(way, server, request, messages, options)
        except ErrorResponse as refused:
            if not can_think or "think" not in refused.detail:
                raise
            self._can_think = False  # the model, or the server, has no such option
            return await self._read(way, server, request, messages, options)

    async def _read(
        self,
        way: Way,
        server: OllamaServer,
        request: Request,
        messages: list[dict[str, str]],
        options: dict[str, float],
    ) -> OllamaReply:
        """Return the server's reply to a request, assembled from its parts."""
        reply, streams = OllamaReply(), server.pace.streams(request)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages,
            "format": request.schema if way.form == "json_schema" else None,
            "options": options,
            "think": THINK[way.thinking] if self._can_think else None,
            "keep_alive": self._llm.keep_alive,
        }
        if request.on_places:
            body |= {"logprobs": True, "top_logprobs": MOST_ALTERNATIVES}
        with server.pace.measure() as record_tokens:
            async with (
                server.watchdog.watched(
                    way.limit(request) / self._llm.min_tokens_per_second
                ) as arrived,
                aclosing(_parts(server.client, body, streams)) as parts,
            ):
                async for part in parts:
                    arrived()
                    reply.add(part)
                    if request.on_text:
                        request.on_text(reply.text)
            record_tokens(reply.completion().reply_tokens)
        if request.on_places:
            request.on_places(reply.places)
        return reply

    def _failure(
        self, refused: ErrorResponse, server: OllamaServer, request: Request
    ) -> ModelUnavailable:
        """Return the error for a server's refusal of a request."""
        if cause_of(refused) is Cause.LENGTH:
            count = re.search(r'n_prompt_tokens\\*":(\d+)|\((\d+) tokens\)', refused.detail)
            return self._too_long(
                request, int(count[1] or count[2]) if count else about_tokens(request.messages)
            )
        return ollama_unavailable(self.name, server.host, refused, request.kind, self._num_ctx)

    def _refuse_if_too_long(self, request: Request) -> None:
        """Raise TooLong before sending, since a server would silently cut off the beginning, and
        with it the rules and the persona.
        """
        tokens = about_tokens(request.messages)
        if tokens + request.longest_reply > self.context(request.kind):
            raise self._too_long(request, tokens)

    def _too_long(self, request: Request, tokens: int) -> TooLong:
        """Return the error for a prompt of so many tokens, with the context that it needs, at least
        `SMALLEST_CONTEXT`.
        """
        needed = max(tokens + self.way.current.limit(request), SMALLEST_CONTEXT)
        return TooLong(
            "{name}: prompt {kind!r} has about {tokens} tokens and its reply may have {max_tokens}, but the context holds {num_ctx}:"
            " raise llm.num_ctx to {needed} or more, in data/config.json or the file given with --config, and take a model whose context is that long",
            name=self.name,
            kind=request.kind,
            tokens=tokens,
            max_tokens=request.max_tokens,
            num_ctx=self._num_ctx,
            needed=needed,
        )


def ollama_unavailable(
    name: str, host: str, refused: ErrorResponse, kind: str, num_ctx: int
) -> ModelUnavailable:
    """Return the error for a server's refusal of a prompt of a kind: ModelBusy if trying again may
    help.
    """
    at, detail, cause = redacted(complete_address(host)), refused.detail, cause_of(refused)
    if cause is Cause.NO_MODEL:
        return ModelUnavailable(missing_model(name.partition(":")[2], host))
    if cause is Cause.MEMORY:
        return ServerMisconfigured(
            "{name}: the server at {at} cannot load the model ({detail}): take a smaller one ({command} names some),"
            " or lower llm.num_ctx, which is {num_ctx}, or OLLAMA_NUM_PARALLEL of the server",
            name=name,
            at=at,
            detail=detail,
            num_ctx=num_ctx,
            command=list_command(),
        )
    if cause is Cause.NO_CHAT:
        return ModelUnusable(
            "{name}: this model writes no replies ({detail}): take one that chats; {command} names some",
            name=name,
            detail=detail,
            command=list_command(),
        )
    return (
        _wrong_server(cause, name, at, detail)
        or busy_error(name, at, refused)
        or ModelUnavailable(
            "{name}: the server at {at} refused prompt {kind!r} ({status}: {detail})",
            name=name,
            at=at,
            kind=kind,
            status=refused.status,
            detail=detail,
        )
    )


def _wrong_server(cause: Cause, name: str, at: str, detail: str) -> ServerMisconfigured | None:
    """Return the error for a server that is too old, or not Ollama; None for another cause."""
    if cause is Cause.NO_SCHEMA:
        return ServerMisconfigured(
            "{name}: the Ollama at {at} is too old to write JSON by a schema ({detail}): update it to version 0.5 or later, from https://ollama.com/download",
            name=name,
            at=at,
            detail=detail,
        )
    if cause is Cause.ENDPOINT:
        return ServerMisconfigured(
            "{name}: a server answers at {at}, but it is not Ollama's ({detail}): set OLLAMA_HOST or machine.ollama_hosts to Ollama's address, such as"
            " {local}; for any other server use --llm openai:{model}, and set OPENAI_BASE_URL to its address with /v1",
            name=name,
            at=at,
            detail=detail,
            local=LOCAL,
            model=name.partition(":")[2],
        )
    return None


async def _parts(
    client: OllamaClient, body: dict[str, Any], streams: bool
) -> AsyncGenerator[ChatResponse, None]:
    """Yield the parts of a streamed reply, or the whole reply as a single part."""
    if streams:
        async with client.parts(client.api.chat(**body, stream=True)) as parts:
            async for part in parts:
                yield part
    else:
        with client.as_published():
            whole = await client.api.chat(**body, stream=False)
        yield whole
