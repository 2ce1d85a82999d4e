"""The API's routes to the interventions of a run, made from the page."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime, time, timedelta
from typing import Any, cast

from flask import Flask, Response

from hometown.errors import BadInput
from hometown.history.present_residents import refuse_vain_travel
from hometown.history.reader import RunReader
from hometown.web.answers import API, Wrong, body_of_request, respond_json
from hometown.web.library import Library
from hometown.world import keys
from hometown.world.furnish import furnish_world
from hometown.world.incidents import Answered
from hometown.world.intervention_time import MOMENT, parse_when, step_at
from hometown.world.interventions import WORDED, Intervention, Kind, summarize
from hometown.world.resolve import parse_intervention
from hometown.world.world import World

MOST_WAITING = 200
"""Maximum number of interventions waiting in one inbox; the page's next one is refused."""

MAX_LISTED = 50
"""Maximum number of interventions in one response: waiting ones, then the latest of the others."""


def intervention_routes(app: Flask, library: Library) -> None:
    """Add the routes to the app that list, add and withdraw interventions of a run."""

    @app.get(f"{API}/runs/<name>/interventions")
    def interventions(name: str) -> Response:
        with library.open(name) as run:
            return respond_json(_latest(run))

    @app.post(f"{API}/runs/<name>/interventions")
    def intervene(name: str) -> Response:
        kind, text, at = _read_body()
        with library.open(name) as run:
            world = library.world(run, name)
            refuse_full(run)
            answer = respond_json(asdict(run.run.ask([_parse(run, world, kind, text, at)])[0]))
        answer.status_code = 201
        return answer

    @app.delete(f"{API}/runs/<name>/interventions/<int:number>")
    def withdraw(name: str, number: int) -> Response:
        """Withdraw an intervention that waits; 409 if there is none, also if a step was quicker."""
        with library.open(name) as run:
            waits = number in {entry.number for entry in run.run.waiting()}
            if waits:
                run.run.inbox.withdraw(number)
        with library.open(name) as run:
            if not waits or number in run.run.answered(run.last_step()):
                raise Wrong(
                    409, "There is no intervention {number} that still waits.", number=number
                )
        return respond_json({"withdrawn": number})


def refuse_full(run: RunReader) -> None:
    """Check that there is room for another intervention.

    Raises:
        Wrong: 409, if too many are waiting.
    """
    if len(run.run.waiting()) >= MOST_WAITING:
        raise Wrong(
            409,
            "{most} interventions are waiting already: let the run continue first.",
            most=MOST_WAITING,
        )


def step_of(run: RunReader, at: str) -> int:
    """Return the step of a time in the user's format, 0 for the next step.

    Raises:
        BadInput: The text is no time.
        Wrong: 400, for a time of day that is over.
    """
    when = parse_when(at) if at else None
    if isinstance(when, time):
        _refuse_past(when, run.moment(run.last_step()))
    return step_at(when, run.manifest.start, run.manifest.stride, run.last_step())


def _read_body() -> tuple[Kind, str, str]:
    """Return kind, text and time of an intervention.

    Raises:
        Wrong: 400, for an invalid body.
    """
    body = body_of_request()
    if body.get("kind") not in WORDED:
        raise Wrong(
            400,
            "An intervention has a kind ({kinds}), a text and optionally a time.",
            kinds=", ".join(WORDED),
        )
    text, at = body.get("text", ""), body.get("at", "")
    if not isinstance(text, str) or not isinstance(at, str):
        raise Wrong(
            400,
            "An intervention has a kind ({kinds}), a text and optionally a time.",
            kinds=", ".join(WORDED),
        )
    return cast(Kind, body["kind"]), text, at


def _parse(run: RunReader, world: World, kind: Kind, text: str, at: str) -> Intervention:
    """Return an intervention for the town as it is after the last step.

    Raises:
        Wrong: 400, for a text or a time that does not make one.
    """
    try:
        town = furnish_world(world, run.run.furniture(run.last_step()))
        parsed = replace(parse_intervention(kind, text, town), step=step_of(run, at))
        refuse_vain_travel(run.run, town, [parsed])
        return parsed
    except BadInput as error:
        raise Wrong(400, "That is not possible: {reason}.", reason=error) from None


def _refuse_past(when: time, now: datetime) -> None:
    """Refuse a time of day that is over: on the page, a time means the day on show, while the
    command line takes it for the next day's.

    Raises:
        Wrong: 400.
    """
    if when < now.time():
        tomorrow = datetime.combine(now.date() + timedelta(days=1), when)
        raise Wrong(
            400,
            "{at} is past: in the run it is {now}. Write a later time, or {tomorrow} for "
            "the next day.",
            at=f"{when:%H:%M}",
            now=f"{now:%H:%M}",
            tomorrow=f"{tomorrow:{MOMENT}}",
        )


def _latest(run: RunReader) -> list[dict[str, Any]]:
    """Return at most `MAX_LISTED` interventions in the page's format, with a summary and the step
    that carried it out, 0 for none: those that wait, then the others, each latest first.
    """
    waiting = run.run.waiting()
    numbers = {entry.number for entry in waiting}
    done = [entry for entry in run.run.inbox.interventions() if entry.number not in numbers]
    shown = [*reversed(waiting), *reversed(done)][:MAX_LISTED]
    steps = [
        (step, row or Answered())
        for step, row in run.versions(keys.ANSWERED.key, 0, run.last_step())
    ]
    return [
        asdict(entry)
        | {
            "text": summarize(entry),
            "waiting": entry.number in numbers,
            "done": next((step for step, row in steps if entry.number in row), 0),
        }
        for entry in shown
    ]
