"""Drawings of `data/art`, and the towns that are drawn with them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from hometown.paths import DATA, PACKAGE, ROOT, WORLDS
from hometown.world.load import list_worlds

Image = pytest.importorskip("PIL.Image", reason="drawings need Pillow")
np = pytest.importorskip("numpy")

from hometown.authoring.art import furniture, terrain, tilemap  # noqa: E402 – they need Pillow
from hometown.authoring.art.floors import FLOORS  # noqa: E402
from hometown.authoring.art.ground import LAID  # noqa: E402
from hometown.authoring.art.kinds import load_decorations, load_kinds  # noqa: E402
from hometown.authoring.art.plan import Placed, Plan, Room  # noqa: E402
from hometown.authoring.art.texture import MARGIN, border  # noqa: E402
from hometown.authoring.art.walls import FACADES  # noqa: E402

DRAWN_TOWN = Path(__file__).with_name("drawn_town.png")
"""The tiles of `town`; a change on purpose is written with `tilemap.build(town(), "")[1].save`."""

GROUND = [
    "TTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTT",
    "T.....MMMMMM...####.####.####.####.####T",
    "T.t...MMMMMM...#ww#.#nn#.#pp#.#cc#.#ee#T",
    "T.....MMMMMM...#ww#.#nn#.#pp#.#cc#.#ee#T",
    "T.a..MMMzzMM...#w##.##+#.##+#.#+##.#+##T",
    "T.......zz.....#w+:::::::::::::::::::::T",
    "T.i.ggg.zz.f...####.####.####.####.###.T",
    "T...gggg::.f...#bb#.#lkk+:#qqq#.#oooo#.T",
    "T.h.ggg.::.....#bb+:#lkk#:#qqq#.#o##o#.T",
    "T....::::rrrrrr##+#.##+##:##+##.##+###.T",
    "T.j.mmm.rrrrssss:::::::::::::::::::::::T",
    "T...mmmm.::.ssss..|||||+||.~~~~~~..yyy.T",
    "T.t.mmm..::.ddss..|..f...|~~~~~~~~.yyy.T",
    "T........::.dd....|.T....|~~==~~~~.yyy.T",
    "T.t.t.f..==~~~~~..|||||||||~==~~~......T",
    "TTTTTTTTT==~~~~~TTTTTTTTTTTT==TTTTTTTTTT",
]
"""Every character of a plan, and most borders between two."""


def town() -> Plan:
    """Return a town with every ground and facade, and a few things."""
    corners = [(15, 1), (20, 1), (25, 1), (30, 1), (35, 1), (15, 6), (20, 6), (26, 6), (32, 6)]
    sectors = [
        Room(facade, facade, facade, (*corner, 6, 4))
        for facade, corner in zip(FACADES, corners, strict=True)
    ]
    rooms = [Room(f"{sector.address}/room", "", "", sector.rect) for sector in sectors]
    things = [
        Placed("plaster/room/bed", "bed", (16, 2)),
        Placed("timber/room/bed", "bed", (21, 2)),
        Placed("sect/room/furnace", "pill_furnace", (28, 8)),
        Placed("barn/room/sofa", "sofa", (33, 7)),
    ]
    decor = [("lamp", (13, 8)), ("plant", (27, 2)), ("clock", (31, 1)), ("lily", (30, 12))]
    return Plan(
        "drawn", GROUND, sectors, rooms, things, decor, {facade: facade for facade in FACADES}
    )


def test_a_town_is_drawn_to_the_pixel_as_before() -> None:
    _, sheet = tilemap.build(town(), "tileset.png")
    with Image.open(DRAWN_TOWN) as before:
        assert sheet.size == before.size
        differing = np.asarray(sheet) != np.asarray(before.convert("RGBA"))
    assert not differing.any(), f"{differing.any(-1).sum()} pixels differ"


def test_every_kind_and_every_character_of_a_plan_can_be_drawn() -> None:
    for kind in [*load_kinds(), *load_decorations()]:
        picture, shape = furniture.draw_thing(kind), furniture.shape(kind)
        assert picture.image.size == (32 * len(shape[0]), 32 * (len(shape) + picture.above)), kind
        assert picture.image.getbbox(), kind
    for mark in [*FLOORS, *LAID, *".fTtaihjM|#+"]:
        plan = [".....", f"..{mark}..", f".{mark * 3}.", f"..{mark}..", "....."]
        drawn = [
            (layer, image)
            for row in range(5)
            for column in range(5)
            for layer, image in terrain.tiles(column, row, plan)
        ]
        assert all(image.size == (32, 32) for _, image in drawn), mark
        assert all(
            image.getchannel("A").getextrema() == (255, 255)
            for layer, image in drawn
            if layer == "ground"
        ), mark


def test_every_drawing_of_a_thing_is_listed() -> None:
    drawn = {file.stem for file in (DATA / "art" / "things").iterdir()}
    assert drawn == {*load_kinds(), *load_decorations()}


def test_covers_have_the_colour_of_their_room() -> None:
    beds = {furniture.draw_thing("bed", f"room {number}").image.tobytes() for number in range(40)}
    assert len(beds) == 7
    stoves = {
        furniture.draw_thing("stove", f"room {number}").image.tobytes() for number in range(40)
    }
    assert len(stoves) == 1


NEW_THING = """
import io, json
from PIL import Image
from hometown.authoring.art.plan import Placed, Plan
from hometown.authoring.art.thing_pictures import picture_png, thing_kind
from hometown.authoring.art.tilemap import build

