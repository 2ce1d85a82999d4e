"""The runs below a results folder, as the server opens and lists them."""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hometown.errors import BadRun, reason_of
from hometown.frozen import frozen
from hometown.history import playback
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.storage.listing import Summary, read_summary
from hometown.storage.lock import is_held
from hometown.storage.manage import disk_usage
from hometown.storage.recordings import recording_title
from hometown.storage.run_names import check_name, file_of, list_databases
from hometown.web.answers import Wrong
from hometown.web.process_logs import cause_of_stop
from hometown.web.run_worlds import Worlds
from hometown.world.world import World

PER_PAGE = 100
"""Number of runs on a page of the list, which is read again every few seconds."""


@frozen
class Listing:
    """A page of the list of runs, from 1 to `pages`; `total` counts the runs on all of them."""

    runs: list[dict[str, Any]]
    page: int
    pages: int
    total: int


class Library:
    """The runs below a results folder, opened for each request: a run may be written or removed in
    between.
    """

    def __init__(self, results: Path, worlds: Worlds) -> None:
        self.results = results
        self.worlds = worlds
        self._summaries: dict[Path, tuple[tuple[tuple[int, int], ...], Summary | None, str]] = {}

    @contextmanager
    def open(self, name: str) -> Iterator[RunReader]:
        """Open a run for reading.

        Raises:
            Wrong: 400, 404 or 422, if the run does not exist or cannot be read.
        """
        self.check(name)
        try:
            with RunReader.open(self.results, name) as run:
                yield run
        except (BadRun, sqlite3.Error, ValueError) as error:
            raise Wrong(
                422,
                "The simulation “{name}” cannot be read: {reason}.",
                name=name,
                reason=reason_of(error),
            ) from error

    def names(self, run: RunReader) -> Names:
        """Return the names of people and places in a run."""
        return self.worlds.names(run)

    def world(self, run: RunReader, name: str) -> World:
        """Return the world of a run.

        Raises:
            Wrong: 422, if it is missing.
        """
        world = self.worlds.names(run).world
        if world is None:
            raise Wrong(
                422,
                "The world of “{name}” is not here, so interventions are not possible.",
                name=name,
            )
        return world

    def check(self, name: str) -> None:
        """Check that a run exists.

        Raises:
            Wrong: 400, for an invalid name; 404, if there is no such run.
        """
        try:
            check_name(name)
        except BadRun:
            raise Wrong(
                400,
                "“{name}” is not a valid name: use letters, digits, dots, dashes and underscores.",
                name=name,
            ) from None
        if not file_of(self.results, name).is_file():
            raise Wrong(404, "There is no simulation named “{name}”.", name=name)

    def summaries(self) -> list[dict[str, Any]]:
        """Return all runs, the most recently written first; for unreadable ones only name and
        reason.
        """
        return [self._summary(file) for file in self._list_files()]

    def read_page(self, page: int, query: str = "", lang: Lang | None = None) -> Listing:
        """Return a page of the runs with all words of `query` in their names, the most recently
        written first; only these runs are read. Their worlds are named in `lang`, by default in
        the run's own language.

        A number beyond the first or the last page means that page. Parents of the runs come with
        them, so that forks are shown below them.
        """
        latest, words = self._list_files(), query.casefold().split()
        found = [
            file for file in latest if all(word in file.parent.name.casefold() for word in words)
        ]
        pages = max(1, math.ceil(len(found) / PER_PAGE))
        page = min(max(page, 1), pages)
        shown = found[(page - 1) * PER_PAGE :][:PER_PAGE]
        runs = [self._summary(file, lang) for file in shown]
        parents = {run.get("parent", "").partition("@")[0] for run in runs} - {
            file.parent.name for file in shown
        }
        runs += [self._summary(file, lang) for file in latest if file.parent.name in parents]
        return Listing(runs, page, pages, len(found))

    def _list_files(self) -> list[Path]:
        """Return the databases of all runs, the most recently written first."""
        written = list_databases(self.results)
        return [Path(file) for file in sorted(written, key=written.__getitem__, reverse=True)]

    def _summary(self, file: Path, lang: Lang | None = None) -> dict[str, Any]:
        """Return a run's entry in the list: its summary with the name of its world in a language,
        its state (running, finished or stopped) with the cause of a failure, and its size on disk;
        name and error if it is unreadable.
        """
        name = file.parent.name
        read, error = self._read(file)
        if read is None:
            return {"name": name, "error": error}
        manifest, own = read.manifest, read.manifest.lang
        title = read.titles.get(lang or own) or read.titles.get(own)
        world = title or self.worlds.title(manifest.world, lang or own)
        pictured = read.carries_world or world is not None
        entry = playback.entry(
            manifest, read.last, read.planned_end, read.residents, world or manifest.world
        )
        if is_held(file.parent):
            state = "running"
        elif entry["finished"]:
            state = "finished"
        else:
            state = "stopped"
        ids = {"id": read.id, "parent_id": read.parent_id}
        cause = cause_of_stop(self.results, name) if state == "stopped" else ""
        return (
            entry
            | ids
            | {
                "cause": cause,
                "name": name,
                "title": recording_title(read.id, lang or own),
                "state": state,
                "pictured": pictured,
                "size": disk_usage(self.results, name),
            }
        )

    def _read(self, file: Path) -> tuple[Summary | None, str]:
        """Return (summary of a run, ""), or (None, reason) if it cannot be read; read once for each
        version of its files.
        """
        version = tuple(
            (stat.st_mtime_ns, stat.st_size) for stat in _stats(file, Path(f"{file}-wal"))
        )
        if self._summaries.get(file, ((),))[0] != version:
            try:
                check_name(file.parent.name)
                self._summaries[file] = version, read_summary(file), ""
            except (BadRun, sqlite3.Error, OSError) as error:
                self._summaries[file] = version, None, reason_of(error)
        return self._summaries[file][1:]


