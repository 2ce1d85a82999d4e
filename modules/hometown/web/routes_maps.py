"""Routes of the painter: the rooms of a world, pictures of them, and changes to its map."""

from __future__ import annotations

import io
from pathlib import Path

from flask import Flask, Response, abort

from hometown.authoring.art.floors import INDOORS
from hometown.authoring.art.furniture import size_of_kind
from hometown.authoring.art.kinds import load_decorations, load_kinds
from hometown.authoring.art.preview import render
from hometown.authoring.art.thing_pictures import picture_png
from hometown.authoring.buildings import (
    building_png,
    ground_png,
    load_buildings,
    load_room_types,
)
from hometown.authoring.map_editing import map_version, paint, try_stroke
from hometown.authoring.painting import MapPainter
from hometown.authoring.town_building import TownBuilder, open_painter
from hometown.authoring.town_painting import GROUNDS
from hometown.json_object import Json
from hometown.web.answers import API, body_of_request, respond_json, respond_tagged
from hometown.web.drawing import drawing
from hometown.web.routes_worlds import (
    faults,
    folder_by,
    own_folder,
    problems_of,
    read_expected_version,
)
from hometown.web.undo import UndoLists


def map_routes(app: Flask, root: Path, undo_lists: UndoLists) -> None:
    """Add the routes to the app; `root` holds the user's worlds."""
    _painting_routes(app, root, undo_lists)

    @app.get(f"{API}/worlds/<name>/rooms")
    def rooms(name: str) -> Response:
        """Return every room with its things, and the choices for it: kinds of things with their
        size in tiles, and floors.
        """
        folder = folder_by(name, root)
        with faults():
            # In this order: a version that is too old is refused.
            version = map_version(folder)
            found = describe_map(open_painter(folder))
        return respond_json(found | list_choices() | {"version": version})

    @app.get(f"{API}/worlds/<name>/part/<int:left>/<int:top>/<int:width>/<int:height>")
    def part(name: str, left: int, top: int, width: int, height: int) -> Response:
        """Draw a part of the town (PNG); lengths are in tiles."""
        folder, buffer = folder_by(name, root), io.BytesIO()
        with drawing():
            render(folder, part=(left, top, width, height)).save(buffer, "PNG")
        return respond_tagged(buffer.getvalue(), "image/png")

    @app.get(f"{API}/kinds/<kind>")
    def kind_picture(kind: str) -> Response:
        known = kind in load_kinds() or kind in load_decorations()
        return respond_tagged(picture_png(kind), "image/png") if known else abort(404)

    @app.get(f"{API}/buildings/<which>")
    def building_picture(which: str) -> Response:
        known = which in load_buildings()
        return respond_tagged(building_png(which), "image/png") if known else abort(404)

    @app.get(f"{API}/grounds/<kind>")
    def ground_picture(kind: str) -> Response:
        known = kind in GROUNDS
        return respond_tagged(ground_png(GROUNDS[kind]), "image/png") if known else abort(404)


def _painting_routes(app: Flask, root: Path, undo_lists: UndoLists) -> None:
    """Add the routes that check and make changes of a map."""

    @app.post(f"{API}/worlds/<name>/map/check")
    def check_map(name: str) -> Response:
        """Return the problems that the world would have after the change in the body."""
        folder = own_folder(name, root)
        with faults():
            return respond_json({"problems": problems_of(try_stroke(folder, body_of_request()))})

    @app.put(f"{API}/worlds/<name>/map")
    def change_map(name: str) -> Response:
        """Change the map, and return it with the world's problems."""
        folder = own_folder(name, root)
        with faults():
            change = paint(folder, body_of_request(), read_expected_version())
        undo_lists.add(name, change)
        return respond_json(
            describe_map(open_painter(folder))
            | {
                "problems": problems_of(change.report),
                "undo": undo_lists.last(name),
                "version": change.version,
            }
        )


def describe_map(painter: MapPainter) -> Json:
    """Return the rooms of a map, and `town`: its ground, buildings and decorations, null for a map
    without a ground plan.
    """
    town = painter.describe() if isinstance(painter, TownBuilder) else None
    return {"rooms": painter.rooms(), "town": town}


def list_choices() -> Json:
    """Return what can be put on a map: kinds of things and decorations with their size in tiles,
    floors, grounds, rooms and buildings.
    """
    kinds = {kind: {"en": given.en, "zh": given.zh} for kind, given in load_kinds().items()}
    return {
        "kinds": [
            {"id": kind, "names": names, "size": size_of_kind(kind)}
            for kind, names in kinds.items()
        ],
        "decorations": [{"id": kind, "size": size_of_kind(kind)} for kind in load_decorations()],
        "floors": sorted(INDOORS),
        "grounds": list(GROUNDS),
        "places": [
            {"id": kind, "names": {"en": given.en, "zh": given.zh}}
            for kind, given in load_room_types().items()
        ],
        "buildings": [
            {"id": which, "names": {"en": given.en, "zh": given.zh}, "size": given.size}
            for which, given in load_buildings().items()
        ],
    }
