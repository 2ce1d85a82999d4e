"""A small society for minitown: flour, bread and herbs, three shops, six houses that eat, wash and
play.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hometown.language import Lang
from hometown.paths import WORLDS
from hometown.world.load import load_world
from hometown.world.world import World

HOUSES = {
    "chen": ["chen_siyuan"],
    "lin": ["lin_yue"],
    "zhang": ["zhang_wei"],
    "zhao": ["zhao_gang", "xiao_mei"],
    "wang": ["wang_fang"],
}
HOMES = {house: f"{house}_home/{'mei_room' if house == 'zhao' else 'bedroom'}" for house in HOUSES}
DUTIES: dict[str, list[dict[str, Any]]] = {
    "chen_siyuan": [{"keep": "flour", "count": 40, "at": "studio/pantry/coffee_corner"}],
    "zhao_gang": [{"keep": "loaf", "count": 20, "at": "cafe/main/counter"}],
    "xiao_mei": [
        {"keep": "flour", "count": 24, "at": "cafe/main/espresso_machine"},
        {"keep": "loaf", "count": 20, "at": "cafe/main/counter"},
    ],
    "wang_fang": [{"do": "plant"}, {"keep": "herb", "count": 20, "at": "flower_shop/shop/rack"}],
}

SOCIETY: dict[str, dict[str, Any]] = {
    "kinds": {
        "flour": {
            "name": {"en": "flour", "zh": "面粉"},
            "some": {"en": "some flour", "zh": "面粉"},
            "grams": 500,
        },
        "loaf": {
            "name": {"en": "bread", "zh": "面包"},
            "some": {"en": "a loaf", "zh": "面包"},
            "grams": 400,
            "tags": ["edible"],
            "gives": {"hunger": 350},
        },
        "herb": {
            "name": {"en": "herbs", "zh": "香草"},
            "some": {"en": "herbs", "zh": "香草"},
            "grams": 100,
            "tags": ["edible"],
            "gives": {"hunger": 100},
        },
    },
    "recipes": {
        "grind": {
            "says": {"en": ["grind", "mill"], "zh": ["磨面"]},
            "at": "mill",
            "minutes": 60,
            "take": {"nature": "rest"},
            "make": {"flour": 16},
        },
        "bake": {
            "says": {"en": ["bake"], "zh": ["烤面包"]},
            "doing": {"en": "baking bread", "zh": "烤面包"},
            "at": "oven",
            "minutes": 40,
            "take": {"flour": 8, "nature": "rest"},
            "make": {"loaf": 12},
            "body": {"energy": -30, "hygiene": -40},
            "poignancy": 2,
        },
        "plant": {
            "says": {"en": ["plant"], "zh": ["种菜"]},
            "at": "bed",
            "minutes": 30,
            "take": {"nature": "rest"},
            "make": {"herb": 20},
            "after": {"hours": 20},
        },
    },
    "fixtures": {
        "studio/workspace/printer": {"tags": ["mill"], "owner": "house:chen"},
        "studio/pantry/coffee_corner": {
            "holds": 60000,
            "owner": "house:chen",
            "shop": {"sells": {"flour": 20}, "opens": "06:00", "closes": "21:00"},
        },
        "cafe/main/oven": {"tags": ["oven"], "owner": "house:zhao"},
        "cafe/main/espresso_machine": {"holds": 30000, "owner": "house:zhao"},
        "cafe/main/counter": {
            "holds": 30000,
            "owner": "house:zhao",
            "shop": {"sells": {"loaf": 30}, "opens": "06:00", "closes": "22:00"},
        },
        "flower_shop/garden/herb_bed": {"tags": ["bed"], "holds": 6000, "owner": "house:wang"},
        "flower_shop/shop/rack": {
            "holds": 9000,
            "owner": "house:wang",
            "shop": {"sells": {"herb": 8}, "opens": "06:00", "closes": "22:00"},
        },
        "square/plaza/fountain": {"tags": ["wash"]},
        **{
            f"{house}_home/living/fridge": {"holds": 20000, "owner": f"house:{house}"}
            for house in HOUSES
        },
    },
    "needs": {},
    "calendar": {"seasons": {"spring": {"name": {"en": "spring", "zh": "春天"}, "days": 30}}},
    "start": {
        "houses": {house: {"home": home, "coins": 600} for house, home in HOMES.items()},
        "people": {
            who: {"house": house, "has": {"loaf": 2}, "duties": DUTIES.get(who, [])}
            for house, people in HOUSES.items()
            for who in people
        },
        "stocks": {
            "studio/pantry/coffee_corner": {"flour": 24},
            "cafe/main/espresso_machine": {"flour": 8},
            "cafe/main/counter": {"loaf": 6},
        },
    },
}


HUNGRY = {
    "hunger": {
        "name": {"en": "food", "zh": "温饱"},
        "awake": -70,
        "asleep": -20,
        "met_by": ["eat"],
        "at_zero": {"health": -20},
    }
}
"""Needs of people who would starve within a day."""


def societal(folder: Path, lang: Lang = "en", needs: Mapping[str, Any] = SOCIETY["needs"]) -> World:
    """Minitown with this society, made in a folder of its own if it is not there yet."""
    town = folder / "worlds" / "minitown"
    if not town.exists():
        shutil.copytree(WORLDS / "minitown", town)
        (town / "society").mkdir()
        for name, content in (SOCIETY | {"needs": needs}).items():
            (town / "society" / f"{name}.json").write_text(json.dumps(content), "utf-8")
    return load_world(town, lang)
