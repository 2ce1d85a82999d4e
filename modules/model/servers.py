"""Model servers as `--doctor` looks at them: who is there, what it holds, and how it answers one plain question."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, cast

from modules.errors import HometownError
from modules.model.address import through_proxy
from modules.model.llm import Message, Request
from modules.model.ollama import client_for, hosts, shown
from modules.model.openai_server import access, server_address
from modules.settings import Settings

if TYPE_CHECKING:
    from modules.model.huggingface import HuggingFaceModel

T = TypeVar("T")


Backend = Literal["ollama", "openai", "huggingface"]


class Unanswered(HometownError):
    """A server that is not there, or will not do what it is asked; the message says what it said."""


@dataclass(frozen=True, slots=True)
class Described:
    """A model: tokens of context that it was made for (0: not told), and its size and quantisation in words."""

    context: int
    kind: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply. `reading` and `writing` are the seconds that prompt and reply took, 0 where the server doesn't tell."""

    text: str
    thinking: str
    prompt_tokens: int
    reply_tokens: int
    reading: float = 0.0
    writing: float = 0.0


class Server(Protocol):
    """All methods raise Unanswered."""

    backend: Backend
    where: str

    async def version(self) -> str: ...

    async def models(self) -> list[str]: ...

    async def describe(self, model: str) -> Described: ...

    async def gpu_share(self, model: str) -> float | None:
        """How much of a loaded model lies in GPU memory, 0–1; None if nobody knows."""
        ...

    async def ask(self, model: str, question: str, schema: dict[str, Any], max_tokens: int) -> Answer: ...

    async def close(self) -> None: ...


def servers_for(backend: str, model: str, settings: Settings) -> list[Server]:
    """The servers that a run on this backend would ask, or this process itself. Raises BadInput where an address is none."""
    if backend == "huggingface":
        return [InProcess(model, settings)]
    if backend == "openai":
        return [OpenAIServer(server_address(settings), settings)]
    return [OllamaServer(host, settings) for host in hosts(settings)]


class OllamaServer:
    """Ollama through its own package and its native API."""

    backend: Backend = "ollama"

    def __init__(self, host: str, settings: Settings) -> None:
        self.where = shown(host)
        self._settings = settings
        self._client = client_for(host, settings.machine.timeout_seconds)

    async def version(self) -> str:
        async with _asked():
            answer = await self._client._client.get("/api/version")
            answer.raise_for_status()
            return str(answer.json()["version"])

    async def models(self) -> list[str]:
        async with _asked():
            return [one.model or "" for one in (await self._client.list()).models]

    async def describe(self, model: str) -> Described:
        async with _asked():
            shown = await self._client.show(model)
        context = next((int(value) for key, value in (shown.modelinfo or {}).items() if key.endswith(".context_length")), 0)
        details = shown.details
        return Described(context, " ".join(filter(None, (details.parameter_size, details.quantization_level))) if details else "")

    async def gpu_share(self, model: str) -> float | None:
        async with _asked():
            loaded = [one for one in (await self._client.ps()).models if one.model in (model, f"{model}:latest")]
        return (loaded[0].size_vram or 0) / loaded[0].size if loaded and loaded[0].size else None

    async def ask(self, model: str, question: str, schema: dict[str, Any], max_tokens: int) -> Answer:
        options = {"num_ctx": self._settings.llm.num_ctx, "num_predict": max_tokens, "temperature": 0.2, "seed": 1}
        messages = [{"role": "user", "content": question}]
        told: dict[str, Any] = {"messages": messages, "format": schema, "options": options, "keep_alive": self._settings.llm.keep_alive}
        async with _asked():
            try:
                said = await self._client.chat(model, think=False, **told)
            except Exception as error:
                if "think" not in str(error):
                    raise
                said = await self._client.chat(model, **told)  # a model that cannot think need not be told not to
        tokens = said.prompt_eval_count or 0, said.eval_count or 0
        seconds = (said.prompt_eval_duration or 0) / 1e9, (said.eval_duration or 0) / 1e9
        return Answer(said.message.content or "", said.message.thinking or "", *tokens, *seconds)

    async def close(self) -> None:
        await self._client.close()  # type: ignore[no-untyped-call]


