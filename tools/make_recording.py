"""Make a recorded town of a run: `python -m tools.make_recording RUN.sqlite NAME --title EN ZH --about EN ZH`.

It is written to `data/recordings/NAME`; titles that are not given stay as they are. The run may be
a recorded town itself, given by its packed file, as when an engine has changed. In the copy, the
model's name becomes `recorded`, times and the inbox are left out, and so are the pictures that the
world of the package has.

The run must fold. Where its replies would lead to other effects now, an engine in the making lived
it, and the recording names the engine before: only its effects can be verified then, and the
vectors of texts that nobody remembers are left out, too.
"""

from __future__ import annotations

import argparse
import asyncio
import lzma
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson

from hometown.errors import HometownError
from hometown.history.names import Names
from hometown.language import LANGS, Lang
from hometown.model.levels import RECORDED
from hometown.paths import RECORDINGS, ROOT, WORLDS
from hometown.storage.checksum import reseal, seal_meta
from hometown.storage.codec import encode
from hometown.storage.database import transaction
from hometown.storage.identity import write_identity
from hometown.storage.manifest import ENGINE, Manifest
from hometown.storage.recordings import (
    DESCRIPTION,
    Recording,
    open_recording,
)
from hometown.storage.row_conversion import text_hash
from hometown.storage.run import RunFile
from hometown.storage.world_copy import leave_out_pictures
from hometown.verify import Mismatch, Rehearsal, fold, rehearse, rethinking_obstacle
from hometown.world.load import folder_of

MAX_BYTES = 2_000_000
"""Bytes of a packed run, at most."""

TIMES = ("ms", "read_ms", "write_ms")
"""Times in milliseconds in the statistics of a step."""

Texts = dict[Lang, str]
"""A text by language."""


def make_recording(source: Path, name: str, title: Texts, about: Texts) -> Recording:
    """Write the recorded town and return its description. Raises Mismatch if the run's effects do
    not lead to its records, ValueError if it is too large or several models have played it.
    """
    folder = RECORDINGS / name
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "run.sqlite"
        _copy(source, file)
        recording = _clean(file, name, title, about)
        _write(recording, file)
        if not _is_thought_again(recording):
            _drop_vectors_of_queries(file)
            _edit_manifest(file, engine=ENGINE - 1)
            _write(recording, file)
    size = recording.packed_run.stat().st_size
    if size > MAX_BYTES:
        raise ValueError(f"{size:,} bytes are more than {MAX_BYTES:,}: take a shorter run")
    return recording


def _copy(source: Path, file: Path) -> None:
    """Copy a run, packed or not, with the steps that are still in its WAL."""
    if source.suffix == ".xz":
        file.write_bytes(lzma.decompress(source.read_bytes()))
        return
    with closing(sqlite3.connect(source)) as run, closing(sqlite3.connect(file)) as copy:
        run.backup(copy)


