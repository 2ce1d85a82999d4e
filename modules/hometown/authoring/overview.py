"""A picture of a world for checking: sectors tinted and labelled, arenas and things framed,
problems numbered.
"""

from __future__ import annotations

from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFont

from hometown.authoring.fonts import font_for
from hometown.authoring.problems import Problem
from hometown.world.maze import OUTDOORS, Tile
from hometown.world.world import World, sector_of

SIZE = 16
"""Pixels of a tile."""

GROUND, BLOCKED, FRAME, THING, TEXT = (
    (236, 232, 220),
    (120, 114, 110),
    (92, 84, 96),
    (255, 253, 246),
    (48, 42, 56),
)
TINTS = (
    (236, 168, 152),
    (240, 206, 128),
    (176, 208, 136),
    (140, 200, 196),
    (150, 176, 224),
    (200, 168, 220),
    (232, 172, 200),
    (196, 180, 150),
)
MARKS = {"error": (206, 44, 44), "warning": (226, 138, 20)}


def draw_overview(world: World, problems: list[Problem]) -> Image.Image:
    """Return a picture of a world's map, with the outlines and names of rooms, things, blocked
    tiles, and a numbered mark for each problem; its number is that of the problem's line, from 1.
    """
    width, height = world.maze.size
    picture = Image.new("RGB", (width * SIZE, height * SIZE), GROUND)
    pen = ImageDraw.Draw(picture)
    tints = {sector: TINTS[number % len(TINTS)] for number, sector in enumerate(world.sectors)}
    areas: dict[str, list[Tile]] = {}
    for row in range(height):
        for column in range(width):
            arena = world.maze.arena_at((column, row))
            areas.setdefault(arena, []).append((column, row))
            colour = (
                BLOCKED
                if not arena
                else GROUND
                if arena == OUTDOORS
                else tints.get(sector_of(arena), GROUND)
            )
            pen.rectangle(_find_box((column, row)), colour)
    for thing in world.things.values():
        for tile in thing.tiles:
            left, top, right, bottom = _find_box(tile)
            pen.rectangle((left + 2, top + 2, right - 2, bottom - 2), THING)
    for address, tiles in areas.items():
        if address not in ("", OUTDOORS):
            _draw_outline(pen, set(tiles))
    _draw_labels(pen, world, areas)
    for number, problem in enumerate(problems, 1):
        _draw_mark(pen, number, problem, world, areas)
    return picture


def _find_box(tile: Tile) -> tuple[int, int, int, int]:
    """Return the pixels of a tile: left, top, right and bottom."""
    return (tile[0] * SIZE, tile[1] * SIZE, tile[0] * SIZE + SIZE - 1, tile[1] * SIZE + SIZE - 1)


def _draw_outline(pen: ImageDraw.ImageDraw, tiles: set[Tile]) -> None:
    """Draw a line along each side of a tile at which an area ends."""
    for column, row in tiles:
        left, top, right, bottom = _find_box((column, row))
        sides = {
            (-1, 0): (left, top, left, bottom),
            (1, 0): (right, top, right, bottom),
            (0, -1): (left, top, right, top),
            (0, 1): (left, bottom, right, bottom),
        }
        for (across, down), line in sides.items():
            if (column + across, row + down) not in tiles:
                pen.line(line, FRAME)


def _draw_labels(pen: ImageDraw.ImageDraw, world: World, areas: dict[str, list[Tile]]) -> None:
    """Draw the names of arenas in small letters in their middle, and those of sectors in large ones
    at their upper edge; "outdoors" has none.
    """
    for address in areas:
        if address not in ("", OUTDOORS):
            _draw_name(
                pen,
                _find_middle(areas[address]),
                world.name_of(address),
                address.split("/")[-1],
                11,
            )
    for sector in world.sectors.values():
        tiles = [
            tile for arena in sector.arenas if arena != OUTDOORS for tile in areas.get(arena, ())
        ]
        if tiles:
            top = min(row for _, row in tiles)
            columns = [column for column, _ in tiles]
            _draw_name(
                pen,
                ((min(columns) + max(columns) + 1) * SIZE // 2, top * SIZE - 8),
                sector.name,
                sector.address,
                14,
                bold=True,
            )


def _find_middle(tiles: Iterable[Tile]) -> tuple[int, int]:
    columns, rows = zip(*tiles, strict=True)
    return ((min(columns) + max(columns) + 1) * SIZE // 2, (min(rows) + max(rows) + 1) * SIZE // 2)


def _draw_name(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, int],
    name: str,
    address: str,
    size: int,
    bold: bool = False,
) -> None:
    """Draw a name, or the id if no font at hand has the name's letters, or nothing if none has the
    id's either.
    """
    for label in (name, address):
        font = font_for(label, size)
        if font:
            pen.text(
                at,
                label,
                TEXT,
                font,
                anchor="mm",
                stroke_width=2 if bold else 1,
                stroke_fill=(255, 255, 255),
            )
            return


def _draw_mark(
    pen: ImageDraw.ImageDraw,
    number: int,
    problem: Problem,
    world: World,
    areas: dict[str, list[Tile]],
) -> None:
    """Draw the number of a problem in the colour of its level, at its tile or else at the first
    tile of its place; nothing if it has neither.
    """
    tiles = (
        [problem.tile]
        if problem.tile
        else list(
            world.things[problem.address].tiles
            if problem.address in world.things
            else _find_tiles(problem.address, areas)
        )
    )
    if not tiles:
        return
    column, row = tiles[0]
    x, y = column * SIZE + SIZE // 2, row * SIZE + SIZE // 2
    pen.ellipse((x - 9, y - 9, x + 9, y + 9), MARKS[problem.level], (255, 255, 255))
    pen.text((x, y), str(number), (255, 255, 255), ImageFont.load_default(11), anchor="mm")


def _find_tiles(address: str, areas: dict[str, list[Tile]]) -> list[Tile]:
    """Return the tiles of an arena, or of all arenas of a sector."""
    return areas.get(address) or [
        tile
        for arena, tiles in areas.items()
        if address and arena.startswith(f"{address}/")
        for tile in tiles
    ]
