"""A session of a run as the user has described it on a command line."""

from __future__ import annotations

from dataclasses import dataclass

from hometown.cli.declare import Program
from hometown.cli.options import Folders, SessionOptions, TownOptions


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """A run to create, resume or fork, and the options of its simulation.

    Attributes:
        town: The new run's town; of a resumed run, the values that the user repeats; of a fork, the seed.
        is_resumed: Whether an existing run is continued.
        parent: The run and the step that a fork branches off from.
    """

    name: str
    town: TownOptions
    session: SessionOptions
    folders: Folders
    program: Program
    is_resumed: bool = False
    parent: tuple[str, int] | None = None
