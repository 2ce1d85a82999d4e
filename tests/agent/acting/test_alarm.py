"""A fire is noticed by all who are there at once, fought once, and remembered as over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from hometown.agent.acting.pressing_matters import find_pressing_matters
from hometown.agent.conversation.commitments import SideSummary
from hometown.agent.conversation.news_of_ends import enter_news_of_ends
from hometown.agent.mind import NewMemory
from hometown.agent.mind.facing import recall_relevant
from hometown.agent.mind.present_events import describe_happenings
from hometown.agent.planning.changed_occasions import find_closed_occasion
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.displacing import DISPLACED_PREDICATE, reschedule
from hometown.agent.planning.looking_back import look_back_on_occasions
from hometown.agent.planning.lost_rooms import remember_lost_rooms
from hometown.agent.planning.participation import AGREE_PREDICATE, settle_agreement
from hometown.agent.planning.plan_clashes import CALLED_OFF_PREDICATE
from hometown.memory.concept import ENDED_PREDICATE, INTENTION_PREDICATE
from hometown.memory.schedule import Entry, PlacedEntry, Schedule
from hometown.model.llm import Completion, Request
from hometown.prompt.dialogue import Learnt
from hometown.prompt.responses import DO, MEANS, RespondVars
from hometown.scripted.model import ScriptedModel
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.conversation import Line
from hometown.world.effects import Reconsidered
from hometown.world.incidents import Countermeasure, Course, Happening, Happenings, Role
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import Body, Promise, Promises, Reasons, Relation
from hometown.world.social import OccasionSet
from hometown.world.whereabouts import box_distance
from tests.agent.acting.test_approach import CAFE, CHEN, LIN, NOON, PARK, SQUARE, STUDIO, Noon
from tests.support.town import game_on, minds_of, minitown

FIGHTING = "putting out the fire"


class Responding(ScriptedModel):
    """A model that responds to alarms by a rule, and notes the kinds of prompts it was asked."""

    def __init__(self, respond: Callable[[RespondVars], dict[str, Any]]) -> None:
        self.respond = respond
        self.kinds: list[tuple[str, str]] = []
        self.alarms: list[RespondVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.kinds.append((request.variables.situation.me.id, request.kind))
        if isinstance(request.variables, RespondVars):
            self.alarms.append(request.variables)
            reply = self.respond(request.variables)
            return Completion(orjson.dumps(reply).decode(), 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


class Fire(Noon):
    """A fire in the café at noon; Lin Yue and Chen Siyuan are awake."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.alarm = Responding(
            lambda asked: {"decision": DO, "what": FIGHTING, "minutes": 20, "where": 1}
        )
        self.game = game_on(self.run, minitown(), self.alarm)
        for who in self.game.world.personas:
            if who not in (LIN, CHEN):
                self.plan(who, "sleeping", kind="sleep")
        self.plan(LIN, "reading a book")
        self.plan(CHEN, "reading a book")
        self.put(LIN, CAFE)
        self.put(CHEN, CAFE)
        fire = Happening(CAFE, "A fire breaks out", NOON.replace(hour=14), 16)
        self.game.state.put(keys.HAPPENINGS.key, Happenings((fire,)))

    def remember(self, who: str, memory: NewMemory) -> None:
        """Give a resident a grave memory."""

        async def add() -> None:
            mind = self.mind(who)
            await mind.remember([memory], [8], "test")
            for logged in mind.effects:
                self.game.enter(logged)

        asyncio.run(add())

    def texts(self, who: str, predicate: str = "") -> list[str]:
        """Return the texts of a resident's live memories, or of those with a predicate."""
        return [
            memory.text
            for memory in self.game.state.memory(who).concepts.values()
            if predicate in ("", memory.predicate)
        ]


@pytest.fixture
def fire(tmp_path: Path) -> Any:
    town = Fire(tmp_path)
    with town.run:
        yield town


def test_all_in_a_park_hear_an_alarm_in_the_same_step(fire: Fire) -> None:
    world = fire.game.world
    reach = min(
        box_distance(tile, other)
        for tile in world.open_tiles[CAFE]
        for other in world.open_tiles[PARK]
    )
    happening = Happening(CAFE, "A fire breaks out", NOON.replace(hour=14), reach)
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((happening,)))
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
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((goat,)))
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
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((pipe,)))
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


