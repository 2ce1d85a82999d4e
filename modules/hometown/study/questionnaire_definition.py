"""The definition of a questionnaire, as its file has it: open questions, choices, items of scales,
sliders, allocations, and the decisions of an economic game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import comb
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from hometown.text import Phrase

ID_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,30}$"
"""Pattern of the ids of questions, which name rows of tables."""

SEPARATOR = " | "
"""Text between the options of an answer in tables."""

MOST_POSSIBLE_ANSWERS = 1001
"""Maximum number of possible answers to a question, each of which is part of a grammar."""

Category = Literal["self", "memory", "plans", "reactions", "reflections", "attitudes"]
CATEGORIES: tuple[Category, ...] = get_args(Category)

Truth = Literal["name", "age", "occupation", "now", "plan", "story", "person", "details", "none"]
"""The rule by which an answer is judged (`hometown.study.grounding`); none for a closed question."""

GameKind = Literal["dictator", "trust", "public_goods"]

GameRole = Literal["giver", "sender", "receiver", "contributor"]
"""The part of a resident in a game."""

ROLES: dict[GameKind, tuple[GameRole, ...]] = {
    "dictator": ("giver",),
    "trust": ("sender", "receiver"),
    "public_goods": ("contributor",),
}

BLANKS = ("person", "story", "hour")
"""Blanks of a question's text that are filled for each resident."""

GAME_BLANKS = ("person", "endowment", "multiplier", "sent", "received", "size")
"""Blanks of the text of a decision in a game."""

ItemKind = Literal[
    "", "choice", "scale", "slider", "allocation", "giver", "sender", "receiver", "contributor"
]
"""The kind of a closed question, in a game the role of who decides; "" for an open question."""


def _both(value: Any) -> Any:
    """Return a wording in both languages; one that is given by itself stands for both."""
    return {"en": value, "zh": value} if isinstance(value, str | list) else value


class DefinitionPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TextWording(DefinitionPart):
    """A text in both languages."""

    en: str = Field(min_length=1)
    zh: str = Field(min_length=1)


class ListWording(DefinitionPart):
    """GivenOptions in both languages, in the same order."""

    en: list[Annotated[str, Field(min_length=1)]] = Field(min_length=2)
    zh: list[Annotated[str, Field(min_length=1)]] = Field(min_length=2)

    @model_validator(mode="after")
    def _check_options(self) -> ListWording:
        if len(self.en) != len(self.zh):
            raise ValueError(
                Phrase(
                    "en has {count} options and zh {other}; both need the same number",
                    count=len(self.en),
                    other=len(self.zh),
                )
            )
        for option in (*self.en, *self.zh):
            if SEPARATOR in option or option != option.strip():
                raise ValueError(
                    Phrase(
                        "the option {option!r} has {separator!r}, or a space at its edge; reword it",
                        option=option,
                        separator=SEPARATOR,
                    )
                )
        for options in (self.en, self.zh):
            twice = [option for option, count in Counter(options).items() if count > 1]
            if twice:
                raise ValueError(
                    Phrase(
                        "the option {option!r} is there twice; each needs words of its own",
                        option=twice[0],
                    )
                )
        return self


GivenText = Annotated[TextWording, BeforeValidator(_both)]
GivenOptions = Annotated[ListWording, BeforeValidator(_both)]


class Slider(DefinitionPart):
    """The answers from `low` to `high`, whole numbers a `step` apart."""

    low: int
    high: int
    step: int = Field(1, ge=1)

    @model_validator(mode="after")
    def _check_range(self) -> Slider:
        count = (self.high - self.low) // self.step + 1
        if (
            self.high <= self.low
            or (self.high - self.low) % self.step
            or count > MOST_POSSIBLE_ANSWERS
        ):
            raise ValueError(
                Phrase(
                    "from {low} to {high} in steps of {step}: high has to be above low by a whole number of steps, at most {most}",
                    low=self.low,
                    high=self.high,
                    step=self.step,
                    most=MOST_POSSIBLE_ANSWERS - 1,
                )
            )
        return self


class Allocation(DefinitionPart):
    """The division of a `total` `among` several things, in amounts that are multiples of `unit`."""

    total: int = Field(ge=1)
    unit: int = Field(1, ge=1)
    among: GivenOptions

    @model_validator(mode="after")
    def _check_count(self) -> Allocation:
        parts, things = divmod(self.total, self.unit), len(self.among.en)
        count = comb(parts[0] + things - 1, things - 1)
        if parts[1] or count > MOST_POSSIBLE_ANSWERS:
            raise ValueError(
                Phrase(
                    "{total} in units of {unit} among {things} can be divided in {count} ways; the unit has to divide the total and allow at most {most}",
                    total=self.total,
                    unit=self.unit,
                    things=things,
                    count=count,
                    most=MOST_POSSIBLE_ANSWERS,
                )
            )
        return self

    def list_divisions(self) -> Iterator[tuple[int, ...]]:
        """Yield all divisions of the total, the amounts in the order of the things."""
        yield from _divide(self.total, self.unit, len(self.among.en))


