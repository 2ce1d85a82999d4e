"""Options that several commands share, each declared once. Names and meanings are those of
GenerativeAgentsCN where it has them.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from hometown.cli import values
from hometown.cli.completion import complete_run, complete_world
from hometown.cli.declare import Argument, Misuse, Option, OrderedOptions
from hometown.defaults import LONGEST_STRIDE
from hometown.language import Lang
from hometown.paths import RESULTS, USER_WORLDS
from hometown.text import N_, Phrase
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

INTERVENTION_HELPS: dict[Kind, str] = {
    "tell": N_(
        "speak to a resident as their inner voice: they remember it and reconsider "
        "their plan; can be repeated"
    ),
    "set": N_("set an object's state; nothing after the colon clears it; can be repeated"),
    "event": N_(
        "stage an event at a place, which all residents within sight perceive; can be repeated"
    ),
    "place": N_("put a new object into a room; can be repeated"),
    "remove": N_("remove an object; can be repeated"),
    "leave": N_("let a resident leave town; can be repeated"),
    "arrive": N_("let a resident who has left town come back; can be repeated"),
}
"""The help of the option of each kind."""

PATH = click.Path(path_type=Path)

# arguments ---------------------------------------------------------------------------------

ExistingRun = Annotated[str, Argument("NAME", complete=complete_run)]
ExistingWorld = Annotated[str, Argument("WORLD", complete=complete_world)]

# helps of options that differ between commands -----------------------------------------------

LLM_OF_RUN = N_("language model: auto, scripted, or BACKEND:MODEL (that of the run)")
TIME_OF_EFFECT = N_(
    "time at which it takes effect: a step, a time of day or a moment (the next step)"
)
PAST_MOMENT = N_("step, time of day or moment that it is about (the last step)")
FURTHER_STEPS = N_("number of further steps")
RUN_NAME = N_("name of the run (its database is results/checkpoints/NAME/run.sqlite)")
NEW_WORLD_NAME = N_("name of the new world")

# options -----------------------------------------------------------------------------------

Name = Annotated[str | None, Option("NAME")]
Language = Annotated[
    Lang | None,
    Option(
        "LANG",
        values.language,
        help=N_("language of the run and of the output: en or zh (that of the system)"),
    ),
]
WorldId = Annotated[str | None, Option("WORLD", help=N_("id of a world (ville)"))]
Residents = Annotated[
    tuple[str, ...] | None,
    Option(
        "A,B,…",
        values.parse_names,
        help=N_(
            "residents who take part: their names, parts of names or ids, or their number (all)"
        ),
    ),
]
Clones = Annotated[
    int | None,
    Option(
        "N",
        values.integer(1),
        help=N_(
            "number of residents: the cast, then clones with other names, homes and "
            "characters, for load tests"
        ),
    ),
]
Seed = Annotated[int | None, Option("N", values.integer(0, 2**63 - 1), help=N_("random seed (0)"))]
Llm = Annotated[
    str | None,
    Option(
        "MODEL", help=N_("language model: auto, scripted, or BACKEND:MODEL (setting llm.default)")
    ),
]
Embedding = Annotated[
    str | None,
    Option(
        "MODEL",
        help=N_(
            "embedding: auto, hash, e5, ollama:MODEL, openai:MODEL, or "
            "huggingface:PATH_OR_NAME (setting embedding.default)"
        ),
    ),
]
SettingsFile = Annotated[
    Path | None, Option("FILE", PATH, help=N_("file of settings that override data/config.json"))
]
Shards = Annotated[
    int | None,
    Option(
        "N",
        values.integer(0),
        help=N_(
            "distribute the residents over N processes (needs the extra ray: "
            "docs/machines.md); the town stays the same"
        ),
    ),
]
RayAddress = Annotated[
    str | None,
    Option(
        "ADDRESS",
        help=N_(
            "Ray cluster for the shards, as HOST:PORT, or auto (a Ray of the run's own on "
            "this machine)"
        ),
    ),
]
StartTime = Annotated[
    datetime | None,
    Option(
        "YYYYMMDD-HH:MM",
        values.start_time,
        help=N_("game time at which the run starts (that of the world)"),
    ),
]
Moment = Annotated[
    When | None,
    Option(
        "STEP|HH:MM|YYYYMMDD-HH:MM",
        parse_when,
        help=N_("time of the interventions: a step, a time of day or a moment (the next step)"),
    ),
]
Trial = Annotated[int | None, Option("DAYS", values.integer(0, 365))]
OutputFile = Annotated[
    Path | None, Option("FILE", PATH, help=N_("file of the picture (a PNG below results)"))
]
Json = Annotated[bool, Option(help=N_("print the result as one JSON object"))]


@dataclass(frozen=True, kw_only=True)
class Folders:
    """The folders in which worlds and runs are looked for."""

    worlds: Annotated[
        Path,
        Option(
            "FOLDER",
            PATH,
            help=N_(
                "additional folder of worlds, which take precedence over built-in ones of the "
                "same name"
            ),
        ),
    ] = USER_WORLDS
    results: Annotated[Path, Option("FOLDER", PATH, help=N_("folder of the runs (results)"))] = (
        RESULTS
    )


@dataclass(frozen=True, kw_only=True)
class TownOptions:
    """A new run's town and time; for a resumed run, they can only repeat its own values."""

    world: WorldId = None
    lang: Language = None
    start: StartTime = None
    stride: Annotated[
        int | None,
        Option(
            "MINUTES",
            values.integer(1, LONGEST_STRIDE),
            help=N_("game minutes of a step, 1 to 240 (10)"),
        ),
    ] = None
    residents: Residents = None
    clone: Clones = None
    seed: Seed = None


