"""The API's routes for visitors of a run that is being lived: the link that lets others visit it, and
what a visitor does and sees.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from functools import partial
from typing import Any

from flask import Flask, Response, request

from hometown.errors import BadInput, BadRun
from hometown.history.reader import RunReader
from hometown.history.visitor_view import TownVisit
from hometown.optional_parts import has_part
from hometown.storage.lock import is_held
from hometown.storage.run_names import run_folder
from hometown.web.access import Access, is_same
from hometown.web.answers import (
    API,
    Wrong,
    body_of_request,
    page_language,
    read_field,
    respond_json,
)
from hometown.web.attempts import AttemptRate, Attempts
from hometown.web.library import Library
from hometown.web.presence import PRESENCE, VisitorPresence
from hometown.web.routes_interventions import refuse_full
from hometown.web.sign_in import may_change, refuse_visitors
from hometown.web.visit_links import make_visit_link
from hometown.world.furnish import furnish_world

RATE_OF_VISITOR = AttemptRate(10, 0.5)
"""The rate of the acts of one visitor, and of entering a run."""

RATE_OF_VISITORS = AttemptRate(100, 0.05)
"""The rate of the acts of all visitors."""

PASS_HEADER = "Visitor-Pass"
"""The header with the pass of a visitor whose page looks around."""

MOST_VISITORS = 40
"""Maximum number of visitors that a run ever has: each of them is a resident of it for good."""


def visit_routes(
    app: Flask, library: Library, access: Access, listens: Collection[str] = ()
) -> None:
    """Add the routes to the app by which a run is visited; `listens` are the hosts at which its
    server listens.
    """
    acts = Attempts(each=RATE_OF_VISITOR, together=RATE_OF_VISITORS)
    app.extensions[PRESENCE] = presence = VisitorPresence(partial(_send_away, library))
    _link_route(app, library, access, listens)
    _entry_routes(app, library, access, acts)
    _acting_routes(app, library, access, acts)
    _looking_routes(app, library, access, presence)


def _link_route(app: Flask, library: Library, access: Access, listens: Collection[str]) -> None:
    """Add the route by which visitors are invited."""

    @app.post(f"{API}/runs/<name>/visits/link")
    def make_link(name: str) -> Response:
        """Return the link by which others may look at the run and visit it."""
        refuse_visitors()
        library.check(name)
        link = make_visit_link(access, name, page_language(), request.host_url, listens)
        return respond_json(asdict(link))


def _entry_routes(app: Flask, library: Library, access: Access, acts: Attempts) -> None:
    """Add the route by which visitors enter."""

    @app.post(f"{API}/runs/<name>/visits")
    def enter(name: str) -> Response:
        """Let a visitor `{"called", "look", "pass"}` enter; return their id and their pass, without
        which nobody else acts for them or comes back under their name.
        """
        with library.open(name) as run:
            _refuse_unlived(library, name)
            _limit(acts, name)
            body = body_of_request()
            visit = _open_visit(library, run, read_field(body, "called"), _read_look(body))
            given = access.sign_visitor(name, visit.who)
            _refuse_entry(run, visit, is_same(read_field(body, "pass"), given) or may_change())
            refuse_full(run)
            visit.enter()
        return respond_json({"who": visit.who, "pass": given})


def _acting_routes(app: Flask, library: Library, access: Access, acts: Attempts) -> None:
    """Add the route by which visitors act."""

    @app.post(f"{API}/runs/<name>/visits/<who>")
    def act(name: str, who: str) -> Response:
        """Let a visitor walk, speak, hand something over or leave: `{"kind", "pass"}`, with `tile`
        or `place`, with `text` and `to`; return the number of the intervention.
        """
        body = body_of_request()
        if not is_same(read_field(body, "pass"), access.sign_visitor(name, who)):
            raise Wrong(403, "This visitor belongs to another browser: walk in under another name.")
        with library.open(name) as run:
            _refuse_unlived(library, name)
            _limit(acts, f"{name} {who}")
            refuse_full(run)
            visit = _find_visit(library, run, who)
            if visit is None:
                raise Wrong(409, "You are still on your way: wait a moment.")
            return respond_json({"number": _send(visit, body)})


def _looking_routes(
    app: Flask, library: Library, access: Access, presence: VisitorPresence
) -> None:
    """Add the route by which visitors look around, whose pages are open as long as they do."""

    @app.get(f"{API}/runs/<name>/visits/<who>")
    def look(name: str, who: str) -> Response:
        """Return what a visitor sees, and the last words to them after the step `since`; `entered`
        is false before they are in town.
        """
        with library.open(name) as run:
            visit = _find_visit(library, run, who)
            if visit is None:
                return respond_json({"entered": False})
            if is_same(request.headers.get(PASS_HEADER, ""), access.sign_visitor(name, who)):
                presence.note(name, who)
            since = min(max(request.args.get("since", 0, int), 0), run.last_step())
            spoken = visit.find_address(since)
            last = visit.list_latest_lines(since)
            return respond_json(
                {
                    **asdict(visit.look()),
                    "entered": True,
                    "spoken": asdict(spoken) if spoken else None,
                    "lines": [asdict(line) for line in last],
                    "waiting": [each.number for each in run.run.waiting() if each.target == who],
                }
            )


def _send_away(library: Library, name: str, who: str) -> None:
    """Let a visitor leave whose page is gone, unless they have left or their run is gone, too."""
    try:
        with library.open(name) as run:
            visit = _find_visit(library, run, who)
            if visit is not None and not visit.look().is_away:
                visit.leave()
    except (Wrong, BadRun):
        return


def _find_visit(library: Library, run: RunReader, who: str) -> TownVisit | None:
    """Return the visit of one who has entered; None for one who has not. Raises Wrong (422) if the
    world is missing.
    """
    founded = library.world(run, run.manifest.name)
    world = furnish_world(founded, run.run.furniture(run.last_step()))
    has_entered = who in world.personas and world.is_visitor(who)
    return TownVisit(run.run, founded, world.name_of(who)) if has_entered else None


def _open_visit(library: Library, run: RunReader, called: str, look: dict[str, Any]) -> TownVisit:
    """Return the visit of a visitor with a name. Raises Wrong (400) for a name that cannot be."""
    try:
        return TownVisit(run.run, library.world(run, run.manifest.name), called, look)
    except BadInput as error:
        raise Wrong(400, "That is not possible: {reason}.", reason=error) from None


def _read_look(body: dict[str, Any]) -> dict[str, Any]:
    """Return the look of a visitor, an empty one if none is given or nothing can draw it.

    Raises:
        BadWorld: A part of it is impossible.
    """
    look = body.get("look")
    if not isinstance(look, dict) or not has_part("authoring"):
        return {}
    from hometown.authoring.people_art import read_look

    return asdict(read_look(look))


def _refuse_unlived(library: Library, name: str) -> None:
    """Raise Wrong (409) if no process lives the run."""
    if not is_held(run_folder(library.results, name)):
        raise Wrong(409, "The town rests: let it go on (Step in), then walk in.")


def _limit(acts: Attempts, who: str) -> None:
    """Count an act. Raises Wrong (429) if there were too many."""
    if wait := acts.take(who):
        raise Wrong(429, "That was too much at once: go on in {seconds:.0f} s.", seconds=wait + 1)


def _refuse_entry(run: RunReader, visit: TownVisit, is_known: bool) -> None:
    """Raise Wrong (409) if another visitor has the name, or too many have been there."""
    world = visit.world
    visitors = {who for who in world.personas if world.is_visitor(who)}
    visitors |= {each.target for each in run.run.waiting() if each.kind == "visit"}
    if visit.who in visitors:
        if not is_known:
            raise Wrong(409, "Another visitor has this name: take another one.")
    elif len(visitors) >= MOST_VISITORS:
        raise Wrong(409, "{most} visitors have been here: no more can come.", most=MOST_VISITORS)


def _send(visit: TownVisit, body: dict[str, Any]) -> int:
    """Send an act to the town, and return its number. Raises Wrong (400) for an impossible one."""
    text, other, place = (read_field(body, key) for key in ("text", "to", "place"))
    try:
        match body.get("kind"), body.get("tile"):
            case "walk", [int(column), int(row)]:
                return visit.walk_to_tile((column, row))
            case "walk", _:
                return visit.walk(place)
            case "say", _:
                return visit.say(other, text, ends=body.get("ends") is True)
            case "give", _ if text.strip():
                return visit.give(other, text)
            case "leave", _:
                return visit.leave()
    except BadInput as error:
        raise Wrong(400, "That is not possible: {reason}.", reason=error) from None
    raise Wrong(400, "A visitor may walk, say, give or leave (kind); a gift has a name (text).")
