"""The few acts that are unlike what a resident usually does are surprising and call for a response."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from hometown.agent.acting.pressing_matters import find_pressing_matters
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.perception.surprise import SEEN_MIN, find_surprising
from hometown.memory.event import Event
from hometown.storage.run import RunFile
from hometown.text import catalogue
from tests.support.town import begin_town, game_on, minds_of

WHO, OTHER = "lin_yue", "chen_siyuan"
ODD = "juggling frogs by moonlight"


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    begin_town(tmp_path)
    with RunFile.open(tmp_path, "town", write=True) as run:
        yield minds_of(game_on(run), [WHO])[WHO]


def see(mind: Mind, activity: str, who: str = OTHER) -> Event:
    """Return the sight of a resident's act."""
    return Event(who, activity, "", mind.arena, mind.words.does(who, activity))


def remember(mind: Mind, acts: list[str], poignancy: int = 1, who: str = OTHER) -> None:
    """Give the resident memories of acts of another."""
    seen = [NewMemory("event", mind.words.does(who, act), who, act, "", mind.arena) for act in acts]
    asyncio.run(mind.remember(seen, [poignancy] * len(seen), "test"))


def remember_usual_acts(mind: Mind) -> None:
    """Give the resident memories of another who did usual things, in other words each time."""
    habits = [habit.activity for habit in mind.world.personas[OTHER].habits]
    remember(mind, [f"{habits[at % len(habits)]} ({at})" for at in range(2 * SEEN_MIN)])


def test_an_act_unlike_all_habits_is_surprising_and_a_usual_one_is_not(mind: Mind) -> None:
    remember_usual_acts(mind)
    usual, odd = see(mind, mind.world.personas[OTHER].habits[1].activity), see(mind, ODD)
    assert asyncio.run(find_surprising(mind, [usual, odd])) == [odd]
    hidden = see(mind, catalogue("en", "outside")["hidden_seen"])
    assert asyncio.run(find_surprising(mind, [hidden])) == [], "nothing is seen of it"
    own = see(mind, ODD, WHO)
    assert asyncio.run(find_surprising(mind, [own])) == [own], "own deeds, too"


def test_nothing_is_surprising_to_those_who_have_seen_little_or_it_before(mind: Mind) -> None:
    odd = see(mind, ODD)
    assert not asyncio.run(find_surprising(mind, [odd]))
    remember_usual_acts(mind)
    remember(mind, [ODD], 7)
    assert not asyncio.run(find_surprising(mind, [odd]))


def test_a_weighty_act_of_another_needs_a_response_and_ones_own_does_not(mind: Mind) -> None:
    for who in (OTHER, WHO):
        remember(mind, [ODD], 8, who)
    assert [one.memory.subject for one in find_pressing_matters(mind)] == [OTHER]
