"""`spread.json`: who learnt of what from whom, and who came."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.export.write import export_run
from hometown.history import spread
from hometown.history.channels import LearningEvent, find_channels
from hometown.history.entities import OwnedMemory
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import (
    Attendance,
    GuestVisit,
    Learning,
    density,
    knowers,
    measure_attendance,
    visits,
)
from hometown.history.topics import describe_spread as spread_of
from hometown.memory.concept import Concept
from hometown.paths import WORLDS
from hometown.web.server import create_app
from hometown.world.conversation import Company, Conversation, Line, Presence
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.occasion import Guest, Occasion
from hometown.world.world import Gathering, Storyline
from tests.support.days import STEPS, lived_day, set_out
from tests.support.synthetic_run import START, make_run
from tests.support.town import MORNING, live, opened


def test_each_link_of_the_chain_is_a_talk_with_somebody_who_knew(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    set_out(lived_day(tmp_path_factory, seed=2), tmp_path, STEPS)
    export_run(tmp_path, "town")
    report = json.loads((tmp_path / "compressed" / "town" / "spread.json").read_text("utf-8"))
    assert [story["id"] for story in report["storylines"]] == [
        "reading_circle",
        "layoffs",
        "song_night",
    ]
    links = 0
    for story in report["storylines"]:
        known: set[str] = set()
        for one in story["learned"]:
            if one["step"]:
                assert one["from"] in known
                assert any(word.casefold() in one["text"].casefold() for word in story["keywords"])
                links += 1
            known.add(one["who"])
        assert story["share"] == {"start": round(1 / 6, 3), "end": round(len(known) / 6, 3)}
    assert links >= 3
    assert 0 < report["network"]["start"] <= report["network"]["end"] <= 1


def test_who_was_at_a_gathering_and_for_how_long(tmp_path: Path) -> None:
    live(tmp_path, 3)
    with RunReader.open(tmp_path, "town") as run:
        at_home = Gathering("chen_home/bedroom", MORNING, MORNING + timedelta(minutes=30))
        assert [(one.who, one.minutes) for one in visits(run, at_home, 3)] == [("chen_siyuan", 30)]
        assert (
            visits(
                run,
                replace(
                    at_home,
                    start=MORNING + timedelta(days=3),
                    end=MORNING + timedelta(days=3, hours=1),
                ),
                3,
            )
            == []
        )
        nobody_knows = Storyline("none", "None", ("a word that nobody says",))
        assert knowers(run, nobody_knows, 3) == []
        assert Names.of(run).world is not None


PARTY = Gathering("cafe/main", MORNING + timedelta(hours=4), MORNING + timedelta(hours=6))
STORY = Storyline("party", "The party", ("party",), PARTY)


def at(minutes: int) -> datetime:
    """So many minutes after the party's beginning."""
    return PARTY.start + timedelta(minutes=minutes)


def learned(who: str, when: datetime) -> Learning:
    return Learning(
        OwnedMemory(who, 1, Concept(1, "event", "a party", who, "", "", "", 5, when, when))
    )


class Town:
    """A run as `attendance` reads it, up to a moment, of residents who are at the place from one
    minute of the party to another.
    """

    def __init__(self, now: datetime, **present: tuple[int, int]) -> None:
        self.now, self.present = now, present
        self.residents = ["ana", "bo", "cy", "dan", "eva", "fay", "gus", "hal"]

    def moment(self, last: int) -> datetime:
        return self.now

    def row(self, key: str, last: int) -> Occasion:
        """The occasion, to which all but Hal came for its sake."""
        came = (Guest(who, PARTY.start, came=PARTY.start) for who in self.residents if who != "hal")
        return Occasion("The party", PARTY.place, PARTY.start, 120, tuple(came), "party")


def attended(monkeypatch: pytest.MonkeyPatch, town: Town, known: dict[str, datetime]) -> Attendance:
    visits = [
        GuestVisit(who, at(first), last - first) for who, (first, last) in town.present.items()
    ]
    monkeypatch.setattr(spread, "visits", lambda run, gathering, last: visits)
    host = SimpleNamespace(seeds=(SimpleNamespace(storyline="party"),))
    names = SimpleNamespace(persona=lambda who: host if who == "ana" else SimpleNamespace(seeds=()))
    told = [learned(who, when) for who, when in known.items()]
    return measure_attendance(town, names, STORY, PARTY, told, 99)  # type: ignore[arg-type]


