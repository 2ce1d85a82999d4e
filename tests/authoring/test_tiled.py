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

from hometown.authoring.art.preview import render
from hometown.authoring.importing.importer import convert_world
from hometown.authoring.lint import lint
from hometown.authoring.starter import make_world
from hometown.errors import BadWorld
from hometown.world.load import load_world
from tests.support.elsewhere import HOUSES, PLAN, ROOMS, blocked
from tests.support.mornings import live_morning

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
    assert live_morning(imported.folder, "en", tmp_path) == 0


def test_a_room_belongs_to_the_building_around_its_middle(tmp_path: Path) -> None:
    path = write_tmx(tmp_path / "there")
    text = path.read_text("utf-8")
    drawn = rectangle("bedroom", *ROOMS["Mill House", "bedroom"])
    assert drawn in text
    path.write_text(text.replace(drawn, rectangle("bedroom", 0, 1, 6, 4)), "utf-8")
    world = load_world(convert_world(path, "here", "en", tmp_path / "worlds").folder, "en")
    assert "mill_house/bedroom" in world.arenas


def test_tags_are_read_with_and_without_spaces(tmp_path: Path) -> None:
    drawn = rectangle("cafe", *ROOMS["Corner Cafe", "cafe"])
    days = []
    for name, tags in (("close", "shop,cafe"), ("apart", "shop, cafe")):
        path = write_tmx(tmp_path / name)
        given = f'<properties><property name="tags" value="{tags}"/></properties>'
        text = path.read_text("utf-8").replace(
            drawn, f"{drawn[: -len('</object>')]}{given}</object>"
        )
        path.write_text(text, "utf-8")
        world = load_world(convert_world(path, name, "en", tmp_path / "worlds").folder, "en")
        days.append([persona.habits for persona in world.personas.values()])
    assert days[0] == days[1]


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
    sets = "".join(
        f'<tileset firstgid="{number}" source="{name}"/>'
        for number, name in (
            (1, "a.tsx"),
            (9, "b.tsx"),
            (17, "../../secret.tsx"),
            (25, "/etc/passwd"),
        )
    )
    assert [
        line.partition(": ")[2]
        for line in refused(write_tmx(tmp_path / "there", tileset=sets), tmp_path)
    ] == [
        "tileset 'a.tsx': does not exist; copy it to the map's folder, or embed it in Tiled",
        "tileset 'b.tsx': does not exist; copy it to the map's folder, or embed it in Tiled",
        "tileset '../../secret.tsx': does not exist; copy it to the map's folder, or embed it in Tiled",
        "tileset '/etc/passwd': lies outside the map's folder; copy it beside the map, or embed it in Tiled",
    ]


BOMB = base64.b64encode(zlib.compress(bytes(50_000_000))).decode()

NUMBERS = 'firstgid="1" tilewidth="16" tileheight="16" tilecount="2" columns="1"'

BROKEN: list[tuple[dict[str, Any], str]] = [
    (
        {"data": '<data encoding="csv">1,2</data>'},
        "layer 'Collisions': has 2 tiles, but should have 280",
    ),
    (
        {"data": f'<data encoding="base64" compression="zlib">{BOMB}</data>'},
        "layer 'Collisions': has 281 tiles, but should have 280",
    ),
    (
        {"data": '<data encoding="base64" compression="zlib">????</data>'},
        "layer 'Collisions': holds something other than tile numbers",
    ),
    (
        {"things": rectangle("lamp", 19, 0, 1, 1)},
        "thing 'lamp': is not inside any arena; draw one around it, or name it like sector/arena/thing",
    ),
    ({"things": rectangle("a/b/c/d", 2, 2, 1, 1)}, "thing 'a/b/c/d': has no name of 1 to 3 parts"),
    (
        {"things": rectangle("lamp", 99, 2, 1, 1)},
        "things object 'lamp': at pixel (1584, 32) reaches beyond the map",
    ),
    (
        {
            "things": rectangle(
                "lamp",
                3,
                3,
                1,
                1,
                inner='<properties><property name="tag" value="rest"/></properties>',
            )
        },
        "thing 'lamp'.tag: unknown key 'tag'; did you mean 'tags'?",
    ),
    ({"head": '<!DOCTYPE map [<!ENTITY a "b">]>'}, "declares a document type"),
    ({"tileset": f'<tileset name="many" {NUMBERS}/>'}, "'many': has no image; choose one in Tiled"),
    (
        {"tileset": f'<tileset name="t" {NUMBERS}><image source="t.png"/></tileset>'},
        "tileset image 't.png': does not exist",
    ),
]


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
    (line,) = refused(path, tmp_path)
    assert "shows nothing and marks no places" in line


