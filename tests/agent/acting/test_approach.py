"""Residents decide about those whom they have in mind as soon as these can be found."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import orjson
import pytest

from benchmarks.decisions import count_decisions, count_in_recording
from hometown.agent.acting.act import decide
from hometown.agent.acting.chances import (
    find_chances,
)
from hometown.agent.acting.note_leaving import GIVEN_PREDICATE, NOTE_PREDICATE
from hometown.agent.acting.partners import may_speak_to
from hometown.memory.action import Action
from hometown.memory.schedule import Entry, PlacedEntry, Schedule, Task, Tasks
from hometown.model.llm import Completion, Request
from hometown.prompt.approach_prompt import ApproachVars
from hometown.prompt.dialogue import UtteranceVars
from hometown.prompt.reactions import CONTINUE
from hometown.storage.recordings import find_recording
from hometown.world import keys
from hometown.world.incidents import Happening, Happenings
from hometown.world.rows import Body, Promise, Promises, Relation, Talking
from tests.support.noon_town import (
    CAFE,
    CHEN,
    LIN,
    NOON,
    PARK,
    SQUARE,
    STUDIO,
    TELLING,
    Deciding,
    Noon,
)


def test_who_is_named_in_the_task_is_asked_about_at_once_and_once(town: Noon) -> None:
    town.step()
    (asked,) = town.model.asked
    (one,) = asked.people
    assert (one.neighbour.id, one.kind, one.state, one.choices) == (CHEN, "task", "free", ("talk",))
    town.step()
    assert len(town.model.asked) == 1, "the reason has been answered"


def test_no_cooldown_stands_in_the_way_of_a_reason(town: Noon) -> None:
    now = town.game.state.clock.now
    entry = Entry(720, 1440, TELLING, address=SQUARE)
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(now.date(), (Entry(0, 720, "x"), entry)))
    for one, other in ((LIN, CHEN), (CHEN, LIN)):
        last = NOON - timedelta(minutes=10)
        town.game.state.put(keys.RELATION.of(one, other), Relation(1, last))
    town.model.decide = lambda asked: "talk to 1"
    town.step()
    assert town.game.state.relation(LIN, CHEN).talks == 2
    town.step()
    assert len(town.model.asked) == 1, "they have talked about it"
    assert town.failures() == []


def test_the_other_is_looked_for_and_then_spoken_to(town: Noon) -> None:
    town.put(CHEN, STUDIO)
    town.model.decide = lambda asked: (
        "talk to 1" if "talk" in asked.people[0].choices else "go to 1"
    )
    for _ in range(4):
        town.step()
    first, *_, last = town.model.asked
    assert first.people[0].state == "away"
    assert last.people[0].state == "free"
    assert town.game.state.relation(LIN, CHEN).talks == 1
    assert town.failures() == []


def test_looking_in_vain_is_remembered_and_the_next_place_is_offered(town: Noon) -> None:
    town.put(CHEN, CAFE)
    town.model.decide = lambda asked: "go to 1" if "go" in asked.people[0].choices else CONTINUE
    for _ in range(6):
        town.step()
    places = [
        asked.people[0].place for asked in town.model.asked if "go" in asked.people[0].choices
    ]
    assert len(places) == len(set(places)) >= 2
    assert len(town.failures()) >= 1
    known = [memory.text for memory in town.model.asked[-1].memories]
    assert town.failures()[0] in known, "the next decision knows of it"


def test_a_busy_one_can_be_waited_for(town: Noon) -> None:
    until = town.game.state.clock.now + timedelta(minutes=12)
    town.game.state.put(keys.TALKING.of(CHEN), Talking("1-x", "wang_fang", until))
    town.model.decide = lambda asked: (
        "talk to 1" if "talk" in asked.people[0].choices else "wait for 1"
    )
    for _ in range(4):
        town.step()
    assert [asked.people[0].state for asked in town.model.asked] == ["busy", "free"]
    assert town.game.state.relation(LIN, CHEN).talks == 1


def test_who_does_not_come_to_a_meeting_can_be_waited_for_in_vain(town: Noon) -> None:
    town.plan(LIN, "drinking tea", kind="appointment", address=SQUARE)
    town.put(CHEN, STUDIO)
    start = town.game.state.clock.now
    promise = Promise("drinking tea", (LIN, CHEN), SQUARE, start, 120, "1-x")
    town.game.state.put(keys.PROMISES.of(LIN), Promises((promise,)))
    town.model.decide = lambda asked: (
        "wait for 1" if "wait" in asked.people[0].choices else CONTINUE
    )
    for _ in range(5):
        town.step()
    assert next(asked.people[0].kind for asked in town.model.asked) == "agreement"
    assert town.failures() == [
        "Lin Yue waited for Chen Siyuan at the town square, but Chen Siyuan did not come,"
        " and it is still unsaid: the poster"
    ]


def test_an_approach_that_comes_to_nothing_is_remembered_without_a_guess_at_why(town: Noon) -> None:
    leaving = Schedule(NOON.date(), (Entry(0, 1440, "meeting", "appointment", CAFE),))
    town.game.state.put(keys.SCHEDULE.of(CHEN), leaving)
    town.game.state.put(keys.ACTION.of(CHEN), Action("act", "meeting", CAFE, 60, ""))
    town.model.decide = lambda asked: "talk to 1"
    town.step()
    town.step()
    assert town.failures() == [
        "Lin Yue wanted a word with Chen Siyuan at the town square, "
        "but there was no chance, and it is still unsaid: the poster"
    ]


def test_nobody_waits_for_one_who_has_come(town: Noon) -> None:
    town.plan(LIN, "drawing")
    now = town.game.state.clock.now
    wait = Action("wait", "waiting for Chen Siyuan", SQUARE, 30, "⏳", started=now)
    town.game.state.put(keys.ACTION.of(LIN), wait)
    assert town.mind().situation.doing == "waiting for Chen Siyuan (who is here now)"
    action = asyncio.run(decide(town.mind(), ())).action
    assert action is not None
    assert action.activity == "drawing"
    town.put(CHEN, PARK)
    assert town.mind().situation.doing == "waiting for Chen Siyuan"
    assert asyncio.run(decide(town.mind(), ())).action is None


def test_a_conversation_is_joined_when_it_ends(town: Noon) -> None:
    until = town.game.state.clock.now + timedelta(minutes=12)
    town.plan("wang_fang", "reading a book")
    town.put("wang_fang", SQUARE)
    for one, other in ((CHEN, "wang_fang"), ("wang_fang", CHEN)):
        town.game.state.put(keys.TALKING.of(one), Talking("1-x", other, until))
    town.model.decide = lambda asked: "join 1"
    for _ in range(4):
        town.step()
    (asked,) = town.model.asked
    assert asked.people[0].company == "Wang Fang"
    assert town.game.state.relation(LIN, CHEN).talks == 1
    assert town.game.state.relation(LIN, "wang_fang").talks == 1, "she talks with both"


def test_what_the_task_brings_is_handed_over_and_both_remember(town: Noon) -> None:
    town.plan(LIN, "bringing Chen Siyuan his thermos", address=SQUARE)
    town.model.decide = lambda asked: "hand over to 1"
    town.step()
    assert "hand" in town.model.asked[0].people[0].choices
    free = town.mind().words.say("free_time")
    assert town.game.state.schedule(LIN).at(740).activity == free, "it is done"
    for who in (LIN, CHEN):
        assert town.texts(who, GIVEN_PREDICATE) == ["Lin Yue gave Chen Siyuan this: the poster"]
    assert town.game.state.relation(LIN, CHEN).talks == 1


def test_a_note_is_found_where_the_other_works(town: Noon) -> None:
    town.put(CHEN, CAFE)
    town.model.decide = lambda asked: (
        "leave a note for 1" if "note" in asked.people[0].choices else "go to 1"
    )
    house = "studio"
    for _ in range(9):
        town.step()
        if town.game.state.notes(house):
            break
    (note,) = town.game.state.notes(house)
    assert (note.writer, note.reader, note.text) == (LIN, CHEN, "the poster")
    asked = len(town.model.asked)
    town.put(CHEN, STUDIO)
    for _ in range(3):
        town.step()
    assert town.game.state.notes(house) == ()
    assert town.texts(CHEN, NOTE_PREDICATE) == [
        "Chen Siyuan found a note from Lin Yue at Innovation Studio: “the poster”"
    ]
    assert len(town.model.asked) == asked, "the note has seen to it"


def test_a_thing_for_one_who_is_there_can_be_handed_over_whatever_else_is_planned(
    town: Noon,
) -> None:
    town.intend("Lin Yue means to return the old book to Chen Siyuan")
    town.step()
    (one,) = town.model.asked[0].people
    assert (one.kind, one.choices[:2]) == ("task", ("talk", "hand"))
    assert "old book" in one.gift


def test_an_alarm_lifts_the_cooldown_of_all_in_reach(town: Noon) -> None:
    mind = town.mind()
    now = town.game.state.clock.now
    town.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, now - timedelta(minutes=5)))
    assert not may_speak_to(mind, CHEN)
    fire = Happening(f"{SQUARE}", "A fire has broken out!", now + timedelta(hours=1), 20)
    town.game.state.put(keys.HAPPENINGS.key, Happenings((fire,)))
    assert may_speak_to(town.mind(), CHEN)


def test_a_visit_is_given_up_before_its_reason_is_weighed(town: Noon) -> None:
    """Otherwise the question would depend on how long the memories of the step take."""
    home = "chen_home/living"
    visit = PlacedEntry(0, 1440, "visiting Chen Siyuan at home", room=home)
    mind, rows = town.mind(), town.game.state
    nobody_in = mind.words.say("nobody_in", place=mind.words.name("chen_home"))
    town.put(CHEN, CAFE)
    rows.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), (visit,)))
    rows.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 1440, visit.activity),)))
    rows.put(keys.ACTION.of(LIN), Action("act", visit.activity, home, 1440))
    rows.put(keys.BODY.of(LIN), replace(rows.body(LIN), refused=nobody_in))
    mind = town.mind()
    asyncio.run(decide(mind, ()))
    assert mind.state.schedule(LIN).at(mind.minute).activity == mind.words.say("free_time")
    assert not town.model.asked


def test_nobody_is_known_to_be_where_they_were_not_seen(town: Noon) -> None:
    town.put(CHEN, CAFE)
    for chance in find_chances(town.mind()):
        assert CAFE not in chance.rooms, "Lin Yue has not seen Chen Siyuan there"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_nobody_waits_for_a_question_that_their_own_task_raises(lang: Any) -> None:
    found = count_decisions("minitown", lang, 1, 48)
    assert found.calls["approach"] > 0
    assert found.waited <= 2
    assert sum(found.departed.values()) >= 0.25 * found.made


@pytest.mark.parametrize("name", ["recorded-en", "recorded-zh"])
def test_nobody_waited_in_a_recorded_town_where_a_capable_mind_decided(name: str) -> None:
    found = count_in_recording(find_recording(name))
    assert found.waited <= 2
    assert found.made >= 0.2 * found.calls.total()


def test_each_brings_up_what_they_wanted_to_talk_about(town: Noon) -> None:
    town.plan(CHEN, "returning the thermos to Lin Yue")
    town.put(CHEN, SQUARE)
    spoken: dict[str, set[str]] = {}

    class Both(Deciding):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            v = request.variables
            if isinstance(v, ApproachVars):
                is_lin = v.situation.me.id == LIN
                reply = {
                    "decision": "talk to 1" if is_lin else "hand over to 1",
                    "topic": "the poster" if is_lin else "the thermos",
                }
                return Completion(orjson.dumps(reply).decode(), 1, 1)
            if isinstance(v, UtteranceVars):
                spoken.setdefault(v.situation.me.id, set()).add(
                    "\n".join(message.content for message in request.messages)
                )
            return await super().complete(request, seed=seed, priority=priority)

    town.game.caller.model = Both(lambda asked: CONTINUE)
    town.step()
    assert all("the poster" in prompt for prompt in spoken[LIN])
    assert all("the thermos" in prompt for prompt in spoken[CHEN])
    for who in (LIN, CHEN):
        assert town.texts(who, GIVEN_PREDICATE) == ["Chen Siyuan gave Lin Yue this: the thermos"]


def test_who_has_company_can_be_awaited_until_they_are_alone(town: Noon) -> None:
    other = "zhang_wei"
    town.plan(other, "reading a book")
    town.put(other, SQUARE)
    for who in (CHEN, other):  # neither turns to Lin Yue
        town.game.state.put(keys.RELATION.of(who, LIN), Relation(1, NOON))
    town.model.decide = lambda asked: "wait for 1"
    town.step()
    one, near = town.model.asked[-1].people
    assert one.choices == ("talk", "wait")
    assert town.model.asked[-1].hearers == "Zhang Wei"
    assert (near.neighbour.name, near.kind, near.choices) == ("Zhang Wei", "near", ("talk",))
    assert town.game.state.action(LIN).activity == "waiting for a word alone with Chen Siyuan"
    town.model.decide = lambda asked: "talk to 1"
    asked = len(town.model.asked)
    town.step()
    assert len(town.model.asked) == asked, "Zhang Wei is still there"
    town.put(other, CAFE)
    town.step()
    assert town.model.asked[-1].people[0].choices == ("talk",)
    assert len(town.model.asked) == asked + 1


def test_no_preparation_for_a_meeting_replaces_what_is_planned_at_its_place(town: Noon) -> None:
    entries = (
        Entry(0, 750, "drawing", address=SQUARE),
        Entry(750, 760, "laying out the sketches", address=CAFE, origin="reason:1"),
        Entry(760, 1440, "choosing the lettering", "appointment", CAFE),
    )
    town.plan_day(LIN, *entries)
    town.game.state.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 750, "drawing"),)))
    done = []
    for _ in range(3):
        town.step()
        done.append(town.game.state.action(LIN).activity)
    assert entries[1].activity in done
    assert town.mind().words.say("in_time_for", what=entries[2].activity) not in done


def test_what_one_does_with_others_is_over_when_they_have_left(town: Noon) -> None:
    town.plan(LIN, "drinking tea with Chen Siyuan")
    town.put(LIN, SQUARE)
    town.step()
    town.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(last=NOON + timedelta(minutes=5)))
    assert town.game.state.action(LIN).activity == "drinking tea with Chen Siyuan"
    town.put(CHEN, CAFE)
    town.step()
    assert town.game.state.schedule(LIN).at(12 * 60 + 25).activity == "taking some time off"
    assert "tea" not in town.game.state.action(LIN).activity


def test_there_is_time_for_a_word_before_an_appointment_but_not_on_the_way(town: Noon) -> None:
    soon = (Entry(0, 740, TELLING), Entry(740, 1440, "meeting", "appointment", CAFE))
    town.plan_day(LIN, *soon)
    assert [chance.choices for chance in find_chances(town.mind())] == [("talk",)]
    town.game.state.put(keys.ACTION.of(LIN), Action("act", "meeting", CAFE, 60))
    late = town.mind(LIN, NOON.replace(minute=50))
    assert find_chances(late) == []


def test_nobody_is_looked_for_before_the_room_of_the_task_is_reached(town: Noon) -> None:
    town.put(CHEN, CAFE)
    begun = (Entry(0, 725, "reading"), PlacedEntry(725, 1440, TELLING, room=PARK))
    town.plan_day(LIN, *begun)
    now = NOON.replace(minute=10)
    assert find_chances(town.mind(LIN, now)) == []
    town.game.state.put(keys.BODY.of(LIN), Body(town.game.world.open_tiles[PARK][0]))
    (chance,) = find_chances(town.mind(LIN, NOON.replace(minute=20)))
    assert "go" in chance.choices