KNOWN = {
    "ana": at(-600),
    "bo": at(-300),
    "cy": at(-200),
    "dan": at(31),
    "eva": at(-100),
    "gus": at(500),
    "hal": at(-90),
}


def test_guests_knew_before_they_came_and_stayed_ten_minutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """ana is the host, bo a guest; cy looks in, dan learns of it there, fay never does, eva stays
    away, gus learns of it when it is over, and hal, who has heard of it, is there for his coffee.
    """
    town = Town(
        at(600), ana=(0, 120), bo=(5, 15), cy=(5, 14), dan=(30, 90), fay=(10, 60), hal=(0, 90)
    )
    people = attended(monkeypatch, town, KNOWN)
    assert people.state == "over"
    assert people.hosts == ["ana"]
    assert people.knew == ["bo", "cy", "dan", "eva", "hal"]
    assert [visit.who for visit in people.came] == ["bo"]
    assert [visit.who for visit in people.chanced_by] == ["cy", "dan", "fay", "hal"]
    assert people.stayed_away == ["eva"]


@pytest.mark.parametrize(
    ("minutes", "state"), [(-5, "to come"), (0, "to come"), (60, "under way"), (120, "over")]
)
def test_nobody_has_stayed_away_before_it_is_over(
    monkeypatch: pytest.MonkeyPatch, minutes: int, state: str
) -> None:
    people = attended(monkeypatch, Town(at(minutes)), KNOWN)
    assert people.state == state
    assert bool(people.stayed_away) == (state == "over")


def test_who_is_out_of_town_is_at_no_gathering(tmp_path: Path) -> None:
    live(tmp_path, 1)
    with opened(tmp_path) as town:
        town.ask([Intervention("leave", "chen_siyuan")])
    live(tmp_path, 8)
    with RunReader.open(tmp_path, "town") as run:
        hour = MORNING + timedelta(hours=1)
        at_home = Gathering("chen_home/bedroom", hour, hour + timedelta(minutes=20))
        assert visits(run, at_home, run.last_step()) == []


def test_whoever_is_on_the_way_there_is_not_there(tmp_path: Path) -> None:
    make_run(tmp_path)
    with RunReader.open(tmp_path, "sample") as run:
        park = Gathering("park/park", START, START + timedelta(hours=1))
        assert [(visit.who, visit.arrived) for visit in visits(run, park, 3)] == [
            ("cy", START + timedelta(minutes=25))
        ]
        assert visits(run, park, 2) == []


def test_the_page_and_the_file_tell_the_same_of_a_gathering(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "festive"))
    definition = json.loads((folder / "world.json").read_text("utf-8"))
    definition["storylines"][0]["gathering"] = {
        "place": "cafe/main",
        "start": "20250213-09:00",
        "end": "20250213-19:00",
    }
    (folder / "world.json").write_text(json.dumps(definition), "utf-8")
    live(tmp_path, 32, world=load_world(folder, "en"), start=MORNING, stride=30, seed=2)
    export_run(tmp_path, "town")
    stories = json.loads((tmp_path / "compressed" / "town" / "spread.json").read_text("utf-8"))[
        "storylines"
    ]
    client = create_app(tmp_path, WORLDS).test_client()
    gatherings = 0
    for story in stories:
        answer = client.get(f"/api/v1/runs/town/spread/story/{story['id']}").get_json()
        assert ("gathering" in answer) == ("gathering" in story)
        if "gathering" in story:
            file, page = story["gathering"], answer["gathering"]
            assert page["hosts"] == file["hosts"] != []
            for kind in ("came", "chanced_by"):
                assert [(one["who"], one["minutes"]) for one in page[kind]] == [
                    (one["who"], one["minutes"]) for one in file[kind]
                ]
                assert not {one["who"] for one in file[kind]} & set(file["hosts"])
            gatherings += bool(file["came"] or file["chanced_by"])
    assert gatherings == 1


