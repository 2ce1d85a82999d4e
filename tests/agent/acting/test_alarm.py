"""A fire is noticed by all who are there at once, and decided on once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from hometown.agent.acting.pressing_matters import find_pressing_matters
from hometown.agent.acting.respond import break_off_conversation, respond
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.intent import Intent
from hometown.agent.perception.perceive import notice
from hometown.agent.planning.displacing import DISPLACED_PREDICATE
from hometown.agent.planning.looking_back import look_back_on_occasions
from hometown.agent.planning.plan_clashes import CALLED_OFF_PREDICATE
from hometown.memory.action import Action
from hometown.memory.event import Event
from hometown.memory.schedule import Entry
from hometown.prompt.reactions import SPEAK
from hometown.prompt.responses import DO, MEANS
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.effects import Reconsidered
from hometown.world.incidents import Countermeasure, Course, Happening
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import Body, Promise, Promises, Reasons, Relation, Talking
from hometown.world.social import OccasionSet
from hometown.world.whereabouts import box_distance
from tests.support.noon_town import (
    CAFE,
    CHEN,
    FIGHTING,
    LIN,
    NOON,
    PARK,
    SQUARE,
    STUDIO,
    Fire,
)
from tests.support.town import minds_of


def test_all_in_a_park_hear_an_alarm_in_the_same_step(fire: Fire) -> None:
    world = fire.game.world
    reach = min(
        box_distance(tile, other)
        for tile in world.open_tiles[CAFE]
        for other in world.open_tiles[PARK]
    )
    happening = Happening(CAFE, "A fire breaks out", NOON.replace(hour=14), reach)
    fire.happen(happening)
    tiles = world.open_tiles[PARK]
    for who, tile in ((LIN, tiles[0]), (CHEN, tiles[-1])):
        fire.put(who, PARK)
        fire.game.state.put(keys.BODY.of(who), Body(tile))
    fire.step()
    for who in (LIN, CHEN):
        assert any("shouts of fire" in text for text in fire.texts(who)), who
        assert not any("A fire breaks out" in text for text in fire.texts(who)), "it was not seen"
    asked = [each for each in fire.alarm.alarms if each.situation.me.id == LIN]
    assert {(each.means, each.helpers) for each in asked} == {((), "the fire brigade")}


def test_means_against_what_was_only_heard_do_not_help(fire: Fire) -> None:
    world, now = fire.game.world, fire.game.state.clock.now
    means, reach = ("luring the goat with hay",), 60
    course = Course(weight=9, reach=reach, sound="wild bleating", effort=20, means=means)
    goat = begin_happening(CAFE, "A goat is on the roof", course, now)
    fire.happen(goat)
    fire.alarm.respond = lambda _: {"decision": f"{MEANS}1", "minutes": 20}
    for who, arena in ((LIN, CAFE), (CHEN, PARK)):
        fire.put(who, arena)
        fire.game.state.put(keys.BODY.of(who), Body(world.open_tiles[arena][0]))
    fire.step()
    roles = {
        who: measure.role for who in (LIN, CHEN) if (measure := fire.mind(who).state.measure(who))
    }
    assert roles == {LIN: "helps", CHEN: "stays"}


def test_who_hears_or_is_told_of_an_alarm_first_is_asked_once(fire: Fire) -> None:
    """Its noise alone is less than what raises a question, and so is somebody's word."""
    pipe = Happening(CAFE, "A water pipe has burst", NOON.replace(hour=18))
    fire.happen(pipe)
    heard = NewMemory("event", f"Noise from the café: {pipe.sound}", CAFE, "noise")
    told = NewMemory("event", "Water from a burst pipe is in Starlight Café", LIN, "hear", CHEN)
    for memory, rating in ((heard, 5), (replace(told, talk="talk", about=(CHEN,)), 4)):
        who = CHEN if memory is heard else LIN
        mind = fire.mind(who)
        made = [asyncio.run(mind.remember([memory], [rating], "test"))[0] for _ in range(2)]
        (matter,) = find_pressing_matters(mind)
        assert (matter.memory, matter.happening) == (made[0], pipe)
        mind.do(Reconsidered(who, made[0].id), "test")
        assert find_pressing_matters(mind) == []


