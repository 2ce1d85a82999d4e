"""The commands that simulate a run or intervene in it. Their work is imported when they are called:
help and mistyped options answer at once.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hometown.cli import values
from hometown.cli.declare import Argument, Declaration, Program, command
from hometown.cli.options import (
    INTERVENTIONS,
    ExistingRun,
    Folders,
    InterventionOptions,
    Moment,
    Name,
    Seed,
    SessionOptions,
    TownOptions,
    complete_run,
)
from hometown.cli.simulation import Simulation
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.defaults import DEFAULT_WORLD

if TYPE_CHECKING:
    from hometown.world.interventions import Kind
else:
    Kind = str  # its module takes long to import


@command("run")
def run(
    name: Annotated[str | None, Argument("NAME")] = None,
    *,
    town: TownOptions,
    session: SessionOptions,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a run and simulate it."""
    if name is None:
        name = free_name(folders.results, town.world or DEFAULT_WORLD)
    return _simulate(
        Simulation(name=name, town=town, session=session, folders=folders, program=program), text
    )


@command("resume", helps={"step": "step_further"})
def resume(
    name: ExistingRun,
    *,
    town: TownOptions,
    session: SessionOptions,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Continue a run."""
    return _simulate(
        Simulation(
            name=name,
            town=town,
            session=session,
            folders=folders,
            program=program,
            is_resumed=True,
        ),
        text,
    )


@command(
    "fork",
    helps={
        "embedding": "embedding_own",
        "llm": "llm_own",
        "name": "name_forked",
        "seed": "seed_own",
        "step": "step_further",
    },
)
def fork(
    parent: Annotated[
        tuple[str, int], Argument("NAME@STEP", values.past_step, complete=complete_run)
    ],
    *,
    name: Name = None,
    seed: Seed = None,
    session: SessionOptions,
    folders: Folders,
    text: Text,
    program: Program,
) -> int:
    """Create a run that branches off after a step of another one."""
    if name is None:
        name = free_name(folders.results, parent[0])
    return _simulate(
        Simulation(
            name=name,
            town=TownOptions(seed=seed),
            session=session,
            folders=folders,
            program=program,
            parent=parent,
        ),
        text,
    )


def _simulate(simulation: Simulation, text: Text) -> int:
    session = simulation.session
    layers = read_settings(
        session.config, session.llm, session.embedding, shards=session.shards, ray=session.ray
    )
    from hometown.cli.stoppable_session import live_session

    return live_session(simulation, layers, text)


def free_name(results: Path, base: str) -> str:
    """Return the first of BASE-1, BASE-2, … that no run is called."""
    base = re.sub(r"[^\w-]+", "", base).lstrip("-_") or "town"
    number = 1
    while (results / "checkpoints" / f"{base}-{number}").exists():
        number += 1
    return f"{base}-{number}"


def _intervene(
    run: ExistingRun,
    words: Annotated[tuple[str, ...], Argument('"…"', is_repeated=True)],
    *,
    kind: Kind,
    at: Moment = None,
    folders: Folders,
    text: Text,
) -> int:
    """Send an intervention to a run that is stopped, or that another process simulates."""
    return send_interventions(
        run,
        InterventionOptions(requests=((kind, " ".join(words)),), at=at),
        folders=folders,
        text=text,
    )


def send_interventions(
    run: ExistingRun, interventions: InterventionOptions, *, folders: Folders, text: Text
) -> int:
    """Send interventions to a run that is stopped, or that another process simulates."""
    read_settings()
    from hometown.cli.intervention_requests import send

    return send(run, interventions, folders, text)


INTERVENTION_COMMANDS = tuple(
    Declaration(
        kind,
        _intervene,
        helps={"at": "at_intervention"},
        metavars={"words": f'"{metavar}"'},
        fixed={"kind": kind},
    )
    for kind, metavar in INTERVENTIONS.items()
)
"""A command for each kind of intervention."""
