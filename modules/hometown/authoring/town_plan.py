"""The ground plan that a map contains, as its property `plan`, and what two plans differ in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from hometown.authoring.art import furniture
from hometown.authoring.art.kinds import Box, load_kinds
from hometown.authoring.art.plan import PLAN, Placed, Plan, Room
from hometown.authoring.importing.site import tiles_of
from hometown.authoring.painting import box_of, kind_of_thing
from hometown.json_object import Json
from hometown.world.maze import Tile

INFLUENCE = 5
"""Tiles around a change by which it can alter the looks of others."""


def read_plan(raw: Json, objects: Mapping[str, Sequence[Json]]) -> Plan | None:
    """Return the plan of a map with these objects; None for a map that has none of its size."""
    listed = {given.get("name"): given.get("value") for given in raw.get("properties", [])}
    try:
        kept = json.loads(str(listed.get(PLAN)))
        ground = [str(row) for row in kept["ground"]]
        decor = [(str(kind), (int(column), int(row))) for kind, (column, row) in kept["decor"]]
        facades = {str(sector): str(style) for sector, style in kept["facades"].items()}
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    if [len(row) for row in ground] != [raw["width"]] * raw["height"]:
        return None
    return plan_of(objects, ground, decor, facades)


def plan_of(
    objects: Mapping[str, Sequence[Json]],
    ground: list[str],
    decor: list[tuple[str, Tile]],
    facades: dict[str, str],
) -> Plan:
    """Return the plan of a town with these objects of its map; things that were not drawn here are
    no part of it.
    """
    rooms = {
        layer: [
            Room(item["name"], "", "", box_of(item), str(property_of(item, "tags")))
            for item in objects[layer]
        ]
        for layer in ("sectors", "arenas")
    }
    things = [
        Placed(item["name"], kind, _corner_of(item, kind))
        for item in objects["things"]
        if (kind := kind_of_thing(item))
    ]
    return Plan("town", ground, rooms["sectors"], rooms["arenas"], things, decor, facades)


def find_changed_part(before: Plan, after: Plan) -> Box | None:
    """Return the rectangle in which two plans of a map may look different;
    None if there is none.
    """
    width, height = before.size
    tiles = {
        (column, row)
        for row in range(height)
        for column in range(width)
        if before.ground[row][column] != after.ground[row][column]
    }
    for kind, at in _standing(before) ^ _standing(after):
        tiles |= {tile for tile, _ in furniture.list_tiles(at, furniture.shape(kind))}
    if not tiles:
        return None
    columns, rows = zip(*tiles, strict=True)
    left, top = max(0, min(columns) - INFLUENCE), max(0, min(rows) - INFLUENCE)
    right, bottom = (
        min(width, max(columns) + 1 + INFLUENCE),
        min(height, max(rows) + 1 + INFLUENCE),
    )
    return left, top, right - left, bottom - top


def tiles_of_thing(item: Json) -> set[Tile]:
    """Return the tiles on which a thing of the map stands, which may be more than it marks."""
    kind = kind_of_thing(item)
    if not kind:
        return tiles_of(box_of(item))
    return tiles_of_kind(kind, _corner_of(item, kind))


def tiles_of_kind(kind: str, at: Tile) -> set[Tile]:
    """Return the tiles of a thing or a decoration with its upper left tile at `at`."""
    return {tile for tile, _ in furniture.list_tiles(at, furniture.shape(kind))}


def property_of(item: Json, key: str) -> object:
    """Return a property of an object of a map; "" for none."""
    return next((prop["value"] for prop in item.get("properties", []) if prop["name"] == key), "")


def _corner_of(item: Json, kind: str) -> Tile:
    """Return the upper left tile of a thing, which may be left of or above those that mark it."""
    (left, top, *_), area = box_of(item), load_kinds()[kind].area or (0, 0)
    return left - area[0], top - area[1]


def _standing(plan: Plan) -> set[tuple[str, Tile]]:
    return {(thing.kind, thing.at) for thing in plan.things} | set(plan.decor)
