"""Opening a run: who may, what is refused, and what is read as it is."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from hometown.errors import BadRun
from hometown.storage import table_schema as schema
from hometown.storage.digest import state_hash
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_files, world_id
from tests.support.other_process import elsewhere
from tests.support.storage_sample import first_state, live, manifest, sample_run


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    sample_run(tmp_path, 2).close()
    with pytest.raises(BadRun, match="--resume"):
        RunFile.create(tmp_path, manifest(), 3, first_state())
    with RunFile.open(tmp_path, "sample") as run:
        assert run.last.step == 2


def test_a_run_has_one_writer_and_any_number_of_readers(tmp_path: Path) -> None:
    with sample_run(tmp_path, 2) as writer:
        with pytest.raises(BadRun, match=f"in use by process {os.getpid()} on "):
            RunFile.open(tmp_path, "sample", write=True)
        code = "import sys; from pathlib import Path; from hometown.storage.run import Run; Run.open(Path(sys.argv[1]), 'sample', write=True)"
        refused = elsewhere(code, tmp_path)
        assert f"in use by process {os.getpid()}" in refused.stderr
        with RunFile.open(tmp_path, "sample") as one, RunFile.open(tmp_path, "sample") as other:
            live(writer, writer.restore(), 1)
            assert one.last == other.last == writer.last
            assert state_hash(one.restore()) == state_hash(writer.restore())
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                one.database.execute("DELETE FROM steps")
    RunFile.open(tmp_path, "sample", write=True).close()


def test_the_file_alone_can_be_copied_after_a_clean_end(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        expected = state_hash(run.restore())
    files = sorted(path.name for path in (tmp_path / "checkpoints/sample").iterdir())
    assert files in (["run.lock", "run.sqlite"], ["run.sqlite"])
    (tmp_path / "checkpoints/copy").mkdir()
    shutil.copy(
        tmp_path / "checkpoints/sample/run.sqlite", tmp_path / "checkpoints/copy/run.sqlite"
    )
    with RunFile.open(tmp_path, "copy") as run:
        assert state_hash(run.restore()) == expected


def test_the_file_alone_can_be_copied_even_while_somebody_reads(tmp_path: Path) -> None:
    writer = sample_run(tmp_path, 4)
    with RunFile.open(tmp_path, "sample") as reader:
        expected = state_hash(reader.restore())
        writer.close()
        (tmp_path / "checkpoints/copy").mkdir()
        shutil.copy(
            tmp_path / "checkpoints/sample/run.sqlite", tmp_path / "checkpoints/copy/run.sqlite"
        )
        assert reader.last.step == 4
    with RunFile.open(tmp_path, "copy") as run:
        assert state_hash(run.restore()) == expected


def test_a_reader_sees_a_run_that_begins_to_be_written_go_on(tmp_path: Path) -> None:
    sample_run(tmp_path, 1).close()
    with RunFile.open(tmp_path, "sample") as reader:
        assert reader.last.step == 1
        with RunFile.open(tmp_path, "sample", write=True) as writer:
            live(writer, writer.restore(), 1)
            assert reader.last.step == 2
        assert reader.last.step == 2


READ_ONLY = """
    import os, sys
    from pathlib import Path
    from hometown.errors import BadRun
    from hometown.storage.codec import decode_row, encode
    from hometown.storage.run import Run
    from tests.support.storage_sample import first_state
    for key, row in first_state().rows.items():
        decode_row(key, encode(row))  # imports what another user might not reach
    if os.geteuid() == 0:
        os.seteuid(65534)  # root may write anywhere
    with Run.open(Path(sys.argv[1]), "sample") as run:
        print(len(run.restore().rows), run.last.digest)
    try:
        Run.open(Path(sys.argv[1]), "sample", write=True)
    except BadRun as refused:
        print(refused)
