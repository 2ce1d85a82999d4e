"""Components: an author adds kinds of things of a new sort without code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hometown.world.faults import Faults
from hometown.world.laws import propose_entries
from hometown.world.load import load_world
from tests.support.farmstead import farmstead, read

PEA: dict[str, Any] = {
    "name": {"en": "pea", "zh": "豌豆"},
    "grams": 50,
    "components": {"edible": {"hunger": 40}, "plant": {"days": 3, "yields": 30}},
}
ALMANAC: dict[str, Any] = {
    "name": {"en": "almanac", "zh": "历书"},
    "grams": 300,
    "components": {"readable": {"fun": 250}},
}
LOG: dict[str, Any] = {
    "name": {"en": "log", "zh": "木柴"},
    "grams": 900,
    "components": {"fuel": {}},
}
DRUM: dict[str, Any] = {
    "name": {"en": "drum", "zh": "鼓"},
    "grams": 2000,
    "components": {"beaten": {"often": 9}},
}


def changed(**kinds: Any) -> dict[str, Any]:
    files = farmstead()
    files["kinds"].update(kinds)
    return files


def test_kinds_have_what_their_components_say(tmp_path: Path) -> None:
    files = changed(pea=PEA, almanac=ALMANAC, log=LOG)
    files["fixtures"]["farm/kitchen/larder"] |= {"components": {"hearth": {}}}
    book, faults = read(files, tmp_path)
    assert faults == []
    assert (book.kinds["pea"].tags, book.kinds["pea"].gives) == (("edible",), {"hunger": 40})
    assert "eat/pea" in book.recipes
    sown = book.recipes["plant_pea"]
    assert dict(sown.products) == {"pea": 30}
    assert sown.part.says == {"en": ["plant pea"], "zh": ["种豌豆"]}
    assert (book.kinds["almanac"].item, book.recipes["read_almanac"].part.minutes) == (True, 40)
    assert book.recipes["read_almanac"].part.tool in book.kinds["almanac"].tags
    assert dict(book.recipes["warm_up/log"].body) == {"fun": 60, "energy": 60}
    assert book.fixtures["farm/kitchen/larder"].tags == ("hearth",)


def test_a_world_has_components_of_its_own(tmp_path: Path) -> None:
    drumming = {
        "says": {"en": ["drum"], "zh": ["打鼓"]},
        "minutes": 30,
        "tool": "beaten",
        "body": {"fun": "$often"},
    }
    component = {
        "values": {"often": 5},
        "kind": {"item": True, "tags": ["beaten"]},
        "recipes": {"drum": drumming},
    }
    book, faults = read(changed(drum=DRUM) | {"components": {"beaten": component}}, tmp_path)
    assert faults == []
    assert dict(book.recipes["drum"].body) == {"fun": 9}


@pytest.mark.parametrize(
    ("components", "told"),
    [
        ({"edibel": {}}, "there is no component 'edibel'; did you mean 'edible'?"),
        ({"edible": {}}, "the component 'edible' needs a value for 'hunger'"),
        ({"plant": {"day": 3, "yields": 4}}, "there is no value 'day'"),
        ({"edible": {"hunger": "much"}}, "gives.hunger"),
        ([], "components"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, components: object, told: str) -> None:
    book, faults = read(changed(pea=PEA | {"components": components}), tmp_path)
    assert book is None
    assert any(told in line for line in faults), faults


def test_a_law_may_use_components() -> None:
    world, faults = load_world("farmstead", "en"), Faults("farmstead")
    patch = {"kinds": {"pea": PEA, "loaf": {"components": {"edible": {"hunger": 400}}}}}
    entries = propose_entries(world, json.dumps(patch), faults)
    assert faults.lines == []
    assert sorted(entries) == ["kinds/loaf", "kinds/pea", "recipes/plant_pea"]
    assert json.loads(entries["kinds/loaf"])["gives"] == {"hunger": 400}
