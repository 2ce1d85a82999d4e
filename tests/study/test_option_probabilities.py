"""Probabilities of the answers to closed questions, from those of a reply's tokens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import log
from pathlib import Path
from random import Random

import orjson
import pytest

from hometown.model.llm import Completion, Request
from hometown.model.token_alternatives import TokenPlace, WeighedToken
from hometown.prompt.interview_answers import InterviewVars
from hometown.storage.run import RunFile
from hometown.study import option_probabilities
from hometown.study.closed_items import choice_columns, find_expected_score
from hometown.study.option_probabilities import divide, find_probabilities
from hometown.study.questionnaire import Asking, find_questionnaire, questions_for
from hometown.study.tally import interview
from tests.support.interviews import interviewed, interviewer, now

AGREEMENT = ("Strongly agree", "Agree", "Disagree", "Strongly disagree", "I would rather not say")

NUMBERS = (*map(str, range(31)), "不想回答")

HEAD = '{"evidence": [], "answer": '


class CharacterModel:
    """A model whose tokens are characters, with probabilities drawn by the text before; a schema
    holds it to the answers that are allowed. It can be computed what it answers how often.
    """

    name = "characters"

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.asked = 0

    def weigh(self, written: str, following: Sequence[str]) -> dict[str, float]:
        """The probabilities of characters that may follow, and of one that no answer allows."""
        chances = {
            each: Random(f"{self.seed} {written} {each}").random() ** 3
            for each in (*following, "~")
        }
        total = sum(chances.values())
        return {each: chance / total for each, chance in chances.items()}

    def chance(self, answer: str, answers: Sequence[str]) -> float:
        """The probability of an answer, held to the possible ones."""
        chance, text = 1.0, orjson.dumps(answer).decode()
        for at, character in enumerate(text):
            allowed = follow(text[:at], answers)
            weights = self.weigh(text[:at], follow(text[:at], answers))
            chance *= weights[character] / sum(weights[each] for each in allowed)
        return chance

    def write(self, answers: Sequence[str], within: Sequence[str]) -> list[TokenPlace]:
        """The characters of a reply, with those that might have been in their place."""
        self.asked += 1
        places = [_place(character, {character: 1.0}) for character in HEAD]
        written = ""
        while following := follow(written, within):
            weights = self.weigh(written, follow(written, answers))
            best = max(following, key=lambda each: weights[each])
            places.append(_place(best, weights))
            written += best
        return [*places, _place("}", {"}": 1.0})]

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        assert isinstance(request.variables, InterviewVars)
        choices = request.variables.choices
        places = self.write(choices.answers, choices.within or choices.answers)
        if request.on_places:
            request.on_places(places)
        return Completion(b"".join(each.written.text for each in places).decode(), 7, 3)


def follow(written: str, answers: Sequence[str]) -> list[str]:
    """The characters that may follow a beginning of an answer's JSON."""
    texts = [orjson.dumps(answer).decode() for answer in answers]
    return sorted(
        {
            text[len(written)]
            for text in texts
            if text.startswith(written) and len(text) > len(written)
        }
    )


def _place(written: str, weights: dict[str, float]) -> TokenPlace:
    tokens = {each: WeighedToken(each.encode(), log(chance)) for each, chance in weights.items()}
    best = sorted(tokens, key=lambda each: -tokens[each].logprob)[:20]
    return TokenPlace(tokens[written], tuple(tokens[each] for each in best))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("answers", [AGREEMENT, NUMBERS], ids=["agreement", "numbers"])
def test_probabilities_are_those_with_which_the_model_answers(
    answers: tuple[str, ...], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(option_probabilities, "LEAST_DIVIDED", 0)
    monkeypatch.setattr(option_probabilities, "MOST_QUESTIONS", 100)
    model = CharacterModel(seed)

    async def ask(within: tuple[str, ...]) -> list[TokenPlace]:
        return model.write(answers, within)

    found = now(find_probabilities(answers, model.write(answers, answers), ask))
    assert found == pytest.approx([model.chance(each, answers) for each in answers])
    assert sum(found) == pytest.approx(1)


def test_too_many_groups_leave_the_probabilities_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(option_probabilities, "MOST_QUESTIONS", 1)
    model = CharacterModel()

    async def ask(within: tuple[str, ...]) -> list[TokenPlace]:
        return model.write(NUMBERS, within)

    assert now(find_probabilities(NUMBERS, model.write(NUMBERS, NUMBERS), ask)) == ()


def place(written: str, **others: float) -> TokenPlace:
    tokens = {each: WeighedToken(each.encode(), log(chance)) for each, chance in others.items()}
    return TokenPlace(tokens.get(written, WeighedToken(written.encode(), 0.0)), (*tokens.values(),))


def test_a_token_that_longer_ones_continue_stands_for_itself_alone() -> None:
    places = [place('"answer":'), place('"'), place("10", **{"1": 0.25, "10": 0.5, "2": 0.25})]
    divided = divide(("1", "10", "2"), [*places, place('"')])
    assert divided is not None
    assert divided.single == pytest.approx({"1": 0.25, "10": 0.5, "2": 0.25})
    assert not divided.groups


def test_answers_that_no_likely_token_begins_may_have_as_much_as_the_least_likely() -> None:
    divided = divide(("A", "B", "C"), [place('"answer": "'), place("A", A=0.5, B=0.25), place('"')])
    assert divided is not None
    assert divided.unknown == pytest.approx(0.25)
    assert divide(("A", "B"), [place("no answer")]) is None


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return interviewed(tmp_path_factory)


def test_interviews_give_the_probabilities_of_closed_answers(results: Path) -> None:
    questionnaire, model = find_questionnaire("neighbours"), CharacterModel()
    with RunFile.open(results, "town") as run:
        asks = interviewer(run, model)
        asking = Asking(asks.world(30), "lin_yue", datetime(2025, 2, 13, 9, 0), 1)
        questions = questions_for(questionnaire, asking)
        judged = now(interview(asks, questions, "lin_yue", 30))
        answer = now(asks.ask("lin_yue", "How old are you?", 30))
    assert answer.probabilities == ()
    for each in judged:
        answers = each.question.choices.answers
        exact = [model.chance(option, answers) for option in answers]
        assert each.answer.probabilities == pytest.approx(exact, abs=0.06)
        cells = choice_columns(each.question, each.answer)
        listed = [float(cell) for cell in str(cells["probabilities"]).split(" | ")]
        assert listed[answers.index(each.answer.text)] == cells["probability"]
        expected = find_expected_score(each.question, each.answer)
        assert cells["expected"] == (
            pytest.approx(expected, abs=1e-4) if each.question.scores else ""
        )
    assert model.asked > len(judged)
