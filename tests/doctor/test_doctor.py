"""`--doctor` against small servers that speak Ollama's and OpenAI's protocols, good and bad."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hometown.cli import start
from hometown.doctor import diagnosis, probe
from hometown.doctor.probe import AT_ONCE
from hometown.language import Lang
from hometown.model import embedding_choice
from hometown.paths import pip_command
from hometown.settings import Settings
from tests.support.answering import OneAnswer
from tests.support.fake_ollama import FakeOllama
from tests.support.hang import HANG

PLAIN = {
    "Say hello": "Good morning!",
    "friendly": "Good morning, how are you?",
    "朋友": "早上好，今天好吗？",
    "邻居": "早上好，今天好吗？",
    "打个招呼": "你好！",
}


SURE = (
    "server",
    "model",
    "context",
    "structured",
    "thinking",
    "language_en",
    "language_zh",
    "loaded",
)
"""Checks whose outcome does not depend on how busy this machine is."""


@dataclass
class Behaviour:
    """What a fake server does. How fast it is does not matter here; `test_probe.py` measures that
    in simulated time.
    """

    models: tuple[str, ...] = ("qwen3:8b",)
    thinking: str = ""
    schema: bool = True
    chinese: bool = True
    knows_think: bool = True
    context: int = 40960
    on_gpu: float = 1.0
    refusal: str = ""
    broken: tuple[str, ...] = ()
    requests: list[tuple[str, Any]] = field(default_factory=list)
    headers: list[str] = field(default_factory=list)


def reply(how: Behaviour, question: str) -> str:
    said = next(
        (answer for word, answer in PLAIN.items() if word in question), "Somebody bought bread."
    )
    if not how.chinese and "邻居" in question:
        said = "Good morning, my dear neighbour!"
    return json.dumps({"say": said, "end": False}, ensure_ascii=False) if how.schema else said


class Handler(BaseHTTPRequestHandler):
    how: Behaviour

    def log_message(self, *_: object) -> None:
        """Quietly."""

    def do_GET(self) -> None:
        self.how.headers.append(self.headers.get("Authorization", ""))
        details = {"parameter_size": "8.2B", "quantization_level": "Q4_K_M"}
        answers: dict[str, Any] = {
            "/api/version": {"version": "0.11.4"},
            "/api/tags": {
                "models": [
                    {"model": name, "name": name, "size": 5, "details": details}
                    for name in self.how.models
                ]
            },
            "/api/ps": {
                "models": [
                    {
                        "model": self.how.models[0],
                        "size": 100,
                        "size_vram": int(100 * self.how.on_gpu),
                    }
                ]
            }
            if self.how.models
            else {},
            "/v1/models": {
                "object": "list",
                "data": [
                    {"id": name, "object": "model", "max_model_len": self.how.context}
                    for name in self.how.models
                ],
            },
        }
        self.answer(None if self.path in self.how.broken else answers.get(self.path))

    def do_POST(self) -> None:
        told = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.how.requests.append((self.path, told))
        if self.path == "/api/show":
            details = {"parameter_size": "8.2B", "quantization_level": "Q4_K_M"}
            self.answer(
                {"details": details, "model_info": {"qwen3.context_length": self.how.context}}
            )
        elif self.how.refusal:
            self.answer({"error": self.how.refusal}, 500)
        elif self.path == "/api/chat" and told.get("think") is False and not self.how.knows_think:
            self.answer({"error": '"qwen3:8b" does not support thinking'}, 400)
        else:
            text = reply(self.how, told["messages"][0]["content"])
            self.answer(self.ollama(text) if self.path == "/api/chat" else self.openai(text))

    def ollama(self, text: str) -> dict[str, Any]:
        message = {"role": "assistant", "content": text, "thinking": self.how.thinking}
        nanoseconds = {"prompt_eval_duration": 10_000_000, "eval_duration": 10_000_000}
        return {
            "model": "qwen3:8b",
            "message": message,
            "done": True,
            "prompt_eval_count": 1000,
            "eval_count": 40,
            **nanoseconds,
        }

    def openai(self, text: str) -> dict[str, Any]:
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": text},
        }
        usage = {"prompt_tokens": 1000, "completion_tokens": 40, "total_tokens": 1040}
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }

    def answer(self, body: Any, status: int = 200) -> None:
        data = json.dumps(body).encode()
        self.send_response(status if body is not None else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def answering(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Callable[[Handler], None]:
    """Return the handling of a request with JSON by what `answer` makes of that."""

    def handle(handler: Handler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        made = answer(body)
        handler.answer(made, 400 if "error" in made else 200)

    return handle


class Listening(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """A client that hung up is none of the test's business."""