def _clean(file: Path, name: str, title: Texts, about: Texts) -> Recording:
    """Turn the copy of a run into that of a recorded town, and return its description."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        with transaction(database):
            (last,) = database.execute("SELECT max(step) FROM steps").fetchone()
            _drop_origin(database, last)
            leave_out_pictures(database, folder_of(_manifest(database).world))
            write_identity(database)
            database.execute("UPDATE meta SET value = ? WHERE key = 'planned_end'", (encode(last),))
        (run,) = database.execute("SELECT value FROM meta WHERE key = 'id'").fetchone()
    _edit_manifest(
        file, name=name, llm=RECORDED, llm_reason="", recorded=last, parent="", engine=ENGINE
    )
    with closing(sqlite3.connect(file)) as database:
        manifest = _manifest(database)
    return Recording(
        name=name,
        id=orjson.loads(run),
        world=manifest.world,
        lang=manifest.lang,
        start=manifest.start,
        end=manifest.moment(last),
        title=title,
        about=about,
    )


def _drop_origin(database: sqlite3.Connection, last: int) -> None:
    """Drop which model replied and how long that took, and replies that no step has used."""
    models = [model for (model,) in database.execute("SELECT DISTINCT model FROM calls")]
    if len(models) > 1:
        raise ValueError(f"several models have played this run: {models}")
    database.execute("UPDATE calls SET model = ?, ms = 0.0", (RECORDED,))
    for step, stats in database.execute("SELECT step, stats FROM steps").fetchall():
        kept = _without_times(orjson.loads(stats))
        if calls := list(kept.get("by_model", {}).values()):
            kept["by_model"] = {RECORDED: calls[0]}
        database.execute("UPDATE steps SET stats = ? WHERE step = ?", (encode(kept), step))
    database.execute("DELETE FROM journal")
    reseal(database, last, range(last + 1))


def _drop_vectors_of_queries(file: Path) -> None:
    """Drop the vectors of texts that are not remembered, which only thinking again needs."""
    with closing(sqlite3.connect(file)) as database, database:
        texts = database.execute("SELECT DISTINCT text FROM memories").fetchall()
        database.execute("CREATE TEMP TABLE remembered (hash BLOB PRIMARY KEY)")
        database.executemany(
            "INSERT INTO remembered VALUES (?)", [(text_hash(text),) for (text,) in texts]
        )
        database.execute("DELETE FROM embeddings WHERE hash NOT IN remembered")


def _without_times(value: Any) -> Any:
    """Return statistics in which all times are 0."""
    if not isinstance(value, dict):
        return value
    return {
        key: 0.0
        if key in TIMES
        else dict.fromkeys(each, 0.0)
        if key == "milliseconds"
        else _without_times(each)
        for key, each in value.items()
    }


def _manifest(database: sqlite3.Connection) -> Manifest:
    """Return the manifest of a run."""
    (value,) = database.execute("SELECT value FROM meta WHERE key = 'manifest'").fetchone()
    return Manifest.model_validate_json(value)


def _edit_manifest(file: Path, **changes: object) -> None:
    """Change fields of a run's manifest, and make its file as small as possible."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        with transaction(database):
            changed = _manifest(database).model_copy(update=changes)
            database.execute(
                "UPDATE meta SET value = ? WHERE key = 'manifest'",
                (changed.model_dump_json().encode(),),
            )
            seal_meta(database)
        database.execute("PRAGMA journal_mode = DELETE")
        database.execute("VACUUM")


def _write(recording: Recording, file: Path) -> None:
    """Write the files of a recorded town."""
    packed = lzma.compress(file.read_bytes(), preset=9 | lzma.PRESET_EXTREME)
    recording.packed_run.write_bytes(packed)
    described = orjson.dumps(recording.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
    recording.packed_run.with_name(DESCRIPTION).write_bytes(described + b"\n")


def _is_thought_again(recording: Recording) -> bool:
    """Return True if the recorded replies lead to the recorded effects. Raises Mismatch if these do
    not lead to the recorded states.
    """
    with tempfile.TemporaryDirectory() as folder:
        name = open_recording(Path(folder), recording)
        with RunFile.open(Path(folder), name) as run:
            for _ in fold(run):
                pass
            world = Names.of(run, WORLDS).world
            if rethinking_obstacle(run, world) or world is None:
                return False
            try:
                asyncio.run(_think(rehearse(Rehearsal(run), world), run.last.step))
            except Mismatch as difference:
                print(f"not thought again: step {difference.step}, {difference.what}")
                return False
    return True


async def _think(game: Any, steps: int) -> None:
    for _ in range(steps):
        await game.step()


def _read_texts(name: str) -> tuple[Texts, Texts]:
    """Return title and description of a recorded town that exists, empty ones for another."""
    file = RECORDINGS / name / DESCRIPTION
    if not file.exists():
        return {}, {}
    known = Recording.model_validate_json(file.read_bytes())
    return dict(known.title), dict(known.about)


def main(argv: list[str]) -> int:
    """Make the recorded town that the arguments describe, and print its size in bytes."""
    parser = argparse.ArgumentParser(prog="python -m tools.make_recording", description=__doc__)
    parser.add_argument("run", type=Path, help="run.sqlite of a run, or run.sqlite.xz")
    parser.add_argument("name")
    parser.add_argument("--title", nargs=2, metavar=("EN", "ZH"))
    parser.add_argument("--about", nargs=2, metavar=("EN", "ZH"))
    given = parser.parse_args(argv)
    title, about = (
        dict(zip(LANGS, texts, strict=True)) if texts else known
        for texts, known in zip((given.title, given.about), _read_texts(given.name), strict=True)
    )
    if not title or not about:
        parser.error(f"{given.name} is new: give --title and --about in both languages")
    try:
        recording = make_recording(given.run, given.name, title, about)
    except (HometownError, Mismatch, ValueError) as error:
        sys.exit(f"no recorded town was made: {error}")
    packed = recording.packed_run
    print(f"{packed.relative_to(ROOT)}: {packed.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
