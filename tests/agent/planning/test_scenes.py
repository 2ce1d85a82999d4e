"""A gathering is one scene: its prompts name place, hours, host and moment, and its host keeps it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.agent.mind.phrasing import Words
from hometown.agent.mind.present_events import (
    describe_gatherings,
    find_last_gathering,
    list_moments,
)
from hometown.language import LANGS, Lang
from hometown.memory.concept import GATHERED_PREDICATE
from hometown.memory.schedule import Entry
from hometown.prompt.clashes import CLASH, ClashVars
from hometown.prompt.tasks import DecomposeVars
from hometown.scripted.clashing import answer_clash
from hometown.scripted.doing import answer_schedule_decompose
from hometown.world.bond import Bond
from hometown.world.load import load_world
from hometown.world.occasion import Guest, Occasion
from hometown.world.rows import Promise
from hometown.world.state import State
from tests.support.prompt_samples import SITUATION, memory

FIVE = datetime(2025, 2, 14, 17)
PARTY = Occasion(
    "the party",
    "hobbs_cafe/main",
    FIVE,
    120,
    (Guest("isabella_rodriguez", FIVE, part="gives"),),
    "valentine_party",
)


@pytest.mark.parametrize("lang", LANGS)
def test_a_guest_knows_the_place_the_host_and_the_present_moment(lang: Lang) -> None:
    world = load_world("ville", lang)
    words = Words(world)
    gathering = world.storylines[0].gathering
    assert gathering
    guest = Guest("tom_moreno", FIVE, "isabella_rodriguez", "comes")
    seen = set()
    for minutes in range(0, 120, 10):
        now = FIVE + timedelta(minutes=minutes)
        (here,) = describe_gatherings(words, [(PARTY, guest)], "hobbs_cafe/main", now)
        (away,) = describe_gatherings(words, [(PARTY, guest)], "pub/main", now)
        for text in (here, away):
            assert PARTY.what in text
            assert world.place_name(PARTY.address) in text
            assert words.name("isabella_rodriguez") in text
        present = [moment for moment in gathering.moments if moment in here]
        assert len(present) == 1
        assert not any(moment in away for moment in gathering.moments)
        seen.update(present)
    assert seen == set(gathering.moments)
    for moment in (FIVE - timedelta(minutes=1), PARTY.end):
        assert not [*describe_gatherings(words, [(PARTY, guest)], PARTY.address, moment)]


@pytest.mark.parametrize("lang", LANGS)
def test_nobody_is_told_what_happens_at_a_meeting_and_its_host_knows_who_comes(lang: Lang) -> None:
    """Only the gatherings of storylines have moments."""
    world = load_world("ville", lang)
    words = Words(world)
    ids = ("tom_moreno", "jane_moreno", "sam_moore")
    host, *guests = (Guest(who, FIVE, part="comes") for who in ids)
    host = replace(host, part="gives")
    cards = Occasion("cards", "pub/main", FIVE, 60, (host, *guests))
    assert not list_moments(words, cards)
    (own,) = describe_gatherings(words, [(cards, host)], "pub/main", FIVE)
    assert own.endswith(words.say("guests_coming", names=words.names(ids[1:])))
    (other,) = describe_gatherings(words, [(cards, guests[0])], "pub/main", FIVE)
    assert other.endswith(words.say("part_comes", hosts=words.names(ids[:1])))


@pytest.mark.parametrize(
    ("what", "others", "hour", "found"),
    [
        ("party", 1, 8, True),
        ("party", 1, 12, False),
        ("cards", 2, 8, True),
        ("cards", 1, 8, False),
    ],
)
def test_the_morning_after_knows_a_gathering_however_few_came(
    what: str, others: int, hour: int, found: bool
) -> None:
    world = load_world("ville", "en")
    title = world.storylines[0].title if what == "party" else what
    evening = FIVE + timedelta(hours=2)
    came = replace(
        memory(1, f"They came together for {title}"),
        predicate=GATHERED_PREDICATE,
        object=title,
        created=evening,
        about=("tom_moreno", "jane_moreno")[:others],
    )
    state = cast(State, SimpleNamespace(memory=lambda _: SimpleNamespace(since=lambda *_: [came])))
    morning = FIVE.replace(hour=hour) + timedelta(days=1)
    assert (find_last_gathering(world, state, "sam_moore", morning) is came) == found


def test_the_stand_in_follows_the_moments_of_a_gathering() -> None:
    v = DecomposeVars(
        SITUATION,
        Entry(17 * 60 + 10, 19 * 60, "the party", "appointment", "hobbs_cafe/main"),
        None,
        None,
        10,
        moments=((1030, "coming in"), (1060, "drinking a toast"), (1100, "singing")),
    )
    tasks = answer_schedule_decompose(v, Random(1), "en").tasks
    assert [(task.activity, task.minutes) for task in tasks] == [
        ("the party: coming in", 30),
        ("the party: drinking a toast", 40),
        ("the party: singing", 40),
    ]


def test_a_host_keeps_their_own_gathering() -> None:
    party = Promise("the party", ("ada", "ben"), "cafe/main", FIVE, 120, "")
    v = ClashVars(SITUATION, (party,), replace(party, what="a walk", address="park/park"), hosted=1)
    assert {answer_clash(v, Random(seed), "en").keep for seed in range(20)} == {1}
    assert CLASH.narrow(v)["keep"] == {"minimum": 1, "maximum": 1}


def test_an_inner_voice_that_is_followed_can_outweigh_an_agreement() -> None:
    party = Promise("the party", ("ada", "ben"), "cafe/main", FIVE, 120, "")
    me = replace(SITUATION.me, id="ada", closeness={"ben": 8})
    resting = Promise("resting", ("ada",), "home/bed", FIVE, 60, "voice:3")

    def choices(new: Promise) -> set[int]:
        v = ClashVars(replace(SITUATION, me=me), (party,), new)
        return {answer_clash(v, Random(seed), "en").keep for seed in range(40)}

    assert choices(resting) == {1, 2}, "either, by chance"
    assert choices(replace(resting, talk="reason:3")) == {1}


def test_a_rift_lasts_until_a_good_talk() -> None:
    bond = Bond().shift(1, "talk").shift(-4, "quarrel")
    assert bond.rift == "quarrel"
    assert bond.shift(1, "made_up").rift == ""
    assert Bond().shift(2, "helped").rift == ""
