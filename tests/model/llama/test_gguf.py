"""`gguf:FILE` as `--llm` and `--embedding` name it: which file, which model, what is said where it
can't be had, and a process that dies.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hometown.backends import choose_model
from hometown.cli import start
from hometown.config import combine
from hometown.doctor import probe
from hometown.errors import BadInput, CallFailed, ModelBusy, ModelUnavailable
from hometown.model.embedding import make_embedder
from hometown.model.llama import gguf_files as files
from hometown.model.llama import llama_server as server
from hometown.model.llama.gguf import GgufModel, speed_of
from hometown.model.llm import Completion, Request
from hometown.model.openai_server import WAYS
from hometown.model.watchdog import TooSlow
from hometown.records import Message
from hometown.settings import Settings
from tests.support.conformance import REQUESTS
from tests.support.gguf_files import write_gguf
from tests.support.hang import HANG
from tests.support.no_waiting import without_waiting

ASKED = REQUESTS["utterance", "en"]
DEADLY = replace(ASKED, messages=(Message("user", "die"),))


@pytest.fixture(autouse=True)
def _as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries don't wait. The end of a process is awaited, which is always certain here; and the
    doctor has time.
    """
    without_waiting(monkeypatch)
    monkeypatch.setattr(server, "REAPING_SECONDS", HANG)
    monkeypatch.setattr(probe, "SECONDS", HANG)


def settings(**machine: Any) -> Settings:
    return combine([{"machine": {"slots": 3, **machine}, "llm": {"num_ctx": 1024}}])


