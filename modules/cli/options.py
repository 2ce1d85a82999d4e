"""The options of `start.py`. Names and meanings are those of GenerativeAgentsCN where it has them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from modules.cli.command import Parser, whole
from modules.cli.text import Text
from modules.clock import DAY, parse_hhmm
from modules.errors import BadInput
from modules.paths import RESULTS, WORLDS
from modules.storage.names import file_of
from modules.world.due import When, parse_when
from modules.world.world import LANGS, Lang

if TYPE_CHECKING:
    from modules.world.interventions import Kind

LEVELS = ("debug", "info", "warning", "error", "critical")
START_FORMAT = "%Y%m%d-%H:%M"

DEFAULT_WORLD = "ville"
DEFAULT_STRIDE = 10
DEFAULT_SEED = 0


ASKS: dict[Kind, str] = {"tell": "WHO: TEXT", "set": "THING: STATE", "event": "PLACE: TEXT", "place": "ROOM: THING", "remove": "THING"}
"""What the user may do to a town, and how it is written."""

OF_THE_PARENT = ("resume", "world", "lang", "start", "stride", "residents", "clone")
"""What a fork takes from its parent, so that it can't be said anew."""

OF_A_SITTING = (
    "resume", "fork", "step", "until", "max_calls", "max_hours", "world", "start", "stride", "residents", "clone", "seed", "llm", "embedding", "config",
)  # fmt: skip
"""Options that mean that a run is to be lived now, and not only to be asked for something."""


@dataclass(frozen=True)
class Options:
    """What was said on the command line; None where nothing was.

    `residents` are names, ids or one count, as typed. `until` is in minutes of the day. A run has one `lang`, a world any of `langs`.
    `max_calls` and `max_hours` bound this process and not the run. `asks` are interventions as typed, in order, and `at` is when
    they are to happen: in a step, at a time of day, or at a moment.
    """

    name: str | None
    resume: bool
    fork: tuple[str, int] | None
    world: str | None
    lang: Lang | None
    langs: tuple[Lang, ...]
    start: datetime | None
    stride: int | None
    residents: tuple[str, ...] | None
    clone: int | None
    seed: int | None
    llm: str | None
    embedding: str | None
    step: int | None
    until: int | None
    max_calls: int | None
    max_hours: float | None
    config: Path | None
    verbose: str | None
    log: Path | None
    digest: str | None
    verify: str | None
    check: str | None
    repair: str | None
    asks: list[tuple[Kind, str]] | None
    at: When | None
    doctor: bool
    json: bool
    new_world: str | None
    check_world: str | None
    import_world: Path | None
    out: Path | None
    worlds: Path
    results: Path


def parse(argv: list[str], text: Text) -> Options:
    """Raises BadInput for whatever can be refused without looking at a world or a run."""
    parser = _parser(text)
    said = parser.parse(argv)
    if said.json and not said.doctor:
        parser.error(text("only_doctor"))
    making = [one for one in (said.new_world, said.check_world, said.import_world) if one is not None]
    if said.name is None and not (said.digest or said.verify or said.check or said.repair or said.doctor or (making and not said.import_world)):
        parser.error(text("no_world_name" if said.import_world else "no_name"))
    if len(making) > 1:
        parser.error(text("one_world"))
    if said.out and said.check_world is None:
        parser.error(text("only_check"))
    if said.at is not None and not said.asks:
        parser.error(text("at_what"))
    langs = said.lang or ()
    if len(langs) > 1 and not making:
        parser.error(text("one_lang"))
    options = Options(**(vars(said) | {"lang": next(iter(langs), None), "langs": langs}))
    if options.fork and (given := [name for name in OF_THE_PARENT if getattr(options, name)]):
        parser.error(text("fork_keeps", options=", ".join(f"--{name}" for name in given)))
    return options


def only_asks(options: Options) -> bool:
    """Whether the options ask something of a run that is there, and nothing else."""
    lived = any(getattr(options, name) is not None and getattr(options, name) is not False for name in OF_A_SITTING)
    return bool(options.asks) and not lived and file_of(options.results, options.name or "").exists()


