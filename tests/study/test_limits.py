"""By what a model is accepted, and what is told of one that isn't."""

from __future__ import annotations

from datetime import datetime

import pytest

from hometown.history.life import Life, ResidentLife
from hometown.language import LANGS
from hometown.records import Attempt, Call, Message, Outcome
from hometown.study.league.limits import WAKING_DAY, Limit, limits
from hometown.text import translate_all
from hometown.world.conversation import Conversation
from tools.acceptance_report import ACCEPTANCE_TEXTS

GOOD = ResidentLife(
    "ann", mornings=1, on_time=1, work_minutes=100, at_work=90, activities=12, places=3
)


def calls(ok: int, retried: int = 0, fallback: int = 0) -> list[Call]:
    counts: dict[Outcome, int] = {"ok": ok, "retried": retried, "fallback": fallback}
    outcomes = [outcome for outcome, count in counts.items() for _ in range(count)]
    return [
        Call(1, "ann", "react", 0, "m", outcome, "{}", (Attempt("{}"),), (), (), 1, 1, 1.0)
        for outcome in outcomes
    ]


def missed(given: list[Call], life: Life, minutes: int = WAKING_DAY) -> set[str]:
    return {limit.name for limit in limits(given, life, minutes) if not limit.is_met}


def test_a_good_day_is_accepted() -> None:
    assert not missed(
        [*calls(ok=97, retried=2, fallback=1), *talk()], Life((GOOD,), 15, "Good morning!", 5)
    )


def test_replies_that_were_lost_are_not() -> None:
    assert missed([*calls(ok=95, retried=4, fallback=3), *talk()], Life((GOOD,), 15, "", 0)) == {
        "fallback",
        "retried",
    }


def test_nor_is_a_life_that_is_none() -> None:
    asleep = ResidentLife(
        "bo", mornings=1, on_time=0, work_minutes=100, at_work=0, activities=2, places=1
    )
    assert missed(talk(), Life((GOOD, asleep, asleep, asleep), 3, "I like bread.", 6)) == {
        "up",
        "at_work",
        "times_said",
        "activities",
        "places",
        "conversations_ended",
    }


def thought(text: str) -> Call:
    """Return a call in which Ann sums up a conversation in this text."""
    prompt = (Message("system", "You are Ann Reed, 30, baker. Character: blunt"),)
    reply = f'{{"summary": "{text}"}}'
    return Call(
        1, "ann", "talk_summary", 0, "m", "ok", reply, (Attempt(reply),), prompt, (), 1, 1, 1.0
    )


def spoken(*lines: str) -> list[Call]:
    """Calls in which Ann says these lines to Bea."""
    prompt = (
        Message("system", "You are Ann Reed, 30, baker. Character: blunt"),
        Message("user", "You are talking with Bea Holt, potter."),
    )
    return [
        Call(1, "ann", "utterance", 0, "m", "ok", text, (Attempt(text),), prompt, (), 1, 1, 1.0)
        for text in (f'{{"say": "{line}"}}' for line in lines)
    ]


GOOD_LINES = (
    "Your glaze cracked again, I see. Was the kiln damp?",
    "Then bring me the pots on Friday and I'll bake them beside the bread.",
    "No. My oven, my rules.",
)
"""Lines that a reader took for those of a living mind."""

BROKEN_LINES = (
    "Zhong Ying Zhi is sitting alone on a balcony at ithy Bai Lu, the town square.",
    "Bea Holt is drafting the invitation.",
    "What is going on in your life?",
)
"""Lines of a day on a model of 135 million parameters."""


def talk() -> list[Call]:
    """Return enough calls with good lines for a judgement."""
    return spoken(*GOOD_LINES * 9)


def test_lines_tell_living_minds_from_broken_ones() -> None:
    life = Life((GOOD,), 15, "Good morning!", 5)
    assert not missed(spoken(*GOOD_LINES * 9), life)
    assert missed(spoken(*BROKEN_LINES * 9), life) == {"faulty_lines", "faulty_replies"}
    assert not missed(spoken(*GOOD_LINES * 9, BROKEN_LINES[0]), life)


def test_a_day_with_good_lines_and_broken_thoughts_is_not_accepted() -> None:
    life = Life((GOOD,), 15, "Good morning!", 5)
    broken = [thought("The the meeting ithyyyy of the")] * 6
    assert missed([*talk(), *broken], life) == {"faulty_replies"}


def test_a_good_day_with_lines_that_break_off_is_not_accepted() -> None:
    life = Life((GOOD,), 15, "Good morning!", 5)
    cut = spoken(*(line[: len(line) * 2 // 3].rstrip(".,!? ") for line in GOOD_LINES[:2]))
    assert missed([*talk(), *cut * 5], life) == {"faulty_lines", "faulty_replies"}


def test_one_faulty_reply_in_twenty_is_the_limit() -> None:
    life = Life((GOOD,), 15, "Good morning!", 5)
    broken = [thought("The the meeting ithyyyy of the")]
    sound = [thought(f"Ann sold loaf number {number}.") for number in range(12)]
    assert not missed([*talk(), *sound, *broken * 2], life)
    assert missed([*talk(), *sound, *broken * 3], life) == {"faulty_replies"}


def test_a_model_is_not_accepted_for_what_nobody_said() -> None:
    life = Life((GOOD,), 0, "", 0)
    assert missed([*calls(ok=20), *spoken(*GOOD_LINES)], life, minutes=240) == {"lines_judged"}


def test_conversations_that_end_for_want_of_news_are_few() -> None:
    def held(ended_by: str, count: int) -> list[Conversation]:
        noon = datetime(2025, 2, 13, 12)
        return [
            Conversation("1-ann", 1, "ann", "bea", "town/square", noon, 2, (), "", ended_by)
        ] * count

    life = Life((GOOD,), 15, "Good morning!", 5)
    day = [*held("word", 13), *held("repetition", 9)]
    stuck = [limit for limit in limits(talk(), life, WAKING_DAY, None, day) if not limit.is_met]
    assert [limit.name for limit in stuck] == ["stuck"]
    assert (
        stuck[0].in_words(translate_all(ACCEPTANCE_TEXTS, "en")).startswith("conversations ended")
    )


def test_a_morning_need_not_hold_a_day() -> None:
    assert not missed(
        talk(), Life((ResidentLife("ann", 1, 1, 100, 90, 2, 1),), 0, "", 0), minutes=360
    )


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_missed_is_told_with_its_limit(lang: str) -> None:
    words = translate_all(ACCEPTANCE_TEXTS, lang)
    assert (
        Limit("fallback", 0.031, 0.01, share=True).in_words(words)
        == {
            "en": "fallbacks: 3.1% (at most 1.0%)",
            "zh": f"{words['fallback']}：3.1%（至多 1.0%）",
        }[lang]
    )
    assert "3" in Limit("places", 2, 3, least=True).in_words(words)
