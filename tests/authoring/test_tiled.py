"""Any Tiled map by a convention of names: both formats, every packing, with its own art or drawn in
ours; strangers read nothing.
"""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
import zstandard

from hometown.authoring.importing.importer import convert_world
from hometown.authoring.lint import lint
from hometown.authoring.starter import make_world
from hometown.errors import BadWorld
from hometown.world.load import load_world
from tests.authoring.test_import import lives
from tests.support.elsewhere import HOUSES, PLAN, ROOMS, blocked

Image = pytest.importorskip("PIL.Image")

SIZE = 16

THINGS = [
    ("bed", 2, 2, 1, 2),
    ("Desk", 5, 2, 1, 1),
    ("cooking area", 7, 2, 1, 1),
    ("counter", 12, 2, 1, 1),
    ("table", 17, 2, 1, 1),
    ("table", 13, 4, 1, 1),
]


def rectangle(
    name: str, column: int, row: int, width: int, height: int, extra: str = "", inner: str = ""
) -> str:
    place = f'x="{column * SIZE}" y="{row * SIZE}" width="{width * SIZE}" height="{height * SIZE}"'
    return f"<object name={quoteattr(name)} {place} {extra}>{inner}</object>"


def cells() -> list[int]:
    return [int(blocked(column, row)) for row in range(len(PLAN)) for column in range(len(PLAN[0]))]


def packed(how: str) -> str:
    raw = struct.pack(f"<{len(cells())}I", *cells())
    done = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress, "zstd": zstandard.compress}[
        how
    ](raw)
    return f'<data encoding="base64"{f" compression={quoteattr(how)}" if how else ""}>{base64.b64encode(done).decode()}</data>'


CSV = f'<data encoding="csv">\n{",".join(map(str, cells()))}\n</data>'


def write_tmx(
    folder: Path, data: str = CSV, things: str = "", tileset: str = "", head: str = ""
) -> Path:
    """The map of `tests/support/elsewhere.py` with plain names, rooms in a group, a park that is a
    polygon and a bench that is a point.
    """
    houses = "".join(
        rectangle(name, *rect) for name, rect in HOUSES.items() if name != "Green Park"
    )
    rooms = "".join(
        rectangle(names[1], *rect) for names, rect in ROOMS.items() if names[1] != "park"
    )
    park = f'<object name="Green Park" class="room" x="{SIZE}" y="{7 * SIZE}"><polygon points="0,0 {4 * SIZE},0 {4 * SIZE},{4 * SIZE} 0,{4 * SIZE}"/></object>'
    bench = f'<object name="bench" class="thing" x="{2 * SIZE + 3}" y="{8 * SIZE + 3}"><point/></object>'
    placed = "".join(rectangle(*thing) for thing in THINGS) + things
    text = f"""<?xml version="1.0" encoding="UTF-8"?>{head}
    <map version="1.10" orientation="orthogonal" width="{len(PLAN[0])}" height="{len(PLAN)}" tilewidth="{SIZE}" tileheight="{SIZE}" infinite="0">{tileset}
    <group name="all"><layer name="Collisions" width="{len(PLAN[0])}" height="{len(PLAN)}">{data}</layer>
    <objectgroup name="Buildings">{houses}</objectgroup><objectgroup name="Rooms">{rooms}</objectgroup></group>
    <objectgroup name="other">{park}{bench}<object name="a note" x="0" y="0"/></objectgroup><objectgroup name="things">{placed}</objectgroup></map>"""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "map.tmx").write_text(text, "utf-8")
    return folder / "map.tmx"


@pytest.mark.parametrize(
    "data",
    [CSV, packed(""), packed("zlib"), packed("gzip"), packed("zstd")],
    ids=["csv", "plain", "zlib", "gzip", "zstd"],
)
def test_a_tmx_becomes_a_world_in_our_tiles(data: str, tmp_path: Path) -> None:
    imported = convert_world(write_tmx(tmp_path / "there", data), "here", "en", tmp_path / "worlds")
    assert lint(imported.folder).errors == 0
    world = load_world(imported.folder, "en")
    assert {
        "mill_house/bedroom/bed",
        "corner_cafe/cafe/counter",
        "green_park/green_park/bench",
        "corner_cafe/cafe/table_2",
    } <= set(world.things)
    assert len(world.personas) == 1
    assert world.maze.arena_at((4, 10)) == "green_park/green_park"
    assert lives(imported.folder, "en", tmp_path) == 0


def test_a_map_keeps_its_own_art_and_words(tmp_path: Path) -> None:
    there = make_world("there", ("en", "zh"), tmp_path)
    imported = convert_world(there / "map.tmj", "here", "zh", tmp_path / "worlds")
    world, before = load_world(imported.folder, "zh"), load_world(there, "zh")
    assert {thing.name for thing in world.things.values()} == {
        thing.name for thing in before.things.values()
    }
    assert {thing.tags for thing in world.things.values()} == {
        thing.tags for thing in before.things.values()
    }
    assert (imported.folder / "tiles_1.png").read_bytes() == (there / "tileset.png").read_bytes()
    drawn = {
        layer["name"]: layer
        for layer in json.loads((imported.folder / "map.tmj").read_text("utf-8"))["layers"]
    }
    was = {
        layer["name"]: layer
        for layer in json.loads((there / "map.tmj").read_text("utf-8"))["layers"]
    }
    assert all(
        drawn[name]["data"] == was[name]["data"]
        for name in ("ground", "floor", "walls", "furniture", "foreground")
    )
    assert lint(imported.folder).errors == 0


