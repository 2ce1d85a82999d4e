"""A town with feelings: they come from what happened, stand in prompts with their cause, and change
what is done; without them nothing knows of any.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from hometown.agent.mind.emotions import (
    IMPORTANCE_STRENGTHS,
    STAY_HOME_PLEASURE_MAX,
    Emotions,
    rate_with_feelings,
)
from hometown.cli.start import main
from hometown.config import combine
from hometown.language import LANGS, Lang
from hometown.memory.concept import Concept
from hometown.records import Call
from hometown.scripted.phrases import bank
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.befalling import happening_kind
from hometown.world.feeling import Feel, Feeling, Felt
from hometown.world.load import load_world
from hometown.world.rows import Clock, MindState
from hometown.world.state import State
from tests.support.days import EVENING, FEELING, NOON, frightful_day, lived_day, set_out
from tests.support.town import MORNING, live, minitown, opened

MOOD = {"en": "Your mood: ", "zh": "你此刻的心情："}
WORLD, ON = minitown(), combine([FEELING])


def feeling(kind: str, strength: int = 600, towards: str = "", memory: int = 0) -> Feeling:
    return Feeling(kind, towards, "quarrelled", memory, strength, MORNING)


def state(pleasure: int, *feelings: Feeling, who: str = "lin_yue") -> State:
    """A town in which somebody is in such a mood and feels this."""
    feel = Feel((pleasure * 60, 0, 0), MORNING, feelings)
    return State(
        {
            keys.CLOCK.key: Clock(MORNING, 0),
            keys.MIND.of(who): MindState(""),
            keys.FEEL.of(who): feel,
        },
        {},
        lambda text: pytest.fail(text),
    )


def emotions(pleasure: int, *feelings: Feeling) -> Emotions:
    return Emotions(WORLD, state(pleasure, *feelings), "lin_yue", ON)


def said(call: Call) -> str:
    return "\n".join(message.content for message in call.messages)


def newest(run: RunFile) -> list[tuple[str, Feeling]]:
    """What was felt anew, in order."""
    felt = (
        (logged.effect.who, logged.effect.feel)
        for _, logged in run.effects()
        if isinstance(logged.effect, Felt)
    )
    return [(who, each) for who, feel in felt for each in feel.feelings if each.since == feel.since]


@pytest.mark.parametrize("lang", LANGS)
def test_feelings_have_a_cause_that_is_remembered(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with opened(frightful_day(tmp_path_factory, lang)) as run:
        felt = newest(run)
        memories = {
            (who, concept.id): concept
            for who in run.manifest.residents
            for concept in run.memories(who)
        }
    assert {"joy", "fear"} <= {each.kind for _, each in felt}
    for who, each in felt:
        if each.memory:
            memory = memories[who, each.memory]
            assert not each.towards or each.towards in memory.about
            assert abs(memory.created - each.since) < timedelta(minutes=10)
        if each.kind == "fear":
            kind = happening_kind(memories[who, each.memory].text, lang)
            assert kind
            assert kind.key == "fire"


@pytest.mark.parametrize("lang", LANGS)
def test_prompts_of_talking_and_deciding_say_the_mood_and_why(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    with opened(frightful_day(tmp_path_factory, lang)) as run:
        told = [call for call in run.calls() if MOOD[lang] in said(call)]
        afraid = WORLD.hearts.feelings["fear"].says[lang]
        assert {"utterance", "talk_summary", "react", "schedule_init"} <= {
            call.kind for call in told
        }
        assert any(f"{afraid}" in said(call) for call in told)
    with opened(lived_day(tmp_path_factory, lang)) as run:
        assert not any(MOOD[lang] in said(call) for call in run.calls())
        assert not any(isinstance(logged.effect, Felt) for _, logged in run.effects())


@pytest.mark.parametrize("lang", LANGS)
def test_who_is_frightened_sounds_like_it(
    tmp_path_factory: pytest.TempPathFactory, lang: Lang
) -> None:
    """The phrases that only a mood offers are those of the mood that the speaker's state shows."""
    toned = {
        frame.text: frame.tag
        for frames in bank(lang).frames.values()
        for frame in frames
        if frame.tag.startswith("tone-")
    }
    with opened(frightful_day(tmp_path_factory, lang)) as run:
        lines = [(talk, line) for talk in run.conversations() for line in talk.lines]
        heard = [
            (talk, line.speaker, toned[move.text])
            for talk, line in lines
            for move in bank(lang).recognise(line.text)
            if move.text in toned
        ]
        assert heard
        for talk, speaker, tone in heard:
            before = Emotions(minitown(lang), run.restore(talk.step - 1), speaker, ON)
            tones = {before.tone(other) for other in talk.others(speaker)}
            assert tone.removeprefix("tone-") in tones


