"""A small town as other systems write it: GenerativeAgentsCN's JSON, Smallville's matrices."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

PLAN = [
    "....................",
    ".########..########.",
    ".#bWsd+k#..#C....T#.",
    ".#B...#.#..#......#.",
    ".#....#K#..#.T....#.",
    ".###-####..###-####.",
    "....................",
    ".....#.....#########",
    "..pp.......#r.+..T.#",
    "..pp...###.#R.#....#",
    ".......#~#.####-####",
    ".......###..........",
    "....................",
    "....................",
]
"""`#` blocks the way; small letters are things that can be stood on, capitals those that cannot;
`-` and `+` are doors.
"""

ROOMS = {
    ("Mill House", "bedroom"): (2, 2, 4, 3),
    ("Mill House", "kitchen"): (7, 2, 1, 3),
    ("Corner Cafe", "cafe"): (12, 2, 6, 3),
    ("Green Park", "park"): (1, 7, 4, 4),
    ("Reed Cottage", "bedroom"): (12, 8, 2, 2),
    ("Reed Cottage", "study"): (15, 8, 4, 2),
}

HOUSES = {
    "Mill House": (1, 1, 8, 5),
    "Corner Cafe": (11, 1, 8, 5),
    "Green Park": (1, 7, 4, 4),
    "Reed Cottage": (11, 7, 9, 4),
}

THINGS = {
    "b": "bed",
    "B": "bed",
    "W": "closet",
    "s": "bathroom sink",
    "d": "desk",
    "k": "cooking area",
    "K": "refrigerator",
    "C": "counter",
    "T": "table",
    "p": "park garden",
    "r": "bed",
    "R": "bed",
}

CHINESE = {
    "Mill House": "磨坊小屋",
    "Corner Cafe": "街角咖啡馆",
    "Green Park": "青草公园",
    "Reed Cottage": "芦苇小屋",
    "bedroom": "卧室",
    "kitchen": "厨房",
    "cafe": "咖啡馆",
    "park": "公园",
    "study": "书房",
    "bed": "床",
    "closet": "壁橱",
    "bathroom sink": "洗手池",
    "desk": "书桌",
    "cooking area": "烹饪区",
    "refrigerator": "冰箱",
    "counter": "柜台",
    "table": "桌子",
    "park garden": "公园花园",
}

PEOPLE_ZH = [
    {
        "name": "阿青",
        "home": ("磨坊小屋", "卧室"),
        "age": 30,
        "innate": "友好、勤快",
        "learned": "阿青是街角咖啡馆的老板，她喜欢热闹。",
        "lifestyle": "阿青晚上10点左右睡觉，早上6点左右醒来。",
        "daily_plan": "阿青每天早上8点开放街角咖啡馆，站在柜台前直到下午5点。",
        "currently": "阿青想办一场音乐会。她还没告诉老柳。",
    },
    {
        "name": "老柳",
        "home": ("芦苇小屋", "卧室"),
        "age": 61,
        "innate": "安静",
        "learned": "老柳是一名退休教师，他爱看书。",
        "lifestyle": "老柳晚上9点左右上床睡觉，早上5点左右醒来，下午5点左右吃晚饭。",
        "daily_plan": "老柳喜欢在青草公园散步，或者坐在街角咖啡馆看书。",
        "currently": "老柳正在写回忆录。",
    },
]


def names_of(column: int, row: int, chinese: bool) -> list[str]:
    """Sector, arena, thing, as far as the tile has them."""
    found = next((list(names) for names, rect in ROOMS.items() if within(column, row, rect)), [])
    found = found or next(
        ([name] for name, rect in HOUSES.items() if within(column, row, rect)), []
    )
    if len(found) == 2 and PLAN[row][column] in THINGS:
        found.append(THINGS[PLAN[row][column]])
    return [CHINESE[one] for one in found] if chinese else found


def within(column: int, row: int, rect: tuple[int, int, int, int]) -> bool:
    return rect[0] <= column < rect[0] + rect[2] and rect[1] <= row < rect[1] + rect[3]


def blocked(column: int, row: int) -> bool:
    return PLAN[row][column] == "#" or PLAN[row][column].isupper()


def write_maze(folder: Path, people: list[dict[str, Any]] = PEOPLE_ZH) -> Path:
    """GenerativeAgentsCN's form, in Chinese."""
    tiles = []
    for row, line in enumerate(PLAN):
        for column in range(len(line)):
            tile: dict[str, Any] = {"coord": [column, row]} | (
                {"address": names} if (names := names_of(column, row, True)) else {}
            )
            if blocked(column, row):
                tile["collision"] = True
            tiles += [tile] if len(tile) > 1 else []
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "maze.json").write_text(
        json.dumps(
            {"world": "小镇", "size": [len(PLAN), len(PLAN[0])], "tiles": tiles}, ensure_ascii=False
        ),
        "utf-8",
    )
    for one in people:
        scratch = {key: one[key] for key in ("age", "innate", "learned", "lifestyle", "daily_plan")}
        living = {
            "address": {"living_area": ["小镇", *one["home"]]},
            "tree": {"小镇": {one["home"][0]: {}, "街角咖啡馆": {}}},
        }
        agent = folder / "agents" / one["name"] / "agent.json"
        agent.parent.mkdir(parents=True)
        whole = {
            "name": one["name"],
            "coord": [3, 3],
            "currently": one["currently"],
            "scratch": scratch,
            "spatial": living,
        }
        agent.write_text(json.dumps(whole, ensure_ascii=False), "utf-8")
    return folder


