"""The options of all command lines, each defined once. Names and meanings are those of
GenerativeAgentsCN where it has them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from hometown.cli import values
from hometown.cli.command import Option, refuse
from hometown.cli.text import Text
from hometown.clock import DAY
from hometown.language import Lang
from hometown.paths import RESULTS, USER_WORLDS
from hometown.world.when import When, parse_when

if TYPE_CHECKING:
    from hometown.study.access import Condition
    from hometown.world.interventions import Kind

DEFAULT_PORT = 5000

Program = Literal["start.py", "hometown"]
"""The command line that the user has typed, and that hints are written for."""

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


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a command line says; None where it says nothing.

    `target` is the run, world or path that a command is about, where `name` is that of something
    new. `residents` are names, ids or one count, as typed. `until` is in minutes of the day.
    `max_calls` and `max_hours` limit this process and not the run, and `pace` is the least number
    of seconds of its steps. `interventions` are as typed, in order, and `at` is when they take
    place: in a step, at a time of day, or at a moment. `ask` is a resident with a question, then
    further questions to it, and `at` the moment at which they are asked; under a `condition`, the
    answers may rest on less than the resident has. `collect` are files that people have sent back,
    and `inspect` asks for logs that Inspect's viewer shows. `trial` is for how many days a society
    that is checked, or tried, lives by its rules. `law` is a patch, a file with one or with a
    resident, or words from which a patch is drafted; people are told of it as `say` says. `force`
    enters it whatever it breaks, and `yes` without asking. `files` are what
    `resident` learns. `count` is how many districts a new world has.
    """

    program: Program
    name: str | None = None
    target: str = ""
    resume: bool = False
    fork: tuple[str, int] | None = None
    step: int | None = None
    until: int | None = None
    max_calls: int | None = None
    max_hours: float | None = None
    pace: float | None = None
    world: str | None = None
    langs: tuple[Lang, ...] = ()
    start: datetime | None = None
    stride: int | None = None
    residents: tuple[str, ...] | None = None
    clone: int | None = None
    seed: int | None = None
    llm: str | None = None
    embedding: str | None = None
    config: Path | None = None
    shards: int | None = None
    ray: str | None = None
    verbose: str | None = None
    log: Path | None = None
    interventions: tuple[tuple[Kind, str], ...] = ()
    at: When | None = None
    ask: tuple[str, ...] = ()
    questionnaire: str = ""
    condition: Condition = "full"
    collect: tuple[Path, ...] = ()
    inspect: bool = False
    json: bool = False
    out: Path | None = None
    trial: int | None = None
    count: int | None = None
    law: str = ""
    say: str = ""
    force: bool = False
    yes: bool = False
    resident: str = ""
    files: tuple[Path, ...] = ()
    tables: bool = False
    html: bool = False
    port: int = DEFAULT_PORT
    host: str = ""
    public: bool = False
    behind_proxy: str = ""
    gguf: bool = False
    worlds: Path = USER_WORLDS
    results: Path = RESULTS

    @property
    def lang(self) -> Lang | None:
        """The language of a run; a new world may have several `langs`."""
        return self.langs[0] if self.langs else None


_PATH = click.Path(path_type=Path)
_FLAG: dict[str, Any] = {"is_flag": True}