@contextmanager
def server(how: Behaviour) -> Iterator[str]:
    """The address of a server that behaves so."""
    handler = type("Handler", (Handler,), {"how": how})
    with Listening(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}"
        finally:
            listening.shutdown()
            thread.join()


@dataclass
class Seen:
    code: int
    told: dict[str, Any]

    def check(self, name: str) -> dict[str, Any]:
        return next(one for one in self.told["checks"] if one["name"] == name)


def examined(capsys: pytest.CaptureFixture[str], *argv: str) -> Seen:
    code = start.main(["--doctor", "--json", "--lang", "en", "--embedding", "hash", *argv])
    out, error = capsys.readouterr()
    assert all(line.startswith(("loading ", "servers: ")) for line in error.splitlines())
    return Seen(code, json.loads(out))


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server but a test's own, and as much time as it takes: `test_probe.py` tests that it ends
    in time.
    """
    for name in ("SECONDS", "BRIEF_SECONDS"):
        monkeypatch.setattr(probe, name, HANG)
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


def test_a_good_server(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    how = Behaviour()
    with server(how) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        seen = examined(capsys)
    assert seen.code == 0
    assert set(seen.told) == {"checks", "slots", "estimate"}
    assert all(set(one) == {"name", "ok", "detail", "fix"} for one in seen.told["checks"])
    assert all(
        one["ok"] and not one["fix"]
        for one in seen.told["checks"]
        if one["name"] not in ("slots", "embedding")
    )
    names = [one["name"] for one in seen.told["checks"]]
    assert names[:5] == ["python", "packages", "disk", "gpu", "embedding"]
    assert names[5:] == [
        "server",
        "model",
        "context",
        "structured",
        "thinking",
        "language_en",
        "language_zh",
        "speed",
        "slots",
        "loaded",
    ]
    assert "0.11.4" in seen.check("server")["detail"]
    assert "Q4_K_M" in seen.check("model")["detail"]
    assert "40960" in seen.check("context")["detail"]
    assert seen.told["slots"] in AT_ONCE
    assert f"OLLAMA_NUM_PARALLEL={seen.told['slots']}" in seen.check("slots")["detail"]
    estimate = seen.told["estimate"]
    assert estimate["calls"] > 1000
    assert estimate["tokens"] > 1_000_000
    assert estimate["hours"] > 0


def test_what_it_asks_is_what_ollama_takes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    how = Behaviour()
    with server(how) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        examined(capsys, "--llm", "ollama:qwen3:8b")
    chats = [told for path, told in how.requests if path == "/api/chat"]
    assert len(chats) == 3 + sum(AT_ONCE)
    for told in chats:
        assert told["think"] is False
        assert told["format"]["required"] == ["say", "end"]
        assert told["options"]["num_ctx"] == 8192
        assert told["keep_alive"] == "30m"


def test_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    seen = examined(capsys, "--llm", "ollama:qwen3:8b")
    assert seen.code == 1
    assert "ollama serve" in seen.check("server")["fix"]
    assert seen.told["slots"] is None
    assert seen.told["estimate"]["hours"] is None


def test_with_auto_a_scripted_run_works_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    seen = examined(capsys)
    assert seen.code == 0
    assert "ollama serve" in seen.check("server")["fix"]
    assert "scripted (no language model)" in seen.check("scripted")["detail"]
    assert start.main(["--doctor", "--lang", "zh"]) == 0
    assert "ollama serve" in capsys.readouterr().out


def test_a_model_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(Behaviour(models=("llama3:8b",))) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        seen = examined(capsys, "--llm", "ollama:qwen3:14b")
    assert seen.code == 1
    assert seen.check("model")["fix"] == "ollama pull qwen3:14b"
    assert "llama3:8b" in seen.check("model")["detail"]


@pytest.mark.parametrize(
    ("how", "name", "code"),
    [
        (Behaviour(schema=False), "structured", 1),
        (Behaviour(thinking="Let me see"), "thinking", 0),
        (Behaviour(chinese=False), "language_zh", 0),
        (Behaviour(context=2048), "context", 1),
        (Behaviour(on_gpu=0.6), "loaded", 0),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_what_is_wrong_is_found_and_has_a_cure(
    how: Behaviour,
    name: str,
    code: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server(how) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        seen = examined(capsys, "--llm", "ollama:qwen3:8b")
    assert seen.code == code
    assert [
        check["name"]
        for check in seen.told["checks"]
        if not check["ok"] and check["name"] in (*SURE, name)
    ] == [name]
    assert seen.check(name)["fix"]
    assert name != "context" or "at least 4096 tokens" in seen.check(name)["fix"]


@pytest.mark.parametrize(
    ("lang", "embedding", "good"),
    [
        ("en", "hash", False),
        ("zh", "ollama:nomic-embed-text", False),
        ("en", "ollama:nomic-embed-text", True),
    ],
)
def test_an_embedding_is_good_if_it_compares_meanings_in_the_language_of_the_run(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    lang: Lang,
    embedding: str,
    good: bool,
) -> None:
    """It is no reason why a run would fail."""
    monkeypatch.setattr(embedding_choice, "e5_installable", lambda: False)
    with FakeOllama("qwen3:8b", "nomic-embed-text") as fake:
        monkeypatch.setenv("OLLAMA_HOST", fake.host)
        examining = diagnosis._embedding(embedding, Settings(), "en", lang, "ollama:qwen3:8b")
        check = asyncio.run(examining)
    assert (check.ok, check.vital, "ollama pull bge-m3" in check.fix) == (good, good, not good)
    assert check.detail.startswith(f"{embedding}, ")


async def test_a_scripted_run_needs_no_embedding_of_meanings() -> None:
    check = await diagnosis._embedding("auto", Settings(), "en", "en", "scripted")
    assert (check.ok, check.fix) == (True, "")


def test_the_language_of_the_run_must_work(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(Behaviour(chinese=False)) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        assert (
            start.main(
                ["--doctor", "--lang", "zh", "--embedding", "hash", "--llm", "ollama:qwen3:8b"]
            )
            == 1
        )
    assert "✗ 中文" in capsys.readouterr().out


def test_a_model_that_cannot_think_need_not_be_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(Behaviour(knows_think=False)) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        assert examined(capsys, "--llm", "ollama:qwen3:8b").check("thinking")["ok"]


@pytest.mark.parametrize(("path", "code"), [("/api/tags", 1), ("/api/ps", 0)])
def test_a_server_that_refuses_a_question(
    path: str, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(Behaviour(broken=(path,))) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        assert examined(capsys, "--llm", "ollama:qwen3:8b").code == code


@pytest.mark.parametrize(
    ("spec", "refusal", "remedy"),
    [
        (
            "ollama:qwen3:8b",
            "model requires more system memory (18.5 GiB) than is available (5.2 GiB)",
            "take a smaller one",
        ),
        ("ollama:qwen3:8b", '"nomic-embed-text" does not support chat', "take one that chats"),
        ("openai:qwen3:8b", "No models loaded. Please load a model", "lms load qwen3:8b"),
    ],
)
def test_a_refusal_has_the_remedy_that_a_run_would_name(
    spec: str,
    refusal: str,
    remedy: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with server(Behaviour(refusal=refusal)) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        fix = examined(capsys, "--llm", spec).check("structured")["fix"]
    assert spec in fix
    assert refusal in fix
    assert remedy in fix


def test_a_missing_key_is_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with OneAnswer(401, '{"error": "Unauthorized"}') as fake:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{fake.url}/v1")
        check = examined(capsys, "--llm", "openai:qwen3").check("server")
    assert "asks for a key (401); set OPENAI_API_KEY" in check["fix"]


def test_an_openai_server_and_its_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    how = Behaviour(models=("qwen3",))
    with server(how) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
        assert (
            start.main(["--doctor", "--lang", "en", "--embedding", "hash", "--llm", "openai:qwen3"])
            == 0
        )
        missing = start.main(["--doctor", "--lang", "en", "--llm", "openai:other"])
    out = capsys.readouterr().out
    assert missing == 1
    assert "sk-secret" not in out
    assert "Bearer sk-secret" in how.headers


@pytest.mark.parametrize("takes_field", [True, False])
def test_a_model_that_thinks_unless_told_not_to_is_asked_as_a_run_asks(
    takes_field: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Qwen 3 on vLLM; or on a server that knows no such field, where words turn it off."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        if "chat_template_kwargs" in body and not takes_field:
            return {"error": {"message": "chat_template_kwargs is not permitted", "code": 400}}
        question = body["messages"][-1]["content"]
        if "chat_template_kwargs" in body or question.endswith("/no_think"):
            message = {"content": reply(Behaviour(), question)}
        else:
            message = {"content": "", "reasoning_content": "Okay, the user wants me to think"}
        usage = {"prompt_tokens": 100, "completion_tokens": 40}
        return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}

    monkeypatch.setattr(Handler, "do_POST", answering(answer))
    with server(Behaviour()) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        seen = examined(capsys, "--llm", "openai:qwen3:8b")
    assert seen.code == 0
    assert all(
        seen.check(name)["ok"] for name in ("structured", "thinking", "language_en", "language_zh")
    )


def test_reasoning_before_an_answer_is_noticed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(body: dict[str, Any]) -> dict[str, Any]:
        text = reply(Behaviour(), body["messages"][-1]["content"])
        message = {"content": text, "reasoning_content": "Okay, the user greets"}
        return {"choices": [{"message": message, "finish_reason": "stop"}]}

    monkeypatch.setattr(Handler, "do_POST", answering(answer))
    with server(Behaviour()) as address:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        seen = examined(capsys, "--llm", "openai:qwen3:8b")
    assert (seen.code, seen.check("thinking")["ok"]) == (0, False)


def test_an_openai_server_that_nobody_named_is_not_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    seen = examined(capsys, "--llm", "openai:gpt")
    assert seen.code == 1
    assert "no server address is set" in seen.check("server")["detail"]
    assert "OPENAI_BASE_URL" in seen.check("server")["fix"]


def test_several_servers_are_all_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server(Behaviour()) as address:
        config = tmp_path / "machine.json"
        config.write_text(
            json.dumps({"machine": {"ollama_hosts": [address, "http://127.0.0.1:9"]}})
        )
        seen = examined(capsys, "--llm", "ollama:qwen3:8b", "--config", str(config))
    assert [one["ok"] for one in seen.told["checks"] if one["name"] == "server"] == [True, False]
    assert seen.code == 0


def test_each_of_several_servers_must_have_the_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with server(Behaviour()) as first, server(Behaviour(models=("mistral:7b",))) as second:
        config = tmp_path / "machine.json"
        config.write_text(json.dumps({"machine": {"ollama_hosts": [first, second]}}))
        seen = examined(capsys, "--llm", "ollama:qwen3:8b", "--config", str(config))
    lacking = next(one for one in seen.told["checks"] if one["name"] == "model" and not one["ok"])
    assert second in lacking["detail"]
    assert lacking["fix"] == f"OLLAMA_HOST={second} ollama pull qwen3:8b"
    assert seen.code == 1


@pytest.mark.parametrize(("small", "code"), [("qwen3:1.7b", 0), ("qwen3:0.6b", 1)])
def test_models_for_single_kinds_of_prompt_are_examined_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], small: str, code: int
) -> None:
    how = Behaviour(models=("qwen3:8b", "qwen3:1.7b"))
    with server(how) as address:
        config = tmp_path / "machine.json"
        config.write_text(
            json.dumps(
                {
                    "machine": {"ollama_hosts": [address]},
                    "llm": {"by_kind": {"poignancy": f"ollama:{small}", "place": "scripted"}},
                }
            )
        )
        seen = examined(capsys, "--llm", "ollama:qwen3:8b", "--config", str(config))
    assert seen.code == code
    assert sum(one["name"] == "model" for one in seen.told["checks"]) == 2
    assert [one["name"] for one in seen.told["checks"]].count("structured") == 2 - code
    assert [one["name"] for one in seen.told["checks"]].count("speed") == 1


def test_with_auto_a_model_that_cannot_be_used_is_not_passed_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with server(Behaviour(schema=False)) as address:
        monkeypatch.setenv("OLLAMA_HOST", address)
        assert examined(capsys).code == 1


def test_models_for_this_process_are_looked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = examined(capsys, "--llm", f"huggingface:{tmp_path}")
    assert seen.code == 1
    assert pip_command("huggingface") in seen.check("server")["fix"]


def test_scripted_needs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    town = ("--llm", "scripted", "--world", "minitown")
    seen = examined(capsys, *town, "--residents", "2")
    assert seen.code == 0
    assert seen.told["estimate"]["calls"] == pytest.approx(
        examined(capsys, *town).told["estimate"]["calls"] / 3, rel=0.01
    )


@pytest.mark.parametrize(
    "argv", [["--json"], ["--json", "--name", "a"], ["--doctor", "--world", "nowhere"]]
)
def test_bad_input(argv: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(argv) == 2
    assert capsys.readouterr().err.count("\n") == 1
