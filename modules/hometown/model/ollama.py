"""Models served by Ollama, on one or several servers: its native chat, with replies constrained to
the request's schema.
"""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hometown.errors import ModelUnavailable, TooLong
from hometown.model.connection import ErrorResponse, busy_error
from hometown.model.envelope import BadResponse, within_length
from hometown.model.llm import Completion, Request
from hometown.model.ollama_hosts import hosts, missing_model, server_at, translate_host_failures
from hometown.model.pace import Pace
from hometown.model.pins import Pins
from hometown.model.reply_parsing import without_thinking
from hometown.model.watchdog import StallWatchdog
from hometown.prompt.budget import about_tokens
from hometown.prompt.schema import grammatical
from hometown.settings import Settings
from hometown.text import Phrase

if TYPE_CHECKING:
    from ollama import ChatResponse

    from hometown.model.ollama_client import OllamaClient

SEEDS = 2**31
"""Number of seeds that Ollama accepts; those of the engine have 64 bits."""

NANOSECONDS = 1e6
"""Nanoseconds in a millisecond; Ollama reports nanoseconds."""

_CONTEXT = re.compile(r"exceed_context_size|context (length|size|window)", re.IGNORECASE)


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
        self._last: ChatResponse | None = None

    def add(self, part: ChatResponse) -> None:
        """Append one part. Raises BadResponse if the reply is too long."""
        self.text = within_length(self.text + (part.message.content or ""))
        self._last = part

    @property
    def was_cut(self) -> bool:
        """Return whether the server stopped because the context was full."""
        return self._last is not None and self._last.done_reason == "length"

    def completion(self) -> Completion:
        """Return the complete reply. Raises BadResponse if it is incomplete."""
        last = self._last
        if not (last and last.done):
            raise BadResponse(Phrase("closed the connection before its response was complete"))
        times = (
            (last.prompt_eval_duration or 0) / NANOSECONDS,
            (last.eval_duration or 0) / NANOSECONDS,
        )
        return Completion(
            without_thinking(self.text),
            last.prompt_eval_count or 0,
            last.eval_count or 0,
            0,
            *times,
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
        self._think: bool | None = False

    def context(self, kind: str) -> float:
        """Return the context that Ollama is asked to provide for each call, in tokens."""
        return self._llm.num_ctx

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """Return the reply of the model. Raises ModelBusy if no server can answer at present,
        ModelUnavailable if trying again would not help.
        """
        self._refuse_if_too_long(request)
        return await self._pins.ask(
            request.people, lambda at: self._complete_at(self._servers[at], request, seed)
        )

    async def _complete_at(self, server: OllamaServer, request: Request, seed: int) -> Completion:
        try:
            async with translate_host_failures(server.host, self.name):
                reply = await self._chat(server, request, seed)
                completion, was_cut = reply.completion(), reply.was_cut
        except ErrorResponse as refused:
            raise self._failure(refused, server, request) from refused
        if was_cut and completion.reply_tokens < request.max_tokens:
            raise self._too_long(request, completion.prompt_tokens)
        return completion

    async def _chat(self, server: OllamaServer, request: Request, seed: int) -> OllamaReply:
        options = {
            "seed": seed % SEEDS,
            "temperature": request.temperature,
            "num_ctx": self._llm.num_ctx,
            "num_predict": request.max_tokens,
        }
        messages = [
            {"role": message.role, "content": message.content} for message in request.messages
        ]
        try:
            return await self._read(server, request, messages, options)
        except ErrorResponse as refused:
            if self._think is None or "think" not in refused.detail:
                raise
            self._think = None  # the model, or the server, has no such option
            return await self._read(server, request, messages, options)

    async def _read(
        self,
        server: OllamaServer,
        request: Request,
        messages: list[dict[str, str]],
        options: dict[str, float],
    ) -> OllamaReply:
        """Request a reply and assemble it from its parts."""
        reply, streams = OllamaReply(), server.pace.streams(request)
        form, think, keep_alive = grammatical(request.schema), self._think, self._llm.keep_alive
        body = {
            "model": self.model,
            "messages": messages,
            "format": form,
            "options": options,
            "think": think,
            "keep_alive": keep_alive,
        }
        with server.pace.measure() as record_tokens:
            async with (
                server.watchdog.watched(
                    request.max_tokens / self._llm.min_tokens_per_second
                ) as arrived,
                aclosing(_parts(server.client, body, streams)) as parts,
            ):
                async for part in parts:
                    arrived()
                    reply.add(part)
                    if request.on_text:
                        request.on_text(reply.text)
            record_tokens(reply.completion().reply_tokens)
        return reply

    def _failure(
        self, refused: ErrorResponse, server: OllamaServer, request: Request
    ) -> ModelUnavailable:
        """Return the error for a server's refusal."""
        at, detail = server.client.shown, refused.detail
        if refused.status == 404 and "model" in detail:
            return ModelUnavailable(missing_model(self.model, server.host))
        if _CONTEXT.search(detail):
            count = re.search(r'n_prompt_tokens\\*":(\d+)|\((\d+) tokens\)', detail)
            return self._too_long(
                request, int(count[1] or count[2]) if count else about_tokens(request.messages)
            )
        return busy_error(self.name, at, refused) or ModelUnavailable(
            "{name}: the server at {at} refused prompt {kind!r} ({status}: {detail})",
            name=self.name, at=at, kind=request.kind, status=refused.status, detail=detail,
        )  # fmt: skip

    def _refuse_if_too_long(self, request: Request) -> None:
        """Raise TooLong before sending, since a server would silently cut off the beginning, and
        with it the rules and the persona.
        """
        tokens = about_tokens(request.messages)
        if tokens + request.max_tokens > self._llm.num_ctx:
            raise self._too_long(request, tokens)

    def _too_long(self, request: Request, tokens: int) -> TooLong:
        return TooLong(
            "{name}: prompt {kind!r} has about {tokens} tokens and its reply may have {max_tokens}, but the context holds {num_ctx}:"
            " raise llm.num_ctx, in data/config.json or the file given with --config",
            name=self.name, kind=request.kind, tokens=tokens, max_tokens=request.max_tokens, num_ctx=self._llm.num_ctx,
        )  # fmt: skip


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
