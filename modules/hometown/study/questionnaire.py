"""Questionnaires: fixed questions, with blanks that are filled for each resident (Park et al. 2023,
§6.1 and §7.1).

They are data, `data/interviews/NAME.json` or a file of one's own; `docs/science.md` describes the
format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from hometown.clock import hhmm, minute_of_day
from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.paths import DATA
from hometown.prompt.interview_answers import AMOUNT_SEPARATOR, OPEN, Choices
from hometown.rng import stream
from hometown.study.definition_files import LONGEST_QUOTED, describe_fault, read_definition_file
from hometown.study.economic_games import check_players, group_players, pair_players
from hometown.study.questionnaire_definition import (
    BLANKS,
    Category,
    GameSpec,
    ItemKind,
    QuestionDefinition,
    Questionnaire,
    Truth,
)
from hometown.text import Phrase
from hometown.world.world import World

QUESTIONNAIRES = DATA / "interviews"

QUESTIONNAIRE_SUFFIXES = (".json", ".yaml", ".yml")
"""Endings of the files of questionnaires."""

LAST_HOUR = 23


@frozen
class InterviewQuestion:
    """One question to one resident; `about` is the filling of its blank: the storyline or the
    resident, by id, the time, or the number of a group; "" for none. A closed question has a `kind`
    and `choices`, and a score for each possible answer but those of choices and allocations, in the
    order shown.
    """

    id: str
    category: Category
    truth: Truth
    text: str
    about: str = ""
    kind: ItemKind = ""
    choices: Choices = OPEN
    scores: tuple[int, ...] = ()


@frozen
class Asking:
    """The circumstances of questions to one resident: `cast` are the residents among whom games are
    played, by default all.
    """

    world: World
    who: str
    now: datetime
    seed: int
    cast: Sequence[str] = ()

    @property
    def players(self) -> Sequence[str]:
        """The residents among whom games are played."""
        return self.cast or tuple(self.world.personas)

    def draw(self, *names: str) -> Random:
        """Return the stream of random numbers of a question."""
        return stream(self.seed, *names[:-1], self.who, self.now.isoformat(), names[-1])


def list_questionnaires() -> list[str]:
    """Return the names of the questionnaires in the package."""
    return sorted(file.stem for file in QUESTIONNAIRES.glob("*.json"))


def find_questionnaire(name: str, folder: Path = Path()) -> Questionnaire:
    """Return a questionnaire of the package by its name, or one of a user's own by the path of its
    file, which may be relative to `folder` and without its ending.

    Raises:
        BadInput: There is none, or its file has faults, one line each.
    """
    if name in list_questionnaires():
        return _read_shipped(name)
    for suffix in ("", *QUESTIONNAIRE_SUFFIXES):
        file = folder / f"{name}{suffix}"
        if file.suffix in QUESTIONNAIRE_SUFFIXES and file.is_file():
            return read_questionnaire(file)
    raise BadInput(
        "there is no questionnaire {name!r}; choose one of {names}, or give the path of a file of your own",
        name=name[:80],
        names=list_questionnaires(),
    )


def is_shipped(questionnaire: Questionnaire) -> bool:
    """Return True if a questionnaire is that of its name in the package, with the same content."""
    name = questionnaire.name
    return name in list_questionnaires() and questionnaire == _read_shipped(name)


@cache
def _read_shipped(name: str) -> Questionnaire:
    return read_questionnaire(QUESTIONNAIRES / f"{name}.json")


def read_questionnaire(file: Path) -> Questionnaire:
    """Return the questionnaire of a file, named after it.

    Raises:
        BadInput: With a line for each fault.
    """
    content = read_definition_file(file, "title, refusal, questions")
    if file.resolve().parent != QUESTIONNAIRES.resolve() and file.stem in list_questionnaires():
        raise BadInput(
            "{file}: {name!r} is the name of a questionnaire of the package; rename the file",
            file=file,
            name=file.stem,
        )
    if content.get("name", file.stem) != file.stem:
        raise BadInput(
            "{file}: name: {name!r}: a questionnaire has the name of its file; remove name, or "
            "rename the file",
            file=file,
            name=str(content["name"])[:LONGEST_QUOTED],
        )
    try:
        return Questionnaire.model_validate(content | {"name": file.stem})
    except ValidationError as error:
        faults = [_describe(fault, content) for fault in error.errors()]
    raise BadInput([Phrase("{file}: {fault}", file=file, fault=fault) for fault in faults])


def _describe(fault: ErrorDetails, content: dict[str, Any]) -> Phrase:
    """Return a fault in words, with the id of the question in which it is."""
    match fault["loc"]:
        case ("questions", int(at)) if not isinstance(entry := content["questions"][at], dict):
            return Phrase(
                "question {number} is {value!r}; it should be an object with id and text",
                number=at + 1,
                value=str(entry)[:LONGEST_QUOTED],
            )
        case ("questions", int(at), *_):
            return Phrase(
                "question {number} ({id}): {fault}",
                number=at + 1,
                id=str(content["questions"][at].get("id", ""))[:LONGEST_QUOTED],
                fault=describe_fault(fault, Questionnaire, skipped=2),
            )
        case _:
            return describe_fault(fault, Questionnaire)


def questions_for(questionnaire: Questionnaire, asking: Asking) -> list[InterviewQuestion]:
    """Return the questions of a questionnaire to a resident at a moment; blanks are filled by
    chance, always the same for the same seed.

    A question with a blank that nothing fits is left out: about a storyline where the world has
    none, about a later hour just before midnight.

    Raises:
        BadInput: There are too few residents for a game.
    """
    if questionnaire.game:
        check_players(questionnaire.game, questionnaire.name, len(asking.players))
    return [
        _offer(questionnaire, definition, question, asking)
        for definition in questionnaire.questions
        for question in (
            _list_decisions(questionnaire, definition, questionnaire.game, asking)
            if questionnaire.game and definition.role
            else _fill_blank(definition, asking)
        )
    ]


# answers ------------------------------------------------------------------------------------


def _offer(
    questionnaire: Questionnaire,
    definition: QuestionDefinition,
    question: InterviewQuestion,
    asking: Asking,
) -> InterviewQuestion:
    """Return a question with its possible answers in the order in which they are shown: options of a
    choice and the things of an allocation shuffled, those of a scale upwards or downwards, by
    chance. Open questions, and those of games, stay as they are.
    """
    lang, rng = asking.world.lang, asking.draw("options", definition.id)
    refusal = getattr(questionnaire.refusal, lang, "")
    if definition.options:
        options = list(getattr(definition.options, lang))
        rng.shuffle(options)
        return replace(question, choices=Choices(tuple(options), refusal))
    if definition.scale:
        options = list(getattr(questionnaire.scales[definition.scale], lang))
        scores = list(range(1, len(options) + 1))
        if definition.reversed:
            scores.reverse()
        order = -1 if rng.random() < 0.5 else 1
        return replace(
            question,
            choices=Choices(tuple(options[::order]), refusal),
            scores=tuple(scores[::order]),
        )
    if definition.slider:
        slider = definition.slider
        return _offer_numbers(question, slider.low, slider.high, slider.step, refusal)
    if definition.allocation:
        among = list(getattr(definition.allocation.among, lang))
        rng.shuffle(among)
        divisions = definition.allocation.list_divisions()
        answers = tuple(AMOUNT_SEPARATOR.join(map(str, each)) for each in divisions)
        span = (0, definition.allocation.total, definition.allocation.unit)
        return replace(question, choices=Choices(answers, refusal, "amounts", span, tuple(among)))
    return replace(question, choices=replace(question.choices, refusal=refusal))


def _offer_numbers(
    question: InterviewQuestion, low: int, high: int, step: int, refusal: str = ""
) -> InterviewQuestion:
    """Return a question that is answered by a whole number."""
    numbers = range(low, high + 1, step)
    choices = Choices(tuple(map(str, numbers)), refusal, "number", (low, high, step))
    return replace(question, choices=choices, scores=tuple(numbers))


# games --------------------------------------------------------------------------------------


def _list_decisions(
    questionnaire: Questionnaire, definition: QuestionDefinition, game: GameSpec, asking: Asking
) -> Iterator[InterviewQuestion]:
    """Yield a resident's decisions in a role: one, but those of a receiver for each amount that may
    arrive.
    """
    who, name = asking.who, questionnaire.name
    text = getattr(definition.text, asking.world.lang)
    stakes = {"endowment": game.endowment, "multiplier": game.multiplier}

    def decide(
        about: str, most: int, unit: int, ending: str = "", **words: Any
    ) -> InterviewQuestion:
        question = InterviewQuestion(
            f"{definition.id}{ending}",
            definition.category,
            "none",
            text.format(**{"person": "", "size": "", "sent": "", "received": ""} | stakes | words),
            about,
            definition.kind,
        )
        return _offer_numbers(question, 0, most, unit)

    if definition.role == "contributor":
        groups = group_players(asking.players, asking.seed, name, game.group)
        at = next(at for at, group in enumerate(groups) if who in group)
        yield decide(str(at + 1), game.endowment, game.unit, size=len(groups[at]))
        return
    partners = pair_players(asking.players, asking.seed, name)
    if definition.role != "receiver":
        other = partners[who]
        yield decide(other, game.endowment, game.unit, person=asking.world.name_of(other))
        return
    sender = next(other for other, partner in partners.items() if partner == who)
    person = asking.world.name_of(sender)
    for sent in range(game.unit, game.endowment + 1, game.unit):
        received = game.multiplier * sent
        yield decide(sender, received, 1, f"-{sent}", person=person, sent=sent, received=received)


# blanks -------------------------------------------------------------------------------------


def _fill_blank(definition: QuestionDefinition, asking: Asking) -> Iterator[InterviewQuestion]:
    """Yield the questions of a definition: one as it is if it has no blank, one for each filling if
    it says "each", otherwise one with a filling drawn by chance, and none if nothing fits.
    """
    text = getattr(definition.text, asking.world.lang)
    blank = next((name for name in BLANKS if f"{{{name}}}" in text), "")
    fillings = [("", "")]
    if blank:
        fillings = list(_fillings(blank, asking))
        if not definition.each:
            fillings = asking.draw(definition.id).sample(fillings, min(1, len(fillings)))
    for about, words in fillings:
        yield InterviewQuestion(
            definition.id,
            definition.category,
            definition.truth,
            text.format(**{blank: words}) if blank else text,
            about,
            definition.kind,
        )


def _fillings(blank: str, asking: Asking) -> Iterator[tuple[str, str]]:
    """Yield the values for a blank, (id, text): all other residents, all storylines, or the full
    hours left today.
    """
    world = asking.world
    if blank == "person":
        yield from (
            (other, persona.name)
            for other, persona in world.personas.items()
            if other != asking.who
        )
    elif blank == "story":
        yield from ((story.id, story.title) for story in world.storylines)
    else:
        hours = range(minute_of_day(asking.now) // 60 + 1, LAST_HOUR + 1)
        yield from ((hhmm(60 * hour), hhmm(60 * hour)) for hour in hours)
