"""A small run written by hand: three steps, three residents, one talk, a few memories.

For tests of what only reads runs. No engine, model or world folder takes part. In game time, at a
stride of 10 minutes:

    06:00  step 1  ana gets up and walks 20 tiles to the café's counter
    06:10  step 2  bo walks 30 tiles there; cy sets out on a way of 90 tiles to the park
    06:20  step 3  ana tells bo of the tasting (3 minutes); cy arrives after 30 tiles more; ana reflects
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from hometown.clock import DAY, TICK_SECONDS, TICKS_PER_MINUTE
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry, Schedule
from hometown.settings import Settings
from hometown.storage.manifest import Manifest
from hometown.storage.table_schema import SCHEMA_VERSION, TABLES
from hometown.world import keys
from hometown.world.conversation import Conversation, Line
from hometown.world.maze import Tile
from hometown.world.rows import Body, Clock, MindState, Row, Talking, ThingState

START = datetime(2025, 2, 13, 6, 0)
RESIDENTS = ("ana", "bo", "cy")
BEDS: tuple[Tile, ...] = ((2, 2), (2, 6), (2, 10))
COUNTER, SEAT, BENCH = "cafe/main/counter", "cafe/main/seat", "park/park/bench"
NEWS = "Ana will hold a tasting on Friday at 18:00"


def make_run(
    results: Path,
    name: str = "sample",
    *,
    world: str = "nowhere",
    lang: str = "en",
    llm: str = "scripted",
    stride: int = 10,
    residents: Sequence[str] = RESIDENTS,
    news: str = NEWS,
    parent: str = "",
) -> Path:
    """Writes the run and returns its file, `results/checkpoints/<name>/run.sqlite`.

    `world` names no folder by default; `residents` are three ids. With another stride the same
    things happen, `stride` minutes apart; it should be 10 or more for the walks to fit.
    """
    file = results / "checkpoints" / name / "run.sqlite"
    file.parent.mkdir(parents=True)
    database = sqlite3.connect(file)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
    database.executescript(TABLES)
    manifest = Manifest(
        name=name,
        world=world,
        lang=lang,
        start=START,
        stride=stride,
        seed=1,
        residents=list(residents),
        llm=llm,
        llm_reason="",
        embedding="hash",
        dimension=384,
        settings=Settings(),
        versions={},
        created=START,
        parent=parent,
    )
    database.execute(
        "INSERT INTO meta VALUES ('manifest', ?)", (manifest.model_dump_json().encode(),)
    )
    database.execute("INSERT INTO meta VALUES ('planned_end', ?)", (b"3",))
    _Story(database, stride, tuple(residents), news).write()
    database.commit()
    database.close()
    return file


class _Story:
    """What happens, step by step."""

    def __init__(
        self, database: sqlite3.Connection, stride: int, residents: tuple[str, ...], news: str
    ) -> None:
        self.database = database
        self.stride = stride
        self.ana, self.bo, self.cy = residents
        self.news = news

    def time(self, step: int) -> datetime:
        """Game time at which a step ends."""
        return START + timedelta(minutes=step * self.stride)

    def write(self) -> None:
        self.asleep()
        self.ana_walks()
        self.bo_and_cy_walk()
        self.talk()

    def asleep(self) -> None:
        self.step(0)
        for who, bed in zip((self.ana, self.bo, self.cy), BEDS, strict=True):
            self.put(0, keys.BODY.of(who), Body(bed, using=f"home/{who}/bed"))
            self.put(
                0,
                keys.ACTION.of(who),
                Action("sleep", "sleeping", f"home/{who}/bed", 60, "💤", "occupied", START),
            )
            self.put(0, keys.MIND.of(who), MindState(f"{who} is new in town", planned=START.date()))
            self.put(0, keys.SCHEDULE.of(who), _day(START.date()))
            self.put(0, keys.THING.of(f"home/{who}/bed"), ThingState((who,), "occupied"))
        self.memory(
            0,
            self.ana,
            Concept(
                1,
                "thought",
                self.news,
                self.ana,
                "holds",
                "tasting",
                "",
                8,
                START,
                START + timedelta(days=30),
            ),
        )

    def ana_walks(self) -> None:
        self.step(1)
        action = Action(
            "act", "opening the café", COUNTER, 30, "☕", "being wiped", self.after(1, 20)
        )
        self.arrive(1, self.ana, action, 0, _line(BEDS[0], 20))

    def bo_and_cy_walk(self) -> None:
        self.step(2)
        self.arrive(
            2,
            self.bo,
            Action("act", "having breakfast", SEAT, 40, "🥐", "taken", self.after(2, 30)),
            0,
            _line(BEDS[1], 30),
        )
        way = _line(BEDS[2], 90)
        first = 6 * self.stride
        self.walk(2, self.cy, 0, way[:first])
        self.put(2, keys.BODY.of(self.cy), Body(way[min(first, len(way)) - 1], tuple(way[first:])))
        self.put(
            2, keys.ACTION.of(self.cy), Action("act", "feeding the ducks", BENCH, 60, "🦆", "taken")
        )
        self.put(2, keys.THING.of(f"home/{self.cy}/bed"), None)

    def talk(self) -> None:
        self.step(3)
        rest = _line(BEDS[2], 90)[6 * self.stride :]
        action = Action(
            "act", "feeding the ducks", BENCH, 60, "🦆", "taken", self.after(3, len(rest))
        )
        self.arrive(3, self.cy, action, 0, rest)
        begun = self.time(2)
        talk = Conversation(
            f"3-{self.ana}",
            3,
            self.ana,
            self.bo,
            "cafe/main",
            begun,
            3,
            (
                Line(self.ana, "Good morning! Up early today?", "call:utterance#0"),
                Line(self.bo, "The smell of coffee got me. *What* is new?", "call:utterance#0"),
                Line(
                    self.ana, "I'll hold a tasting on Friday at six. <Do> come!", "call:utterance#1"
                ),
            ),
            "Ana told Bo about the tasting on Friday.",
            "word",
        )
        self.conversation(talk)
        for who, other in ((self.ana, self.bo), (self.bo, self.ana)):
            self.put(3, keys.TALKING.of(who), Talking(talk.id, other, begun + timedelta(minutes=3)))
        self.remember_talk(talk, begun + timedelta(minutes=3))

    def remember_talk(self, talk: Conversation, when: datetime) -> None:
        chat = Concept(
            2,
            "chat",
            talk.summary,
            self.ana,
            "talked with",
            self.bo,
            talk.address,
            6,
            when,
            when + timedelta(days=30),
            (),
            talk.id,
            (self.bo,),
        )
        self.memory(3, self.ana, chat)
        self.memory(
            3, self.bo, replace(chat, id=1, subject=self.bo, object=self.ana, about=(self.ana,))
        )
        self.memory(
            3,
            self.bo,
            replace(
                chat,
                id=2,
                type="event",
                text=self.news,
                subject=self.ana,
                predicate="holds",
                object="tasting",
                about=(self.ana,),
            ),
        )
        insight = Concept(
            3,
            "thought",
            "Ana looks forward to Friday",
            self.ana,
            "looks forward to",
            "Friday",
            "",
            7,
            when,
            when + timedelta(days=30),
            (1, 2),
        )
        self.memory(3, self.ana, insight)
        self.memory(
            3,
            self.ana,
            replace(insight, id=4, text="Ana likes to bring people together", evidence=(3,)),
        )

    # rows of the tables -------------------------------------------------------------------

    def after(self, step: int, tiles: int) -> datetime:
        """The moment in `step` at which `tiles` have been walked."""
        return self.time(step - 1) + timedelta(seconds=TICK_SECONDS * tiles)

    def arrive(self, step: int, who: str, action: Action, tick: int, tiles: list[Tile]) -> None:
        self.walk(step, who, tick, tiles)
        last = tiles[-1] if tiles else _line(BEDS[2], 90)[-1]
        self.put(step, keys.BODY.of(who), Body(last, using=action.address))
        self.put(step, keys.ACTION.of(who), action)
        self.put(step, keys.THING.of(action.address), ThingState((who,), action.thing_state))
        if step < 3:
            self.put(step, keys.THING.of(f"home/{who}/bed"), None)

    def walk(self, step: int, who: str, tick: int, tiles: list[Tile]) -> None:
        assert tick + len(tiles) <= TICKS_PER_MINUTE * self.stride or step == 2, (
            "the way doesn't fit into the step"
        )
        path = b"".join(
            struct.pack("<HHH", tick + at, *tile)
            for at, tile in enumerate(tiles[: TICKS_PER_MINUTE * self.stride])
        )
        if path:
            self.database.execute("INSERT INTO trajectories VALUES (?, ?, ?)", (step, who, path))

    def step(self, step: int) -> None:
        self.database.execute(
            "INSERT INTO steps VALUES (?, ?, ?, ?)",
            (step, self.time(step).isoformat(), f"{step:064x}", b"{}"),
        )
        self.put(step, keys.CLOCK.key, Clock(self.time(step), step))

    def put(self, step: int, key: str, row: Row | None) -> None:
        value = None if row is None else _json(row)
        self.database.execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?)", (key, step, value))

    def memory(self, step: int, who: str, one: Concept) -> None:
        lists = (_json(list(one.evidence)).decode(), one.talk, _json(list(one.about)).decode())
        row = (
            who,
            one.id,
            step,
            one.type,
            one.text,
            one.subject,
            one.predicate,
            one.object,
            one.address,
            one.poignancy,
        )
        self._insert(
            "memories", (*row, one.created.isoformat(), one.expires.isoformat(), *lists, b"")
        )

    def conversation(self, talk: Conversation) -> None:
        row = (
            talk.id,
            talk.step,
            talk.opener,
            talk.partner,
            talk.address,
            talk.started.isoformat(),
            talk.minutes,
        )
        self._insert(
            "conversations", (*row, _json(list(talk.lines)), talk.summary, talk.ended_by, None)
        )

    def _insert(self, table: str, row: Iterable[Any]) -> None:
        values = tuple(row)
        self.database.execute(
            f"INSERT INTO {table} VALUES ({', '.join('?' * len(values))})", values
        )


def _day(day: date) -> Schedule:
    return Schedule(
        day,
        (
            Entry(0, 360, "sleeping", "sleep"),
            Entry(360, 1320, "spending the day"),
            Entry(1320, DAY, "sleeping", "sleep"),
        ),
    )


def _line(start: Tile, length: int) -> list[Tile]:
    """The `length` tiles right of a tile."""
    column, row = start
    return [(column + at, row) for at in range(1, length + 1)]


def _json(value: Any) -> bytes:
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
