"""The copy of its world that a run carries, so that it can be shown, exported and verified even if
the world's folder changes.

Runs from before version 2 of the database carry none: their world is the folder of its name.
"""

from __future__ import annotations

import atexit
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Protocol

import orjson
import zstandard

from hometown.errors import BadRun, BadWorld, OverBudget, reason_of
from hometown.files import temporary_folder
from hometown.language import Lang
from hometown.paths import WORLDS
from hometown.read_budget import ReadBudget
from hometown.storage.checksum import seal_meta
from hometown.storage.codec import encode
from hometown.storage.database import transaction
from hometown.storage.manifest import Manifest
from hometown.text import Phrase
from hometown.world.load import folder_of, load_world
from hometown.world.snapshot import Files, fingerprint, snapshot, world_files_id
from hometown.world.world import World

NO_FILES: Files = MappingProxyType({})

MOST_FILES = 20_000
"""Files of a world, at most: a town of a thousand has 2,500."""

PICTURE = ".png"
"""The suffix of pictures."""

_HEAD = 18
"""Bytes of the longest head of a zstd frame."""

_LEVEL = 10
"""The level of zstd: higher ones save a twentieth and take ten times as long."""


class OpenRun(Protocol):
    """An open run: `RunFile` or `RunReader`."""

    database: sqlite3.Connection
    manifest: Manifest


def keep_world(database: sqlite3.Connection, files: Files) -> None:
    """Write a world's files and their hash into a run that has none, within a transaction; nothing
    for no files.
    """
    if files:
        pack = zstandard.ZstdCompressor(level=_LEVEL).compress
        database.executemany(
            "INSERT INTO world VALUES (?,?)",
            ((path, pack(data)) for path, data in sorted(files.items())),
        )
        database.execute("INSERT INTO meta VALUES ('world', ?)", (encode(world_files_id(files)),))
        seal_meta(database)


def leave_out_pictures(database: sqlite3.Connection, folder: Path) -> None:
    """Remove from a run's copy of its world the pictures that the world's folder has as well, until
    `fill_in_pictures` puts them back; within a transaction.
    """
    own = snapshot(folder)
    for path, data in _unpack_files(database).items():
        if path.endswith(PICTURE) and own.get(path) == data:
            database.execute("DELETE FROM world WHERE path = ?", (path,))
    database.execute("DELETE FROM meta WHERE key = 'world'")
    seal_meta(database)


def fill_in_pictures(database: sqlite3.Connection, folder: Path) -> None:
    """Add the pictures that `leave_out_pictures` removed, as they are in the folder of the world
    now; within a transaction.
    """
    own = {path: data for path, data in snapshot(folder).items() if path.endswith(PICTURE)}
    carried = _unpack_files(database)
    database.execute("DELETE FROM world")
    keep_world(database, own | carried)


def _unpack_files(database: sqlite3.Connection) -> dict[str, bytes]:
    """Return the files of a world's copy that Hometown itself has written, without limits."""
    unpack = zstandard.ZstdDecompressor().decompress
    return {path: unpack(data) for path, data in database.execute("SELECT path, data FROM world")}


def world_id(run: OpenRun) -> str:
    """Return the hash of all files of a run's world, "" if it carries none."""
    row = run.database.execute("SELECT value FROM meta WHERE key = 'world'").fetchone()
    return str(orjson.loads(row[0])) if row else ""


def world_files(run: OpenRun) -> dict[str, bytes]:
    """Return the files of the world that a run carries, by path.

    Raises BadRun if they do not match their hash, OverBudget if they are too large: nothing is
    unpacked then.
    """
    budget = ReadBudget()
    (count,) = run.database.execute("SELECT count(*) FROM world").fetchone()
    files: dict[str, bytes] = {}
    try:
        if count > MOST_FILES:
            raise OverBudget("holds more than {most:,} files", most=MOST_FILES)
        expected = world_id(run)
        _safe(run.manifest.world)
        budget.check(_claimed_bytes(run.database))
        for path, data in run.database.execute("SELECT path, data FROM world ORDER BY path"):
            (files[_safe(path)],) = budget.unpack(data)
    except OverBudget as error:
        raise OverBudget(
            "the world of run {name!r} {reason}", name=run.manifest.name, reason=error.lines[0]
        ) from None
    except (ValueError, TypeError, zstandard.ZstdError):
        expected, files = "unreadable", {}
    if expected != (world_files_id(files) if files else ""):
        raise BadRun(
            "run {name!r} is damaged: its copy of the world can't be read; hometown repair (start.py --repair) creates a run without one",
            name=run.manifest.name,
        )
    return files


