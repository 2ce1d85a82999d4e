"""The painter: what it changes of a map is there, what it refuses changes nothing, and what stood
in a room can be moved and taken away.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.authoring.map_editing import paint
from hometown.authoring.painting import MapPainter
from hometown.authoring.starter import make_world
from hometown.authoring.town_building import TownBuilder, open_painter
from hometown.authoring.world_changes import put_back
from hometown.errors import BadWorld
from hometown.world.load import load_world

LIVING = "ada_house/living"


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world whose map does not contain its ground plan, as those drawn by older versions."""
    folder = make_world("dale", ["en", "zh"], tmp_path_factory.mktemp("old"))
    drawn = orjson.loads((folder / "map.tmj").read_bytes())
    del drawn["properties"]
    (folder / "map.tmj").write_bytes(orjson.dumps(drawn))
    return folder


@pytest.fixture
def dale(old: Path, tmp_path: Path) -> Path:
    return shutil.copytree(old, tmp_path / old.name)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.*")}


def test_every_thing_that_is_drawn_is_known_by_its_kind(dale: Path) -> None:
    things = [thing for room in MapPainter(dale).rooms() for thing in room["things"]]
    assert len(things) == len(load_world(dale, "en").things)
    assert all(thing["kind"] for thing in things)


def test_a_room_is_furnished_anew(dale: Path) -> None:
    left, top, *_ = next(room for room in MapPainter(dale).rooms() if room["id"] == LIVING)["box"]
    for stroke in (
        {"act": "name", "room": LIVING, "names": {"en": "the parlour", "zh": "厅堂"}},
        {"act": "floor", "room": LIVING, "kind": "e"},
        {"act": "put", "room": LIVING, "kind": "piano", "at": [left, top + 3]},
        {"act": "move", "thing": f"{LIVING}/piano", "at": [left, top + 4]},
        {"act": "put", "room": LIVING, "kind": "armchair", "at": [left + 2, top + 5]},
        {"act": "remove", "thing": f"{LIVING}/armchair"},
        {"act": "wall", "room": LIVING, "at": [left + 4, top + 5]},
    ):
        before = paint(dale, stroke)
    world = load_world(dale, "zh")
    assert world.arenas[LIVING].name == "厅堂"
    assert world.things[f"{LIVING}/piano"].tiles == ((left, top + 4), (left, top + 5))
    assert f"{LIVING}/armchair" not in world.things
    assert not world.maze.walkable((left + 4, top + 5))
    assert not world.maze.walkable((left, top + 4))
    assert world.maze.walkable((left, top + 3)), "where the piano stood first"
    put_back(dale, before)
    assert load_world(dale, "en").maze.walkable((left + 4, top + 5))


@pytest.mark.parametrize(
    ("stroke", "said"),
    [
        ({"act": "remove", "thing": "ada_house/bedroom/bed"}, "no thing of the map"),
        ({"act": "put", "room": LIVING, "kind": "piano", "at": [0, 0]}, "no room for it"),
        ({"act": "put", "room": LIVING, "kind": "dragon", "at": [1, 1]}, "dragon"),
        ({"act": "put", "room": LIVING, "kind": "piano", "at": [-1, 10**9]}, "no place on the map"),
        ({"act": "put", "room": LIVING, "kind": "piano", "at": [10**9, 10**9]}, "no room for it"),
        ({"act": "wall", "room": LIVING, "at": [10**9, 0]}, "no room for it"),
        ({"act": "floor", "room": LIVING, "kind": "~"}, "no floor"),
        ({"act": "floor", "room": "nowhere", "kind": "w"}, "nowhere"),
        ({"act": "name", "room": LIVING, "names": {"en": ""}}, "has no en"),
        ({"act": "name", "room": LIVING, "names": "x"}, "not a change"),
        ({}, "not a change"),
    ],
)
def test_what_is_refused_changes_nothing(dale: Path, stroke: dict[str, Any], said: str) -> None:
    before = files(dale)
    with pytest.raises(BadWorld, match=said):
        paint(dale, stroke)
    assert files(dale) == before


def test_a_map_that_hometown_did_not_draw_is_left_to_tiled(dale: Path) -> None:
    text = (dale / "map.tmj").read_text("utf-8").replace('"furniture"', '"stuff"')
    (dale / "map.tmj").write_text(text, "utf-8")
    with pytest.raises(BadWorld, match="Tiled"):
        MapPainter(dale)


def test_of_a_map_drawn_elsewhere_the_rooms_are_named_and_nothing_else_changes(dale: Path) -> None:
    file = dale / "map.tmj"
    file.write_text(file.read_text("utf-8").replace('"lights"', '"glow"'), "utf-8")
    paint(dale, {"act": "name", "room": LIVING, "names": {"en": "the parlour"}})
    assert load_world(dale, "en").arenas[LIVING].name == "the parlour"
    before = files(dale)
    with pytest.raises(BadWorld, match="use Tiled"):
        paint(dale, {"act": "floor", "room": LIVING, "kind": "e"})
    assert files(dale) == before


def test_a_wall_can_be_built_at_the_edge_of_the_map(dale: Path) -> None:
    file = dale / "map.tmj"
    drawn = orjson.loads(file.read_bytes())
    width, height = drawn["width"], drawn["height"]
    layers = {layer["name"]: layer for layer in drawn["layers"]}
    for item in (*layers["sectors"]["objects"], *layers["arenas"]["objects"]):
        if item["name"].startswith("park"):
            item |= {"width": width * 32 - item["x"], "height": height * 32 - item["y"]}
    corner = width * height - 1
    for name in ("collision", "walls", "furniture"):
        layers[name]["data"][corner] = layers[name]["data"][corner - width + 1] = 0
    layers["walls"]["data"][corner - width + 1] = 1
    file.write_bytes(orjson.dumps(drawn))
    painter = MapPainter(dale)
    before = painter.cells["walls"][corner - width + 1]
    painter.wall("park/green", (width - 1, height - 1))
    assert painter.cells["collision"][corner]
    assert painter.cells["walls"][corner - width + 1] == before, "at the other edge"


def test_objects_of_templates_and_without_properties_can_be_edited(tmp_path: Path) -> None:
    dale = make_world("dale", ["en", "zh"], tmp_path)
    file = dale / "map.tmj"
    drawn = orjson.loads(file.read_bytes())
    layers = {layer["name"]: layer["objects"] for layer in drawn["layers"] if "objects" in layer}
    things = layers["things"]
    at = next(at for at, item in enumerate(things) if item["name"] == "park/green/bench")
    bench = things[at]
    things[at] = {key: bench[key] for key in ("id", "x", "y")} | {"template": "bench.tj"}
    given = {key: bench[key] for key in bench.keys() - things[at].keys()}
    (dale / "bench.tj").write_bytes(orjson.dumps({"type": "template", "object": given}))
    green = next(item for item in layers["arenas"] if item["name"] == "park/green")
    layers["arenas"].append({key: green[key] for key in green.keys() - {"properties"}})
    file.write_bytes(orjson.dumps(drawn))
    painter = open_painter(dale)
    rooms = {room["id"]: room for room in painter.rooms()}
    (thing,) = [one for one in rooms["park/green"]["things"] if one["id"] == bench["name"]]
    assert thing["kind"] == "bench"
    assert isinstance(painter, TownBuilder)
    painter.name("park/green", {"en": "Common"})
    painter.save()
    assert load_world(dale, "en").arenas["park/green"].name == "Common"
