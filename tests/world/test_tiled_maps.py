"""A world's map is the same town however Tiled has saved it; what the page is sent has one form;
hostile maps cost little.
"""

from __future__ import annotations

import base64
import gzip
import json
import shutil
import struct
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
import zstandard

from hometown.authoring.lint import lint
from hometown.paths import WORLDS
from hometown.world.faults import Faults
from hometown.world.load import load_world
from hometown.world.snapshot import snapshot
from hometown.world.tiled import (
    FLIPPED_ACROSS,
    FLIPPED_DIAGONALLY,
    FLIPPED_DOWN,
    page_map,
    read_map,
)
from tests.support.spoilt_worlds import edit, faults, faults_at_once, in_layer

Map = dict[str, Any]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WORLDS / "minitown", tmp_path / "town"))


def same_town(folder: Path) -> None:
    world, before = load_world(folder, "en"), load_world("minitown", "en")
    assert (world.things, world.arenas, world.sectors, world.open_tiles) == (
        before.things,
        before.arenas,
        before.sectors,
        before.open_tiles,
    )


def raw_of(cells: list[int]) -> bytes:
    return struct.pack(f"<{len(cells)}I", *cells)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    "zlib": zlib.compress,
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
}


def packed(drawn: Map, how: str) -> None:
    for layer in drawn["layers"]:
        if layer["type"] == "tilelayer":
            layer.update(
                encoding="base64",
                compression=how,
                data=base64.b64encode(PACKERS[how](raw_of(layer["data"]))).decode(),
            )


def grouped(drawn: Map) -> None:
    tiles = [layer for layer in drawn["layers"] if layer["type"] == "tilelayer"]
    marks = [layer for layer in drawn["layers"] if layer["type"] != "tilelayer"]
    inner = {"name": "inner", "type": "group", "layers": tiles}
    drawn["layers"] = [
        {"name": "drawn", "type": "group", "layers": [inner]},
        {"name": "marks", "type": "group", "layers": marks},
    ]


def infinite(drawn: Map) -> None:
    """In chunks of 16 × 16, the upper left of them at (-32, 16)."""
    width, height = drawn["width"], drawn["height"]
    drawn.update(infinite=True, width=30, height=20)
    for layer in drawn["layers"]:
        for item in layer.get("objects", ()):
            item.update(x=item["x"] - 32 * 32, y=item["y"] + 16 * 32)
        if layer["type"] != "tilelayer":
            continue
        cells, chunks = layer.pop("data"), []
        for top in range(0, height, 16):
            for left in range(0, width, 16):
                wide, high = min(16, width - left), min(16, height - top)
                data = [
                    cells[row * width + column]
                    for row in range(top, top + high)
                    for column in range(left, left + wide)
                ]
                if any(data):
                    chunks.append(
                        {"x": left - 32, "y": top + 16, "width": wide, "height": high, "data": data}
                    )
        layer["chunks"] = chunks


def external(drawn: Map, folder: Path) -> None:
    (folder / "sets").mkdir()
    (folder / "tileset.png").rename(folder / "sets" / "town.png")
    given = {**drawn["tilesets"][0], "image": "town.png"}
    del given["firstgid"]
    (folder / "sets" / "town.tsj").write_text(json.dumps(given), "utf-8-sig")
    drawn["tilesets"] = [{"firstgid": 1, "source": "sets/town.tsj"}]


@pytest.mark.parametrize("how", PACKERS)
def test_every_packing_is_the_same_town(copy: Path, how: str) -> None:
    edit(copy / "map.tmj", lambda drawn: packed(drawn, how))
    same_town(copy)


def test_groups_infinite_maps_external_tilesets_and_byte_order_marks(copy: Path) -> None:
    edit(copy / "map.tmj", lambda drawn: (infinite(drawn), grouped(drawn), external(drawn, copy)))
    for name in ("map.tmj", "world.json", "residents/lin_yue.json"):
        (copy / name).write_text((copy / name).read_text("utf-8"), "utf-8-sig")
    same_town(copy)
    drawn = read_map(copy / "map.tmj", Faults("town"))
    assert drawn is not None
    assert [tileset.image for tileset in drawn.tilesets] == ["sets/town.png"]


