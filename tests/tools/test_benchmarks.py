"""The command that runs benchmarks; what they measure is theirs."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import benchmarks
from benchmarks import __main__ as command


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The names of the benchmarks that were run, none of which takes any time."""
    names: list[str] = []

    def stand_in(name: str) -> dict[str, float]:
        names.append(name)
        return {f"{name}_ms": 1.0}

    monkeypatch.setattr(
        command,
        "BENCHMARKS",
        {name: lambda name=name: stand_in(name) for name in command.BENCHMARKS},
    )
    monkeypatch.setattr(command, "OUTPUT", tmp_path / "bench.json")
    return names


def test_only_what_is_named_is_run(measured: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["paths", "startup"]) == 0
    assert measured == ["paths", "startup"]
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "paths_ms",
        "startup_ms",
    ]
    assert not command.OUTPUT.exists(), "a part is not written as the whole"


def test_without_a_name_all_are_run_and_written(measured: list[str]) -> None:
    assert command.main([]) == 0
    assert measured == list(command.BENCHMARKS)
    assert b"retrieval_ms" in command.OUTPUT.read_bytes()


def test_an_unknown_name_is_refused_with_those_that_there_are(
    measured: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as refused:
        command.main(["path"])
    assert refused.value.code == 2
    assert not measured
    words = capsys.readouterr().err
    assert "'path'" in words
    assert all(name in words for name in command.BENCHMARKS)


def test_every_benchmark_that_needs_no_argument_is_listed() -> None:
    modules = {
        name: import_module(f"benchmarks.{name}")
        for _, name, _ in pkgutil.iter_modules(benchmarks.__path__)
        if name != "__main__"
    }
    complete = {
        name
        for name, module in modules.items()
        if (measure := getattr(module, "measure", None))
        and not any(
            parameter.default is parameter.empty
            for parameter in inspect.signature(measure).parameters.values()
        )
    }
    assert complete == set(command.BENCHMARKS)
