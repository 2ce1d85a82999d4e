"""Reasons to turn to others: tasks, intentions in their time, and what others can be asked along to."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from hometown.agent.acting.approach import conclude_approach, record_request
from hometown.agent.acting.chances import (
    find_chances,
    list_invitations,
)
from hometown.agent.acting.reasons import HERE, find_reasons
from hometown.agent.mind import NewMemory
from hometown.agent.planning.concerned import find_concerned
from hometown.game import Game
from hometown.memory.concept import INTENTION_PREDICATE
from hometown.memory.schedule import Entry, PlacedEntry, Schedule, Task, Tasks
from hometown.world import keys
from hometown.world.approaches import AnsweredReason, Approaches
from hometown.world.rows import Promise, Promises, Relation
from tests.support.noon_town import (
    CAFE,
    CHEN,
    LIN,
    NOON,
    PARK,
    SQUARE,
    TELLING,
    Noon,
)
from tests.support.town import minds_of

ZHAO = "zhao_gang"


def test_a_talk_that_was_meant_and_not_held_is_still_meant(town: Noon) -> None:
    """Lin Yue, for no reason, wants to talk with Chen Siyuan, who has left when they turn to them;
    and once more, with the same in mind.
    """
    town.plan(LIN, "reading a book", address=SQUARE)
    town.put(CHEN, CAFE)
    mind = town.mind()
    record_request(mind, CHEN, "the spring exhibition", "rule:test")
    asyncio.run(conclude_approach(mind))
    (first,) = mind.state.memory(LIN).recent(("event",), 1)
    assert first.text == (
        "Lin Yue wanted a word with Chen Siyuan at the town square, but Chen Siyuan was gone,"
        " and it is still unsaid: the spring exhibition"
    )
    record_request(mind, CHEN, first.text, "rule:test")
    asyncio.run(conclude_approach(mind))
    (second,) = mind.state.memory(LIN).recent(("event",), 1)
    assert (second.id, second.text) == (first.id + 1, first.text)
    found = {reason.text for reason in find_reasons(mind) if reason.other == CHEN}
    assert found == {"the spring exhibition"}


@pytest.mark.parametrize(
    ("words", "invitation"),
    [
        ("watching the dancing", "15:00 watching the dancing, at the community park"),
        ("noodles at home and then the dancing", "noodles at home and then the dancing"),
    ],
    ids=["as it is offered", "in words of their own"],
)
def test_others_can_be_asked_along_to_leisure_but_to_no_duty(
    town: Noon, words: str, invitation: str
) -> None:
    entries = (
        Entry(0, 780, TELLING, address=SQUARE),
        PlacedEntry(780, 840, "holding office hours", room=SQUARE),
        PlacedEntry(840, 900, "designing over coffee", room=CAFE),
        PlacedEntry(900, 1440, "watching the dancing", room=PARK),
    )
    town.plan_day(LIN, *entries)
    town.model.decide, town.model.topic = lambda asked: "ask along 1", words
    town.step()
    (asked,) = town.model.asked
    assert asked.people[0].invitations == ("15:00 watching the dancing, at the community park",)
    current = town.game.state.approaches(LIN).current
    assert current is not None
    assert current.topic == f"asking Chen Siyuan to come along: {invitation}"


def test_others_can_be_asked_along_to_what_one_was_told_to_wish_even_at_work(town: Noon) -> None:
    for origin, asked in (("", ()), ("voice:7", ("now, here: holding office hours",))):
        duty = PlacedEntry(0, 1440, "holding office hours", room=SQUARE, origin=origin)
        town.plan_day(LIN, duty)
        assert list_invitations(town.mind(), CHEN) == asked


def test_others_can_be_asked_to_join_what_one_does_now(town: Noon) -> None:
    now = Entry(0, 1440, "playing chess", address=SQUARE)
    town.plan_day(LIN, now)
    assert list_invitations(town.mind(), CHEN) == ("now, here: playing chess",)
    due = PlacedEntry(0, 1440, "eating the last of the ribs", room=PARK)
    town.plan_day(LIN, due)
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
    town.plan_day("xiao_mei", *entries)
    (offered,) = list_invitations(town.mind("xiao_mei"), zhao)
    assert song in offered


@pytest.mark.parametrize(
    ("lang", "help_given"),
    [("en", "helping Chen Siyuan to rake the leaves"), ("zh", "帮陈思远扫落叶")],
)
def test_nobody_is_asked_along_to_what_is_their_own_work(game: Game, help_given: str) -> None:
    entries = (Entry(0, 780, "x", address=SQUARE), PlacedEntry(780, 1440, help_given, room=PARK))
    game.state.put(keys.SCHEDULE.of(LIN), Schedule(NOON.date(), entries))
    assert list_invitations(minds_of(game, [LIN])[LIN], CHEN) == ()


def test_what_is_meant_comes_before_what_is_done_in_company(town: Noon) -> None:
    town.plan(LIN, "drawing with Chen Siyuan")
    town.intend("Lin Yue means to tell Chen Siyuan that the lamp is gone")
    assert [each.kind for each in find_reasons(town.mind())] == ["memory", "task"]
    town.plan(LIN, TELLING)
    assert [each.kind for each in find_reasons(town.mind())] == ["task", "memory"]


def test_what_is_planned_for_another_is_the_first_thing_to_ask_them_along_to(town: Noon) -> None:
    """Also if it is at home, without what is to be said there; what is only said is said at once."""
    teaching = "teaching Chen Siyuan the endgame"
    supper = "making noodles for Chen Siyuan, asking Chen Siyuan about the radio"
    entries = (
        Entry(0, 780, TELLING, address=SQUARE),
        PlacedEntry(780, 900, "watching the dancing", room=PARK),
        PlacedEntry(900, 1080, teaching, room=PARK),
        PlacedEntry(1080, 1140, supper, room="lin_home/living"),
        PlacedEntry(1140, 1440, TELLING, room=PARK),
    )
    town.plan_day(LIN, *entries)
    first, second, third = list_invitations(town.mind(), CHEN)
    assert teaching in first
    assert "making noodles for Chen Siyuan, at" in second
    assert "watching the dancing" in third


def test_to_turn_to_one_leaves_the_reason_to_turn_to_another(town: Noon) -> None:
    other = "wang_fang"
    town.plan(other, "reading a book")
    town.put(other, SQUARE)
    task = Entry(0, 1440, "telling Chen Siyuan and Wang Fang about the poster", address=SQUARE)
    town.plan_day(LIN, task)
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
    town.plan_day(LIN, *entries)
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
        ("Lin Yue means to tell Wang Fang tonight that Chen Siyuan leaves", "en", ["wang_fang"]),
        (
            "telling Wang Fang that Chen Siyuan leaves and asking Zhao Gang",
            "en",
            ["wang_fang", ZHAO],
        ),
        ("asking Wang Fang whether Chen Siyuan is well", "en", ["wang_fang"]),
        ("reminding Wang Fang of the tea that Chen Siyuan likes", "en", ["wang_fang"]),
        ("林悦替陈思远谢谢王芳的热菜", "zh", ["wang_fang"]),
        ("林悦想晚饭前告诉王芳陈思远要走的事", "zh", ["wang_fang"]),
        ("跟王芳说陈思远要走，再问问赵刚", "zh", ["wang_fang", ZHAO]),
        ("告诉王芳和陈思远明天下雨", "zh", [CHEN, "wang_fang"]),
        ("问问王芳再找陈思远", "zh", [CHEN, "wang_fang"]),
        ("今晚替陈思远打听绿皮本子", "zh", []),
        ("替陈思远找王芳要钥匙", "zh", ["wang_fang"]),
        ("替陈思远看一眼炉子", "zh", []),
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
    game: Game, text: str, concerned: list[str]
) -> None:
    assert sorted(find_concerned(minds_of(game, [LIN])[LIN], text)) == concerned


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
    town.intend(text)
    town.step()
    people = [one for asked in town.model.asked for one in asked.people if one.kind == "memory"]
    offered = [one.choices for one in people if one.neighbour.id == CHEN]
    assert [set(each) - {"ask"} for each in offered] == [set(choices)] * bool(choices)


def test_an_intention_for_a_time_is_asked_about_then_and_not_before(town: Noon) -> None:
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    town.intend("Lin Yue will tell Chen Siyuan about the lamp at 12:50")
    town.intend("Lin Yue will tell Chen Siyuan about the letter tomorrow")
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
    town.enter(mind)
    for minutes, kinds in ((10, []), (80, ["memory"])):
        later = town.mind(LIN, NOON + timedelta(minutes=minutes))
        assert [each.kind for each in find_reasons(later)] == kinds


def test_what_is_wanted_of_another_waits_for_the_meeting_that_is_for_it(town: Noon) -> None:
    town.plan(LIN, "drawing")
    town.put(LIN, SQUARE)
    town.intend("Lin Yue wants to tell Chen Siyuan what she has overheard at work")
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
    town.intend("Lin Yue means to ask Chen Siyuan at 13:00 how he is")
    at_one = Promise("having tea", (LIN, CHEN), CAFE, NOON + timedelta(hours=1), 60, "1-talk")
    entries = (Entry(0, 800, "drawing"), Entry(800, 1440, "giving Chen Siyuan his blue lamp back"))
    town.game.state.put(keys.PROMISES.of(LIN), Promises((at_one,)))
    town.plan_day(LIN, *entries)
    town.intend("Lin Yue will give Chen Siyuan his blue lamp back at 13:20")
    times = (NOON + timedelta(minutes=minutes) for minutes in (45, 55, 105))
    kinds = [[each.kind for each in find_reasons(town.mind(LIN, now))] for now in times]
    assert kinds == [["plan"], ["plan"], ["task", "memory", "memory"]]


def test_an_errand_put_off_is_raised_again_at_its_time(town: Noon) -> None:
    entries = (Entry(0, 740, "drawing", address=SQUARE), Entry(740, 1440, TELLING, address=SQUARE))
    town.plan_day(LIN, *entries)
    town.game.state.put(keys.TASKS.of(LIN), Tasks(0, (Task(0, 740, "drawing"),)))
    for _ in range(4):
        town.step()
    assert [asked.people[0].kind for asked in town.model.asked] == ["plan", "task"]


def memory_reasons(town: Noon, now: datetime) -> list[tuple[str, bool]]:
    """Return the keys of the reasons that are intentions, and whether Chen Siyuan is sought."""
    mind = town.mind(LIN, now)
    return [
        (reason.key.split()[-1], reason.is_timed)
        for reason in find_reasons(mind)
        if reason.kind == "memory"
        and not mind.state.relation(LIN, CHEN).has_talked_since(reason.since)
    ]


def test_an_overdue_intention_stays_a_reason_and_one_left_out_of_a_talk_is_raised_once_more(
    town: Noon,
) -> None:
    town.intend("Lin Yue will tell Chen Siyuan about the lamp at 12:50")
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
        ("getting the neighbours into the shop", True),
        ("watering the neighbours' flowers", False),
        ("watching people", False),
    ],
)
def test_an_act_for_anyone_is_a_reason_to_turn_to_those_who_are_here(
    town: Noon, task: str, sought: bool
) -> None:
    town.plan(LIN, task)
    town.put(LIN, SQUARE)
    assert [chance.reason.other for chance in find_chances(town.mind())] == [CHEN] * sought