kind = thing_kind("an old loom")
plan = Plan("hall", ["...."] * 3, [], [], [Placed("hall/room/loom", kind, (1, 1))])
layers = {layer["name"]: layer for layer in json.loads(build(plan, "t.png")[0])["layers"]}
properties = layers["things"]["objects"][0]["properties"]
print(json.dumps({
    "size": Image.open(io.BytesIO(picture_png(kind))).size,
    "blocked": [number for number, cell in enumerate(layers["collision"]["data"]) if cell],
    "above": [number for number, cell in enumerate(layers["foreground"]["data"]) if cell],
    "names": [item["value"] for item in properties if item["name"] in ("en", "zh")],
}))
"""


def test_a_new_thing_takes_a_drawing_and_a_line(tmp_path: Path) -> None:
    """As docs/worlds.md says."""
    shutil.copytree(PACKAGE, tmp_path / "modules" / "hometown")
    for folder in ("art", "importing"):
        shutil.copytree(DATA / folder, tmp_path / "data" / folder)
    art, places = tmp_path / "data" / "art", tmp_path / "data" / "importing" / "places.json"
    Image.new("RGBA", (32, 64), (200, 160, 60, 255)).save(art / "things" / "loom.png")
    line = re.search(r'^ *"loom": .*,$', (ROOT / "docs" / "worlds.md").read_text("utf-8"), re.M)
    assert line, "docs/worlds.md has no example"
    index, start = (art / "things.json").read_text("utf-8"), '"things": {\n'
    assert start in index
    (art / "things.json").write_text(index.replace(start, f"{start}{line[0]}\n"), "utf-8")
    words = json.loads(places.read_text("utf-8"))
    words["things"].append({"kind": "loom", "en": ["loom"], "zh": ["织布机"]})
    places.write_text(json.dumps(words), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", NEW_THING],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "modules")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout) == {
        "size": [32, 64],
        "blocked": [5],
        "above": [1],
        "names": ["loom", "织布机"],
    }


def test_a_border_goes_on_from_tile_to_tile() -> None:
    cells = [[n % 3 == 0 or m > 3 for n in range(8)] for m in range(7)]

    def around(column: int, row: int) -> tuple[bool, ...]:
        return tuple(
            cells[row + down][column + right]
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            for _ in (0, 1)
        )

    for row in range(1, 5):
        for column in range(1, 6):
            here = border(around(column, row), column, row, 0.4)
            beside = border(around(column + 1, row), column + 1, row, 0.4)
            assert np.allclose(
                here[MARGIN:-MARGIN, -2 * MARGIN : -MARGIN], beside[MARGIN:-MARGIN, :MARGIN]
            )


def test_windows_and_lamps_glow_at_night() -> None:
    drawn = json.loads((WORLDS / "minitown" / "map.tmj").read_text("utf-8"))
    (lights,) = (layer for layer in drawn["layers"] if layer["name"] == "lights")
    assert not lights["visible"]
    assert 40 < sum(map(bool, lights["data"])) < 200


@pytest.mark.parametrize("world", list_worlds())
def test_no_thing_stands_in_another(world: str) -> None:
    drawn = json.loads((WORLDS / world / "map.tmj").read_text("utf-8"))
    (things,) = (layer["objects"] for layer in drawn["layers"] if layer["name"] == "things")
    assert things
    for thing, other in combinations(things, 2):
        assert (
            thing["x"] >= other["x"] + other["width"]
            or other["x"] >= thing["x"] + thing["width"]
            or thing["y"] >= other["y"] + other["height"]
            or other["y"] >= thing["y"] + thing["height"]
        ), (thing["name"], other["name"])
