"""The forms in which servers reply, as this project's backends read them, each with a good reply
and a model that reads it.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, cast

import orjson

from hometown.config import combine
from hometown.errors import ModelUnavailable
from hometown.model.llama.llama_connection import LlamaConnection
from hometown.model.llama.llama_server import LlamaServer
from hometown.model.llama.process import Address
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.model.ollama import OllamaModel
from hometown.model.openai_server import OpenAIModel
from hometown.settings import Settings
from tests.support.conformance import REQUESTS
from tests.support.prompt_samples import REPLIES
from tests.support.simulated import NDJSON, Sent, ndjson, sse

ASKED = REQUESTS["utterance", "en"]
GOOD = orjson.dumps(REPLIES["utterance"]).decode()
OK = '{"ok": true}'

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 10,
    "total_tokens": 110,
    "prompt_tokens_details": {"cached_tokens": 60},
}
TIMINGS = {
    "cache_n": 60,
    "prompt_n": 40,
    "prompt_ms": 20.0,
    "predicted_n": 10,
    "predicted_ms": 250.0,
}


@dataclass(frozen=True)
class Protocol:
    """One form of replying."""

    name: str

    @property
    def events(self) -> bool:
        """Whether replies are streams of server-sent events."""
        return self.name in ("stream", "gguf")

    def model(self, **llm: Any) -> LanguageModel:
        """A model whose server is reached through `Wire`."""
        settings = self.settings(**llm)
        if self.name == "ollama":
            return OllamaModel("town-7b", settings)
        own = (
            LlamaConnection(cast(LlamaServer, _Llama()), settings.machine.timeout_seconds)
            if self.name == "gguf"
            else None
        )
        return OpenAIModel("town-7b", settings, own)

    def settings(self, timeout: float = 600, **llm: Any) -> Settings:
        machine = {
            "ollama_hosts": ["http://127.0.0.1:11434"],
            "openai_base_url": "http://127.0.0.1:8000/v1",
            "timeout_seconds": timeout,
        }
        return combine([{"machine": machine, "llm": llm}])

    def parts(self, text: str) -> list[dict[str, Any]]:
        """The JSON of a good response, as published; a single object where the protocol does not
        stream.
        """
        if self.name == "ollama":
            about = {"model": "town-7b", "created_at": "2026-01-01T00:00:00Z"}
            counts = {
                "prompt_eval_count": 100,
                "prompt_eval_duration": 20_000_000,
                "eval_count": 10,
                "eval_duration": 250_000_000,
            }
            end = {
                **about,
                "message": {"role": "assistant", "content": ""},
                "done": True,
                "done_reason": "stop",
                **counts,
            }
            return [
                *(
                    {**about, "message": {"role": "assistant", "content": piece}, "done": False}
                    for piece in _halves(text)
                ),
                end,
            ]
        head = {"id": "chatcmpl-1", "created": 0, "model": "town-7b"}
        if self.name == "whole":
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            return [
                {
                    **head,
                    "object": "chat.completion",
                    "choices": [choice],
                    "usage": deepcopy(USAGE),
                    "timings": {**TIMINGS},
                }
            ]
        head["object"] = "chat.completion.chunk"
        pieces = [
            {**head, "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
            for piece in _halves(text)
        ]
        end = {
            **head,
            "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "timings": {**TIMINGS},
        }
        return [*pieces, end, {**head, "choices": [], "usage": deepcopy(USAGE)}]

    def sent(self, *parts: Any) -> Sent:
        """A response of such parts; bytes, pauses and failures may stand between them."""
        if self.events:
            return Sent(sse(*parts), kind="text/event-stream; charset=utf-8")
        return Sent(ndjson(*parts), kind=NDJSON if self.name == "ollama" else "application/json")

    def piece(self, text: str) -> bytes:
        """The beginning of a reply, as it is streamed."""
        (sent,) = (
            sse(self.parts(2 * text)[0], done=False)
            if self.events
            else self.sent(self.parts(2 * text)[0]).parts
        )
        assert isinstance(sent, bytes)
        return sent

    def refusal(self, status: int, message: str, **headers: str) -> Sent:
        """An error as published."""
        error: Any = (
            message
            if self.name == "ollama"
            else {"message": message, "type": "server_error", "param": None, "code": None}
        )
        return Sent([orjson.dumps({"error": error})], status, headers=headers)

    def reply(self, text: str = GOOD) -> Sent:
        """A good response."""
        return self.sent(*self.parts(text))


class _Llama:
    """Stands for a llama.cpp of ours that serves as long as the program lasts."""

    async def address(self, *_: object) -> Address:
        return Address("http://127.0.0.1:8080", "its key")

    async def death(self) -> None:
        """It lives."""


PROTOCOLS = [Protocol("stream"), Protocol("whole"), Protocol("ollama"), Protocol("gguf")]
"""OpenAI's protocol, streamed and whole, Ollama's, and that of a llama.cpp of ours."""


async def outcome(model: LanguageModel, asked: Request = ASKED) -> Completion | ModelUnavailable:
    """A reply that can be kept, or the failure, told in one line. Raises whatever else a model
    raises, which is a defect.
    """
    (answer,) = await asyncio.gather(model.complete(asked, seed=1), return_exceptions=True)
    if isinstance(answer, Completion):
        assert answer.is_well_formed, answer
        return answer
    if not isinstance(answer, ModelUnavailable):
        raise answer
    assert str(answer).isprintable(), answer
    assert len(str(answer)) < 1000, answer
    return answer


def _halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]
