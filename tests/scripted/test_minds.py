"""The scripted model's rules for planning, places, reactions and reflection."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from random import Random
from typing import Any

import pytest

from hometown.clock import DAY, hhmm
from hometown.language import LANGS, Lang
from hometown.memory.concept import Concept
from hometown.memory.schedule import Entry
from hometown.prompt.plans import (
    CurrentlyVars,
    ScheduleDailyVars,
    ScheduleInitVars,
    WakeUpVars,
    clock_minutes,
)
from hometown.prompt.prompt import Situation
from hometown.prompt.reactions import Neighbour, PoignancyVars, RatedEvent, ReactVars
from hometown.prompt.reflections import ChatsVars, FocusVars, InsightsVars
from hometown.prompt.responses import Matter, RespondVars
from hometown.prompt.tasks import DecomposeVars, PlaceVars, Spot
from hometown.scripted.findings import findings_for
from hometown.scripted.gist import takeaway
from hometown.scripted.words import sentences
from hometown.text import catalogue
from hometown.world.load import load_world
from hometown.world.persona import Habit, Persona
from hometown.world.rows import Promise
from hometown.world.world import World, arena_of
from tests.support.prompt_samples import SAMPLES
from tests.support.scripted_answers import DATE, NOW, reply

# minitown ----------------------------------------------------------------------------------


@cache
def town(lang: Lang) -> World:
    return load_world("minitown", lang)


ANY_TIME = tuple(range(0, DAY, 5))

CAST = ["chen_siyuan", "lin_yue", "zhang_wei", "wang_fang", "zhao_gang", "xiao_mei"]


def spots_for(world: World, me: Persona) -> tuple[Spot, ...]:
    """What the resident may use: public places and its home."""
    arenas = [
        arena
        for arena in world.arenas.values()
        if arena.public or arena.sector == me.home.split("/")[0]
    ]
    spots = []
    for arena in arenas:
        spots.append(
            Spot(
                arena.address, world.place_name(arena.address), "", False, tuple(sorted(arena.tags))
            )
        )
        for address in arena.things:
            thing = world.things[address]
            spots.append(
                Spot(
                    address,
                    f"{world.place_name(arena.address)}: {thing.name}",
                    thing.idle,
                    False,
                    tuple(sorted(thing.tags | arena.tags)),
                )
            )
    return tuple(spots)


def live_a_day(world: World, who: str, seed: int) -> list[tuple[int, str, str, str]]:
    """(minute, entry, task, address) of a day, as the engine would ask for it."""
    me = world.personas[who]
    at = Situation(me, me.currently, NOW.replace(hour=0), "", "")
    hours = reply("wake_up", WakeUpVars(at, DATE, False, ANY_TIME, ANY_TIME), seed, world.lang)
    wake, bed = clock_minutes(hours.wake), clock_minutes(hours.bed)
    bed += DAY if bed < wake else 0
    strokes = reply(
        "schedule_init", ScheduleInitVars(at, DATE, wake, bed, (), ()), seed, world.lang
    ).strokes
    planned = reply(
        "schedule_daily",
        ScheduleDailyVars(at, DATE, wake, bed, tuple(strokes), (), 5),
        seed,
        world.lang,
    ).hours
    starts = [clock_minutes(hour.start) for hour in planned]
    assert starts[0] == wake
    assert starts == sorted(starts)
    assert starts[-1] < min(bed, DAY)
    day, here = [], me.home
    for start, end, hour in zip(starts, [*starts[1:], min(bed, DAY)], planned, strict=True):
        moment = replace(at, now=at.now + timedelta(minutes=start))
        tasks = reply(
            "schedule_decompose",
            DecomposeVars(moment, Entry(start, end, hour.activity), None, None, 10),
            seed + start,
            world.lang,
        ).tasks
        assert sum(task.minutes for task in tasks) == end - start
        assert all(task.minutes >= 10 and task.minutes % 5 == 0 for task in tasks[:-1])
        minute = start
        for task in tasks:
            place = PlaceVars(
                moment, task.activity, hour.activity, task.minutes, here, spots_for(world, me), ""
            )
            address = place.spots[
                reply("place", place, seed + minute, world.lang).place - 1
            ].address
            here = arena_of(address)
            day.append((minute, hour.activity, task.activity, address))
            minute += task.minutes
    return day


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("who", CAST)
def test_a_day_in_minitown_is_varied(who: str, lang: str) -> None:
    world = town(lang)
    days = [live_a_day(world, who, seed) for seed in (1, 2)]
    for day in days:
        assert len({task for _, _, task, _ in day}) >= 10
        assert len({arena_of(address) for *_, address in day}) >= 3
    assert days[0] != days[1]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("who", CAST)
def test_nobody_uses_another_ones_bed_or_home(who: str, lang: str) -> None:
    world = town(lang)
    me = world.personas[who]
    for *_, address in live_a_day(world, who, 3):
        arena = world.arenas[arena_of(address)]
        assert arena.public or arena.sector == me.home.split("/")[0]
        assert (
            address not in world.things
            or "sleep" not in world.things[address].tags
            or address == me.sleeps
        )


def test_habits_are_done_where_they_belong() -> None:
    world = town("en")
    me = world.personas["wang_fang"]
    places = {habit.activity: arena_of(habit.place) for habit in me.habits}
    day = [
        (entry, arena_of(address))
        for _, entry, _, address in live_a_day(world, "wang_fang", 1)
        if entry in places
    ]
    assert sum(places[entry] == arena for entry, arena in day) >= 0.8 * len(day)


def test_hours_vary_around_the_usual_ones() -> None:
    me = town("en").personas["wang_fang"]
    variables = WakeUpVars(
        Situation(me, me.currently, NOW, "", ""), DATE, False, ANY_TIME, ANY_TIME
    )
    wakes = {clock_minutes(reply("wake_up", variables, seed).wake) for seed in range(60)}
    assert len(wakes) >= 5
    assert all(abs(wake - me.wake) <= 25 and wake % 5 == 0 for wake in wakes)


# single rules ------------------------------------------------------------------------------

IDA = replace(
    SAMPLES["wake_up"].situation.me,
    habits=(
        Habit(
            540, 720, "baking bread", "cafe/main/oven", ("kneading", "shaping", "baking", "selling")
        ),
    ),
)
HERE = replace(
    SAMPLES["wake_up"].situation, me=IDA, names=(("tom", "Tom Reed"), ("mei", "Mei Lin"))
)


def memory(
    number: int,
    text: str,
    kind: Any = "event",
    poignancy: int = 3,
    about: tuple[str, ...] = (),
    **parts: str,
) -> Concept:
    subject, predicate, other = (
        parts.get("subject", "ida"),
        parts.get("predicate", ""),
        parts.get("object", ""),
    )
    return Concept(
        number,
        kind,
        text,
        subject,
        predicate,
        other,
        "cafe/main",
        poignancy,
        NOW,
        NOW + timedelta(days=30),
        about=about,
    )


def test_a_promise_has_its_hour() -> None:
    promise = Promise(
        "flying kites", ("ida", "tom"), "park/lawn", datetime(2025, 2, 13, 15, 0), 60, "1-ida"
    )
    hours = reply(
        "schedule_daily",
        ScheduleDailyVars(HERE, DATE, 330, 1320, ("baking bread",) * 3, (promise,), 5),
    ).hours
    assert ("15:00", "flying kites") in [(hour.start, hour.activity) for hour in hours]
    assert "flying kites" not in [hour.activity for hour in hours if hour.start != "15:00"]
    strokes = reply(
        "schedule_init", ScheduleInitVars(HERE, DATE, 330, 1320, (), (promise,))
    ).strokes
    assert any("flying kites" in stroke for stroke in strokes)


def test_a_late_start_goes_on_with_later_tasks() -> None:
    tasks = reply(
        "schedule_decompose", DecomposeVars(HERE, Entry(675, 720, "baking bread"), None, None, 15)
    ).tasks
    assert tasks[0].activity == "selling"


def test_a_refused_thing_is_not_asked_for_again() -> None:
    spots = (
        Spot("cafe/main/oven", "Café: oven", "hot", True, ("bake",)),
        Spot("cafe/main/table", "Café: table", "", False, ("seat",)),
    )
    for seed in range(20):
        variables = PlaceVars(
            HERE,
            "baking bread",
            "baking bread",
            30,
            "cafe/main",
            spots,
            "Tom Reed is using the oven",
        )
        assert (
            variables.spots[reply("place", variables, seed).place - 1].address == "cafe/main/table"
        )


@pytest.mark.parametrize(
    ("lang", "dull", "grave"),
    [
        ("en", "Ida Berg is brushing her teeth", "Ida Berg has been laid off"),
        ("zh", "陈思远手头的事：刷牙", "陈思远的公司要裁员了"),
    ],
)
def test_what_matters_more_is_rated_higher(lang: Lang, dull: str, grave: str) -> None:
    happenings = (RatedEvent(dull, "event"), RatedEvent(grave, "event", ("tom",)))
    for seed in range(20):
        low, high = reply("poignancy", PoignancyVars(HERE, happenings, ()), seed, lang).ratings
        assert low <= 3
        assert high >= 7


def test_news_makes_a_talk_likelier_and_is_its_topic() -> None:
    tom = Neighbour("tom", "Tom Reed", "keeper", "drinking tea", "neighbour", 4, 0, None)
    news = memory(1, "Mei Lin is going to move away.", "event", 8, ("mei",), predicate="hear")
    with_news = [
        reply("react", ReactVars(HERE, (tom,), "", 0, (news,), ()), seed) for seed in range(200)
    ]
    without = [reply("react", ReactVars(HERE, (tom,), "", 0, (), ()), seed) for seed in range(200)]
    assert (
        sum(reaction.partner is not None for reaction in with_news)
        > sum(reaction.partner is not None for reaction in without)
        > 20
    )
    assert any("move away" in reaction.topic for reaction in with_news)


def test_who_has_just_been_talked_to_is_left_alone() -> None:
    tom = Neighbour(
        "tom",
        "Tom Reed",
        "keeper",
        "drinking tea",
        "friend",
        9,
        1,
        HERE.now - timedelta(minutes=40),
    )
    assert all(
        reply("react", ReactVars(HERE, (tom,), "", 0, (), ()), seed).decision == "continue"
        for seed in range(50)
    )


def test_one_waits_only_for_what_is_soon_free() -> None:
    decisions = [
        [
            reply("react", ReactVars(HERE, (), "the oven", minutes, (), ()), seed).decision
            for seed in range(50)
        ]
        for minutes in (10, 40)
    ]
    assert decisions[0].count("wait") >= 40
    assert decisions[1].count("wait") == 0


SEEN = (
    memory(
        1,
        "Tom Reed is polishing the lamp",
        about=("tom",),
        subject="tom",
        predicate="polishing the lamp",
    ),
    memory(
        2, "Tom Reed is painting a boat", about=("tom",), subject="tom", predicate="painting a boat"
    ),
    memory(
        3,
        "Ida and Tom spoke of the old lighthouse.",
        "chat",
        5,
        ("tom",),
        predicate="talk",
        object="tom",
    ),
    memory(4, "Ida wants to keep the harbour lively.", "thought", 5),
    memory(5, "Ida Berg takes this to heart: the lamp will be put out in May.", "thought", 7),
    memory(6, "Ida Berg is kneading dough", about=("ida",), predicate="kneading dough"),
    memory(
        7, "The lamp will be put out in May.", "event", 7, ("tom",), predicate="hear", object="tom"
    ),
)


@pytest.mark.parametrize("seed", range(12))
def test_insights_rest_on_what_they_speak_of(seed: int) -> None:
    insights = reply(
        "reflect_insights", InsightsVars(HERE, ("What does Tom Reed want?",), SEEN, 5), seed
    ).insights
    assert 2 <= len(insights) <= 5
    assert len({insight.thought for insight in insights}) == len(insights)
    for insight in insights:
        assert 1 <= len(insight.evidence) <= 4
        assert "{" not in insight.thought
        if "Tom Reed" in insight.thought:
            assert any("tom" in SEEN[number - 1].about for number in insight.evidence)
        if "lamp will be put out" in insight.thought:
            assert any(
                "lamp will be put out" in SEEN[number - 1].text for number in insight.evidence
            )


@pytest.mark.parametrize("lang", LANGS)
def test_someone_on_the_way_does_nothing_that_a_thought_could_name(lang: Lang) -> None:
    way = catalogue(lang, "outside")["way_seen"]
    seen = tuple(
        memory(at, f"Tom Reed is {doing}", about=("tom",), subject="tom", predicate=doing)
        for at, doing in ((1, "sweeping"), (2, way))
    )
    found = findings_for(InsightsVars(HERE, (), seen, 5), "Tom Reed?", Random(1), lang)
    named = [finding.fields for finding in found if "activity" in finding.fields]
    assert named == [{"other": "Tom Reed", "activity": "sweeping"}]


def test_thoughts_lead_to_thoughts_about_them() -> None:
    thoughts = (SEEN[3], SEEN[4])
    results = [
        reply(
            "reflect_insights", InsightsVars(HERE, ("What matters?",), thoughts, 5), seed
        ).insights
        for seed in range(10)
    ]
    assert any(insight.evidence == [1, 2] for insights in results for insight in insights)


def test_questions_differ_and_name_people() -> None:
    asked = [reply("reflect_focus", FocusVars(HERE, SEEN, 3), seed).questions for seed in range(10)]
    assert all(len(set(questions)) == 3 for questions in asked)
    assert all(any("Tom Reed" in question for question in questions) for questions in asked)
    assert len({tuple(questions) for questions in asked}) >= 8


def test_a_talk_leaves_what_mattered_in_it() -> None:
    chat = memory(
        1,
        "They spoke about the weather. Tom Reed said that the school is closing down in June.",
        "chat",
        6,
        ("tom",),
    )
    thoughts = [
        reply("reflect_chats", ChatsVars(HERE, (chat,)), seed).thoughts[0] for seed in range(8)
    ]
    assert all("closing down" in thought.memo + thought.plan for thought in thoughts)
    assert all(bool(thought.memo) != bool(thought.plan) for thought in thoughts), (
        "the same thing, thought twice"
    )
    assert len({thought.memo + thought.plan for thought in thoughts}) >= 4


def test_small_talk_old_news_and_appointments_that_are_over_are_no_food_for_thought() -> None:
    met = "Ida Berg met Tom Reed at the café."
    chat = memory(
        1,
        f"{met} They talked about Valentine's Day. Tom Reed brought up that the school is closing down, which Ida Berg had already heard.",
        "chat",
        6,
        ("tom",),
    )
    assert takeaway(chat, HERE, "en").text == ""
    kept = [reply("reflect_chats", ChatsVars(HERE, (chat,)), seed).thoughts for seed in range(8)]
    assert not any(
        "Valentine" in thought.memo + thought.plan or "school" in thought.memo + thought.plan
        for thoughts in kept
        for thought in thoughts
    )
    past = memory(
        2,
        f"Ida Berg has agreed with Tom Reed to meet: sharing a coffee, {NOW:%A} at 06:00",
        "plan",
        6,
        ("tom",),
        predicate="agree",
    )
    results = [
        reply(
            "reflect_insights",
            InsightsVars(HERE, ("What is Tom Reed really after?",), (past, *SEEN), 5),
            seed,
        ).insights
        for seed in range(8)
    ]
    assert not any(
        "sharing a coffee" in insight.thought for insights in results for insight in insights
    )


def test_a_talk_in_which_something_was_told_was_no_small_talk() -> None:
    told = "Ida Berg and Tom Reed chatted. Ida Berg told Tom Reed that she is hiding debts."
    chat = memory(1, told, "chat", 6, ("tom",))
    kept = [reply("reflect_chats", ChatsVars(HERE, (chat,)), seed).thoughts for seed in range(20)]
    assert not any(kept)


@pytest.mark.parametrize(
    ("news", "is_public"),
    [
        ("the school is closing down, and there is a concert in June: for Tom", True),
        ("he told nobody of his part in the concert in June", False),
        ("Ida Berg's concert in June changed his life", False),
    ],
)
def test_only_what_concerns_others_is_to_be_told_to_others(news: str, is_public: bool) -> None:
    chat = memory(1, f"They met. Tom Reed told Ida Berg that {news}.", "chat", 6, ("tom",))
    kept = [
        reply("reflect_chats", ChatsVars(HERE, (chat,)), seed).thoughts[0] for seed in range(20)
    ]
    assert any(re.search("tell others|ought to hear", each.plan) for each in kept) == is_public
    assert all((each.memo + each.plan).count(": ") == 1 for each in kept)


def test_thoughts_with_nothing_in_them_are_not_quoted() -> None:
    hollow = memory(1, "Tom Reed listens well, and Ida Berg knows it.", "thought", 6, ("tom",))
    results = [
        reply(
            "reflect_insights", InsightsVars(HERE, ("What matters?",), (hollow, SEEN[3]), 5), seed
        ).insights
        for seed in range(10)
    ]
    assert not any(
        "listens well”" in insight.thought for insights in results for insight in insights
    )


def test_what_is_going_on_stays_the_persona_s_own_and_takes_up_news() -> None:
    concern = reply("currently", CurrentlyVars(HERE, DATE, (SEEN[6],), ())).currently
    assert concern.startswith(sentences(IDA.currently, "en")[0])
    assert "put out in May" in concern


def test_unknown_activities_last_as_long_as_their_entry() -> None:
    for length in (7, 30, 95, 1440):
        tasks = reply(
            "schedule_decompose", DecomposeVars(HERE, Entry(0, length, "juggling"), None, None, 5)
        ).tasks
        assert sum(task.minutes for task in tasks) == length, hhmm(length)


@pytest.mark.parametrize("lang", LANGS)
def test_a_fire_is_left_watched_or_fought_and_one_s_own_things_are_mended(lang: Lang) -> None:
    places = (("cafe/main", "Harbour Café"), ("park/lawn", "Park"))

    def replies(matter: Matter) -> list[Any]:
        return [
            reply("respond", RespondVars(HERE, (matter,), (), places, (), ()), seed, lang)
            for seed in range(60)
        ]

    burning = replies(Matter("fire", "seen", "fire", 1, here=True))
    assert sum(one.decision == "do" for one in burning) >= 54
    assert len({one.what for one in burning}) >= 5
    assert {one.where for one in burning if one.decision == "do"} == {1, 2}, (
        "some stay, and some go elsewhere"
    )
    broken = Matter(
        "broken", "seen", "broken", 1, here=True, own=True, remedy="repairing the oven", minutes=40
    )
    mended = [one for one in replies(broken) if one.decision == "do"]
    assert len(mended) >= 45
    assert all(
        "repairing the oven" in one.what and one.where == 1 and one.minutes >= 40 for one in mended
    )
    assert {one.decision for one in replies(replace(broken, own=False))} == {"continue"}