DEFINITIONS: dict[str, dict[str, Any]] = {
    "name": {"metavar": "NAME"},
    "resume": _FLAG,
    "fork": {"metavar": "NAME@STEP", "type": values.past_step},
    "step": {"metavar": "N", "type": values.integer(1)},
    "until": {"metavar": "HH:MM", "type": values.time_of_day},
    "max-calls": {"metavar": "N", "type": values.integer(1)},
    "max-hours": {"metavar": "HOURS", "type": values.hours},
    "pace": {"metavar": "SECONDS", "type": values.seconds},
    "world": {"metavar": "WORLD"},
    "lang": {"metavar": "LANG", "type": values.language},
    "langs": {"metavar": "LANG", "type": values.languages},
    "start": {"metavar": "YYYYMMDD-HH:MM", "type": values.start_time},
    "stride": {"metavar": "MINUTES", "type": values.integer(1, DAY)},
    "residents": {"metavar": "A,B,…", "type": values.names},
    "clone": {"metavar": "N", "type": values.integer(1)},
    "seed": {"metavar": "N", "type": values.integer(0, 2**63 - 1)},
    "llm": {"metavar": "MODEL"},
    "embedding": {"metavar": "MODEL"},
    "config": {"metavar": "FILE", "type": _PATH},
    "shards": {"metavar": "N", "type": values.integer(0)},
    "ray": {"metavar": "ADDRESS"},
    "verbose": {
        "metavar": "[LEVEL]",
        "type": values.level,
        "is_flag": False,
        "flag_value": "debug",
    },
    "log": {"metavar": "FILE", "type": _PATH},
    **{kind: {"metavar": f'"{form}"', "multiple": True} for kind, form in INTERVENTIONS.items()},
    "at": {"metavar": "STEP|HH:MM|YYYYMMDD-HH:MM", "type": parse_when},
    "ask": {"metavar": '"WHO: QUESTION"', "multiple": True},
    "questionnaire": {"metavar": "QUESTIONNAIRE"},
    "condition": {"metavar": "CONDITION", "type": values.condition},
    "collect": {"metavar": "FILE", "multiple": True, "type": _PATH},
    "inspect": _FLAG,
    "compare": {"metavar": "NAME"},
    "digest": {"metavar": "NAME"},
    "verify": {"metavar": "NAME"},
    "check": {"metavar": "NAME"},
    "repair": {"metavar": "NAME"},
    "doctor": _FLAG,
    "json": _FLAG,
    "list-models": _FLAG,
    "get-model": {"metavar": "MODEL"},
    "gguf": _FLAG,
    "new-world": {"metavar": "WORLD"},
    "check-world": {"metavar": "WORLD"},
    "import-world": {"metavar": "PATH"},
    "districts": {"metavar": "WORLD"},
    "count": {"metavar": "N", "type": values.integer(2)},
    "out": {"metavar": "FILE", "type": _PATH},
    "trial": {"metavar": "DAYS", "type": values.integer(0, 365)},
    "say": {"metavar": "TEXT"},
    "force": _FLAG,
    "yes": _FLAG,
    "tables": _FLAG,
    "html": _FLAG,
    "port": {"metavar": "N", "type": values.integer(1, 65535), "default": DEFAULT_PORT},
    "host": {"metavar": "ADDRESS", "default": "127.0.0.1"},
    "public": _FLAG,
    "behind-proxy": {"metavar": "ADDRESS", "type": values.web_address},
    "worlds": {"metavar": "FOLDER", "type": _PATH, "default": USER_WORLDS},
    "results": {"metavar": "FOLDER", "type": _PATH, "default": RESULTS},
}
"""How each option is read, by its name; its help is the entry `help_…` of the catalogue."""

SHOWN: dict[str, tuple[str, ...]] = {"langs": ("--lang", "langs"), "lang": ("--lang", "langs")}
"""Options that are typed otherwise than they are called here."""


def option(name: str, text: Text, helped: str = "", **more: Any) -> Option:
    """The option `name` (without dashes), with what a command says otherwise of it; `helped` is the
    entry of its help where that is one of its own.
    """
    return Option(
        SHOWN.get(name, (f"--{name}",)),
        help=text(helped or "help_" + name.replace("-", "_")),
        **DEFINITIONS[name] | more,
    )


def options_of(ctx: click.Context, text: Text, program: Program, **more: Any) -> Options:
    """What was parsed, as Options. Raises BadInput for options that don't go together."""
    texts = {kind: iter(ctx.params.get(kind, ())) for kind in INTERVENTIONS}
    interventions = tuple(
        (kind, next(texts[kind]))
        for param in ctx.meta["occurrences"]
        for kind in INTERVENTIONS
        if param.name == kind
    )
    known = {field.name for field in fields(Options)}
    given = {
        name: value for name, value in ctx.params.items() if name in known and value is not None
    }
    options = Options(**{"program": program, "interventions": interventions} | given | more)
    for_interventions = any(kind in ctx.params for kind in INTERVENTIONS)
    if (
        options.at is not None
        and for_interventions
        and not (options.interventions or options.law or options.ask or options.questionnaire)
    ):
        refuse(ctx, text("at_what"))
    return options