def test_a_fire_is_decided_once_and_before_other_questions(fire: Fire) -> None:
    (memory, *_) = fire.game.state.memory(LIN).concepts
    fire.game.state.put(keys.REASONS.of(LIN), Reasons((memory,)))
    fire.step()
    asked = [kind for who, kind in fire.alarm.kinds if who == LIN]
    assert asked.count("respond") == 1
    assert "reconsider" not in asked
    assert "reflect_focus" not in asked
    fire.step()
    asked = [kind for who, kind in fire.alarm.kinds if who == LIN]
    assert asked.count("respond") == 1, "it was decided already"


def test_to_decide_on_a_fire_again_opens_no_later_matter_again(fire: Fire) -> None:
    (burning,) = fire.game.state.happenings
    seen = NewMemory("event", "A fire breaks out, in Starlight Café", CAFE, "", "", CAFE)
    fire.remember(LIN, replace(seen, predicate=seen.text))
    fire.remember(LIN, NewMemory("event", "The boy has fainted!", CHEN, "shout", about=(CHEN,)))
    latest = max(fire.game.state.memory(LIN).concepts)
    apply(Reconsidered(LIN, latest), fire.game.state)
    earlier = NOON - timedelta(hours=1)
    stayed = Countermeasure(CAFE, burning.text, "", "stays", "", earlier, here=True)
    fire.game.state.put(keys.MEASURE.of(LIN), stayed)
    fire.step()
    assert [each.situation.me.id for each in fire.alarm.alarms].count(LIN) == 1
    assert fire.game.state.pondered(LIN) >= latest


def test_an_alarm_breaks_off_a_conversation_for_the_whole_circle(fire: Fire) -> None:
    circle = (LIN, CHEN, "wang_fang", "xiao_mei")
    for who in circle:
        fire.put(who, CAFE)
        talking = Talking("talk", CHEN if who == LIN else LIN, NOON.replace(hour=13))
        fire.game.state.put(keys.TALKING.of(who), talking)
    mind = fire.mind("xiao_mei")
    assert break_off_conversation(mind, notice(mind))
    assert [mind.state.talking(who) for who in circle] == [None] * 4


def test_who_cannot_tell_anybody_of_a_fire_does_something_themselves(
    fire: Fire, monkeypatch: pytest.MonkeyPatch
) -> None:
    routine = Intent(Action("act", "reading a book", CAFE, 10))

    async def decide(mind: Mind, noticed: Sequence[Event]) -> Intent:
        return Intent(partner=CHEN, second=routine)

    monkeypatch.setattr("hometown.agent.acting.respond.decide", decide)
    fire.answer(f"{SPEAK}1", "the fire")
    mind = fire.mind(LIN)
    intent = asyncio.run(respond(mind, notice(mind)))
    assert (intent.partner, intent.second) == (CHEN, routine)


@pytest.mark.parametrize(("weight", "means", "asked"), [(5, 1, 1), (3, 1, 0), (5, 0, 0)])
def test_a_nuisance_that_acts_can_end_is_decided_on_by_those_in_its_room(
    fire: Fire, weight: int, means: int, asked: int
) -> None:
    course = Course(
        weight=weight, reach=60, minutes=120, effort=20, means=("luring the goat out",) * means
    )
    goat = begin_happening(CAFE, "A goat stands on the counter", course, NOON)
    fire.happen(goat)
    fire.put(CHEN, PARK)
    fire.step()
    fire.step()
    assert [each.situation.me.id for each in fire.alarm.alarms].count(LIN) == asked


def test_what_a_fire_leaves_no_time_for_is_a_reason_to_reconsider(fire: Fire) -> None:
    sketches = Entry(735, 750, "drawing three sketches")
    plan = (Entry(0, 735, "reading a book", address=CAFE), sketches, Entry(750, 1440, "reading"))
    fire.plan_day(LIN, *plan)
    fire.step()
    memories = fire.game.state.memory(LIN).concepts.values()
    lost = (memory for memory in memories if memory.predicate == DISPLACED_PREDICATE)
    (made,) = (memory for memory in lost if sketches.activity in memory.text)
    assert made.id in fire.game.state.reasons(LIN)


