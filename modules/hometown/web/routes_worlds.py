"""Routes of the editor: the worlds, copies of them, and their residents, each change checked as
`--check-world` does before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask, Response, abort, request, send_file

from hometown.authoring.blank import make_blank_world
from hometown.authoring.editing import (
    copy_world,
    is_user_world,
    list_resident_problems,
    put_resident,
    remove_resident,
    residents_of,
    versions_of,
)
from hometown.authoring.invented_residents import invent_resident
from hometown.authoring.lint import LintReport, lint
from hometown.authoring.town_building import has_plan
from hometown.authoring.world_changes import WorldChange
from hometown.errors import BadWorld, Outdated
from hometown.language import LANGS, Lang
from hometown.web.answers import (
    API,
    Wrong,
    body_of_request,
    read_field,
    respond_json,
    respond_tagged,
)
from hometown.web.drawing import drawing
from hometown.web.thumbnail import town_picture
from hometown.web.undo import UndoLists
from hometown.world.faults import Faults, read_json
from hometown.world.load import folder_of, inspect_world, list_worlds
from hometown.world.world import World

PICTURES = {"portraits", "sprites"}


def world_routes(app: Flask, root: Path, undo_lists: UndoLists) -> None:
    """Add the routes to the app; `root` holds the user's worlds."""
    _resident_routes(app, root, undo_lists)
    _picture_routes(app, root)

    @app.get(f"{API}/worlds")
    def all_worlds() -> Response:
        return respond_json([_entry(name, root) for name in list_worlds(root)])

    @app.post(f"{API}/worlds")
    def new_world() -> Response:
        """Copy a world: `{"world", "name"}`; or make a blank one: `{"name", "langs", "size"}`."""
        body = body_of_request()
        with faults():
            made = (
                make_blank_world(read_field(body, "name"), _langs(body), _size(body), root)
                if "size" in body
                else copy_world(read_field(body, "world"), read_field(body, "name"), root)
            )
        return respond_json({"id": made.name})

    @app.get(f"{API}/worlds/<name>")
    def world_details(name: str) -> Response:
        """Return a world's entry in the list, its residents, its problems and its places, the last
        change that can be undone, and whether the whole map can be drawn on.
        """
        folder = folder_by(name, root)
        return respond_json(
            _entry(name, root)
            | {"planned": is_user_world(name, root) and has_plan(folder)}
            | _people(folder)
            | {"problems": problems_of(lint(folder)), "undo": undo_lists.last(name)}
            | _places(folder)
        )

    @app.post(f"{API}/worlds/<name>/undo")
    def undo(name: str) -> Response:
        """Undo the last change of a world, and return its problems then."""
        folder = own_folder(name, root)
        body_of_request()
        with faults():
            report = undo_lists.undo(name, folder, read_expected_version())
        return respond_json({"problems": problems_of(report), "undo": undo_lists.last(name)})


def _picture_routes(app: Flask, root: Path) -> None:
    """Add the routes of a world's pictures."""

    @app.get(f"{API}/worlds/<name>/picture")
    def world_picture(name: str) -> Response:
        """Return a picture of the town (WebP)."""
        folder = folder_by(name, root)
        with drawing():
            return respond_tagged(town_picture(folder), "image/webp")

    @app.get(f"{API}/worlds/<name>/<kind>/<file>")
    def picture_of_resident(name: str, kind: str, file: str) -> Response:
        """Return a portrait or a sprite."""
        pictures = (folder_by(name, root) / kind).glob("*.png") if kind in PICTURES else ()
        known = {path.name: path for path in pictures if not path.is_symlink()}
        if file not in known:
            abort(404)
        return send_file(known[file], conditional=True)


def _resident_routes(app: Flask, root: Path, undo_lists: UndoLists) -> None:
    """Add the routes that check, write and remove residents of a user's world."""

    def own(name: str) -> Path:
        return own_folder(name, root)

    def respond_changed(name: str, change: Callable[[Path], WorldChange]) -> Response:
        """Change a world, and return its residents and problems after the change."""
        folder = own(name)
        with faults():
            done = change(folder)
        undo_lists.add(name, done)
        return respond_json(
            _people(folder) | {"problems": problems_of(done.report), "undo": undo_lists.last(name)}
        )

    @app.post(f"{API}/worlds/<name>/residents/<who>/check")
    def check_who(name: str, who: str) -> Response:
        """Return the problems that the world would have with a resident as in the body."""
        folder = own(name)
        with faults():
            return respond_json(
                {"problems": problems_of(list_resident_problems(folder, who, body_of_request()))}
            )

    @app.post(f"{API}/worlds/<name>/residents")
    def invent_who(name: str) -> Response:
        """Return somebody invented who could move in. Nothing is written."""
        folder = own(name)
        body_of_request()
        with faults():
            return respond_json(invent_resident(folder))

    @app.put(f"{API}/worlds/<name>/residents/<who>")
    def put_who(name: str, who: str) -> Response:
        return respond_changed(
            name,
            lambda folder: put_resident(folder, who, body_of_request(), read_expected_version()),
        )

    @app.delete(f"{API}/worlds/<name>/residents/<who>")
    def remove_who(name: str, who: str) -> Response:
        return respond_changed(
            name, lambda folder: remove_resident(folder, who, read_expected_version())
        )


