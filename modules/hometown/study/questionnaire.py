"""Questionnaires: fixed questions in both languages, with blanks that are filled for each resident
(Park et al. 2023, §6.1 and §7.1).

They are data, `data/interviews/NAME.json`; `docs/science.md` describes the format.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import cache
from random import Random
from typing import Any, Literal, get_args

import orjson

from hometown.clock import hhmm, minute_of_day
from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.paths import DATA
from hometown.prompt.interview_answers import OPEN, Choices
from hometown.rng import stream
from hometown.world.world import World

QUESTIONNAIRES = DATA / "interviews"

Category = Literal["self", "memory", "plans", "reactions", "reflections", "attitudes"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

Truth = Literal["name", "age", "occupation", "now", "plan", "story", "person", "details", "none"]
"""The rule by which an answer is judged (`hometown.study.grounding`); none for a closed question."""

LAST_HOUR = 23


@frozen
class InterviewQuestion:
    """One question to one resident; `about` is the filling of its blank: the storyline or the
    resident, by id, or the time; "" for none. A closed question has `choices`, and on a scale a
    score for each of its options, in the order shown.
    """

    id: str
    category: Category
    truth: Truth
    text: str
    about: str = ""
    choices: Choices = OPEN
    scores: tuple[int, ...] = ()


def list_questionnaires() -> list[str]:
    """Return the names of the questionnaires in the package."""
    return sorted(file.stem for file in QUESTIONNAIRES.glob("*.json"))


def title(name: str, lang: str) -> str:
    """Return the title of a questionnaire in a language."""
    return str(_read(name)["title"][lang])


def questions_for(
    name: str, world: World, who: str, now: datetime, seed: int
) -> list[InterviewQuestion]:
    """Return the questions of a questionnaire to a resident at a moment; blanks are filled by
    chance, always the same for the same seed.

    A question with a blank that nothing fits is left out: about a storyline where the world has
    none, about a later hour just before midnight.

    Raises:
        BadInput: There is no such questionnaire.
    """
    content = _read(name)
    return [
        _offer(
            content,
            entry,
            question,
            world.lang,
            stream(seed, "options", who, now.isoformat(), entry["id"]),
        )
        for entry in content["questions"]
        for question in _fill_blank(entry, world, who, now, seed)
    ]


@cache
def _read(name: str) -> dict[str, Any]:
    """Return the content of a questionnaire; raise BadInput for an unknown name."""
    if name not in list_questionnaires():
        raise BadInput(
            "there is no questionnaire {name!r}; choose one of {names}",
            name=name[:80],
            names=list_questionnaires(),
        )
    content: dict[str, Any] = orjson.loads((QUESTIONNAIRES / f"{name}.json").read_bytes())
    return content


def _offer(
    content: dict[str, Any],
    entry: dict[str, Any],
    question: InterviewQuestion,
    lang: Lang,
    rng: Random,
) -> InterviewQuestion:
    """Return a question with its options in the order in which they are shown: those of a choice
    shuffled, those of a scale upwards or downwards, by chance. Open questions stay as they are.
    """
    if "options" in entry:
        options = list(entry["options"][lang])
        rng.shuffle(options)
        return replace(question, choices=Choices(tuple(options), content["refusal"][lang]))
    if "scale" not in entry:
        return question
    options = list(content["scales"][entry["scale"]][lang])
    scores = list(range(1, len(options) + 1))
    if entry.get("reversed"):
        scores.reverse()
    order = -1 if rng.random() < 0.5 else 1
    return replace(
        question,
        choices=Choices(tuple(options[::order]), content["refusal"][lang]),
        scores=tuple(scores[::order]),
    )


def _fill_blank(
    entry: dict[str, Any], world: World, who: str, now: datetime, seed: int
) -> Iterator[InterviewQuestion]:
    """Yield the questions of an entry: one as it is if it has no blank, one for each filling if it
    says "each", otherwise one with a filling drawn by chance, and none if nothing fits.
    """
    text = entry[world.lang]
    blank = next((name for name in ("person", "story", "hour") if f"{{{name}}}" in text), "")
    if not blank:
        yield InterviewQuestion(entry["id"], entry["category"], entry["truth"], text)
        return
    fillings = list(_fillings(blank, world, who, now))
    if not entry.get("each"):
        fillings = stream(seed, who, now.isoformat(), entry["id"]).sample(
            fillings, min(1, len(fillings))
        )
    for about, words in fillings:
        yield InterviewQuestion(
            entry["id"], entry["category"], entry["truth"], text.format(**{blank: words}), about
        )


def _fillings(blank: str, world: World, who: str, now: datetime) -> Iterator[tuple[str, str]]:
    """Yield the values for a blank, (id, text): all other residents, all storylines, or the full
    hours left today.
    """
    if blank == "person":
        yield from (
            (other, persona.name) for other, persona in world.personas.items() if other != who
        )
    elif blank == "story":
        yield from ((story.id, story.title) for story in world.storylines)
    else:
        hours = range(minute_of_day(now) // 60 + 1, LAST_HOUR + 1)
        yield from ((hhmm(60 * hour), hhmm(60 * hour)) for hour in hours)
