"""Going somewhere together, and true reasons for what did not come about."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hometown.agent.acting.act import decide
from hometown.agent.acting.approach import conclude_approach
from hometown.agent.acting.react import react
from hometown.agent.acting.reasons import FAILED_PREDICATE, find_unsaid
from hometown.agent.conversation.commitments import SideSummary, make_promises
from hometown.agent.inner_life.reflect import extract_thoughts
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.facing import recall_facing
from hometown.agent.planning.agreements import enter_agreements
from hometown.agent.planning.at_occasions import find_meeting
from hometown.agent.planning.displacing import DISPLACED_PREDICATE, reschedule
from hometown.agent.planning.looking_back import look_back_on_occasions
from hometown.agent.planning.plan_acts import split_acts
from hometown.game import Game
from hometown.memory.action import Action
from hometown.memory.concept import ENDED_PREDICATE, GATHERED_PREDICATE
from hometown.memory.schedule import Entry, Schedule, Task, Tasks
from hometown.prompt.dialogue import (
    Commitment,
    ConversationSummaryReply,
    ConversationSummaryVars,
)
from hometown.prompt.reflections import ChatsReply, ChatsVars, ChatThought
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.approaches import Approach, Approaches
from hometown.world.conversation import Conversation
from hometown.world.effects import Reflected
from hometown.world.occasion import ON_TIME, Guest, Occasion, Occasions
from hometown.world.rows import Body, Promise, Relation
from tests.support.prompt_samples import SAMPLES
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN, WANG = "lin_yue", "chen_siyuan", "wang_fang"
NOON = datetime(2025, 2, 13, 12, 0)
SQUARE, HOME, CAFE = "square/plaza", "lin_home/living", "cafe/main"


class Town:
    """A town at noon, with three residents on the square."""

    def __init__(self, folder: Path) -> None:
        begin_town(folder, start=NOON)
        self.run = RunFile.open(folder, "town", write=True)
        self.game: Game = game_on(self.run, minitown())
        for who in (LIN, CHEN, WANG):
            self.put(who, SQUARE)

    def put(self, who: str, room: str) -> None:
        """Put a resident into a room."""
        self.game.state.put(keys.BODY.of(who), Body(self.game.world.open_tiles[room][0]))

    def plan(self, who: str, *entries: Entry) -> None:
        """Give a resident a plan, of which nothing has begun."""
        self.game.state.put(keys.SCHEDULE.of(who), Schedule(NOON.date(), entries))
        self.game.state.put(keys.TASKS.of(who), Tasks())

    def minds(self, now: datetime | None = None) -> dict[str, Mind]:
        return minds_of(self.game, [LIN, CHEN, WANG], now)

    def mind(self, now: datetime | None = None) -> Mind:
        return self.minds(now)[LIN]


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    place = Town(tmp_path)
    with place.run:
        yield place


def texts(mind: Mind, predicate: str) -> list[str]:
    memories = mind.state.memory(mind.who).concepts.values()
    return [memory.text for memory in memories if memory.predicate == predicate]


@pytest.mark.parametrize("minutes", [0, 90])
def test_who_go_on_together_are_expected_at_both_places(town: Town, minutes: int) -> None:
    """Those who are together already go at once."""
    mind = town.mind()
    sample = SAMPLES["talk_summary"]
    assert isinstance(sample, ConversationSummaryVars)
    asked = replace(
        sample,
        situation=mind.situation,
        people=((LIN, "Lin Yue"), (CHEN, "Chen Siyuan")),
        places=((SQUARE, "the town square"), (HOME, "Lin Yue's home")),
        sites=(),
    )
    talk = Conversation("1-lin_yue", 1, LIN, CHEN, SQUARE, NOON, 5, (), "", "word")
    start = NOON + timedelta(minutes=minutes)
    commitment = Commitment(
        what="walking home over the ice",
        where=1,
        then=2,
        day=NOON.date(),
        start=f"{start:%H:%M}",
        minutes=30,
    )
    reply = ConversationSummaryReply(relations=[""], commitments=[commitment])
    made = make_promises(SideSummary(reply, "rule:test", asked), talk, mind)
    legs = [(each.address, each.what, each.start.time().minute, each.minutes) for each in made]
    what, way = commitment.what, "arriving at Lin Yue's cottage together"
    if minutes:
        assert legs == [(SQUARE, what, 30, 30), (HOME, way, 0, 20)]
    else:
        assert legs == [(HOME, what, 5, 30)]


def test_a_way_is_gone_together_when_the_first_meeting_is_over_and_ends_on_arrival(
    town: Town,
) -> None:
    way = Entry(730, 750, town.mind(NOON).words.arrival(HOME), "appointment", HOME)
    stroll = Entry(700, 730, "looking at the lanterns", "appointment", SQUARE)
    town.plan(LIN, Entry(0, 700, "drawing"), stroll, way, Entry(750, 1440, "reading"))
    before = asyncio.run(decide(town.mind(NOON), ())).action
    assert before is not None
    assert before.address == SQUARE
    together = asyncio.run(decide(town.mind(NOON + timedelta(minutes=10)), ())).action
    assert together is not None
    assert (together.address, together.activity) == (HOME, way.activity)
    town.put(LIN, HOME)
    arrived = town.mind(NOON + timedelta(minutes=20))
    asyncio.run(decide(arrived, ()))
    assert arrived.state.schedule(LIN).at(740).activity == arrived.words.say("free_time")


class Met(Town):
    """A town in which Lin Yue and Chen Siyuan have agreed on a meeting, to which both come."""

    def agree(self, what: str, address: str) -> Promise:
        """Let the two agree on half an hour from twenty past on, to which they come on time."""
        minds, begins = self.minds(NOON + timedelta(minutes=10)), NOON + timedelta(minutes=20)
        both = Promise(what, (LIN, CHEN), address, begins, 30, "talk")
        asyncio.run(enter_agreements([both], minds, dict.fromkeys(minds, "rule:test")))
        for mind in minds.values():
            for logged in mind.effects:
                apply(logged.effect, self.game.state)
        ((number, occasion),) = (each for each in self.game.state.occasions if not each[1].story)
        for who in (LIN, CHEN):
            self.put(who, address)
            occasion = occasion.along(Guest(who, NOON, part="comes", came=begins - ON_TIME))
        self.game.state.put(keys.OCCASION.of(number), occasion)
        return both

    def talk(self, when: datetime) -> None:
        """Let the two have talked at a time."""
        for who, other in ((LIN, CHEN), (CHEN, LIN)):
            self.game.state.put(keys.RELATION.of(who, other), Relation(1, when))


@pytest.mark.parametrize(
    ("minutes", "topic"), [(0, "welcoming Wang Fang, who has just come"), (30, "")]
)
def test_a_host_welcomes_those_only_who_have_just_come(
    town: Town, minutes: int, topic: str
) -> None:
    guests = (
        Guest(LIN, NOON, part="gives", came=NOON),
        *(Guest(who, NOON, part="comes", came=NOON) for who in (CHEN, WANG)),
    )
    party = Occasion("dancing", SQUARE, NOON, 120, guests)
    town.game.state.put(keys.OCCASIONS.key, Occasions(("dance",)))
    town.game.state.put(keys.OCCASION.of("dance"), party)
    town.game.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, NOON))
    town.plan(LIN, Entry(0, 1440, "dancing"))
    for who in (CHEN, WANG):
        town.game.state.put(keys.ACTION.of(who), Action("act", "dancing", SQUARE, 60, ""))
    intent = asyncio.run(react(town.mind(NOON + timedelta(minutes=minutes)), ()))
    assert (intent.partner, intent.topic, intent.cause) == (WANG, topic, "rule:greeting")


@pytest.fixture
def met(tmp_path: Path) -> Iterator[Met]:
    place = Met(tmp_path)
    with place.run:
        yield place


def test_of_a_way_that_was_gone_together_nothing_is_remembered(met: Met) -> None:
    way = met.agree(met.mind().words.arrival(CAFE), CAFE)
    mind = met.mind(way.end)
    asyncio.run(look_back_on_occasions(mind))
    assert not texts(mind, "missed")
    assert not texts(mind, GATHERED_PREDICATE)


def test_a_meeting_at_which_nobody_spoke_was_not_held(met: Met) -> None:
    """The conversation in which it was agreed on is not one of the meeting."""
    roses = met.agree("carrying roses", CAFE)
    met.talk(NOON)
    mind = met.mind(roses.end)
    asyncio.run(look_back_on_occasions(mind))
    assert "did not get round" in texts(mind, "missed")[0]
    assert not texts(mind, GATHERED_PREDICATE)


def test_a_meeting_is_opened_once_also_before_its_hour(met: Met) -> None:
    roses = met.agree("carrying roses", CAFE)
    assert find_meeting(met.mind(roses.start)) is not None
    met.talk(NOON)
    assert find_meeting(met.mind(roses.start)) is not None, "they talked before they agreed on it"
    met.talk(NOON + timedelta(minutes=10))
    assert find_meeting(met.mind(roses.start)) is None
    mind = met.mind(roses.end)
    asyncio.run(look_back_on_occasions(mind))
    assert texts(mind, GATHERED_PREDICATE)
    assert not texts(mind, "missed")


def test_nobody_sets_out_to_the_next_meeting_before_the_present_one(town: Town) -> None:
    walk = Entry(720, 740, "walking home", "appointment", HOME)
    rest = Entry(760, 1440, "reading")
    songs = Entry(740, 760, "singing", "appointment", CAFE)
    town.plan(LIN, Entry(0, 720, "drawing"), walk, songs, rest)
    intent = asyncio.run(decide(town.mind(NOON + timedelta(minutes=10)), ()))
    assert intent.action is not None
    assert intent.action.address == HOME


def test_what_has_too_little_time_is_told_of_and_leaves_the_plan(town: Town) -> None:
    town.plan(LIN, Entry(0, 1080, "drawing"), Entry(1080, 1140, "reading"), Entry(1140, 1440, "x"))
    mind = town.mind()
    supper = Entry(1095, 1140, "having supper", "appointment", CAFE)
    planned = mind.state.schedule(LIN).splice(supper)
    asyncio.run(reschedule(mind, planned, "talk:1", supper.activity, "rule:test"))
    assert "reading" in texts(mind, DISPLACED_PREDICATE)[0]
    assert "reading" not in [each.activity for each in mind.state.schedule(LIN).entries]


def test_what_was_cut_before_is_told_of_with_the_hour_for_which_it_was_planned(town: Town) -> None:
    town.plan(LIN, Entry(0, 950, "drawing"), Entry(950, 1020, "singing"), Entry(1020, 1440, "x"))
    mind = town.mind()
    for start, what in ((950, "binding roses"), (990, "talking")):
        entry = Entry(start, start + 30, what, "appointment", CAFE)
        planned = mind.state.schedule(LIN).splice(entry)
        asyncio.run(reschedule(mind, planned, "talk:1", what, "rule:test"))
    assert "15:50" in texts(mind, DISPLACED_PREDICATE)[-1]


def test_what_refers_to_the_act_before_it_goes_with_it(town: Town) -> None:
    mind = town.mind()
    line = "waiting for Zhang Wei and asking him to speak at the circle"
    assert split_acts(mind, line) == ["waiting for Zhang Wei; asking him to speak at the circle"]
    assert len(split_acts(mind, "drawing and asking Zhang Wei to speak")) == 2


def test_who_got_into_conversation_first_does_not_blame_the_other(town: Town) -> None:
    mind = town.mind()
    made = Approach("talk", CHEN, "near", SQUARE, "", NOON, topic="I can go alone, you rest")
    mind.state.put(keys.APPROACHES.of(LIN), Approaches(made, ()))
    mind.state.put(keys.RELATION.of(LIN, WANG), Relation(1, NOON))
    asyncio.run(conclude_approach(mind))
    (text,) = texts(mind, FAILED_PREDICATE)
    assert "got into conversation with Wang Fang first" in text


def test_a_fire_before_an_agreement_does_not_excuse_from_it(town: Town) -> None:
    fire = NewMemory("event", "The fire is out.", SQUARE, ENDED_PREDICATE)
    asyncio.run(town.mind().remember([fire], [8], "rule:test"))
    minds, begins = town.minds(NOON + timedelta(minutes=10)), NOON + timedelta(minutes=20)
    both = Promise("carrying roses", (LIN, CHEN), SQUARE, begins, 20, "talk")
    asyncio.run(enter_agreements([both], minds, dict.fromkeys(minds, "rule:test")))
    for mind in minds.values():
        for logged in mind.effects:
            apply(logged.effect, town.game.state)
    ((number, occasion),) = (each for each in town.game.state.occasions if not each[1].story)
    met = occasion.along(Guest(LIN, NOON, part="comes", came=begins))
    town.game.state.put(keys.OCCASION.of(number), met)
    town.put(CHEN, CAFE)
    later = town.minds(both.end)
    later[CHEN].state.put(keys.RELATION.of(CHEN, WANG), Relation(1, both.start))
    for who in (LIN, CHEN):
        asyncio.run(look_back_on_occasions(later[who]))
    assert "fire" not in texts(later[LIN], "missed")[0]
    assert "talking with Wang Fang" in texts(later[CHEN], "stayed away")[0]


def test_an_intention_of_before_the_talk_is_not_meant_after_it(town: Town) -> None:
    mind = town.mind()
    chat = asyncio.run(
        mind.remember(
            [NewMemory("chat", "They talked.", LIN, "talk", CHEN, about=(CHEN,))], [5], "rule:test"
        )
    )
    asked = ChatsVars(mind.situation, tuple(chat))
    thought = ChatThought(chat=1, plan="Lin Yue means to return the book to Chen Siyuan", memo="")
    reply = ChatsReply(thoughts=[thought])
    assert extract_thoughts(mind, reply, asked)
    mind.do(Reflected(LIN, mind.now, 0), "rule:reflect")
    assert extract_thoughts(mind, reply, asked)
    mind.state.put(keys.RELATION.of(LIN, CHEN), Relation(1, mind.now))
    assert not extract_thoughts(mind, reply, asked)


def test_an_aim_stays_with_the_agreement_that_takes_its_line_over(town: Town) -> None:
    """And an act of the line for which there is no time left is told of."""
    supper = Entry(1080, 1120, "having supper with Chen Siyuan and asking about his work")
    town.plan(LIN, Entry(0, 1080, "drawing"), supper, Entry(1120, 1440, "reading"))
    minds = town.minds()
    start = NOON + timedelta(hours=6)
    both = Promise("having supper together", (LIN, CHEN), HOME, start, 40, "talk")
    asyncio.run(enter_agreements([both], minds, dict.fromkeys(minds, "rule:test")))
    planned = minds[LIN].state.schedule(LIN).at(1080)
    assert planned.activity == "having supper together; asking about his work"


def test_a_line_under_way_that_an_alarm_breaks_off_is_told_of(town: Town) -> None:
    town.plan(
        LIN,
        Entry(0, 700, "sweeping"),
        Entry(700, 800, "binding roses"),
        Entry(800, 1440, "reading"),
    )
    town.game.state.put(keys.TASKS.of(LIN), Tasks(700, (Task(700, 800, "binding roses"),)))
    mind = town.mind()
    fire = Entry(720, 790, "throwing water", origin="react:1")
    planned = mind.state.schedule(LIN).splice(fire)
    made = asyncio.run(reschedule(mind, planned, fire.origin, fire.activity, "rule:test"))
    assert "binding roses" in made[0].text


def test_of_what_was_more_than_half_done_nothing_is_told(town: Town) -> None:
    town.plan(LIN, Entry(0, 630, "sweeping"), Entry(630, 800, "playing chess"))
    town.game.state.put(keys.TASKS.of(LIN), Tasks(630, (Task(630, 800, "playing chess"),)))
    mind = town.mind()
    fire = Entry(720, 790, "throwing water", origin="react:1")
    planned = mind.state.schedule(LIN).splice(fire)
    assert not asyncio.run(reschedule(mind, planned, fire.origin, fire.activity, "rule:test"))


def test_a_talk_settles_that_there_was_none_before(town: Town) -> None:
    mind = town.mind()
    failed = NewMemory("event", "Lin Yue wanted a word", LIN, FAILED_PREDICATE, CHEN, SQUARE)
    (memory,) = asyncio.run(mind.remember([failed], [4], "rule:test"))
    assert find_unsaid(mind, [CHEN], mind.now) == [memory]
    assert not find_unsaid(mind, [WANG], mind.now)
    assert not find_unsaid(mind, [CHEN], NOON), "the talk was before"


def test_an_alarm_of_this_hour_comes_to_mind(town: Town) -> None:
    mind = town.mind()
    text = "Fang's Flowers, shop: flames run up the shelf"
    asyncio.run(mind.remember([NewMemory("event", text, CAFE, text)], [8], "rule:test"))
    found = asyncio.run(recall_facing(mind, [CHEN], ["the portrait"], 6))
    assert text in [each.concept.text for each in found]