class OpenAIServer:
    """Any OpenAI-compatible server. The key comes from OPENAI_API_KEY alone; local servers need none."""

    backend: Backend = "openai"

    def __init__(self, address: str, settings: Settings) -> None:
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        self.where = shown(address)
        client = DefaultAsyncHttpxClient(trust_env=through_proxy(address))
        self._client = AsyncOpenAI(http_client=client, **access(address, settings.machine.timeout_seconds))

    async def version(self) -> str:
        """The protocol has no version: "", once the server has answered."""
        await self.models()
        return ""

    async def models(self) -> list[str]:
        async with _asked():
            return [one.id async for one in self._client.models.list()]

    async def describe(self, model: str) -> Described:
        """The protocol does not tell; vLLM adds `max_model_len`."""
        async with _asked():
            found = [one async for one in self._client.models.list() if one.id == model]
        return Described(int(getattr(found[0], "max_model_len", None) or 0) if found else 0, "")

    async def gpu_share(self, model: str) -> float | None:
        return None

    async def ask(self, model: str, question: str, schema: dict[str, Any], max_tokens: int) -> Answer:
        form: Any = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": schema}}
        async with _asked():
            said = await self._client.chat.completions.create(
                model=model, messages=[{"role": "user", "content": question}], response_format=form, max_tokens=max_tokens, temperature=0.2, seed=1
            )
        message, usage = said.choices[0].message, said.usage
        thinking = str(getattr(message, "reasoning_content", None) or "")
        return Answer(message.content or "", thinking, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0)

    async def close(self) -> None:
        await self._client.close()


class InProcess:
    """A model of transformers in this process, looked at as if it were a server: it is loaded, and asked."""

    backend: Backend = "huggingface"

    def __init__(self, model: str, settings: Settings) -> None:
        self.where, self._settings = model, settings
        self._model: HuggingFaceModel | None = None

    async def version(self) -> str:
        """Loads the model, and says where it lies. In a thread that nobody need wait for."""
        async with _asked():
            self._model = await _in_daemon(self._load)
        return self._model.device

    def _load(self) -> HuggingFaceModel:
        from modules.model.huggingface import HuggingFaceModel

        return HuggingFaceModel(self.where, self._settings)

    async def models(self) -> list[str]:
        return [self.where]

    async def describe(self, model: str) -> Described:
        assert self._model is not None
        context = self._model.context("")
        return Described(0 if context == inf else int(context), "")

    async def gpu_share(self, model: str) -> float | None:
        return None

    async def ask(self, model: str, question: str, schema: dict[str, Any], max_tokens: int) -> Answer:
        assert self._model is not None
        request = Request("utterance", "en", None, (Message("user", question),), schema, max_tokens, 0.2)
        async with _asked():
            said = await self._model.complete(request, seed=1)
        return Answer(said.text, "", said.prompt_tokens, said.reply_tokens)

    async def close(self) -> None: ...


async def _in_daemon(work: Callable[[], T]) -> T:
    """The result of blocking work, in a thread that does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    result: asyncio.Future[T] = loop.create_future()

    def settle(value: T | None, error: Exception | None) -> None:
        if result.done():
            return
        if error is None:
            result.set_result(cast(T, value))
        else:
            result.set_exception(error)

    def run() -> None:
        value, failure = None, None
        try:
            value = work()
        except Exception as error:
            failure = error
        with suppress(RuntimeError):  # the loop is gone: nobody waits any more
            loop.call_soon_threadsafe(settle, value, failure)

    threading.Thread(target=run, daemon=True).start()
    return await result


@asynccontextmanager
async def _asked() -> AsyncIterator[None]:
    """Whatever goes wrong on the way is one kind of error. Keys are in headers, which no message repeats."""
    try:
        yield
    except Exception as error:
        if isinstance(error, HometownError):
            raise Unanswered(error.lines) from error
        told = str(error).strip() or type(error).__name__
        raise Unanswered(told.splitlines()[0][:200]) from error
