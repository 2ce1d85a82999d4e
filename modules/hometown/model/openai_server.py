"""Servers that speak OpenAI's protocol: vLLM, llama.cpp, LM Studio, text-generation-inference and
others.

The address, or several, is the setting `machine.openai_base_url` or OPENAI_BASE_URL, the key
OPENAI_API_KEY (`key_for`). The key is never part of a message. No server is contacted unless it was
configured.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any

from hometown.errors import BadInput, ModelUnavailable, ModelUnusable, ServerMisconfigured, TooLong
from hometown.language import Lang
from hometown.model.address import KEY, addresses, is_http, key_for, redacted
from hometown.model.api_address import describe_move, find_api
from hometown.model.connection import Connection, ErrorResponse, busy_error, translate_failures
from hometown.model.failure_causes import Cause, cause_of
from hometown.model.llm import Completion, Request
from hometown.model.ollama import REPEATED, SEEDS
from hometown.model.openai_reply import OpenAIReply, parts_of
from hometown.model.pace import Pace
from hometown.model.retrying import notify_user
from hometown.model.server_context import (
    LONGER_START,
    SECONDS,
    choose_context,
    known_context,
    openai_context,
    openai_version,
)
from hometown.model.token_alternatives import MOST_ALTERNATIVES
from hometown.model.watchdog import StallWatchdog
from hometown.model.ways import CHECK_SEED, THINKING_WAYS, Form, LearntWay, Way
from hometown.own_commands import list_command
from hometown.settings import Settings
from hometown.text import N_, Phrase

OPENAI = "openai:"

FORMS: tuple[Form, ...] = ("json_schema", "json_object", "text")

WAYS = tuple(Way(form, thinking) for form in FORMS for thinking in ("off", "default"))
"""Ways of asking, best first, of which the first that the server accepts is used."""

OTHER_WAYS = (
    Way("json_schema", "asked"),
    Way("json_schema", "default", is_reasoning=True),
    Way("json_schema", "low", is_reasoning=True),
    Way("json_object", "off"),
    Way("text", "off"),
    Way("text", "default", is_reasoning=True),
)
"""Ways that are tried, in this order, if the replies are not what was asked for."""

_NO_SYSTEM_ROLE = re.compile(
    r"system role|only user and assistant roles|roles must alternate", re.IGNORECASE
)

UNSUPPORTED = (400, 422, 501)
"""HTTP statuses with which servers reject a field that they do not support."""

HINT = Phrase("is the server running?")


class OpenAIModel:
    """One model of an OpenAI-compatible server: that of the settings, or `server`. Raises BadInput
    if no address is known.
    """

    def __init__(self, model: str, settings: Settings, server: Connection | None = None) -> None:
        self.name = OPENAI + model
        self.model = model
        self._server = server or connection(settings)
        self.at = self._server.shown
        self._num_ctx = settings.llm.num_ctx
        self._slowest = settings.llm.min_tokens_per_second
        self._watchdog = StallWatchdog(settings.machine.timeout_seconds, settings.llm.give_up_after)
        self._pace = Pace(self._watchdog.limit)
        self._counts_tokens = True
        self._has_system_role = True
        self._gives_probabilities = True
        self._has_api: bool | None = None
        self._looking_up = asyncio.Lock()
        self._ways: dict[str, int] = {}
        self._accepted: int | None = None
        self._thinking = 0
        self.way = LearntWay((WAYS[0], *OTHER_WAYS))

    async def load(self, lang: Lang, notify: Callable[[str], None]) -> None:
        """Find the address of the API, the context of the model, which may shorten `llm.num_ctx`,
        and the way in which the model is asked. Pass lines about them to `notify`, in `lang`. Does
        nothing if the server is silent. Raises BadInput if the context is too short for residents.
        """
        if found := await self.known_api():
            if found != self._server.address:
                notify(describe_move(self.at, redacted(found)).localize(lang))
                self._server.move(found)
            version = await openai_version(self._server)
            self.way.restore(self._server.shown, "openai", version, self.model)
            has = await known_context(openai_context(self._server, self.model))
            self._num_ctx, note = choose_context(self.name, has, self._num_ctx, LONGER_START)
            way = await self.way.check(self.name, lang, partial(self.complete, seed=CHECK_SEED))
            for line in filter(None, (note, way)):
                notify(line.localize(lang))

    async def known_api(self) -> str | None:
        """Return the address of the API, or None if it is not found within `SECONDS`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS):
                return await find_api(self._server)
        return None

    def context(self, kind: str) -> float:
        """Return the tokens for prompt and reply: `llm.num_ctx`, or the context of the server if
        that is known and smaller, without the part that is left for reasoning.
        """
        return self._num_ctx - self.way.current.extra_tokens

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply to one request. Fields that the server rejects are left out, now and in
        later requests.

        Raises ModelBusy if trying again may help, ModelUnavailable if it will not.
        """
        if request.thinks:
            return await self._complete_thinking(request, seed)
        for at in self._ways_for(request.kind):
            way = self._way(at)
            try:
                completion = await self._find_reply(request, seed, way)
            except ErrorResponse as refused:
                is_last = at == len(WAYS) - 1 or self._way(at + 1) == way
                if is_last or not _rejects_field(refused):
                    raise self._refusal(refused, request) from refused
            else:
                self._remember(request.kind, at)
                return await self.way.learn(
                    request, completion, lambda other: self._try(other, request, seed)
                )
        raise AssertionError("the last of WAYS either returns or raises")

    async def _complete_thinking(self, request: Request, seed: int) -> Completion:
        """Return the reply to one request after thinking. Raises ModelBusy, ModelUnavailable."""
        for way in THINKING_WAYS[self._thinking :]:
            try:
                return await self._find_reply(request, seed, way)
            except ErrorResponse as refused:
                if way == THINKING_WAYS[-1] or not _rejects_field(refused):
                    raise self._refusal(refused, request) from refused
                self._thinking = 1
        raise AssertionError("the last of THINKING_WAYS either returns or raises")

    async def _find_reply(self, request: Request, seed: int, way: Way) -> Completion:
        """Return the reply to one request in one way, from the address to which the API has moved if
        it has. Raises ErrorResponse.
        """
        asked = self._server.address
        async with translate_failures(self.name, self._server.shown, HINT):
            try:
                return await self._request_reply(request, seed, way)
            except ErrorResponse as refused:
                if not await self._has_moved(refused, asked, request.lang):
                    raise
                return await self._request_reply(request, seed, way)

    async def _try(self, way: Way, request: Request, seed: int) -> Completion:
        """Return the reply to a request in another way. Raises ModelUnavailable."""
        try:
            async with translate_failures(self.name, self._server.shown, HINT):
                return await self._request_reply(request, seed, way)
        except ErrorResponse as refused:
            raise self._refusal(refused, request) from refused

    def _refusal(self, refused: ErrorResponse, request: Request) -> ModelUnavailable:
        """Return the error for a refusal of a request."""
        return openai_unavailable(self.name, self._server.shown, refused, request.kind)

    async def _has_moved(self, refused: ErrorResponse, asked: str, lang: Lang) -> bool:
        """Return True if the API is at another address than the one that was `asked` and has no
        such endpoint. It is looked for once for all calls, and used from now on. False for a
        refusal of another cause.

        Raises:
            ServerMisconfigured: There is no API at the server.
        """
        if cause_of(refused) is not Cause.ENDPOINT:
            return False
        async with self._looking_up:
            if self._has_api is None:
                self._has_api = await self._find_api(lang)
        if not self._has_api:
            raise wrong_address(self.name, self._server.shown, refused)
        return self._server.address != asked

    async def _find_api(self, lang: Lang) -> bool:
        """Find the address of the API, use it from now on, and tell the user if it is not the given
        one. Return False if there is none.
        """
        given, found = self._server.shown, await find_api(self._server)
        if found is None:
            return False
        if found != self._server.address:
            self._server.move(found)
            notify_user(describe_move(given, self._server.shown).localize(lang))
        return True

    def _way(self, at: int) -> Way:
        """Return the way of asking that was learnt, or, if none was, the one at an index of `WAYS`."""
        return WAYS[at] if self.way.current == WAYS[0] else self.way.current

    async def _request_reply(self, request: Request, seed: int, way: Way) -> Completion:
        """Return the server's reply to a request in one way, assembled from its parts. If the
        server rejects the counting of tokens, the system role or probabilities, leave that out from
        now on, and request again. Raises ErrorResponse, StallTimeout, and errors of connections.
        """
        reply, body = OpenAIReply(), self._body(request, seed, way)
        has_system_role = self._has_system_role
        try:
            with self._pace.measure() as record_tokens:
                await self._read(request, way, body, reply)
                completion = reply.completion()
                record_tokens(completion.reply_tokens)
                if request.on_places:
                    request.on_places(reply.places)
        except ErrorResponse as refused:
            if "stream_options" in body and "stream_options" in refused.detail:
                self._counts_tokens = False  # the server cannot count tokens while it streams
            elif has_system_role and _NO_SYSTEM_ROLE.search(refused.detail):
                self._has_system_role = False  # the model's template has no such role
            elif "logprobs" in body and "logprobs" in refused.detail:
                self._gives_probabilities = False
            elif cause_of(refused) is Cause.REPLY:
                return Completion("", 0, 0, broken=REPEATED)
            else:
                raise
            return await self._request_reply(request, seed, way)
        return completion

    async def _read(
        self, request: Request, way: Way, body: dict[str, Any], reply: OpenAIReply
    ) -> None:
        """Send the request and append the parts of the reply as they arrive."""
        async with (
            self._watchdog.watched(way.limit(request) / self._slowest) as arrived,
            self._server.response("POST", "chat/completions", body) as response,
        ):
            async for _ in parts_of(response, reply):
                arrived()
                if request.on_text:
                    request.on_text(reply.text)

    def _ways_for(self, kind: str) -> Iterator[int]:
        """Yield indexes in `WAYS` to try in turn. Each is determined when it is needed, since other
        calls may have learnt more by then.
        """
        at = 0
        while (at := max(at, self._ways.get(kind, self._accepted or 0))) < len(WAYS):
            yield at
            at += 1

    def _remember(self, kind: str, way: int) -> None:
        """Record an accepted form: the first one holds for the server, later ones only for that
        kind of prompt.
        """
        if self._accepted is None:
            self._accepted = way
        self._ways[kind] = way

    def _body(self, request: Request, seed: int, way: Way) -> dict[str, Any]:
        """Return the JSON of a request, with the fields for its way of asking."""
        form, streams = way.form, self._pace.streams(request)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": messages_of(request, way.suffix, has_system_role=self._has_system_role),
            "max_tokens": way.limit(request),
            "temperature": request.temperature,
            "seed": seed % SEEDS,
            "stream": streams,
        }
        if streams and self._counts_tokens:
            body["stream_options"] = {"include_usage": True}
        if request.on_places and self._gives_probabilities:
            body |= {"logprobs": True, "top_logprobs": MOST_ALTERNATIVES}
        if form == "json_schema":
            body["response_format"] = {
                "type": form,
                "json_schema": {
                    "name": request.kind,
                    "schema": request.schema,
                    "strict": True,
                },
            }
        elif form == "json_object":
            body["response_format"] = {"type": form}
        if way.thinking in ("on", "off"):
            body["chat_template_kwargs"] = {"enable_thinking": way.thinking == "on"}
        elif way.thinking == "low":
            body["reasoning_effort"] = "low"
        return body


def messages_of(request: Request, suffix: str, *, has_system_role: bool) -> list[dict[str, str]]:
    """Return the messages of a request as they are sent, with words behind the last one. Without a
    system role, the user's first message begins with what the system says.
    """
    messages = [{"role": each.role, "content": each.content} for each in request.messages]
    if not has_system_role and messages[0]["role"] == "system" and len(messages) > 1:
        system, first, *others = messages
        content = f"{system['content']}\n\n{first['content']}"
        messages = [{"role": first["role"], "content": content}, *others]
    messages[-1]["content"] += suffix
    return messages


def connections(settings: Settings) -> list[Connection]:
    """Return a connection to each server of the settings, or of the environment. Raises BadInput if
    no address is set, or one is invalid.
    """
    named = addresses(settings.machine)
    wrong = next((address for address in named if not is_http(address)), None)
    if wrong is not None or not named:
        problem = (
            Phrase("{address!r} is not a server address", address=redacted(wrong))
            if wrong
            else Phrase("no server address is set")
        )
        raise BadInput(
            "openai: {problem}; set machine.openai_base_url or OPENAI_BASE_URL, for example to http://127.0.0.1:8000/v1",
            problem=problem,
        )
    return [Connection(address, key_for(address)) for address in named]


def connection(settings: Settings) -> Connection:
    """Return the connection to the first of these servers. Raises BadInput as `connections` does."""
    return connections(settings)[0]


def wrong_address(name: str, at: str, refused: ErrorResponse) -> ServerMisconfigured:
    """Return the error for a refusal by a server that is none of OpenAI's protocol."""
    return ServerMisconfigured(
        "{name}: a server answers at {at}, but it has no OpenAI-compatible API there ({detail}). The model server has another port or path"
        " (mostly one that ends in /v1; its /models lists the models): set OPENAI_BASE_URL or machine.openai_base_url to it; for Ollama, --llm ollama:MODEL",
        name=name,
        at=at,
        detail=refused.detail,
    )


