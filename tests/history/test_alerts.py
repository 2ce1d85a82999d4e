"""Alerts say when a town needs its user, from when to when, and are silent in a town that is well."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import orjson
import pytest

from hometown.history import alerts as module
from hometown.history.alerts import alerts
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes import AlertView
from hometown.paths import WORLDS
from hometown.world.load import load_world
from tests.support.synthetic_run import make_run

HOUR = 360
"""Ticks of an hour."""


def alerts_of(results: Path, world: str = "") -> list[AlertView]:
    with RunReader.open(results, "sample") as run:
        return alerts(run, Names(load_world(WORLDS / world, "en") if world else None))


def set_stats(file: Path, **changed: object) -> None:
    """Changes the statistics of all steps."""
    with sqlite3.connect(file) as database:
        for step, stats in database.execute("SELECT step, stats FROM steps").fetchall():
            database.execute(
                "UPDATE steps SET stats = ? WHERE step = ?",
                (orjson.dumps(orjson.loads(stats) | changed), step),
            )


def test_a_town_that_is_well_has_no_alerts(tmp_path: Path) -> None:
    make_run(tmp_path)
    assert alerts_of(tmp_path) == []


def test_four_hours_of_the_day_without_a_talk_are_a_silence(tmp_path: Path) -> None:
    """The run begins at six, the day at eight, and the first talk after two in the afternoon."""
    make_run(tmp_path, stride=240)
    (silence,) = alerts_of(tmp_path)
    assert (silence["kind"], silence["tick"], silence["amount"]) == ("silence", 6 * HOUR, 4)
    assert 8 * HOUR <= silence["end"] < 9 * HOUR


def test_a_model_whose_replies_fail_or_are_slow_is_told(tmp_path: Path) -> None:
    file = make_run(tmp_path)
    set_stats(file, ok=9, fallback=1, milliseconds={"think": 1_200_000})
    fallbacks, slow = alerts_of(tmp_path)
    assert (fallbacks["kind"], fallbacks["tick"], fallbacks["amount"]) == ("fallbacks", 0, 10)
    assert (slow["kind"], slow["amount"], slow["end"]) == ("slow", 120, HOUR // 2)
    set_stats(file, ok=38, fallback=2, milliseconds={"think": 600_000})
    assert alerts_of(tmp_path) == []


def test_hunger_is_told_with_its_resident(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_run(tmp_path, stride=30)
    book = load_world(WORLDS / "farmstead", "en").book
    assert book is not None
    full = dict.fromkeys(book.needs, 1000)
    hunger = [full, full | {"hunger": 120}, full | {"hunger": 40}, full | {"hunger": 90}]
    read = [("ana", step, levels) for step, levels in enumerate(hunger)]
    monkeypatch.setattr(module, "read_levels", lambda run, book, last: read)
    (alert,) = alerts_of(tmp_path, "farmstead")
    assert (alert["kind"], alert["who"], alert["amount"]) == ("need", "ana", 4)
    assert (alert["tick"], alert["end"]) == (HOUR // 2, HOUR * 3 // 2)
    assert alert["need"].keys() == {"en", "zh"}
