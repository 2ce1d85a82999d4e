"""Read any Tiled map that follows a few naming conventions (docs/worlds.md).

A tile layer `collision` (or else `walls`) marks the blocked tiles; without one, they follow from the
tiles. Objects are places: by their
layer (`sectors`, `arenas` or `rooms`, `things`), or by their class. A name with slashes is an
address; a plain one belongs to the smallest place around it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from hometown.authoring.importing.flattened_art import flatten_art, needs_flattening
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.obstacles import collision_layer, guess_blocked
from hometown.authoring.importing.site import Names, SourceMap, is_above
from hometown.name import first_free
from hometown.text import N_, Phrase, ngettext
from hometown.world.authored import PlaceProperties, ThingProperties
from hometown.world.faults import Faults, validate_model
from hometown.world.tiled import DrawnObject, MapObject, TiledMap, TileLayer, Tileset, read_map

DEPTHS = {
    "sector": 1,
    "sectors": 1,
    "building": 1,
    "buildings": 1,
    "arena": 2,
    "arenas": 2,
    "room": 2,
    "rooms": 2,
    "thing": 3,
    "things": 3,
    "furniture": 3,
    "game_object": 3,
    "game_objects": 3,
}
"""Depth of a place, by the name of its layer or by its class."""

KINDS = ("", N_("sector"), N_("arena"), N_("thing"))


RULES = re.compile(r"(regions|input|output|inputnot)([A-Za-z0-9]*_.*)?", re.IGNORECASE)
"""Names of the layers of a map that holds rules of AutoMapping."""

PLANS = ("orthogonal", "isometric")


def read_tiled(path: Path, root: Path, faults: Faults, report: ImportReport) -> SourceMap | None:
    """Return the map of a file, without places if it marks none; None, with faults reported, for a
    file that cannot be read or holds rules of AutoMapping. A map that shows and marks nothing is a
    fault, too.

    Args:
        root: The folder that all files of the map must be in.
    """
    drawn = read_map(path, faults, root=root, orientations=PLANS)
    if drawn is None:
        return None
    if _is_rule_map(drawn, faults):
        return None
    report.came += _describe_steps(drawn)
    site = SourceMap(
        (drawn.width, drawn.height), set(), tile_size=drawn.tile_size, folder=path.parent
    )
    collision = collision_layer(drawn)
    objects = _sort_objects(drawn, faults)
    if collision is None and "collision" not in objects:
        site.blocked |= guess_blocked(drawn, report)
    if collision is not None:
        site.blocked |= {
            (int(column), int(row)) for row, column in zip(*collision.cells.nonzero(), strict=True)
        }
    site.blocked |= {tile for item in objects.pop("collision", ()) for tile in item.tiles}
    for depth in (1, 2, 3):
        for item in objects.get(KINDS[depth], ()):
            _mark(item, depth, site, path.name, faults)
        if depth == 2:
            _add_missing_rooms(site)
    _add_art(site, drawn, collision, root, report)
    if not site.places and not site.layers and not site.blocked:
        faults.add(
            path.name,
            "",
            "shows nothing and marks no places; draw it in tile layers, or mark "
            "places by rectangles in object layers called sectors, arenas and "
            "things",
        )
    return site


def _describe_steps(drawn: TiledMap) -> list[Phrase]:
    """Return a line for each step by which a map was brought into its plain form: chunks joined,
    groups dissolved, layers moved by their offsets, templates filled in, rotated objects laid out.
    """
    moved = [layer.name for layer in drawn.stack if any(layer.offset)]
    templates = sorted(
        {str(item.raw["template"]) for item in drawn.objects if item.raw.get("template")}
    )
    rotated = [item.name for item in drawn.objects if item.raw.get("rotation")]
    joined = N_("the chunks of an infinite map, joined to {width} × {height} tiles")
    steps = (
        (drawn.is_infinite, Phrase(joined, width=drawn.width, height=drawn.height)),
        (
            drawn.groups,
            ngettext("the layers of {count} group", "the layers of {count} groups", drawn.groups),
        ),
        (moved, Phrase("layers at their offsets: {layers}", layers=moved)),
        (templates, Phrase("what objects take from their templates: {files}", files=templates)),
        (rotated, ngettext("{count} rotated object", "{count} rotated objects", len(rotated))),
    )
    return [line for applies, line in steps if applies]


def _is_rule_map(drawn: TiledMap, faults: Faults) -> bool:
    """Return True if a map holds rules of Tiled's AutoMapping, with a fault if it does."""
    rules = [layer.name for layer in drawn.stack if RULES.fullmatch(layer.name)]
    if len(rules) < 2 or not any(name.lower().startswith("output") for name in rules):
        return False
    faults.add(
        drawn.file,
        "",
        "holds rules of AutoMapping ({layers}), not a place to live; import the "
        "map that they are applied to",
        layers=rules,
    )
    return True


def marks_places(path: Path, root: Path) -> bool:
    """Return True if a map can be read and marks sectors, arenas or things."""
    drawn = read_map(path, Faults(""), images=False, root=root, orientations=PLANS)
    return drawn is not None and bool(_sort_objects(drawn, Faults("")).keys() - {"collision"})