def _parser(text: Text) -> Parser:
    parser = Parser("start.py", text("about"), text.lang)

    def add(name: str, kind: object = str, metavar: str = "", **more: object) -> None:
        parser.add_argument(name, type=kind, metavar=metavar, help=text("help_" + name.removeprefix("--").replace("-", "_")), **more)  # type: ignore[arg-type]

    add("--name", metavar="NAME")
    parser.add_argument("--resume", action="store_true", help=text("help_resume"))
    add("--fork", _past_step, "NAME@STEP")
    add("--step", whole(1), "N")
    add("--until", _minute, "HH:MM")
    add("--max-calls", whole(1), "N")
    add("--max-hours", _hours, "HOURS")
    add("--world", metavar="WORLD")
    add("--lang", _langs, "LANG")
    add("--start", _moment, "YYYYMMDD-HH:MM")
    add("--stride", whole(1, DAY), "MINUTES")
    add("--residents", _names, "A,B,…")
    add("--clone", whole(1), "N")
    add("--seed", whole(0, 2**63 - 1), "N")
    add("--llm", metavar="MODEL")
    add("--embedding", metavar="MODEL")
    add("--config", Path, "FILE")
    add("--verbose", _level, "LEVEL", nargs="?", const="debug")
    add("--log", Path, "FILE")
    for kind, metavar in ASKS.items():
        add(f"--{kind}", partial(_ask, kind), metavar, action="append", dest="asks")
    add("--at", parse_when, "STEP|HH:MM|YYYYMMDD-HH:MM")
    add("--digest", metavar="NAME")
    add("--verify", metavar="NAME")
    add("--check", metavar="NAME")
    add("--repair", metavar="NAME")
    parser.add_argument("--doctor", action="store_true", help=text("help_doctor"))
    parser.add_argument("--json", action="store_true", help=text("help_json"))
    add("--new-world", metavar="WORLD")
    add("--check-world", metavar="WORLD")
    add("--import-world", Path, "PATH")
    add("--out", Path, "FILE")
    add("--worlds", Path, "FOLDER", default=WORLDS)
    add("--results", Path, "FOLDER", default=RESULTS)
    return parser


def _minute(text: str) -> int:
    try:
        return parse_hhmm(text)
    except ValueError:
        raise BadInput("{text!r} is not a time of day, which would look like 22:00", text=text) from None


def _past_step(text: str) -> tuple[str, int]:
    """A run and one of its steps."""
    name, _, step = text.partition("@")
    if not name or not step.isdecimal():
        raise BadInput("{text!r} is not a step of a run, which would look like spring@48", text=text)
    return name, int(step)


def _ask(kind: Kind, text: str) -> tuple[Kind, str]:
    return kind, text


def _hours(text: str) -> float:
    """A number of hours above 0, such as 1.5."""
    try:
        hours = float(text)
    except ValueError:
        hours = 0.0
    if not 0 < hours < float("inf"):
        raise BadInput("{text!r} is not a number of hours, which would look like 8 or 1.5", text=text)
    return hours


def _moment(text: str) -> datetime:
    try:
        return datetime.strptime(text, START_FORMAT)
    except ValueError:
        raise BadInput("{text!r} is not a start time, which would look like 20250213-06:00", text=text) from None


def _langs(text: str) -> tuple[str, ...]:
    """One language, or several separated by commas, without repetitions."""
    langs = tuple(dict.fromkeys(text.split(",")))
    for lang in langs:
        if lang not in LANGS:
            raise BadInput("language {lang!r} is unknown; there are {langs}", lang=lang, langs=list(LANGS))
    return langs


def _names(text: str) -> tuple[str, ...]:
    """Names as typed, separated by commas (or the Chinese `，` and `、`), without blanks and repetitions."""
    names = [name.strip() for name in text.replace("，", ",").replace("、", ",").split(",")]
    if not all(names):
        raise BadInput("{text!r} should be names separated by commas, or how many residents there are to be", text=text)
    return tuple(dict.fromkeys(names))


def _level(text: str) -> str:
    if text.lower() not in LEVELS:
        raise BadInput("{text!r} is no level of detail; there are {levels}", text=text, levels=list(LEVELS))
    return text.lower()
