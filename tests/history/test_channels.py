"""Channels of knowledge: only a conversation tells, and neither sights, thoughts, interventions nor
denials do.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from hometown.agent.acting.note_leaving import NOTE_PREDICATE
from hometown.agent.acting.pressing_matters import SHOUT_PREDICATE
from hometown.history.channels import find_channels, find_targets
from hometown.history.entities import OwnedMemory
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import asserts_topic, knowers, widen_topic
from hometown.history.topics import HappeningTopic
from hometown.memory.concept import BACKGROUND, OVERHEARD_PREDICATE, Concept, MemoryType
from hometown.study.measures.news import diffusion
from hometown.study.measures.registry import Subject
from hometown.world.conversation import Company, Line, Presence
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.world import Gathering, Storyline

START = datetime(2025, 2, 13, 6)
STORY = Storyline("party", "The party", ("party", "派对"), None)
PEOPLE = ["ana", "bo", "cy", "dee", "eve", "fay"]


def remember(
    who: str,
    step: int,
    kind: MemoryType = "event",
    text: str = "A party.",
    predicate: str = "is",
    talk: str = "",
    subject: str = "ana",
) -> OwnedMemory:
    at = START + timedelta(minutes=10 * step)
    concept = Concept(step + 1, kind, text, subject, predicate, "", "", 5, at, at, talk=talk)
    return OwnedMemory(who, step, concept)


def talk_of(*lines: Line) -> Company:
    """A conversation of Ana and Bo in which both hear every line."""
    return Company(
        "1-1",
        1,
        "ana",
        "bo",
        "cafe/main",
        START,
        3,
        lines,
        "They talked of a party.",
        "word",
        company=(Presence("ana", 0, len(lines)), Presence("bo", 0, len(lines))),
    )


def run_of(memories: list[OwnedMemory], *lines: Line) -> RunReader:
    run = SimpleNamespace(
        residents=PEOPLE,
        residents_at=lambda step: PEOPLE,
        manifest=SimpleNamespace(stride=10, lang="en"),
        memories=lambda first, last: [each for each in memories if first <= each.step <= last],
        conversation=lambda number: talk_of(*lines),
    )
    return cast(RunReader, run)


MEMORIES = [
    remember("ana", 0, "thought"),
    remember("bo", 2, "chat", talk="1-1"),
    remember("cy", 3),
    remember("dee", 4, predicate=OVERHEARD_PREDICATE, talk="1-1"),
    remember("eve", 5, "thought", predicate=VOICE_PREDICATE),
    remember("fay", 6, "plan"),
    remember("cy", 6, "thought", predicate=BACKGROUND),
]


def test_each_memory_has_its_channel() -> None:
    run = run_of(MEMORIES, Line("ana", "There is a party on Friday."))
    (found,) = find_channels(run, [STORY], 10)
    assert [(each.memory.who, each.channel, each.teller) for each in found] == [
        ("ana", "start", ""),
        ("bo", "told", "ana"),
        ("cy", "saw", ""),
        ("dee", "overheard", "ana"),
        ("eve", "injected", ""),
        ("fay", "inferred", ""),
        ("cy", "read", ""),
    ]
    assert find_targets(run, 10) == {"eve", "cy"}


@pytest.mark.parametrize(
    ("lines", "channel"),
    [
        ([Line("ana", "There is a party on Friday.")], "told"),
        ([Line("bo", "There is a party on Friday.")], "inferred"),
        ([Line("ana", "I haven’t heard of any party.")], "inferred"),
        ([Line("ana", "There's no party."), Line("bo", "A party?")], "inferred"),
        ([Line("ana", "No idea. But come to the party!")], "told"),
    ],
)
def test_only_another_residents_assertion_tells(lines: list[Line], channel: str) -> None:
    ((learned,),) = find_channels(run_of(MEMORIES[1:2], *lines), [STORY], 10)
    assert learned.channel == channel


def test_the_news_and_the_table_of_beliefs_name_the_same_teller() -> None:
    """Bo is told by Ana, begins with it himself, or hears her doubt it; Dee overhears Ana."""
    memories = [MEMORIES[1], MEMORIES[3]]
    doubt = Line("ana", "I am not sure that there is a party.")
    for said in ([Line("ana", "A party!")], [Line("bo", "A party?")], [doubt]):
        run = run_of(memories, *said)
        (found,) = find_channels(run, [STORY], 10)
        traced = [each.teller for each in knowers(run, STORY, 10)]
        assert traced == [each.teller for each in found]
        assert traced[1] == "ana"


def test_noise_from_elsewhere_is_heard_and_not_seen() -> None:
    noise = "There was noise and shouting from the café: there is smoke, and shouts of fire"
    seen = "the café is on fire, in the café"
    memories = [
        remember(who, 2, text=text, predicate=text, subject="cafe/main")
        for who, text in (("bo", noise), ("cy", seen))
    ]
    fire = HappeningTopic("the café is on fire", "en", "the café", "there is smoke")
    (found,) = find_channels(run_of(memories), [fire], 10)
    assert [(each.memory.who, each.channel, each.teller) for each in found] == [
        ("bo", "overheard", ""),
        ("cy", "saw", ""),
    ]


def test_what_residents_decide_about_what_they_know_is_no_channel() -> None:
    """Bo was told, changes his plan, and remembers that; Cy does so without knowing. Dee finds Ana's
    note, hears Ana's shout, and sees her prepare.
    """
    memories = [
        remember("bo", 2, "chat", talk="1-1"),
        remember("bo", 3, subject="bo", predicate="displace"),
        remember("bo", 4, subject="bo", predicate="hear", talk="1-1"),
        remember("cy", 4, subject="cy", predicate="displace"),
        remember("dee", 5, predicate=NOTE_PREDICATE),
        remember("dee", 6, predicate=SHOUT_PREDICATE),
        remember("dee", 7),
    ]
    ((*found,),) = find_channels(run_of(memories, Line("ana", "A party!")), [STORY], 10)
    assert [(each.memory.who, each.channel, each.teller) for each in found] == [
        ("bo", "told", "ana"),
        ("cy", "inferred", ""),
        ("dee", "read", "ana"),
        ("dee", "overheard", "ana"),
        ("dee", "saw", ""),
    ]


@pytest.mark.parametrize(
    ("line", "asserts"),
    [
        ("Have you heard of the party?", True),
        ("Do you know? Isabella gives a party.", True),
        ("I don't know of any party.", False),
        ("I don't know how to tell you: I give a party.", True),
        ("I don't know how to tell you that I give a party.", True),
        ("I am not sure that there is a party.", False),
        ("你知道派对的事吗？", True),
        ("我没听说有派对。", False),
        ("我不知道。周五有派对！", True),
        ("You haven't heard this from me yet: I give a party.", True),
        ("你还没听说过吧：周五有派对。", True),
        ("爷爷还不知道我周五办派对。", True),
        ("He doesn't know yet, and they haven't heard of the party.", True),
        ("“The party?”", False),
        ("派对？", False),
        ("Good morning.", False),
    ],
)
def test_denial_and_doubt_assert_nothing(line: str, asserts: bool) -> None:
    assert asserts_topic(STORY, line) is asserts


@pytest.mark.parametrize(
    ("line", "asserts"),
    [
        ("Come to the party! Friday at five o'clock.", True),
        ("Come to the party! Friday at six o'clock.", False),
        ("Come to a party! Friday at five o'clock.", False),
    ],
)
def test_a_gathering_is_known_by_its_kind_and_its_hour(line: str, asserts: bool) -> None:
    start = datetime(2025, 2, 14, 17)
    gathering = Gathering("cafe/main", start, start + timedelta(hours=2))
    run = cast(RunReader, SimpleNamespace(manifest=SimpleNamespace(lang="en")))
    topic = widen_topic(Storyline("party", "The party", ("Valentine's party",), gathering), run)
    assert asserts_topic(topic, line) is asserts


@pytest.mark.parametrize(
    ("text", "mentions"),
    [
        ("The Starlight's coffee machine has died, with sparks", True),
        ("There's smoke at the Starlight Café!", True),
        ("A hiss and a crackle came from next door.", True),
        ("I rang the fire brigade, and my voice was steady.", False),
        ("My cough is out, there, like the smoke.", False),
        ("The coffee at the Starlight Café is strong.", False),
    ],
)
def test_a_happening_is_known_by_its_kind_and_place_or_by_its_words(
    text: str, mentions: bool
) -> None:
    smoke = "smoke pours out of the coffee machine and the socket behind it sparks"
    topic = HappeningTopic(smoke, "en", "Starlight Café", "A hiss and a crackle")
    assert topic.is_mentioned_in(text) is mentions


def test_the_share_told_leaves_out_targets_and_other_channels() -> None:
    """Of six, Eve and Cy were acted on: Ana knew, and Bo was told after two steps of ten; Dee and
    Fay were told by nobody.
    """
    names = cast(Names, SimpleNamespace(storylines=[STORY]))
    run = run_of(MEMORIES, Line("ana", "There is a party on Friday."))
    found = {
        each.name: each.value for each in diffusion(Subject(run, names, 10, find_targets(run, 10)))
    }
    assert found == pytest.approx(
        {"known_start": 1 / 6, "told": 2 / 4, "known": 1.0, "hours": (2 + 10 + 10) / 3 / 6}
    )