def tmx(drawn: Map, chunked: bool = False) -> str:
    """A map in Tiled's XML, its layers in one group."""
    if chunked:
        infinite(drawn)
    sets = "".join(
        f'<tileset firstgid="{one["firstgid"]}" name="t" tilewidth="32" tileheight="32" tilecount="{one["tilecount"]}" columns="{one["columns"]}">'
        f'<image source="{one["image"]}"/></tileset>'
        for one in drawn["tilesets"]
    )
    layers = "".join(tmx_layer(layer) for layer in drawn["layers"])
    size = f'width="{drawn["width"]}" height="{drawn["height"]}" tilewidth="32" tileheight="32" infinite="{int(chunked)}"'
    doctype = '<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'
    return f'\ufeff<?xml version="1.0"?>{doctype}<map orientation="orthogonal" {size}>{sets}<group name="g">{layers}</group></map>'


def tmx_layer(layer: Map) -> str:
    name = quoteattr(layer["name"])
    if layer["type"] == "tilelayer":
        parts = [
            f'<chunk x="{one["x"]}" y="{one["y"]}" width="{one["width"]}" height="{one["height"]}">{",".join(map(str, one["data"]))}</chunk>'
            for one in layer.get("chunks", ())
        ]
        return f'<layer name={name}><data encoding="csv">{"".join(parts) or ",".join(map(str, layer["data"]))}</data></layer>'
    objects = "".join(
        f'<object name={quoteattr(one["name"])} x="{one["x"]}" y="{one["y"]}" width="{one["width"]}" height="{one["height"]}"><properties>'
        + "".join(
            f"<property name={quoteattr(p['name'])} type={quoteattr(p['type'])} value={quoteattr(text_of(p['value']))}/>"
            for p in one["properties"]
        )
        + "</properties></object>"
        for one in layer["objects"]
    )
    return f"<objectgroup name={name}>{objects}</objectgroup>"


def text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_world_may_keep_its_map_as_tmx(copy: Path, chunked: bool) -> None:
    (copy / "map.tmx").write_text(
        tmx(json.loads((copy / "map.tmj").read_text("utf-8")), chunked), "utf-8"
    )
    (copy / "map.tmj").unlink()
    same_town(copy)
    assert lint(copy).errors == 0


def test_what_the_page_draws_has_one_form(copy: Path, tmp_path: Path) -> None:
    plain = read_map(copy / "map.tmj", Faults("town"))
    edit(
        copy / "map.tmj",
        lambda drawn: (packed(drawn, "zstd"), grouped(drawn), external(drawn, copy)),
    )
    other = read_map(copy / "map.tmj", Faults("town"))
    assert plain is not None
    assert other is not None
    one, another = page_map(plain), page_map(other)
    assert one["tilesets"][0].pop("image") == "tileset.png"
    assert another["tilesets"][0].pop("image") == "sets/town.png"
    assert one == another
    assert {layer["type"] for layer in one["layers"]} == {"tilelayer"}
    assert all(len(layer["data"]) == one["width"] * one["height"] for layer in one["layers"])


def test_a_small_object_covers_its_tile_and_is_warned_of(copy: Path) -> None:
    before = lint(copy).problems
    edit(
        copy / "map.tmj",
        lambda drawn: in_layer(drawn, "things", "cafe/main/oven").update(width=9, height=7),
    )
    edit(
        copy / "map.tmj",
        lambda drawn: drawn["layers"].append(
            {"name": "notes", "type": "objectgroup", "objects": [{"x": 5, "y": 5, "text": {}}]}
        ),
    )
    same_town(copy)
    (problem,) = [one for one in lint(copy).problems if one not in before]
    assert (problem.level, problem.address) == ("warning", "cafe/main/oven")
    assert "'cafe/main/oven': is smaller than a tile, so it covers the tile" in problem.line


