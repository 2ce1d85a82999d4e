"""Reads any Tiled map that follows a few conventions of naming (docs/worlds.md).

A tile layer `collision` (or else `walls`) says what blocks the way. Objects are places: by the layer that they are in
(`sectors`, `arenas` or `rooms`, `things`), or by their class. A name with slashes is an address; a plain one belongs to
the smallest place that it lies in.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from modules.text import Phrase
from modules.world.authored import PlaceProperties, ThingProperties
from modules.world.faults import Faults, check
from modules.world.tiled import MapObject, read_object
from modules.worlds.importing.site import Names, Site
from modules.worlds.importing.tiled_source import Source, open_map

DEPTHS = {
    "sector": 1, "sectors": 1, "building": 1, "buildings": 1,
    "arena": 2, "arenas": 2, "room": 2, "rooms": 2,
    "thing": 3, "things": 3, "furniture": 3, "game_object": 3, "game_objects": 3,
}  # fmt: skip
"""How deep a place lies, by the name of its layer or by its class."""

KINDS = ("", "sector", "arena", "thing")

ABOVE = ("foreground", "above", "roof", "overhead")
"""Words in the names of layers that are drawn over the residents."""


def read_tiled(path: Path, faults: Faults) -> Site | None:
    """The map of a file; None, with faults noted, where it cannot be used."""
    source = open_map(path, faults)
    if source is None:
        return None
    site = Site(source.size, set(), tile_size=source.pixels)
    collision = _collision(source)
    objects = _objects(source, path.name, faults)
    if collision is None and "collision" not in objects:
        faults.add(path.name, "", "has no layer that says what blocks the way; call one collision, any tile there blocks")
    for at, number in enumerate(collision["data"] if collision else ()):
        if number:
            site.blocked.add((at % site.size[0], at // site.size[0]))
    site.blocked |= {tile for one in objects.pop("collision", []) for tile in one.tiles}
    for depth in (1, 2, 3):
        for one in objects.get(KINDS[depth], []):
            _mark(one, depth, site, path.name, faults)
        if depth == 2:
            _room_for_each(site)
    if not site.places:
        faults.add(path.name, "", "marks no places; draw rectangles in object layers called sectors, arenas and things")
    site.layers, site.tilesets = _art(source, collision)
    return site


def _collision(source: Source) -> dict[str, Any] | None:
    tiles = [layer for layer in source.layers if layer.get("type") == "tilelayer"]
    named = [next((one for one in tiles if one["name"].lower().strip() in names), None) for names in (("collision", "collisions"), ("walls", "wall"))]
    return named[0] or named[1]


def _objects(source: Source, file: str, faults: Faults) -> dict[str, list[MapObject]]:
    """The objects that mark something, by what it is: a sector, an arena, a thing, or collision."""
    found: dict[str, list[MapObject]] = {}
    for layer in source.layers:
        by_layer = layer["name"].lower().strip()
        for raw in layer.get("objects") or () if layer.get("type") == "objectgroup" else ():
            by_class = str(raw.get("class") or raw.get("type") or "").lower()
            kind = KINDS[DEPTHS.get(by_class, DEPTHS.get(by_layer, 0))] or ("collision" if "collision" in (by_class, by_layer) else "")
            one = read_object(_plain(raw, source.pixels), layer["name"], source.pixels, source.size, file, faults) if kind else None
            if one:
                found.setdefault(kind, []).append(one)
    return found


def _plain(raw: dict[str, Any], pixels: int) -> dict[str, Any]:
    """An object as a rectangle or a polygon: points become a tile, ellipses their box; pictures hang from their lower edge."""
    found = {key: value for key, value in raw.items() if key not in ("ellipse", "point", "gid")}
    try:
        if raw.get("point"):
            found |= {"x": raw["x"] // pixels * pixels, "y": raw["y"] // pixels * pixels, "width": pixels, "height": pixels}
        elif raw.get("gid"):
            found |= {"y": raw["y"] - raw["height"]}
    except (KeyError, TypeError):
        pass  # what is missing is told by whoever reads the rectangle
    return found


def _mark(one: MapObject, depth: int, site: Site, file: str, faults: Faults) -> None:
    where = Phrase("{kind} {name!r}", kind=Phrase(KINDS[depth]), name=one.name)
    own = tuple(part.strip() for part in one.name.split("/") if part.strip())
    if not own or len(own) > depth:
        faults.add(file, where, "has no name of 1 to {depth} parts; name it, or name it like {form}", depth=depth, form="/".join(KINDS[1 : depth + 1]))
        return
    outer = _around(one, depth - len(own), depth, site)
    if outer is None and depth == 2:
        outer = (own[0],)
    if outer is None:
        faults.add(
            file, where, "lies in no {kind}; draw one around it, or name it like {form}",
            kind=Phrase(KINDS[depth - len(own)]), form="/".join(KINDS[1 : depth + 1]),
        )  # fmt: skip
        return
    given = check(ThingProperties if depth == 3 else PlaceProperties, one.properties, file, faults, where=where)
    names = _free((*outer, *own), site) if depth == 3 else (*outer, *own)
    for tile in one.tiles:
        site.mark(names, tile)
    said = given.model_dump(exclude_unset=True) if given else {}
    site.given[names] = {**site.given.get(names, {}), **said}


def _around(one: MapObject, wanted: int, depth: int, site: Site) -> Names | None:
    """The smallest place of the depth wanted that an object's middle lies in; () where none is wanted."""
    if wanted == 0:
        return ()
    middle = one.tiles[len(one.tiles) // 2]
    holding = [names for names in site.of_depth(min(wanted, depth - 1)) if middle in site.places[names]]
    return min(holding, key=lambda names: len(site.places[names]), default=None)


def _free(names: Names, site: Site) -> Names:
    """The names, with a number behind the last where a thing is called so already."""
    numbers = (names if number == 1 else (*names[:-1], f"{names[-1]} {number}") for number in range(1, len(site.places) + 2))
    return next(one for one in numbers if one not in site.places)


def _room_for_each(site: Site) -> None:
    """A sector without rooms is one room."""
    for names in site.of_depth(1):
        if not any(arena[0] == names[0] for arena in site.of_depth(2)):
            site.places[(*names, names[0])] = set(site.places[names])
            site.given[(*names, names[0])] = dict(site.given.get(names, {}))


def _art(source: Source, collision: dict[str, Any] | None) -> tuple[tuple[dict[str, Any], ...], tuple[dict[str, Any], ...]]:
    """The visible tile layers but for the one that only blocks, those above the residents put together; () where nothing is drawn."""
    drawn: list[dict[str, Any]] = []
    above: list[int] = []
    for layer in source.layers:
        blocks = layer is collision and layer["name"].lower().startswith("collision")
        if layer.get("type") != "tilelayer" or not layer["visible"] or blocks or not any(layer["data"]):
            continue
        if any(word in layer["name"].lower() for word in ABOVE):
            above = [upper or lower for upper, lower in zip(layer["data"], above or layer["data"], strict=True)]
        else:
            drawn.append({"name": _free_name(layer["name"], drawn), "data": layer["data"], "opacity": layer.get("opacity", 1)})
    if not source.tilesets or not drawn:
        return (), ()
    return (*drawn, *([{"name": "foreground", "data": above}] if above else [])), tuple(source.tilesets)


def _free_name(name: str, drawn: list[dict[str, Any]]) -> str:
    taken = {"collision", "foreground", "sectors", "arenas", "things", *(one["name"] for one in drawn)}
    return next(one for one in (name if number == 1 else f"{name} {number}" for number in range(1, len(taken) + 2)) if one not in taken)
