"""`--check` and `--repair`: damage anywhere in a run's file is seen, and all that is sound is
rescued.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hometown.cli import compress
from hometown.cli.start import main
from hometown.storage.run import RunFile
from hometown.storage.run_names import LONGEST, file_of, run_names
from hometown.world.clones import populate
from hometown.world.interventions import Intervention
from tests.support.town import live, minitown
from tests.torture.damage import Original, damaged

STEPS = 40


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    results = tmp_path_factory.mktemp("whole")
    world = minitown()
    live(results, STEPS, world=populate(world, list(world.personas)[:3]), seed=3)
    return results


def start(results: Path, *argv: str) -> int:
    return main([*argv, "--results", str(results), "--lang", "en"])


def copied(whole: Path, results: Path, *statements: str) -> None:
    file = file_of(results, "town")
    file.parent.mkdir(parents=True)
    file.write_bytes(file_of(whole, "town").read_bytes())
    with closing(sqlite3.connect(file)) as database, database:
        for statement in statements:
            database.execute(statement)


def test_a_sound_run_is_sound(whole: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start(whole, "--check", "town") == 0
    assert f"intact up to its last step, {STEPS}" in capsys.readouterr().out


def test_of_a_run_without_its_beginning_no_repair_is_suggested(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(whole, tmp_path, "UPDATE steps SET digest = 'none' WHERE step = 0")
    assert start(tmp_path, "--check", "town") == 1
    told = capsys.readouterr().out
    assert "nothing can be recovered: restore a backup" in told
    assert "-1" not in told
    assert "--repair" not in told


def test_wherever_it_is_damaged_it_is_found_and_the_rest_is_rescued(tmp_path: Path) -> None:
    toll = damaged(Original.made(tmp_path / "whole"), tmp_path / "damaged", tries=25)
    assert toll.found + toll.harmless == toll.tries
    assert toll.rescued > 0.7 * toll.tries
    assert len(toll.kinds) > 8


def test_a_lost_tombstone_is_a_difference_and_the_rescued_run_lives_on(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(file_of(whole, "town"))) as database:
        (step,) = database.execute("SELECT min(step) FROM state WHERE value IS NULL").fetchone()
    copied(whole, tmp_path, f"DELETE FROM state WHERE value IS NULL AND step = {step}")
    assert start(tmp_path, "--check", "town") == 1
    assert f"lead up to step {step - 1}" in capsys.readouterr().out
    assert start(tmp_path, "--repair", "town", "--name", "saved") == 0
    assert start(tmp_path, "--name", "saved", "--resume", "--step", "1") == 0


ODD_ROWS = (
    "UPDATE memory_changes SET accessed = '5'",
    "UPDATE memories SET resident = CAST(resident AS BLOB) WHERE step = 5",
    "UPDATE memories SET poignancy = 9e999 WHERE step = 40",
    "UPDATE steps SET stats = 'null' WHERE step = 7",
    "UPDATE meta SET value = 'null' WHERE key = 'planned_end'",
)


@pytest.mark.parametrize("statement", ODD_ROWS)
def test_a_row_that_nothing_can_be_made_of_is_told_as_damage(
    statement: str,
    whole: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By whatever command comes upon it, and never by a traceback."""
    monkeypatch.setenv("LC_ALL", "C")
    copied(whole, tmp_path, statement)
    for command in (
        ["--name", "town", "--resume", "--step", "1"],
        ["--verify", "town"],
        ["--digest", "town"],
    ):
        assert start(tmp_path, *command) in (0, 1, 2)
    assert compress.main(["--name", "town", "--results", str(tmp_path)]) in (0, 2)
    assert "is damaged" in capsys.readouterr().err


def test_the_parent_is_named_if_its_pages_are_damaged_as_it_is_forked(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(whole, tmp_path)
    file = file_of(tmp_path, "town")
    with closing(sqlite3.connect(file)) as database:
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'effects'"
        ).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with file.open("r+b") as damaged_file:
        damaged_file.seek((page - 1) * size)
        damaged_file.write(b"\xff" * size)
    assert start(tmp_path, "--fork", "town@2", "--name", "other") == 2
    assert f"{file} is damaged (" in capsys.readouterr().err
    assert run_names(tmp_path) == ["town"]


def test_a_fault_of_the_program_is_not_told_as_damage(whole: Path) -> None:
    with pytest.raises(KeyError, match="a mistake"), RunFile.open(whole, "town"):
        raise KeyError("a mistake")


