"""Draw a furnished map in our own tiles: grass and ways outdoors, walls and floors, a picture for
each thing.
"""

from __future__ import annotations

from random import Random

from PIL import Image

from hometown.authoring.art import furniture
from hometown.authoring.art.drawings import SIZE
from hometown.authoring.art.plan import Plan, Room
from hometown.authoring.art.tilemap import PaintedTown
from hometown.authoring.importing.rooms import Furnished, Place, box
from hometown.authoring.importing.site import Rect, around, main_area, parts
from hometown.world.maze import Tile

FLOWERS = 40
"""Number of tiles of grass per tile with flowers."""

FOREST = 6
"""Number of tiles of the surrounding country per tree."""

POND = 20
"""Number of tiles from which an unreachable place is drawn as water; smaller ones become flower
beds.
"""

CLUMP = 4
"""Number of connected blocked tiles outdoors from which they are drawn as a hedge; fewer become
trees.
"""


def draw_layers(town: Furnished) -> PaintedTown:
    """Return the layers of the map, ground to collision, with the same blocked tiles as before."""
    site = town.site
    sectors = [Room(sector.address, "", "", box(sector.tiles)) for sector in town.sectors.values()]
    arenas = [
        Room(arena.address, "", "", box(arena.tiles), str(arena.properties["tags"]))
        for arena in town.arenas.values()
    ]
    drawn = PaintedTown(Plan("imported", _draw_ground(town), sectors, arenas, []))
    drawn.obstruct(sorted(site.blocked))
    for thing in town.things:
        if not _is_ground(thing.kind, thing.pictures):
            for rect in thing.pictures:
                drawn.stamp(fit_picture(thing.kind, rect[2], rect[3]), rect[:2], ())
    return drawn


def _is_ground(kind: str, pictures: list[Rect]) -> bool:
    """Return True if a thing is a flower bed or a lawn of more than six tiles, which is drawn as
    ground and not as one picture.
    """
    return (
        kind in ("flower_bed", "lawn")
        and sum(width * height for _, _, width, height in pictures) > 6
    )


