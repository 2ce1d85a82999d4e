"""`start.py` as its users meet it: what is printed, what is kept, and what each exit code means."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hometown import session
from hometown.cli import start
from hometown.cli.options import SessionOptions
from hometown.cli.run_opening import steps_to_simulate
from hometown.errors import ModelUnavailable
from hometown.language import Lang
from hometown.model.llm import Completion, Request
from hometown.paths import ROOT, WORLDS
from hometown.storage.run import RunFile
from hometown.world import load
from tests.support.command_lines import parse
from tests.support.hang import HANG

NEW = ["--world", "minitown", "--lang", "en", "--llm", "scripted", "--embedding", "hash"]


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with the run `town`, which has lived its two steps."""
    results = tmp_path_factory.mktemp("results")
    assert main(["--name", "town", "--step", "2", *NEW], results) == 0
    return results


def main(argv: list[str], results: Path) -> int:
    return start.main([*argv, "--results", str(results)])


def digests(results: Path, name: str = "town") -> list[str]:
    with RunFile.open(results, name) as run:
        return list(run.digests())


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


# living ---------------------------------------------------------------------------------------


def test_a_run_says_who_speaks_shows_each_step_and_ends_with_its_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--name", "town", "--step", "3", *NEW], tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "scripted (no language model)" in lines[0]
    assert [line.split()[1] for line in lines if line.startswith("step ")] == ["1/3", "2/3", "3/3"]
    assert lines[-1] == f"digest {digests(tmp_path)[-1]}"
    for word in ("residents", "memories", "conversations", "model calls", "fallbacks", "time"):
        assert any(line.startswith(word) for line in lines), word


def test_a_new_run_reads_its_world_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []
    inspect = load.inspect_world

    def counted(folder: Path, lang: Lang, **how: Any) -> Any:
        read.append(folder)
        return inspect(folder, lang, **how)

    monkeypatch.setattr(load, "inspect_world", counted)
    load._load_unchanged.cache_clear()  # other tests have read it
    assert main(["--name", "town", "--step", "1", *NEW], tmp_path) == 0
    assert read == [WORLDS / "minitown"]


def test_it_speaks_chinese_where_the_run_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "--name",
                "城",
                "--step",
                "1",
                "--world",
                "minitown",
                "--lang",
                "zh",
                "--llm",
                "scripted",
            ],
            tmp_path,
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "居民" in out
    assert "residents" not in out


def test_the_digest_of_every_step(lived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--digest", "town"], lived) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{step} {digest}" for step, digest in enumerate(digests(lived))
    ]


@pytest.mark.parametrize(
    ("said", "now", "stride", "steps"),
    [
        ({"until": 24 * 60}, "06:00", 10, 108),
        ({"until": 8 * 60}, "06:00", 7, 18),  # ends at 08:06, the first step that reaches it
        ({"until": 6 * 60}, "06:00", 10, 144),  # the next time that it is six
        ({"until": 0}, "23:50", 60, 1),
        ({"step": 5}, "06:00", 10, 5),
        ({}, "06:00", 10, 0),
    ],
)
def test_how_far_a_run_goes(said: dict[str, int], now: str, stride: int, steps: int) -> None:
    argv = [
        "--name",
        "a",
        *(
            word
            for key, value in said.items()
            for word in (
                f"--{key}",
                f"{value // 60}:{value % 60:02d}" if key == "until" else str(value),
            )
        ),
    ]
    assert (
        steps_to_simulate(
            SessionOptions(**{key: parse("start.py", argv)[key] for key in ("step", "until")}),
            datetime.fromisoformat(f"2025-02-13T{now}"),
            stride,
        )
        == steps
    )


def test_a_day_is_the_length_of_a_run_that_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_before_the_first_step(monkeypatch)
    assert main(["--name", "town", "--stride", "7", *NEW], tmp_path) == 3
    with RunFile.open(tmp_path, "town") as run:
        assert (run.planned_end, run.last.step) == (206, 0)


def test_residents_by_id_by_name_in_either_language_or_by_number(tmp_path: Path) -> None:
    with_ids = {}
    for name, residents in {
        "ids": "lin_yue,chen_siyuan",
        "names": "陈思远,Lin Yue",
        "count": "2",
    }.items():
        assert main(["--name", name, "--step", "1", "--residents", residents, *NEW], tmp_path) == 0
        with RunFile.open(tmp_path, name) as run:
            with_ids[name] = run.manifest.residents
    assert with_ids["ids"] == with_ids["names"] == sorted(with_ids["ids"])
    assert len(with_ids["count"]) == 2
    assert digests(tmp_path, "ids") == digests(tmp_path, "names")


