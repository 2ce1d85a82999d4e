"""The API's routes to a run's inbox: what the user wants to happen, asked for from the page."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any, cast

from flask import Flask, Response

from modules.errors import BadInput
from modules.replay.reader import RunReader
from modules.replay.web import Library, Wrong, body_of_request, json_answer
from modules.world.asking import understood
from modules.world.due import parse_when, step_at
from modules.world.furnish import furnished
from modules.world.interventions import KINDS, Intervention, Kind
from modules.world.world import World

MOST_WAITING = 200
"""Requests that may wait in one inbox before the page is refused another."""

SHOWN = 50
"""Requests in one answer: those that wait, then the latest of the others."""


def inbox_routes(app: Flask, library: Library) -> None:
    """Adds the routes to the app."""

    @app.get("/api/runs/<name>/inbox")
    def inbox(name: str) -> Response:
        with library.open(name) as run:
            return json_answer(_inbox(run))

    @app.post("/api/runs/<name>/inbox")
    def ask(name: str) -> Response:
        kind, text, at = _asked()
        with library.open(name) as run:
            world = library.worlds.names(run.manifest).world
            if world is None:
                raise Wrong(422, "no_world", name=name)
            if len(_waiting(run)) >= MOST_WAITING:
                raise Wrong(409, "inbox_full", most=MOST_WAITING)
            wish = _understood(run, world, kind, text, at)
            answer = json_answer(asdict(run.run.ask([wish])[0]))
        answer.status_code = 201
        return answer


def _asked() -> tuple[Kind, str, str]:
    """Kind, text and time of a request; raises Wrong (400) for a body that is none."""
    body = body_of_request()
    if body.get("kind") not in KINDS:
        raise Wrong(400, "bad_request", kinds=", ".join(KINDS))
    text, at = body.get("text", ""), body.get("at", "")
    if not isinstance(text, str) or not isinstance(at, str):
        raise Wrong(400, "bad_request", kinds=", ".join(KINDS))
    return cast(Kind, body["kind"]), text, at


def _understood(run: RunReader, world: World, kind: Kind, text: str, at: str) -> Intervention:
    manifest, last = run.manifest, run.last_step()
    try:
        step = step_at(parse_when(at) if at else None, manifest.start, manifest.stride, last)
        return replace(understood(kind, text, furnished(world, run.run.furniture(last))), step=step)
    except BadInput as error:
        raise Wrong(400, "refused", reason=error) from None


def _waiting(run: RunReader) -> list[Intervention]:
    answered = run.run.answered(run.last_step())
    return [one for one in run.run.inbox.requests() if one.number not in answered]


def _inbox(run: RunReader) -> list[dict[str, Any]]:
    waiting = _waiting(run)
    numbers = {one.number for one in waiting}
    done = [one for one in run.run.inbox.requests() if one.number not in numbers]
    shown = [*reversed(waiting), *reversed(done)][:SHOWN]
    return [asdict(one) | {"waiting": one.number in numbers} for one in shown]