@dataclass(frozen=True, kw_only=True)
class InterventionOptions:
    """Interventions in the order in which they were typed, and the time at which they take place."""

    requests: Annotated[
        tuple[tuple[Kind, str], ...], OrderedOptions(INTERVENTIONS, INTERVENTION_HELPS)
    ] = ()
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
    step: Annotated[
        int | None,
        Option(
            "N",
            values.integer(1, values.MOST_STEPS),
            help=N_("number of steps to simulate (when resuming: further steps)"),
        ),
    ] = None
    until: Annotated[
        int | None,
        Option(
            "HH:MM",
            values.time_of_day,
            help=N_("stop after the first step that reaches this time of day"),
        ),
    ] = None
    max_calls: Annotated[
        int | None,
        Option(
            "N",
            values.integer(1),
            help=N_("stop this session after N model calls, at the last complete step"),
        ),
    ] = None
    max_hours: Annotated[
        float | None,
        Option(
            "HOURS",
            values.hours,
            help=N_("stop this session after this many hours, at the last complete step"),
        ),
    ] = None
    pace: Annotated[
        float | None,
        Option(
            "SECONDS",
            values.seconds,
            help=N_("minimum seconds of a step, for watching a town that uses no model"),
        ),
    ] = None
    shards: Shards = None
    ray: RayAddress = None
    verbose: Annotated[
        str | None,
        Option(
            "[LEVEL]",
            values.level,
            alone="debug",
            help=N_("show log lines: debug, info, warning, error or critical (debug)"),
        ),
    ] = None
    log: Annotated[
        Path | None, Option("FILE", PATH, help=N_("also write log lines to FILE, with times"))
    ] = None
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
    questionnaire: Annotated[
        str,
        Option(
            "QUESTIONNAIRE",
            help=N_(
                "give residents a questionnaire or a game: believability, awareness, neighbours, "
                "dictator, trust, public-goods, or the path of a file of your own"
            ),
        ),
    ] = ""
    condition: Annotated[
        AccessCondition,
        Option(
            "CONDITION",
            values.condition,
            help=N_(
                "memory ablation: full, no-reflection, no-plan (neither reflections nor plans) "
                "or none (full)"
            ),
        ),
    ] = "full"
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

    say: Annotated[
        str, Option("TEXT", help=N_("announcement to the residents (the changes, in words)"))
    ] = ""
    at: Moment = None
    trial: Trial = None
    force: Annotated[
        bool,
        Option(
            help=N_(
                "apply even if the simulation predicts shortages (mass balance is always enforced)"
            )
        ),
    ] = False
    yes: Annotated[bool, Option(help=N_("skip confirmation of a draft"))] = False


@dataclass(frozen=True)
class ExperimentOptions:
    """The work on an experiment beside its report, or, with `plan`, in place of it."""

    collect: Annotated[
        tuple[Path, ...],
        Option(
            "FILE",
            PATH,
            is_repeated=True,
            help=N_(
                "add the answers of a participant: a file saved on rank.html or write.html; "
                "can be repeated"
            ),
        ),
    ] = ()
    reference: Annotated[
        Path | None,
        Option(
            "FILE",
            PATH,
            help=N_(
                "compare residents with the people whom they stand for: a CSV table of their answers"
            ),
        ),
    ] = None
    inspect: Annotated[
        bool,
        Option(
            help=N_(
                "also write the answers as logs for Inspect's viewer, to the folder inspect "
                "(Inspect itself is not needed)"
            )
        ),
    ] = False
    plan: Annotated[
        bool,
        Option(
            help=N_(
                "run nothing: check FILE, print its size, cost and power, and write a "
                "preregistration"
            )
        ),
    ] = False