@pytest.mark.parametrize("content", [b"no request\n", None], ids=["noise", "folder"])
def test_an_inbox_that_cannot_be_read_is_told_and_the_rest_goes_on(
    content: bytes | None, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(whole, tmp_path)
    inbox = file_of(tmp_path, "town").with_name("inbox.jsonl")
    inbox.mkdir() if content is None else inbox.write_bytes(content)
    for argv, code in (
        (["--check", "town"], 1),
        (["--name", "town", "--resume", "--step", "1"], 2),
    ):
        assert start(tmp_path, *argv) == code
        output = capsys.readouterr()
        assert str(inbox) in output.out + output.err
    assert start(tmp_path, "--repair", "town", "--name", "saved") == 0
    assert start(tmp_path, "--name", "saved", "--resume", "--step", "1") == 0


def test_the_rescued_run_ends_before_the_damage_and_lives_on_as_before(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(
        whole,
        tmp_path,
        "UPDATE memories SET text = 'I was never here.' WHERE step = 30 AND id = (SELECT max(id) FROM memories WHERE step = 30)",
    )
    assert start(tmp_path, "--check", "town") == 1
    assert "intact up to step 29" in capsys.readouterr().out
    assert start(tmp_path, "--repair", "town", "--name", "saved") == 0
    assert start(tmp_path, "--name", "saved", "--resume") == 0
    with RunFile.open(whole, "town") as one, RunFile.open(tmp_path, "saved") as other:
        assert other.digests() == one.digests()
    assert start(tmp_path, "--verify", "saved") == 0


def test_what_the_user_still_wants_comes_along(whole: Path, tmp_path: Path) -> None:
    copied(whole, tmp_path)
    with RunFile.open(tmp_path, "town") as run:
        who = next(iter(run.manifest.residents))
    assert start(tmp_path, "--name", "town", "--tell", f"{who}: sing") == 0
    assert start(tmp_path, "--name", "town", "--resume", "--step", "2") == 0
    assert start(tmp_path, "--name", "town", "--tell", f"{who}: dance", "--at", "90") == 0
    with (
        file_of(tmp_path, "town").with_name("inbox.jsonl").open("ab") as inbox,
        closing(sqlite3.connect(file_of(tmp_path, "town"))) as database,
        database,
    ):
        inbox.write(b"\xff no request\n")
        database.execute(f"UPDATE memories SET text = 'I was never here.' WHERE step = {STEPS + 1}")
    assert start(tmp_path, "--repair", "town", "--name", "saved") == 0
    with RunFile.open(tmp_path, "saved") as run:
        assert run.last.step == STEPS
        assert [(one.text, one.step) for one in run.inbox.interventions()] == [
            ("sing", STEPS + 1),
            ("dance", 90),
        ]


def test_what_the_user_has_withdrawn_stays_withdrawn(whole: Path, tmp_path: Path) -> None:
    copied(whole, tmp_path)
    with RunFile.open(tmp_path, "town") as run:
        who = next(iter(run.manifest.residents))
        run.ask([Intervention("tell", who, text, 90) for text in ("sing", "dance")])
        run.inbox.withdraw(1)
    assert start(tmp_path, "--repair", "town", "--name", "saved") == 0
    with RunFile.open(tmp_path, "saved") as run:
        assert [one.text for one in run.waiting()] == ["dance"]


def test_the_longest_name_is_cut_for_the_name_of_the_rescued_run(
    whole: Path, tmp_path: Path
) -> None:
    copied(whole, tmp_path)
    file_of(tmp_path, "town").parent.rename(file_of(tmp_path, "x" * LONGEST).parent)
    assert start(tmp_path, "--repair", "x" * LONGEST) == 0
    assert run_names(tmp_path) == ["x" * (LONGEST - 9) + "-repaired", "x" * LONGEST]


def test_lost_vectors_are_made_anew_and_lost_calls_are_told(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damage = (
        "DELETE FROM embeddings WHERE rowid % 3 = 0",
        "UPDATE embeddings SET vector = substr(vector, 5)",
        "UPDATE calls SET attempts = x'00' WHERE step = (SELECT max(step) FROM calls)",
    )
    copied(whole, tmp_path, *damage)
    assert start(tmp_path, "--check", "town") == 1
    assert start(tmp_path, "--repair", "town") == 0
    told = capsys.readouterr().out
    assert "memories were embedded again" in told
    assert "calls of 1 step" in told
    assert f"start.py --name town-repaired --resume --results {tmp_path}" in told
    assert start(tmp_path, "--name", "town-repaired", "--resume", "--step", "3") == 0


def test_a_database_of_another_version_is_left_to_its_own_hometown(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(whole, tmp_path, "PRAGMA user_version = 77")
    for command in ("--check", "--repair"):
        assert start(tmp_path, command, "town") == 2
        assert "database version 77" in capsys.readouterr().err


def test_a_name_that_is_taken_is_not_overwritten(
    whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copied(whole, tmp_path)
    assert start(tmp_path, "--repair", "town", "--name", "town") == 2
    assert "already" in capsys.readouterr().err
    assert start(tmp_path, "--repair", "nobody") == 2
    assert start(tmp_path, "--check", "nobody") == 2
