"""Whether hostile laws are refused: `python -m benchmarks.society laws [DAYS] [LANG]`.

Each of these laws would starve or ruin the farmstead. For each: what refuses it, with the date of
its first harm in a trial of so many days, or the fault of one that cannot be a law at all. Those
that are found harmless are printed as such.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.towns import new_run
from hometown.language import LANGS
from hometown.storage.run import RunFile
from hometown.study.laws.proposal import propose_law
from hometown.world.load import load_world
from hometown.world.world import World

SPIN: dict[str, Any] = {"says": {"en": ["spin"], "zh": ["纺"]}, "minutes": 60}

LAWS: dict[str, dict[str, Any]] = {
    "hunger grows seventeen times as fast": {"needs": {"hunger": {"awake": -700, "asleep": -700}}},
    "nobody bakes": {"recipes": {"bake": None}},
    "there is no oven": {"fixtures": {"bakery/main/oven": None}},
    "there is no millstone": {"fixtures": {"mill/main/millstone": None}},
    "a batch of bread takes a day": {"recipes": {"bake": {"minutes": 1440}}},
    "kneading hurts": {"recipes": {"knead": {"body": {"health": -900}}}},
    "a field bears its seed": {
        "recipes": {"sow": {"take": {"grain": 10}, "make": {"ripe_wheat": 10}}}
    },
    "threshing leaves one grain": {"recipes": {"thresh": {"make": {"grain": 1, "nature": "rest"}}}},
    "bread and vegetables feed nobody": {
        "kinds": {kind: {"gives": {"hunger": 0}} for kind in ("loaf", "vegetable")}
    },
    "bread costs 4,000 coins": {
        "fixtures": {"bakery/main/counter": {"shop": {"sells": {"loaf": 4000}}}}
    },
    "one loaf makes forty": {
        "recipes": {
            "spin": SPIN | {"take": {"loaf": 1, "nature": "rest"}, "make": {"loaf": 40}},
        }
    },
    "one grain makes a hundred loaves": {
        "recipes": {
            "spin": SPIN | {"take": {"grain": 1, "nature": "rest"}, "make": {"loaf": 100}},
        }
    },
    "one grain makes a hundred coins": {
        "recipes": {
            "spin": SPIN | {"take": {"grain": 1, "nature": "rest"}, "make": {"coin": 100}},
        }
    },
    "nobody eats": {"recipes": {"eat": None}},
}
"""The patches of the laws, by what they come to."""


def judge_law(run: RunFile, world: World, patch: dict[str, Any], days: int) -> list[str]:
    """Return why a law is refused, the first reason first; nothing if it is harmless."""
    proposal = propose_law(run, world, json.dumps(patch))
    return [str(line) for line in proposal.faults or proposal.find_breaches(days)]


async def judge_laws(days: int, lang: str) -> None:
    """Print the first reason for which each law is refused on the first morning of a farmstead."""
    world = load_world("farmstead", next(each for each in LANGS if each == lang))
    with tempfile.TemporaryDirectory() as folder:
        run, game = await new_run(Path(folder), world, steps=1)
        with run:
            await game.step()
            for name, patch in LAWS.items():
                found = judge_law(run, world, patch, days)
                print(f"{name}: {found[0] if found else 'harmless'}", flush=True)


def main(days: str = "10", lang: str = "en") -> None:
    asyncio.run(judge_laws(int(days), lang))