def _add_art(
    site: SourceMap, drawn: TiledMap, collision: TileLayer | None, root: Path, report: ImportReport
) -> None:
    """Give a site the art of its map, as it is or flattened; report what was done."""
    if drawn.orientation == "isometric":
        report.left.append(
            Phrase(
                "the map's own art, which is isometric; the town is drawn in our tiles, seen from above"
            )
        )
        return
    if not needs_flattening(drawn, site.folder, root):
        site.layers, site.tilesets = _select_art(drawn, collision)
        site.folder = root
        return
    only_blocks = collision is not None and collision.name.lower().startswith("collision")
    skipped = {collision.name} if collision is not None and only_blocks else set()
    if flatten_art(site, drawn, root, skipped):
        report.came.append(
            Phrase(
                "the map's own art, {layers} layers, with collections of images, placed "
                "pictures and files from other folders in one sheet",
                layers=len(site.layers),
            )
        )
        beside = site.folder.resolve()
        away = sorted(
            {
                tileset.image
                for tileset in drawn.tilesets
                if not (root / tileset.image).resolve().is_relative_to(beside)
            }
        )
        if away:
            report.came.append(
                Phrase("pictures from outside the map's folder: {files}", files=away)
            )
    else:
        report.left.append(
            Phrase(
                "the map's own art: too large, or nothing of it is shown; the town is drawn in our tiles"
            )
        )


def _sort_objects(drawn: TiledMap, faults: Faults) -> dict[str, tuple[MapObject, ...]]:
    """Return the objects that mark a sector, an arena, a thing or collision, by that kind."""
    kinds: dict[str, list[DrawnObject]] = {}
    for item in drawn.objects:
        by_layer = item.layer.lower().strip()
        kind = KINDS[DEPTHS.get(item.kind, DEPTHS.get(by_layer, 0))] or (
            "collision" if "collision" in (item.kind, by_layer) else ""
        )
        if kind:
            kinds.setdefault(kind, []).append(item)
    return {kind: drawn.lay(items, faults) for kind, items in kinds.items()}


def _mark(item: MapObject, depth: int, site: SourceMap, file: str, faults: Faults) -> None:
    """Mark the tiles of a drawn sector, arena or thing (`depth` 1 to 3) with its address and
    properties. The parts of the address that its name lacks are those of the smallest place around
    it; an arena in no sector becomes a sector of its own.

    Adds a fault, and marks nothing, for a name without parts or with more than `depth`, or if no
    place is around the object.
    """
    where = Phrase("{kind} {name!r}", kind=Phrase(KINDS[depth]), name=item.name)
    own = tuple(part.strip() for part in item.name.split("/") if part.strip())
    if not own or len(own) > depth:
        faults.add(
            file,
            where,
            "has no name of 1 to {depth} parts; name it, or name it like {form}",
            depth=depth,
            form="/".join(KINDS[1 : depth + 1]),
        )
        return
    outer = _find_surrounding_place(item, depth - len(own), depth, site)
    if outer is None and depth == 2:
        outer = (own[0],)
    if outer is None:
        faults.add(
            file,
            where,
            "is not inside any {kind}; draw one around it, or name it like {form}",
            kind=Phrase(KINDS[depth - len(own)]),
            form="/".join(KINDS[1 : depth + 1]),
        )
        return
    given = validate_model(
        ThingProperties if depth == 3 else PlaceProperties,
        item.properties,
        file,
        faults,
        where=where,
    )
    names = _number_name((*outer, *own), site) if depth == 3 else (*outer, *own)
    for tile in item.tiles:
        site.mark(names, tile)
    properties = given.model_dump(exclude_unset=True) if given else {}
    site.given[names] = {**site.given.get(names, {}), **properties}


def _find_surrounding_place(
    item: MapObject, wanted: int, depth: int, site: SourceMap
) -> Names | None:
    """Return the smallest place of the wanted depth around an object's middle, None if there is
    none; () if no depth is wanted.
    """
    if wanted == 0:
        return ()
    columns, rows = zip(*item.tiles, strict=True)
    across, down = min(columns) + max(columns), min(rows) + max(rows)
    middle = min(item.tiles, key=lambda tile: abs(2 * tile[0] - across) + abs(2 * tile[1] - down))
    holding = [
        names for names in site.of_depth(min(wanted, depth - 1)) if middle in site.places[names]
    ]
    return min(holding, key=lambda names: len(site.places[names]), default=None)


def _number_name(names: Names, site: SourceMap) -> Names:
    """Return the names, with a number behind the last where a thing is called so already."""
    *outer, own = names
    taken = (place[-1] for place in site.places if place[:-1] == names[:-1])
    return (*outer, first_free(own, taken))


def _add_missing_rooms(site: SourceMap) -> None:
    """Turn each sector without rooms into one room."""
    for names in site.of_depth(1):
        if not any(arena[0] == names[0] for arena in site.of_depth(2)):
            site.places[(*names, names[0])] = set(site.places[names])
            site.given[(*names, names[0])] = dict(site.given.get(names, {}))


def _select_art(
    drawn: TiledMap, collision: TileLayer | None
) -> tuple[tuple[TileLayer, ...], tuple[Tileset, ...]]:
    """Return the visible tile layers except one that only blocks; those above the residents are
    called foreground. () if nothing is drawn.
    """
    below: list[TileLayer] = []
    above: list[TileLayer] = []
    for layer in drawn.layers:
        only_blocks = layer is collision and layer.name.lower().startswith("collision")
        if not layer.visible or only_blocks or not layer.cells.any():
            continue
        if is_above(layer.name):
            above.append(replace(layer, name="foreground"))
        else:
            below.append(replace(layer, name=_free_name(layer.name, below)))
    return ((*below, *above), drawn.tilesets) if drawn.tilesets and below else ((), ())


def _free_name(name: str, taken_by: list[TileLayer]) -> str:
    """Return the name of a layer, numbered if a layer of the new map or one of `taken_by` is called
    so.
    """
    taken = {
        "collision",
        "foreground",
        "lights",
        "sectors",
        "arenas",
        "things",
        *(layer.name for layer in taken_by),
    }
    return first_free(name, taken)
