"""Models served by Ollama: its native `/api/chat`, replies held to the request's schema, several servers side by side."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from modules.errors import BadInput, ModelBusy, ModelUnavailable, TooLong
from modules.model.address import through_proxy
from modules.model.llm import Completion, Request
from modules.model.pulse import Pulse, Silent
from modules.model.replies import without_thinking
from modules.prompt.budget import about_tokens
from modules.prompt.schema import grammatical
from modules.settings import Settings
from modules.text import Phrase

if TYPE_CHECKING:
    from ollama import AsyncClient, ChatResponse, ResponseError

LOCAL = "http://127.0.0.1:11434"
"""Where Ollama listens if nobody says otherwise."""

CONNECT_SECONDS = 5.0
REST_SECONDS = 10.0
"""How long a server that failed is passed over while there are others."""

SEEDS = 2**31
"""Seeds that Ollama takes; those of the engine have 64 bits."""

_ADDRESS = re.compile(r"(https?://)?([^\s/@]+@)?([\w.-]*|\[[0-9a-fA-F:]+\])(:\d{1,5})?(/\S*)?")
_CONTEXT = re.compile(r"exceed_context_size|context (length|size|window)", re.IGNORECASE)


@dataclass(eq=False)
class Server:
    """One Ollama server: calls under way there, and until when (event loop's seconds) it is passed over."""

    host: str
    pulse: Pulse
    busy: int = 0
    resting: float = 0.0
    client: AsyncClient | None = None
    loop: asyncio.AbstractEventLoop | None = field(default=None, repr=False)

    def ask(self) -> AsyncClient:
        """The client for the running event loop, since its connections live and die with one."""
        loop = asyncio.get_running_loop()
        if self.client is None or self.loop is not loop:
            self.client, self.loop = client_for(self.host, None), loop
        return self.client


class OllamaModel:
    """One model on one or several Ollama servers; a call goes to the least busy of them that answers.

    Raises BadInput for an address that is none, ImportError where the package is missing.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        import ollama  # noqa: F401  # better missed now than at the first call

        self.name = f"ollama:{model}"
        self.model = model
        self._llm = settings.llm
        self._servers = [Server(host, Pulse(settings.machine.timeout_seconds, settings.llm.give_up_after)) for host in hosts(settings)]
        self._think: bool | None = False

    def context(self, kind: str) -> float:
        """What Ollama is told to give each call."""
        return self._llm.num_ctx

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        """The reply of the model. Raises ModelBusy where no server answers now, ModelUnavailable where none ever would."""
        self._refuse_if_too_long(request)
        now = asyncio.get_running_loop().time()
        failure: ModelBusy | None = None
        for server in sorted(self._servers, key=lambda one: (one.resting > now, one.busy)):
            try:
                return await self._complete_at(server, request, seed)
            except ModelBusy as error:
                server.resting, failure = asyncio.get_running_loop().time() + REST_SECONDS, error
        assert failure is not None
        raise failure

    async def _complete_at(self, server: Server, request: Request, seed: int) -> Completion:
        from ollama import ResponseError

        server.busy += 1
        try:
            async with answered(server.host, self.name):
                text, last = await self._chat(server, request, seed)
        except ResponseError as error:
            raise self._told(error, server.host, request) from error
        finally:
            server.busy -= 1
        read, written = last.prompt_eval_count or 0, last.eval_count or 0
        if last.done_reason == "length" and written < request.max_tokens:
            raise self._too_long(request, read)
        return Completion(without_thinking(text), read, written)

    async def _chat(self, server: Server, request: Request, seed: int) -> tuple[str, ChatResponse]:
        """The text of a reply, and its last part, which holds the counts."""
        from ollama import ResponseError

        options = {"seed": seed % SEEDS, "temperature": request.temperature, "num_ctx": self._llm.num_ctx, "num_predict": request.max_tokens}
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        told: dict[str, Any] = {"messages": messages, "format": grammatical(request.schema), "options": options, "keep_alive": self._llm.keep_alive}
        try:
            return await self._hear(server, request, told if self._think is None else told | {"think": self._think})
        except ResponseError as error:
            if self._think is None or "think" not in error.error:
                raise
            self._think = None  # a model, or a server, that cannot be told not to think
            return await self._hear(server, request, told)

    async def _hear(self, server: Server, request: Request, told: dict[str, Any]) -> tuple[str, ChatResponse]:
        text, last = "", None
        async with server.pulse.watched():
            async for last in await server.ask().chat(self.model, stream=True, **told):
                server.pulse.heard()
                text += last.message.content or ""
                if request.heard:
                    request.heard(text)
        if last is None or not last.done:
            raise ValueError("a reply without an end")
        return text, last

    def _told(self, error: ResponseError, host: str, request: Request) -> ModelUnavailable:
        """What a server's refusal means for the run."""
        said = " ".join(str(error.error).split())[:300]
        if error.status_code == 404 and "model" in said:
            return ModelUnavailable(missing(self.model, host))
        if _CONTEXT.search(said):
            count = re.search(r'n_prompt_tokens\\*":(\d+)|\((\d+) tokens\)', said)
            return self._too_long(request, int(count[1] or count[2]) if count else about_tokens(request.messages))
        if error.status_code == 429 or error.status_code >= 500:
            return ModelBusy(
                "{name}: the server at {host} is busy, loading or in trouble ({status}: {detail})",
                name=self.name, host=shown(host), status=error.status_code, detail=said,
            )  # fmt: skip
        return ModelUnavailable(
            "{name}: the server at {host} refused prompt {kind!r} ({status}: {detail})",
            name=self.name, host=shown(host), kind=request.kind, status=error.status_code, detail=said,
        )  # fmt: skip

    def _refuse_if_too_long(self, request: Request) -> None:
        """Before sending: a server would cut the beginning off in silence, and with it the rules and the persona."""
        tokens = about_tokens(request.messages)
        if tokens + request.max_tokens > self._llm.num_ctx:
            raise self._too_long(request, tokens)

    def _too_long(self, request: Request, tokens: int) -> TooLong:
        return TooLong(
            "{name}: prompt {kind!r} has about {tokens} tokens and its reply may have {max_tokens}, but the context holds {num_ctx}:"
            " raise llm.num_ctx, in data/config.json or the file given with --config",
            name=self.name, kind=request.kind, tokens=tokens, max_tokens=request.max_tokens, num_ctx=self._llm.num_ctx,
        )  # fmt: skip


def hosts(settings: Settings) -> list[str]:
    """Ollama's servers: those of the settings, else that of the environment, else the local one. Raises BadInput."""
    named = settings.machine.ollama_hosts or [os.environ.get("OLLAMA_HOST") or LOCAL]
    for host in named:
        if not _ADDRESS.fullmatch(host):
            where = "machine.ollama_hosts" if settings.machine.ollama_hosts else "OLLAMA_HOST"
            raise BadInput(
                "{where} has {host!r}, which is not the address of a server; it should look like {local}", where=where, host=shown(host), local=LOCAL
            )
    return [host.replace("0.0.0.0", "127.0.0.1") for host in named]  # where a server listens on all addresses, it is asked on one


def client_for(host: str, timeout: float | None) -> AsyncClient:
    """A client that waits `timeout` seconds for a reply, or as long as somebody listens. A proxy is never asked about this machine's own servers."""
    import httpx
    from ollama import AsyncClient

    return AsyncClient(host, timeout=httpx.Timeout(timeout, connect=min(timeout or CONNECT_SECONDS, CONNECT_SECONDS)), trust_env=through_proxy(host))


@asynccontextmanager
async def answered(host: str, name: str) -> AsyncIterator[None]:
    """Turns whatever a server does instead of answering into ModelBusy; its refusals (ResponseError) pass through."""
    import httpx

    try:
        yield
    except Silent as silence:
        raise ModelBusy("{name}: the server at {host} {silence}", name=name, host=shown(host), silence=silence.message, waited=silence.seconds) from silence
    except (ConnectionError, httpx.ConnectError, httpx.TimeoutException) as error:
        if isinstance(error, httpx.TimeoutException):
            raise ModelBusy("{name}: the server at {host} did not answer in time", name=name, host=shown(host)) from error
        raise ModelBusy("{name}: the server at {host} cannot be reached; is `ollama serve` running?", name=name, host=shown(host)) from error
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:  # cut off half-way, or no answer of Ollama's
        raise ModelBusy(
            "{name}: the server at {host} broke off or did not answer as Ollama does ({kind})", name=name, host=shown(host), kind=type(error).__name__
        ) from error


async def installed(host: str, seconds: float) -> frozenset[str] | None:
    """Names of the models that a server has; None if it does not say so within `seconds`."""
    from ollama import ResponseError

    client = client_for(host, seconds)
    try:
        async with asyncio.timeout(seconds), answered(host, "ollama"):
            listed = await client.list()
    except (ModelUnavailable, ResponseError, TimeoutError):
        return None
    finally:
        await client.close()  # type: ignore[no-untyped-call]
    return frozenset(one.model for one in listed.models if one.model)


async def find(model: str, settings: Settings, seconds: float) -> Literal["ready", "missing", "silent"]:
    """Whether a server has the model; whether one answers at all. Asks all at once, for at most `seconds`."""
    answers = await asyncio.gather(*(installed(host, seconds) for host in hosts(settings)))
    there = [models for models in answers if models is not None]
    return "silent" if not there else "ready" if any(has(models, model) for models in there) else "missing"


async def refuse_if_missing(model: str, settings: Settings, seconds: float) -> None:
    """Raises BadInput, a line for each server that answers within `seconds` and lacks the model. One that is silent may have it."""
    servers = hosts(settings)
    answers = await asyncio.gather(*(installed(host, seconds) for host in servers))
    faults = [missing(model, host) for host, models in zip(servers, answers, strict=True) if models is not None and not has(models, model)]
    if faults:
        raise BadInput(faults)


def missing(model: str, host: str) -> Phrase:
    """That a server lacks a model, and what brings it there."""
    return Phrase("ollama:{model}: the server at {host} has no such model; get it with: {command}", model=model, host=shown(host), command=pull(model, host))


def has(models: frozenset[str], model: str) -> bool:
    """Whether a model is among those installed; without a tag it is the latest.

    >>> has(frozenset({"mistral:latest"}), "mistral"), has(frozenset({"qwen3:8b"}), "qwen3")
    (True, False)
    """
    return model in models or f"{model}:latest" in models


def pull(model: str, host: str = LOCAL) -> str:
    """The command that brings a model to a server.

    >>> pull("qwen3:8b"), pull("qwen3:8b", "http://10.0.0.2:11434")
    ('ollama pull qwen3:8b', 'OLLAMA_HOST=http://10.0.0.2:11434 ollama pull qwen3:8b')
    """
    return f"ollama pull {model}" if host == LOCAL else f"OLLAMA_HOST={shown(host)} ollama pull {model}"


def shown(host: str) -> str:
    """An address without the password that may be in it.

    >>> shown("http://me:secret@10.0.0.2:11434")
    'http://10.0.0.2:11434'
    """
    return re.sub(r"(^|//)[^/@]*@", r"\1", host)