def test_settings_of_a_run_are_kept_in_it(tmp_path: Path) -> None:
    config = tmp_path / "mine.json"
    config.write_text(json.dumps({"percept": {"vision_r": 3}, "machine": {"slots": 2}}))
    assert main(["--name", "town", "--step", "1", "--config", str(config), *NEW], tmp_path) == 0
    with RunFile.open(tmp_path, "town") as run:
        assert run.manifest.settings.percept.vision_r == 3
        assert "machine" not in run.manifest.model_dump()["settings"]


def test_a_log_has_times_and_with_debug_more_than_the_story(tmp_path: Path) -> None:
    log, story = tmp_path / "log.txt", tmp_path / "story.txt"
    debug = ["--step", "4", "--log", str(log), "--verbose", "debug"]
    assert main(["--name", "town", *debug, *NEW], tmp_path) == 0
    text = log.read_text("utf-8")
    assert all(re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", line) for line in text.splitlines())
    assert digests(tmp_path)[-1] in text
    for part in ("call:wake_up#0 ok", "Began(", "INFO hometown.cli.step_log: Wang Fang: "):
        assert part in text
    resumed = ["--resume", "--step", "1", "--log", str(story)]
    assert main(["--name", "town", *resumed], tmp_path) == 0
    assert " INFO " in story.read_text("utf-8")
    assert " DEBUG " not in story.read_text("utf-8")


# going on -------------------------------------------------------------------------------------


def test_resume_goes_on_to_where_the_run_was_meant_to_end(tmp_path: Path, lived: Path) -> None:
    assert main(["--name", "town", "--step", "1", *NEW], tmp_path) == 0
    with RunFile.open(tmp_path, "town", write=True) as run:
        run.set_planned_end(2)
    assert main(["--name", "town", "--resume"], tmp_path) == 0
    assert digests(tmp_path) == digests(lived)


def test_resume_with_steps_lives_so_many_more(tmp_path: Path) -> None:
    assert main(["--name", "town", "--step", "1", *NEW], tmp_path) == 0
    assert main(["--name", "town", "--resume", "--step", "2"], tmp_path) == 0
    assert main(["--name", "town", "--resume", "--until", "07:00"], tmp_path) == 0
    with RunFile.open(tmp_path, "town") as run:
        assert (run.last.step, f"{run.last.time:%H:%M}") == (6, "07:00")


def test_progress_counts_what_the_summary_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--name", "town", "--step", "1", *NEW], tmp_path) == 0
    assert main(["--name", "town", "--resume", "--step", "1"], tmp_path) == 0
    shown = capsys.readouterr().out
    calls = re.findall(r"step 2/2 .* (\d+) calls", shown)
    assert calls == [re.findall(r"model calls +(\d+)", shown)[-1]]


def test_resume_of_a_run_that_is_done_sums_it_up_and_needs_no_model(
    lived: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(session, "choose_model")
    before = files(lived)
    assert main(["--name", "town", "--resume"], lived) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"digest {digests(lived)[-1]}"
    assert files(lived) == before


def test_resume_with_what_the_run_is_anyway(lived: Path) -> None:
    said = ["--stride", "10", "--seed", "0", "--start", "20250213-06:00", "--llm", "auto", *NEW]
    assert main(["--name", "town", "--resume", *said], lived) == 0


@pytest.mark.parametrize(
    ("said", "both"),
    [
        (["--stride", "5"], ["--stride 10", "5"]),
        (["--lang", "zh"], ["--lang en", "zh"]),
        (["--seed", "9"], ["--seed 0", "9", "--fork town@2 --seed 9"]),
        (["--world", "ville"], ["--world minitown", "ville"]),
        (["--start", "20250213-07:00"], ["20250213-06:00", "20250213-07:00"]),
        (
            ["--llm", "ollama:qwen3:8b"],
            [
                "--llm scripted",
                "ollama:qwen3:8b",
                "start.py --name town-2 --fork town@2 --llm ollama:qwen3:8b",
            ],
        ),
        (["--embedding", "huggingface:x"], ["--embedding hash", "huggingface:x"]),
        (["--residents", "1"], ["--residents"]),
    ],
)
def test_options_that_contradict_the_run(
    said: list[str], both: list[str], lived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(lived)
    assert main(["--name", "town", "--resume", *said], lived) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    for value in both:
        assert value in error
    assert files(lived) == before


def test_a_settings_file_that_contradicts_the_run(
    tmp_path: Path, lived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.json"
    config.write_text(
        json.dumps({"percept": {"vision_r": 3}, "chat_iter": 4, "machine": {"slots": 2}})
    )
    assert main(["--name", "town", "--resume", "--config", str(config)], lived) == 2
    assert capsys.readouterr().err.startswith("run 'town' has --config percept.vision_r 8, not 3")


@pytest.mark.parametrize(
    ("began", "again"),
    [
        ({"detail": {"cast": ["Lin Yue", "Wang Fang"], "others": "scripted"}}, None),
        (
            {"llm": {"by_kind": {"interview": "scripted", "react": "scripted"}}},
            {"llm": {"by_kind": {"react": "scripted"}}},
        ),
    ],
)
def test_a_run_is_resumed_and_forked_with_the_settings_it_began_with(
    began: dict[str, Any], again: dict[str, Any] | None, tmp_path: Path
) -> None:
    config = tmp_path / "mine.json"
    config.write_text(json.dumps(began))
    line = ["--name", "town", "--step", "1", "--config", str(config)]
    assert main([*line, *NEW], tmp_path) == 0
    config.write_text(json.dumps(again or began))
    assert main([*line, "--resume"], tmp_path) == 0
    fork = ["--fork", "town@1", "--name", "fork", "--step", "1", "--config", str(config)]
    assert main(fork, tmp_path) == 0
    assert main(["--resume", *line[:1], "fork", *line[2:]], tmp_path) == 0


def test_only_a_step_of_the_run_can_be_forked(
    lived: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--name", "late", "--fork", f"town@{10**11}"], lived) == 2
    assert capsys.readouterr().err == f"run 'town' has no step {10**11}: it has steps 0 to 2\n"


def test_a_run_that_another_process_writes(lived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "import sys; from pathlib import Path; from hometown.storage.run import Run"
    code += "; run = Run.open(Path(sys.argv[1]), 'town', write=True); print('has it', flush=True); input(); run.close()"
    with subprocess.Popen(
        [sys.executable, "-c", code, str(lived)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "has it\n"
        assert main(["--name", "town", "--resume", "--step", "1"], lived) == 2
        other.communicate("\n")
    assert "is in use by" in capsys.readouterr().err


# bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ([], "--name"),
        (["--name", ""], "''"),
        (["--name", "a/b"], "'a/b'"),
        (["--name", ".."], "'..'"),
        (["--name", "a", "--world", "nowhere"], "'nowhere'"),
        (["--name", "a", "--world", "../minitown"], "'../minitown'"),
        (["--name", "a", "--lang", "fr"], "'fr'"),
        (["--name", "a", "--start", "tomorrow"], "'tomorrow'"),
        (["--name", "a", "--start", "20250230-06:00"], "'20250230-06:00'"),
        (["--name", "a", "--start", "00010101-00:00", *NEW], "the year 1:"),
        (["--name", "a", "--start", "99991231-23:50", *NEW], "the year 9999:"),
        (["--name", "a", "--clone", f"{10**11}", *NEW], f"{10**11} residents"),
        (["--name", "a", "--step", "0"], "'0'"),
        (["--name", "a", "--step", "many"], "'many'"),
        (["--name", "a", "--stride", "241"], "'241'"),
        (["--name", "a", "--until", "25:00"], "'25:00'"),
        (["--name", "a", "--until", "12:00", "--step", "3"], "--until"),
        (["--name", "a", "--residents", "Nobody"], "'Nobody'"),
        (["--name", "a", "--residents", "0"], "0 residents"),
        (["--name", "a", "--residents", "99"], "99 residents"),
        (["--name", "a", "--residents", "a,,b"], "'a,,b'"),
        (["--name", "a", "--seed", "-1"], "'-1'"),
        (["--name", "a", "--llm", "gpt-nothing"], "'gpt-nothing'"),
        (["--name", "a", "--embedding", "word2vec"], "'word2vec'"),
        (["--name", "a", "--config", "not/there.json"], "not/there.json"),
        (["--name", "a", "--config", str(ROOT)], "a settings file (Is a directory)"),
        (["--name", "a", "--log", str(ROOT)], "Is a directory; name another file with --log"),
        (["--name", "a", "--tell", "hi", *NEW], "'hi' has no colon: write 'NAME: …'"),
        (["--name", "a", "--verbose", "loud"], "'loud'"),
        (["--name", "a", "--log", "not/there/log.txt"], "not/there/log.txt"),
        (["--name", "nothing", "--resume"], "'nothing'"),
        (["--digest", "nothing"], "'nothing'"),
        (["--nam", "a"], "--name"),
        (["--name", "a", "b"], "'b'"),
        (["--name"], "--name"),
    ],
)
def test_bad_input_gets_one_line_and_changes_nothing(
    argv: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv, tmp_path) == 2
    out, error = capsys.readouterr()
    assert error.count("\n") == 1
    assert said in error
    assert "usage:" not in error + out
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_taken(lived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = files(lived)
    assert main(["--name", "town", "--step", "1", *NEW], lived) == 2
    assert "'town' already exists: choose another name" in capsys.readouterr().err
    assert files(lived) == before


def newer(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda file: file.write_bytes(b"not a database at all"), "is not a run"),
        (lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]), "damaged"),
        (newer, "version 99"),
    ],
    ids=["no database", "cut short", "newer"],
)
def test_a_database_that_cannot_be_used(
    damage: Callable[[Path], object],
    said: str,
    lived: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(lived / "checkpoints" / "town", tmp_path / "checkpoints" / "town")
    damage(tmp_path / "checkpoints" / "town" / "run.sqlite")
    before = files(tmp_path)
    for argv in (["--name", "town", "--resume", "--step", "1"], ["--digest", "town"]):
        assert main(argv, tmp_path) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1
    assert files(tmp_path) == before


# stopping -------------------------------------------------------------------------------------


class Mute:
    """A model whose server has gone away."""

    name = "scripted"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        raise ModelUnavailable("the model server does not answer; start it again")


def stop_before_the_first_step(monkeypatch: pytest.MonkeyPatch) -> None:
    async def mute(*_: object) -> tuple[Mute, str]:
        return Mute(), ""

    monkeypatch.setattr(session, "choose_model", mute)


def test_a_model_that_is_gone_leaves_a_run_to_go_on_with(
    tmp_path: Path, lived: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        stop_before_the_first_step(patched)
        (config := tmp_path / "config.json").write_text("{}")
        assert main(["--name", "town", "--step", "2", "--config", str(config), *NEW], tmp_path) == 3
    out, error = capsys.readouterr()
    assert "does not answer" in error
    assert f"start.py --name town --resume --config {config} --results {tmp_path}" in out
    assert main(["--name", "town", "--resume"], tmp_path) == 0
    assert digests(tmp_path) == digests(lived)


@pytest.fixture
def running(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A run in a process of its own that has lived two steps and would live for a year."""
    argv = [
        sys.executable,
        "start.py",
        "--results",
        str(tmp_path),
        "--name",
        "town",
        "--step",
        "52560",
        *NEW,
    ]
    with subprocess.Popen(
        argv,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("step 2/"):
                break
        yield process
        process.kill()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "kill"])
def test_stopped_by_hand(
    how: signal.Signals, running: subprocess.Popen[str], tmp_path: Path, lived: Path
) -> None:
    running.send_signal(how)
    out, error = running.communicate(timeout=HANG)  # long before it would have ended by itself
    assert running.returncode == 130
    assert "start.py --name town --resume" in out
    assert "Traceback" not in error
    assert error == ""
    assert digests(tmp_path)[:3] == digests(lived)
    assert sorted(
        file.name
        for file in (tmp_path / "checkpoints" / "town").iterdir()
        if not file.name.startswith("run.lock")
    ) == ["run.sqlite"]


def test_stopped_before_there_is_an_event_loop(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    recwarn: pytest.WarningsRecorder,
) -> None:
    """One that is half made would complain when it is thrown away."""
    made, new_loop = [], asyncio.new_event_loop

    def interrupted() -> asyncio.AbstractEventLoop:
        signal.raise_signal(signal.SIGINT)
        made.append(new_loop())
        return made[0]

    monkeypatch.setattr(asyncio.events, "new_event_loop", interrupted)
    assert main(["--name", "town", "--step", "2", *NEW], tmp_path) == 130
    assert made
    assert made[0].is_closed()
    assert capsys.readouterr().err == ""
    assert [str(one.message) for one in recwarn] == []


@pytest.mark.parametrize(("script", "option"), [("start.py", "--resume"), ("replay.py", "--port")])
def test_help_answers_at_once(script: str, option: str, tmp_path: Path) -> None:
    """Nothing is imported for it that takes long: neither many modules nor any of the large
    packages.
    """
    command = [sys.executable, "-X", "importtime", str(ROOT / script), "--help"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert option in result.stdout
    imported = [
        line.rpartition("|")[2].strip()
        for line in result.stderr.splitlines()
        if line.startswith("import time:")
    ]
    assert 100 < len(imported) < 300
    assert not {name.partition(".")[0] for name in imported} & {
        "numpy",
        "pydantic",
        "flask",
        "httpx",
        "ollama",
        "jinja2",
        "llama_index",
        "PIL",
        "asyncio",
    }