def test_a_run_with_feelings_is_thought_again_and_goes_on_as_if_it_had_not_stopped(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        main(
            [
                "--verify",
                "town",
                "--results",
                str(frightful_day(tmp_path_factory, "en")),
                "--lang",
                "en",
            ]
        )
        == 0
    )
    assert f"{EVENING} steps are thought as recorded" in capsys.readouterr().out
    set_out(frightful_day(tmp_path_factory, "en"), tmp_path, NOON - 6)
    with opened(frightful_day(tmp_path_factory, "en")) as run:
        assert live(tmp_path, 6) == run.digests()[: NOON + 1]


# what they change --------------------------------------------------------------------------


def test_a_good_mood_opens_talks_and_a_bad_one_does_not() -> None:
    assert [emotions(pleasure).talkativeness for pleasure in (-100, -50, -20, 0, 30, 100)] == [
        0.5,
        0.5,
        0.8,
        1.0,
        1.3,
        1.5,
    ]
    assert Emotions(WORLD, state(-100), "lin_yue", combine([{}])).talkativeness == 1


def test_who_is_low_spends_its_leisure_at_home() -> None:
    home = WORLD.personas["lin_yue"].home
    low, well = emotions(STAY_HOME_PLEASURE_MAX), emotions(STAY_HOME_PLEASURE_MAX + 1)
    assert low.prefers_home("taking a walk", "park/green", home, planned=True)
    assert not low.prefers_home("reading a novel", home, home, planned=True)
    assert not low.prefers_home("designing a logo", "studio/main", home, planned=True)
    assert not well.prefers_home("taking a walk", "park/green", home, planned=True)


def test_where_rules_see_to_work_whatever_is_no_errand_is_leisure() -> None:
    world = load_world("farmstead", "en")
    low, home = (
        Emotions(world, state(STAY_HOME_PLEASURE_MAX, who="ada"), "ada", ON),
        world.personas["ada"].home,
    )
    assert low.prefers_home("carrying straw to the loft", "barn/main", home, planned=True)
    assert not low.prefers_home("carrying straw to the loft", home, home, planned=True)
    assert not low.prefers_home("carrying straw to the loft", "barn/main", home, planned=False), (
        "an inner voice, or what happened, calls for it"
    )


def test_how_one_sounds_depends_on_who_is_there() -> None:
    angry = emotions(0, feeling("anger", towards="zhao_gang"))
    assert (angry.tone("zhao_gang"), angry.tone("wang_fang")) == ("cold", None)
    assert (emotions(-30).tone("wang_fang"), emotions(30).tone("")) == ("low", "bright")


def test_the_strongest_feeling_is_told_with_its_cause() -> None:
    told = emotions(
        -60, feeling("anger", towards="zhao_gang"), feeling("joy", 100, "wang_fang")
    ).describe()
    assert told == "irritable; angry with Zhao Gang, since 06:00: the two quarrelled"
    assert emotions(0, feeling("joy", 100)).describe() == ""


@pytest.mark.parametrize(
    ("strength", "more"),
    [
        (IMPORTANCE_STRENGTHS[0] - 1, 0),
        (IMPORTANCE_STRENGTHS[0], 1),
        (IMPORTANCE_STRENGTHS[1], 2),
        (IMPORTANCE_STRENGTHS[2], 3),
    ],
)
def test_what_is_strongly_felt_matters_more(strength: int, more: int) -> None:
    talk = Concept(
        7,
        "chat",
        "They talked",
        "lin_yue",
        "talk",
        "zhao_gang",
        "",
        5,
        MORNING,
        MORNING,
        about=("zhao_gang",),
    )
    assert (
        rate_with_feelings(
            WORLD, state(0, feeling("anger", strength, "zhao_gang", memory=7)), "lin_yue", talk
        )
        == 5 + more
    )
    assert (
        rate_with_feelings(
            WORLD, state(0, feeling("anger", strength, "zhao_gang", memory=6)), "lin_yue", talk
        )
        == 5
    )
