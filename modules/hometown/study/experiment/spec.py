"""The definition of an experiment: one YAML or JSON file, read and checked before anything runs.

YAML is read without its guesses, by which 17:00 would be 1020 and `no` false; the field decides if
a value is a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from itertools import product
from math import prod
from typing import Annotated, Any, Literal, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)

from hometown.config import merge_layers
from hometown.defaults import DEFAULT_STRIDE
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.study.access_conditions import AccessCondition as Access
from hometown.study.measuring import find_measure, measures
from hometown.study.questionnaire import find_questionnaire, is_shipped
from hometown.study.questionnaire_definition import Questionnaire
from hometown.text import Phrase
from hometown.world.intervention_time import MOMENT, parse_when
from hometown.world.world import World

NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,30}$"
"""Pattern of the names of experiments and conditions, from which runs and files are named."""

DEFINITION = "experiment.json"
"""The file in an experiment's folder with its definition."""

CLAIMS = "claims"
"""The measure of residents' statements in interviews, beside those of their behaviour."""

INSTRUMENTS = ("closed", "games")
"""The measures of answers to closed questions, and of decisions in games."""

ASKED = (CLAIMS, *INSTRUMENTS)
"""The measures that come from interviews."""

TRUNK = "trunk"
"""The name of the run from which all conditions fork, where each of them has a change."""

MOST_CONDITIONS = 256
"""Maximum number of conditions of a design."""

InterventionKind = Literal["tell", "set", "event", "place", "remove", "leave", "arrive"]


def _moment(text: Any) -> Any:
    """Return a moment as text. Raises ValueError for any other value."""
    try:
        parse_when(str(text))
    except BadInput as error:
        raise ValueError(error.lines[0]) from None
    return str(text)


MomentText = Annotated[str, BeforeValidator(_moment)]
"""A step, a time of day, or a moment, as on the command line; `parse_when` reads it."""


EDGES = ("start", "end")
"""Waves at the edges of the town's time."""


def _wave(text: Any) -> Any:
    """Check that a value names a wave of interviews, and return it."""
    return text if text in EDGES else _moment(text)


Wave = Annotated[str, BeforeValidator(_wave)]
"""A moment of interviews: "start", "end", or as in `MomentText`."""


def name_wave_figure(figure: str, wave: str) -> str:
    """Return the name of a figure, MEASURE.FIGURE, in a wave of interviews.

    >>> [name_wave_figure("claims.known", wave) for wave in ("start", "12:00", "end")]
    ['claims.known_start', 'claims.known@12:00', 'claims.known']
    """
    suffix = {"start": "_start", "end": ""}.get(wave, f"@{wave}")
    return f"{figure}{suffix}"


def _questionnaire(given: Any) -> Any:
    """Return a questionnaire of the package by its name; any other value, such as the content of a
    file of the user's own, as it is. Raises ValueError if there is none of this name.
    """
    if not isinstance(given, str):
        return given
    try:
        return find_questionnaire(given)
    except BadInput as error:
        raise ValueError(error.lines[0]) from None


def _dump_questionnaire(questionnaire: Questionnaire) -> Any:
    """Return a questionnaire as definitions have it: one of the package by its name."""
    if is_shipped(questionnaire):
        return questionnaire.name
    return questionnaire.model_dump(exclude_defaults=True)


def _start(text: Any) -> Any:
    """Return the start of a town as text. Raises ValueError for anything but a date with a time."""
    try:
        datetime.strptime(str(text), MOMENT)
    except ValueError:
        raise ValueError(
            Phrase("{text!r} is not a start time; write for example 20250213-06:00", text=str(text))
        ) from None
    return str(text)


def _measure(name: str) -> str:
    """Return the name of a measure. Raises ValueError if there is none of this name."""
    if name not in ASKED and find_measure(name) is None:
        raise ValueError(
            Phrase(
                "there is no measure {name!r}; choose among {names}",
                name=name,
                names=[*measures(), *ASKED],
            )
        )
    return name


def _seeds(seeds: list[int]) -> list[int]:
    """Return seeds of which each is there once. Raises ValueError for any others."""
    if len(set(seeds)) < len(seeds):
        raise ValueError(
            Phrase(
                "{seeds} has one seed twice, which would count one town twice",
                seeds=[str(seed) for seed in seeds],
            )
        )
    return seeds


class SpecPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class TimedIntervention(SpecPart):
    """One intervention at a moment. Exactly one kind has a text, as on the command line."""

    at: MomentText
    tell: str | None = None
    set: str | None = None
    event: str | None = None
    place: str | None = None
    remove: str | None = None
    leave: str | None = None
    arrive: str | None = None

    @property
    def request(self) -> tuple[InterventionKind, str]:
        """The kind and the text of the intervention."""
        kinds = get_args(InterventionKind)
        return next((kind, text) for kind in kinds if (text := getattr(self, kind)) is not None)

    @model_validator(mode="after")
    def _check_kind(self) -> TimedIntervention:
        kinds = get_args(InterventionKind)
        if sum(getattr(self, kind) is not None for kind in kinds) != 1:
            raise ValueError(
                Phrase("an entry needs a moment, at, and exactly one of {names}", names=list(kinds))
            )
        return self


class GatheringSpec(SpecPart):
    """The place of a gathering, the id of a room, and its time, as moments with a date."""

    place: str
    start: str
    end: str


class NewsTopic(SpecPart):
    """News that the town's files do not have, to be measured like their storylines: memories with
    one of its `keywords` are about it. No resident knows of it at the start.
    """

    title: str = Field(min_length=1)
    keywords: list[Annotated[str, Field(min_length=1)]] = Field(min_length=1)
    gathering: GatheringSpec | None = None


class TownSpec(SpecPart):
    """The town of the simulation. It starts when its world does, where `start` is None.
    `acquaintances` is the number of mutual acquaintances to keep, the closest of those in its
    files; None keeps all. `news` are topics by id, and `timeline` interventions in all conditions.
    """

    world: str
    lang: Lang = "en"
    start: Annotated[str, BeforeValidator(_start)] | None = None
    residents: list[str] = []
    stride: int = Field(DEFAULT_STRIDE, ge=1, le=1440)
    until: MomentText
    acquaintances: int | None = Field(None, ge=0)
    news: dict[Annotated[str, Field(pattern=NAME_PATTERN)], NewsTopic] = {}
    timeline: list[TimedIntervention] = []

    def start_in(self, world: World) -> datetime:
        """Return the game time at which the town starts."""
        return datetime.strptime(self.start, MOMENT) if self.start else world.start


class Treatment(SpecPart):
    """The change of a condition: `do` interventions at the moment `from`, and `settings` and `llm` from
    then on; without it, from the beginning. `timeline` has interventions at moments of their own.
    """

    start: MomentText | None = Field(None, alias="from")
    do: list[dict[InterventionKind, str]] = []
    timeline: list[TimedIntervention] = []
    settings: dict[str, Any] = {}
    llm: str = ""

    @property
    def fork_moments(self) -> list[str]:
        """The moments at which the condition changes something: its runs are forks of the baseline
        at the earliest. None if it differs from the beginning.
        """
        if self.start is not None:
            return [self.start]
        is_changed = bool(self.do or self.settings or self.llm)
        return [] if is_changed else [entry.at for entry in self.timeline]


class Interviews(SpecPart):
    """A questionnaire for all residents in waves: at the start, at the end, or at moments between,
    with each kind of access. Files name one of the package, or the file of another.
    """

    questionnaire: Annotated[
        Questionnaire, BeforeValidator(_questionnaire), PlainSerializer(_dump_questionnaire)
    ]
    at: list[Wave] = Field(["end"], min_length=1)
    access: list[Access] = ["full"]
    residents: int | None = Field(None, ge=1)
    questions: int | None = Field(None, ge=1)


class PrimaryFigure(SpecPart):
    """The one figure that was named before: MEASURE.FIGURE, and its subject, a storyline by its id
    or title, "" for the whole town.

    `contrasts` are those of each condition with the first, those of all pairs, or the main effects
    and two-way interactions of the factors. `same_within` is the margin of a claim that conditions
    are equivalent; None for a claim that they differ.
    """

    measure: str
    about: str = ""
    contrasts: Literal["baseline", "all", "factors"] = "baseline"
    same_within: float | None = Field(None, gt=0)


