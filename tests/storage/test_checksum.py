"""Whatever was altered in a run's file after it was written is told, and committed steps that are
gone are missed.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.errors import BadRun
from hometown.repair import examine_run
from hometown.storage import committed
from hometown.storage.checksum import make_section, make_state_section, row_checksum, step_checksum
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from tests.support.storage_sample import live, sample_run

STEPS = 6
NAME = "sample"


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run as a killed process leaves it: six steps, the last ones in the write-ahead log, and two
    replies in the journal.
    """
    results = tmp_path_factory.mktemp("stopped")
    run = sample_run(results, STEPS, NAME)
    for attempt in range(2):
        run.journal.put(STEPS + 1, "ana", "rate", 0, attempt, b"asked", b'{"text": "coffee"}')
    run.journal.flush()
    shutil.copytree(results, results / "killed")
    run.close()
    return results / "killed"


@pytest.fixture
def killed(stopped: Path, tmp_path: Path) -> Path:
    shutil.copytree(stopped, tmp_path, dirs_exist_ok=True)
    return tmp_path


def alter(results: Path, statement: str) -> None:
    with closing(sqlite3.connect(file_of(results, NAME))) as database, database:
        assert database.execute(statement).rowcount > 0


def check(results: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["--check", NAME, "--results", str(results), "--lang", "en"])
    return code, capsys.readouterr().out


