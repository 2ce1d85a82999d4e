"""Backends that are registered, by a call or by an installed package: for runs, for single prompts,
and for `--doctor`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometown import backends
from hometown.backends import backend_names, choose_model, register
from hometown.cli import start
from hometown.config import combine
from hometown.errors import BadInput, ModelBusy
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings


class Relay:
    """Passes every request on to the scripted model."""

    def __init__(self, model: str, settings: Settings) -> None:
        self.name = f"relay:{model}"
        self.scripted = ScriptedModel()

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        return await self.scripted.complete(request, seed=seed, priority=priority)


class Away(Relay):
    def __init__(self, model: str, settings: Settings) -> None:
        self.name = f"away:{model}"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        raise ModelBusy("{name}: the queue is full", name=self.name)


class Misnamed(Relay):
    def __init__(self, model: str, settings: Settings) -> None:
        self.name = model


@pytest.fixture(autouse=True)
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "_registered", {})
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that registers three backends."""
    info = tmp_path / "relays-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: relays\nVersion: 1.0\n")
    entries = (
        "relay = tests.test_backends:Relay",
        "gone = tests.test_backends:Gone",
        "lacking = a_package_that_is_missing:Model",
    )
    (info / "entry_points.txt").write_text("\n".join(("[hometown.backends]", *entries)))
    monkeypatch.syspath_prepend(str(tmp_path))


async def test_a_registered_backend_is_chosen_by_its_name() -> None:
    register("relay", Relay)
    model, reason = await choose_model("relay:any", combine([]))
    assert model.name == "relay:any"
    assert "relay:any" in reason
    assert "relay" in backend_names()


@pytest.mark.usefixtures("installed")
async def test_an_installed_package_registers_one() -> None:
    assert {"relay", "gone", "ollama"} <= set(backend_names())
    model, _ = await choose_model("relay:any", combine([]))
    assert model.name == "relay:any"


async def test_single_prompts_go_to_it() -> None:
    register("relay", Relay)
    model, _ = await choose_model(
        "scripted", combine([{"llm": {"by_kind": {"utterance": "relay:any"}}}])
    )
    assert model.name == "scripted with utterance=relay:any"


@pytest.mark.parametrize("name", ["", "ollama", "scripted", "auto", "a:b"])
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="can't be registered"):
        register(name, Relay)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "gone:any",
            "backend 'gone' is registered as 'tests.test_backends:Gone', which does not exist",
        ),
        (
            "lacking:any",
            "needs a_package_that_is_missing, which is not installed: install it beside Hometown",
        ),
        ("relay:", "unknown language model 'relay:'.*relay:MODEL"),
        ("wrong:any", "backend 'wrong' calls its model 'any'; the name should be 'wrong:any'"),
    ],
)
async def test_what_cannot_be_had_is_told_in_a_line(spec: str, message: str) -> None:
    register("wrong", Misnamed)
    with pytest.raises(BadInput, match=message) as caught:
        await choose_model(spec, combine([]))
    assert "\n" not in str(caught.value)


def examined(
    capsys: pytest.CaptureFixture[str], llm: str
) -> tuple[int, dict[str, tuple[bool, str, str]]]:
    code = start.main(["--doctor", "--json", "--lang", "en", "--embedding", "hash", "--llm", llm])
    return code, {
        check["name"]: (check["ok"], check["detail"], check["fix"])
        for check in json.loads(capsys.readouterr().out)["checks"]
    }


def test_the_doctor_asks_the_backend_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """And not Ollama, of which such a run would ask nothing."""
    register("relay", Relay)
    code, checks = examined(capsys, "relay:any")
    assert code == 0
    assert all(
        checks[name][0]
        for name in ("server", "model", "structured", "language_en", "language_zh", "speed")
    )
    assert "ollama" not in json.dumps(checks).lower().replace(checks["packages"][1], "")


def test_the_doctor_passes_on_what_the_backend_says(capsys: pytest.CaptureFixture[str]) -> None:
    register("away", Away)
    code, checks = examined(capsys, "away:any")
    assert code == 1
    assert checks["server"][0]
    assert "away:any: the queue is full" in checks["structured"][1]


def test_the_doctor_names_all_backends(capsys: pytest.CaptureFixture[str]) -> None:
    register("relay", Relay)
    code, checks = examined(capsys, "nothing:any")
    assert code == 1
    assert "relay" in checks["model"][2]
