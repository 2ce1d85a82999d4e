"""Residents decide about those whom they have in mind as soon as these can be found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from benchmarks.decisions import count_decisions
from hometown.agent.acting.act import decide
from hometown.agent.acting.approach import conclude_approach, record_request
from hometown.agent.acting.chances import (
    FAILED_PREDICATE,
    find_chances,
    list_invitations,
)
from hometown.agent.acting.note_leaving import GIVEN_PREDICATE, NOTE_PREDICATE
from hometown.agent.acting.partners import may_speak_to
from hometown.agent.acting.reasons import HERE, find_reasons
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.concerned import find_concerned
from hometown.game import Game
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry, PlacedEntry, Schedule, Task, Tasks
from hometown.model.llm import Completion, Request
from hometown.prompt.approach_prompt import ApproachVars
from hometown.prompt.dialogue import UtteranceVars
from hometown.prompt.reactions import CONTINUE
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.approaches import AnsweredReason, Approaches
from hometown.world.incidents import Happening, Happenings
from hometown.world.rows import Body, Promise, Promises, Relation, Talking
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"
NOON = datetime(2025, 2, 13, 12, 0)
SQUARE, CAFE, STUDIO, PARK = "square/plaza", "cafe/main", "studio/workspace", "park/grounds"
TELLING = "telling Chen Siyuan about the poster"


class Deciding(ScriptedModel):
    """A model that decides by a rule about residents in mind, and notes what it was asked."""

    def __init__(self, decide: Callable[[ApproachVars], str]) -> None:
        self.decide = decide
        self.asked: list[ApproachVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if isinstance(request.variables, ApproachVars):
            self.asked.append(request.variables)
            reply = {"decision": self.decide(request.variables), "topic": "the poster"}
            return Completion(orjson.dumps(reply).decode(), 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


class Noon:
    """A town at noon, in which Lin Yue has Chen Siyuan in mind and all others are asleep."""

    def __init__(self, folder: Path) -> None:
        begin_town(folder, start=NOON)
        self.model = Deciding(lambda asked: CONTINUE)
        self.run = RunFile.open(folder, "town", write=True)
        self.game: Game = game_on(self.run, minitown(), self.model)
        for who in self.game.world.personas:
            if who not in (LIN, CHEN):
                self.plan(who, "sleeping", kind="sleep")
        self.plan(LIN, TELLING)
        self.plan(CHEN, "reading a book")
        self.put(LIN, SQUARE)
        self.put(CHEN, SQUARE)

    def plan(self, who: str, activity: str, **how: Any) -> None:
        """Give a resident one activity for the whole day."""
        rows = self.game.state
        entry = Entry(0, 1440, activity, **how)
        rows.put(keys.SCHEDULE.of(who), Schedule(NOON.date(), (entry,)))
        rows.put(keys.TASKS.of(who), Tasks(0, (Task(0, 1440, activity),)))

    def put(self, who: str, room: str) -> None:
        """Put a resident into a room, where they stay."""
        entry = self.game.state.schedule(who).entries[0]
        self.plan(who, entry.activity, kind=entry.kind, address=room)
        tile = self.game.world.open_tiles[room][0]
        self.game.state.put(keys.BODY.of(who), Body(tile))

    def mind(self, who: str = LIN) -> Mind:
        return minds_of(self.game, [who])[who]

    def step(self) -> None:
        asyncio.run(self.game.step())

    def failures(self) -> list[str]:
        memories = self.game.state.memory(LIN).concepts.values()
        return [memory.text for memory in memories if memory.predicate == FAILED_PREDICATE]


@pytest.fixture
def town(tmp_path: Path) -> Any:
    noon = Noon(tmp_path)
    with noon.run:
        yield noon


def test_who_is_named_in_the_task_is_asked_about_at_once_and_once(town: Noon) -> None:
    town.step()
    (asked,) = town.model.asked
    (one,) = asked.people
    assert (one.neighbour.id, one.kind, one.state, one.choices) == (CHEN, "task", "free", ("talk",))
    town.step()
    assert len(town.model.asked) == 1, "the reason has been answered"


def test_a_talk_that_was_meant_and_not_held_is_still_meant(town: Noon) -> None:
    """Lin Yue, for no reason, wants to talk with Chen Siyuan, who has left when they turn to them."""
    town.plan(LIN, "reading a book", address=SQUARE)
    town.put(CHEN, CAFE)
    mind = town.mind()
    record_request(mind, CHEN, "the spring exhibition", "rule:test")
    asyncio.run(conclude_approach(mind))
    assert [reason.text for reason in find_reasons(mind) if reason.other == CHEN] == [
        "Lin Yue wanted a word with Chen Siyuan at the town square, but Chen Siyuan was gone,"
        " and it is still unsaid: the spring exhibition"
    ]


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
        "Lin Yue waited for Chen Siyuan at the town square, but Chen Siyuan did not come"
    ]


def test_an_approach_to_one_who_has_no_time_is_remembered(town: Noon) -> None:
    leaving = Schedule(NOON.date(), (Entry(0, 1440, "meeting", "appointment", CAFE),))
    town.game.state.put(keys.SCHEDULE.of(CHEN), leaving)
    town.game.state.put(keys.ACTION.of(CHEN), Action("act", "meeting", CAFE, 60, ""))
    town.model.decide = lambda asked: "talk to 1"
    town.step()
    town.step()
    assert town.failures() == [
        "Lin Yue wanted a word with Chen Siyuan at the town square, "
        "but Chen Siyuan had no time just then"
    ]


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
        given = [
            memory.text
            for memory in town.game.state.memory(who).concepts.values()
            if memory.predicate == GIVEN_PREDICATE
        ]
        assert given == ["Lin Yue gave Chen Siyuan this: the poster"]
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
    found = [
        memory.text
        for memory in town.game.state.memory(CHEN).concepts.values()
        if memory.predicate == NOTE_PREDICATE
    ]
    assert found == ["Chen Siyuan found a note from Lin Yue at Innovation Studio: “the poster”"]
    assert len(town.model.asked) == asked, "the note has seen to it"


def test_others_can_be_asked_along_to_leisure_but_to_no_duty(town: Noon) -> None:
    entries = (
        Entry(0, 780, TELLING, address=SQUARE),
        PlacedEntry(780, 840, "holding office hours", room=SQUARE),
        PlacedEntry(840, 900, "designing over coffee", room=CAFE),
        PlacedEntry(900, 1440, "watching the dancing", room=PARK),
    )
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
    town.model.decide = lambda asked: "ask along 1"
    town.step()
    (asked,) = town.model.asked
    assert asked.people[0].invitations == ("15:00 watching the dancing, at the community park",)
    current = town.game.state.approaches(LIN).current
    assert current is not None
    assert current.topic == (
        "asking Chen Siyuan to come along: 15:00 watching the dancing, at the community park"
    )


def test_others_can_be_asked_to_join_what_one_does_now(town: Noon) -> None:
    now = Entry(0, 1440, "playing chess", address=SQUARE)
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), (now,)))
    assert list_invitations(town.mind(), CHEN) == ("now, here: playing chess",)
    due = PlacedEntry(0, 1440, "eating the last of the ribs", room=PARK)
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), (due,)))
    assert list_invitations(town.mind(), CHEN) == (), "it is to be done elsewhere"


def test_nobody_is_asked_along_to_look_for_them_but_to_what_is_for_them_in_their_own_house(
    town: Noon,
) -> None:
    zhao, song = "zhao_gang", "singing Zhao Gang the new song"
    entries = (
        Entry(0, 780, "reading", address="zhao_home/living"),
        PlacedEntry(780, 900, "looking for Zhao Gang in the crowd", room=SQUARE),
        PlacedEntry(900, 1440, song, room="zhao_home/living"),
    )
    town.game.state.put(keys.SCHEDULE.of("xiao_mei"), Schedule(NOON.date(), entries))
    (offered,) = list_invitations(town.mind("xiao_mei"), zhao)
    assert song in offered


def test_what_is_planned_for_another_is_the_first_thing_to_ask_them_along_to(town: Noon) -> None:
    """Also if it is at home, or to say something as well; what is only said is said at once."""
    teaching = "teaching Chen Siyuan the endgame"
    supper = "making noodles for Chen Siyuan, asking Chen Siyuan about the radio"
    entries = (
        Entry(0, 780, TELLING, address=SQUARE),
        PlacedEntry(780, 900, "watching the dancing", room=PARK),
        PlacedEntry(900, 1080, teaching, room=PARK),
        PlacedEntry(1080, 1140, supper, room="lin_home/living"),
        PlacedEntry(1140, 1440, TELLING, room=PARK),
    )
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
    first, second, third = list_invitations(town.mind(), CHEN)
    assert teaching in first
    assert supper in second
    assert "watching the dancing" in third


def test_to_turn_to_one_leaves_the_reason_to_turn_to_another(town: Noon) -> None:
    other = "wang_fang"
    town.plan(other, "reading a book")
    town.put(other, SQUARE)
    task = Entry(0, 1440, "telling Chen Siyuan and Wang Fang about the poster", address=SQUARE)
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), (task,)))
    town.game.state.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 1440, task.activity),)))
    town.model.decide = lambda asked: "talk to 1"
    town.step()
    (asked,) = town.model.asked
    assert [one.neighbour.id for one in asked.people] == [CHEN, other]
    made, key = town.game.state.approaches(LIN), f"task {task.activity}"
    assert made.answers(key, CHEN, HERE)
    assert not made.answers(key, other, HERE)


def test_private_acts_and_crumbs_of_the_plan_are_not_offered(town: Noon) -> None:
    entries = (
        Entry(0, 780, TELLING, address=SQUARE),
        PlacedEntry(780, 795, "watching the dancing", room=SQUARE),
        PlacedEntry(795, 900, "wondering about the secret song", room=PARK),
        PlacedEntry(900, 1440, "walking, with the letter in a pocket", room=PARK),
    )
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
    assert list_invitations(town.mind(), CHEN) == ("15:00 walking, at the community park",)


@pytest.mark.parametrize(
    ("text", "lang", "concerned"),
    [
        ("Lin Yue will not tell Chen Siyuan about the layoffs", "en", []),
        ("Lin Yue will tell Wang Fang, but not Chen Siyuan", "en", ["wang_fang"]),
        ("Lin Yue will not forget to thank Chen Siyuan", "en", [CHEN]),
        ("drawing three sketches for Wang Fang's poster", "en", []),
        ("asking Wang Fang's opinion of the sketches", "en", ["wang_fang"]),
        ("going through Chen Siyuan's error model with him", "en", [CHEN]),
        ("bringing Chen Siyuan's thermos back", "en", [CHEN]),
        ("writing the letter not showing it to Wang Fang", "en", []),
        ("finishing the card for Wang Fang before Chen Siyuan sees it", "en", ["wang_fang"]),
        ("putting up a notice: Zhang Wei speaks on light", "en", []),
        ("wants two signatures today, and would rather not ask Wang Fang", "en", []),
        ("asking everybody except Wang Fang, then Chen Siyuan", "en", [CHEN]),
        ("Lin Yue has promised Wang Fang to take the letter to Chen Siyuan", "en", [CHEN]),
        ("Lin Yue has promised Wang Fang to tell her about the letter", "en", ["wang_fang"]),
        ("Lin Yue has promised Wang Fang to ask her brother tonight", "en", []),
        ("asking people on the square about Wang Fang's glasses", "en", []),
        ("Lin Yue thanks Wang Fang on behalf of Chen Siyuan", "en", ["wang_fang"]),
        ("林悦替陈思远谢谢王芳的热菜", "zh", ["wang_fang"]),
        ("林悦想要两个签名，不想找王芳", "zh", []),
        ("除了王芳，再问问陈思远", "zh", [CHEN]),
        ("林悦答应了王芳，今晚问陈思远", "zh", [CHEN]),
        ("林悦不会告诉陈思远裁员的事", "zh", []),
        ("想好怎么跟陈思远开口", "zh", [CHEN]),
        ("画王芳的窗台", "zh", []),
        ("写信不给王芳看", "zh", []),
        ("今天得找个人借钱，可别找王芳开口", "zh", []),
        ("问王芳能不能来", "zh", ["wang_fang"]),
        ("贴读书会预告，张伟讲量子", "zh", []),
    ],
)
def test_an_act_concerns_those_whom_it_addresses(
    tmp_path: Path, text: str, lang: Lang, concerned: list[str]
) -> None:
    begin_town(tmp_path, lang, start=NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        mind = minds_of(game_on(run, minitown(lang)), [LIN])[LIN]
        assert find_concerned(mind, text) == concerned


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("Lin Yue asks at the lending desk for Chen Siyuan's book.", ()),
        ("Lin Yue brings Wang Fang the card and tells Chen Siyuan.", ("talk",)),
        ("Lin Yue brings Chen Siyuan the card.", ("talk", "hand")),
        ("Lin Yue sends Chen Siyuan word the morning the peonies open.", ()),
    ],
)
def test_an_intention_is_raised_in_its_time_and_gifts_go_to_their_recipients(
    town: Noon, text: str, choices: tuple[str, ...]
) -> None:
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    intend(town, text)
    town.step()
    people = [one for asked in town.model.asked for one in asked.people if one.kind == "memory"]
    offered = [one.choices for one in people if one.neighbour.id == CHEN]
    assert [set(each) - {"ask"} for each in offered] == [set(choices)] * bool(choices)


def intend(town: Noon, text: str) -> None:
    mind = town.mind()
    memory = NewMemory("thought", text, LIN, INTENTION_PREDICATE, about=(CHEN,))
    asyncio.run(mind.remember([memory], [6], "rule:test"))
    for logged in mind.effects:
        apply(logged.effect, town.game.state)


def test_an_intention_for_a_time_is_asked_about_then_and_not_before(town: Noon) -> None:
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    intend(town, "Lin Yue will tell Chen Siyuan about the lamp at 12:50")
    intend(town, "Lin Yue will tell Chen Siyuan about the letter tomorrow")
    times = []
    for _ in range(6):
        before = len(town.model.asked)
        now = town.game.state.clock.now
        town.step()
        times += [f"{now:%H:%M}"] * (len(town.model.asked) - before)
    assert times == ["12:30"]
    (one,) = town.model.asked[0].people
    assert (one.kind, one.neighbour.id) == ("memory", CHEN)
    assert "lamp" in one.text


def test_what_was_just_said_to_another_is_no_reason_to_turn_to_them_again(town: Noon) -> None:
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    mind = town.mind()
    chat = NewMemory("chat", "They talked.", LIN, "talk", CHEN, about=(CHEN,))
    (talked,) = asyncio.run(mind.remember([chat], [5], "rule:test"))
    meant = "Lin Yue will look for the lost glasses of Chen Siyuan"
    memory = NewMemory("thought", meant, LIN, INTENTION_PREDICATE, evidence=(talked.id,))
    asyncio.run(mind.remember([memory], [6], "rule:test"))
    for logged in mind.effects:
        apply(logged.effect, town.game.state)
    for minutes, kinds in ((10, []), (80, ["memory"])):
        later = minds_of(town.game, [LIN], NOON + timedelta(minutes=minutes))[LIN]
        assert [each.kind for each in find_reasons(later)] == kinds


def test_what_is_wanted_of_another_waits_for_the_meeting_that_is_for_it(town: Noon) -> None:
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    intend(town, "Lin Yue wants to tell Chen Siyuan what she has overheard at work")
    assert [each.kind for each in find_reasons(town.mind())] == ["memory"]
    at_six = NOON + timedelta(hours=6)
    parts = ("telling what she has heard at work", "listening")
    coffee = Promise("having coffee", (LIN, CHEN), CAFE, at_six, 60, "1-talk", parts)
    town.game.state.put(keys.PROMISES.of(LIN), Promises((coffee,)))
    assert list(find_reasons(town.mind())) == []


def test_what_is_agreed_on_for_its_hour_is_not_asked_about_before(town: Noon) -> None:
    """Neither is what has an hour of the plan: its line is the reason then."""
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    intend(town, "Lin Yue means to ask Chen Siyuan at 13:00 how he is")
    at_one = Promise("having tea", (LIN, CHEN), CAFE, NOON + timedelta(hours=1), 60, "1-talk")
    entries = (Entry(0, 800, "drawing"), Entry(800, 1440, "giving Chen Siyuan his blue lamp back"))
    town.game.state.put(keys.PROMISES.of(LIN), Promises((at_one,)))
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
    intend(town, "Lin Yue will give Chen Siyuan his blue lamp back at 13:20")
    times = (NOON + timedelta(minutes=minutes) for minutes in (45, 55, 105))
    kinds = [
        [each.kind for each in find_reasons(minds_of(town.game, [LIN], now)[LIN])] for now in times
    ]
    assert kinds == [["plan"], ["plan"], ["task", "memory", "memory"]]


def test_an_errand_put_off_is_raised_again_at_its_time(town: Noon) -> None:
    entries = (Entry(0, 740, "drawing", address=SQUARE), Entry(740, 1440, TELLING, address=SQUARE))
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
    town.game.state.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 740, "drawing"),)))
    for _ in range(4):
        town.step()
    assert [asked.people[0].kind for asked in town.model.asked] == ["plan", "task"]


def test_a_thing_for_one_who_is_there_can_be_handed_over_whatever_else_is_planned(
    town: Noon,
) -> None:
    intend(town, "Lin Yue means to return the old book to Chen Siyuan")
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
    found = count_decisions("minitown", lang, 1, 84)
    assert found.calls["approach"] > 0
    assert found.waited <= 2
    assert sum(found.departed.values()) >= 0.25 * found.made


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
        given = [
            memory
            for memory in town.game.state.memory(who).concepts.values()
            if memory.predicate == GIVEN_PREDICATE
        ]
        assert [memory.text for memory in given] == ["Chen Siyuan gave Lin Yue this: the thermos"]


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
    assert one.company == "Zhang Wei"
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
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
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


def memory_reasons(town: Noon, now: datetime) -> list[tuple[str, bool]]:
    """Return the keys of the reasons that are intentions, and whether Chen Siyuan is sought."""
    mind = minds_of(town.game, [LIN], now)[LIN]
    return [
        (reason.key.split()[-1], reason.is_timed)
        for reason in find_reasons(mind)
        if reason.kind == "memory"
        and not mind.state.relation(LIN, CHEN).has_talked_since(reason.since)
    ]


def test_an_overdue_intention_stays_a_reason_and_one_left_out_of_a_talk_is_raised_once_more(
    town: Noon,
) -> None:
    intend(town, "Lin Yue will tell Chen Siyuan about the lamp at 12:50")
    hour = NOON.replace(hour=13)
    ((number, is_timed),) = memory_reasons(town, hour)
    assert is_timed
    assert memory_reasons(town, hour.replace(hour=15)) == [(number, False)]
    town.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, hour))
    later = hour.replace(minute=30)
    assert memory_reasons(town, later) == [("again", True)]
    answered = AnsweredReason(f"due {number} again", CHEN, HERE, hour)
    town.game.state.put(keys.APPROACHES.of(LIN), Approaches(None, (answered,)))
    assert memory_reasons(town, later) == []


@pytest.mark.parametrize(
    ("task", "sought"),
    [
        ("asking who has seen the letter", True),
        ("asking who has seen the letter, avoiding Chen Siyuan", False),
        ("watching people", False),
    ],
)
def test_an_act_for_anyone_is_a_reason_to_turn_to_those_who_are_here(
    town: Noon, task: str, sought: bool
) -> None:
    town.plan(LIN, task)
    town.put(LIN, SQUARE)
    assert [chance.reason.other for chance in find_chances(town.mind())] == [CHEN] * sought


def test_there_is_time_for_a_word_before_an_appointment_but_not_on_the_way(town: Noon) -> None:
    soon = (Entry(0, 740, TELLING), Entry(740, 1440, "meeting", "appointment", CAFE))
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), soon))
    assert [chance.choices for chance in find_chances(town.mind())] == [("talk",)]
    town.game.state.put(keys.ACTION.of(LIN), Action("act", "meeting", CAFE, 60))
    late = minds_of(town.game, [LIN], NOON.replace(minute=50))[LIN]
    assert find_chances(late) == []


def test_nobody_is_looked_for_before_the_room_of_the_task_is_reached(town: Noon) -> None:
    town.put(CHEN, CAFE)
    begun = (Entry(0, 725, "reading"), PlacedEntry(725, 1440, TELLING, room=PARK))
    town.game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), begun))
    now = NOON.replace(minute=10)
    assert find_chances(minds_of(town.game, [LIN], now)[LIN]) == []
    town.game.state.put(keys.BODY.of(LIN), Body(town.game.world.open_tiles[PARK][0]))
    (chance,) = find_chances(minds_of(town.game, [LIN], NOON.replace(minute=20))[LIN])
    assert "go" in chance.choices