def test_a_shout_is_heard_by_all_in_the_room_and_asks_those_who_did_not_know(fire: Fire) -> None:
    fire.put(LIN, PARK)
    fire.put(CHEN, PARK)
    fire.game.state.put(keys.HAPPENINGS.key, None)
    seen = NewMemory("event", "Smoke rises, in Starlight Café", CAFE, "", "", CAFE)
    fire.remember(LIN, replace(seen, predicate=seen.text))
    fire.alarm.respond = lambda asked: {
        "decision": "do",
        "what": "running to the café",
        "minutes": 20,
        "where": 1,
        **({"shout": "Smoke at the café! Come!"} if asked.hearers else {}),
    }
    fire.step()
    (asked,) = fire.alarm.alarms
    assert "Chen Siyuan" in asked.hearers
    assert [one.name for one in asked.absent], "there is somebody to run to"
    assert fire.texts(CHEN, "shout") == ["Lin Yue shouts: “Smoke at the café! Come!”"]
    fire.step()
    (asked,) = (each for each in fire.alarm.alarms if each.situation.me.id == CHEN)
    (matter,) = asked.matters
    assert (matter.how, matter.text) == ("heard", "Lin Yue shouts: “Smoke at the café! Come!”")


def test_whoever_runs_to_another_looks_for_them(fire: Fire) -> None:
    fire.answer("run to 1", minutes=10)
    fire.step()
    told = fire.alarm.alarms[0].absent[0].name
    entry = fire.game.state.schedule(fire.alarm.alarms[0].situation.me.id).at(12 * 60 + 10)
    assert entry.activity == f"running to tell {told} what has happened"


def test_an_agreement_broken_for_a_fire_is_called_off_with_all_whom_it_concerns(
    fire: Fire,
) -> None:
    when = NOON.replace(minute=10)
    promise = Promise("having a coffee", (LIN, CHEN), SQUARE, when, 20, "1-lin_yue")
    for who in (LIN, CHEN):
        fire.game.state.put(keys.PROMISES.of(who), Promises((promise,)))
    fire.put(CHEN, SQUARE)
    fire.step()
    for who in (LIN, CHEN):
        (text,) = fire.texts(who, CALLED_OFF_PREDICATE)
        assert "having a coffee" in text
        assert FIGHTING in text
        assert not fire.game.state.promises(who).items


def test_an_agreement_to_be_where_one_fights_a_fire_is_kept(fire: Fire) -> None:
    when = NOON.replace(minute=10)
    promise = Promise("seeing what is the matter", (LIN, CHEN), CAFE, when, 20, "1-lin_yue")
    for who in (LIN, CHEN):
        fire.game.state.put(keys.PROMISES.of(who), Promises((promise,)))
    fire.step()
    assert fire.texts(LIN, CALLED_OFF_PREDICATE) == []
    assert fire.game.state.promises(LIN).items == (promise,)


def test_who_stands_in_a_fire_chooses_among_its_means_help_and_safety(fire: Fire) -> None:
    fire.answer("means 1")
    fire.step()
    (asked, *_) = fire.alarm.alarms
    assert asked.danger
    assert asked.helpers == "the fire brigade"
    assert len(asked.means) == 3
    measure = fire.game.state.measure(LIN)
    assert measure is not None
    assert (measure.role, measure.what) == ("helps", asked.means[0])
    assert "measure" not in [kind for _, kind in fire.alarm.kinds], "a means needs no judgement"


def test_who_leaves_a_fire_goes_to_another_house(fire: Fire) -> None:
    fire.answer("leave", minutes=10)
    fire.step()
    entry = fire.game.state.schedule(LIN).at(12 * 60 + 10)
    assert not entry.address.startswith("cafe/")


def test_to_leave_a_fire_for_an_appointment_is_a_question(fire: Fire) -> None:
    day = fire.game.state.schedule(LIN)
    meeting = Entry(13 * 60, 13 * 60 + 30, "having tea", "appointment", address=SQUARE)
    fire.plan_day(LIN, *day.splice(meeting).entries)
    burning = Happening(CAFE, "A fire breaks out", NOON.replace(hour=20), 16)
    fire.happen(burning)
    fire.alarm.respond = lambda asked: (
        {"decision": "appointment", "what": "", "minutes": 10, "where": 0}
        if asked.appointment
        else {"decision": "wait", "what": "", "minutes": 10, "where": 0}
    )
    for _ in range(7):
        fire.step()
    offered = [one for one in fire.alarm.alarms if one.appointment]
    assert [(one.situation.me.id, one.appointment) for one in offered] == [
        (LIN, (13 * 60, "having tea"))
    ], "asked once, when it was time to go"
    assert fire.mind(LIN).arena == SQUARE


