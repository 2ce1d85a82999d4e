"""The database of a run: what is saved comes back, whatever happens to the process."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from hometown.errors import BadRun
from hometown.paths import ROOT
from hometown.repair import examine
from hometown.storage import schema
from hometown.storage.digest import state_hash, step_digest, written_at
from hometown.storage.restore import table_hash
from hometown.storage.run import Run, StepRecord
from hometown.storage.run_names import run_names
from hometown.storage.vectors import VectorBudget
from hometown.storage.world_copy import LARGEST, world_files, world_id
from hometown.world.snapshot import world_files_id
from hometown.world.state import State
from tests.support.storage_sample import START, WHO, call, concept, first_state, live, manifest, sample_run, step_effects, vector_of


def elsewhere(code: str, *args: object) -> subprocess.CompletedProcess[str]:
    """Runs code in a new process, from the repository's root."""
    command = [sys.executable, "-c", textwrap.dedent(code), *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_a_new_process_restores_what_was_saved(tmp_path: Path) -> None:
    with Run.create(tmp_path, manifest(), 9, first_state()) as run:
        state = run.restore()
        live(run, state, 7)
        expected = [state_hash(state), run.last.digest, str(state.memory("ana").last_access(1)), str(sorted(state.memory("bo").concepts))]
    found = elsewhere(
        """
        import sys
        from pathlib import Path
        from hometown.storage.digest import state_hash
        from hometown.storage.run import Run
        with Run.open(Path(sys.argv[1]), "sample") as run:
            state = run.restore()
            print(state_hash(state), run.last.digest, state.memory("ana").last_access(1), sorted(state.memory("bo").concepts), sep="\\n")
        """,
        tmp_path,
    )
    assert found.stderr == ""
    assert found.stdout.splitlines() == expected


def test_restoring_is_the_inverse_of_saving_at_every_step(tmp_path: Path) -> None:
    with Run.create(tmp_path, manifest(), 9, first_state()) as run:
        state = run.restore()
        hashes = [state_hash(state)]
        assert hashes == [state_hash(first_state())]
        for _ in range(7):
            live(run, state, 1)
            hashes.append(state_hash(state))
        assert [state_hash(run.restore(at)) for at in range(8)] == hashes
        assert [table_hash(run.database, at) for at in range(8)] == hashes
        assert run.restore().rows == state.rows


def test_a_resumed_run_meets_the_digests_of_one_that_went_on(tmp_path: Path) -> None:
    with sample_run(tmp_path, 8) as run:
        expected = run.digests()
    with sample_run(tmp_path, 3, "resumed"):
        pass
    for _ in range(5):
        with Run.open(tmp_path, "resumed", write=True) as run:
            live(run, run.restore(), 1)
    with Run.open(tmp_path, "resumed") as run:
        assert run.digests() == expected
        assert len(set(expected)) == 9


def test_digests_can_be_recomputed_from_the_tables(tmp_path: Path) -> None:
    with sample_run(tmp_path, 5) as run:
        previous = ""
        for step, digest in enumerate(run.digests()):
            assert step_digest(previous, written_at(run.database, step)) == digest
            previous = digest


def test_history_gives_back_what_was_committed(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        assert [logged.effect for step, logged in run.effects(4, 4)] == step_effects(4)
        assert {logged.cause for _, logged in run.effects()} == {"rule:test"}
        assert list(run.calls(2, 3)) == [call(2), call(3)]
        assert [talk.id for talk in run.conversations()] == ["1-ana", "4-ana"]
        assert [one.id for one in run.memories("bo")] == [1, 2, 3, 4, 5]
        assert [(step.step, step.time.minute) for step in run.steps()] == [(0, 0), (1, 10), (2, 20), (3, 30), (4, 40)]
        assert run.stats()[1:] == [{"ms": 0.5}] * 4


def test_prompts_are_left_out_where_they_are_not_wanted(tmp_path: Path) -> None:
    settings = manifest().settings.model_copy(update={"record_prompts": False})
    with Run.create(tmp_path, manifest().model_copy(update={"settings": settings}), 1, first_state()) as run:
        live(run, run.restore(), 1)
        assert [one.messages for one in run.calls()] == [()]


def test_machine_settings_are_not_the_runs(tmp_path: Path) -> None:
    settings = manifest().settings
    machine = settings.machine.model_copy(update={"threads": 7})
    with Run.create(tmp_path, manifest().model_copy(update={"settings": settings.model_copy(update={"machine": machine})}), 1, first_state()) as run:
        assert run.manifest == manifest()


def test_planned_end_can_be_moved(tmp_path: Path) -> None:
    with Run.create(tmp_path, manifest(), 5, first_state()) as run:
        run.set_planned_end(12)
    with Run.open(tmp_path, "sample") as run:
        assert run.planned_end == 12


def test_vectors_are_loaded_when_they_are_searched(tmp_path: Path) -> None:
    with sample_run(tmp_path, 3) as run:
        stream = run.restore().memory("ana")
        text = "ana 的记忆 2"
        assert stream.relevance(vector_of(text)).argmax() == 1
        assert set(run.vectors.get_many([text, "unknown"])) == {text}
        with pytest.raises(LookupError, match="unknown"):
            run.vectors.get("unknown")
        with pytest.raises(ValueError, match="32 finite numbers"):
            run.vectors.put_many({"bad": vector_of("a") * float("nan")})


def test_a_reader_that_came_before_all_vectors_finds_them(tmp_path: Path) -> None:
    with Run.create(tmp_path, manifest(), 9, first_state()) as run:
        run.database.execute("DELETE FROM embeddings")
        with Run.open(tmp_path, "sample") as reader:
            run.vectors.put_many({"news": vector_of("news")})
            run.journal.flush()
            assert set(reader.vectors.get_many(["news"])) == {"news"}


def test_vectors_beyond_the_budget_are_let_go(tmp_path: Path) -> None:
    with sample_run(tmp_path, 3) as run:
        first, second = (run.restore().memory(who) for who in WHO)
        budget = VectorBudget(limit=1)
        for stream in (first, second, first):
            vectors = stream.relevance(vector_of("a"))
            budget.used(stream, vectors.nbytes)
        assert second._matrix is None
        assert first._matrix is not None


# what can go wrong --------------------------------------------------------------------------


def test_a_kill_during_a_commit_leaves_the_last_whole_step(tmp_path: Path) -> None:
    sample_run(tmp_path, 3).close()
    killed = elsewhere(
        """
        import os, signal, sys
        from pathlib import Path
        from hometown.storage import run as runs
        from hometown.storage.run import Run
        from tests.support.storage_sample import live
        write = runs.write_step
        def half(database, prepared):
            write(database, prepared[:4])
            os.kill(os.getpid(), signal.SIGKILL)
        runs.write_step = half
        run = Run.open(Path(sys.argv[1]), "sample", write=True)
        live(run, run.restore(), 1)
        """,
        tmp_path,
    )
    assert killed.returncode == -signal.SIGKILL
    assert (tmp_path / "checkpoints/sample/run.sqlite-wal").exists()
    with Run.open(tmp_path, "sample") as run:
        assert run.last.step == 3
    with Run.open(tmp_path, "sample", write=True) as run:
        live(run, run.restore(), 2)
        digests = run.digests()
    with sample_run(tmp_path, 5, "unharmed") as run:
        assert run.digests() == digests


def test_a_failed_commit_writes_nothing(tmp_path: Path) -> None:
    with sample_run(tmp_path, 2) as run:
        state = run.restore()
        state.put("body/ana", None)
        with pytest.raises(ValueError, match="not a number"):
            run.commit(StepRecord(3, START, state.take_changes(), stats={"ms": float("nan")}))
        assert run.last.step == 2
        assert table_hash(run.database, 2) == state_hash(run.restore())
        with pytest.raises(ValueError, match="step 3 is next"):
            run.commit(StepRecord(4, START, state.take_changes()))


def test_a_new_run_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    elsewhere(
        """
        import os, signal, sys
        from pathlib import Path
        from hometown.storage import create
        from hometown.storage.run import Run
        from tests.support.storage_sample import first_state, manifest
        create.write_step = lambda *args, **more: os.kill(os.getpid(), signal.SIGKILL)
        Run.create(Path(sys.argv[1]), manifest(), 3, first_state())
        """,
        tmp_path,
    )
    assert run_names(tmp_path) == []
    assert [path.name[:5] for path in (tmp_path / "checkpoints").iterdir() if path.is_dir()] == [".new-"]
    Run.create(tmp_path, manifest(), 3, first_state()).close()
    assert run_names(tmp_path) == ["sample"]
    assert [path.name for path in (tmp_path / "checkpoints").iterdir() if path.is_dir()] == ["sample"]


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    sample_run(tmp_path, 2).close()
    with pytest.raises(BadRun, match="--resume"):
        Run.create(tmp_path, manifest(), 3, first_state())
    with Run.open(tmp_path, "sample") as run:
        assert run.last.step == 2


def test_a_run_has_one_writer_and_any_number_of_readers(tmp_path: Path) -> None:
    with sample_run(tmp_path, 2) as writer:
        with pytest.raises(BadRun, match=f"in use by process {os.getpid()} on "):
            Run.open(tmp_path, "sample", write=True)
        code = "import sys; from pathlib import Path; from hometown.storage.run import Run; Run.open(Path(sys.argv[1]), 'sample', write=True)"
        refused = elsewhere(code, tmp_path)
        assert f"in use by process {os.getpid()}" in refused.stderr
        with Run.open(tmp_path, "sample") as one, Run.open(tmp_path, "sample") as other:
            live(writer, writer.restore(), 1)
            assert one.last == other.last == writer.last
            assert state_hash(one.restore()) == state_hash(writer.restore())
            with pytest.raises(sqlite3.OperationalError, match="readonly"):
                one.database.execute("DELETE FROM steps")
    Run.open(tmp_path, "sample", write=True).close()


def test_the_file_alone_can_be_copied_after_a_clean_end(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        expected = state_hash(run.restore())
    files = sorted(path.name for path in (tmp_path / "checkpoints/sample").iterdir())
    assert files in (["run.lock", "run.sqlite"], ["run.sqlite"])
    (tmp_path / "checkpoints/copy").mkdir()
    shutil.copy(tmp_path / "checkpoints/sample/run.sqlite", tmp_path / "checkpoints/copy/run.sqlite")
    with Run.open(tmp_path, "copy") as run:
        assert state_hash(run.restore()) == expected


def test_the_file_alone_can_be_copied_even_while_somebody_reads(tmp_path: Path) -> None:
    writer = sample_run(tmp_path, 4)
    with Run.open(tmp_path, "sample") as reader:
        expected = state_hash(reader.restore())
        writer.close()
        (tmp_path / "checkpoints/copy").mkdir()
        shutil.copy(tmp_path / "checkpoints/sample/run.sqlite", tmp_path / "checkpoints/copy/run.sqlite")
        assert reader.last.step == 4
    with Run.open(tmp_path, "copy") as run:
        assert state_hash(run.restore()) == expected


def test_a_reader_sees_a_run_that_begins_to_be_written_go_on(tmp_path: Path) -> None:
    sample_run(tmp_path, 1).close()
    with Run.open(tmp_path, "sample") as reader:
        assert reader.last.step == 1
        with Run.open(tmp_path, "sample", write=True) as writer:
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
            assert not (folder / "run.sqlite-wal").exists() or not (folder / "run.sqlite-wal").stat().st_size
        root.chmod(0o755)
        folder.chmod(0o555)
        (folder / "run.lock").chmod(0o444)
        try:
            found = elsewhere(READ_ONLY, root)
        finally:
            folder.chmod(0o755)
        assert found.stderr == ""
        assert found.stdout.splitlines() == [expected, f"run 'sample' can't be written ({folder / 'run.lock'}: Permission denied)"]


def test_a_place_where_no_run_can_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").write_text("in the way")
    with pytest.raises(BadRun, match=r"can't be created in .*checkpoints: File exists"):
        Run.create(tmp_path, manifest(), 3, first_state())


def test_an_unknown_run_is_answered_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(BadRun, match=r"no run 'sampel'.*none yet"):
        Run.open(tmp_path, "sampel")
    sample_run(tmp_path, 1).close()
    with pytest.raises(BadRun, match=r"no run 'sampel'.*it has sample"):
        Run.open(tmp_path, "sampel")
    with Run.open(tmp_path, "sample") as run, pytest.raises(BadRun, match="no step 2: it has steps 0 to 1"):
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


DAMAGES = ["empty", "text", "cut", "overwritten", "no tables", "a table less", "no steps", "no manifest", "other manifest", "other memory"]


@pytest.mark.parametrize("how", DAMAGES)
def test_a_damaged_database_is_refused_in_one_line_and_left_as_it_is(tmp_path: Path, how: str) -> None:
    sample_run(tmp_path, 3).close()
    file = tmp_path / "checkpoints/sample/run.sqlite"
    damage(file, how)
    before = file.read_bytes()
    with pytest.raises(BadRun, match=r"run\.sqlite") as refused:
        Run.open(tmp_path, "sample", write=True)
    assert "\n" not in str(refused.value)
    assert file.read_bytes() == before
    if how != "other memory":
        with pytest.raises(BadRun), Run.open(tmp_path, "sample") as run:
            run.restore()


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    sample_run(tmp_path, 1).close()
    database = sqlite3.connect(tmp_path / "checkpoints/sample/run.sqlite")
    database.execute(f"PRAGMA user_version = {schema.SCHEMA_VERSION + 1}")
    database.close()
    for write in (False, True):
        with pytest.raises(BadRun, match=f"version {schema.SCHEMA_VERSION + 1}.*newer one"):
            Run.open(tmp_path, "sample", write=write)


def test_an_older_database_is_read_as_it_is_and_brought_up_to_date_by_whoever_writes_it(tmp_path: Path) -> None:
    sample_run(tmp_path, 3).close()
    with Run.open(tmp_path, "sample") as run:
        digests = run.digests()
    with closing(sqlite3.connect(tmp_path / "checkpoints/sample/run.sqlite")) as database:
        database.executescript(
            "DROP TABLE world; DROP TABLE checksums; ALTER TABLE journal DROP COLUMN checksum; ALTER TABLE embeddings DROP COLUMN checksum;"
            " DELETE FROM meta WHERE key = 'checksum'; ALTER TABLE conversations DROP COLUMN company; PRAGMA user_version = 1"
        )
    with Run.open(tmp_path, "sample") as run:
        assert run.digests() == digests
        assert (world_id(run), world_files(run)) == ("", {})
        assert run.database.execute("PRAGMA user_version").fetchone() == (1,)
    with Run.open(tmp_path, "sample", write=True) as run:
        live(run, run.restore(), 1)
    with Run.open(tmp_path, "sample") as run:
        assert run.digests()[:-1] == digests
        assert run.database.execute("PRAGMA user_version").fetchone() == (schema.SCHEMA_VERSION,)
        assert run.database.execute("SELECT count(*) FROM main.world").fetchone() == (0,)


FILES = {"world.json": b"{}", "map.tmj": b"{}" * 999, "sprites/安娜.png": bytes(range(256))}


def with_world(root: Path, *statements: str) -> Run:
    """A run that carries a world, opened after the statements have been carried out."""
    Run.create(root, manifest(), 3, first_state(), world_files=FILES).close()
    with closing(sqlite3.connect(root / "checkpoints/sample/run.sqlite")) as database, database:
        for statement in statements:
            database.execute(statement)
    return Run.open(root, "sample")


def test_a_run_gives_back_the_world_that_it_carries(tmp_path: Path) -> None:
    with with_world(tmp_path) as run:
        assert world_files(run) == FILES
        assert world_id(run) == world_files_id(FILES)


HARM = {
    "a file less": "DELETE FROM world WHERE path = 'map.tmj'",
    "another content": "UPDATE world SET data = (SELECT data FROM world WHERE path = 'world.json') WHERE path = 'map.tmj'",
    "no zstd": "UPDATE world SET data = x'00'",
    "no bytes": "UPDATE world SET data = 'text'",
    "another hash": "UPDATE meta SET value = '\"00\"' WHERE key = 'world'",
    "out of the folder": "UPDATE world SET path = '../../' || path",
    "an absolute path": "UPDATE world SET path = '/tmp/' || path",
    "gigabytes": f"UPDATE world SET data = x'{zstandard.compress(bytes(LARGEST + 1)).hex()}'",
}


@pytest.mark.parametrize("how", HARM)
def test_a_world_that_does_not_match_its_hash_or_leads_elsewhere_is_refused(tmp_path: Path, how: str) -> None:
    with with_world(tmp_path, HARM[how]) as run:
        with pytest.raises(BadRun, match="copy of the world can't be read"):
            world_files(run)
        assert not examine(run).sound


def test_a_step_without_changes_is_a_step(tmp_path: Path) -> None:
    with Run.create(tmp_path, manifest(), 1, State({}, {}, vector_of)) as run:
        first = run.last.digest
        assert run.commit(StepRecord(1, START, run.restore().take_changes())) != first
        assert concept(1, "") not in run.memories("ana")