def test_an_external_tileset_is_taken_in(tmp_path: Path) -> None:
    there = make_world("there", ("en",), tmp_path)
    drawn = json.loads((there / "map.tmj").read_text("utf-8"))
    (there / "sets").mkdir()
    (there / "tileset.png").rename(there / "sets" / "tileset.png")
    (there / "sets" / "town.tsj").write_text(
        json.dumps(
            {key: value for key, value in drawn["tilesets"][0].items() if key != "firstgid"}
        ),
        "utf-8",
    )
    drawn["tilesets"] = [{"firstgid": 1, "source": "sets/town.tsj"}]
    (there / "map.tmj").write_text(json.dumps(drawn), "utf-8")
    assert (
        convert_world(there, "here", "en", tmp_path / "worlds").folder / "tiles_1.png"
    ).is_file()


def refused(path: Path, root: Path) -> list[str]:
    with pytest.raises(BadWorld) as caught:
        convert_world(path, "here", "en", root / "worlds")
    assert not list((root / "worlds").iterdir())
    return [*caught.value.lines]


def test_missing_tilesets_are_a_line_each(tmp_path: Path) -> None:
    (tmp_path / "secret.tsx").write_text("<tileset/>", "utf-8")
    sets = "".join(
        f'<tileset firstgid="{number}" source="{name}"/>'
        for number, name in ((1, "a.tsx"), (9, "b.tsx"), (17, "../secret.tsx"), (25, "/etc/passwd"))
    )
    assert [
        line.partition(": ")[2]
        for line in refused(write_tmx(tmp_path / "there", tileset=sets), tmp_path)
    ] == [
        "tileset 'a.tsx': does not exist; copy it to the map's folder, or embed it in Tiled",
        "tileset 'b.tsx': does not exist; copy it to the map's folder, or embed it in Tiled",
        "tileset '../secret.tsx': lies outside the map's folder; copy it beside the map, or embed it in Tiled",
        "tileset '/etc/passwd': lies outside the map's folder; copy it beside the map, or embed it in Tiled",
    ]


BOMB = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()

NUMBERS = 'firstgid="1" tilewidth="16" tileheight="16" tilecount="2" columns="1"'

BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"data": '<data encoding="csv">1,2</data>'}, "layer 'Collisions': has 2 tiles, but should have 280"),
    ({"data": f'<data encoding="base64" compression="zlib">{BOMB}</data>'}, "layer 'Collisions': has 281 tiles, but should have 280"),
    ({"data": '<data encoding="base64" compression="zlib">????</data>'}, "layer 'Collisions': holds something other than tile numbers"),
    ({"things": rectangle("lamp", 19, 0, 1, 1)}, "thing 'lamp': is not inside any arena; draw one around it, or name it like sector/arena/thing"),
    ({"things": rectangle("a/b/c/d", 2, 2, 1, 1)}, "thing 'a/b/c/d': has no name of 1 to 3 parts"),
    ({"things": rectangle("lamp", 99, 2, 1, 1)}, "things object 'lamp': at pixel (1584, 32) reaches beyond the map"),
    (
        {"things": rectangle("lamp", 3, 3, 1, 1, inner='<properties><property name="tag" value="rest"/></properties>')},
        "thing 'lamp'.tag: unknown key 'tag'; did you mean 'tags'?",
    ),
    ({"head": '<!DOCTYPE map [<!ENTITY a "b">]>'}, "declares a document type"),
    ({"tileset": f'<tileset name="many" {NUMBERS}/>'}, "'many': has no image; choose one in Tiled"),
    ({"tileset": f'<tileset name="t" {NUMBERS}><image source="t.png"/></tileset>'}, "tileset image 't.png': does not exist"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "text"), BROKEN, ids=range(len(BROKEN)))
def test_a_faulty_map_is_told_and_nothing_is_written(
    change: dict[str, Any], text: str, tmp_path: Path
) -> None:
    lines = refused(write_tmx(tmp_path / "there", **change), tmp_path)
    assert any(text in line for line in lines), lines
    assert all("\n" not in line for line in lines)


def test_a_map_that_marks_nothing(tmp_path: Path) -> None:
    path = write_tmx(tmp_path / "there")
    path.write_text(
        path.read_text("utf-8").split("<group")[0] + '<objectgroup name="x"/></map>', "utf-8"
    )
    assert [line.split(": ")[1][:25] for line in refused(path, tmp_path)] == [
        "has no layer that says wh",
        "marks no places; draw rec",
    ]
