"""Options that several commands share, each declared once. Names and meanings are those of
GenerativeAgentsCN where it has them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from hometown.cli import values
from hometown.cli.declare import Argument, Misuse, Option, OrderedOptions
from hometown.clock import DAY
from hometown.language import Lang
from hometown.paths import RESULTS, USER_WORLDS
from hometown.text import Phrase
from hometown.world.intervention_time import When, parse_when

if TYPE_CHECKING:
    from hometown.study.access_conditions import AccessCondition
    from hometown.world.interventions import Kind
else:
    AccessCondition = Kind = str  # their modules take long to import, and parsing does without them

INTERVENTIONS: dict[Kind, str] = {
    "tell": "WHO: TEXT",
    "set": "THING: STATE",
    "event": "PLACE: TEXT",
    "place": "ROOM: THING",
    "remove": "THING",
    "leave": "WHO",
    "arrive": "WHO",
}
"""The kinds of intervention, and how each is written."""

PATH = click.Path(path_type=Path)


def _completing(names: Callable[[click.Context], list[str]]) -> Callable[..., list[str]]:
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
        return [name for name in names(ctx) if name.startswith(incomplete)]

    return complete


def _runs(ctx: click.Context) -> list[str]:
    from hometown.storage.run_names import run_names

    return run_names(ctx.params.get("results") or RESULTS)


def _worlds(ctx: click.Context) -> list[str]:
    from hometown.world.load import list_worlds

    return list(list_worlds(ctx.params.get("worlds") or USER_WORLDS))


def _models(_: click.Context) -> list[str]:
    from hometown.model.recommended import recommended

    return list(recommended())


complete_run, complete_world, complete_model = map(_completing, (_runs, _worlds, _models))

# arguments ---------------------------------------------------------------------------------

ExistingRun = Annotated[str, Argument("NAME", complete=complete_run)]
ExistingWorld = Annotated[str, Argument("WORLD", complete=complete_world)]

# options -----------------------------------------------------------------------------------

Name = Annotated[str | None, Option("NAME")]
Language = Annotated[Lang | None, Option("LANG", values.language, text="lang_of_run")]
WorldId = Annotated[str | None, Option("WORLD")]
Residents = Annotated[tuple[str, ...] | None, Option("A,B,…", values.parse_names)]
Clones = Annotated[int | None, Option("N", values.integer(1))]
Seed = Annotated[int | None, Option("N", values.integer(0, 2**63 - 1))]
Llm = Annotated[str | None, Option("MODEL")]
Embedding = Annotated[str | None, Option("MODEL")]
SettingsFile = Annotated[Path | None, Option("FILE", PATH)]
Shards = Annotated[int | None, Option("N", values.integer(0))]
RayAddress = Annotated[str | None, Option("ADDRESS")]
Moment = Annotated[When | None, Option("STEP|HH:MM|YYYYMMDD-HH:MM", parse_when)]
Trial = Annotated[int | None, Option("DAYS", values.integer(0, 365))]
OutputFile = Annotated[Path | None, Option("FILE", PATH)]
Json = Annotated[bool, Option()]


@dataclass(frozen=True, kw_only=True)
class Folders:
    """The folders in which worlds and runs are looked for."""

    worlds: Annotated[Path, Option("FOLDER", PATH)] = USER_WORLDS
    results: Annotated[Path, Option("FOLDER", PATH)] = RESULTS


@dataclass(frozen=True, kw_only=True)
class TownOptions:
    """A new run's town and time; for a resumed run, they can only repeat its own values."""

    world: WorldId = None
    lang: Language = None
    start: Annotated[datetime | None, Option("YYYYMMDD-HH:MM", values.start_time)] = None
    stride: Annotated[int | None, Option("MINUTES", values.integer(1, DAY))] = None
    residents: Residents = None
    clone: Clones = None
    seed: Seed = None


@dataclass(frozen=True, kw_only=True)
class InterventionOptions:
    """Interventions in the order in which they were typed, and the time at which they take place."""

    requests: Annotated[tuple[tuple[Kind, str], ...], OrderedOptions(INTERVENTIONS)] = ()
    at: Moment = None

    def __post_init__(self) -> None:
        if self.at is not None and not self.requests:
            flags = ", ".join(f"--{kind}" for kind in INTERVENTIONS)
            raise Misuse(
                Phrase("--at is the time of an intervention: add one of {options}", options=flags)
            )


@dataclass(frozen=True, kw_only=True)
class SessionOptions:
    """Options of a process that simulates steps.

    Attributes:
        until: The time of day at which it ends, in minutes.
        max_calls: The limit of model calls in this process.
        max_hours: The limit of hours of this process.
        pace: The least number of seconds that a step takes.
    """

    llm: Llm = None
    embedding: Embedding = None
    config: SettingsFile = None
    step: Annotated[int | None, Option("N", values.integer(1))] = None
    until: Annotated[int | None, Option("HH:MM", values.time_of_day)] = None
    max_calls: Annotated[int | None, Option("N", values.integer(1))] = None
    max_hours: Annotated[float | None, Option("HOURS", values.hours)] = None
    pace: Annotated[float | None, Option("SECONDS", values.seconds)] = None
    shards: Shards = None
    ray: RayAddress = None
    verbose: Annotated[str | None, Option("[LEVEL]", values.level, alone="debug")] = None
    log: Annotated[Path | None, Option("FILE", PATH)] = None
    interventions: InterventionOptions = InterventionOptions()


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """The model that answers or drafts, and the settings that go with it."""

    llm: Llm = None
    config: SettingsFile = None


@dataclass(frozen=True, kw_only=True)
class QuestionOptions:
    """Questions to a resident, or a questionnaire for several, and the moment that they are about.

    Attributes:
        questions: The first names the resident; further ones continue the conversation.
        condition: The memories that the answers may use.
        residents: The residents to whom the questionnaire is given.
    """

    questions: Annotated[tuple[str, ...], Argument('"WHO: QUESTION"', is_repeated=True)] = ()
    questionnaire: Annotated[str, Option("QUESTIONNAIRE")] = ""
    condition: Annotated[AccessCondition, Option("CONDITION", values.condition)] = "full"
    residents: Residents = None
    at: Moment = None

    def __post_init__(self) -> None:
        if not self.questions and not self.questionnaire:
            raise Misuse(
                Phrase("there is no question: write 'WHO: QUESTION', or add --questionnaire")
            )
        if self.questions and self.questionnaire:
            raise Misuse(
                Phrase(
                    "a questionnaire has questions of its own: leave out {question!r}, or --questionnaire",
                    question=self.questions[0],
                )
            )
        if self.questions and self.residents:
            raise Misuse(
                Phrase(
                    "--residents says who answers a questionnaire, and a question names the one who is to answer: leave out --residents"
                )
            )


@dataclass(frozen=True, kw_only=True)
class ProposalOptions:
    """The way in which a proposal is tried, announced and entered.

    Attributes:
        say: The words in which residents are told of it.
        trial: The number of simulated days for which it is tried.
        force: Whether it is entered even if the trial predicts shortages.
        yes: Whether a draft is entered without confirmation.
    """

    say: Annotated[str, Option("TEXT")] = ""
    at: Moment = None
    trial: Trial = None
    force: Annotated[bool, Option()] = False
    yes: Annotated[bool, Option()] = False
