"""Model servers as `--doctor` looks at them: who is there, what it holds, and how it answers one plain question."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from modules.model.address import through_proxy
from modules.model.ollama import client_for, hosts, shown
from modules.model.openai_server import access, server_address
from modules.settings import Settings


class Unanswered(Exception):
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

    backend: Literal["ollama", "openai"]
    where: str

    async def version(self) -> str: ...

    async def models(self) -> list[str]: ...

    async def describe(self, model: str) -> Described: ...

    async def gpu_share(self, model: str) -> float | None:
        """How much of a loaded model lies in GPU memory, 0–1; None if nobody knows."""
        ...

    async def ask(self, model: str, question: str, schema: dict[str, Any], max_tokens: int) -> Answer: ...

    async def close(self) -> None: ...


def servers_for(backend: str, settings: Settings) -> list[Server]:
    """The servers that a run on this backend, "ollama" or "openai", would ask. Raises BadInput where an address is none."""
    if backend == "openai":
        return [OpenAIServer(server_address(settings), settings)]
    return [OllamaServer(host, settings) for host in hosts(settings)]


class OllamaServer:
    """Ollama through its own package and its native API."""

    backend: Literal["ollama", "openai"] = "ollama"

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

    backend: Literal["ollama", "openai"] = "openai"

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


@asynccontextmanager
async def _asked() -> AsyncIterator[None]:
    """Whatever goes wrong on the way is one kind of error. Keys are in headers, which no message repeats."""
    try:
        yield
    except Exception as error:
        said = str(error).strip() or type(error).__name__
        raise Unanswered(said.splitlines()[0][:200]) from error
