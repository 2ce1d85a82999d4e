"""The end of a fire is remembered once by all who knew of it, where and as they learn of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hometown.agent.acting.pressing_matters import find_pressing_matters
from hometown.agent.conversation.commitments import SideSummary
from hometown.agent.conversation.news_of_ends import enter_news_of_ends
from hometown.agent.mind import NewMemory
from hometown.agent.mind.facing import recall_relevant
from hometown.agent.mind.present_events import describe_happenings
from hometown.agent.perception.happening_ends import ended_events, tell_end
from hometown.agent.planning.changed_occasions import find_closed_occasion
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.displacing import reschedule
from hometown.agent.planning.lost_rooms import remember_lost_rooms
from hometown.agent.planning.participation import AGREE_PREDICATE, settle_agreement
from hometown.language import Lang
from hometown.memory.concept import ENDED_PREDICATE, INTENTION_PREDICATE
from hometown.memory.schedule import Entry, PlacedEntry, Schedule
from hometown.prompt.dialogue import Learnt
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.conversation import Line
from hometown.world.incidents import (
    Countermeasure,
    EndedHappening,
    HappeningBegan,
    Happenings,
    Role,
    StoppedHappenings,
)
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import Body, Promise, Promises, Reasons
from hometown.world.social import OccasionSet
from tests.support.noon_town import (
    CAFE,
    CHEN,
    FIGHTING,
    LIN,
    NOON,
    PARK,
    Fire,
)
from tests.support.town import begin_town, game_on, minds_of, minitown


def test_all_there_remember_at_once_that_a_fire_is_out_and_by_whom(fire: Fire) -> None:
    for _ in range(4):
        fire.step()
        ended = {who: fire.texts(who, ENDED_PREDICATE) for who in (LIN, CHEN)}
        assert bool(ended[LIN]) == bool(ended[CHEN]), "both perceive it in the same step"
    (damage,) = fire.game.state.happenings
    assert "damaged by the fire" in damage.text
    for (text,) in ended.values():
        assert "The fire is out" in text
        assert "thanks to" in text
        assert "Chen Siyuan" in text
        assert "Lin Yue" in text, "all who fought it are named"
        assert "A fire breaks out" in text, "the account of it stays"
    assert not fire.texts(CHEN, "A fire breaks out, in Starlight Café"), "it is no longer true"
    assert fire.game.state.body(CHEN).tile in fire.game.world.open_tiles[CAFE]
    mind = fire.mind(CHEN)
    around = " ".join(mind.situation.around)
    assert around.count("closed for repairs") == 1
    recalled = asyncio.run(recall_relevant(mind, [LIN], ["The fire is out"], 8))
    assert recalled
    assert all(each.concept.predicate != ENDED_PREDICATE for each in recalled), "told anyway"


def test_who_has_put_out_a_fire_is_seen_to_be_done(fire: Fire) -> None:
    for done in (False, True):
        if done:
            fire.game.state.put(keys.HAPPENINGS.key, Happenings())
        fire.game.state.put(
            keys.MEASURE.of(LIN),
            Countermeasure(CAFE, "A fire breaks out", FIGHTING, "helps", "", NOON, here=True),
        )
        action = replace(fire.game.state.action(LIN), activity=FIGHTING, address=CAFE)
        fire.game.state.put(keys.ACTION.of(LIN), action)
        assert fire.mind(CHEN).see_act(LIN) == (
            f"done now with this: {FIGHTING}" if done else FIGHTING
        )


def test_what_was_done_against_a_fire_raises_no_question_once_it_is_out(fire: Fire) -> None:
    while not (stopped := fire.game.state.stopped_happenings):
        fire.step()
    doing = NewMemory("event", "Chen Siyuan is fetching water", CHEN, "", "", CAFE)
    fire.remember(LIN, replace(doing, predicate=doing.text))
    stream = fire.game.state.memory(LIN)
    after = stream.concept(max(stream.concepts))
    assert after.created > stopped[-1].when
    amid = replace(after, id=after.id + 1, created=stopped[-1].when)
    stream.add(amid, None)
    asked = [each.memory for each in find_pressing_matters(fire.mind(LIN))]
    assert after in asked
    assert amid not in asked


def test_what_is_planned_for_a_ruined_room_calls_once_for_another_place(fire: Fire) -> None:
    state, six = fire.game.state, NOON.replace(hour=18)
    while not any("damaged" in text for text in fire.texts(LIN)):
        fire.step()
    supper = Promise("having supper", (LIN, CHEN), CAFE, six, 60, "talk")
    table = Promise("laying the table", (LIN,), CAFE, six, 60, "")
    begun = Promise(
        "looking at the damage",
        (LIN, CHEN),
        CAFE,
        state.clock.now - timedelta(minutes=10),
        60,
        "begun",
    )
    after = Promise("clearing up", (LIN, CHEN), CAFE, six, 60, "after")
    made = NewMemory("plan", "They agree.", LIN, AGREE_PREDICATE, CHEN, CAFE, talk=after.talk)
    fire.remember(LIN, made)
    state.put(keys.PROMISES.of(LIN), Promises((supper, table, begun, after)))
    song = PlacedEntry(1200, 1440, "practising the song", room=CAFE)
    plan = (Entry(0, 1200, "reading a book"), song)
    state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), plan))
    mind = fire.mind(LIN)
    asyncio.run(remember_lost_rooms(mind))
    asyncio.run(remember_lost_rooms(mind))
    stream = mind.state.memory(LIN)
    agreed, alone, own = (stream.concept(each) for each in mind.state.reasons(LIN)[-3:])
    assert supper.what in agreed.text
    assert find_concerned(mind, agreed.text) == [CHEN]
    assert table.what in alone.text
    assert song.activity in own.text
    assert not any(begun.what in text or after.what in text for text in fire.texts(LIN))
    cleaning = Entry(1200, 1440, "cleaning the counter", address=CAFE)
    instead = Schedule(NOON.date(), (Entry(0, 1200, "reading a book"), cleaning))
    lost = asyncio.run(reschedule(mind, instead, "react:1", cleaning.activity, "rule:test"))
    assert lost == [], "it is not lost again"
    occasion = Occasion(supper.what, CAFE, six, 60, (Guest(LIN, NOON), Guest(CHEN, NOON)))
    guests = tuple(replace(each, part="comes") for each in occasion.guests)
    mind.do(OccasionSet("supper", replace(occasion, guests=guests)), "rule:test")
    asked = find_closed_occasion(mind, [agreed])
    assert asked
    assert asked.occasion.what == supper.what
    settle_agreement(mind, [supper.talk], CAFE, "rule:test")
    assert agreed.id not in stream, "it is over with the agreement"


def end_of_fire(fire: Fire, *beyond: str) -> None:
    """Let the fire end while everybody is in the park, those in `beyond` with what they know of it:
    that it burns, and what they mean to do against it.
    """
    for who in (LIN, CHEN):
        fire.put(who, PARK)
    (burning,) = fire.game.state.happenings
    seen = NewMemory("event", "A fire breaks out, in Starlight Café", CAFE, "", "", CAFE)
    for who in beyond:
        fire.remember(who, replace(seen, predicate=seen.text))
        help_out = "{} wants to put out the fire in the café."
        name = fire.game.world.name_of(who)
        fire.remember(who, NewMemory("thought", help_out.format(name), who, INTENTION_PREDICATE))
    course = replace(usual_course(burning.text, "en"), minutes=1)
    since = fire.game.state.clock.now
    burnt = begin_happening(CAFE, burning.text, course, since - timedelta(minutes=1))
    fire.happen(burnt)
    fire.step()
    assert fire.texts(LIN, ENDED_PREDICATE) == fire.texts(CHEN, ENDED_PREDICATE) == []


def test_who_was_not_there_at_the_end_of_a_fire_learns_of_it_once_at_its_place(fire: Fire) -> None:
    end_of_fire(fire, LIN)
    assert fire.texts(LIN, INTENTION_PREDICATE)
    for who in (LIN, CHEN):
        fire.put(who, CAFE)
    for _ in range(3):
        fire.step()
    (text,) = fire.texts(LIN, ENDED_PREDICATE)
    assert text.startswith("The fire is out, in Starlight Café; it began at ")
    assert text.endswith(
        "It is closed for now: Starlight Café is damaged by the fire, closed for repairs"
    )
    assert not fire.texts(CHEN, ENDED_PREDICATE), "they did not know that there was any"
    assert not fire.texts(LIN, INTENTION_PREDICATE)
    assert "A fire breaks out, in Starlight Café" not in fire.texts(LIN)


def test_who_has_called_help_learns_of_the_end_wherever_they_are(fire: Fire) -> None:
    """And is thanked only if the help has come in time."""
    roles: list[tuple[str, str, Role]] = [(LIN, FIGHTING, "helps"), (CHEN, "calling", "calls")]
    for who, what, role in roles:
        measure = Countermeasure(CAFE, "A fire breaks out", what, role, "", NOON, here=True)
        fire.game.state.put(keys.MEASURE.of(who), measure)
        fire.plan(who, what)
        fire.put(who, CAFE if who == LIN else PARK)
    fire.game.state.put(keys.REASONS.of(CHEN), Reasons())
    course = replace(usual_course("A fire breaks out", "en"), effort=1, reach=0)
    burning = begin_happening(CAFE, "A fire breaks out", course, fire.game.state.clock.now)
    fire.happen(burning)
    for _ in range(3):
        fire.step()
    (seen,), (heard,) = (fire.texts(who, ENDED_PREDICATE) for who in (LIN, CHEN))
    assert seen.startswith("The fire is out, thanks to Lin Yue")
    assert "Chen Siyuan" not in seen
    assert heard == f"Word has come from the help that was called: {seen}"
    mind = fire.mind(CHEN)
    since = mind.now - timedelta(minutes=20)
    around = describe_happenings(mind.words, mind.state, CHEN, mind.arena, mind.now, since)
    assert f"you were told: {heard}" in around[-1]


@pytest.mark.parametrize("how", ["news", "line", "settled"])
def test_who_is_told_that_a_fire_is_out_remembers_it_once(fire: Fire, how: str) -> None:
    end_of_fire(fire, LIN)
    mind = fire.mind(LIN)
    (belief,) = (
        each for each in mind.state.memory(LIN).concepts.values() if each.predicate == each.text
    )
    said = "The fire is out, you know." if how == "line" else "It was nothing."
    news = Learnt(what="The fire is out, says Chen.", weight=3)
    asked: Any = SimpleNamespace(
        others=(SimpleNamespace(other=fire.game.world.personas[CHEN]),),
        candidates_to_settle=(belief,),
    )
    reply: Any = SimpleNamespace(
        learnt=[news] if how == "news" else [], settled=[1] if how == "settled" else []
    )
    summed = SideSummary(reply, "test", asked)
    for _ in range(2):
        rest = asyncio.run(enter_news_of_ends(mind, "talk", summed, [Line(CHEN, said)]))
    memories = mind.state.memory(LIN).concepts.values()
    (end,) = (each for each in memories if each.predicate == ENDED_PREDICATE)
    place = "The fire is out, in Starlight Café"
    assert (end.text, end.about) == (news.what if how == "news" else place, (CHEN,))
    assert belief not in memories
    assert rest == ([news] if how == "news" else [])
    around = describe_happenings(mind.words, mind.state, LIN, mind.arena, mind.now, mind.now)
    assert f"you were told: {end.text}" in around[-1]


def test_the_ends_of_two_happenings_in_one_room_are_both_remembered(fire: Fire) -> None:
    now = fire.game.state.clock.now
    fire.game.state.put(keys.HAPPENINGS.key, None)
    texts = ("A pipe bursts", "A man with a guitar sings.", "A salesman sets up a table.")
    for text, minutes in zip(texts, (10, 10, 20), strict=True):
        course = replace(usual_course(text, "en"), minutes=minutes)
        apply(HappeningBegan(begin_happening(CAFE, text, course, now)), fire.game.state)
    for _ in range(4):
        fire.step()
    ends = fire.texts(LIN, ENDED_PREDICATE)
    assert len(ends) == len(texts)
    assert all(any(text.rstrip(".") in end for end in ends) for text in texts)


@pytest.mark.parametrize(
    ("lang", "text", "account"),
    [
        (
            "en",
            "A salesman sets up a table.",
            "What began in Starlight Café at 12:00 is over now, thanks to Lin Yue: "
            "A salesman sets up a table",
        ),
        (
            "zh",
            "一个货郎支起了摊子。",
            "12:00在星光咖啡店的那件事已经过去了，多亏了林悦：一个货郎支起了摊子",
        ),
    ],
)
def test_the_end_of_what_has_no_words_for_it_is_told_in_one_sentence(
    tmp_path: Path, lang: Lang, text: str, account: str
) -> None:
    begin_town(tmp_path, lang, NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run, minitown(lang))
        ended = EndedHappening(CAFE, (LIN,), NOON, text=text, over="", since=NOON)
        game.state.put(keys.STOPPED.key, StoppedHappenings((ended,)))
        game.state.put(keys.BODY.of(LIN), Body(game.world.open_tiles[CAFE][0]))
        mind = minds_of(game, [LIN], NOON)[LIN]
        (event,) = ended_events(mind)
    assert event.describe == account
    for thanks in (", thanks to Lin Yue", "，多亏了林悦"):
        account = account.replace(thanks, "")
    assert tell_end(mind, ended) == account
