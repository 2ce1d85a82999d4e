"""The pictures of an imported world: those of the source where available, otherwise generated ones."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from PIL import Image

from hometown.authoring.art import tmj
from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.tilemap import TileCollection
from hometown.authoring.importing.draw import draw_layers, fit_picture
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.rooms import Furnished
from hometown.authoring.importing.site import SourceMap, SourcePerson, WalkFrames
from hometown.authoring.people_art import draw_people
from hometown.authoring.starter import TILESET
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.text import N_, Phrase
from hometown.world.pictures import decode_picture
from hometown.world.tiled import tileset_json

SHEET, FACE = (96, 128), 96
"""Pixels of a sheet of steps (three each down, left, right and up), and of the side of a portrait.
"""


def draw_map(folder: Path, town: Furnished) -> tuple[list[Json], list[Json], list[Json]]:
    """Return the layers and tilesets of the map, their images written into the folder, and the
    map's properties.
    """
    return _copy_source_art(folder, town) if town.site.layers else _draw_own_art(folder, town)


def _draw_own_art(folder: Path, town: Furnished) -> tuple[list[Json], list[Json], list[Json]]:
    """Draw the map in our tiles, save the tileset, and return the layers, the tileset and the
    ground plan; the site gets the size of our tiles.
    """
    town.site.tile_size = SIZE
    drawn = draw_layers(town)
    sheet = drawn.tileset.sheet()
    sheet.save(folder / TILESET, optimize=True)
    tileset = tmj.tileset("town", TILESET, sheet.size, SIZE)
    return drawn.layers, [tileset], [drawn.plan.as_property()]


def _copy_source_art(folder: Path, town: Furnished) -> tuple[list[Json], list[Json], list[Json]]:
    """Copy the map's tilesets, and return its own layers, with a layer for blocked tiles, its
    tilesets, and no properties. Places without art are drawn.
    """
    site = town.site
    tilesets = []
    for number, tileset in enumerate(site.tilesets, 1):
        name = f"tiles_{number}{Path(tileset.image).suffix.lower()}"
        if site.sheet:
            site.sheet.save(folder / name, optimize=True)
        else:
            shutil.copyfile(site.folder / tileset.image, folder / name)
        tilesets.append(tileset_json(replace(tileset, image=name)))
    layers: list[Json] = [
        {"name": layer.name, "data": layer.cells.ravel().tolist(), "opacity": layer.opacity}
        for layer in site.layers
    ]
    if site.laid_out:
        layer, tileset_of_things = _draw_things(
            folder, town, 1 + max(tileset.first + tileset.count for tileset in site.tilesets)
        )
        above = next(
            (at for at, known in enumerate(layers) if known["name"] == "foreground"), len(layers)
        )
        layers.insert(above, layer)
        tilesets.append(tileset_of_things)
    return [*layers, {"name": "collision", "data": _list_blocked_cells(site)}], tilesets, []


def _list_blocked_cells(site: SourceMap) -> list[int]:
    """Return the cells of the collision layer in reading order: the number of the first tile where
    the way is blocked, else 0.
    """
    width, height = site.size
    return [
        0 if site.walkable((column, row)) else site.tilesets[0].first
        for row in range(height)
        for column in range(width)
    ]


def _draw_things(folder: Path, town: Furnished, first: int) -> tuple[Json, Json]:
    """Draw the pictures of all things in our tiles, scaled to the map's, and save them; return a
    layer with them and its tileset, numbered from `first`.
    """
    width, height = town.site.size
    tiles, cells = TileCollection(), [0] * (width * height)
    for thing in town.things:
        left, top, across, down = thing.rect
        image = fit_picture(thing.kind, across, down).image
        for row in range(down):
            for column in range(across):
                number = tiles.add(
                    image.crop((column * SIZE, row * SIZE, (column + 1) * SIZE, (row + 1) * SIZE))
                )
                cells[(top + row) * width + left + column] = number + first - 1 if number else 0
    sheet, size = tiles.sheet(), town.site.tile_size
    sheet = sheet.resize(
        (sheet.width // SIZE * size, sheet.height // SIZE * size), Image.Resampling.BOX
    )
    sheet.save(folder / TILESET, optimize=True)
    return {"name": "furniture", "data": cells}, {
        **tmj.tileset("things", TILESET, sheet.size, size),
        "firstgid": first,
    }


def draw_residents(
    folder: Path, residents: dict[str, Json], people: dict[str, SourcePerson], report: ImportReport
) -> None:
    """Write a walking sheet and a portrait for each resident of `residents`: the source's own, or
    drawn from the id.
    """
    draw_people(folder, residents)
    theirs = [person.name for who, person in people.items() if _copy_sprite(folder, who, person)]
    if theirs:
        report.came.append(Phrase("the sprites of {names}", names=theirs))
    if len(theirs) < len(people):
        text = N_(
            "sprites of {names}: none of {width} × {height} pixels are in the folder; they were drawn from the residents' ids"
        )
        names = [person.name for person in people.values() if person.name not in theirs]
        report.left.append(Phrase(text, names=names, width=SHEET[0], height=SHEET[1]))


def _copy_sprite(folder: Path, who: str, person: SourcePerson) -> bool:
    """Copy a resident's own sprite and portrait, a missing portrait being cut out of the sprite;
    return False if there is no sprite.
    """
    sheet = _open_sheet(person.sprite) or _assemble_sheet(person.frames)
    if sheet is None:
        return False
    face = _open_picture(person.portrait) or sheet.crop(
        (SHEET[0] // 3, 0, 2 * SHEET[0] // 3, SHEET[1] // 4)
    )
    sheet.save(folder / "sprites" / f"{who}.png", optimize=True)
    face.resize((FACE, FACE), Image.Resampling.NEAREST).save(
        folder / "portraits" / f"{who}.png", optimize=True
    )
    return True


def _open_sheet(path: Path | None) -> Image.Image | None:
    """Return a picture that has the size of a walking sheet, None for any other file."""
    picture = _open_picture(path)
    return picture if picture and picture.size == SHEET else None


def _open_picture(path: Path | None) -> Image.Image | None:
    """Return a picture that can be shown; None for any other file."""
    try:
        return decode_picture(path) if path else None
    except BadWorld:
        return None


def _assemble_sheet(frames: WalkFrames | None) -> Image.Image | None:
    """Return a sheet put together from the places of its steps in a larger image; None without an
    image, or if one of the places lies outside it.
    """
    picture = _open_picture(frames.image) if frames else None
    if frames is None or picture is None:
        return None
    step = (SHEET[0] // 3, SHEET[1] // 4)
    sheet = Image.new("RGBA", SHEET)
    for number, (x, y, width, height) in enumerate(frames.boxes):
        if not (
            x >= 0
            and y >= 0
            and width > 0
            and height > 0
            and x + width <= picture.width
            and y + height <= picture.height
        ):
            return None
        part = picture.crop((x, y, x + width, y + height)).resize(step, Image.Resampling.NEAREST)
        sheet.paste(part, (number % 3 * step[0], number // 3 * step[1]))
    return sheet