def fit_picture(kind: str, width: int, height: int) -> furniture.Picture:
    """Return the picture of a kind of thing for a rectangle of tiles: the original if it has that
    size; else its base, without what rises above it, repeated as often as fits best, at least once,
    and scaled to the rectangle.
    """
    picture = furniture.draw_thing(kind)
    columns, rows = len(furniture.shape(kind)[0]), len(furniture.shape(kind))
    if (columns, rows) == (width, height):
        return picture
    base = picture.image.crop(
        (0, picture.above * SIZE, columns * SIZE, (picture.above + rows) * SIZE)
    )
    across, down = max(1, round(width / columns)), max(1, round(height / rows))
    sheet = Image.new("RGBA", (across * columns * SIZE, down * rows * SIZE))
    for number in range(across * down):
        sheet.paste(base, (number % across * base.width, number // across * base.height))
    return furniture.Picture(sheet.resize((width * SIZE, height * SIZE), Image.Resampling.BOX))


def _draw_ground(town: Furnished) -> list[str]:
    """Return the ground plan, a row of characters per row of tiles
    (`modules/hometown/authoring/art/plan.py`).
    """
    site = town.site
    width, height = site.size
    rooms = {tile: arena for arena in town.arenas.values() for tile in arena.tiles}
    buildings = _find_building_tiles(town)
    outside = _draw_scenery(town, set(rooms) | buildings)
    ways = _find_ways(town, rooms, buildings)
    plain = {
        (column, row): _choose_sign((column, row), rooms.get((column, row)), town)
        if (column, row) in rooms or (column, row) in buildings
        else ""
        for row in range(height)
        for column in range(width)
    }
    stream = Random("flowers")
    grass = {tile: "f" if stream.randrange(FLOWERS) == 0 else "." for tile in plain}
    return [
        "".join(
            site.ground.get(at)
            or plain[at]
            or outside.get(at)
            or (":" if at in ways else grass[at])
            for at in ((column, row) for column in range(width))
        )
        for row in range(height)
    ]


def _find_building_tiles(town: Furnished) -> set[Tile]:
    """Return all tiles of sectors that have an indoor room."""
    indoor = {names[:1] for names, arena in town.arenas.items() if not arena.kind.outdoor}
    return {tile for names in indoor for tile in town.sectors[names].tiles}


def _choose_sign(tile: Tile, room: Place | None, town: Furnished) -> str:
    """Return the character of wall, door or floor for a tile of a room or building; "" for a tile
    of an open place that is like any outdoors.
    """
    walkable = town.site.walkable(tile)
    if room is None:
        return "w" if walkable else "#"
    if room.kind.outdoor:
        return (
            ("" if room.kind.floor == "." else room.kind.floor)
            if walkable or tile in town.covered
            else "T"
        )
    if not walkable and town.is_wall(tile, room) and tile not in town.covered:
        return "#"
    return room.kind.floor


def _draw_scenery(town: Furnished, indoors: set[Tile]) -> dict[Tile, str]:
    """Return the outdoor scenery on blocked tiles: hedges and trees, water in unreachable places,
    and the country around the town.
    """
    width, height = town.site.size
    scenery: dict[Tile, str] = {}
    fences = town.site.blocked - town.beyond - indoors
    for clump in parts(fences):
        scenery |= {
            tile: "T" if len(clump) >= CLUMP or _would_overlap(tile, indoors) else "t"
            for tile in clump
        }
    stream = Random("country")
    for part in parts(town.beyond - indoors):
        rim = any(column in (0, width - 1) or row in (0, height - 1) for column, row in part)
        still = "~" if len(part) >= POND else "f"
        scenery |= {
            tile: (
                "t" if stream.randrange(FOREST) == 0 and not _would_overlap(tile, indoors) else "."
            )
            if rim
            else still
            for tile in sorted(part)
        }
    return scenery | {
        tile: "~" for tile in fences if sum(scenery.get(near) == "~" for near in around(tile)) > 1
    }


def _would_overlap(tile: Tile, indoors: set[Tile]) -> bool:
    """Return True if a tree there would overlap a building."""
    return (tile[0], tile[1] - 1) in indoors


def _find_ways(town: Furnished, rooms: dict[Tile, Place], buildings: set[Tile]) -> set[Tile]:
    """Return the paths from every building's door to the open tile nearest to the middle of the
    doors, over open ground; none without doors.
    """
    site = town.site
    open_ground = main_area(site) - buildings - set(rooms)
    doors = [
        near
        for tile in sorted(buildings)
        if site.walkable(tile) and not _is_open(rooms.get(tile))
        for near in around(tile)
        if near in open_ground
    ]
    if not doors:
        return set()
    columns, rows = sorted(column for column, _ in doors), sorted(row for _, row in doors)
    centre = (columns[len(columns) // 2], rows[len(rows) // 2])
    hub = min(
        open_ground, key=lambda tile: (abs(tile[0] - centre[0]) + abs(tile[1] - centre[1]), tile)
    )
    came_from = _find_next_tiles(hub, open_ground)
    ways: set[Tile] = set()
    for door in doors:
        tile: Tile | None = door if door in came_from else None
        while tile is not None and tile not in ways:
            ways.add(tile)
            tile = came_from[tile]
    return ways


def _is_open(room: Place | None) -> bool:
    return room is not None and room.kind.outdoor


def _find_next_tiles(hub: Tile, ground: set[Tile]) -> dict[Tile, Tile | None]:
    """Return for each tile that can be reached from the hub the next one on its way to the hub,
    None for the hub itself.
    """
    came_from: dict[Tile, Tile | None] = {hub: None}
    edge = [hub]
    while edge:
        edge = [
            near
            for tile in edge
            for near in around(tile)
            if near in ground and came_from.setdefault(near, tile) == tile and near != hub
        ]
        edge = list(dict.fromkeys(edge))
    return came_from