@pytest.mark.parametrize("decision", [DO, "save"])
def test_a_decision_in_an_alarm_outlasts_the_appointment_that_comes_next(
    fire: Fire, decision: str
) -> None:
    fire.answer(decision, "the old piano")
    tea = Entry(735, 795, "having tea", "appointment", address=SQUARE)
    day = fire.game.state.schedule(LIN)
    fire.plan_day(LIN, *day.splice(tea).entries)
    fire.step()
    day = fire.game.state.schedule(LIN)
    begun = day.at(730)
    assert (begun.end - begun.start, day.at(begun.end).activity) == (20, tea.activity)
    assert begun.activity.startswith("bringing") == (decision == "save")
    fire.step()
    asked = {kind for who, kind in fire.alarm.kinds if who == LIN}
    assert "approach" not in asked, "nothing else comes to mind amid an alarm"


def test_what_is_done_about_a_fire_elsewhere_comes_before_an_appointment(fire: Fire) -> None:
    """Lin Yue hears of a small fire when they have to leave for a meeting, and runs to the fire."""
    course = replace(usual_course("A fire breaks out", "en"), weight=7, reach=40)
    small = begin_happening(CAFE, "A fire breaks out", course, NOON)
    fire.happen(small)
    fire.put(LIN, SQUARE)
    tea = Entry(741, 801, "having tea", "appointment", address=STUDIO)
    day = fire.game.state.schedule(LIN)
    fire.plan_day(LIN, *day.splice(tea).entries)
    fire.step()
    (asked, *_) = [each for each in fire.alarm.alarms if each.situation.me.id == LIN]
    assert asked.appointment == (741, "having tea")
    assert fire.mind(LIN).arena == CAFE
    assert fire.game.state.action(LIN).activity == FIGHTING


def test_one_whom_an_alarm_keeps_from_a_meeting_is_excused(fire: Fire) -> None:
    now, state = fire.game.state.clock.now, fire.game.state
    start = now - timedelta(minutes=30)
    guests = (Guest(LIN, start, part="comes", came=start), Guest(CHEN, start, part="comes"))
    tea = Occasion("drinking tea", SQUARE, start, 30, guests)
    promise = Promise(tea.what, (LIN, CHEN), SQUARE, start, 30, "1-x")
    (burning,) = state.happenings
    helping = Countermeasure(CAFE, burning.text, FIGHTING, "helps", "react:1", start, True)
    apply(OccasionSet("1", tea), state)
    state.put(keys.MEASURE.of(CHEN), helping)
    for who in (LIN, CHEN):
        state.put(keys.PROMISES.of(who), Promises((promise,)))
    fire.put(LIN, SQUARE)
    minds = minds_of(fire.game, [LIN, CHEN])
    smoke = NewMemory("event", "Smoke at the café", CAFE, "Smoke at the café", address=CAFE)
    asyncio.run(minds[LIN].remember([smoke], [8], "test"))
    for mind in minds.values():
        asyncio.run(look_back_on_occasions(mind))

    def told(who: str, predicate: str) -> list[str]:
        memories = minds[who].state.memory(who).concepts.values()
        return [memory.text for memory in memories if memory.predicate == predicate]

    (waited,), (away,) = told(LIN, "missed"), told(CHEN, "stayed away")
    assert waited.endswith("Smoke at the café")
    assert "in vain" not in waited
    assert minds[LIN].state.bond(LIN, CHEN) == state.bond(LIN, CHEN)
    assert FIGHTING in away
    assert "could not" in away


def test_who_is_probably_in_a_fire_is_named_to_those_elsewhere(fire: Fire) -> None:
    """Also where the fire is known to have closed the room."""
    for who, room in ((LIN, PARK), (CHEN, CAFE)):
        fire.put(who, room)
    seen = NewMemory("event", "Chen Siyuan is reading a book", CHEN, "read", "", CAFE)
    fire.remember(LIN, seen)
    fire.remember(LIN, NewMemory("event", "A fire breaks out, in Starlight Café", CAFE, "", ""))
    fire.step()
    asked = {each.situation.me.id: each for each in fire.alarm.alarms}
    assert "Chen Siyuan" in asked[LIN].there
    assert all(one.name != "Chen Siyuan" for one in asked[LIN].absent)
    assert asked[CHEN].there == ()


def test_whoever_has_just_talked_can_still_be_told_of_an_alarm(fire: Fire) -> None:
    """Even where it is heard of as something that is no grave danger."""
    pipe = Happening(CAFE, "A water pipe has burst", NOON.replace(hour=18))
    fire.happen(pipe)
    now = fire.game.state.clock.now
    fire.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, now))
    fire.step()
    asked = [each for each in fire.alarm.alarms if each.situation.me.id == LIN]
    assert CHEN in [each.id for one in asked for each in one.neighbours]