@pytest.mark.parametrize(
    ("shape", "tiles"),
    [
        (
            {"polygon": [{"x": 0, "y": 0}, {"x": 96, "y": 0}, {"x": 0, "y": 96}]},
            ((2, 1), (3, 1), (2, 2)),
        ),
        ({"polygon": [{"x": 4, "y": 4}, {"x": 8, "y": 4}, {"x": 8, "y": 8}]}, ((2, 1),)),
        ({"point": True}, ((2, 1),)),
        ({"ellipse": True, "width": 64, "height": 32}, ((2, 1), (3, 1))),
        ({"gid": 5, "y": 64, "width": 32, "height": 32}, ((2, 1),)),
    ],
)
def test_objects_of_every_shape(copy: Path, shape: Map, tiles: tuple[tuple[int, int], ...]) -> None:
    item = {"id": 1, "name": "a", "x": 64, "y": 32, "width": 0, "height": 0, **shape}
    edit(
        copy / "map.tmj",
        lambda drawn: drawn["layers"].append(
            {"name": "more", "type": "objectgroup", "objects": [item]}
        ),
    )
    drawn = read_map(copy / "map.tmj", Faults("town"))
    assert drawn is not None
    (laid,) = drawn.lay((one for one in drawn.objects if one.layer == "more"), Faults("town"))
    assert laid.tiles == tiles


def with_old_tilesets(drawn: Map, folder: Path) -> None:
    """Leave out what Tiled before 0.15 leaves out."""
    for tileset in drawn["tilesets"]:
        for key in ("columns", "tilecount", "imagewidth", "imageheight"):
            tileset.pop(key, None)


def with_template(drawn: Map, folder: Path) -> None:
    """Place the first thing from a template, which gives its name, size and properties."""
    things = next(layer for layer in drawn["layers"] if layer["name"] == "things")["objects"]
    thing = things[0]
    given = {key: value for key, value in thing.items() if key not in ("id", "x", "y")}
    (folder / "templates").mkdir()
    (folder / "templates" / "thing.tj").write_text(json.dumps({"object": given}), "utf-8")
    things[0] = {"template": "templates/thing.tj", "x": thing["x"], "y": thing["y"]}


def with_xml_template(drawn: Map, folder: Path) -> None:
    """Place the first thing from a template in XML, and give one property anew."""
    with_template(drawn, folder)
    path = folder / "templates" / "thing.tj"
    given = json.loads(path.read_text("utf-8"))["object"]
    *others, last = given["properties"]
    properties = "".join(
        f"<property name={quoteattr(p['name'])} type={quoteattr(p['type'])} value={quoteattr(text_of(p['value']))}/>"
        for p in (*others, {**last, "value": "of the template"})
    )
    path.with_suffix(".tx").write_text(
        f'<template><object name={quoteattr(given["name"])} width="{given["width"]}" height="{given["height"]}">'
        f"<properties>{properties}</properties></object></template>",
        "utf-8",
    )
    things = next(layer for layer in drawn["layers"] if layer["name"] == "things")["objects"]
    things[0] |= {"template": "templates/thing.tx", "properties": [last]}


def with_offsets(drawn: Map, folder: Path) -> None:
    """Move every layer away, by its group and by itself, and its content back."""
    for layer in drawn["layers"]:
        layer.update(offsetx=64, offsety=-32)
        for item in layer.get("objects", ()):
            item.update(x=item["x"] - 32, y=item["y"] + 32)
    for layer in drawn["layers"]:
        if layer["type"] == "tilelayer":
            width, cells = drawn["width"], layer["data"]
            rows = [cells[at : at + width] for at in range(0, len(cells), width)]
            moved = [[*row[1:], 0] for row in [[0] * width, *rows[:-1]]]
            layer["data"] = [cell for row in moved for cell in row]
    drawn["layers"] = [{"type": "group", "name": "all", "layers": drawn["layers"], "offsetx": -32}]


