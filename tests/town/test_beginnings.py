"""Runs that begin in mid-day, and casts that are part of a town."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

import pytest

from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.text import contains_name
from hometown.world.beginnings import begin_day, day_so_far, describe_day_so_far
from hometown.world.clones import populate
from hometown.world.load import load_world
from hometown.world.resident_names import find_absent_company, resident_names
from hometown.world.state import State
from hometown.world.world import arena_of
from tests.support.town import live, minitown, opened

AFTERNOON = datetime(2025, 2, 13, 16, 0)


@pytest.mark.parametrize("lang", LANGS)
def test_in_mid_day_residents_are_awake_at_their_habits_and_plan_from_now_on(
    tmp_path: Path, lang: Lang
) -> None:
    world = minitown(lang)
    present = {
        who: next(habit for habit in day_so_far(persona, AFTERNOON) if habit.end > 16 * 60)
        for who, persona in world.personas.items()
        if any(habit.end > 16 * 60 for habit in day_so_far(persona, AFTERNOON))
    }
    assert len(present) >= 3
    plans: dict[str, str] = {}

    def check(game: Game) -> None:
        for who in world.personas:
            state = game.state
            assert not state.is_asleep(who)
            entries = state.schedule(who).entries
            assert {entry.start for entry in entries} >= {0, 16 * 60}
            plans[who] = next(
                memory.text
                for memory in state.memory(who).recent(("plan",), 9)
                if memory.predicate == "plan"
            )

    live(tmp_path, 1, world=world, start=AFTERNOON, after_each=check)
    with opened(tmp_path) as run:
        kinds = {call.kind for call in run.calls(1)}
        state = run.restore(0)
    assert "wake_up" not in kinds
    assert "schedule_daily" in kinds
    for who, habit in present.items():
        action = state.action(who)
        assert (action.activity, arena_of(action.address)) == (
            habit.activity,
            arena_of(habit.place),
        )
        assert world.maze.arena_at(state.body(who).tile) == arena_of(habit.place)
        events = state.memory(who).recent(("event",), 9)
        told = [event.text for event in events if event.predicate == "day so far"]
        assert len(told) == 1
        assert habit.activity in told[0]
        assert "07:" not in plans[who]


@pytest.mark.parametrize("name", ["minitown", "ville", "cloudvale", "farmstead"])
def test_in_mid_day_every_town_is_up(name: str) -> None:
    world = load_world(name, "en")
    state = State({}, {}, lambda text: pytest.fail(text))
    actions = {who: begin_day(world, state, who, AFTERNOON)[0] for who in world.personas}
    assert {action.kind for action in actions.values()} == {"act"}


def test_at_night_and_at_the_usual_time_to_get_up_residents_are_in_bed(tmp_path: Path) -> None:
    def check(game: Game) -> None:
        assert all(game.state.action(who).kind == "sleep" for who in game.world.personas)

    live(tmp_path, 1, start=datetime(2025, 2, 13, 3, 0), after_each=check)


@pytest.mark.parametrize("name", ["minitown", "ville", "cloudvale", "farmstead"])
@pytest.mark.parametrize("lang", LANGS)
def test_no_raw_id_reaches_a_prompt_where_acquaintances_are_missing(
    tmp_path: Path, name: str, lang: Lang
) -> None:
    whole = load_world(name, lang)
    cast = [who for who in whole.personas if whole.personas[who].relations][:2]
    world = populate(whole, cast)
    others = [who for who in whole.personas if "_" in who and who not in cast]
    raw = re.compile("|".join(map(re.escape, [*others, *cast])) + "|None|Undefined")
    live(tmp_path, 20, world=world, start=AFTERNOON.replace(day=world.start.day))
    absent = {text for persona in world.personas.values() for text in persona.absent}
    assert absent
    texts, kinds = [], set()
    with opened(tmp_path) as run:
        for step in range(1, run.last.step + 1):
            for call in run.calls(step):
                kinds.add(call.kind)
                texts += [message.content for message in call.messages]
    assert texts
    assert not [found[0] for text in texts if (found := raw.search(text))]
    assert "wake_up" not in kinds
    gone = [name for name, who in resident_names(whole).items() if who not in cast]
    for persona in world.personas.values():
        for habit in persona.habits:
            assert not find_absent_company(whole, habit.activity, cast.__contains__)
            assert not any(contains_name(name, task) for name in gone for task in habit.tasks)
    assert any(one in text for text in texts for one in absent)


def test_who_keeps_a_house_that_one_knows_is_known_to_be_out_of_town() -> None:
    """Also without a relation, as the miller to the farmhand; a relative in law is no other one."""
    world = populate(load_world("farmstead", "en"), ["ada", "dirk"])
    assert "Finn Marlow" in world.personas["dirk"].absent
    assert "Edda Thorne (mother-in-law)" in world.personas["ada"].absent


@pytest.mark.parametrize(
    ("lang", "term", "habit"),
    [("en", "grandfather", "having lunch"), ("zh", "爷爷", "吃午饭")],
)
def test_a_relative_out_of_town_is_no_part_of_the_day(lang: Lang, term: str, habit: str) -> None:
    """Relatives are called by the term of kinship: they did not lunch here today, and nobody plans
    around them.
    """
    whole = load_world("minitown", lang)
    assert any(term in each.activity for each in whole.personas["xiao_mei"].habits)
    world = populate(whole, ["xiao_mei", "lin_yue"])
    mei = world.personas["xiao_mei"]
    assert any(term in name for name in mei.absent), "the prompts say who they are"
    assert habit in [each.activity for each in mei.habits]
    words = [mei.daily_plan, *(each.activity for each in mei.habits)]
    words += [task for each in mei.habits for task in each.tasks]
    assert not [text for text in words if term in text]
    assert term not in describe_day_so_far(world, "xiao_mei", AFTERNOON)
