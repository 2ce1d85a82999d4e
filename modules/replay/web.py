"""What all routes share: the runs there are, what is wrong with a request, answers as JSON."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
from flask import Response, request

from modules.errors import BadRun, reason_of
from modules.replay import api
from modules.replay.reader import RunReader
from modules.replay.worlds import Worlds
from modules.storage.lock import is_held
from modules.storage.manage import size_of
from modules.storage.names import check_name, file_of, folder_of, run_names


class Wrong(Exception):
    """A request that cannot be met: a status, and a text by its key in the page's catalogue."""

    def __init__(self, status: int, text: str, **values: object) -> None:
        self.status, self.text, self.values = status, text, values


class Library:
    """The runs there are, opened anew for each request: a run may be written meanwhile, or be gone."""

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

    def check(self, name: str) -> None:
        """Raises Wrong (400 or 404) for a run that isn't there."""
        try:
            check_name(name)
        except BadRun:
            raise Wrong(400, "bad_name", name=name) from None
        if not file_of(self.results, name).is_file():
            raise Wrong(404, "unknown_name", name=name)

    def summaries(self) -> list[dict[str, Any]]:
        """All runs, the one last written first; of those that cannot be read, name and reason."""
        names = sorted(run_names(self.results), key=lambda name: file_of(self.results, name).stat().st_mtime, reverse=True)
        return [self._summary(name) for name in names]

    def _summary(self, name: str) -> dict[str, Any]:
        try:
            with self.open(name) as run:
                told = api.summary(run, self.worlds.names(run.manifest))
                running = is_held(folder_of(self.results, name))
                state = "running" if running else "finished" if told["finished"] else "stopped"
                return told | {"name": name, "state": state, "pictured": self.worlds.names(run.manifest).world is not None, "size": size_of(self.results, name)}
        except Wrong as wrong:
            return {"name": name, "error": wrong.values.get("reason", wrong.text)}


def families(runs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Summaries with their forks below them, under `forks`; a fork whose parent is gone stands by itself."""
    told = {run["name"]: run | {"forks": []} for run in runs}
    roots: list[dict[str, Any]] = []
    for run in told.values():
        parent = told.get(run.get("parent", "").partition("@")[0])
        siblings = parent["forks"] if parent is not None and not _descends(parent, run["name"], told) else roots
        siblings.append(run)
    return roots


def _descends(run: dict[str, Any], name: str, told: dict[str, dict[str, Any]]) -> bool:
    """Whether a run is `name` or comes from it: after names were changed, two may claim each other."""
    seen: set[str] = set()
    while run["name"] not in seen:
        if run["name"] == name:
            return True
        seen.add(run["name"])
        run = told.get(run.get("parent", "").partition("@")[0], run)
    return False


def whole(key: str, default: int, low: int, high: int) -> int:
    """A whole number of the request, brought into its range; raises Wrong (400) for what is no number."""
    text = request.args.get(key, str(default))
    try:
        return min(max(int(text), low), high)
    except ValueError:
        raise Wrong(400, "bad_number", key=key, value=text[:40], low=low, high=high) from None


def lasting(tag: str, read: Callable[[], Any]) -> Response:
    """An answer that stays the same under its tag; it is read only for who has not got it yet."""
    response = Response(status=304) if request.if_none_match.contains(tag) else json_answer(read())
    response.set_etag(tag)
    return response


def json_answer(value: Any) -> Response:
    return answer(orjson.dumps(value), "application/json")


def answer(body: str | bytes, mimetype: str) -> Response:
    """An answer that is sent only to whoever has not got it yet."""
    response = Response(body, mimetype=mimetype)
    response.add_etag()
    response.make_conditional(request)
    return response


def body_of_request() -> dict[str, Any]:
    """The JSON object in a request's body; empty where it holds anything else."""
    try:
        told = orjson.loads(request.get_data())  # the standard library's parser falls over deep nesting
    except orjson.JSONDecodeError:
        return {}
    return told if isinstance(told, dict) else {}
