"""Worlds that are changed until they have faults, and the faults that are found in them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hometown.errors import BadWorld
from hometown.world.load import load_world
from tests.support.work import counted_calls

Edit = Callable[[Any], object]

MOST_CALLS = 250_000
"""Calls of functions while a world is loaded, at most: Minitown takes 76,000."""


def edit(file: Path, change: Edit) -> None:
    found = json.loads(file.read_text("utf-8"))
    change(found)
    file.write_text(json.dumps(found, ensure_ascii=False), "utf-8")


def faults(folder: Path) -> list[str]:
    with pytest.raises(BadWorld) as caught:
        load_world(folder, "en")
    assert all("\n" not in line for line in caught.value.lines)
    return [*caught.value.lines]


def faults_at_once(folder: Path) -> list[str]:
    """The faults of a hostile world, which takes less than four times the work of a good one."""
    with counted_calls() as calls:
        lines = faults(folder)
    assert calls[0] < MOST_CALLS
    return lines


def in_layer(drawn: dict[str, Any], layer: str, name: str) -> dict[str, Any]:
    objects = next(one for one in drawn["layers"] if one["name"] == layer)["objects"]
    return next(one for one in objects if one["name"] == name)
