"""The runs below a results folder, as the server opens and lists them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hometown.errors import BadRun, reason_of
from hometown.history import playback
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.storage.lock import is_held
from hometown.storage.manage import size_of
from hometown.storage.run_names import check_name, file_of, folder_of, run_names
from hometown.web.answers import Wrong
from hometown.web.process_logs import cause_of_stop
from hometown.web.worlds import Worlds


class Library:
    """The runs below a results folder, opened for each request: a run may be written or removed in between."""

    def __init__(self, results: Path, worlds: Worlds) -> None:
        self.results = results
        self.worlds = worlds

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
        names = sorted(run_names(self.results), key=lambda name: file_of(self.results, name).stat().st_mtime, reverse=True)
        return [self._summary(name) for name in names]

    def _summary(self, name: str) -> dict[str, Any]:
        try:
            with self.open(name) as run:
                summary = playback.summary(run, self.names(run))
                running = is_held(folder_of(self.results, name))
                state = "running" if running else "finished" if summary["finished"] else "stopped"
                pictured = self.names(run).world is not None
                ids = {"id": run.run.id, "parent_id": run.run.parent_id}
                cause = cause_of_stop(self.results, name) if state == "stopped" else ""
                return summary | ids | {"cause": cause, "name": name, "state": state, "pictured": pictured, "size": size_of(self.results, name)}
        except Wrong as wrong:
            return {"name": name, "error": wrong.values.get("reason", wrong.text)}


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
