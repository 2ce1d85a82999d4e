"""Residents change their day for reasons of their own: once for each, and all at once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.agent.acting.act import decide
from hometown.agent.deferred import is_reason
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.intent import Intent
from hometown.agent.planning.agreements import enter_agreements
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.plan_clashes import CALLED_OFF_PREDICATE, Decision, settle_clashes
from hometown.agent.planning.plan_settling import settle_memories
from hometown.agent.planning.reconsider import raise_due_intentions, reconsider
from hometown.game import Game
from hometown.language import Lang
from hometown.memory.concept import (
    INTENTION_PREDICATE,
    NEVER,
    OVERHEARD_PREDICATE,
    PLAN_PREDICATE,
    Concept,
)
from hometown.memory.schedule import Entry, Schedule, Task, Tasks
from hometown.model.llm import Completion, Request
from hometown.prompt.clashes import CLASH, ClashReply
from hometown.prompt.keeping import restore_variables
from hometown.prompt.second_thoughts import ReconsiderVars
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.conversation import Conversation
from hometown.world.effects import Rescheduled
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.outside import visible_act
from hometown.world.pending import Question, Questions, Unsummed
from hometown.world.rows import Promise
from tests.support.prompt_samples import MEMORIES
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"
NOON = datetime(2025, 2, 13, 12, 0)

APOLOGISING = {
    "activity": "apologising to Chen Siyuan",
    "start": "17:00",
    "minutes": 60,
    "where": 0,
}


class Resolved(ScriptedModel):
    """A model that answers every reconsideration alike, and notes what it was asked."""

    def __init__(self, reply: dict[str, Any]) -> None:
        self.reply = reply
        self.asked: list[ReconsiderVars] = []
        self.place = ""

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if isinstance(request.variables, ReconsiderVars):
            self.asked.append(request.variables)
            listed = [address for address, _ in request.variables.places]
            where = next((at for at, one in enumerate(listed, 1) if self.place in one), 0)
            self.reply |= {"where": where if self.place else 0}
            return Completion(orjson.dumps(self.reply).decode(), 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


class Noon:
    """A town at noon whose residents answer reconsiderations with `reply`."""

    def __init__(self, folder: Path, reply: dict[str, Any]) -> None:
        begin_town(folder, start=NOON)
        self.model = Resolved(reply)
        self.run = RunFile.open(folder, "town", write=True)
        self.game: Game = game_on(self.run, minitown(), self.model)
        self.minds: dict[str, Mind] = minds_of(self.game, [LIN, CHEN])
        mind = self.minds[LIN]
        plan = (
            Entry(0, 780, "drawing"),
            Entry(780, 840, "telling Chen Siyuan about the poster"),
            Entry(840, 1380, "reading"),
            Entry(1380, 1440, "sleeping", "sleep"),
        )
        mind.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), plan))

    def remember(self, text: str, rating: int = 7) -> Concept:
        memory = NewMemory("chat", text, LIN, "talk", CHEN, about=(CHEN,))
        (made,) = asyncio.run(self.minds[LIN].remember([memory], [rating], "rule:test"))
        return made

    def activities(self) -> list[str]:
        return [entry.activity for entry in self.minds[LIN].state.schedule(LIN).entries]


@pytest.fixture
def town(tmp_path: Path) -> Any:
    noon = Noon(tmp_path, APOLOGISING | {"drop": [2]})
    with noon.run:
        yield noon


def test_reasons_of_one_step_are_considered_at_once_and_once(town: Noon) -> None:
    mind = town.minds[LIN]
    for text in ("They quarrelled over the poster", "Lin Yue told everything"):
        give_reason(mind, town.remember(text), "rule:test")
    asyncio.run(reconsider(mind))
    asyncio.run(reconsider(mind))
    (asked,) = town.model.asked
    assert [memory.text for memory in asked.happened] == [
        "They quarrelled over the poster",
        "Lin Yue told everything",
    ]
    assert any("Chen" in name for _, name in asked.places), "the home of the other is offered"
    assert town.activities() == [
        "drawing",
        mind.words.say("free_time"),
        "reading",
        "apologising to Chen Siyuan",
        "reading",
        "sleeping",
    ]
    assert mind.state.reasons(LIN) == ()


def test_the_day_is_reconsidered_when_the_last_conversation_is_summed_up(town: Noon) -> None:
    mind = town.minds[LIN]
    talk = Conversation("1-a", 1, LIN, CHEN, "park/grounds", NOON, 10, (), "", "closing")
    mind.state.put(keys.UNSUMMED.of(talk.id), Unsummed(talk))
    pending = Questions((Question("conversation_summary", "{}", talk=talk.id),))
    mind.state.put(keys.QUESTIONS.of(LIN), pending)
    reason = town.remember("They quarrelled over the poster", 8)
    give_reason(mind, reason, "rule:test")
    asyncio.run(reconsider(mind))
    assert town.model.asked == []
    assert mind.state.reasons(LIN) == (reason.id,)
    mind.state.put(keys.QUESTIONS.of(LIN), Questions())
    asyncio.run(reconsider(mind))
    assert len(town.model.asked) == 1


@pytest.mark.parametrize(
    ("reply", "seen"),
    [
        ({}, "busy with something"),
        ({"seen": "walking about"}, "walking about"),
        ({"activity": "airing my fears"}, "airing her fears"),
    ],
)
def test_others_see_of_a_resolution_what_its_owner_shows(
    town: Noon, reply: dict[str, Any], seen: str
) -> None:
    mind = town.minds[LIN]
    town.model.reply = APOLOGISING | {"activity": "humming Chen Siyuan's song"} | reply
    give_reason(mind, town.remember("They quarrelled"), "rule:test")
    asyncio.run(reconsider(mind))
    mind.now, mind.minute = NOON.replace(hour=17), 17 * 60
    entry = mind.state.schedule(LIN).at(17 * 60)
    action = asyncio.run(begin_at_entry(mind)).action
    assert action is not None
    assert entry.activity == action.activity
    assert visible_act(mind.world, mind.who, action, mind.arena, mind.now, lambda _: True) == seen


async def begin_at_entry(mind: Mind) -> Intent:
    """Return the intent to begin the entry of the plan that is due."""
    place = mind.world.personas[LIN].home
    schedule = mind.state.schedule(LIN)
    due = schedule.at(mind.minute)
    entries = tuple(
        replace(each, address=place) if each is due else each for each in schedule.entries
    )
    mind.do(Rescheduled(LIN, replace(schedule, entries=entries), "rule:test"), "rule:test")
    return await decide(mind, ())


@pytest.mark.parametrize("bed", [23 * 60, 25 * 60])
def test_before_the_night_what_is_left_of_today_comes_to_mind(town: Noon, bed: int) -> None:
    mind, told = town.minds[LIN], []
    schedule = mind.state.schedule(LIN)
    waking = tuple(each for each in schedule.entries if each.start < bed and each.kind != "sleep")
    asleep = [Entry(bed, 1440, "sleeping", "sleep")] if bed < 1440 else []
    entries = (*waking[:-1], replace(waking[-1], end=min(bed, 1440)), *asleep)
    mind.state.put(keys.SCHEDULE.of(LIN), replace(schedule, entries=entries))
    for text in (
        "Lin Yue will give Chen Siyuan the key today.",
        "Lin Yue will tell Mei nothing today.",
    ):
        memory = NewMemory("thought", text, LIN, INTENTION_PREDICATE, CHEN, about=(CHEN,))
        told += asyncio.run(mind.remember([memory], [5], "rule:test"))
    for hour, reasons in ((15, ()), (22 + (bed > 1440), (told[0].id,))):
        mind.now, mind.minute = NOON.replace(hour=hour), hour * 60
        raise_due_intentions(mind)
        assert mind.state.reasons(LIN) == reasons
    town.model.reply["drop"] = []
    asyncio.run(reconsider(mind))
    (asked,) = town.model.asked
    assert told[0] in asked.open_intentions


def test_the_plan_of_the_morning_is_not_remembered_beside_the_present_one(town: Noon) -> None:
    mind = town.minds[LIN]
    quarrel = town.remember("They quarrelled over the poster")
    plan = NewMemory("plan", quarrel.text, LIN, PLAN_PREDICATE)
    (made,) = asyncio.run(mind.remember([plan], [9], "rule:test"))
    give_reason(mind, quarrel, "rule:test")
    asyncio.run(reconsider(mind))
    (asked,) = town.model.asked
    assert asked.memories
    assert made not in asked.memories


def test_near_sleep_nothing_is_asked(town: Noon) -> None:
    mind = town.minds[LIN]
    plan = Schedule(NOON.date(), (Entry(0, 735, "drawing"), Entry(735, 1440, "sleeping", "sleep")))
    mind.state.put(keys.SCHEDULE.of(LIN), plan)
    give_reason(mind, town.remember("They quarrelled"), "rule:test")
    asyncio.run(reconsider(mind))
    assert town.model.asked == []
    assert mind.state.reasons(LIN) == ()


@pytest.mark.parametrize("keep", [1, 2])
def test_a_resolution_never_overrules_an_appointment_in_silence(town: Noon, keep: int) -> None:
    mind = town.minds[LIN]
    both = Promise("tasting noodles", (LIN, CHEN), "cafe/main", NOON.replace(hour=17), 60, "1-talk")
    asyncio.run(enter_agreements([both], town.minds, dict.fromkeys(town.minds, "rule:test")))
    give_reason(mind, town.remember("They quarrelled"), "rule:test")
    town.model.reply = APOLOGISING | {"activity": "drawing Chen Siyuan"}
    asyncio.run(reconsider(mind))
    assert both.what in town.activities(), "nothing is decided yet"
    (question,) = (each for each in mind.state.questions(LIN) if each.kind == CLASH.kind)
    asked = restore_variables(
        CLASH.variables, question.variables, mind.situation, mind.state.memory(LIN)
    )
    decision = Decision(LIN, ClashReply(keep=keep, say="Another day!"), "rule:test", asked)
    asyncio.run(settle_clashes([decision], town.minds.__getitem__))
    assert (both.what in town.activities()) == (keep == 1)
    assert ("drawing Chen Siyuan" in town.activities()) == (keep == 2)
    for one in town.minds.values():
        off = [
            memory
            for memory in one.state.memory(one.who).concepts.values()
            if memory.predicate == CALLED_OFF_PREDICATE
        ]
        assert len(off) == (keep == 2)


def test_a_word_of_some_minutes_makes_nobody_break_a_long_appointment(town: Noon) -> None:
    mind = town.minds[LIN]
    both = Promise("sowing", (LIN, CHEN), "cafe/main", NOON.replace(hour=16), 180, "1-talk")
    asyncio.run(enter_agreements([both], town.minds, dict.fromkeys(town.minds, "rule:test")))
    give_reason(mind, town.remember("The seed is to be fetched"), "rule:test")
    word = {"activity": "telling Zhang Wei about the seed", "start": "16:20", "minutes": 10}
    town.model.reply, town.model.place = APOLOGISING | word, "park"
    asyncio.run(reconsider(mind))
    assert mind.state.questions(LIN) == ()
    at = mind.state.schedule(LIN).at
    assert [at(minute).activity for minute in (970, 980, 990)] == [
        both.what,
        word["activity"],
        both.what,
    ]


def test_what_is_to_be_said_to_the_other_is_said_at_the_meeting_with_them(town: Noon) -> None:
    mind = town.minds[LIN]
    both = Promise("tasting noodles", (LIN, CHEN), "cafe/main", NOON.replace(hour=17), 60, "1-talk")
    asyncio.run(enter_agreements([both], town.minds, dict.fromkeys(town.minds, "rule:test")))
    give_reason(mind, town.remember("They quarrelled"), "rule:test")
    asyncio.run(reconsider(mind))
    assert "tasting noodles; apologising to Chen Siyuan" in town.activities()
    assert mind.state.questions(LIN) == (), "no clash"


@pytest.mark.parametrize("where", ["", "park"])
def test_the_same_act_with_the_same_person_is_no_clash(town: Noon, where: str) -> None:
    mind = town.minds[LIN]
    both = Promise(
        "going through the script", (LIN, CHEN), "cafe/main", NOON.replace(hour=17), 60, "1-talk"
    )
    asyncio.run(enter_agreements([both], town.minds, dict.fromkeys(town.minds, "rule:test")))
    give_reason(mind, town.remember("The script still has a bug; the park is quiet"), "rule:test")
    town.model.reply = APOLOGISING | {"activity": "going through the script with Chen Siyuan"}
    town.model.place = where
    asyncio.run(reconsider(mind))
    assert mind.state.questions(LIN) == ()
    assert town.activities().count(both.what) == 1
    assert "going through the script with Chen Siyuan" not in town.activities()
    wishes = [
        memory
        for memory in mind.state.memory(LIN).concepts.values()
        if memory.predicate == INTENTION_PREDICATE and "script" in memory.text
    ]
    assert len(wishes) == bool(where), "another place is a matter to raise with the other"
    assert all(memory.about == (CHEN,) for memory in wishes)


def test_what_is_settled_leaves_the_plan(town: Noon) -> None:
    mind = town.minds[LIN]
    memory = NewMemory("thought", "Lin Yue means to apologise", LIN, "intend", about=(CHEN,))
    (made,) = asyncio.run(mind.remember([memory], [7], "rule:test"))
    town.model.reply = APOLOGISING
    give_reason(mind, made, "rule:test")
    asyncio.run(reconsider(mind))
    assert "apologising to Chen Siyuan" in town.activities()
    settle_memories(mind, [made], "rule:test")
    assert "apologising to Chen Siyuan" not in town.activities()


def test_a_weighty_intention_is_a_reason_and_a_passing_thought_is_none() -> None:
    thought = MEMORIES[0]
    for predicate, rating, expected in (
        ("intend", 5, True),
        ("intend", 4, False),
        ("think", 8, False),
        ("think", 9, True),
    ):
        assert is_reason(replace(thought, predicate=predicate, poignancy=rating), "en") == expected


def test_what_can_wait_is_considered_when_the_next_entry_is_due(town: Noon) -> None:
    mind = town.minds[LIN]
    mind.state.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 780, "drawing"),)))
    give_reason(mind, town.remember("They talked about the poster", 5), "rule:test")
    asyncio.run(reconsider(mind))
    assert town.model.asked == []
    assert len(mind.state.reasons(LIN)) == 1
    mind.state.put(keys.TASKS.of(LIN), Tasks())
    asyncio.run(reconsider(mind))
    assert len(town.model.asked) == 1
    assert mind.state.reasons(LIN) == ()


@pytest.mark.parametrize(
    ("text", "lang", "is_for_today"),
    [
        ("Ana will ask Tom about the lamp this evening.", "en", True),
        ("Ana will ask Tom about the lamp tomorrow.", "en", False),
        ("Ana saw Tom this evening.", "en", False),
        ("安娜打算今晚问问汤姆。", "zh", True),
    ],
)
def test_an_intention_for_today_is_a_reason_whatever_its_weight(
    text: str, lang: Lang, is_for_today: bool
) -> None:
    made = datetime(2025, 2, 13, 14)
    thought = Concept(1, "thought", text, "ana", "think", "", "", 1, made, NEVER)
    assert is_reason(thought, lang) == is_for_today


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("Ana will keep the shop tidy.", "en", True),
        ("Ana will keep the shop tidy from next week on.", "en", False),
        ("安娜打算从下周起收拾店面。", "zh", False),
    ],
)
def test_an_intention_for_a_day_left_open_is_no_reason(
    text: str, lang: Lang, expected: bool
) -> None:
    thought = replace(MEMORIES[0], text=text, predicate=INTENTION_PREDICATE, poignancy=9)
    assert is_reason(thought, lang) == expected


def wish(town: Noon, text: str, rating: int = 8, predicate: str = INTENTION_PREDICATE) -> Concept:
    memory = NewMemory("thought", text, LIN, predicate, about=(CHEN,))
    (made,) = asyncio.run(town.minds[LIN].remember([memory], [rating], "rule:test"))
    return made


def test_a_resolution_is_no_event_and_any_open_wish_can_be_named_as_settled(town: Noon) -> None:
    mind = town.minds[LIN]
    whisper = wish(town, "Lin Yue wants to find out who rings the bell", predicate=VOICE_PREDICATE)
    resolved = wish(town, "Lin Yue means to apologise at five")
    town.model.reply = APOLOGISING | {"settled": [2]}
    give_reason(mind, resolved, "rule:test")
    asyncio.run(reconsider(mind))
    (asked,) = town.model.asked
    assert asked.happened == ()
    assert [memory.id for memory in asked.open_intentions] == [resolved.id, whisper.id]
    assert whisper.id in mind.state.settled_memories(LIN)
    assert resolved.id not in mind.state.settled_memories(LIN)
    assert "apologising to Chen Siyuan" in town.activities()


def test_an_entry_of_a_wish_that_is_dropped_for_good_settles_the_wish(town: Noon) -> None:
    mind = town.minds[LIN]
    resolved = wish(town, "Lin Yue means to apologise at five")
    town.model.reply = APOLOGISING
    give_reason(mind, resolved, "rule:test")
    asyncio.run(reconsider(mind))
    at = 1 + town.activities().index("apologising to Chen Siyuan")
    town.model.reply = APOLOGISING | {"activity": "", "drop": [at]}
    give_reason(mind, town.remember("They made it up", 8), "rule:test")
    asyncio.run(reconsider(mind))
    assert "apologising to Chen Siyuan" not in town.activities()
    assert resolved.id in mind.state.settled_memories(LIN)


def test_what_is_planned_already_is_no_reason_to_plan_again(town: Noon) -> None:
    mind = town.minds[LIN]
    planned = wish(town, "Lin Yue means to tell Chen Siyuan about the poster")
    give_reason(mind, planned, "rule:test")
    asyncio.run(reconsider(mind))
    assert town.model.asked == []
    assert mind.state.reasons(LIN) == ()


def test_what_is_agreed_for_its_hour_with_the_other_is_no_reason_to_plan_again(town: Noon) -> None:
    mind = town.minds[LIN]
    coffee = Promise("having coffee", (LIN, CHEN), "cafe/main", NOON.replace(hour=20), 60, "talk")
    asyncio.run(enter_agreements([coffee], town.minds, dict.fromkeys(town.minds, "rule:test")))
    text = "Lin Yue tells Chen Siyuan the rest today at 20:00"
    memory = NewMemory("thought", text, LIN, INTENTION_PREDICATE, about=(CHEN,))
    (made,) = asyncio.run(mind.remember([memory], [9], "rule:test"))
    give_reason(mind, made, "rule:test")
    asyncio.run(reconsider(mind))
    assert town.model.asked == []


def test_an_intention_for_which_the_plan_has_a_line_is_no_reason_to_plan_again(town: Noon) -> None:
    mind = town.minds[LIN]
    meant = wish(town, "Lin Yue means to make it a little party for everybody in the shop")
    line = Entry(840, 900, "binding roses", origin=f"reason:{meant.id}")
    mind.state.put(keys.SCHEDULE.of(LIN), mind.state.schedule(LIN).splice(line))
    give_reason(mind, meant, "rule:test")
    asyncio.run(reconsider(mind))
    assert town.model.asked == []


@pytest.mark.parametrize(("rating", "times"), [(5, 0), (7, 1)])
def test_a_line_overheard_changes_a_day_only_if_it_is_weighty_news(
    town: Noon, rating: int, times: int
) -> None:
    mind = town.minds[LIN]
    memory = NewMemory("event", "Lin Yue overheard a joke", LIN, OVERHEARD_PREDICATE, CHEN)
    (heard,) = asyncio.run(mind.remember([memory], [rating], "rule:test"))
    give_reason(mind, heard, "rule:test")
    asyncio.run(reconsider(mind))
    assert len(town.model.asked) == times
    assert mind.state.reasons(LIN) == ()
    for reason in (heard, town.remember("They quarrelled")):
        give_reason(mind, reason, "rule:test")
    asyncio.run(reconsider(mind))
    assert [heard in asked.happened for asked in town.model.asked][-1] == bool(times)


def test_the_hour_of_an_intention_is_not_missed_in_a_conversation_or_asleep(town: Noon) -> None:
    """Those who are named as owners alone are not approached about it either."""
    mind = town.minds[LIN]
    begins = mind.now + timedelta(minutes=20)
    mended = wish(town, f"Lin Yue will mend Chen Siyuan's chair at {begins:%H:%M}")
    wish(town, f"Lin Yue will ask Chen Siyuan at {begins:%H:%M}")
    raise_due_intentions(mind)
    assert mind.state.reasons(LIN) == (mended.id,)
    for _ in range(2):  # once they are free, before the next entry of the plan
        mind.state.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 780, "drawing"),)))
        asyncio.run(reconsider(mind))
    (asked,) = town.model.asked
    assert asked.open_intentions[0] == mended
    assert asked.resolved == 1


def test_an_answer_to_one_of_several_intentions_leaves_the_others_open(town: Noon) -> None:
    mind = town.minds[LIN]
    town.model.reply = APOLOGISING | {"activity": "mending the old chair"}
    for text in ("Lin Yue will mend the old chair", "Lin Yue will paint the sign of the inn"):
        give_reason(mind, wish(town, text), "rule:test")
    asyncio.run(reconsider(mind))
    (left,) = mind.state.reasons(LIN)
    assert "sign" in mind.state.memory(LIN).concept(left).text
    town.model.reply = APOLOGISING | {"activity": ""}
    asyncio.run(reconsider(mind))
    assert mind.state.reasons(LIN) == (), "the plan stays"


def test_what_concerns_the_other_is_done_at_the_meeting_with_them(town: Noon) -> None:
    mind = town.minds[LIN]
    chess = Promise("playing chess", (LIN, CHEN), "cafe/main", NOON.replace(hour=17), 60, "1-talk")
    asyncio.run(enter_agreements([chess], town.minds, dict.fromkeys(town.minds, "rule:test")))
    give_reason(mind, town.remember("They quarrelled"), "rule:test")
    town.model.reply = APOLOGISING | {"minutes": 20}
    asyncio.run(reconsider(mind))
    assert mind.state.questions(LIN) == (), "no clash"
    entries = mind.state.schedule(LIN).entries
    found = {entry.activity: entry.address for entry in entries if entry.start >= 17 * 60}
    assert found["apologising to Chen Siyuan"] == found["playing chess"] == "cafe/main"
