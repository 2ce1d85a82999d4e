"""The database of a run: what is saved comes back, whatever happens to the process."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from hometown.settings import Machine
from hometown.storage.digest import read_canonical, state_hash, step_digest
from hometown.storage.restore import table_hash
from hometown.storage.run import RunFile, StepRecord
from hometown.storage.run_names import run_names
from hometown.storage.vector_table import VectorBudget
from hometown.world import keys
from hometown.world.state import State
from tests.support.other_process import elsewhere
from tests.support.storage_sample import (
    START,
    WHO,
    call,
    concept,
    first_state,
    live,
    manifest,
    sample_run,
    step_effects,
    vector_of,
)


def test_a_new_process_restores_what_was_saved(tmp_path: Path) -> None:
    with RunFile.create(tmp_path, manifest(), 9, first_state()) as run:
        state = run.restore()
        live(run, state, 7)
        expected = [
            state_hash(state),
            run.last.digest,
            str(state.memory("ana").last_access(1)),
            str(sorted(state.memory("bo").concepts)),
        ]
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
    with RunFile.create(tmp_path, manifest(), 9, first_state()) as run:
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
        with RunFile.open(tmp_path, "resumed", write=True) as run:
            live(run, run.restore(), 1)
    with RunFile.open(tmp_path, "resumed") as run:
        assert run.digests() == expected
        assert len(set(expected)) == 9


def test_digests_can_be_recomputed_from_the_tables(tmp_path: Path) -> None:
    with sample_run(tmp_path, 5) as run:
        previous = ""
        for step, digest in enumerate(run.digests()):
            assert step_digest(previous, read_canonical(run.database, step)) == digest
            previous = digest


def test_history_gives_back_what_was_committed(tmp_path: Path) -> None:
    with sample_run(tmp_path, 4) as run:
        assert [logged.effect for step, logged in run.effects(4, 4)] == step_effects(4)
        assert {logged.cause for _, logged in run.effects()} == {"rule:test"}
        assert list(run.calls(2, 3)) == [call(2), call(3)]
        assert [talk.id for talk in run.conversations()] == ["1-ana", "4-ana"]
        assert [one.id for one in run.memories("bo")] == [1, 2, 3, 4, 5]
        assert [(step.step, step.time.minute) for step in run.steps()] == [
            (0, 0),
            (1, 10),
            (2, 20),
            (3, 30),
            (4, 40),
        ]
        assert run.stats()[1:] == [{"ms": 0.5}] * 4


def test_prompts_are_left_out_where_they_are_not_wanted(tmp_path: Path) -> None:
    settings = manifest().settings.model_copy(update={"record_prompts": False})
    with RunFile.create(
        tmp_path, manifest().model_copy(update={"settings": settings}), 1, first_state()
    ) as run:
        live(run, run.restore(), 1)
        assert [one.messages for one in run.calls()] == [()]


def test_machine_settings_are_not_the_runs(tmp_path: Path) -> None:
    settings = manifest().settings.add_machine(Machine(threads=7))
    with RunFile.create(
        tmp_path, manifest().model_copy(update={"settings": settings}), 1, first_state()
    ) as run:
        assert run.manifest == manifest()


def test_planned_end_can_be_moved(tmp_path: Path) -> None:
    with RunFile.create(tmp_path, manifest(), 5, first_state()) as run:
        run.set_planned_end(12)
    with RunFile.open(tmp_path, "sample") as run:
        assert run.planned_end == 12


def test_vectors_are_loaded_when_they_are_searched(tmp_path: Path) -> None:
    with sample_run(tmp_path, 3) as run:
        stream = run.restore().memory("ana")
        text = "ana 的记忆 2"
        assert stream.partition.dot(vector_of(text)).argmax() == 1
        assert set(run.vectors.get_many([text, "unknown"])) == {text}
        with pytest.raises(LookupError, match="unknown"):
            run.vectors.get("unknown")
        with pytest.raises(ValueError, match="quantised"):
            run.vectors.put_many({"bad": vector_of("a") * float("nan")})


def test_a_reader_that_came_before_all_vectors_finds_them(tmp_path: Path) -> None:
    with RunFile.create(tmp_path, manifest(), 9, first_state()) as run:
        run.database.execute("DELETE FROM embeddings")
        with RunFile.open(tmp_path, "sample") as reader:
            run.vectors.put_many({"news": vector_of("news")})
            run.journal.flush()
            assert set(reader.vectors.get_many(["news"])) == {"news"}


def test_vectors_beyond_the_budget_are_let_go(tmp_path: Path) -> None:
    with sample_run(tmp_path, 3) as run:
        first, second = (run.restore().memory(who) for who in WHO)
        budget = VectorBudget(limit=1)
        for stream in (first, second, first):
            vectors = stream.partition.dot(vector_of("a"))
            budget.record_use(stream.partition, vectors.nbytes)
        assert second.partition._matrix is None
        assert first.partition._matrix is not None


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
    with RunFile.open(tmp_path, "sample") as run:
        assert run.last.step == 3
    with RunFile.open(tmp_path, "sample", write=True) as run:
        live(run, run.restore(), 2)
        digests = run.digests()
    with sample_run(tmp_path, 5, "unharmed") as run:
        assert run.digests() == digests


def test_a_failed_commit_writes_nothing(tmp_path: Path) -> None:
    with sample_run(tmp_path, 2) as run:
        state = run.restore()
        state.put(keys.BODY.of("ana"), None)
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
    assert [path.name[:5] for path in (tmp_path / "checkpoints").iterdir() if path.is_dir()] == [
        ".new-"
    ]
    RunFile.create(tmp_path, manifest(), 3, first_state()).close()
    assert run_names(tmp_path) == ["sample"]
    assert [path.name for path in (tmp_path / "checkpoints").iterdir() if path.is_dir()] == [
        "sample"
    ]


def test_a_step_without_changes_is_a_step(tmp_path: Path) -> None:
    with RunFile.create(tmp_path, manifest(), 1, State({}, {}, vector_of)) as run:
        first = run.last.digest
        assert run.commit(StepRecord(1, START, run.restore().take_changes())) != first
        assert concept(1, "") not in run.memories("ana")