def openai_unavailable(
    name: str, at: str, refused: ErrorResponse, what: str = ""
) -> ModelUnavailable:
    """Return the error for a server's refusal of a prompt of the kind `what`: ModelBusy if trying
    again may help.
    """
    cause = cause_of(refused)
    if cause is Cause.KEY:
        return _key_error(name, at, refused.status)
    if cause is Cause.MOMENT and (failure := busy_error(name, at, refused)):
        return failure
    kind, template = _REFUSALS.get(cause, _UNKNOWN_REFUSAL)
    return kind(
        template,
        name=name,
        at=at,
        what=what,
        status=refused.status,
        detail=refused.detail,
        url=at.rstrip("/"),
        model=name.removeprefix(OPENAI),
        command=list_command(),
    )


_NO_MODEL = (
    ModelUnavailable,
    N_(
        "{name}: the server at {at} has no such model ({detail}); GET {url}/models lists those it has"
    ),
)

_UNKNOWN_REFUSAL = (
    ModelUnavailable,
    N_("{name}: the server at {at} rejected the request ({status}: {detail})"),
)

_REFUSALS: dict[Cause, tuple[type[ModelUnavailable], str]] = {
    Cause.LENGTH: (
        TooLong,
        N_(
            "{name}: the prompt {what!r} is longer than the context of the server ({detail});"
            " start it with a larger one (vLLM: --max-model-len, llama.cpp: --ctx-size)"
        ),
    ),
    Cause.MEMORY: (
        ServerMisconfigured,
        N_(
            "{name}: the server at {at} cannot load the model ({detail}): take a smaller one,"
            " or start the server with a smaller context or fewer requests at once"
            " (llama.cpp: -c, --parallel; vLLM: --max-model-len, --max-num-seqs; LM Studio: the model's settings)"
        ),
    ),
    Cause.UNLOADED: (
        ServerMisconfigured,
        N_(
            "{name}: the server at {at} has no model loaded ({detail}): load it there (LM Studio: on its developer page, or lms load {model})"
        ),
    ),
    Cause.NO_CHAT: (
        ModelUnusable,
        N_(
            "{name}: this model writes no replies ({detail}): take one that chats; {command} names some"
        ),
    ),
    Cause.NO_MODEL: _NO_MODEL,
    Cause.ENDPOINT: _NO_MODEL,
}
"""The errors for refusals by their cause."""


def _key_error(name: str, at: str, status: int) -> ModelUnavailable:
    """Return the error for a server that asks for a key, or rejects the one that it was sent."""
    if key_for(at):
        template = N_(
            "{name}: the server at {at} rejects the key ({status}); set OPENAI_API_KEY to one that it accepts"
        )
    elif os.environ.get(KEY):
        template = N_(
            "{name}: the server at {at} asks for a key ({status}), and OPENAI_API_KEY is only sent to the servers of OPENAI_BASE_URL; set both for this one"
        )
    else:
        template = N_(
            "{name}: the server at {at} asks for a key ({status}); set OPENAI_API_KEY to it"
        )
    return ModelUnavailable(template, name=name, at=at, status=status)


def _rejects_field(refused: ErrorResponse) -> bool:
    """Return True if a request may have been rejected for the requested format, and not for its
    length or its model.
    """
    return refused.status in UNSUPPORTED and cause_of(refused) is Cause.OTHER
