"""Moods and feelings: what is worked out when it is read is the same whenever it is read, and what
stirs whom follows from what happened.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.agent.mind.appraisal import BOND_STIMULI, MEMORY_STIMULI
from hometown.agent.mind.mood import (
    SIXTIETHS,
    Stimulus,
    adjust_minutes,
    apply_stimulus,
    current_feelings,
    current_mood,
    current_strength,
)
from hometown.language import LANGS
from hometown.society.jobs import begin_work
from hometown.society.minds.outcome_appraisal import appraise_outcome
from hometown.society.rule_life import RuleLife, mindless_state
from hometown.society.work_step import view_society
from hometown.text import catalogue
from hometown.world.book.hearts import Hearts
from hometown.world.feeling import STIRS, Feel, Felt, Stir
from hometown.world.labour import Errand, Outcome, Verb, WorkBegun
from hometown.world.load import load_world
from tests.support.town import minitown

NOON = datetime(2025, 2, 13, 12)
HEARTS: Hearts = minitown().hearts
EVEN = (0, 0, 0)


def after(*stirs: Stir, towards: str = "tom", feel: Feel | None = None) -> Feel:
    for each in stirs:
        feel = apply_stimulus(HEARTS, EVEN, feel, Stimulus("ann", each, towards), NOON) or feel
    assert feel is not None
    return feel


def kinds(feel: Feel, hours: float = 0) -> list[tuple[str, str]]:
    return [
        (feeling.kind, feeling.towards)
        for feeling, _ in current_feelings(HEARTS, feel, NOON + timedelta(hours=hours))
    ]


@given(
    temperament=st.tuples(*[st.integers(-100, 100)] * 3),
    begun=st.tuples(*[st.integers(-100 * SIXTIETHS, 100 * SIXTIETHS)] * 3),
    spans=st.lists(st.integers(0, 900), max_size=5),
)
@settings(max_examples=60)
def test_reading_a_mood_in_between_changes_nothing(
    temperament: tuple[int, int, int], begun: tuple[int, int, int], spans: list[int]
) -> None:
    now, read = NOON, Feel(begun, NOON)
    for minutes in spans:
        now += timedelta(minutes=minutes)
        settled = current_mood(temperament, read, now)
        assert all(
            min(base, was) <= level <= max(base, was)
            for base, was, level in zip(
                temperament, current_mood(temperament, read, read.since), settled, strict=True
            )
        )
    assert current_mood(temperament, read, now) == current_mood(temperament, Feel(begun, NOON), now)
    assert current_mood(temperament, read, NOON + timedelta(days=3)) == temperament


def test_a_quarrel_makes_angry_and_upset_with_the_other_and_wears_off() -> None:
    feel = after("quarrelled")
    assert kinds(feel) == [("anger", "tom"), ("distress", "tom")]
    pleasure, arousal, _ = current_mood(EVEN, feel, NOON)
    assert pleasure < -40
    assert arousal > 0
    assert current_mood(EVEN, feel, NOON + timedelta(hours=4))[0] == pleasure + 16
    assert kinds(feel, hours=15) == [("anger", "tom")]
    assert kinds(feel, hours=18) == []


def test_making_up_ends_what_was_felt_towards_that_one_only() -> None:
    feel = after("made_up", feel=after("quarrelled", towards="sam", feel=after("quarrelled")))
    assert set(kinds(feel)) == {
        ("anger", "sam"),
        ("distress", "sam"),
        ("joy", "tom"),
        ("gratitude", "tom"),
    }


def test_the_same_again_stirs_less_and_nothing_without_end() -> None:
    once, feel = after("quarrelled"), after("quarrelled")
    for _ in range(30):
        feel = after("quarrelled", feel=feel)
    assert {feeling.kind: points for feeling, points in current_feelings(HEARTS, feel, NOON)} == {
        "anger": 1000,
        "distress": 1000,
    }
    assert current_mood(EVEN, once, NOON)[0] > current_mood(EVEN, feel, NOON)[0] >= -100
    twice = after("quarrelled", feel=once)
    assert current_strength(HEARTS, twice.feelings[0], NOON) < 2 * current_strength(
        HEARTS, once.feelings[0], NOON
    )


def test_what_no_feeling_answers_to_stirs_nothing() -> None:
    assert apply_stimulus(Hearts(), EVEN, None, Stimulus("ann", "quarrelled", "tom"), NOON) is None


def test_work_takes_as_long_as_ever_in_an_even_mood() -> None:
    assert [adjust_minutes(100, pleasure) for pleasure in (-100, -50, 0, 50, 100)] == [
        115,
        108,
        100,
        93,
        85,
    ]


def test_character_draws_to_a_mood() -> None:
    sunny, gruff, unsaid = (
        HEARTS.temperament(innate, "en") for innate in ("playful, warm", "Gruff, bitter", "tall")
    )
    assert sunny[0] > 0 > gruff[0]
    assert unsaid == EVEN
    assert HEARTS.temperament("爱玩、热心", "zh")[0] > 0


@pytest.mark.parametrize("lang", LANGS)
def test_everything_that_stirs_is_answered_to_and_said(lang: str) -> None:
    assert {stirs for part in HEARTS.feelings.values() for stirs in part.when} == set(STIRS)
    assert {f"stir_{each}" for each in STIRS} <= catalogue(lang, "feelings").keys()
    assert {*BOND_STIMULI.values(), *MEMORY_STIMULI.values()} <= set(STIRS)


@pytest.mark.parametrize(
    ("recipe", "code", "felt"),
    [
        ("break_through", "FAILED", "distress"),
        ("break_through", "", "pride"),
        ("refine", "LACKS", "anger"),
        ("refine", "", None),
    ],
)
def test_what_comes_of_an_errand_is_felt(recipe: str, code: str, felt: str | None) -> None:
    town = load_world("cloudvale", "en")
    assert town.book is not None
    outcome = Outcome(Errand(Verb.DO, "cave/main/mat", recipe), code)
    stirred = list(appraise_outcome(town, mindless_state(town.start), "tie_niu", outcome, 1))
    feel = apply_stimulus(town.hearts, EVEN, None, stirred[0], NOON) if stirred else None
    assert (kinds(feel)[0][0] if feel else None) == felt


@pytest.mark.parametrize(("pleasure", "minutes"), [(None, 60), (100, 51), (-100, 69)])
def test_work_takes_as_long_as_the_mood_says(pleasure: int | None, minutes: int) -> None:
    town = load_world("farmstead", "en")
    assert town.book is not None
    life = RuleLife(town.book, town.start, 1, town.walk_minutes)
    if pleasure is not None:
        life.carry_out([Felt("finn", Feel((pleasure * SIXTIETHS, 0, 0), town.start))])
    society = view_society(town, life.state)
    deed = next(
        effect.deed
        for effect in begin_work(society, "finn", "mill", "mill/main/millstone")
        if isinstance(effect, WorkBegun)
    )
    assert deed.until - deed.since == timedelta(minutes=minutes)