def with_turns(drawn: Map, folder: Path) -> None:
    """Turn things by quarters, each drawn so that it covers the same tiles."""
    things = next(layer for layer in drawn["layers"] if layer["name"] == "things")["objects"]
    for number, thing in enumerate(things):
        x, y, width, height = (thing[key] for key in ("x", "y", "width", "height"))
        thing |= [
            {"rotation": 360},
            {"rotation": 90, "x": x + width, "width": height, "height": width},
            {"rotation": 180, "x": x + width, "y": y + height},
            {"rotation": -90, "y": y + height, "width": height, "height": width},
        ][number % 4]


@pytest.mark.parametrize(
    "change", [with_old_tilesets, with_template, with_xml_template, with_turns]
)
def test_every_form_of_a_map_is_the_same_town(
    copy: Path, change: Callable[[Map, Path], None]
) -> None:
    edit(copy / "map.tmj", lambda drawn: change(drawn, copy))
    same_town(copy)
    assert not {name for name in ("templates/thing.tj",) if (copy / name).exists()} - set(
        snapshot(copy)
    )


def test_offsets_of_layers_and_groups_move_what_is_on_them(copy: Path) -> None:
    edit(copy / "map.tmj", lambda drawn: with_offsets(drawn, copy))
    drawn, before = (
        read_map(folder / "map.tmj", Faults("town")) for folder in (copy, WORLDS / "minitown")
    )
    assert drawn is not None
    assert before is not None
    assert all(
        (one.cells[:-1, 1:] == other.cells[:-1, 1:]).all()
        for one, other in zip(drawn.layers, before.layers, strict=True)
    )
    same = [(one.name, one.raw["x"], one.raw["y"]) for one in before.objects]
    assert [(one.name, one.raw["x"], one.raw["y"]) for one in drawn.objects] == same


def test_a_rectangle_turned_askew_covers_the_tiles_below_it(copy: Path) -> None:
    item = {"name": "a", "x": 128, "y": 60, "width": 96, "height": 96, "rotation": 45}
    edit(
        copy / "map.tmj",
        lambda drawn: drawn["layers"].append(
            {"name": "more", "type": "objectgroup", "objects": [item]}
        ),
    )
    drawn = read_map(copy / "map.tmj", Faults("town"))
    assert drawn is not None
    (laid,) = drawn.lay((one for one in drawn.objects if one.layer == "more"), Faults("town"))
    assert set(laid.tiles) == {
        *((column, 2) for column in (3, 4)),
        *((column, row) for row in (3, 4) for column in (2, 3, 4, 5)),
        *((column, 5) for column in (3, 4)),
    }


def test_a_collection_of_images_is_a_tileset_for_each(copy: Path) -> None:
    (copy / "trees").mkdir()
    for name in ("oak.png", "elm.png"):
        shutil.copyfile(copy / "tileset.png", copy / "trees" / name)
    tiles = [
        {"id": 4, "image": "oak.png"},
        {"id": 7, "image": "elm.png", "imagewidth": 64, "imageheight": 96},
    ]
    (copy / "trees" / "t.tsj").write_text(json.dumps({"name": "trees", "tiles": tiles}), "utf-8")
    edit(
        copy / "map.tmj",
        lambda drawn: drawn["tilesets"].append({"firstgid": 9000, "source": "trees/t.tsj"}),
    )
    same_town(copy)
    drawn = read_map(copy / "map.tmj", Faults("town"))
    assert drawn is not None
    oak, elm = drawn.tilesets[-2:]
    assert (oak.first, oak.image, elm.first, elm.image) == (
        9004,
        "trees/oak.png",
        9007,
        "trees/elm.png",
    )
    assert (elm.tile_width, elm.tile_height, elm.count) == (64, 96, 1)
    assert {"trees/oak.png", "trees/elm.png"} <= set(snapshot(copy))


