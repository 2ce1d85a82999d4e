"""What people come together for is one thing in the state: who knows of it, who comes, and who is
waited for in vain.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path

import pytest

from hometown.agent.mind.phrasing import Words
from hometown.agent.planning.participation import AGREE_PREDICATE
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.storage.run import RunFile
from hometown.world.effects import Promised, Remembered, Rescheduled
from hometown.world.interventions import Intervention
from hometown.world.occasion import Guest, Occasion
from hometown.world.social import OccasionKnown, OccasionSet
from tests.support.days import lived_day, set_out
from tests.support.laws import laws
from tests.support.town import live, minitown, opened, state_of

FIVE = datetime(2025, 2, 14, 17)
MEETING_SEED = 3
"""A seed with which residents meet in the course of the day."""


def met(run: RunFile) -> list[tuple[Occasion, int]]:
    """The occasions of a run that are over, each with the first step that begins after it."""
    steps = {step: run.restore(step).clock.now for step in (0, len(run.digests()) - 1)}
    now = max(steps.values())
    keys = {
        key
        for (key,) in run.database.execute(
            "SELECT DISTINCT key FROM state WHERE key LIKE 'occasion/%'"
        )
    }
    found = [run.restore(max(steps)).row(key) for key in sorted(keys)]
    stride = run.manifest.stride
    return [
        (each, -(-round((each.end - run.manifest.start).total_seconds() / 60) // stride) + 1)
        for each in found
        if isinstance(each, Occasion) and each.end + timedelta(minutes=stride) <= now
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_who_waited_in_vain_remembers_it_and_who_stayed_away_as_well(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with opened(lived_day(tmp_path_factory, lang, MEETING_SEED)) as run:
        over = met(run)
        assert any(
            len([guest for guest in occasion.guests if guest.came]) > 1 for occasion, _ in over
        ), "nobody met: the test shows nothing"
        for occasion, step in over:
            state = run.restore(step)
            for guest in occasion.guests:
                kinds = {
                    memory.predicate
                    for memory in state.memory(guest.who).concepts.values()
                    if occasion.what in memory.text
                }
                assert (
                    guest.came
                    or guest.who not in occasion.expected
                    or state.is_asleep(guest.who)
                    or "stayed away" in kinds
                )
                assert not guest.came or "stayed away" not in kinds


@pytest.mark.parametrize("lang", LANGS)
def test_place_and_hour_of_an_occasion_are_the_same_in_promise_plan_and_memory(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with opened(lived_day(tmp_path_factory, lang)) as run:
        words, effects = Words(minitown(lang)), [logged.effect for _, logged in run.effects()]
        occasions = [each for each in effects if isinstance(each, OccasionSet)]
        joined = {(each.id, each.guest.who) for each in effects if isinstance(each, OccasionKnown)}
        promises = [
            (effect.who, promise)
            for effect in effects
            if isinstance(effect, Promised)
            for promise in effect.promises.items
        ]
        assert promises
        agreed = {  # with all, or with the one who joined later
            words.agreement(who, replace(promise, people=people))
            for _, promise in promises
            for who in promise.people
            for people in (promise.people, *((who, other) for other in promise.people))
        }
        for who, promise in promises:
            assert any(
                each.occasion.address == promise.address
                and each.occasion.start == promise.start
                and (who in each.occasion.expected or (each.id, who) in joined)
                for each in occasions
            )
        for effect in effects:
            if isinstance(effect, Remembered) and effect.concept.predicate == AGREE_PREDICATE:
                assert effect.concept.text in agreed
            elif isinstance(effect, Rescheduled):
                midnight = datetime.combine(effect.schedule.date, time())
                for entry in effect.schedule.entries:
                    if entry.kind != "appointment":
                        continue
                    start = midnight + timedelta(minutes=entry.start)
                    assert any(
                        effect.who in promise.people
                        and entry.address == promise.address
                        and promise.is_on(start)
                        for _, promise in promises
                    ), entry


def test_what_somebody_has_to_do_with_it_only_grows() -> None:
    party = Occasion("a party", "cafe/main", FIVE, 120, (Guest("ann", FIVE, part="gives"),))
    asked = party.along(Guest("bob", FIVE, "ann", "asked")).along(Guest("bob", FIVE, "cat", "told"))
    assert [(guest.who, guest.by, guest.part) for guest in asked.guests] == [
        ("ann", "", "gives"),
        ("bob", "ann", "asked"),
    ]
    late = asked.along(Guest("bob", FIVE, part="comes", came=FIVE + timedelta(minutes=20)))
    assert late.expected == ("ann", "bob")
    assert [late.is_late(guest) for guest in late.guests] == [False, True]


def test_who_leaves_town_is_nowhere_and_comes_back_with_its_memories(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    noon, gone = 36, "lin_yue"
    set_out(lived_day(tmp_path_factory), tmp_path, noon)
    with opened(tmp_path) as run:
        run.ask(
            [
                Intervention("leave", gone, step=noon + 1),
                Intervention("leave", gone, step=noon + 2),
                Intervention("arrive", gone, step=noon + 9),
            ]
        )
        before = run.restore(noon).mind(gone).memories
    calls: list[tuple[int, bool]] = []

    def look(game: Game) -> None:
        laws(game)
        step, away = game.state.clock.step, game.state.is_away(gone)
        assert away == (noon < step < noon + 9)
        seen = {
            one.effect.concept.subject
            for one in game.log
            if isinstance(one.effect, Remembered) and one.who != gone
        }
        assert not away or gone not in seen or step == noon + 1
        calls.append((step, any(call.who == gone for call in game.calls)))

    live(tmp_path, 14, after_each=look)
    assert all(not asked for step, asked in calls if noon + 1 < step < noon + 9), (
        "on the way it thinks over what was last said, and then nothing"
    )
    assert any(asked for _, asked in calls)
    assert state_of(tmp_path).mind(gone).memories > before
