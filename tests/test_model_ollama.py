"""Ollama as a backend, on a local server that speaks its API: conformance, troubles, outages, several servers, a town."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from modules.cli import start
from modules.config import combine
from modules.errors import BadInput, ModelBusy, ModelUnavailable
from modules.model import patience
from modules.model.choose import choose_model
from modules.model.llm import Completion, LanguageModel, Message, Request
from modules.model.ollama import OllamaModel
from modules.model.patience import Patient
from modules.model.stats import Stats
from modules.prompt.schema import grammatical
from modules.settings import Settings
from modules.storage.history import History
from modules.storage.run import Run
from tests.conformance import REQUESTS, ModelConformance, faults
from tests.fake_models import Canned
from tests.fake_ollama import FakeOllama
from tests.town import live

ASKED = REQUESTS["utterance", "en"]


def settings(*hosts: str, patience: float = 5.0, timeout: float = 5.0, **llm: Any) -> Settings:
    return combine([{"machine": {"ollama_hosts": list(hosts), "timeout_seconds": timeout}, "llm": {"give_up_after": patience, **llm}}])


def model_at(*fakes: FakeOllama, **more: Any) -> OllamaModel:
    return OllamaModel("qwen3:8b", settings(*(fake.host for fake in fakes), **more))


@pytest.fixture
def fake() -> Iterator[FakeOllama]:
    with FakeOllama() as server:
        yield server
        assert server.faults == []


@pytest.fixture
def nobody() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"


class TestOllama(ModelConformance):
    answers_well = False

    @pytest.fixture
    def model(self, fake: FakeOllama) -> LanguageModel:
        return model_at(fake)


class TestOllamaThatThinksAnyway(ModelConformance):
    answers_well = False

    @pytest.fixture(params=["thinking", "thinking_ends"])
    def model(self, fake: FakeOllama, request: pytest.FixtureRequest) -> LanguageModel:
        fake.always = request.param
        return model_at(fake)


# what is sent ---------------------------------------------------------------------------------


async def test_what_is_sent(fake: FakeOllama) -> None:
    completion = await model_at(fake, num_ctx=4096, keep_alive="5m").complete(ASKED, seed=2**64 - 1)
    (body,) = fake.chats
    assert body["model"] == "qwen3:8b"
    assert body["messages"] == [{"role": message.role, "content": message.content} for message in ASKED.messages]
    assert body["format"] == grammatical(ASKED.schema)
    assert (body["stream"], body["think"], body["keep_alive"]) == (True, False, "5m")
    assert body["options"] == {"seed": 2**31 - 1, "temperature": ASKED.temperature, "num_ctx": 4096, "num_predict": ASKED.max_tokens}
    assert completion.prompt_tokens == sum(len(message.content) for message in ASKED.messages) // 4
    assert completion.reply_tokens == max(1, len(completion.text) // 4)


def test_grammars_allow_no_character_that_would_end_a_string() -> None:
    for asked in REQUESTS.values():
        text = json.dumps(grammatical(asked.schema))
        assert json.dumps(r"[^\x00-\x1f]")[1:-1] not in text
        assert faults({"say": "“Well”, he said", "end": True}, grammatical(ASKED.schema)) == []
        assert faults({"say": 'a "word"', "end": True}, grammatical(ASKED.schema)) != []


async def test_a_model_that_cannot_think_is_told_so_only_once(fake: FakeOllama) -> None:
    fake.always = "cannot_think"
    model = model_at(fake)
    for _ in range(2):
        await model.complete(ASKED, seed=1)
    assert ["think" in body for body in fake.chats] == [True, False, False]


# troubles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("trouble", ["429", "500", "503", "loading", "half_closed", "garbage", "slow"])
async def test_what_may_pass_is_worth_asking_again(fake: FakeOllama, trouble: str) -> None:
    fake.trouble.append(trouble)
    with pytest.raises(ModelBusy, match=r"^ollama:qwen3:8b: .*127\.0\.0\.1:\d+") as caught:
        await model_at(fake, timeout=0.3).complete(ASKED, seed=1)
    assert "\n" not in str(caught.value)


async def test_nobody_listens(nobody: str) -> None:
    with pytest.raises(ModelBusy, match="ollama serve"):
        await OllamaModel("qwen3:8b", settings(nobody)).complete(ASKED, seed=1)


async def test_a_missing_model_comes_with_the_line_that_gets_it(fake: FakeOllama) -> None:
    with pytest.raises(ModelUnavailable, match=rf"OLLAMA_HOST={fake.host} ollama pull mistral:7b$") as caught:
        await OllamaModel("mistral:7b", settings(fake.host)).complete(ASKED, seed=1)
    assert not isinstance(caught.value, ModelBusy)


async def test_refusals_are_final(fake: FakeOllama) -> None:
    fake.trouble.append("refused")
    with pytest.raises(ModelUnavailable, match=r"'utterance'.*invalid options") as caught:
        await model_at(fake).complete(ASKED, seed=1)
    assert not isinstance(caught.value, ModelBusy)


@pytest.mark.parametrize("address", ["http://exa mple", "http://here:port", "ftp://here", "http://[::1"])
def test_an_address_that_is_none(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match=r"machine\.ollama_hosts has .* http://127\.0\.0\.1:11434"):
        OllamaModel("qwen3:8b", settings(address))
    monkeypatch.setenv("OLLAMA_HOST", address)
    with pytest.raises(BadInput, match="OLLAMA_HOST has"):
        OllamaModel("qwen3:8b", Settings())


@pytest.mark.parametrize("address", ["http://127.0.0.1:11434", "10.0.0.2", ":11434", "https://me:secret@gpu.lan/ollama", "[::1]:11434"])
def test_addresses_that_are_some(address: str) -> None:
    OllamaModel("qwen3:8b", settings(address))


async def test_a_prompt_too_long_for_the_context_is_named_before_it_is_sent(fake: FakeOllama) -> None:
    long = replace(ASKED, messages=(*ASKED.messages, Message("user", "word " * 12000)))
    with pytest.raises(ModelUnavailable, match=r"'utterance' has about \d{5} tokens .* 8192: raise llm.num_ctx"):
        await model_at(fake).complete(long, seed=1)
    assert fake.chats == []


@pytest.mark.parametrize(("trouble", "said"), [("context", "about 9000 tokens"), ("length", r"about \d+ tokens")])
async def test_a_context_that_the_server_finds_too_small(fake: FakeOllama, trouble: str, said: str) -> None:
    fake.trouble.append(trouble)
    with pytest.raises(ModelUnavailable, match=rf"'utterance' has {said} .*llm\.num_ctx"):
        await model_at(fake).complete(ASKED, seed=1)


async def test_an_empty_reply_is_the_callers_business(fake: FakeOllama) -> None:
    fake.trouble.append("empty")
    assert (await model_at(fake).complete(ASKED, seed=1)).text == ""


async def test_a_password_in_an_address_is_not_shown() -> None:
    with pytest.raises(ModelBusy) as caught:
        await OllamaModel("qwen3:8b", settings("http://me:secret@127.0.0.1:9")).complete(ASKED, seed=1)
    assert "secret" not in str(caught.value)


def test_the_environment_names_the_server_where_the_settings_do_not(fake: FakeOllama, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", fake.host.replace("http://127.0.0.1", "0.0.0.0"))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    asyncio.run(OllamaModel("qwen3:8b", Settings()).complete(ASKED, seed=1))
    assert len(fake.chats) == 1


def test_a_model_outlives_an_event_loop(fake: FakeOllama) -> None:
    model = model_at(fake)
    assert len({asyncio.run(model.complete(ASKED, seed=1)).text for _ in range(2)}) == 1


# streams --------------------------------------------------------------------------------------


async def test_a_server_that_still_writes_is_not_cut_off(fake: FakeOllama) -> None:
    fake.pause = 0.05
    began = time.monotonic()
    completion = await model_at(fake, patience=0.6).complete(ASKED, seed=1)
    assert time.monotonic() - began > 0.3
    assert faults(json.loads(completion.text), ASKED.schema) == []


async def test_a_call_that_waits_behind_others_is_not_taken_for_a_dead_one(fake: FakeOllama) -> None:
    model = model_at(fake, patience=0.8)
    await model.complete(ASKED, seed=1)
    fake.pause, fake.seconds = 0.15, 2.0
    slow = asyncio.create_task(model.complete(ASKED, seed=2))
    await asyncio.sleep(0.2)
    with pytest.raises(ModelBusy, match="has sent nothing for"):
        await slow
    fake.seconds = 0.0
    first = asyncio.create_task(model.complete(ASKED, seed=3))
    await asyncio.sleep(0.2)
    fake.seconds = 1.1
    await asyncio.gather(first, model.complete(ASKED, seed=4))


async def test_a_server_that_has_stopped_sending_ends_patience_at_once(fake: FakeOllama) -> None:
    fake.pause, fake.hangs = 0.05, True
    began = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"has sent nothing for 0\.4 s \(llm\.give_up_after\); gave up after 0\.4 s"):
        await Patient(model_at(fake, patience=0.4), settings(patience=0.4), lambda _: None).complete(ASKED, seed=1)
    assert time.monotonic() - began < 2


async def test_a_server_that_hangs_from_the_first_call_on_is_given_up_as_well(fake: FakeOllama) -> None:
    fake.seconds = 2
    with pytest.raises(ModelBusy, match=r"sent nothing for 0\.2 s \(llm\.give_up_after\)"):
        await model_at(fake, patience=0.2, timeout=3).complete(ASKED, seed=1)
    fake.seconds = 0.3
    await model_at(fake, patience=0, timeout=3).complete(ASKED, seed=1)


# several servers ------------------------------------------------------------------------------


async def test_servers_share_the_load(fake: FakeOllama) -> None:
    with FakeOllama(seconds=0.1) as other:
        fake.seconds = 0.1
        model = model_at(fake, other)
        await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(8)))
        assert (len(fake.chats), len(other.chats)) == (4, 4)


async def test_a_server_that_is_gone_is_passed_over(fake: FakeOllama, nobody: str) -> None:
    model = OllamaModel("qwen3:8b", settings(nobody, fake.host))
    for seed in range(3):
        await model.complete(ASKED, seed=seed)
    assert len(fake.chats) == 3
    fake.trouble.append("503")
    with pytest.raises(ModelBusy, match="503"):
        await OllamaModel("qwen3:8b", settings(nobody, fake.host)).complete(ASKED, seed=1)


# patience -------------------------------------------------------------------------------------


async def test_outages_are_waited_out_visibly(fake: FakeOllama) -> None:
    fake.trouble += ["503", "half_closed"]
    told: list[str] = []
    completion = await Patient(model_at(fake), settings(), told.append).complete(ASKED, seed=1)
    assert faults(json.loads(completion.text), ASKED.schema) == []
    assert len(told) == 2
    assert "503" in told[0]
    assert "asking again in" in told[0]


async def test_patience_ends(fake: FakeOllama) -> None:
    fake.always = "503"
    told: list[str] = []
    model = Patient(model_at(fake), settings(patience=0.6), told.append)
    began = time.monotonic()
    results = await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(4)), return_exceptions=True)
    assert 0.5 < time.monotonic() - began < 3
    for result in results:
        assert isinstance(result, ModelUnavailable)
        assert not isinstance(result, ModelBusy)
        assert "llm.give_up_after" in str(result)
    assert 1 <= len(told) <= 4, "one line for each wait, not for each call"


async def test_patience_is_told_how_long_to_wait() -> None:
    class Waits(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            if not self.requests:
                self.requests.append(request)
                raise ModelBusy("wait", retry_after=0.7)
            return await super().complete(request, seed=seed)

    began = time.monotonic()
    await Patient(Waits(), settings(), lambda _: None).complete(ASKED, seed=1)
    assert time.monotonic() - began >= 0.69


async def test_patience_asks_only_once_where_asking_again_is_no_use(fake: FakeOllama) -> None:
    fake.trouble.append("refused")
    with pytest.raises(ModelUnavailable):
        await Patient(model_at(fake), settings(), lambda _: None).complete(ASKED, seed=1)
    assert len(fake.chats) == 1


# which model ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
async def test_auto_takes_ollama_where_it_has_the_model(fake: FakeOllama, lang: Any) -> None:
    model, reason = await choose_model("auto", settings(fake.host), lang)
    assert model.name == "ollama:qwen3:8b"
    assert reason.startswith("ollama:qwen3:8b")
    assert fake.host not in reason, "the server is the machine's, not the run's"


async def test_auto_says_what_is_missing(fake: FakeOllama) -> None:
    model, reason = await choose_model("auto", settings(fake.host, model="mistral"))
    assert model.name == "scripted"
    assert "ollama pull mistral" in reason


async def test_auto_with_nobody_there_is_scripted_and_fast(nobody: str) -> None:
    await choose_model("auto", settings(nobody))  # packages are imported
    began = time.monotonic()
    model, reason = await choose_model("auto", settings(nobody))
    assert time.monotonic() - began < 0.5
    assert model.name == "scripted"
    assert "ollama serve" in reason


async def test_auto_waits_a_second_at_most() -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        began = time.monotonic()
        model, _ = await choose_model("auto", settings(f"http://127.0.0.1:{mute.getsockname()[1]}"))
        assert time.monotonic() - began < 2
    assert model.name == "scripted"


async def test_kinds_of_prompt_may_have_models_of_their_own() -> None:
    with FakeOllama("big", "small") as fake:
        chosen = settings(fake.host, by_kind={"utterance": "ollama:small", "place": "scripted", "react": "ollama:big"})
        model, reason = await choose_model("ollama:big", chosen)
        assert model.name == "ollama:big with place=scripted, utterance=ollama:small"
        assert "ollama:small" in reason
        for kind in ("utterance", "place", "react"):
            await model.complete(REQUESTS[kind, "en"], seed=1)
        assert [body["model"] for body in fake.chats] == ["small", "big"]
        assert (await choose_model(model.name, chosen))[0].name == model.name


@pytest.mark.parametrize(
    ("by_kind", "said"), [({"dancing": "scripted"}, "'dancing'"), ({"place": "gpt"}, "'gpt'"), ({"place": "auto"}, "'auto'")], ids=["kind", "model", "auto"]
)
async def test_routes_that_lead_nowhere(by_kind: dict[str, str], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        await choose_model("scripted", settings(by_kind=by_kind))


# a town ---------------------------------------------------------------------------------------


def test_a_town_lives_on_ollama(fake: FakeOllama, tmp_path: Path) -> None:
    fake.trouble += ["503", "thinking", "empty", "garbage"]
    chosen = settings(fake.host)
    model = Patient(OllamaModel("qwen3:8b", chosen), chosen, lambda _: None)
    digests = live(tmp_path, 8, model=model, settings={"llm": {"max_fallback_share": 1.0}})
    assert len(set(digests)) == 9
    with Run.open(tmp_path, "town") as run:
        assert run.manifest.llm == "ollama:qwen3:8b"
        stats = Stats(History(run.database).calls())
    assert stats.total.ok > 0
    assert stats.total.prompt_tokens > 0
    assert fake.busiest > 1


FAULTY = ("", "thinking", "", "empty", "thinking_ends", "", "503", "", "half_closed", "", "empty")
"""Of eleven chats two are empty, two are not answered, and two are thought about aloud."""


def test_a_whole_day_on_a_faulty_server_is_lived_and_counted_honestly(fake: FakeOllama, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_WAIT", 0.002)
    fake.always, chosen = FAULTY, settings(fake.host, patience=60)
    model = Patient(OllamaModel("qwen3:8b", chosen), chosen, lambda _: None)
    live(tmp_path, 36, stride=30, model=model, settings={"llm": {"max_fallback_share": 1.0}})
    with Run.open(tmp_path, "town") as run:
        assert run.last.time == datetime(2025, 2, 14)
        lived = list(History(run.database).calls())
    total = Stats(lived).total
    assert total.calls == len(lived) > 200
    assert min(total.ok, total.retried, total.fallback) > 0
    assert sum(len(call.attempts) for call in lived) == fake.replies


def test_too_many_fallbacks_stop_the_run(fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fake.always = "empty"
    say(config, fake.host, 5, max_fallback_share=0.5)
    assert command(config, "--llm", "ollama:qwen3:8b", "--lang", "en", "--step", "36") == 3
    out, error = capsys.readouterr()
    assert "llm.max_fallback_share is 0.5" in error
    assert "--resume" in out


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    return tmp_path / "mine.json"


def say(config: Path, host: str, patience: float, **llm: Any) -> None:
    config.write_text(json.dumps({"machine": {"ollama_hosts": [host]}, "llm": {"give_up_after": patience, "max_fallback_share": 1, **llm}}))


def command(config: Path, *argv: str) -> int:
    return start.main(["--name", "town", "--results", str(config.parent / "results"), "--config", str(config), *argv])


NEW = ("--world", "minitown", "--lang", "en", "--embedding", "hash", "--residents", "2", "--step", "6")


def test_a_server_that_stays_away_ends_the_run_with_the_line_that_resumes_it(
    fake: FakeOllama, nobody: str, config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    say(config, nobody, 0.3)
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW) == 3
    out, error = capsys.readouterr()
    assert "ollama:qwen3:8b, as asked" in out
    assert "start.py --name town --resume --results" in out
    assert "asking again in" in error
    assert "llm.give_up_after" in error.splitlines()[-1]
    assert "Traceback" not in error

    say(config, fake.host, 5, num_ctx=4096)  # another server, with another context
    assert command(config, "--resume") == 0
    assert {body["options"]["num_ctx"] for body in fake.chats} == {4096}
    with Run.open(config.parent / "results", "town") as run:
        assert run.last.step == 6
        assert fake.host not in run.manifest.model_dump_json()


def test_an_outage_in_the_middle_changes_nothing_about_the_town(fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(config, fake.host, 0.3)
    assert command(config, "--llm", "auto", *NEW) == 0
    whole = digests(config)
    (config.parent / "results").rename(config.parent / "whole")

    asked = len(fake.chats)
    fake.trouble += [""] * (asked - 3) + ["503"] * 100
    assert command(config, "--llm", "auto", *NEW) == 3
    with Run.open(config.parent / "results", "town") as run:
        assert run.last.step < 6
    fake.trouble.clear()
    assert command(config, "--resume", "--llm", "ollama:qwen3:8b") == 0
    assert digests(config) == whole
    assert "ollama pull" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("asked", "by_kind"), [("ollama:mistral", {}), ("ollama:qwen3:8b", {"react": "ollama:mistral"}), ("auto", {"react": "ollama:mistral"})]
)
def test_nothing_is_founded_on_a_model_that_is_missing(
    fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str], asked: str, by_kind: dict[str, str]
) -> None:
    say(config, fake.host, 5, by_kind=by_kind)
    assert command(config, "--llm", asked, *NEW) == 2
    error = capsys.readouterr().err
    assert error.endswith(f"OLLAMA_HOST={fake.host} ollama pull mistral\n")
    assert error.count("\n") == 1
    assert not (config.parent / "results").exists()


def test_a_run_that_goes_on_is_estimated_by_its_own_speed(fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(config, fake.host, 5)
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW[:-1], "60") == 0
    assert "tokens a second read" in capsys.readouterr().out
    assert command(config, "--resume", "--step", "1") == 0
    assert "calls a minute of this run so far" in capsys.readouterr().out


def test_waits_are_written_to_the_log(fake: FakeOllama, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(config, fake.host, 5)
    fake.trouble.append("503")
    log = config.parent / "town.log"
    assert command(config, "--llm", "ollama:qwen3:8b", *NEW, "--log", str(log)) == 0
    assert "asking again in" in log.read_text("utf-8")
    assert "asking again in" in capsys.readouterr().err


def test_auto_without_a_server_lives_on_rules(nobody: str, config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(config, nobody, 5)
    assert command(config, "--llm", "auto", *NEW) == 0
    assert "scripted (no language model): no Ollama answers" in capsys.readouterr().out.splitlines()[0]


def digests(config: Path) -> list[str]:
    with Run.open(config.parent / "results", "town") as run:
        return list(run.digests())
