"""Judges: those who love length or the first position, or toss a coin, are not admitted; one who
knows the truth is, and finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import orjson
import pytest

from hometown.model.llm import Completion, Request
from hometown.prompt.verdicts import RankVars
from hometown.storage.run import RunFile
from hometown.study.judging.controls import Control, controls, is_admitted, tau
from hometown.study.judging.judge import MEMORY_COUNT, read_sheet, verify_answer
from hometown.study.judging.readings import (
    PLANTED_NAME,
    Reading,
    Sheet,
    build_sheet,
    orders,
    ranks_of,
)
from hometown.study.ranking.primary import compute_statistics
from hometown.study.ranking.rankings import Block
from tests.support.fake_models import Says
from tests.support.interviews import STEPS, interviewed, interviewer, now

CONDITIONS = ("full", "no-reflection", "no-plan", "none")
WORDS = [
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

Choice = Callable[[Sequence[str], dict[str, str], Random], list[str]]
"""Names in the order shown and the answers by name, to names from best to worst."""

JUDGES: dict[str, Choice] = {
    "first": lambda shown, answers, rng: list(shown),
    "last": lambda shown, answers, rng: list(reversed(shown)),
    "long": lambda shown, answers, rng: sorted(shown, key=lambda name: -len(answers[name])),
    "short": lambda shown, answers, rng: sorted(shown, key=lambda name: len(answers[name])),
    "coin": lambda shown, answers, rng: rng.sample(list(shown), len(shown)),
}


def oracle(shown: Sequence[str], answers: dict[str, str], rng: Random) -> list[str]:
    """Knows which answer belongs here and how good each condition is, and errs now and then."""
    return sorted(
        shown,
        key=lambda name: (
            (9 if name == PLANTED_NAME else CONDITIONS.index(name)) + rng.gauss(0, 0.6)
        ),
    )


def sheets() -> list[Sheet]:
    """25 residents, 10 questions, answers of any length under each condition."""
    rng = Random(3)

    def text(who: int, question: int, condition: str) -> str:
        return f"{condition} {who} {question} " + " ".join(rng.sample(WORDS, rng.randint(1, 12)))

    made = []
    for question in range(10):
        given = [
            {condition: text(who, question, condition) for condition in CONDITIONS}
            for who in range(25)
        ]
        for who, answers in enumerate(given):
            others = [other["full"] for at, other in enumerate(given) if at != who]
            made.append(build_sheet(1, f"r{who}", f"q{question}", "Why?", answers, others))
    return made


def judged(choose: Choice, seed: int = 5) -> list[Reading]:
    rng, readings = Random(seed), []
    for each in sheets():
        for shown in orders(each):
            best = choose(shown, each.answers, rng)
            places = tuple(best.index(name) + 1 for name in shown)
            readings.append(
                Reading(
                    each.seed,
                    each.who,
                    each.question,
                    shown,
                    places,
                    tuple(len(each.answers[name]) for name in shown),
                )
            )
    return readings


def failed(found: Sequence[Control]) -> set[str]:
    return {control.name for control in found if not control.has_passed}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("first", {"planted", "agreement", "position"}),
        ("last", {"planted", "agreement", "position"}),
        ("long", {"planted", "length"}),
        ("short", {"planted", "length"}),
        ("coin", {"planted", "agreement"}),
    ],
)
def test_a_judge_who_does_not_judge_is_not_admitted(name: str, why: set[str]) -> None:
    found = controls(judged(JUDGES[name]))
    assert failed(found) == why
    assert not is_admitted(found)


def test_one_who_knows_is_admitted_and_finds_the_order() -> None:
    readings = judged(oracle)
    found = controls(readings)
    assert failed(found) == set()
    assert is_admitted(found)
    by_block = {(each.who, each.question): each for each in sheets()}
    blocks = [
        Block(
            1,
            who,
            question,
            ranks_of(
                each,
                [
                    reading
                    for reading in readings
                    if (reading.who, reading.question) == (who, question)
                ],
            ),
        )
        for (who, question), each in by_block.items()
    ]
    means = compute_statistics(blocks, CONDITIONS).means
    assert sorted(means, key=means.__getitem__) == list(CONDITIONS)


def test_too_little_to_tell_admits_nobody() -> None:
    assert failed(controls(judged(oracle)[:8])) >= {"planted"}
    assert not is_admitted(controls([]))


def test_a_judge_without_usable_replies_is_not_admitted() -> None:
    readings = judged(oracle)
    broken = [
        Reading(
            r.seed,
            r.who,
            r.question,
            r.shown,
            r.places,
            r.lengths,
            "fallback" if at % 10 == 0 else "ok",
        )
        for at, r in enumerate(readings)
    ]
    assert failed(controls(broken)) == {"usable"}


def test_who_disagrees_with_people_who_agree_is_not_admitted() -> None:
    """With 50 blocks ranked by two people: as people do, or the other way round."""
    readings = judged(oracle)
    agreeing, others = (
        list({(r.who, r.question): r for r in judged(oracle, seed)}.values())[:60]
        for seed in (6, 7)
    )
    opposed = [
        Reading(
            r.seed,
            r.who,
            r.question,
            r.shown,
            tuple(len(r.shown) + 1 - place for place in r.places),
            r.lengths,
        )
        for r in agreeing
    ]
    assert "people" not in failed(controls(readings, {"a": agreeing, "b": others[:55]}))
    assert failed(controls(readings, {"a": opposed, "b": opposed})) == {"people"}
    assert "people" not in {
        control.name for control in controls(readings, {"a": opposed[:49], "b": opposed[:49]})
    }


# sheets --------------------------------------------------------------------------------------


def test_each_answer_stands_once_in_each_position() -> None:
    for each in sheets()[:40]:
        shown = orders(each)
        assert len(shown) == len(each.answers)
        assert all(sorted(column) == sorted(each.answers) for column in zip(*shown, strict=True))


def test_a_tenth_of_the_sheets_has_the_longest_answer_of_another_resident() -> None:
    planted = [each for each in sheets() if PLANTED_NAME in each.answers]
    assert 10 <= len(planted) <= 45
    assert all(
        each.answers[PLANTED_NAME].split()[:3:2] == ["full", each.question[1:]] for each in planted
    )
    assert all(each.answers[PLANTED_NAME].split()[1] != each.who[1:] for each in planted)


def test_the_same_wording_is_shown_once_and_shares_a_rank() -> None:
    both = build_sheet(1, "ann", "q", "Why?", {"full": "So.", "no-plan": "So.", "none": "No."}, [])
    assert both.answers == {"full": "So.", "none": "No."}
    reading = Reading(1, "ann", "q", ("none", "full"), (2, 1), (3, 3))
    assert ranks_of(both, [reading]) == {"full": 1.5, "no-plan": 1.5, "none": 3.0}
    alone = build_sheet(1, "ann", "q", "Why?", {"full": "So.", "none": "So."}, [])
    assert orders(alone) == []
    assert ranks_of(alone, []) == {"full": 1.5, "none": 1.5}


def test_a_planted_answer_does_not_change_the_ranks_of_the_others() -> None:
    each = Sheet(
        1,
        "ann",
        "q",
        "Why?",
        {"full": "So.", "none": "No.", PLANTED_NAME: "Well."},
        {"full": "full", "none": "none"},
    )
    readings = [
        Reading(1, "ann", "q", tuple(each.answers), places, (3, 3, 5))
        for places in ((1, 3, 2), (2, 1, 3), (1, 2, 3))
    ]
    assert ranks_of(each, readings) == {"full": 1.0, "none": 2.0}
    fair = [Reading(1, "ann", "q", ("full", "none"), places, (3, 3)) for places in ((1, 2), (2, 1))]
    spread = [
        Reading(1, "ann", "q", tuple(each.answers), places, (3, 3, 5))
        for places in ((1, 3, 2), (2, 1, 3))
    ]
    assert ranks_of(each, fair) == ranks_of(each, spread) == {"full": 1.5, "none": 1.5}


def test_a_block_without_a_usable_reading_has_no_ranking() -> None:
    two = build_sheet(1, "ann", "q", "Why?", {"full": "So.", "none": "No."}, [])
    assert (
        ranks_of(two, [Reading(1, "ann", "q", ("none", "full"), (1, 2), (3, 3), "fallback")]) == {}
    )


def test_tau_of_opposites() -> None:
    assert tau({"a": 1, "b": 2}, {"a": 2, "b": 1}) == -1.0


# the model -----------------------------------------------------------------------------------


class Longest:
    """A judge who prefers long answers, and keeps what it was asked."""

    name = "longest"

    def __init__(self) -> None:
        self.requests: list[Request] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.requests.append(request)
        assert isinstance(request.variables, RankVars)
        order = sorted(
            range(len(request.variables.answers)),
            key=lambda at: -len(request.variables.answers[at]),
        )
        return Completion(
            orjson.dumps({"reason": "It says more.", "order": [at + 1 for at in order]}).decode(),
            7,
            3,
        )


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return interviewed(tmp_path_factory)


def test_a_model_reads_what_the_resident_has_and_no_condition(results: Path) -> None:
    model = Longest()
    each = build_sheet(
        1,
        "wang_fang",
        "q1",
        "What is planned?",
        {"full": "A reading circle at three.", "no-plan": "Nothing.", "none": "I can't say."},
        [],
    )
    with RunFile.open(results, "town") as run:
        readings = now(read_sheet(interviewer(run, model), each, 40, 0))
    assert ranks_of(each, readings) == {"full": 1.0, "none": 2.0, "no-plan": 3.0}
    assert {reading.outcome for reading in readings} == {"ok"}
    text = "\n".join(message.content for message in model.requests[0].messages)
    assert "The resident: Wang Fang" in text
    assert "You are one of them" not in text
    assert not any(condition in text for condition in ("no-plan", "full", "condition"))
    assert 10 < len(model.requests[0].variables.memories) <= MEMORY_COUNT


def test_a_judge_says_whether_an_answer_holds_by_what_the_resident_has(results: Path) -> None:
    """It is told the question, the answer and the memories, and not what the rule says."""
    model = Says('{"reason": "Nothing tells of the moon.", "verdict": "invented"}')
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, model)
        assert now(
            verify_answer(asks, "lin_yue", "Where have you been?", "On the moon.", STEPS, 0)
        ) == (
            "invented",
            "Nothing tells of the moon.",
        )
        shown = "\n".join(message.content for message in model.requests[-1].messages)
        assert 10 < len(model.requests[-1].variables.memories) <= MEMORY_COUNT
        assert "On the moon." in shown
        assert "You are one of them" not in shown
        assert (
            now(
                verify_answer(
                    interviewer(run, Says("?")),
                    "lin_yue",
                    "Where have you been?",
                    "On the moon.",
                    STEPS,
                    0,
                )
            )[0]
            == "unanswered"
        )


def test_the_stand_in_draws_lots(results: Path) -> None:
    each = build_sheet(
        1,
        "wang_fang",
        "q1",
        "What is planned?",
        {"full": "A reading circle.", "no-plan": "Nothing.", "none": "I can't say."},
        [],
    )
    with RunFile.open(results, "town") as run:
        ask = interviewer(run)
        drawn = {
            tuple(reading.places)
            for number in range(4)
            for reading in now(read_sheet(ask, each, 40, number))
        }
        again = now(read_sheet(ask, each, 40, 0))
        assert again == now(read_sheet(ask, each, 40, 0))
    assert len(drawn) > 2