def _claimed_bytes(database: sqlite3.Connection) -> Iterator[int]:
    """Yield the unpacked size in bytes that each file of a world claims in the head of its frame.
    Raises TypeError or ZstdError for an invalid frame.
    """
    for (head,) in database.execute(f"SELECT substr(data, 1, {_HEAD}) FROM world"):
        yield zstandard.frame_content_size(head)


def world_of(run: OpenRun, worlds: Path = WORLDS) -> World:
    """Return the world of a run, in its language: the copy that it carries, else the folder of that
    name, in `worlds` or built in.

    Raises BadInput as `load_world` does, BadRun if the copy is damaged.
    """
    lang = run.manifest.lang
    if copy := _folder(run):
        return _load(copy, lang)
    return load_world(run.manifest.world, lang, worlds, from_run=True)


def adopt_world(run: OpenRun, world: World) -> None:
    """Give a run that carries no world a copy of its folder, if that is unchanged since the run
    began.
    """
    if not world_id(run) and fingerprint(world.folder) == run.manifest.versions.get("world"):
        with transaction(run.database):
            keep_world(run.database, snapshot(world.folder))


def world_note(run: OpenRun, worlds: Path = WORLDS) -> str:
    """Return a line for the user if the folder of a run's world has changed since the run began, ""
    if not or if it is gone.
    """
    manifest = run.manifest
    with suppress(BadWorld, OSError):
        if fingerprint(folder_of(manifest.world, worlds)) != manifest.versions.get("world"):
            if world_id(run):
                return Phrase(
                    "world {world!r} has changed since run {name!r} began: the run uses its own copy",
                    world=manifest.world,
                    name=manifest.name,
                )
            return Phrase(
                "world {world!r} has changed since run {name!r} began, which carries no copy of it",
                world=manifest.world,
                name=manifest.name,
            )
    return ""


@lru_cache(maxsize=8)
def _load(kept: Path, lang: Lang) -> World:
    """Load the world in a folder that never changes."""
    return load_world(kept, lang, from_run=True)


def _folder(run: OpenRun) -> Path | None:
    """Return a folder with the files that a run carries, made once in a process and named like the
    world, or None if it carries none. Raises BadRun where the files cannot be written.
    """
    identity, name = world_id(run), run.manifest.world
    if not identity:
        return None
    try:
        folder = _scratch() / identity / name
        if not folder.exists():
            _write(folder, world_files(run))
    except OSError as error:  # no space, a path that is too long, a file and a folder of one path
        raise BadRun(
            "the world of run {name!r} can't be unpacked: {reason}",
            name=run.manifest.name,
            reason=reason_of(error),
        ) from None
    return folder


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, by path, below a folder, which appears with all of them."""
    with temporary_folder(_scratch(), "new") as place:
        for path, data in files.items():
            file = place / folder.name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        folder.parent.mkdir(exist_ok=True)
        with suppress(OSError):  # another thread was faster
            (place / folder.name).rename(folder)


@cache
def _scratch() -> Path:
    """Return a folder, made at the first call, that is deleted when the process ends, or by the
    next process if this one is killed.
    """
    opened = ExitStack()
    atexit.register(opened.close)
    return opened.enter_context(temporary_folder(Path(tempfile.gettempdir()), "hometown-worlds"))


def _safe(path: str) -> str:
    """Return the path itself. Raises ValueError for one that leads out of its folder."""
    parts = PurePosixPath(path).parts
    if (
        not parts
        or path != "/".join(parts)
        or any(part == ".." or set(part) & set('/\\:"\0') for part in parts)
    ):
        raise ValueError(path)
    return path