def test_density_counts_pairs() -> None:
    assert density(0, 1) == 0.0
    assert density(3, 3) == 1.0
    assert round(density(50, 25), 3) == 0.167


def test_of_three_whoever_speaks_of_it_first_has_told_it_before_plans_change() -> None:
    talk = Company(
        "1-1",
        1,
        "ana",
        "bo",
        "cafe/main",
        at(0),
        3,
        (Line("bo", "Hello."), Line("cy", "There is a party."), Line("bo", "A party?")),
        "They talked.",
        "word",
        company=(Presence("ana", 0, 3), Presence("bo", 0, 3), Presence("cy", 1, 3)),
    )
    memory = OwnedMemory(
        "ana",
        1,
        Concept(
            1,
            "chat",
            "They talked of a party.",
            "ana",
            "talk",
            "bo",
            "",
            5,
            at(3),
            at(3),
            talk="1-1",
            about=("bo", "cy"),
        ),
    )
    changed = replace(
        memory.concept, type="event", text="No time left because of a party.", talk=""
    )
    inferred = OwnedMemory("ana", 1, changed)  # entered first
    run = SimpleNamespace(
        manifest=SimpleNamespace(lang="en"),
        memories=lambda first, last: [inferred, memory],
        conversation=lambda number: talk,
    )
    assert [one.teller for one in knowers(cast(RunReader, run), STORY, 3)] == ["cy"]
    told = LearningEvent(memory, "told", "cy")
    assert find_channels(cast(RunReader, run), [STORY], 3) == [[told]]


SEED = "Ann Lee gives a party on Friday at 15:00, with five cakes."


def changes(told: str) -> list[str]:
    """What is marked as changed in what Bo Kim remembers of a talk with Ann Lee, who knows `SEED`."""
    talk = Conversation(
        "1-1", 1, "ann", "bo", "cafe/main", at(0), 3, (Line("ann", told),), told, "word"
    )
    memories = [
        OwnedMemory("ann", 0, Concept(1, "thought", SEED, "ann", "", "", "", 5, at(0), at(0))),
        OwnedMemory(
            "bo",
            1,
            Concept(
                1,
                "chat",
                told,
                "bo",
                "talk",
                "ann",
                "",
                5,
                at(3),
                at(3),
                talk="1-1",
                about=("ann",),
            ),
        ),
    ]
    run = SimpleNamespace(
        residents=["ann", "bo", "cy"],
        manifest=SimpleNamespace(lang="en", start=MORNING, stride=10),
        memories=lambda first, last: memories,
        conversation=lambda number: talk if number else None,
        last_step=lambda: 1,
        tick=lambda moment: 0,
        begin=lambda step: 0,
    )
    names = SimpleNamespace(person={"ann": "Ann Lee", "bo": "Bo Kim", "cy": "Cy Wu"}.get)
    learned = spread_of(
        cast(RunReader, run), cast(Names, names), Storyline("party", "The party", ("party",))
    )["learned"]
    assert learned[1]["strayed"] == learned[1]["changed"], "what the first teller knew is the root"
    return list(learned[1]["changed"])


@pytest.mark.parametrize(
    ("told", "changed"),
    [
        (
            "Ann Lee and Bo Kim met at 09:00. Ann Lee told Bo Kim of a party on Friday at three o'clock. They agreed on a walk with Cy Wu at 14:00.",
            [],
        ),
        ("Bo Kim overheard Ann Lee say: “My two cats are well. I give a party on Friday.”", []),
        ("Ann Lee told Bo Kim that Ann Lee gives a party on Friday at 16:00.", ["16:00"]),
        (
            "Ann Lee told Bo Kim that there is a party on Friday, with seven cakes. Cy Wu is ill.",
            ["seven"],
        ),
        ("Ann Lee told Bo Kim that Cy Wu gives a party on Friday.", ["Cy Wu"]),
    ],
)
def test_only_a_change_of_the_news_is_marked(told: str, changed: list[str]) -> None:
    """Neither who speaks nor what else was said and agreed on."""
    assert changes(told) == changed
