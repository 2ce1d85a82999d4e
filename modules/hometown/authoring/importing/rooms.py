"""Turn a `SourceMap` into rooms and things with ids, kinds and tags, for the map of the new world."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from hometown.authoring.art.kinds import Kind, load_kinds
from hometown.authoring.art.thing_pictures import thing_kind
from hometown.authoring.importing.guess import UNKNOWN_THING, RoomKind, identifier, room_kind
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import (
    Names,
    Rect,
    SourceMap,
    around,
    main_area,
    parts,
    rectangles,
    tiles_of,
)
from hometown.authoring.word_tables import read_word_table
from hometown.language import LANGS, Lang
from hometown.text import N_, Phrase
from hometown.world.maze import Tile

MOST_ALIKE = 8
"""Things of one name in one room at most; maps that mark every tile of a lawn would have hundreds.
"""

MOST_SEATS = 8

HALL = 4
"""Number of tiles from which an unmarked part of a building is a room; smaller parts are doorways.
"""

OPEN_AIR = RoomKind("park, outdoor", ".", outdoor=True)
"""The kind of a place in the open air whose name says nothing else."""

REACH = 2
"""Tiles by which a thing, marked by its users' places, extends into the blocked tiles behind them.
"""

Properties = dict[str, str | int | bool]


@dataclass(frozen=True)
class Place:
    """A sector or an arena of the new world; `kind` is that of a room."""

    address: str
    tiles: set[Tile]
    properties: Properties
    kind: RoomKind


@dataclass(frozen=True)
class MarkedThing:
    """A thing of the new world: the rectangle that marks it, and the rectangles of its picture."""

    address: str
    rect: Rect
    properties: Properties
    kind: str
    pictures: list[Rect]


@dataclass
class Furnished:
    """All places by their original names, things in the order of their discovery, and the report on
    their making.
    """

    site: SourceMap
    lang: Lang
    report: ImportReport
    sectors: dict[Names, Place] = field(default_factory=dict)
    arenas: dict[Names, Place] = field(default_factory=dict)
    things: list[MarkedThing] = field(default_factory=list)
    unknown: dict[str, list[Names]] = field(default_factory=dict)
    """Things whose use is unknown, by their names."""
    beyond: set[Tile] = field(default_factory=set)
    """Walkable tiles that are unreachable: ponds, back gardens without a gate, the country around
    the town.
    """

    def things_in(self, arena: str) -> list[MarkedThing]:
        """Return the things of an arena, by its address."""
        return [item for item in self.things if item.address.startswith(f"{arena}/")]

    def is_wall(self, tile: Tile, arena: Place) -> bool:
        """Return True if a blocked tile of an indoor room is its upper wall, as maps seen from
        above have it, and no thing.
        """
        return (
            not arena.kind.outdoor
            and (tile[0], tile[1] - 1) not in arena.tiles
            and tile not in self.marked
        )

    @cached_property
    def covered(self) -> set[Tile]:
        """Return the tiles that the pictures of things fill; to be asked when all are found."""
        return {tile for thing in self.things for rect in thing.pictures for tile in tiles_of(rect)}

    @cached_property
    def marked(self) -> set[Tile]:
        """Return the tiles that the map says are things."""
        return {tile for names in self.site.of_depth(3) for tile in self.site.places[names]}


def furnish(site: SourceMap, lang: Lang, report: ImportReport) -> Furnished:
    """Return the site with an id and tags for every place, and with its things. Unreachable places
    are left out and reported; their tiles become blocked.
    """
    furnished = Furnished(site, lang, report)
    town = main_area(site)
    width, height = site.size
    furnished.beyond = (
        {(column, row) for row in range(height) for column in range(width)} - town - site.blocked
    )
    site.blocked |= furnished.beyond
    _add_halls(furnished)
    homes = {
        names[0]
        for names in site.of_depth(3)
        if thing_kind(names[2]) == "bed"
        or "sleep" in str(site.given.get(names, {}).get("tags", ""))
    }
    for names in site.of_depth(2):
        if not site.places[names] & town:
            furnished.report.left.append(
                Phrase("{names}, with what is in it: nobody can reach it", names=" / ".join(names))
            )
            continue
        if names[:1] not in furnished.sectors:
            furnished.sectors[names[:1]] = _make_sector(names[:1], furnished)
        furnished.arenas[names] = _make_arena(names, furnished, names[0] in homes)
    for names in site.of_depth(3):
        if names[:2] in furnished.arenas:
            _add_things(names, furnished, town)
    report.guessed += [_report_unknown(alike) for alike in furnished.unknown.values()]
    return furnished


def _report_unknown(alike: list[Names]) -> Phrase:
    """Return a line on the things of one name whose use is unknown."""
    if len(alike) == 1:
        single = N_(
            "what {names} is for is unknown; it is tagged like a bookshelf until you change that"
        )
        return Phrase(single, names=" / ".join(alike[0]))
    several = N_(
        "what {thing} is for, in {count} rooms such as {room}, is unknown; each is tagged like a bookshelf until you change that"
    )
    return Phrase(several, thing=alike[0][-1], count=len(alike), room=" / ".join(alike[0][:-1]))


def _add_halls(furnished: Furnished) -> None:
    """Turn parts of a building outside its rooms, such as corridors and stairwells, into rooms;
    otherwise they would count as outdoors. Buildings whose rooms are all outdoors have none.
    """
    site = furnished.site
    for names in site.of_depth(1):
        rooms = [arena for arena in site.of_depth(2) if arena[0] == names[0]]
        if all(_find_kind(arena, site).outdoor for arena in rooms):
            continue
        left = {
            tile
            for tile in site.places[names].difference(*(site.places[arena] for arena in rooms))
            if site.walkable(tile)
        }
        halls = set[Tile]().union(*(part for part in parts(left) if len(part) >= HALL))
        if halls:
            site.places.setdefault(
                (names[0], read_word_table(furnished.lang)["hall"]), set()
            ).update(halls)


def _find_kind(names: Names, site: SourceMap) -> RoomKind:
    """Return the kind of an arena by its name; one in the open air is at least a park."""
    kind = room_kind(names[1], names[0])
    if names in site.open_air and not kind.outdoor:
        return RoomKind(", ".join(filter(None, (kind.tags, OPEN_AIR.tags))), OPEN_AIR.floor, True)
    return kind


def _properties_of(names: Names, furnished: Furnished) -> Properties:
    """Return the properties of a place: its name in the world's language, and all properties given
    in the map.
    """
    given = {
        key: value
        for key, value in furnished.site.given.get(names, {}).items()
        if value not in ("", None)
    }
    return {
        furnished.lang: names[-1],
        **{key: value for key, value in given.items() if key not in LANGS or key == furnished.lang},
    }


def _make_sector(names: Names, furnished: Furnished) -> Place:
    """Return a sector with an id that no other has."""
    taken = {"outdoors", *(place.address for place in furnished.sectors.values())}
    return Place(
        identifier(names[0], taken),
        furnished.site.places[names],
        _properties_of(names, furnished),
        RoomKind("", "w"),
    )


def _make_arena(names: Names, furnished: Furnished, home: bool) -> Place:
    """Return an arena with an id that no other of its sector has, tagged by its kind, and private
    if it belongs to a home. One whose name ends the sector's name has the sector's name instead.
    """
    sector = furnished.sectors[names[:1]].address
    address = identifier(
        names[1],
        [
            place.address.split("/")[1]
            for place in furnished.arenas.values()
            if place.address.startswith(f"{sector}/")
        ],
    )
    kind = _find_kind(names, furnished.site)
    tags = ", ".join(filter(None, ("home" if home else "", kind.tags)))
    properties: Properties = {"tags": tags, "public": not home, **_properties_of(names, furnished)}
    if names[0].lower().endswith(str(properties[furnished.lang]).lower()):
        # "Hobbs Cafe" for its "cafe", and not both
        properties[furnished.lang] = furnished.sectors[names[:1]].properties[furnished.lang]
    return Place(f"{sector}/{address}", furnished.site.places[names], properties, kind)


def _add_things(names: Names, furnished: Furnished, town: set[Tile]) -> None:
    """Add the things of one name in one room, at most `MOST_ALIKE`: their tiles with the blocked
    tiles behind them, a thing for each connected part, a single one if the map gives it properties.
    Those that nobody can reach are left out.
    """
    site, arena = furnished.site, furnished.arenas[names[:2]]
    own = site.places[names]
    kind = _thing_kind_or_guess(names, furnished)
    groups = (
        [box(own)]
        if names in site.given
        else _split_into_things(own | _find_tiles_behind(names, furnished), site)
    )
    made = 0
    for rect in groups[:MOST_ALIKE]:
        tiles = tiles_of(rect)
        stands = [tile for tile in _list_stands(tiles, arena, site) if tile in town]
        if stands:
            made += 1
            properties = _make_thing_properties(
                names,
                furnished,
                load_kinds()[kind],
                made,
                len([tile for tile in stands if tile in own]) or len(stands),
            )
            address = identifier(
                names[2],
                [item.address.split("/")[2] for item in furnished.things_in(arena.address)],
            )
            furnished.things.append(
                MarkedThing(
                    f"{arena.address}/{address}",
                    rect,
                    properties,
                    kind,
                    _list_picture_rectangles(tiles, own, load_kinds()[kind], site),
                )
            )
    if not made:
        furnished.report.left.append(
            Phrase("{names}: nobody can reach it", names=" / ".join(names))
        )


def _thing_kind_or_guess(names: Names, furnished: Furnished) -> str:
    """Return the kind of a thing by its name. An unknown one is guessed, and noted for the report
    unless the map gives it tags.
    """
    if kind := thing_kind(names[2]):
        return kind
    if "tags" not in furnished.site.given.get(names, {}):
        furnished.unknown.setdefault(names[2], []).append(names)
    return UNKNOWN_THING


def _list_stands(tiles: Collection[Tile], arena: Place, site: SourceMap) -> list[Tile]:
    """Return the tiles from which a thing is used: its own that can be walked, or else those
    beside it, in its arena.
    """

    def fits(tile: Tile) -> bool:
        return site.walkable(tile) and tile in arena.tiles

    own = [tile for tile in tiles if fits(tile)]
    return own or [near for tile in tiles for near in around(tile) if fits(near)]


def _make_thing_properties(
    names: Names, furnished: Furnished, kind: Kind, number: int, stands: int
) -> Properties:
    """Return the properties of a thing: those of its kind, with a seat for each place to use it
    from, at most `MOST_SEATS`, if its kind has several seats or is a bed, else one; then those of
    the map, which override them. From the second thing of a name on, the name has its number.
    """
    name = names[2] if number == 1 else f"{names[2]} {number}"
    idle = {"en": kind.idle_en, "zh": kind.idle_zh}[furnished.lang]
    one_each = min(MOST_SEATS, stands) if kind.seats > 1 or "bed" in kind.tags else 1
    return {
        f"idle_{furnished.lang}": idle,
        "tags": kind.tags,
        "seats": one_each,
        **_properties_of(names, furnished),
        **({furnished.lang: name} if number > 1 else {}),
    }


def _find_tiles_behind(names: Names, furnished: Furnished) -> set[Tile]:
    """Return the blocked tiles beside a thing that are neither wall nor another thing: the table of
    a chair, the shelf of a customer.
    """
    site, arena = furnished.site, furnished.arenas[names[:2]]
    others = {
        tile for thing in site.of_depth(3) if thing[:2] == names[:2] for tile in site.places[thing]
    }
    grown: set[Tile] = set()
    edge = set(site.places[names])
    for _ in range(REACH):
        edge = (
            {near for tile in edge for near in around(tile)}
            & site.blocked
            & arena.tiles - others - grown
        )
        edge = {tile for tile in edge if not furnished.is_wall(tile, arena)}
        grown |= edge
    return grown


def _split_into_things(tiles: set[Tile], site: SourceMap) -> list[Rect]:
    """Return the parts of a thing's tiles as rectangles, the largest first; a part that fills too
    little of its box is cut up.
    """
    rects: list[Rect] = []
    for part in parts(tiles):
        rim = box(part)
        compact = len(part) * 2 >= rim[2] * rim[3] and rim[2] * rim[3] <= 24
        rects += (
            [rim]
            if compact
            else [
                rect
                for rect in rectangles(part)
                if any(site.walkable(tile) for tile in tiles_of(rect))
            ]
        )
    return sorted(rects, key=lambda rect: -rect[2] * rect[3])


def box(tiles: set[Tile]) -> Rect:
    """Return the smallest rectangle around tiles, as column, row, width and height."""
    columns, rows = zip(*tiles, strict=True)
    return (min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1)


def _list_picture_rectangles(
    tiles: set[Tile], own: set[Tile], kind: Kind, site: SourceMap
) -> list[Rect]:
    """Return the rectangles of a thing's picture: its blocked tiles if its kind is solid, else all
    its tiles.
    """
    solid = tiles & site.blocked
    if solid and all(set(row) == {"#"} for row in kind.shape):
        return rectangles(solid)
    return rectangles(tiles & (own | site.blocked) or tiles)