def write_picture(path: Path, width: int, height: int, colour: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGBA", (width, height), colour).save(path)


def write_wild(folder: Path, columns: int = 30, rows: int = 20) -> Path:
    """A map as artists draw it, in a project of three folders: ground of one image with water, trees
    of a collection, a sign placed as a picture, and no places.
    """
    for name, size, colour in (
        ("ground", (16, 8), "green"),
        ("tree", (8, 24), "brown"),
        ("sign", (8, 8), "red"),
    ):
        write_picture(folder / "art" / f"{name}.png", *size, colour)
    (folder / "sets").mkdir()
    (folder / "sets" / "ground.tsx").write_text(
        '<tileset name="ground" tilewidth="8" tileheight="8"><image source="../art/ground.png" width="16" height="8"/>'
        '<wangsets><wangset name="land"><wangcolor name="Grass"/><wangcolor name="Deep Water"/>'
        '<wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/><wangtile tileid="1" wangid="0,2,0,2,0,1,0,2"/></wangset></wangsets></tileset>',
        "utf-8",
    )
    (folder / "sets" / "things.tsx").write_text(
        '<tileset name="things" tilewidth="8" tileheight="24" tilecount="2"><tile id="0"><image source="../art/tree.png"/>'
        '<objectgroup><object x="0" y="16" width="8" height="8"/></objectgroup></tile>'
        '<tile id="3"><image source="../art/sign.png"/></tile></tileset>',
        "utf-8",
    )
    ground = [2 if column < 3 else 1 for _ in range(rows) for column in range(columns)]
    trees = [3 if at == 10 * columns // 2 + 6 else 0 for at in range(rows * columns)]
    layers = "".join(
        f'<layer name="{name}"><data encoding="csv">{",".join(map(str, cells))}</data></layer>'
        for name, cells in (("ground", ground), ("trees", trees))
    )
    (folder / "maps").mkdir()
    path = folder / "maps" / "wild.tmx"
    path.write_text(
        f'<map orientation="orthogonal" width="{columns}" height="{rows}" tilewidth="8" tileheight="8">'
        '<tileset firstgid="1" source="../sets/ground.tsx"/><tileset firstgid="3" source="../sets/things.tsx"/>'
        f'{layers}<group name="upper"><objectgroup name="signs" offsetx="8">'
        '<object gid="6" template="sign.tx" x="56" y="72" rotation="360"/></objectgroup></group></map>',
        "utf-8",
    )
    (folder / "maps" / "sign.tx").write_text(
        '<template><object width="8" height="8"/></template>', "utf-8"
    )
    return path


@pytest.mark.parametrize("whole", [False, True])
def test_a_map_without_places_becomes_a_town_with_its_art(whole: bool, tmp_path: Path) -> None:
    path = write_wild(tmp_path / "there")
    imported = convert_world(
        tmp_path / "there" if whole else path, "here", None, tmp_path / "worlds"
    )
    world = load_world(imported.folder, "en")
    assert len(world.personas) >= 2
    assert world.maze.size == (30, 20)
    assert not any(world.maze.walkable((column, 5)) for column in range(3))
    assert not world.maze.walkable((6, 5))
    picture = render(imported.folder)
    side = picture.width // 30
    colours = {
        at: picture.getpixel((at[0] * side + side // 2, at[1] * side + side // 2))[:3]
        for at in ((29, 19), (6, 5), (6, 3), (8, 8))
    }
    assert colours == {
        (29, 19): (0, 128, 0),
        (6, 5): (165, 42, 42),
        (6, 3): (165, 42, 42),
        (8, 8): (255, 0, 0),
    }
    report = " ".join(str(line) for line in (*imported.report.came, *imported.report.guessed))
    assert "pictures from outside the map's folder" in report
    for step in ("layers of 1 group", "offsets: signs", "templates: sign.tx", "1 rotated object"):
        assert step in report
    assert "the tiles with collision shapes" in report
    assert live_morning(imported.folder, "en", tmp_path) == 0


def test_a_small_map_gets_ground_to_live_on(tmp_path: Path) -> None:
    path = write_wild(tmp_path / "there", 7, 6)
    imported = convert_world(path, "here", None, tmp_path / "worlds")
    assert load_world(imported.folder, "en").maze.size == (27, 26)
    assert any("a margin of 10 tiles" in str(line) for line in imported.report.guessed)


def test_a_small_map_gets_ground_for_all_its_people(tmp_path: Path) -> None:
    path = write_wild(tmp_path / "there", 7, 6)
    names = {f"Person {chr(ord('A') + number)}" for number in range(24)}
    for name in names:
        folder = path.parent / "agents" / name
        folder.mkdir(parents=True)
        person = {
            "name": name,
            "age": 30,
            "innate": "kind",
            "learned": "A baker.",
            "lifestyle": "Goes to bed at 11pm.",
            "currently": "Baking is fun.",
            "spatial": {"address": {"living_area": ["the Ville", "home"]}},
        }
        (folder / "agent.json").write_text(json.dumps(person), "utf-8")
    imported = convert_world(path, "here", None, tmp_path / "worlds")
    people = load_world(imported.folder, "en").personas.values()
    assert {persona.name for persona in people} == names
    assert any("a margin of 20 tiles" in str(line) for line in imported.report.guessed)


def test_rules_of_automapping_are_no_town(tmp_path: Path) -> None:
    path = write_wild(tmp_path / "there")
    text = path.read_text("utf-8")
    path.write_text(
        text.replace('name="ground"', 'name="input_set"').replace(
            'name="trees"', 'name="output_set"'
        ),
        "utf-8",
    )
    (line,) = refused(path, tmp_path)
    assert "holds rules of AutoMapping (input_set, output_set)" in line


def test_of_several_maps_one_is_to_be_named(tmp_path: Path) -> None:
    first, _ = (write_wild(tmp_path / "there" / name) for name in ("east", "west"))
    (line,) = refused(tmp_path / "there", tmp_path)
    assert "holds several towns" in line
    assert "east/maps/wild.tmx" in line
    folder = tmp_path / "there"
    named = convert_world(folder, "one", "en", tmp_path / "worlds", town="west/maps/wild.tmx")
    assert named.folder.is_dir()
    first.write_text(
        first.read_text("utf-8")
        .replace('name="signs"', 'name="sectors"')
        .replace("<object ", '<object name="Old Mill" '),
        "utf-8",
    )
    with pytest.raises(BadWorld, match="no bed"):
        convert_world(folder, "two", "en", tmp_path / "worlds")