def _langs(body: dict[str, Any]) -> list[Lang]:
    """Return the languages that a request names; all where it names none."""
    given = body.get("langs")
    named = [lang for lang in LANGS if isinstance(given, list) and lang in given]
    return named or list(LANGS)


def _size(body: dict[str, Any]) -> tuple[int, int]:
    """Return the columns and rows that a request names; (0, 0) for anything else."""
    match body.get("size"):
        case [int(columns), int(rows)]:
            return columns, rows
    return 0, 0


def _people(folder: Path) -> dict[str, Any]:
    """Return the contents of the residents' files, and their versions."""
    # In this order: a version that is too old is refused.
    return {
        "versions": versions_of(folder),
        "residents": residents_of(folder),
    }


def read_expected_version() -> str | None:
    """Return the version for which a change was made, from its `If-Match` header; None for any.

    Raises:
        Wrong: 428, if the header is missing.
    """
    named = request.headers.get("If-Match", "").strip().strip('"')
    if not named:
        raise Wrong(
            428,
            "Name the version that you change in If-Match, as “versions” or “version” of "
            "the answer before says it; “*” for any.",
        )
    return None if named == "*" else named


def own_folder(name: str, root: Path) -> Path:
    """Return the folder of a world that may be changed.

    Raises:
        Wrong: 403 or 404.
    """
    folder = folder_by(name, root)
    if not is_user_world(name, root):
        raise Wrong(
            403,
            "The world “{name}” comes with Hometown and stays as it is: copy it to change it.",
            name=name,
        )
    return folder


@contextmanager
def faults() -> Iterator[None]:
    """Translate a world's objections to a change into Wrong: 412 for a change of an outdated
    version, 409 for any other.
    """
    try:
        yield
    except Outdated as error:
        raise Wrong(412, "That is not possible: {reason}.", reason=error) from error
    except BadWorld as error:
        raise Wrong(409, "That is not possible: {reason}.", reason=error) from error


def folder_by(name: str, root: Path) -> Path:
    """Return the folder of a world.

    Raises:
        Wrong: 404.
    """
    if name not in list_worlds(root):
        raise Wrong(404, "There is no world named “{name}”.", name=name[:80])
    return folder_of(name, root)


def problems_of(report: LintReport) -> list[dict[str, str]]:
    """Return the problems in the page's language."""
    lang = "zh" if request.args.get("lang") == "zh" else "en"
    return [
        {"level": problem.level, "line": problem.line.localize(lang)} for problem in report.problems
    ]


def _in_langs(folder: Path) -> dict[Lang, World]:
    """Return as much of a world as loads, in each of its languages."""
    made = {lang: inspect_world(folder, lang)[0] for lang in LANGS}
    return {lang: world for lang, world in made.items() if world}


def _entry(name: str, root: Path) -> dict[str, Any]:
    """Return a world's entry in the list: its id, whether it may be changed, its title by language,
    and its languages; the last two are empty for a world with an unreadable `world.json`.
    """
    given = read_json(folder_of(name, root) / "world.json", "world.json", Faults(name)) or {}
    names, langs = given.get("name"), given.get("langs")
    named = {lang: str(names[lang]) for lang in LANGS if isinstance(names, dict) and lang in names}
    return {
        "id": name,
        "own": is_user_world(name, root),
        "names": named,
        "langs": [lang for lang in LANGS if isinstance(langs, list) and lang in langs],
    }


def _places(folder: Path) -> dict[str, Any]:
    """Return the sectors, arenas and things of a world with their names by language, whether an
    arena is private, and whether a thing is for sleeping; none for a world that does not load.
    """
    towns = _in_langs(folder)
    some = next(iter(towns.values()), None)
    if some is None:
        return {"sectors": [], "arenas": [], "things": []}
    return {
        "sectors": [
            {"id": at, "names": {lang: town.sectors[at].name for lang, town in towns.items()}}
            for at in some.sectors
        ],
        "arenas": [
            {
                "id": at,
                "names": {lang: town.arenas[at].name for lang, town in towns.items()},
                "private": not arena.public,
            }
            for at, arena in some.arenas.items()
        ],
        "things": [
            {
                "id": at,
                "names": {lang: town.things[at].name for lang, town in towns.items()},
                "bed": "sleep" in thing.tags,
            }
            for at, thing in some.things.items()
        ],
    }
