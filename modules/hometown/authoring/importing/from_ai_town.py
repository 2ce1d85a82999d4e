"""Read AI Town's map and characters: the module with `bgtiles`, and `characters.ts` beside it.

    bgtiles, objmap     layers of tile numbers, [layer][column][row]; -1 is none, and any tile of objmap blocks the way
    tilesetpath, tiledim, tilesetpxw    the image, the side of its tiles, its width in pixels
    Descriptions        name, identity, plan and character of each person
    characters          image (textureUrl) and frames (spritesheetData) of each character

Such a map names no places. Each resident gets a home, and the town a common ground, where the map
leaves room.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from hometown.authoring.importing.ai_town_pictures import add_first_frames
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.javascript import Name, constants, imports
from hometown.authoring.importing.settlement import lay_out
from hometown.authoring.importing.site import SourceMap, SourcePerson, WalkFrames
from hometown.authoring.word_tables import read_word_table
from hometown.json_object import Json
from hometown.language import Lang
from hometown.text import N_, Phrase
from hometown.world.faults import Faults, read_text
from hometown.world.pictures import picture_fault
from hometown.world.tiled import TileLayer, Tileset

LARGEST = 1000

CHARACTERS = "characters.ts"

FACINGS = ("down", "left", "right", "up")
"""The rows of a sheet; AI Town names the frames of a row down, down2, down3."""


def read_ai_town(
    source: Path, file: Path, lang: Lang, faults: Faults, report: ImportReport
) -> tuple[SourceMap | None, list[SourcePerson]]:
    """Return the map, with homes and a common ground laid out on it, and the people, and report
    them. If the map or the people cannot be read, return (None, []) and add the faults.
    """
    text = read_text(file, file.relative_to(source).as_posix(), faults)
    module, drawn = _read_map_module(source, file.parent, faults)
    if text is None or module is None:
        return None, []
    site = _read_site(drawn, module, source, faults, report)
    exported = constants(text)
    listed = [
        raw
        for raw in _list_objects(exported, "Descriptions")
        if isinstance(raw.get("name"), str) and raw["name"].strip()
    ]
    if site is None or not listed:
        faults.add(
            CHARACTERS,
            "",
            "describes nobody; it should export Descriptions, each with name, identity and plan",
        ) if site else None
        return None, []
    people = [_make_person(raw, exported, text, file, source, lang) for raw in listed]
    homes = lay_out(site, [person.name for person in people], lang, faults)
    report.came.append(
        Phrase(
            "{count} characters: {names}",
            count=len(people),
            names=[person.name for person in people],
        )
    )
    report.guessed += [
        Phrase("their ages, hours and usual days, which AI Town does not specify"),
        Phrase(
            "where they live: the map names no places, so {count} spots with a bed and a common ground were laid out on it",
            count=len(homes),
        ),
    ]
    return site, [person.at_home(home) for person, home in zip(people, homes, strict=False)]


def _read_map_module(source: Path, folder: Path, faults: Faults) -> tuple[Path | None, Json]:
    """Return the one map module of a folder, with its constants; None, with a fault, if there are
    several or none.
    """
    texts = {
        path: read_text(path, path.relative_to(source).as_posix(), faults) or ""
        for path in sorted(folder.glob("*.js"))
    }
    modules = [path for path, text in texts.items() if "bgtiles" in text]
    if len(modules) != 1:
        faults.add(
            folder.name,
            "",
            "has {count} map modules with bgtiles; leave one of them beside {file}",
            count=len(modules),
            file=CHARACTERS,
        )
        return None, {}
    return modules[0], constants(texts[modules[0]])


def _read_site(
    drawn: Json, file: Path, source: Path, faults: Faults, report: ImportReport
) -> SourceMap | None:
    """Return the map of the constants of a module, with its art, and report them; None, with a
    fault, for layers that are invalid, of several sizes or too large.
    """
    layers = {key: _read_layers(drawn.get(key)) for key in ("bgtiles", "objmap")}
    shapes = {layer.shape for group in layers.values() for layer in group or ()}
    if (
        layers["bgtiles"] is None
        or layers["objmap"] is None
        or len(shapes) != 1
        or max(*shapes.copy().pop(), 0) > LARGEST
    ):
        faults.add(
            file.name,
            "",
            "bgtiles and objmap should be lists of layers of one size, [layer][column][row], with numbers, and at most {most} tiles a side",
            most=LARGEST,
        )
        return None
    site = _block_objects(layers["objmap"], *shapes.pop())
    width, height = site.size
    report.came.append(
        Phrase(
            "the map of {file}, {width} × {height} tiles",
            file=file.name,
            width=width,
            height=height,
        )
    )
    _add_art(site, layers["bgtiles"] + layers["objmap"], drawn, source, report)
    _add_animated(site, drawn.get("animatedsprites"), source, report)
    return site


def _add_animated(site: SourceMap, sprites: Any, source: Path, report: ImportReport) -> None:
    """Add the map's animated pictures as stills, and report how many."""
    listed = sprites if isinstance(sprites, list) else []
    found = add_first_frames(site, listed, source, _find_image) if site.layers else 0
    if found:
        text = N_("{count} animated pictures of the map (fire, water, a mill), which stand still")
        report.came.append(Phrase(text, count=found))
    if found < len(listed):
        text = N_("{count} animated pictures of the map (fire, water, a mill)")
        report.left.append(Phrase(text, count=len(listed) - found))