# hostile maps ------------------------------------------------------------------------------


@cache
def zlib_bomb() -> str:
    return base64.b64encode(zlib.compress(bytes(50_000_000), 9)).decode()


@cache
def zstd_bomb() -> str:
    return base64.b64encode(zstandard.compress(bytes(500_000_000))).decode()


def layer_bomb(drawn: Map) -> None:
    drawn.update(width=1000, height=1000)
    drawn["layers"] = [
        {
            "name": str(n),
            "type": "tilelayer",
            "encoding": "base64",
            "compression": "zlib",
            "data": zlib_bomb(),
        }
        for n in range(300)
    ]


def nested(depth: int) -> Map:
    layer: Map = {"name": "x", "type": "group", "layers": []}
    for _ in range(depth):
        layer = {"name": "x", "type": "group", "layers": [layer]}
    return layer


HOSTILE: dict[str, tuple[Callable[[Map], Any], str]] = {
    "zlib": (
        lambda m: m["layers"][0].update(encoding="base64", compression="zlib", data=zlib_bomb()),
        "has 2577 tiles, but should have 2576",
    ),
    "zstd": (
        lambda m: m["layers"][0].update(encoding="base64", compression="zstd", data=zstd_bomb()),
        "has 2577 tiles, but should have 2576",
    ),
    "layers": (layer_bomb, "has 300 tile layers; a map of 1000 × 1000 tiles can have 50"),
    "groups": (lambda m: m["layers"].append(nested(100)), "nested too deeply"),
    "far chunks": (
        lambda m: (
            m.update(infinite=True),
            m["layers"][0].update(
                chunks=[{"x": x, "y": 0, "width": 1, "height": 1, "data": [1]} for x in (0, 10**6)]
            ),
        ),
        "is infinite, and 1000001 × 1 tiles of it are drawn",
    ),
    "large chunks": (
        lambda m: (
            m.update(infinite=True),
            m["layers"][0].update(
                chunks=[{"x": 0, "y": 0, "width": 1000, "height": 1000, "data": zlib_bomb()}] * 9
            ),
        ),
        "has chunks of more tiles than the largest map",
    ),
    "polygon": (
        lambda m: in_layer(m, "things", "cafe/main/oven").update(
            polygon=[{"x": 0, "y": 0}, {"x": 1e300, "y": 1e300}, {"x": 5, "y": 9}]
        ),
        "reaches beyond the map",
    ),
    "no number": (
        lambda m: in_layer(m, "things", "cafe/main/oven").update(x=float("nan")),
        "has no position and size",
    ),
    "objects": (
        lambda m: next(one for one in m["layers"] if one["name"] == "arenas")["objects"].extend(
            [
                {
                    "name": "cafe/main",
                    "x": 0,
                    "y": 0,
                    "width": 32 * m["width"],
                    "height": 32 * m["height"],
                }
            ]
            * 5000
        ),
        "cover the map 4 times over",
    ),
    "traversal": (
        lambda m: m.update(tilesets=[{"firstgid": 1, "source": "../secret.tsj"}]),
        "'../secret.tsj': lies outside the map's folder",
    ),
    "template": (
        lambda m: in_layer(m, "things", "cafe/main/oven").update(template="../secret.tsj"),
        "template '../secret.tsj': lies outside the map's folder",
    ),
    "windows": (
        lambda m: m.update(tilesets=[{"firstgid": 1, "source": "..\\secret.tsj"}]),
        "lies outside the map's folder",
    ),
    "no tileset": (
        lambda m: m.update(tilesets=[{"firstgid": 1, "source": "a\u0000b"}]),
        "does not exist",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_maps_are_refused_at_once_in_a_few_lines(copy: Path, what: str) -> None:
    (copy.parent / "secret.tsj").write_text('{"image": "the secret"}', "utf-8")
    change, expected = HOSTILE[what]
    edit(copy / "map.tmj", change)
    lines = faults_at_once(copy)
    assert any(expected in line for line in lines), lines[:5]
    assert not [line for line in lines if "the secret" in line]


def test_a_tileset_that_leads_out_by_its_image(copy: Path) -> None:
    (copy.parent / "secret.png").write_bytes((copy / "tileset.png").read_bytes())
    (copy / "sets").mkdir()
    (copy / "sets" / "t.tsx").write_text(
        '<tileset tilewidth="32" tileheight="32" tilecount="4" columns="2"><image source="../../secret.png"/></tileset>',
        "utf-8",
    )
    edit(
        copy / "map.tmj",
        lambda drawn: drawn.update(tilesets=[{"firstgid": 1, "source": "sets/t.tsx"}]),
    )
    assert any("lies outside the folder" in line for line in faults(copy))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<map>" * 10**5, "no element found"),
        ("<map " + 'a="1" ' * 10**5, "unclosed token"),
        ('<!DOCTYPE m [<!ENTITY a "b">]><map>&a;</map>', "declares a document type"),
        ('<!DOCTYPE m><!DOCTYPE m [<!ENTITY a "b">]><map>&a;</map>', "declares a document type"),
        ("<a/>" * 4_000_000, "has millions of elements"),
        ("<map/>", "has no layers"),
        ("<b>", "no element found"),
    ],
    ids=["deep", "attributes", "entities", "second type", "elements", "empty", "open"],
)
def test_xml_that_is_no_map(copy: Path, text: str, expected: str) -> None:
    (copy / "map.tmj").unlink()
    (copy / "map.tmx").write_text(text, "utf-8")
    lines = faults_at_once(copy)
    assert any(expected in line for line in lines), lines[:5]
    assert all(len(line) < 500 for line in lines)


