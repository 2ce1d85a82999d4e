"""The API's routes about residents: knowing them, why they did what they did, and what is there to be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, TypeVar, cast, get_args
from urllib.parse import quote

from flask import Flask, Response, request

from modules.memory.concept import MemoryType
from modules.replay import people, reading, stream, why
from modules.replay.diary import days_of
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.report import Report
from modules.replay.web import Library, Wrong, json_answer, whole

MOST = 200
"""Memories or conversations in one answer."""

LONGEST = 200
"""Characters of a text that is searched for."""

FAR = 2**53
"""Above every number that a request may name: what a browser can count to."""

DIGITS = 16
"""Of such a number, at most."""

Answer = Callable[[RunReader, Names], Any]
T = TypeVar("T")


def people_routes(app: Flask, library: Library) -> None:
    """Adds the routes to the app."""

    def answer(name: str, tell: Answer) -> Response:
        with library.open(name) as run:
            return json_answer(tell(run, library.worlds.names(run.manifest)))

    @app.get("/api/runs/<name>/residents/<who>")
    def resident(name: str, who: str) -> Response:
        return answer(name, lambda run, names: people.resident(run, names, _known(run, who), _step(run)))

    @app.get("/api/runs/<name>/residents/<who>/memories")
    def memories(name: str, who: str) -> Response:
        return answer(name, lambda run, _: _memories(run, _known(run, who), _step(run)))

    @app.get("/api/runs/<name>/residents/<who>/trail")
    def trail(name: str, who: str) -> Response:
        return answer(name, lambda run, names: people.trail(run, names, _known(run, who), *_range(run)))

    @app.get("/api/runs/<name>/memories/<who>/<one>/tree")
    def tree(name: str, who: str, one: str) -> Response:
        return answer(name, lambda run, _: _found(stream.tree(run, _known(run, who), int(one) if one.isdecimal() and len(one) < DIGITS else 0)))

    @app.get("/api/runs/<name>/why")
    def because(name: str) -> Response:
        return answer(name, lambda run, _: why.explained(run, _found(_cause(run)), prompt=request.args.get("prompt") == "1"))

    @app.get("/api/runs/<name>/talks")
    def talks(name: str) -> Response:
        return answer(name, _talks)

    @app.get("/api/runs/<name>/threads")
    def threads(name: str) -> Response:
        return answer(name, lambda run, _: reading.threads(run, request.args.get("who", "")))

    @app.get("/api/runs/<name>/diary/<who>")
    def diary(name: str, who: str) -> Response:
        return answer(name, lambda run, _: reading.diary(run, _known(run, who), _day(run)))

    @app.get("/api/runs/<name>/report.md")
    def report(name: str) -> Response:
        """The diary of the town as `compress.py` writes it, sent while it is written."""
        with library.open(name):
            file = f"attachment; filename*=UTF-8''{quote(name)}.md"
            return Response(_report(library, name), mimetype="text/markdown", headers={"Content-Disposition": file})


# what a request names ---------------------------------------------------------------------------


def _known(run: RunReader, who: str) -> str:
    if who not in run.residents:
        raise Wrong(404, "unknown_resident", who=who)
    return who


def _found(value: T | None) -> T:
    if value is None:
        raise Wrong(404, "unknown_thing")
    return value


def _step(run: RunReader) -> int:
    """The step after which the town is looked at; the last one by default."""
    return whole("step", run.last_step(), 0, run.last_step())


def _range(run: RunReader) -> tuple[int, int]:
    last = max(1, run.last_step())
    first = whole("from", 1, 1, last)
    return first, whole("to", last, first, last)


def _text(key: str) -> str:
    return request.args.get(key, "").strip()[:LONGEST]


def _page() -> tuple[int, int]:
    return whole("offset", 0, 0, FAR), whole("limit", 50, 1, MOST)


def _day(run: RunReader) -> date:
    days = days_of(run, run.last_step())
    try:
        wanted = date.fromisoformat(request.args["day"]) if "day" in request.args else days[0]
    except ValueError:
        raise Wrong(400, "bad_day", value=request.args["day"][:40], first=days[0], last=days[-1]) from None
    return min(max(wanted, days[0]), days[-1])


# answers ----------------------------------------------------------------------------------------


def _memories(run: RunReader, who: str, step: int) -> dict[str, Any]:
    known = get_args(MemoryType)
    types = [one for one in request.args.get("type", "").split(",") if one]
    if not set(types) <= set(known):
        raise Wrong(400, "bad_type", value=",".join(types)[:40], types=", ".join(known))
    wanted = stream.Wanted(tuple(cast("list[MemoryType]", types)), _text("text"), whole("min", 1, 1, 10), *_page())
    query = _text("query")
    return stream.by_score(run, who, step, query, wanted) if query and request.args.get("sort") != "time" else stream.by_time(run, who, step, wanted)


def _cause(run: RunReader) -> why.Cause | None:
    """By a line of a talk, a memory, a call, or else by the action in force."""
    if "talk" in request.args:
        return why.of_line(run, request.args["talk"], whole("line", -1, -1, FAR))
    who = _known(run, request.args.get("resident", ""))
    if "memory" in request.args:
        return why.of_memory(run, who, whole("memory", 0, 0, FAR))
    if "kind" in request.args:
        return why.of_call(run, who, _step(run), request.args["kind"], whole("ordinal", 0, 0, FAR))
    return why.of_action(run, who, _step(run))


def _talks(run: RunReader, names: Names) -> dict[str, Any]:
    asked = [_known(run, who) for who in request.args.get("who", "").split(",") if who]
    at = whole("at", 0, 0, FAR) if "at" in request.args else None
    return reading.talks(run, names, _text("text"), asked, *_page(), at)


def _report(library: Library, name: str) -> Iterator[str]:
    with library.open(name) as run:
        for line in Report(run, library.worlds.names(run.manifest), run.last_step()).lines():
            yield line + "\n"
