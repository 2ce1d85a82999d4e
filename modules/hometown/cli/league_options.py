"""Options of `hometown league`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from hometown.cli import values
from hometown.cli.declare import Option
from hometown.cli.options import PATH, Embedding, Residents, Seed, StartTime, WorldId
from hometown.text import N_


@dataclass(frozen=True, kw_only=True)
class LeagueOptions:
    """The hours that the models of a league live, and what is shown beside them.

    Attributes:
        farmstead: Days on the farmstead without autopilot, 0 for none.
        card: Cards of others.
        run: Names of runs.
    """

    world: WorldId = None
    start: StartTime = None
    hours: Annotated[
        int, Option("N", values.integer(1, 720), help=N_("hours of the town that are lived (4)"))
    ] = 4
    residents: Residents = None
    seed: Seed = None
    embedding: Embedding = None
    farmstead: Annotated[
        int,
        Option(
            "DAYS",
            values.integer(1, 30),
            help=N_("also live on the farmstead without autopilot, and show who is still standing"),
        ),
    ] = 0
    card: Annotated[
        tuple[Path, ...],
        Option(
            "FILE",
            PATH,
            is_repeated=True,
            help=N_("show a card of another league; can be repeated"),
        ),
    ] = ()
    run: Annotated[
        tuple[str, ...],
        Option(
            "NAME",
            is_repeated=True,
            help=N_("show a run or a recording beside the models; can be repeated"),
        ),
    ] = ()