"""


@pytest.mark.parametrize("wal", [False, True])
def test_a_run_in_a_read_only_folder_can_be_read(wal: bool) -> None:
    with tempfile.TemporaryDirectory() as outside:
        root, folder = Path(outside), Path(outside) / "checkpoints/sample"
        run = sample_run(root, 3)
        expected = f"{len(run.restore().rows)} {run.last.digest}"
        run.close()
        if wal:
            sqlite3.connect(folder / "run.sqlite").execute("PRAGMA journal_mode = WAL")
            assert (
                not (folder / "run.sqlite-wal").exists()
                or not (folder / "run.sqlite-wal").stat().st_size
            )
        root.chmod(0o755)
        folder.chmod(0o555)
        (folder / "run.lock").chmod(0o444)
        try:
            found = elsewhere(READ_ONLY, root)
        finally:
            folder.chmod(0o755)
        assert found.stderr == ""
        assert found.stdout.splitlines() == [
            expected,
            f"run 'sample' can't be written ({folder / 'run.lock'}: Permission denied)",
        ]


def test_a_place_where_no_run_can_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").write_text("in the way")
    with pytest.raises(BadRun, match=r"can't be created in .*checkpoints: File exists"):
        RunFile.create(tmp_path, manifest(), 3, first_state())


def test_an_unknown_run_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match=r"no run 'sampel'.*none yet"):
        RunFile.open(tmp_path, "sampel")
    sample_run(tmp_path, 1).close()
    with pytest.raises(BadRun, match=r"no run 'sampel'.*it has sample"):
        RunFile.open(tmp_path, "sampel")
    with (
        RunFile.open(tmp_path, "sample") as run,
        pytest.raises(BadRun, match="no step 2: it has steps 0 to 1"),
    ):
        run.restore(2)


def damage(file: Path, how: str) -> None:
    data = file.read_bytes()
    if how == "empty":
        file.write_bytes(b"")
    elif how == "text":
        file.write_text("not a database, but long enough to be taken for one" * 100)
    elif how == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif how == "overwritten":
        file.write_bytes(data[:8192] + os.urandom(len(data) - 8192))
    else:
        statements = {
            "no tables": [f"DROP TABLE {name}" for name in schema.TABLE_NAMES],
            "a table less": ["DROP TABLE effects"],
            "no steps": ["DELETE FROM steps"],
            "no manifest": ["DELETE FROM meta"],
            "other manifest": ["UPDATE meta SET value = '{}'"],
            "other memory": ["UPDATE memories SET text = 'never happened' WHERE step = 3"],
        }[how]
        database = sqlite3.connect(file)
        for statement in statements:
            database.execute(statement)
        database.commit()
        database.close()


DAMAGES = [
    "empty",
    "text",
    "cut",
    "overwritten",
    "no tables",
    "a table less",
    "no steps",
    "no manifest",
    "other manifest",
    "other memory",
]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_database_is_refused_in_one_line_and_left_as_it_is(
    tmp_path: Path, how: str
) -> None:
    sample_run(tmp_path, 3).close()
    file = tmp_path / "checkpoints/sample/run.sqlite"
    damage(file, how)
    before = file.read_bytes()
    with pytest.raises(BadRun, match=r"run\.sqlite") as refused:
        RunFile.open(tmp_path, "sample", write=True)
    assert "\n" not in str(refused.value)
    assert file.read_bytes() == before
    if how != "other memory":
        with pytest.raises(BadRun), RunFile.open(tmp_path, "sample") as run:
            run.restore()


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    sample_run(tmp_path, 1).close()
    database = sqlite3.connect(tmp_path / "checkpoints/sample/run.sqlite")
    database.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    database.close()
    for write in (False, True):
        with pytest.raises(BadRun, match=f"version {schema.SCHEMA_VERSION + 1}.*newer one"):
            RunFile.open(tmp_path, "sample", write=write)


def test_an_older_database_is_read_as_it_is_and_brought_up_to_date_by_whoever_writes_it(
    tmp_path: Path,
) -> None:
    sample_run(tmp_path, 3).close()
    with RunFile.open(tmp_path, "sample") as run:
        digests = run.digests()
    with closing(sqlite3.connect(tmp_path / "checkpoints/sample/run.sqlite")) as database:
        database.executescript(
            "DROP TABLE world; DROP TABLE checksums; ALTER TABLE journal DROP COLUMN checksum; ALTER TABLE embeddings DROP COLUMN checksum;"
            " DELETE FROM meta WHERE key = 'checksum'; ALTER TABLE conversations DROP COLUMN company; PRAGMA user_version = 1"
        )
    with RunFile.open(tmp_path, "sample") as run:
        assert run.digests() == digests
        assert (world_id(run), world_files(run)) == ("", {})
        assert run.database.execute("PRAGMA user_version").fetchone() == (1,)
    with RunFile.open(tmp_path, "sample", write=True) as run:
        live(run, run.restore(), 1)
    with RunFile.open(tmp_path, "sample") as run:
        assert run.digests()[:-1] == digests
        assert run.database.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA_VERSION,)
        assert run.database.execute("SELECT count(*) FROM main.world").fetchone() == (0,)
