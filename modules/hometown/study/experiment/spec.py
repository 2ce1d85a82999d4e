"""The definition of an experiment: one YAML or JSON file, read and checked before anything runs.

YAML is read without its guesses, by which 17:00 would be 1020 and `no` false; the field decides if
a value is a number.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from hometown.config import check_town, read_bounded
from hometown.defaults import DEFAULT_STRIDE
from hometown.errors import BadInput
from hometown.language import Lang
from hometown.study.access_conditions import AccessCondition as Access
from hometown.study.measuring import measures
from hometown.study.questionnaire import list_questionnaires
from hometown.text import N_, Phrase
from hometown.unwieldy import is_unwieldy
from hometown.world.intervention_time import parse_when

NAME_PATTERN = r"^[a-z0-9][a-z0-9-]{0,30}$"
"""Pattern of the names of experiments and conditions, from which runs and files are named."""

DEFINITION = "experiment.json"
"""The file in an experiment's folder with its definition."""

CLAIMS = "claims"
"""The measure of residents' statements in interviews, beside those of their behaviour."""

TRUNK = "trunk"
"""The name of the run from which all conditions fork, where each of them has a change."""

InterventionKind = Literal["tell", "set", "event", "place", "remove"]


def _moment(text: Any) -> Any:
    """Check that a value is a moment, and return it as text."""
    try:
        parse_when(str(text))
    except BadInput as error:
        raise ValueError(error.lines[0]) from None
    return str(text)


MomentText = Annotated[str, BeforeValidator(_moment)]
"""A step, a time of day, or a moment, as on the command line; `parse_when` reads it."""


class SpecPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TownSpec(SpecPart):
    """The town of the simulation. `acquaintances` is the number of mutual acquaintances to keep,
    the closest of those in its files; None keeps all.
    """

    world: str
    lang: Lang = "en"
    residents: list[str] = []
    stride: int = Field(DEFAULT_STRIDE, ge=1, le=1440)
    until: MomentText
    acquaintances: int | None = Field(None, ge=0)


class Treatment(SpecPart):
    """The change of a condition: `do` interventions at the moment `from`, and `settings` from then
    on; without it, from the beginning.
    """

    start: MomentText | None = Field(None, alias="from")
    do: list[dict[InterventionKind, str]] = []
    settings: dict[str, Any] = {}


class Interviews(SpecPart):
    """A questionnaire for all residents, at the start or the end of the town, with each kind of
    access.
    """

    questionnaire: str
    at: list[Literal["start", "end"]] = ["end"]
    access: list[Access] = ["full"]
    residents: int | None = Field(None, ge=1)
    questions: int | None = Field(None, ge=1)


class PrimaryFigure(SpecPart):
    """The one figure that was named before: MEASURE.FIGURE, and its subject, a storyline by its id
    or title, "" for the whole town.

    `contrasts` are those of each condition with the first, or all. `same_within` is the margin of a
    claim that conditions are equivalent; None for a claim that they differ.
    """

    measure: str
    about: str = ""
    contrasts: Literal["baseline", "all"] = "baseline"
    same_within: float | None = Field(None, gt=0)


class Experiment(SpecPart):
    """One experiment. `question` is its research question in words; `judge` the model that ranks
    answers, "" for none.

    `measures` are those with stored figures, all where none is named.
    """

    name: str = Field(pattern=NAME_PATTERN)
    question: str
    town: TownSpec
    llm: str = "scripted"
    embedding: str = "hash"
    settings: dict[str, Any] = {}
    seeds: list[int] = Field(min_length=1)
    conditions: dict[Annotated[str, Field(pattern=NAME_PATTERN)], Treatment] = Field(min_length=1)
    interviews: list[Interviews] = []
    judge: str = ""
    paper: bool = False
    measures: list[str] = []
    primary: PrimaryFigure

    def keeps(self, figure: str) -> bool:
        """Tell if a figure, MEASURE.FIGURE, is of a measure of this experiment."""
        return not self.measures or figure.partition(".")[0] in self.measures

    @model_validator(mode="after")
    def _check_measures(self) -> Experiment:
        known = [*measures(), CLAIMS]
        for name in self.measures:
            if name not in known:
                raise ValueError(
                    Phrase(
                        "measures: there is no measure {name!r}; choose among {names}",
                        name=name,
                        names=known,
                    )
                )
        if not self.keeps(self.primary.measure):
            raise ValueError(
                Phrase(
                    "primary: {name!r} is of none of the measures {names}; add its own",
                    name=self.primary.measure,
                    names=self.measures,
                )
            )
        return self

    @model_validator(mode="after")
    def _check_interviews(self) -> Experiment:
        for part in self.interviews:
            if part.questionnaire not in list_questionnaires():
                raise ValueError(
                    Phrase(
                        "there is no questionnaire {name!r}; choose one of {names}",
                        name=part.questionnaire,
                        names=list_questionnaires(),
                    )
                )
        if self.judge and max((len(part.access) for part in self.interviews), default=0) < 3:
            raise ValueError(
                Phrase(
                    "judge: there is nothing to rank; give a questionnaire at least three kinds of access"
                )
            )
        return self

    @model_validator(mode="after")
    def _check_runs(self) -> Experiment:
        if len(set(self.seeds)) < len(self.seeds):
            raise ValueError(
                Phrase(
                    "seeds: {seeds} has one seed twice, which would count one town twice",
                    seeds=[str(seed) for seed in self.seeds],
                )
            )
        if TRUNK in self.conditions:
            raise ValueError(
                Phrase(
                    "conditions: {name!r} is kept for the run that conditions fork from; choose another name",
                    name=TRUNK,
                )
            )
        return self


