"""Servers that speak OpenAI's protocol: vLLM, llama.cpp, LM Studio, text-generation-inference and
others.

The address, or several, is the setting `machine.openai_base_url` or OPENAI_BASE_URL, the key
OPENAI_API_KEY (`key_for`). The key is never part of a message. No server is contacted unless it was
configured.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

from hometown.errors import BadInput, ModelUnavailable, TooLong
from hometown.model.address import KEY, addresses, is_http, key_for, redacted
from hometown.model.connection import Connection, ErrorResponse, busy_error, translate_failures
from hometown.model.llm import Completion, Request
from hometown.model.ollama import SEEDS
from hometown.model.openai_reply import OpenAIReply, parts_of
from hometown.model.pace import Pace
from hometown.model.watchdog import StallWatchdog
from hometown.prompt.schema import grammatical
from hometown.settings import Settings
from hometown.text import Phrase

OPENAI = "openai:"

WAYS = tuple(product(("json_schema", "json_object", "text"), (True, False)))
"""Forms of a request, best first: the response format, and whether the chat template is asked to
turn thinking off.
"""

UNSUPPORTED = (400, 422, 501)
"""HTTP statuses with which servers reject a field that they do not support."""

HINT = Phrase("is the server running?")

_TOO_LONG = re.compile(
    r"context[ _-]?(length|size|window)|maximum context|max_model_len|too many tokens",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model\b.*(not (found|exist)|unknown|no such)|(no such|unknown|invalid) model|does not exist",
    re.IGNORECASE,
)


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
        self._ways: dict[str, int] = {}
        self._accepted: int | None = None

    def context(self, kind: str) -> float:
        """Return `llm.num_ctx`. The protocol does not report a server's own limit; a server with a
        smaller one rejects the prompt.
        """
        return self._num_ctx

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply to one request. Fields that the server rejects are left out, now and in
        later requests.

        Raises ModelBusy if trying again may help, ModelUnavailable if it will not.
        """
        for way in self._ways_for(request.kind):
            try:
                async with translate_failures(self.name, self._server.shown, HINT):
                    completion = await self._request_reply(request, seed, way)
            except ErrorResponse as refused:
                if way == len(WAYS) - 1 or not _rejects_field(refused):
                    raise unavailable(
                        self.name, self._server.shown, refused, request.kind
                    ) from refused
            else:
                self._remember(request.kind, way)
                return completion
        raise AssertionError("the last of WAYS either returns or raises")

    async def _request_reply(self, request: Request, seed: int, way: int) -> Completion:
        """Request a reply in one form and assemble it from its parts. Raises Refused, StallTimeout,
        and the errors of connections.
        """
        reply, body = OpenAIReply(), self._body(request, seed, way)
        try:
            with self._pace.measure() as record_tokens:
                await self._read(request, body, reply)
                completion = reply.completion()
                record_tokens(completion.reply_tokens)
        except ErrorResponse as refused:
            if not self._counts_tokens or "stream_options" not in refused.detail:
                raise
            self._counts_tokens = False  # the server cannot count tokens while it streams
            return await self._request_reply(request, seed, way)
        return completion

    async def _read(self, request: Request, body: dict[str, Any], reply: OpenAIReply) -> None:
        """Send the request and append the parts of the reply as they arrive."""
        async with (
            self._watchdog.watched(request.max_tokens / self._slowest) as arrived,
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

    def _body(self, request: Request, seed: int, way: int) -> dict[str, Any]:
        (form, unthinking), streams = WAYS[way], self._pace.streams(request)
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": message.content} for message in request.messages
            ],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": seed % SEEDS,
            "stream": streams,
        }
        if streams and self._counts_tokens:
            body["stream_options"] = {"include_usage": True}
        if form == "json_schema":
            body["response_format"] = {
                "type": form,
                "json_schema": {
                    "name": request.kind,
                    "schema": grammatical(request.schema),
                    "strict": True,
                },
            }
        elif form == "json_object":
            body["response_format"] = {"type": form}
        if unthinking:
            body["chat_template_kwargs"] = {"enable_thinking": False}
        return body


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


def unavailable(name: str, at: str, refused: ErrorResponse, what: str = "") -> ModelUnavailable:
    """Return the error for a server's refusal of a prompt of the kind `what`: ModelBusy if trying
    again may help.
    """
    status, detail = refused.status, refused.detail
    if failure := busy_error(name, at, refused):
        return failure
    if status in (401, 403) and os.environ.get(KEY) and not key_for(at):
        return ModelUnavailable(
            "{name}: the server at {at} asks for a key ({status}), and OPENAI_API_KEY is only sent to the servers of OPENAI_BASE_URL; set both for this one",
            name=name, at=at, status=status,
        )  # fmt: skip
    if status in (401, 403):
        return ModelUnavailable(
            "{name}: the server at {at} rejects the key ({status}); set OPENAI_API_KEY",
            name=name,
            at=at,
            status=status,
        )
    if _TOO_LONG.search(detail):
        return TooLong(
            "{name}: the prompt {what!r} is longer than the context of the server ({detail});"
            " start it with a larger one (vLLM: --max-model-len, llama.cpp: --ctx-size)",
            name=name, what=what, detail=detail,
        )  # fmt: skip
    if status == 404 or _NO_MODEL.search(detail):
        return ModelUnavailable(
            "{name}: the server at {at} has no such model ({detail}); GET {url}/models lists those it has",
            name=name, at=at, detail=detail, url=at.rstrip("/"),
        )  # fmt: skip
    return ModelUnavailable(
        "{name}: the server at {at} rejected the request ({status}: {detail})",
        name=name,
        at=at,
        status=status,
        detail=detail,
    )


def _rejects_field(refused: ErrorResponse) -> bool:
    """Return whether a request may have been rejected for the requested format, and not for its
    length or its model.
    """
    return (
        refused.status in UNSUPPORTED
        and not _TOO_LONG.search(refused.detail)
        and not _NO_MODEL.search(refused.detail)
    )
