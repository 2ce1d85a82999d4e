"""Many edit one world at once, by several servers, and another program saves the map meanwhile: no
change that was accepted is lost.
"""

from __future__ import annotations

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from flask.testing import FlaskClient

from hometown.authoring.editing import residents_of
from hometown.authoring.lint import lint
from hometown.authoring.starter import make_world
from hometown.web.server import create_app
from tests.torture.cases import Lost, case

EDITORS = 6
ROOM = "bakery/main"


@dataclass
class Toll:
    """Changes that were tried, by the status of their answers."""

    answers: Counter[int] = field(default_factory=Counter)


def edited(folder: Path, count: int, first: int = 0) -> Toll:
    """Let six editors change so many worlds. Raises Lost where an accepted change is gone, or a
    world is broken.
    """
    toll = Toll()
    for number in range(first, first + count):
        with case("edits", number):
            _edit_one(folder / str(number), number, toll)
    return toll


def _edit_one(folder: Path, number: int, toll: Toll) -> None:
    world = make_world("dale", ["en"], folder)
    clients = [create_app(folder / "results", folder).test_client() for _ in range(EDITORS)]
    version = clients[0].get("/api/v1/worlds/dale").json["versions"]["ada"]
    with ThreadPoolExecutor(EDITORS) as pool:
        aged = list(pool.map(lambda at: _aged(clients[at], 20 + at, version), range(EDITORS)))
        named = list(pool.map(lambda at: _named(clients[at], f"Bakery {at}"), range(EDITORS)))
    toll.answers.update(aged + named)
    right = [20 + at for at, status in enumerate(aged) if status == 200]
    if right != [residents_of(world)["ada"]["age"]] or sorted(aged) != [200] + [412] * (
        EDITORS - 1
    ):
        raise Lost(f"{aged}: the age is {residents_of(world)['ada']['age']}")
    _undo(world, clients[random.Random(number).randrange(EDITORS)], toll)
    if lint(world).errors:
        raise Lost("the world is broken")


def _aged(client: FlaskClient, age: int, version: str) -> int:
    """Give Ada another age, for the version that all have seen."""
    content = client.get("/api/v1/worlds/dale").json["residents"]["ada"] | {"age": age}
    return client.put(
        "/api/v1/worlds/dale/residents/ada", json=content, headers={"If-Match": version}
    ).status_code


def _named(client: FlaskClient, name: str) -> int:
    """Give the bakery another name, whatever version the map has."""
    stroke = {"act": "name", "room": ROOM, "names": {"en": name}}
    return client.put("/api/v1/worlds/dale/map", json=stroke, headers={"If-Match": "*"}).status_code


def _undo(world: Path, client: FlaskClient, toll: Toll) -> None:
    """Change the map, have another program save it, and try to undo."""
    toll.answers[_named(client, "The Blue Loaf")] += 1
    saved = (world / "map.tmj").read_bytes() + b"\n"
    (world / "map.tmj").write_bytes(saved)
    undone = client.post("/api/v1/worlds/dale/undo", json={}, headers={"If-Match": "*"})
    toll.answers[undone.status_code] += 1
    if (world / "map.tmj").read_bytes() != saved:
        raise Lost("a map that another program had saved was overwritten")
