"""The starter world: two houses, a bakery, a park and two residents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson

from hometown.authoring.art import tilemap
from hometown.authoring.art.plan import Placed, Plan, Room
from hometown.authoring.folder import new_world_folder
from hometown.authoring.people_art import draw_people
from hometown.language import LANGS, Lang
from hometown.paths import DATA

STARTER = DATA / "starter"
"""`world.json` and `residents/*.json` in all languages, and the ground plan."""

TILESET = "tileset.png"

HOUSE = [
    ("bedroom", "bedroom", "卧室", (1, 1, 4, 4), "home, bedroom"),
    ("bathroom", "bathroom", "浴室", (1, 6, 4, 3), "home, bathroom"),
    ("living", "living room", "客厅", (6, 1, 6, 8), "home, living, kitchen"),
]
"""Rooms of a house: id, names, rectangle within the house, tags."""

FURNITURE = [
    ("bedroom/bed", "bed", (1, 1)),
    ("bedroom/wardrobe", "wardrobe", (4, 1)),
    ("bedroom/bookshelf", "bookshelf", (3, 4)),
    ("bathroom/sink", "sink", (2, 6)),
    ("bathroom/shower", "shower", (1, 8)),
    ("bathroom/toilet", "toilet", (4, 6)),
    ("living/stove", "stove", (10, 1)),
    ("living/kitchen_sink", "kitchen_sink", (9, 1)),
    ("living/fridge", "fridge", (11, 1)),
    ("living/dining_table", "dining_table", (9, 4)),
    ("living/sofa", "sofa", (7, 8)),
    ("living/desk", "desk", (6, 1)),
]

HOUSES = [
    ("ada_house", "Ada's house", "艾达的家", (2, 1)),
    ("ben_house", "Ben's house", "本的家", (18, 1)),
]

ELSEWHERE = [
    Placed("bakery/main/espresso_machine", "espresso", (4, 16)),
    Placed("bakery/main/oven", "oven", (6, 16)),
    Placed("bakery/main/counter", "counter", (3, 18)),
    Placed("bakery/main/window_table", "cafe_table", (11, 17), "window table", "靠窗的桌子"),
    Placed("bakery/main/corner_table", "cafe_table", (11, 20), "corner table", "角落的桌子"),
    Placed("park/green/bench", "bench", (20, 15)),
    Placed("park/green/lawn", "lawn", (18, 20)),
    Placed("park/green/flower_bed", "flower_bed", (26, 20)),
    Placed("park/green/chess_table", "chess_table", (26, 16)),
]


def plan(name: str) -> Plan:
    """Return the ground plan of the starter town: its buildings, rooms and things, with `name` as
    its title.
    """
    sectors = [Room(house, en, zh, (*at, 13, 10)) for house, en, zh, at in HOUSES]
    sectors += [
        Room("bakery", "the bakery", "面包房", (2, 15, 14, 8)),
        Room("park", "the park", "公园", (17, 15, 15, 8)),
    ]
    arenas, things = [], []
    for house, _, _, (column, row) in HOUSES:
        for room, en, zh, (right, down, width, height), tags in HOUSE:
            arenas.append(
                Room(
                    f"{house}/{room}",
                    en,
                    zh,
                    (column + right, row + down, width, height),
                    tags,
                    public=False,
                )
            )
        things += [
            Placed(f"{house}/{thing}", kind, (column + right, row + down))
            for thing, kind, (right, down) in FURNITURE
        ]
    arenas += [
        Room("bakery/main", "the bakery", "面包房", (3, 16, 12, 6), "cafe, shop, work"),
        Room("park/green", "the park", "公园", (17, 15, 15, 8), "park, outdoor"),
    ]
    ground = (STARTER / "ground.txt").read_text("utf-8").split()
    return Plan(
        name,
        ground,
        sectors,
        arenas,
        [*things, *ELSEWHERE],
        [("plant", (14, 21)), ("rug", (9, 6)), ("rug", (25, 6)), ("lamp", (17, 11))],
    )


def make_world(name: str, langs: Sequence[Lang], root: Path) -> Path:
    """Write the world and return its folder.

    Raises BadWorld as `new_world_folder` does; then nothing is written.
    """
    with new_world_folder(root, name) as folder:
        text, sheet = tilemap.build(plan(name), TILESET)
        (folder / "map.tmj").write_text(text, "utf-8")
        sheet.save(folder / TILESET, optimize=True)
        given = in_langs(orjson.loads((STARTER / "world.json").read_bytes()), langs)
        given |= {"name": dict.fromkeys(langs, name), "langs": list(langs)}
        write_json(folder / "world.json", given)
        (folder / "residents").mkdir()
        people = {
            file.stem: in_langs(orjson.loads(file.read_bytes()), langs)
            for file in sorted((STARTER / "residents").glob("*.json"))
        }
        for who, content in people.items():
            write_json(folder / "residents" / f"{who}.json", content)
        draw_people(folder, people)
    return root / name


def in_langs(value: Any, langs: Sequence[Lang]) -> Any:
    """Return the same JSON, each text in these languages only.

    >>> in_langs({"name": {"en": "Ada", "zh": "艾达"}, "age": 34}, ["zh"])
    {'name': {'zh': '艾达'}, 'age': 34}
    """
    if isinstance(value, list):
        return [in_langs(item, langs) for item in value]
    if not isinstance(value, dict):
        return value
    if value and value.keys() <= set(LANGS):
        return {lang: value[lang] for lang in langs}
    return {key: in_langs(item, langs) for key, item in value.items()}


def write_json(path: Path, value: Any) -> None:
    """Write indented JSON, for editing by hand."""
    path.write_bytes(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