def _block_objects(objects: list[Any], height: int, width: int) -> SourceMap:
    """Return a map of this size in tiles, whose tiles with objects are blocked."""
    blocked = (
        np.any([layer != -1 for layer in objects], axis=0)
        if objects
        else np.zeros((height, width), dtype=bool)
    )
    return SourceMap(
        (width, height),
        {(int(column), int(row)) for row, column in zip(*blocked.nonzero(), strict=True)},
    )


def _read_layers(raw: Any) -> list[Any] | None:
    """Return layers as int arrays [row, column], -1 for none; None for an invalid value."""
    try:
        layers = [np.array(layer, dtype=np.int64).T for layer in raw]
    except (ValueError, TypeError, OverflowError):
        return None
    return layers if all(layer.ndim == 2 and layer.size for layer in layers) else None


def _add_art(
    site: SourceMap, layers: list[Any], drawn: Json, source: Path, report: ImportReport
) -> None:
    """Give a site the map's own tiles if its image exists and its measures are valid; report
    either.
    """
    name, tile, wide = (
        str(drawn.get("tilesetpath", "")),
        drawn.get("tiledim"),
        drawn.get("tilesetpxw"),
    )
    image = _find_image(name, source)
    if (
        image is None
        or not isinstance(tile, int)
        or not isinstance(wide, int)
        or not 1 <= tile <= wide
    ):
        report.left.append(
            Phrase(
                "the map's own art: its image {name!r} is not in the folder, or unusable; the town is drawn in our tiles",
                name=name,
            )
        )
        return
    columns, highest = wide // tile, int(max(layer.max() for layer in layers))
    site.tile_size, site.folder = tile, image.parent
    site.tilesets = (Tileset("town", 1, image.name, tile, tile, columns, highest + 1),)
    site.layers = tuple(
        TileLayer(f"layer {number}", np.where(layer < 0, 0, layer + 1).astype(np.uint32))
        for number, layer in enumerate(layers, 1)
    )
    report.came.append(Phrase("the map's own art, {file}", file=image.name))


def _find_image(name: str, source: Path) -> Path | None:
    """Return the picture of a web address, found in the folder by its file's name; None if there is
    none that can be shown.
    """
    stem = name.rpartition("/")[2]
    matches = (
        [path for path in sorted(source.rglob(stem)) if path.is_file()]
        if re.fullmatch(r"[\w.-]+\.(png|webp|jpe?g|gif)", stem, re.IGNORECASE)
        else []
    )
    inside = [
        path
        for path in matches
        if path.resolve().is_relative_to(source.resolve()) and not picture_fault(path)
    ]
    return inside[0] if inside else None


def _make_person(
    raw: Json, exported: Json, text: str, file: Path, source: Path, lang: Lang
) -> SourcePerson:
    """Return a person with the texts from AI Town, and default ones for the rest."""
    words = read_word_table(lang)
    name, identity, plan = (
        " ".join(str(raw.get(key) or "").split()) for key in ("name", "identity", "plan")
    )
    first = re.split(words["sentences"], identity)[0] or name
    return SourcePerson(
        file.name,
        name,
        words["age"],
        first,
        identity or first,
        words["lifestyle"],
        "",
        "",
        ("", ""),
        whispers=(plan,) if plan else (),
        frames=_find_frames(raw.get("character"), exported, text, file, source),
    )


def _list_objects(exported: Json, name: str) -> list[Json]:
    """Return the objects of an exported list; none for anything else, such as another's name."""
    given = exported.get(name)
    return [raw for raw in given if isinstance(raw, dict)] if isinstance(given, list) else []


def _find_frames(
    character: Any, exported: Json, text: str, file: Path, source: Path
) -> WalkFrames | None:
    """Return the image and the twelve rectangles of a character's walk; None if any is missing."""
    listed = [raw for raw in _list_objects(exported, "characters") if raw.get("name") == character]
    data = listed[0].get("spritesheetData") if listed else None
    image = _find_image(str(listed[0].get("textureUrl", "")), source) if listed else None
    module = (
        file.parent / f"{imports(text).get(data.name, '')}.ts" if isinstance(data, Name) else None
    )
    if (
        image is None
        or module is None
        or not module.is_file()
        or not module.resolve().is_relative_to(source.resolve())
    ):
        return None
    sheet = constants(module.read_text("utf-8-sig", errors="replace")).get("data")
    frames: Any = sheet.get("frames") if isinstance(sheet, dict) else None
    try:
        boxes = [frames[f"{way}{step}"]["frame"] for way in FACINGS for step in ("", "2", "3")]
        corners = tuple(
            (int(box["x"]), int(box["y"]), int(box["w"]), int(box["h"])) for box in boxes
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return WalkFrames(image, corners)
