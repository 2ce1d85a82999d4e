"""Any server that speaks OpenAI's protocol: vLLM, llama.cpp, LM Studio, text-generation-inference and others.

The address is the setting `machine.openai_base_url` or OPENAI_BASE_URL, the key OPENAI_API_KEY. The key is
never part of a message. Nothing is asked of a server that was not named.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from modules.errors import BadInput, ModelBusy, ModelUnavailable, TooLong
from modules.model.address import through_proxy
from modules.model.llm import Completion, Request
from modules.model.ollama import CONNECT_SECONDS, SEEDS, shown
from modules.model.pulse import Pulse, Silent
from modules.model.replies import without_thinking
from modules.prompt.schema import grammatical
from modules.settings import Settings
from modules.text import Phrase

if TYPE_CHECKING:
    from openai import APIError, APIStatusError, AsyncOpenAI
    from openai.types import CompletionUsage

OPENAI = "openai:"

NO_KEY = "no-key"
"""Sent where no key is set: local servers want none, the package wants one."""

WAYS = tuple(product(("json_schema", "json_object", "text"), (True, False)))
"""How a reply can be asked for, best first: the form, and whether the chat template is told not to think."""

REFUSALS = (400, 422, 501)
"""Statuses with which servers answer a field that they don't know."""

PASSING = (408, 409, 425, 429)
"""Statuses, beside those of 500 and more, after which the same request may succeed."""

LONGEST_DETAIL = 200

_TOO_LONG = re.compile(r"context[ _-]?(length|size|window)|maximum context|max_model_len|too many tokens", re.IGNORECASE)
_NO_MODEL = re.compile(r"model\b.*(not (found|exist)|unknown|no such)|(no such|unknown|invalid) model|does not exist", re.IGNORECASE)
_KEYS = re.compile(r"\b(sk|hf|gsk)[-_][\w*.-]{4,}")


class OpenAIModel:
    """One model of an OpenAI-compatible server. Raises BadInput where no address is known."""

    def __init__(self, model: str, settings: Settings) -> None:
        self.name = OPENAI + model
        self.model = model
        self.address = server_address(settings)
        self._num_ctx = settings.llm.num_ctx
        self._pulse = Pulse(settings.machine.timeout_seconds, settings.llm.give_up_after)
        self._counts = True
        self._ways: dict[str, int] = {}
        self._accepted: int | None = None
        self._client: tuple[asyncio.AbstractEventLoop, AsyncOpenAI] | None = None

    def context(self, kind: str) -> float:
        """What prompts are kept within. The protocol tells no server's own limit; one that has less says so when it refuses."""
        return self._num_ctx

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The reply to one request. What a server refuses is left out, and not tried again.

        Raises ModelBusy for what may pass, ModelUnavailable for what will not.
        """
        import httpx
        import openai

        for way in self._ways_for(request.kind):
            try:
                completion = await self._hear(request, seed, way)
            except openai.APIStatusError as error:
                if way == len(WAYS) - 1 or not _of_a_field(error):
                    raise unavailable(self.name, self.address, error, request.kind) from None
            except openai.APIError as error:
                raise unavailable(self.name, self.address, error, request.kind) from None
            except Silent as silence:
                raise ModelBusy(
                    "{name}: the server at {address} {silence}", name=self.name, address=shown(self.address), silence=silence.message, waited=silence.seconds
                ) from None
            except (ValueError, httpx.HTTPError):
                raise ModelBusy(
                    "{name}: the server at {address} broke off or sent what is not JSON; is it an OpenAI-compatible one?",
                    name=self.name,
                    address=shown(self.address),
                ) from None
            else:
                self._remember(request.kind, way)
                return completion
        raise AssertionError("the last way either answers or raises")

    async def _hear(self, request: Request, seed: int, way: int) -> Completion:
        """The reply, put together from its parts. Raises what the package does, and Silent."""
        from openai import APIStatusError

        text, choices, used = "", 0, None
        try:
            async with self._pulse.watched():
                async for part, usage in self._parts(self._body(request, seed, way)):
                    self._pulse.heard()
                    used = usage or used
                    choices += len(part)
                    text += "".join(part)
                    if request.heard:
                        request.heard(text)
        except APIStatusError as error:
            if not self._counts or "stream_options" not in error.message:
                raise
            self._counts = False  # a server that does not count tokens while it streams
            return await self._hear(request, seed, way)
        if not choices:
            raise ModelBusy(
                "{name}: the server at {address} sent an answer without a reply; is it an OpenAI-compatible one?", name=self.name, address=shown(self.address)
            )
        return Completion(without_thinking(text), used.prompt_tokens if used else 0, used.completion_tokens if used else 0)

    async def _parts(self, body: dict[str, Any]) -> AsyncIterator[tuple[list[str], CompletionUsage | None]]:
        """The texts of each part's choices, and the tokens where it counts them; a server that doesn't stream sends one part."""
        raw = await self._connected().chat.completions.with_raw_response.create(**body)
        if "event-stream" in raw.headers.get("content-type", "event-stream"):
            async for part in raw.parse():
                yield [choice.delta.content or "" for choice in part.choices], part.usage
            return
        from openai.types.chat import ChatCompletion

        try:
            answer = await raw.http_response.aread()
        except Exception as error:  # the package's HTTP library, whichever it is, raises errors of its own
            raise ValueError("the answer broke off") from error
        whole = ChatCompletion.model_validate_json(answer)
        yield [choice.message.content or "" for choice in whole.choices], whole.usage

    def _ways_for(self, kind: str) -> Iterator[int]:
        """Places in WAYS to try in turn. Looked up as they are needed, since other calls may have learnt more by then."""
        at = 0
        while (at := max(at, self._ways.get(kind, self._accepted or 0))) < len(WAYS):
            yield at
            at += 1

    def _remember(self, kind: str, way: int) -> None:
        """What the first accepted request tells holds for the server; a later refusal only for that kind of prompt."""
        if self._accepted is None:
            self._accepted = way
        self._ways[kind] = way

    def _body(self, request: Request, seed: int, way: int) -> dict[str, Any]:
        form, unthinking = WAYS[way]
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": message.role, "content": message.content} for message in request.messages],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "seed": seed % SEEDS,
            "stream": True,
        }
        if self._counts:
            body["stream_options"] = {"include_usage": True}
        if form == "json_schema":
            body["response_format"] = {"type": form, "json_schema": {"name": request.kind, "schema": grammatical(request.schema), "strict": True}}
        elif form == "json_object":
            body["response_format"] = {"type": form}
        if unthinking:
            body["extra_body"] = {"chat_template_kwargs": {"enable_thinking": False}}
        return body

    def _connected(self) -> AsyncOpenAI:
        """The client; its connections belong to one event loop, a model may outlive it."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            from openai import AsyncOpenAI, DefaultAsyncHttpxClient

            client = DefaultAsyncHttpxClient(trust_env=through_proxy(self.address))
            self._client = (loop, AsyncOpenAI(http_client=client, **access(self.address, None)))
        return self._client[1]