async def test_it_answers_with_what_llama_cpp_says(
    fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_LLAMA_TEXT", '{"say": "Hello.", "end": false}')
    model, reason = await choose_model(f"gguf:{fake}", settings())
    assert (await model.complete(ASKED, seed=2**63)).text == '{"say": "Hello.", "end": false}'
    assert model.name == f"gguf:{fake}"
    assert (
        reason == "gguf:small.gguf, as asked"
    )  # the reason is stored in the run, and shown: no folder of a private machine


@pytest.mark.parametrize("guided", [True, False])
def test_a_reply_is_held_to_compact_json_where_llama_cpp_can(
    guided: bool, fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.LlamaServer, "guided", guided)
    body = GgufModel(str(fake), settings())._body(ASKED, 1, WAYS[0])
    assert ("grammar" in body, "response_format" in body) == (guided, not guided)


async def test_its_speed_is_measured_once_it_is_loaded(fake: Path) -> None:
    """For an estimate before the run; a process that dies meanwhile, or tells no times, has none."""
    model, _ = await choose_model(f"gguf:{fake}", settings())
    assert server.measured_speed(model.name) == (2 / 0.004, 2 / 0.05)
    assert server.measured_speed("gguf:other") is None
    assert speed_of(Completion("", 3, 2)) is None


def test_one_too_slow_to_be_measured_is_not_promised_in_minutes(
    fake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine that is busy with other work may write less than a token a second."""

    async def late(_model: GgufModel, request: Request, **_: object) -> Completion:
        if request.kind == "speed":
            raise ModelBusy("late") from TooSlow(32)
        raise ModelUnavailable("gone")

    monkeypatch.setattr(GgufModel, "complete", late)
    argv = [
        "--name",
        "town",
        "--world",
        "minitown",
        "--until",
        "24:00",
        "--embedding",
        "hash",
        "--lang",
        "en",
    ]
    assert start.main([*argv, "--llm", f"gguf:{fake}", "--results", str(tmp_path)]) == 3
    assert re.search(
        r"tokens, more than \d+ hours, since fewer than 0\.5 tokens per second were written just now; .*llama_threads",
        capsys.readouterr().out,
    )


async def test_slots_and_context_come_from_the_settings_and_the_file(fake: Path) -> None:
    for context, expected in ((1024, 1024), (8192, 2048)):  # the file was trained for 2048
        model = GgufModel(
            str(fake),
            combine(
                [
                    {
                        "machine": {"slots": 3, "llama_threads": 2, "gpu_layers": 5},
                        "llm": {"num_ctx": context},
                    }
                ]
            ),
        )
        order = model.server.order
        assert (order.slots, order.context, order.threads, order.gpu_layers) == (3, expected, 2, 5)
        assert order.needed == fake.stat().st_size + 3 * expected * 256
        assert model.context("utterance") == expected


async def test_a_process_that_dies_is_replaced_and_the_call_goes_on(fake: Path) -> None:
    told: list[str] = []
    model, _ = await choose_model(f"gguf:{fake}", settings(), notify=told.append)
    bare = model.model  # type: ignore[attr-defined]
    with pytest.raises(ModelBusy, match=r"llama\.cpp has ended \(code 9\) and is started again"):
        await bare.complete(DEADLY, seed=1)
    assert (await model.complete(ASKED, seed=1)).text == "{}"
    replies = await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(8)))
    assert {reply.text for reply in replies} == {"{}"}
    assert bare.server.starts == 2


async def test_a_prompt_that_kills_it_every_time_is_given_up_and_the_others_go_on(
    fake: Path,
) -> None:
    told: list[str] = []
    model, _ = await choose_model(f"gguf:{fake}", settings(), notify=told.append)
    with pytest.raises(CallFailed, match=r"llama\.cpp has ended"):
        await model.complete(DEADLY, seed=1)
    assert any("asking again" in line for line in told)
    assert (await model.complete(ASKED, seed=1)).text == "{}"


async def test_auto_takes_the_file_of_the_settings_where_there_is_no_ollama(fake: Path) -> None:
    model, reason = await choose_model("auto", settings(gguf=str(fake)))
    assert model.name == f"gguf:{fake}"
    assert (
        reason
        == "gguf:small.gguf: no Ollama answers, and the settings name this file (machine.gguf)"
    )
    _, reason = await choose_model("auto", settings(gguf=str(fake)), "zh")
    assert "没有 Ollama 应答" in reason


async def test_auto_does_not_pass_over_a_file_that_is_gone(fake: Path) -> None:
    """Whoever names a file wants that model, and not a day with the stand-in."""
    with pytest.raises(BadInput, match=r"there is no such file"):
        await choose_model("auto", settings(gguf=str(fake.with_name("gone.gguf"))))


async def test_single_prompts_go_to_the_same_process(fake: Path) -> None:
    by_kind = {"poignancy": f"gguf:{fake}", "place": f"gguf:{fake}"}
    model, reason = await choose_model("scripted", combine([{"llm": {"by_kind": by_kind}}]))
    inner = [each.model for each in model.by_kind.values()]  # type: ignore[attr-defined]
    assert inner[0].server is inner[1].server
    assert str(fake.parent) not in reason


def test_a_file_that_moved_is_found_by_its_name(fake: Path, tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    moved = fake.rename(tmp_path / "models" / fake.name)
    assert files.find_file(str(fake), settings()) == moved
    assert files.find_file("small.gguf", settings()) == moved
    elsewhere = moved.rename(tmp_path / fake.name)
    assert files.find_file("/gone/small.gguf", settings(gguf=str(elsewhere))) == elsewhere
    with pytest.raises(
        BadInput,
        match=r"gguf:other\.gguf: there is no such file, and no other\.gguf in .*models; hometown model list",
    ):
        files.find_file("other.gguf", settings(gguf=str(elsewhere)))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"not a model", "can't be used as a GGUF file: it does not start with the bytes GGUF"),
        (b"GGUF\x03\x00", "can't be used as a GGUF file: it is truncated"),
    ],
)
async def test_a_file_of_another_kind_is_bad_input(data: bytes, message: str, fake: Path) -> None:
    fake.write_bytes(data)
    with pytest.raises(BadInput, match=message):
        await choose_model(f"gguf:{fake}", settings())


async def test_a_model_is_used_for_what_it_can(fake: Path) -> None:
    with pytest.raises(
        BadInput, match="a language model, not an embedding model; use it with --llm"
    ):
        make_embedder(f"gguf:{fake}", settings())
    write_gguf(fake, llama__pooling_type=1)
    with pytest.raises(
        BadInput, match="an embedding model, not a language model; use it with --embedding"
    ):
        await choose_model(f"gguf:{fake}", settings())


async def test_the_missing_package_is_named(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find_spec", lambda _: None)
    with pytest.raises(
        BadInput, match=r"llama\.cpp is not installed: pip install xllamacpp"
    ) as caught:
        await choose_model(f"gguf:{fake}", settings())
    assert "\n" not in str(caught.value)


async def test_vectors_come_from_a_process_of_their_own(fake: Path) -> None:
    """With one slot, so that a text's vector does not depend on its batch; and after its death from
    another one.
    """
    write_gguf(fake, llama__pooling_type=1, llama__context_length=512)
    embedder = make_embedder(f"gguf:{fake}", settings())
    assert (embedder.name, embedder.dimension) == (f"gguf:{fake}", 2)
    (order,) = [order for order in server._shared if order.embedding and order.file == str(fake)]
    assert (order.slots, order.context) == (1, 512)
    vectors = await embedder.embed(["abc", "abcd"])
    np.testing.assert_allclose(
        vectors, [[3 / 10**0.5, 1 / 10**0.5], [4 / 17**0.5, 1 / 17**0.5]], rtol=1e-6
    )
    server._shared[order].stop()
    np.testing.assert_array_equal(await embedder.embed(["abc"]), vectors[:1])


def examined(
    capsys: pytest.CaptureFixture[str], llm: str, config: Path
) -> tuple[int, list[dict[str, Any]]]:
    code = start.main(
        [
            "--doctor",
            "--json",
            "--lang",
            "en",
            "--embedding",
            "hash",
            "--llm",
            llm,
            "--config",
            str(config),
        ]
    )
    return code, json.loads(capsys.readouterr().out)["checks"]


def test_the_doctor_starts_it_and_asks(
    fake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With auto, too, where there is no Ollama and the settings name a file."""
    monkeypatch.setenv("FAKE_LLAMA_TEXT", '{"say": "Good morning.", "end": false}')
    (config := tmp_path / "c.json").write_text(
        json.dumps({"machine": {"gguf": str(fake)}, "llm": {"num_ctx": 1024}})
    )
    for llm in (f"gguf:{fake}", "auto"):
        code, checks = examined(capsys, llm, config)
        found = {check["name"]: check for check in checks}
        assert code == 0, checks
        assert found["model"]["detail"].endswith("small.gguf 1M")
        assert all(
            found[name]["ok"]
            for name in ("server", "model", "context", "structured", "language_en")
        )


def test_the_doctor_says_how_to_get_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (config := tmp_path / "c.json").write_text("{}")
    code, checks = examined(capsys, "gguf:none.gguf", config)
    (fault,) = [check for check in checks if not check["ok"] and check["name"] != "embedding"]
    assert code == 1
    assert "there is no such file" in fault["detail"]
    assert "hometown model get NAME" in fault["fix"]