class Experiment(SpecPart):
    """One experiment. `question` is its research question in words; `judge` the model that ranks
    answers, "" for none.

    Its conditions are named one by one, or are all combinations of the levels of `factors`, and of
    the values of settings in `grid`. `measures` are those with stored figures, all where none is
    named.
    """

    name: str = Field(pattern=NAME_PATTERN)
    question: str
    town: TownSpec
    llm: str = "scripted"
    embedding: str = "hash"
    settings: dict[str, Any] = {}
    seeds: Annotated[list[int], AfterValidator(_seeds)] = Field(min_length=1)
    named_conditions: dict[Annotated[str, Field(pattern=NAME_PATTERN)], Treatment] = Field(
        {}, alias="conditions"
    )
    factors: dict[
        Annotated[str, Field(pattern=NAME_PATTERN)],
        dict[Annotated[str, Field(pattern=NAME_PATTERN)], Treatment],
    ] = {}
    grid: dict[str, list[Any]] = {}
    interviews: list[Interviews] = []
    judge: str = ""
    paper: bool = False
    measures: list[Annotated[str, AfterValidator(_measure)]] = []
    primary: PrimaryFigure

    @cached_property
    def conditions(self) -> dict[str, Treatment]:
        """The treatments by the name of their condition, the baseline first."""
        if self.named_conditions:
            return self.named_conditions
        return {
            "-".join(levels): join_treatments(
                [of[level] for of, level in zip(self.crossed.values(), levels, strict=True)]
            )
            for levels in self.cells
        }

    @property
    def models(self) -> list[str]:
        """The models of the towns and the judge, "" for none."""
        return [self.llm, self.judge, *(each.llm for each in self.conditions.values())]

    @cached_property
    def crossed(self) -> dict[str, dict[str, Treatment]]:
        """The factors, and those of the grid: treatments by level."""
        return self.factors | {
            _slug(path.rpartition(".")[2]): {
                _slug(f"{path.rpartition('.')[2]}-{value}"): Treatment(settings=_nest(path, value))
                for value in values
            }
            for path, values in self.grid.items()
        }

    @cached_property
    def cells(self) -> list[tuple[str, ...]]:
        """The levels of each condition, in the order of `crossed`; none without factors."""
        return list(product(*self.crossed.values())) if self.crossed else []

    def keeps(self, figure: str) -> bool:
        """Return True if a figure, MEASURE.FIGURE, is of a measure of this experiment."""
        return not self.measures or figure.partition(".")[0] in self.measures

    @model_validator(mode="after")
    def _check_design(self) -> Experiment:
        if bool(self.named_conditions) == bool(self.crossed):
            raise ValueError(
                Phrase("give either conditions, or factors and grid, with one condition at least")
            )
        for name, levels in self.crossed.items():
            if len(levels) < 2:
                raise ValueError(
                    Phrase("{name}: a factor needs two different levels or more", name=name)
                )
        if len(self.crossed) < len(self.factors) + len(self.grid):
            raise ValueError(Phrase("factors and grid: two of them have the same name; rename one"))
        if prod(map(len, self.crossed.values())) > MOST_CONDITIONS:
            raise ValueError(
                Phrase(
                    "factors and grid make more than {most} conditions; remove levels",
                    most=MOST_CONDITIONS,
                )
            )
        if len(self.conditions) < len(self.cells):
            raise ValueError(
                Phrase("factors: two combinations of levels have the same name; rename a level")
            )
        if TRUNK in self.conditions:
            raise ValueError(
                Phrase(
                    "conditions: {name!r} is kept for the run that conditions fork from; choose another name",
                    name=TRUNK,
                )
            )
        return self


def join_treatments(treatments: Sequence[Treatment]) -> Treatment:
    """Return the treatment that has all of several ones; where they have the same setting or model,
    the last one's.

    Raises:
        ValueError: Settings or models would apply from different moments.
    """
    changed = [each for each in treatments if each != Treatment()]
    if len(changed) < 2:
        return changed[0] if changed else Treatment()
    starts = [each.start for each in changed]
    if any(each.settings or each.llm for each in changed) and len(set(starts)) > 1:
        raise ValueError(
            Phrase(
                "factors: levels that are combined change settings or models from different "
                "moments; give all of them the same from"
            )
        )
    settings: dict[str, Any] = {}
    for each in changed:
        settings = merge_layers(settings, each.settings)
    is_joint = len(set(starts)) == 1
    return Treatment(
        start=starts[0] if is_joint else None,
        do=[entry for each in changed if is_joint or each.start is None for entry in each.do],
        timeline=[
            *(
                TimedIntervention.model_validate({"at": each.start, kind: text})
                for each in changed
                if not is_joint and each.start is not None
                for entry in each.do
                for kind, text in entry.items()
            ),
            *(entry for each in changed for entry in each.timeline),
        ],
        settings=settings,
        llm=next((each.llm for each in reversed(changed) if each.llm), ""),
    )


def _nest(path: str, value: Any) -> dict[str, Any]:
    """Return settings with one value, by its dotted name.

    >>> _nest("associate.retrieve_max", "3")
    {'associate': {'retrieve_max': '3'}}
    """
    nested = value
    for key in reversed(path.split(".")):
        nested = {key: nested}
    return {**nested}


def _slug(text: str) -> str:
    """Return a text as a name of a condition.

    >>> _slug("retrieve_max-0.5")
    'retrieve-max-0-5'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")