def _stats(*files: Path) -> Iterator[os.stat_result]:
    """Yield the status of those files that exist."""
    for file in files:
        with suppress(OSError):
            yield file.stat()


def families(runs: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return (runs that are being lived, all others): of those, the summaries of forks are nested
    under `forks` of their parents; a fork whose parent is missing or being lived is a root.

    `beside` is the name of the run that a fork can be shown beside, or "". A parent is found by its
    id, whatever its present name, which `parent` contains.
    """
    trees = {run["name"]: run | {"forks": []} for run in runs}
    parents = {name: _parent(run, trees) for name, run in trees.items()}
    living: list[dict[str, Any]] = []
    roots: list[dict[str, Any]] = []
    for name, run in trees.items():
        parent = parents[name]
        run["beside"] = parent["name"] if parent is not None and "error" not in parent else ""
        if parent is not None:
            run["parent"] = f"{parent['name']}@{run['parent'].rpartition('@')[2]}"
        if _is_running(run):
            siblings = living
        elif parent is None or _is_running(parent) or _descends(parent, name, parents):
            siblings = roots
        else:
            siblings = parent["forks"]
        siblings.append(run)
    return living, roots


def _is_running(run: dict[str, Any]) -> bool:
    """Return True if a run is being lived."""
    return run.get("state") == "running"


def _parent(run: dict[str, Any], trees: dict[str, dict[str, Any]]) -> dict[str, Any] | None:
    """Return the run from which a fork was made, None if it is gone: found by its id, of copies the
    one with the original name; a fork from before there were ids has only the name.
    """
    named = trees.get(run.get("parent", "").partition("@")[0])
    wanted = run.get("parent_id", "")
    if not wanted or (named is not None and named.get("id") == wanted):
        return named
    return next((other for other in trees.values() if other.get("id") == wanted), None)


def _descends(run: dict[str, Any], name: str, parents: dict[str, dict[str, Any] | None]) -> bool:
    """Return True if a run is `name` or a descendant of it: after renaming, two runs may name each
    other as parents.
    """
    seen: set[str] = set()
    ancestor: dict[str, Any] | None = run
    while ancestor is not None and ancestor["name"] not in seen:
        if ancestor["name"] == name:
            return True
        seen.add(ancestor["name"])
        ancestor = parents[ancestor["name"]]
    return False
