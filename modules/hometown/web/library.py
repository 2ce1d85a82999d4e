"""The runs below a results folder, as the server opens and lists them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hometown.errors import BadRun, reason_of
from hometown.history import playback
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.storage.listing import Summary, read_summary
from hometown.storage.lock import is_held
from hometown.storage.manage import size_of
from hometown.storage.run_names import check_name, file_of, run_names
from hometown.web.answers import Wrong
from hometown.web.process_logs import cause_of_stop
from hometown.web.worlds import Worlds


class Library:
    """The runs below a results folder, opened for each request: a run may be written or removed in between."""

    def __init__(self, results: Path, worlds: Worlds) -> None:
        self.results = results
        self.worlds = worlds
        self._summaries: dict[Path, tuple[tuple[tuple[int, int], ...], Summary | None, str]] = {}

    @contextmanager
    def open(self, name: str) -> Iterator[RunReader]:
        """Raises Wrong (400, 404 or 422) for a run that isn't there or cannot be read."""
        self.check(name)
        try:
            with RunReader.open(self.results, name) as run:
                yield run
        except (BadRun, sqlite3.Error, ValueError) as error:
            raise Wrong(422, "unreadable_run", name=name, reason=reason_of(error)) from error

    def names(self, run: RunReader) -> Names:
        """What people and places are called in a run."""
        return self.worlds.names(run)

    def check(self, name: str) -> None:
        """Raises Wrong (400 or 404) for a run that isn't there."""
        try:
            check_name(name)
        except BadRun:
            raise Wrong(400, "bad_name", name=name) from None
        if not file_of(self.results, name).is_file():
            raise Wrong(404, "unknown_name", name=name)

    def summaries(self) -> list[dict[str, Any]]:
        """All runs, the most recently written first; for unreadable ones only name and reason."""
        files = [(file_of(self.results, name), name) for name in run_names(self.results)]
        latest = sorted(files, key=lambda each: each[0].stat().st_mtime, reverse=True)
        return [self._summary(file, name) for file, name in latest]

    def _summary(self, file: Path, name: str) -> dict[str, Any]:
        read, error = self._read(file)
        if read is None:
            return {"name": name, "error": error}
        running = is_held(file.parent)
        state = "running" if running else "finished" if read.last >= read.planned_end else "stopped"
        world = self.worlds.title(read.manifest.world, read.manifest.lang)
        pictured = read.carries_world or world is not None
        entry = playback.entry(read.manifest, read.last, read.now, read.planned_end, read.residents, read.title or world or read.manifest.world)
        ids = {"id": read.id, "parent_id": read.parent_id}
        cause = cause_of_stop(self.results, name) if state == "stopped" else ""
        return entry | ids | {"cause": cause, "name": name, "state": state, "pictured": pictured, "size": size_of(self.results, name)}

    def _read(self, file: Path) -> tuple[Summary | None, str]:
        """The summary of a run, or the reason why there is none; read once for each version of its files."""
        version = tuple((stat.st_mtime_ns, stat.st_size) for stat in _stats(file, Path(f"{file}-wal")))
        if self._summaries.get(file, ((),))[0] != version:
            try:
                self._summaries[file] = version, read_summary(file), ""
            except (BadRun, sqlite3.Error, OSError) as error:
                self._summaries[file] = version, None, reason_of(error)
        return self._summaries[file][1:]


def _stats(*files: Path) -> Iterator[os.stat_result]:
    """The status of those files that exist."""
    for file in files:
        with suppress(OSError):
            yield file.stat()


def families(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Summaries with their forks nested under `forks`; a fork whose parent is missing is a root. `beside` is the run that a fork can be shown beside.

    A parent is found by its id, whatever it is called by now, and `parent` has its present name.
    """
    trees = {run["name"]: run | {"forks": []} for run in runs}
    parents = {name: _parent(run, trees) for name, run in trees.items()}
    roots: list[dict[str, Any]] = []
    for name, run in trees.items():
        parent = parents[name]
        run["beside"] = parent["name"] if parent is not None and "error" not in parent else ""
        if parent is not None:
            run["parent"] = f"{parent['name']}@{run['parent'].rpartition('@')[2]}"
        siblings = parent["forks"] if parent is not None and not _descends(parent, name, parents) else roots
        siblings.append(run)
    for run in trees.values():
        run.pop("id", None)
        run.pop("parent_id", None)
    return roots


def _parent(run: dict[str, Any], trees: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Return the run that a fork was made from: by its id, of copies the one with the name of then; a fork from before there were ids has but the name."""
    named = trees.get(run.get("parent", "").partition("@")[0])
    wanted = run.get("parent_id", "")
    if not wanted or (named is not None and named.get("id") == wanted):
        return named
    return next((other for other in trees.values() if other.get("id") == wanted), None)


def _descends(run: dict[str, Any], name: str, parents: dict[str, dict[str, Any] | None]) -> bool:
    """Whether a run is `name` or a descendant of it: after renaming, two runs may name each other as parents."""
    seen: set[str] = set()
    at: dict[str, Any] | None = run
    while at is not None and at["name"] not in seen:
        if at["name"] == name:
            return True
        seen.add(at["name"])
        at = parents[at["name"]]
    return False
