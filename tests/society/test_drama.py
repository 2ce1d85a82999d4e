"""Threads of stories: what plants them, moves them on and ends them; what is let happen for them;
what their file may get wrong.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import cache
from typing import Any

from hometown.history.foreshadowing import describe_cause
from hometown.memory.action import Action
from hometown.paths import WORLDS
from hometown.society.drama import Drama
from hometown.society.errands import FAILED
from hometown.society.jobs import MISHAPS
from hometown.society.rule_life import mindless_state
from hometown.society.sifting import derive_facts
from hometown.society.society_view import SocietyView
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.book.plot_references import check_threads
from hometown.world.book.plots import ThreadPart
from hometown.world.director_moves import DirectorAsked, DirectorMove
from hometown.world.effects import Began, Effect, TimePassed
from hometown.world.faults import Faults
from hometown.world.incidents import HappeningBegan
from hometown.world.labour import CameOf, Errand, Outcome, Verb
from hometown.world.load import load_world
from hometown.world.rows import Body
from hometown.world.state import State
from hometown.world.threads import OmenCame, ThreadMoved
from hometown.world.world import World


@cache
def vale() -> World:
    return load_world("cloudvale", "en")


class Town:
    """Cloud Vale's people, who do nothing but what a test says. Tie Niu sits in the cave, the
    others sleep at home.
    """

    def __init__(self, **threads: Any) -> None:
        world = vale()
        assert world.book is not None
        raw = json.loads((WORLDS / "cloudvale" / "society" / "threads.json").read_text("utf-8"))
        plots = {
            name: ThreadPart.model_validate(raw["breakthrough"] | changes)
            for name, changes in threads.items()
        }
        self.world = replace(world, book=replace(world.book, threads=plots))
        self.state: State = mindless_state(world.start.replace(hour=9))
        for who, persona in world.personas.items():
            there = "cave/main" if who == "tie_niu" else persona.home
            self.state.put(keys.BODY.of(who), Body(world.open_tiles[there][0]))
            apply(
                Began(
                    who, Action("act", "sitting", there, 60, "", started=self.state.clock.now), ()
                ),
                self.state,
            )

    def step(self, *effects: Effect, hours: float = 0) -> list[Effect]:
        """So much later, these effects have happened; gives what the drama rule makes of them."""
        apply(
            TimePassed(self.state.clock.now + timedelta(hours=hours), self.state.clock.step + 1),
            self.state,
        )
        book = self.world.book
        assert book is not None
        made = []
        for effect in Drama(self.world, SocietyView(book, self.state, self.world.start), effects):
            apply(effect, self.state)
            made.append(effect)
        return made

    def stages(self) -> list[tuple[str, str]]:
        return [(dict(thread.cast)["a"], thread.stage) for thread in self.state.threads.items]


def came(who: str, recipe: str, code: str = "") -> CameOf:
    return CameOf(who, Outcome(Errand(Verb.DO, "cave/main/mat", recipe), code))


def moved(effects: Sequence[Effect]) -> list[str]:
    return [effect.thread.stage for effect in effects if isinstance(effect, ThreadMoved)]


def test_a_thread_is_planted_becomes_active_and_is_paid_off_by_the_same_person() -> None:
    town = Town(breakthrough={})
    assert moved(town.step(came("tie_niu", "break_through", FAILED))) == ["planted"]
    assert moved(town.step(came("tie_niu", "break_through", FAILED))) == [], "it is open already"
    town.step(came("tie_niu", "meditate"))
    assert town.stages() == [("tie_niu", "planted")], "once is not twice"
    assert moved(town.step(came("zhao_ming", "meditate"))) == [], "somebody else's"
    town.step(came("tie_niu", "meditate"))
    assert town.stages() == [("tie_niu", "active")]
    town.step(came("zhao_ming", "break_through", FAILED))
    assert town.stages() == [("tie_niu", "active"), ("zhao_ming", "planted")]
    (paid,) = town.step(came("tie_niu", "break_through"))
    assert isinstance(paid, ThreadMoved)
    assert (paid.thread.stage, paid.thread.because.event, paid.thread.number) == (
        "paid_off",
        "did",
        1,
    )
    assert town.stages() == [("zhao_ming", "planted")]


def test_a_mishap_during_work_is_no_event_of_a_story() -> None:
    world = vale()
    assert world.book
    codes = (FAILED, "LACKS", *MISHAPS)
    facts = [
        [fact.event for fact in derive_facts(world, world.book, came("mo_li", "meditate", code))]
        for code in codes
    ]
    assert facts == [["failed"], ["refused"], [], []]


def test_what_nothing_moves_is_dropped_and_what_is_told_once_does_not_come_again() -> None:
    town = Town(breakthrough={"once": True})
    town.step(came("tie_niu", "break_through", FAILED))
    assert moved(town.step(hours=24 * 7.9)) == []
    assert moved(town.step(hours=24 * 0.2)) == ["dropped"]
    assert town.stages() == []
    assert moved(town.step(came("zhao_ming", "break_through", FAILED))) == []


def test_something_happens_for_a_thread_where_it_is_seen_and_once_a_day() -> None:
    town = Town(
        one={},
        other={
            "active": json.loads((WORLDS / "cloudvale/society/threads.json").read_text("utf-8"))[
                "breakthrough"
            ]["active"]
        },
    )
    for effect in [came("tie_niu", "break_through", FAILED), *[came("tie_niu", "meditate")] * 2]:
        town.step(effect)
    assert town.stages() == [("tie_niu", "active")]
    town.step(came("zhao_ming", "break_through", FAILED))
    for _ in range(2):
        town.step(came("zhao_ming", "meditate"))
    assert not any(isinstance(effect, OmenCame) for effect in town.step(hours=9)), (
        "it has not rested long enough"
    )
    rows = {
        key: row
        for key, row in town.state.rows.items()
        if not key.startswith(("threads/", "happenings/", "clock/"))
    }
    happening, omen = town.step(hours=1.5)
    assert isinstance(happening, HappeningBegan)
    assert (happening.happening.address, isinstance(omen, OmenCame)) == ("cave/main", True)
    assert rows == {
        key: row
        for key, row in town.state.rows.items()
        if not key.startswith(("threads/", "happenings/", "clock/"))
    }, "no mind is written to"
    assert town.step(hours=0.1) == [], "one a day"
    town.state.put(keys.BODY.of("tie_niu"), town.state.body("a_fu"))
    assert town.step(hours=24) == [], "nobody is there"
    town.state.put(keys.BODY.of("tie_niu"), Body(town.world.open_tiles["cave/main"][0]))
    assert [type(effect) for effect in town.step(hours=0.1)] == [HappeningBegan, OmenCame], (
        "for the other one"
    )


def test_mistakes_are_told_in_a_line_each() -> None:
    wrong: dict[str, Any] = {
        "planted": {
            "when": [{"event": "failed", "who": "$a", "what": "breakthrough"}],
            "tells": {"en": "{a} and {b}", "zh": "{a}"},
        },
        "active": {
            "when": [{"event": "talked", "who": "$a", "other": "tie_nu", "what": "veins"}],
            "tells": {"en": "so", "zh": "了"},
            "omen": {"at": "cave/mane", "text": {"en": "so", "zh": "了"}},
        },
    }
    world = Town(breakthrough=wrong).world
    faults = Faults("cloudvale")
    assert world.book is not None
    check_threads(
        world.book,
        {**world.things, **world.arenas},
        [story.id for story in world.storylines],
        faults,
    )
    lines = [str(line) for line in faults.lines]
    assert len(lines) == 5
    for named in ("breakthrough", "'b'", "tie_nu", "veins", "cave/mane"):
        assert any(named in line for line in lines), named
    assert not any("{" in line for line in lines)


def test_a_letter_of_the_director_plants_a_thread() -> None:
    book = vale().book
    assert book
    town = Town(letter=book.threads["letter"].model_dump())
    asked = DirectorMove("letter", "tie_niu", "Come home. Mother", "", town.state.clock.now)
    assert moved(town.step(DirectorAsked(town.state.clock.now))) == [], "it may plant nothing"
    occasion = replace(asked, kind="occasion", target="cave/main")
    assert moved(town.step(DirectorAsked(town.state.clock.now, occasion))) == []
    (planted,) = town.step(DirectorAsked(town.state.clock.now, asked))
    assert isinstance(planted, ThreadMoved)
    assert (town.stages(), planted.thread.plot) == ([("tie_niu", "planted")], "letter")
    assert describe_cause(town.world, planted.thread.because) == "Tie Niu was sent a letter"