# pictures ----------------------------------------------------------------------------------


def test_a_picture_of_the_town_turns_tiles_and_knows_every_tileset(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    from hometown.authoring.art.preview import render

    colours = [
        (255, 0, 0, 255),
        (0, 255, 0, 255),
        (0, 0, 255, 255),
        (255, 255, 0, 255),
    ]  # of a tile's quarters, row by row
    sheet = image.new("RGBA", (4, 2))
    for number, colour in enumerate(colours):
        sheet.putpixel((2 + number % 2, number // 2), colour)
    sheet.save(tmp_path / "a.png")
    image.new("RGBA", (2, 2), (9, 9, 9, 255)).save(tmp_path / "b.png")
    flips = [
        0,
        FLIPPED_ACROSS,
        FLIPPED_DOWN,
        FLIPPED_DIAGONALLY,
        FLIPPED_DIAGONALLY | FLIPPED_ACROSS,
    ]
    cells = [2 | flip for flip in flips] + [7]
    sizes = {"tilewidth": 2, "tileheight": 2}
    drawn = {
        "orientation": "orthogonal",
        "width": 6,
        "height": 1,
        **sizes,
        "layers": [
            {
                "type": "tilelayer",
                "name": "g",
                "encoding": "base64",
                "data": base64.b64encode(raw_of(cells)).decode(),
            }
        ],
        "tilesets": [
            {"firstgid": 1, "image": "a.png", "columns": 2, "tilecount": 2, **sizes},
            {"firstgid": 7, "image": "b.png", "columns": 1, "tilecount": 1, **sizes},
        ],
    }
    (tmp_path / "map.tmj").write_text(json.dumps(drawn), "utf-8")
    picture = render(tmp_path)
    assert picture.size == (12, 2)
    quarters = [[picture.getpixel((2 * at + n % 2, n // 2)) for n in range(4)] for at in range(6)]
    r, g, b, y = colours
    assert quarters[:5] == [[r, g, b, y], [g, r, y, b], [b, y, r, g], [r, b, g, y], [b, r, y, g]]
    assert quarters[5] == [(9, 9, 9, 255)] * 4