@pytest.mark.parametrize(("weight", "means", "asked"), [(5, 1, 1), (3, 1, 0), (5, 0, 0)])
def test_a_nuisance_that_acts_can_end_is_decided_on_by_those_in_its_room(
    fire: Fire, weight: int, means: int, asked: int
) -> None:
    course = Course(
        weight=weight, reach=60, minutes=120, effort=20, means=("luring the goat out",) * means
    )
    goat = begin_happening(CAFE, "A goat stands on the counter", course, NOON)
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((goat,)))
    fire.put(CHEN, PARK)
    fire.step()
    fire.step()
    assert [each.situation.me.id for each in fire.alarm.alarms].count(LIN) == asked


def test_what_a_fire_leaves_no_time_for_is_a_reason_to_reconsider(fire: Fire) -> None:
    sketches = Entry(735, 750, "drawing three sketches")
    plan = (Entry(0, 735, "reading a book", address=CAFE), sketches, Entry(750, 1440, "reading"))
    fire.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), plan))
    fire.step()
    memories = fire.game.state.memory(LIN).concepts.values()
    (made,) = (memory for memory in memories if memory.predicate == DISPLACED_PREDICATE)
    assert sketches.activity in made.text
    assert made.id in fire.game.state.reasons(LIN)


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
    occasion = Occasion(supper.what, CAFE, six, 60, (Guest(LIN, six), Guest(CHEN, six)))
    guests = tuple(replace(each, part="comes") for each in occasion.guests)
    mind.do(OccasionSet("supper", replace(occasion, guests=guests)), "rule:test")
    asked = find_closed_occasion(mind, [agreed])
    assert asked
    assert asked.occasion.what == supper.what
    settle_agreement(mind, [supper.talk], CAFE, "rule:test")
    assert agreed.id not in stream, "it is over with the agreement"


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
    fire.alarm.respond = lambda asked: {
        "decision": "run to 1",
        "what": "",
        "minutes": 10,
        "where": 0,
    }
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
    fire.alarm.respond = lambda asked: {
        "decision": "means 1",
        "what": "",
        "minutes": 20,
        "where": 0,
    }
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
    fire.alarm.respond = lambda asked: {
        "decision": "leave",
        "what": "",
        "minutes": 10,
        "where": 0,
    }
    fire.step()
    entry = fire.game.state.schedule(LIN).at(12 * 60 + 10)
    assert not entry.address.startswith("cafe/")


def test_to_leave_a_fire_for_an_appointment_is_a_question(fire: Fire) -> None:
    day = fire.game.state.schedule(LIN)
    meeting = Entry(13 * 60, 13 * 60 + 30, "having tea", "appointment", address=SQUARE)
    fire.game.state.put(keys.SCHEDULE.of(LIN), day.splice(meeting))
    burning = Happening(CAFE, "A fire breaks out", NOON.replace(hour=20), 16)
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((burning,)))
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
    fire.alarm.respond = lambda asked: {
        "decision": decision,
        "what": "the old piano",
        "minutes": 20,
        "where": 0,
    }
    tea = Entry(735, 795, "having tea", "appointment", address=SQUARE)
    day = fire.game.state.schedule(LIN)
    fire.game.state.put(keys.SCHEDULE.of(LIN), day.splice(tea))
    fire.step()
    day = fire.game.state.schedule(LIN)
    begun = day.at(730)
    assert (begun.end - begun.start, day.at(begun.end).activity) == (20, tea.activity)
    assert begun.activity.startswith("bringing to safety") == (decision == "save")
    fire.step()
    asked = {kind for who, kind in fire.alarm.kinds if who == LIN}
    assert "approach" not in asked, "nothing else comes to mind amid an alarm"


def test_what_is_done_about_a_fire_elsewhere_comes_before_an_appointment(fire: Fire) -> None:
    """Lin Yue hears of a small fire when they have to leave for a meeting, and runs to the fire."""
    course = replace(usual_course("A fire breaks out", "en"), weight=7, reach=40)
    small = begin_happening(CAFE, "A fire breaks out", course, NOON)
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((small,)))
    fire.put(LIN, SQUARE)
    tea = Entry(741, 801, "having tea", "appointment", address=STUDIO)
    day = fire.game.state.schedule(LIN)
    fire.game.state.put(keys.SCHEDULE.of(LIN), day.splice(tea))
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
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((burnt,)))
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
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((burning,)))
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
    fire.game.state.put(keys.HAPPENINGS.key, Happenings((pipe,)))
    now = fire.game.state.clock.now
    fire.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, now))
    fire.step()
    asked = [each for each in fire.alarm.alarms if each.situation.me.id == LIN]
    assert CHEN in [each.id for one in asked for each in one.neighbours]


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