def read_experiment(file: Path, **changes: str) -> Experiment:
    """Read an experiment from a file, with the changes of the command line.

    Raises:
        BadInput: With a line for each fault.
    """
    try:
        content = _read(file)
    except RecursionError:
        raise _too_deep(file) from None
    if is_unwieldy(content):
        raise _too_deep(file)
    if not isinstance(content, dict):
        raise BadInput(
            "{file}: should be an experiment, with name, question, town, seeds, conditions and primary",
            file=file,
        )
    try:
        experiment = Experiment.model_validate(
            content | {name: value for name, value in changes.items() if value}
        )
    except ValidationError as error:
        raise BadInput(
            [Phrase("{file}: {fault}", file=file, fault=_fault(fault)) for fault in error.errors()]
        ) from None
    for settings in (
        experiment.settings,
        *(treatment.settings for treatment in experiment.conditions.values()),
    ):
        check_town(convert_types(settings), str(file))
    return experiment


def _too_deep(file: Path) -> BadInput:
    text = N_(
        "{file}: is nested too deeply, or too large (aliases of YAML count as often as they stand there), to be an experiment; flatten it"
    )
    return BadInput(text, file=file)


def convert_types(settings: Any) -> Any:
    """Return settings with numbers and truth values in place of the words that were read from
    YAML.

    >>> convert_types({"associate": {"retrieve_max": "5", "normalise": "none"}})
    {'associate': {'retrieve_max': 5, 'normalise': 'none'}}
    """
    if isinstance(settings, dict):
        return {key: convert_types(value) for key, value in settings.items()}
    if isinstance(settings, list):
        return [convert_types(value) for value in settings]
    try:
        value = json.loads(settings) if isinstance(settings, str) else settings
    except (json.JSONDecodeError, RecursionError):
        return settings
    return settings if is_unwieldy(value) else value


def _read(file: Path) -> Any:
    import yaml  # of the extra study

    try:
        text = read_bounded(file)
        return (
            json.loads(text) if file.suffix == ".json" else yaml.load(text, Loader=yaml.BaseLoader)
        )
    except FileNotFoundError:
        raise BadInput("{file}: there is no such experiment file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "{file}: cannot be read as an experiment file ({reason})", file=file, reason=error
        ) from None
    except json.JSONDecodeError as error:
        raise BadInput(
            "{file}, line {line}: not JSON ({reason})",
            file=file,
            line=error.lineno,
            reason=Phrase(error.msg),
        ) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BadInput(
            "{file}, line {line}: not YAML ({reason})",
            file=file,
            line=mark.line + 1 if mark else 1,
            reason=getattr(error, "problem", None) or error,
        ) from None


def _fault(error: Any) -> Phrase:
    """Translate a fault of pydantic into our words."""
    where = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "value_error":
        (own,) = error["ctx"]["error"].args
        return Phrase("{where}: {fault}", where=where, fault=own) if where else Phrase(own)
    if error["type"] == "missing":
        return Phrase("{where} is missing", where=where)
    if error["type"] == "extra_forbidden":
        return Phrase("there is no field {where!r} in an experiment", where=where)
    return Phrase(
        "{where} is {value!r}: {reason}",
        where=where,
        value=str(error["input"])[:80],
        reason=Phrase(error["msg"]),
    )
