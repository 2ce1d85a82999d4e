"""A town is drawn on a blank map: what is built stands there, what is refused changes nothing, and
what else was drawn on the map stays.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.authoring.blank import make_blank_world
from hometown.authoring.buildings import load_buildings, room_type
from hometown.authoring.editing import put_resident, residents_of
from hometown.authoring.invented_residents import invent_resident
from hometown.authoring.lint import lint
from hometown.authoring.map_editing import paint
from hometown.authoring.town_building import TownBuilder
from hometown.authoring.world_changes import put_back
from hometown.errors import BadWorld
from hometown.world.load import inspect_world, load_world


@pytest.fixture(scope="module")
def blank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blank")
    return make_blank_world("meadow", ["en", "zh"], (40, 28), folder)


@pytest.fixture
def meadow(blank: Path, tmp_path: Path) -> Path:
    return shutil.copytree(blank, tmp_path / blank.name)


def build(folder: Path, *strokes: dict[str, Any]) -> None:
    """Carry out strokes without a check after each."""
    painter = TownBuilder(folder)
    for stroke in strokes:
        {"build": painter.build, "room": painter.add_room, "ground": painter.lay_ground}[
            stroke.pop("act")
        ](**stroke)
    painter.save()


def test_people_move_into_what_is_built_and_know_their_day(meadow: Path) -> None:
    build(
        meadow,
        {"act": "build", "which": "house", "at": (2, 2)},
        {"act": "build", "which": "cafe", "at": (20, 2)},
        {"act": "build", "which": "park", "at": (20, 14)},
        {"act": "room", "kind": "bedroom", "area": (2, 11, 8, 6)},
    )
    for number in range(3):
        put_resident(meadow, f"resident_{number}", invent_resident(meadow))
    assert lint(meadow).errors == 0
    with pytest.raises(BadWorld, match="free bed"):
        invent_resident(meadow)
    world = load_world("meadow", "zh", meadow.parent)
    assert len({persona.sleeps for persona in world.personas.values()}) == 3
    assert {habit.place.partition("/")[0] for habit in world.personas["resident_0"].habits} == {
        "house",
        "cafe",
        "park",
    }
    assert world.personas["resident_0"].name == "林小满"


@pytest.mark.parametrize("which", load_buildings())
def test_every_building_can_be_lived_in(meadow: Path, which: str) -> None:
    build(meadow, {"act": "build", "which": which, "at": (5, 5)})
    problems = [str(problem.line) for problem in lint(meadow).problems]
    assert not [line for line in problems if which in line]
    assert all(room_type(room) for room in load_buildings()[which].rooms)


def test_a_room_beside_a_building_has_a_door_to_it(meadow: Path) -> None:
    build(
        meadow,
        {"act": "room", "kind": "living", "area": (4, 4, 8, 7)},
        {"act": "room", "kind": "kitchen", "area": (11, 4, 7, 7)},
    )
    world = inspect_world(meadow, "en")[0]
    assert world
    assert {"house/living", "house/kitchen"} <= set(world.arenas)
    assert world.maze.distance((8, 7), (12, 7)) == 4, "through the wall between them"


def test_no_thing_stands_in_the_door_of_a_room_built_on(meadow: Path) -> None:
    build(
        meadow,
        {"act": "room", "kind": "bedroom", "area": (4, 3, 6, 6)},
        {"act": "room", "kind": "kitchen", "area": (9, 3, 6, 6)},
        {"act": "room", "kind": "bathroom", "area": (4, 8, 6, 6)},
        {"act": "room", "kind": "living", "area": (9, 8, 6, 6)},
    )
    assert lint(meadow).errors == 1, "that nobody lives there"


def test_a_room_is_never_closed_in(meadow: Path) -> None:
    build(meadow, {"act": "room", "kind": "bedroom", "area": (4, 3, 6, 6)})
    with pytest.raises(BadWorld, match="no way to a room"):
        paint(meadow, {"act": "door", "at": [6, 8]})
    assert TownBuilder(meadow).ground[8][6] == "+"


def test_only_what_a_change_alters_is_drawn_anew(meadow: Path) -> None:
    drawn = orjson.loads((meadow / "map.tmj").read_bytes())
    layers = {layer["name"]: layer.get("data") for layer in drawn["layers"]}
    layers["furniture"][0] = layers["ground"][0]  # as if by Tiled
    (meadow / "map.tmj").write_bytes(orjson.dumps(drawn))
    before = paint(meadow, {"act": "ground", "kind": "water", "tiles": [[20, 20], [21, 20]]})
    after = orjson.loads((meadow / "map.tmj").read_bytes())
    changed = {layer["name"]: layer.get("data") for layer in after["layers"]}
    assert changed["furniture"][0] == layers["furniture"][0]
    assert changed["collision"][20 * 40 + 20]
    put_back(meadow, before)
    assert orjson.loads((meadow / "map.tmj").read_bytes()) == drawn


def test_rooms_are_changed_by_the_same_plan(meadow: Path) -> None:
    build(meadow, {"act": "build", "which": "cottage", "at": (5, 5)})
    for stroke in (
        {"act": "floor", "room": "cottage/living", "kind": "e"},
        {"act": "wall", "room": "cottage/living", "at": [13, 10]},
        {"act": "door", "at": [15, 8]},
        {"act": "put", "kind": "armchair", "at": [14, 7]},
        {"act": "put", "kind": "plant", "at": [14, 10]},
        {"act": "move", "thing": "cottage/living/armchair", "at": [14, 9]},
        {"act": "clear", "at": [14, 10]},
        {"act": "name", "room": "cottage", "names": {"en": "Rose Cottage"}},
    ):
        paint(meadow, stroke)
    plan = TownBuilder(meadow)
    assert plan.ground[9][10] == "e"
    assert plan.ground[10][13] == "#"
    assert plan.ground[8][15] == "+"
    assert plan.decor == []
    world = inspect_world(meadow, "en")[0]
    assert world
    assert world.sectors["cottage"].name == "Rose Cottage"
    assert world.things["cottage/living/armchair"].tiles == ((14, 9),)
    paint(meadow, {"act": "demolish", "sector": "cottage"})
    assert "".join(TownBuilder(meadow).ground[6]).strip("T") == "." * 38


@pytest.mark.parametrize(
    ("stroke", "said"),
    [
        ({"act": "ground", "kind": "lava", "tiles": [[5, 5]]}, "no ground"),
        ({"act": "ground", "kind": "path", "tiles": [[999, 5]]}, "nothing can be laid"),
        ({"act": "build", "building": "castle", "at": [5, 5]}, "no building"),
        ({"act": "build", "building": "house", "at": [35, 5]}, "beyond the map"),
        ({"act": "room", "kind": "bedroom", "from": [5, 5], "to": [6, 9]}, "at least 4"),
        ({"act": "room", "kind": "bedroom", "from": [5, 5], "to": [10**9, 10**9]}, "beyond"),
        ({"act": "room", "kind": "dungeon", "from": [5, 5], "to": [9, 9]}, "no room"),
        ({"act": "door", "at": [9, 9]}, "no door"),
        ({"act": "put", "kind": "bench", "at": [9, 9]}, "belong to a room"),
        ({"act": "demolish", "sector": "castle"}, "castle"),
    ],
)
def test_what_is_refused_changes_nothing(meadow: Path, stroke: dict[str, Any], said: str) -> None:
    before = (meadow / "map.tmj").read_bytes()
    with pytest.raises(BadWorld, match=said):
        paint(meadow, stroke)
    assert (meadow / "map.tmj").read_bytes() == before
    assert residents_of(meadow) == {}


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "Ben"},
        {"habits": None},
        {"habits": [1]},
        {"habits": [{"place": []}]},
        {"sleeps": []},
    ],
)
def test_a_neighbour_with_odd_values_does_not_keep_others_from_moving_in(
    changed: dict[str, Any], meadow: Path
) -> None:
    build(meadow, {"act": "build", "which": "house", "at": (2, 2)})
    first = invent_resident(meadow)
    (meadow / "residents").mkdir(exist_ok=True)
    (meadow / "residents" / "ben.json").write_bytes(orjson.dumps(first | changed))
    taken = first["sleeps"] if changed.get("sleeps") is None else ""
    assert invent_resident(meadow)["sleeps"] != taken