def test_a_killed_run_is_whole(killed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert committed.read_note(file_of(killed, NAME).parent)[0] == STEPS
    code, told = check(killed, capsys)
    assert (code, "checksums match" in told, "2 replies are kept" in told) == (0, True, True)


def test_rows_of_the_state_are_covered_as_all_rows_are() -> None:
    rows = [("body/ana", 12, b"{}"), ("clock/town", 12, "é".encode()), ("talking/bo", 12, None)]
    assert make_state_section(rows) == make_section(rows)
    assert make_state_section([]) == make_section([])


ALTERED = {
    "UPDATE steps SET time = '2025-02-13T06:31:00' WHERE step = 3": "step 3",
    "UPDATE steps SET stats = '{}' WHERE step = 4": "step 4",
    "UPDATE calls SET model = 'other' WHERE step = 2": "step 2",
    "UPDATE calls SET ms = ms + 1 WHERE step = 5": "step 5",
    "UPDATE calls SET prompt_tokens = prompt_tokens + 1 WHERE step = 6": "step 6",
    "UPDATE calls SET attempts = CAST(replace(attempts, 'ratings', 'ratinGs') AS BLOB) WHERE step = 1": "step 1",
    "UPDATE prompts SET messages = (SELECT messages || x'' FROM prompts WHERE step = 1) WHERE step = 2": "step 2",
    "DELETE FROM calls WHERE step = 3": "step 3",
    "INSERT INTO calls SELECT step, resident, kind, 7, model, outcome, reply, attempts, retrieved, prompt, 1, 1, ms FROM calls WHERE step = 3": "step 3",
    "UPDATE checksums SET checksum = x'00' WHERE step = 4": "step 4, step 5",
    "DELETE FROM checksums WHERE step = 4": "step 4, step 5",
    "UPDATE journal SET reply = CAST(replace(reply, 'coffee', 'coffin') AS BLOB) WHERE attempt = 0": "1 rows of journal",
    "UPDATE embeddings SET vector = (SELECT vector FROM embeddings LIMIT 1) WHERE rowid = 3": "1 rows of embeddings",
    "UPDATE meta SET value = '99' WHERE key = 'planned_end'": "1 rows of meta",
    "UPDATE meta SET value = CAST(replace(value, '\"seed\":1', '\"seed\":2') AS BLOB) WHERE key = 'manifest'": "1 rows of meta",
}


@pytest.mark.parametrize("statement", ALTERED)
def test_what_no_digest_covers_is_covered_by_a_checksum(
    statement: str, killed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(killed, statement)
    code, told = check(killed, capsys)
    assert code == 1
    assert f"altered since they were written are {ALTERED[statement]}\n" in told


def test_an_altered_reply_is_requested_again(killed: Path) -> None:
    """The other one is used, and repairing leaves the altered one behind."""
    alter(
        killed,
        "UPDATE journal SET reply = CAST(replace(reply, 'coffee', 'coffin') AS BLOB) WHERE attempt = 0",
    )
    assert main(["--repair", NAME, "--name", "saved", "--results", str(killed)]) == 0
    for name in (NAME, "saved"):
        with RunFile.open(killed, name, write=True) as run:
            assert [
                run.journal.get(STEPS + 1, "ana", "rate", 0, attempt, b"asked")
                for attempt in range(2)
            ] == [None, b'{"text": "coffee"}']


def test_a_repaired_run_does_not_vouch_for_what_was_altered(
    killed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    alter(killed, "UPDATE calls SET model = 'other' WHERE step = 2")
    assert main(["--repair", NAME, "--name", "saved", "--results", str(killed)]) == 0
    with RunFile.open(killed, "saved") as run:
        found = examine_run(run)
        assert found.sound
        assert (found.checksums.steps, found.checksums.without) == ((), 1)


def test_a_run_whose_last_step_was_altered_is_not_continued(killed: Path) -> None:
    alter(killed, f"UPDATE calls SET model = 'other' WHERE step = {STEPS}")
    with pytest.raises(BadRun, match=f"step {STEPS} is not as it was written"):
        RunFile.open(killed, NAME, write=True)


def test_a_checksum_depends_on_types_places_and_the_step_before(stopped: Path) -> None:
    assert (
        len(
            {
                row_checksum(*row)
                for row in (
                    (1, "a"),
                    ("1", "a"),
                    (b"1", "a"),
                    (1.0, "a"),
                    ("1a",),
                    (None, "1a"),
                    ("1", None, "a"),
                )
            }
        )
        == 7
    )
    assert row_checksum("a", None) == row_checksum("a"), "a column may be added later"
    with RunFile.open(stopped, NAME) as run:
        assert step_checksum(run.database, 3, b"") != step_checksum(run.database, 3, b"x")


# steps that are gone -------------------------------------------------------------------------


def lose_log(results: Path) -> int:
    """Deletes the write-ahead log, and gives the last step of what is left."""
    file_of(results, NAME).with_name("run.sqlite-wal").unlink()
    file_of(results, NAME).with_name("run.sqlite-shm").unlink()
    with closing(sqlite3.connect(file_of(results, NAME))) as database:
        return int(database.execute("SELECT max(step) FROM steps").fetchone()[0])


def test_a_lost_log_is_told_and_not_overwritten(
    killed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = lose_log(killed)
    assert left < STEPS
    code, told = check(killed, capsys)
    assert code == 1
    assert f"up to {STEPS} had been committed" in told
    with pytest.raises(
        BadRun, match=rf"lacks step {STEPS}, which was committed.*continue from step {left}"
    ):
        RunFile.open(killed, NAME, write=True)
    with RunFile.open(killed, NAME) as run:
        assert run.last.step == left, "it can be read, forked and repaired"
    file_of(killed, NAME).with_name(committed.FILE).unlink()
    with RunFile.open(killed, NAME, write=True) as run:
        live(run, run.restore(), 1)


def test_a_damaged_log_is_told(killed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = file_of(killed, NAME).with_name("run.sqlite-wal")
    data = bytearray(log.read_bytes())
    data[len(data) // 3] ^= 1
    log.write_bytes(data)
    file_of(killed, NAME).with_name("run.sqlite-shm").unlink()
    assert check(killed, capsys)[0] == 1


@pytest.mark.parametrize(
    "content", [None, b"", b"[]", b"null", b'{"step": "6", "digest": 0}', b"\xff" * 40]
)
def test_without_a_note_nothing_is_said(content: bytes | None, killed: Path) -> None:
    """After a power failure the note may be missing, empty or noise; older runs have none."""
    note = file_of(killed, NAME).with_name(committed.FILE)
    note.unlink()
    if content is not None:
        note.write_bytes(content)
    with RunFile.open(killed, NAME, write=True) as run:
        assert run.last.step == STEPS


def test_a_note_that_is_behind_is_no_fault(killed: Path) -> None:
    """As after a kill between a commit and its note."""
    with RunFile.open(killed, NAME) as run:
        committed.note_step(file_of(killed, NAME).parent, 2, run.digests()[2])
        assert examine_run(run).sound
    RunFile.open(killed, NAME, write=True).close()


def test_another_file_in_a_runs_place_is_told(
    killed: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    committed.note_step(file_of(killed, NAME).parent, 2, "00" * 32)
    with pytest.raises(BadRun, match="lacks step 2"):
        RunFile.open(killed, NAME, write=True)


def test_a_run_that_was_closed_has_no_note(killed: Path) -> None:
    RunFile.open(killed, NAME, write=True).close()
    assert not file_of(killed, NAME).with_name(committed.FILE).exists()


def test_without_waiting_for_the_disk_there_is_no_note(tmp_path: Path) -> None:
    """A power failure may then lose committed steps, which would be told as damage."""
    sample_run(tmp_path, 1, NAME).close()
    with RunFile.open(tmp_path, NAME, write=True, synchronous="NORMAL") as run:
        live(run, run.restore(), 1)
        assert not file_of(tmp_path, NAME).with_name(committed.FILE).exists()
