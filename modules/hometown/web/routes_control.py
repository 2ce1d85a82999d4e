"""Routes that run towns: the choices for a new one; begin, pause, continue, end, branch. Requests
may name only values that the server offers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flask import Flask, Response

from hometown import session
from hometown.clock import DAY
from hometown.defaults import DEFAULT_STRIDE
from hometown.errors import BadInput
from hometown.language import LANGS
from hometown.storage.lock import is_held
from hometown.storage.recordings import find_recording, open_recording
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder
from hometown.storage.world_copy import world_of
from hometown.web.answers import API, Wrong, body_of_request, page_language, respond_json
from hometown.web.first_hour_progress import FIRST_HOUR, FirstHour
from hometown.web.lesson_runs import begin_lesson
from hometown.web.library import Library
from hometown.web.offers import list_available_models, offers
from hometown.web.processes import Processes
from hometown.web.routes_first_hour import first_hour_routes
from hometown.web.routes_runs import check_run_name
from hometown.web.sign_in import refuse_visitors
from hometown.world.load import list_worlds, load_world

LONGEST_HOURS = 24 * 60
"""Maximum number of game hours that one request may add to a run."""

WATCHABLE_STEP_SECONDS = 6
"""Seconds for each step at the pace for watching."""


def control_routes(app: Flask, library: Library) -> None:
    """Add the routes to the app by which runs are offered, begun, forked, continued and ended."""
    worlds: Path = library.worlds.root
    processes = Processes(library.results, worlds)

    @app.get(f"{API}/offers")
    def offered() -> Response:
        refuse_visitors()  # it asks the model servers
        return respond_json(offers(worlds))

    @app.post(f"{API}/runs/<name>/branch")
    def branch(name: str) -> Response:
        """Create a fork of a run after `step`, under a new `name`, without starting it; where `llm`
        names a model, as a recorded town needs, it lives on at once.
        """
        body = body_of_request()
        library.check(name)
        new = _new_name(library, body.get("name"))
        step = _whole(body, "step", 0, 10**9)
        if "llm" in body:
            forked = ["fork", f"{name}@{step}", f"--name={new}", f"--llm={_model(body)}"]
            processes.start(new, [*forked, *_pace(body)])
            return respond_json({"name": new})
        with RunFile.open(library.results, name) as parent:
            session.create_fork(
                library.results,
                parent,
                step,
                session.same_cast(world_of(parent, worlds), parent.manifest),
                name=new,
            )
        return respond_json({"name": new})

    _beginning_routes(app, library, processes)
    _ending_routes(app, library, processes)
    app.extensions[FIRST_HOUR] = hour = FirstHour(library.results, processes)
    first_hour_routes(app, hour)


def _beginning_routes(app: Flask, library: Library, processes: Processes) -> None:
    """Add the routes to the app that begin and continue runs and lessons, and open recordings."""

    @app.post(f"{API}/runs")
    def begin() -> Response:
        """Begin a run of a world: `{"name", "world", "lang", "llm", "hours", "residents", "slow"}`;
        with all residents where `residents` is empty.
        """
        body = body_of_request()
        name = _new_name(library, body.get("name"))
        processes.start(name, ["run", name, *_town(body, library.worlds.root), *_pace(body)])
        return respond_json({"name": name})

    @app.post(f"{API}/lessons/<lesson>")
    def begin_lesson_towns(lesson: str) -> Response:
        """Make the towns of a lesson, with another `seed` than its own if one is given; return the
        name of the first, which has begun.
        """
        body = body_of_request()
        seed = _whole(body, "seed", 0, 10**9) if "seed" in body else None
        name = begin_lesson(library.results, processes, lesson, page_language(), seed)
        return respond_json({"name": name})

    @app.post(f"{API}/runs/<name>/go")
    def go_on(name: str) -> Response:
        """Continue a run to its planned end, or for `hours` of game time; where `slow` is true, at
        a pace for watching.
        """
        body = body_of_request()
        library.check(name)
        processes.start(name, ["resume", name, *_length(library, name, body), *_pace(body)])
        return respond_json({"name": name})

    @app.post(f"{API}/recordings/<name>")
    def open_recorded_town(name: str) -> Response:
        """Put a recorded town among the runs; return the name of its run."""
        try:
            recording = find_recording(name)
        except BadInput as error:
            raise Wrong(404, "That is not possible: {reason}.", reason=error) from None
        return respond_json({"name": open_recording(library.results, recording)})


def _ending_routes(app: Flask, library: Library, processes: Processes) -> None:
    """Add the routes to the app that pause and end runs."""

    @app.post(f"{API}/runs/<name>/pause")
    def pause(name: str) -> Response:
        """End the process that writes a run, which can continue from its last step."""
        library.check(name)
        processes.pause(name)
        return respond_json({"name": name})

    @app.post(f"{API}/runs/<name>/end")
    def end(name: str) -> Response:
        """End a run at its last step: it counts as finished."""
        library.check(name)
        if is_held(run_folder(library.results, name)):
            processes.pause(name)
        with RunFile.open(library.results, name, write=True) as run:
            run.set_planned_end(run.last.step)
        return respond_json({"name": name})


def _new_name(library: Library, name: object) -> str:
    """Return the name itself if it is valid and no run has it.

    Raises:
        Wrong: 400, for an invalid name; 409, for one that is taken.
    """
    new = check_run_name(name)
    if run_folder(library.results, new).exists():
        raise Wrong(409, "There is a simulation named “{name}” already.", name=new)
    return new


def _town(body: Mapping[str, Any], worlds: Path) -> list[str]:
    """Return the options of a new run: its world, language, model, length and residents.

    Raises:
        Wrong: 400, for a value that is not offered.
    """
    world = _one_of(body, "world", list_worlds(worlds))
    lang = _one_of(body, "lang", LANGS)
    llm = _model(body)
    try:
        town = load_world(world, "zh" if lang == "zh" else "en", worlds)
    except BadInput as error:
        raise Wrong(400, "That is not possible: {reason}.", reason=error) from None
    residents = body.get("residents") or []
    if not isinstance(residents, list) or any(who not in list(town.personas) for who in residents):
        raise Wrong(
            400,
            "{what}={value} is not among what this server offers.",
            what="residents",
            value=str(residents)[:80],
        )
    cast = [f"--residents={','.join(residents)}"] if residents else []
    steps = math.ceil(_whole(body, "hours", 1, LONGEST_HOURS) * 60 / DEFAULT_STRIDE)
    return [f"--world={world}", f"--lang={lang}", f"--llm={llm}", f"--step={steps}", *cast]


def _model(body: Mapping[str, Any]) -> str:
    """Return the language model that a request names.

    Raises:
        Wrong: 400, for one that is not offered.
    """
    return _one_of(body, "llm", [model.spec for model in list_available_models()])


def _length(library: Library, name: str, body: Mapping[str, Any]) -> list[str]:
    """Return the option for the length of a continued run: `hours`, a day if the planned end is
    reached; none to go on to that.
    """
    with library.open(name) as run:
        stride = run.manifest.stride
        is_over = run.last_step() >= run.planned_end()
    if not is_over and "hours" not in body:
        return []
    hours = _whole({"hours": DAY // 60} | dict(body), "hours", 1, LONGEST_HOURS)
    return [f"--step={math.ceil(hours * 60 / stride)}"]


def _pace(body: Mapping[str, Any]) -> list[str]:
    """Return the option for a pace for watching, if the request asks for it."""
    return [f"--pace={WATCHABLE_STEP_SECONDS}"] if body.get("slow") is True else []


def _one_of(body: Mapping[str, Any], key: str, offered: Any) -> str:
    """Return a value of the request that is among those offered.

    Raises:
        Wrong: 400.
    """
    value = body.get(key)
    if not isinstance(value, str) or value not in offered:
        raise Wrong(
            400,
            "{what}={value} is not among what this server offers.",
            what=key,
            value=str(value)[:80],
        )
    return value


def _whole(body: Mapping[str, Any], key: str, low: int, high: int) -> int:
    """Return a whole number of the request within limits.

    Raises:
        Wrong: 400.
    """
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Wrong(
            400,
            "{key}={value} is not valid: {key} should be a number from {low} to {high}.",
            key=key,
            value=str(value)[:40],
            low=low,
            high=high,
        )
    return value