def _divide(total: int, unit: int, things: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways in which multiples of a unit add up to a total.

    >>> list(_divide(2, 1, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if things == 1:
        yield (total,)
        return
    for first in range(0, total + 1, unit):
        yield from ((first, *rest) for rest in _divide(total - first, unit, things - 1))


class GameSpec(DefinitionPart):
    """An economic game among the residents who are asked.

    Attributes:
        kind: The rules, by which `hometown.study.economic_games` computes payoffs.
        endowment: The coins that each giver, sender or contributor has.
        unit: The number of coins of which what is given, sent or contributed is a multiple.
        multiplier: The factor of what is sent, or of what a group has contributed.
        group: The least number of residents of a group of the public goods game.
    """

    kind: GameKind
    endowment: int = Field(10, ge=1)
    unit: int = Field(1, ge=1)
    multiplier: int = Field(3, ge=1)
    group: int = Field(4, ge=2)

    @model_validator(mode="after")
    def _check_stakes(self) -> GameSpec:
        most = self.endowment * max(1, self.multiplier)
        if self.endowment % self.unit or most >= MOST_POSSIBLE_ANSWERS:
            raise ValueError(
                Phrase(
                    "an endowment of {endowment} in units of {unit}: the unit has to divide it, and times the multiplier it has to be at most {most}",
                    endowment=self.endowment,
                    unit=self.unit,
                    most=MOST_POSSIBLE_ANSWERS - 1,
                )
            )
        if self.kind == "public_goods" and not 1 < self.multiplier < self.group:
            raise ValueError(
                Phrase(
                    "a multiplier of {multiplier} in groups of {group} is no dilemma; it has to be above 1 and below the size of a group",
                    multiplier=self.multiplier,
                    group=self.group,
                )
            )
        return self


class QuestionDefinition(DefinitionPart):
    """One question. It is open, or has exactly one of `options`, `scale` (the name of a scale of
    the questionnaire), `slider`, `allocation` and `role` (in a game).
    """

    id: str = Field(pattern=ID_PATTERN)
    text: GivenText
    category: Category = "attitudes"
    truth: Truth = "none"
    each: bool = False
    options: GivenOptions | None = None
    scale: str = ""
    reversed: bool = False
    slider: Slider | None = None
    allocation: Allocation | None = None
    role: GameRole | None = None

    @property
    def kind(self) -> ItemKind:
        """The kind of the question."""
        if self.role:
            return self.role
        kinds: dict[ItemKind, object] = {
            "choice": self.options,
            "scale": self.scale,
            "slider": self.slider,
            "allocation": self.allocation,
        }
        return next((kind for kind, form in kinds.items() if form), "")

    @model_validator(mode="after")
    def _check_form(self) -> QuestionDefinition:
        forms = ("options", "scale", "slider", "allocation", "role")
        given = [name for name in forms if getattr(self, name)]
        if len(given) > 1:
            raise ValueError(
                Phrase("{names}: a question has one of them at most; remove others", names=given)
            )
        if self.reversed and not self.scale:
            raise ValueError(
                Phrase("reversed is for items of a scale; name its scale, or remove it")
            )
        blanks = GAME_BLANKS if self.role else BLANKS
        for words in (self.text.en, self.text.zh):
            wrong = [each for each in re.findall(r"\{([^{}]*)\}?|\}", words) if each not in blanks]
            if wrong:
                raise ValueError(
                    Phrase(
                        "text has the blank {blank!r}; it should be one of {names}, without other braces",
                        blank=wrong[0],
                        names=[f"{{{each}}}" for each in blanks],
                    )
                )
        return self


class Questionnaire(DefinitionPart):
    """A questionnaire; `name` is that of its file, and `refusal` the reply that refuses to answer a
    closed question.
    """

    name: str
    title: GivenText
    refusal: GivenText | None = None
    scales: dict[str, GivenOptions] = {}
    game: GameSpec | None = None
    questions: list[QuestionDefinition] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_questions(self) -> Questionnaire:
        faults = [*self._list_faults()]
        if faults:
            raise ValueError(faults[0])
        return self

    def _list_faults(self) -> Iterator[Phrase]:
        """Yield the faults of questions that concern others, or the whole questionnaire."""
        twice = Counter(each.id for each in self.questions).most_common(1)[0]
        if twice[1] > 1:
            yield Phrase("two questions have the id {id!r}; rename one", id=twice[0])
        for each in self.questions:
            if each.scale and each.scale not in self.scales:
                yield Phrase(
                    "question {id!r}: there is no scale {name!r}; choose one of {names}, or add it to scales",
                    id=each.id,
                    name=each.scale,
                    names=list(self.scales),
                )
            if each.kind and self.refusal is None:
                yield Phrase(
                    "refusal is missing: question {id!r} is closed, and has to allow for not answering",
                    id=each.id,
                )
            options = each.options or self.scales.get(each.scale)
            if options and self.refusal and self.refusal.en in options.en:
                yield Phrase(
                    "question {id!r}: {option!r} is an option and the refusal; remove it from the options",
                    id=each.id,
                    option=self.refusal.en,
                )
        yield from self._list_game_faults()

    def _list_game_faults(self) -> Iterator[Phrase]:
        """Yield the faults of roles: each role of the game has one question."""
        needed = ROLES[self.game.kind] if self.game else ()
        given = [each.role for each in self.questions if each.role]
        if sorted(given) != sorted(needed):
            yield Phrase(
                "game and role: the questions have the roles {given}; a game of kind {kind} needs one for each of {needed}",
                given=given,
                kind=self.game.kind if self.game else None,
                needed=list(needed),
            )