def server_address(settings: Settings) -> str:
    """The base URL of the server. Raises BadInput where the package is missing or none is named."""
    try:
        import openai  # noqa: F401
    except ImportError as error:
        raise BadInput("openai: needs the package openai: pip install -r requirements-core.txt") from error
    address = settings.machine.openai_base_url or os.environ.get("OPENAI_BASE_URL", "")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        problem = Phrase("{address!r} is no address of a server", address=shown(address)) if address else Phrase("no server is named")
        raise BadInput("openai: {problem}; set machine.openai_base_url or OPENAI_BASE_URL, as http://127.0.0.1:8000/v1", problem=problem)
    return address


def api_key() -> str:
    """OPENAI_API_KEY, or a word in its place: many servers want none."""
    return os.environ.get("OPENAI_API_KEY") or NO_KEY


def access(address: str, timeout: float | None) -> dict[str, Any]:
    """What the package's clients are made with. They retry nothing: that is the work of whoever asks."""
    from openai import Timeout

    return {"base_url": address, "api_key": api_key(), "timeout": Timeout(timeout, connect=min(timeout or CONNECT_SECONDS, CONNECT_SECONDS)), "max_retries": 0}


def unavailable(name: str, address: str, error: APIError, what: str = "") -> ModelUnavailable:
    """A failure of the package in our words, ModelBusy if it may pass. `what` was asked: the kind of a prompt."""
    import openai

    at, detail = shown(address), _detail(error)
    if isinstance(error, openai.APITimeoutError):
        return ModelBusy("{name}: no answer from {at} in time (machine.timeout_seconds)", name=name, at=at)
    if not isinstance(error, openai.APIStatusError):
        return ModelBusy("{name}: no connection to {at} ({detail}); is the server running?", name=name, at=at, detail=detail)
    status = error.status_code
    if status >= 500 or status in PASSING:
        return ModelBusy(
            "{name}: the server at {at} cannot answer now ({status}: {detail})", name=name, at=at, status=status, detail=detail, retry_after=_retry_after(error)
        )
    if status in (401, 403):
        return ModelUnavailable("{name}: the server at {at} wants another key ({status}); set OPENAI_API_KEY", name=name, at=at, status=status)
    if _TOO_LONG.search(error.message):
        return TooLong(
            "{name}: the prompt {what!r} is longer than the context of the server ({detail});"
            " start it with a larger one (vLLM: --max-model-len, llama.cpp: --ctx-size)",
            name=name, what=what, detail=detail,
        )  # fmt: skip
    if status == 404 or _NO_MODEL.search(error.message):
        return ModelUnavailable(
            "{name}: the server at {at} has no such model ({detail}); GET {url}/models lists those it has",
            name=name, at=at, detail=detail, url=at.rstrip("/"),
        )  # fmt: skip
    return ModelUnavailable("{name}: the server at {at} refuses ({status}: {detail})", name=name, at=at, status=status, detail=detail)


def _retry_after(error: APIStatusError) -> float:
    """Seconds that the server asks to wait; 0 if it doesn't say, or gives a date."""
    said = error.response.headers.get("retry-after", "")
    return float(said) if said.isdecimal() else 0.0


def _of_a_field(error: APIStatusError) -> bool:
    """Whether a request may be refused for how the reply was asked for, and not for its length or its model."""
    return error.status_code in REFUSALS and not _TOO_LONG.search(error.message) and not _NO_MODEL.search(error.message)


def _detail(error: APIError) -> str:
    """What the server said, on one line, without anything like a key."""
    body = error.body
    said = body.get("message") if isinstance(body, dict) else None
    text = " ".join(str(said or error.message).split())
    return _KEYS.sub("***", text.replace(api_key(), "***"))[:LONGEST_DETAIL]