def write_matrices(folder: Path) -> Path:
    """Smallville's form, in English, with one person."""
    matrix = folder / "matrix"
    for part in ("maze", "special_blocks"):
        (matrix / part).mkdir(parents=True)
    size = {
        "world_name": "the Mill",
        "maze_width": len(PLAN[0]),
        "maze_height": len(PLAN),
        "sq_tile_size": 32,
        "special_constraint": "",
    }
    (matrix / "maze_meta_info.json").write_text(json.dumps(size), "utf-8")
    everywhere = [(column, row) for row in range(len(PLAN)) for column in range(len(PLAN[0]))]
    flat = {"collision": ["25301" if blocked(*tile) else "0" for tile in everywhere]}
    for depth, layer in enumerate(("sector", "arena", "game_object"), 1):
        numbers: dict[str, str] = {}
        cells = [
            names[depth - 1] if len(names := names_of(*tile, False)) >= depth else ""
            for tile in everywhere
        ]
        flat[layer] = [
            numbers.setdefault(one, str(32000 + depth * 100 + len(numbers))) if one else "0"
            for one in cells
        ]
        with (matrix / "special_blocks" / f"{layer}_blocks.csv").open(
            "w", encoding="utf-8", newline=""
        ) as file:
            csv.writer(file).writerows(
                [number, " the Mill", f" {name}"] for name, number in numbers.items()
            )
    for layer, row in flat.items():
        (matrix / "maze" / f"{layer}_maze.csv").write_text(", ".join(row), "utf-8")
    person = folder / "personas" / "Ann Mill" / "bootstrap_memory"
    person.mkdir(parents=True)
    scratch = {
        "name": "Ann Mill",
        "age": 28,
        "innate": "kind",
        "learned": "Ann Mill is the owner of the Corner Cafe, and she loves music.",
        "currently": "Ann Mill is planning a concert.",
        "lifestyle": "Ann Mill goes to bed around 11pm, awakes up around 6am.",
        "daily_plan_req": "Ann Mill opens Corner Cafe at 8am everyday, and works at the counter until 5pm.",
        "living_area": "the Mill:Mill House:bedroom",
    }
    (person / "scratch.json").write_text(json.dumps(scratch), "utf-8")
    (person / "spatial_memory.json").write_text(
        json.dumps({"the Mill": {"Mill House": {}, "Corner Cafe": {}}}), "utf-8"
    )
    return folder
