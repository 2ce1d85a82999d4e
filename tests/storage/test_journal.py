"""Replies outlast the process that asked for them, until their step is committed."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from hometown.storage.run import RunFile
from tests.support.other_process import elsewhere
from tests.support.storage_sample import first_state, live, manifest, sample_run, vector_of

KEY = (1, "ana", "rate", 0, 0)


def test_a_reply_is_found_again_by_what_was_asked(tmp_path: Path) -> None:
    with RunFile.create(tmp_path, manifest(), 3, first_state()) as run:
        assert run.journal.get(*KEY, b"asked") is None
        run.journal.put(*KEY, b"asked", b"reply")
        assert run.journal.get(*KEY, b"asked") == b"reply"
        assert run.journal.get(*KEY, b"something else") is None
        run.journal.put(*KEY, b"something else", b"")
        assert run.journal.get(*KEY, b"something else") == b""
        assert run.journal.get(*KEY, b"asked") is None


def test_replies_are_written_in_the_next_turn_of_the_event_loop(tmp_path: Path) -> None:
    async def answer(run: RunFile, reader: RunFile) -> tuple[int, int]:
        def count() -> int:
            return int(reader.database.execute("SELECT count(*) FROM journal").fetchone()[0])

        for ordinal in range(5):
            run.journal.put(1, "ana", "rate", ordinal, 0, b"asked", b"reply")
        before = count()
        await asyncio.sleep(0)
        return before, count()

    with (
        RunFile.create(tmp_path, manifest(), 3, first_state()) as run,
        RunFile.open(tmp_path, "sample") as reader,
    ):
        assert asyncio.run(answer(run, reader)) == (0, 5)


def test_replies_that_arrive_as_a_stopped_run_is_closed_raise_nothing(tmp_path: Path) -> None:
    """Its event loop ends after the run is closed, with requests that are still under way."""
    faults: list[dict[str, object]] = []

    async def stop(run: RunFile) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        run.journal.put(*KEY, b"asked", b"reply")
        run.close()
        run.journal.put(2, *KEY[1:], b"asked", b"too late")
        await asyncio.sleep(0)

    asyncio.run(stop(RunFile.create(tmp_path, manifest(), 3, first_state())))
    assert faults == []
    with RunFile.open(tmp_path, "sample", write=True) as run:
        assert run.journal.get(*KEY, b"asked") == b"reply"
        assert run.journal.get(2, *KEY[1:], b"asked") is None


def test_a_commit_clears_the_journal_of_its_step(tmp_path: Path) -> None:
    with RunFile.create(tmp_path, manifest(), 3, first_state()) as run:
        run.journal.put(*KEY, b"asked", b"reply")
        run.journal.put(2, *KEY[1:], b"asked", b"later")
        live(run, run.restore(), 1)
        assert run.journal.get(*KEY, b"asked") is None
        assert run.journal.get(2, *KEY[1:], b"asked") == b"later"


def test_replies_and_vectors_outlast_a_kill(tmp_path: Path) -> None:
    sample_run(tmp_path, 0).close()
    killed = elsewhere(
        """
        import asyncio, os, signal, sys
        from pathlib import Path
        from hometown.storage.run import Run
        from tests.support.storage_sample import vector_of

        async def answer(run):
            run.journal.put(1, "ana", "rate", 0, 0, b"asked", b"reply")
            run.vectors.put_many({"new": vector_of("new")})
            await asyncio.sleep(0)
            os.kill(os.getpid(), signal.SIGKILL)

        asyncio.run(answer(Run.open(Path(sys.argv[1]), "sample", write=True)))
        """,
        tmp_path,
    )
    assert killed.returncode == -signal.SIGKILL
    with RunFile.open(tmp_path, "sample", write=True) as run:
        assert run.journal.get(*KEY, b"asked") == b"reply"
        assert (run.vectors.get("new") == vector_of("new")).all()


def test_a_reader_keeps_new_vectors_to_itself(tmp_path: Path) -> None:
    sample_run(tmp_path, 1).close()
    with RunFile.open(tmp_path, "sample") as run:
        run.vectors.put_many({"query": vector_of("query")})
        assert "query" in run.vectors.get_many(["query"])
    with RunFile.open(tmp_path, "sample") as run:
        assert run.vectors.get_many(["query"]) == {}
