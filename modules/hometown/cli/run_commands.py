"""The commands that simulate a run or intervene in it. Their work is imported when they are called:
help and mistyped options answer at once.
"""

from typing import TYPE_CHECKING, Annotated

from hometown.cli import values
from hometown.cli.completion import complete_run
from hometown.cli.declare import Argument, Declaration, Program, command
from hometown.cli.options import (
    FURTHER_STEPS,
    INTERVENTIONS,
    LLM_OF_RUN,
    TIME_OF_EFFECT,
    ExistingRun,
    Folders,
    InterventionOptions,
    Moment,
    Name,
    Seed,
    SessionOptions,
    TownOptions,
)
from hometown.cli.simulation import Simulation
from hometown.cli.texts import Text
from hometown.cli.user_settings import read_settings
from hometown.defaults import DEFAULT_WORLD
from hometown.storage.run_names import free_name
from hometown.text import N_

if TYPE_CHECKING:
    from hometown.world.interventions import Kind
else:
    Kind = str  # its module takes long to import


@command(
    "run",
    about=N_(
        "Create a run and simulate it, by default for one day.\n\n"
        "Without NAME the run is named after its world."
    ),
    example=N_("  hometown run spring --world ville --until 22:00"),
)
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


@command(
    "resume",
    about=N_("Continue a run."),
    example=N_("  hometown resume spring --step 72"),
    helps={"step": FURTHER_STEPS},
)
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
    about=N_("Create a run that branches off after a step of another one."),
    example=N_("  hometown fork spring@48 --name autumn --llm ollama:qwen3:8b"),
    helps={
        "embedding": N_(
            "embedding: auto, hash, e5, ollama:MODEL, openai:MODEL, or "
            "huggingface:PATH_OR_NAME (that of the run)"
        ),
        "llm": LLM_OF_RUN,
        "name": N_("name of the new run (the first free name of NAME-1, NAME-2, …)"),
        "seed": N_("random seed (that of the run)"),
        "step": FURTHER_STEPS,
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


@command(
    "visit",
    about=N_(
        "Visit a town that is being simulated, as a person in it.\n\n"
        "You enter by the road under NAME. Residents see you; one whom you speak to answers "
        "at once, while the town waits; others overhear. They remember you, speak of you, and "
        "know you when you come back under the same name."
    ),
    example=N_(
        '  hometown resume spring --step 144 --pace 5\n  hometown visit spring "Noor Haddad"'
    ),
)
def visit(
    run: ExistingRun,
    name: Annotated[tuple[str, ...], Argument("NAME", is_repeated=True)],
    *,
    folders: Folders,
    text: Text,
) -> int:
    """Visit a town that is being simulated."""
    read_settings()
    from hometown.cli.visit import visit_town

    return visit_town(run, " ".join(name), folders, text)


def _simulate(simulation: Simulation, text: Text) -> int:
    session = simulation.session
    layers = read_settings(
        session.config, session.llm, session.embedding, shards=session.shards, ray=session.ray
    )
    from hometown.cli.stoppable_session import live_session

    return live_session(simulation, layers, text)


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


_ABOUT_INTERVENTIONS: dict[Kind, str] = {
    "tell": N_("Speak to a resident as their inner voice."),
    "set": N_("Set the state of an object."),
    "event": N_("Stage an event at a place."),
    "place": N_("Put a new object into a room."),
    "remove": N_("Remove an object."),
    "leave": N_("Let a resident leave town."),
    "arrive": N_("Let a resident who has left town come back."),
}

_INTERVENTION_EXAMPLES: dict[Kind, str] = {
    "tell": N_('  hometown tell spring "Lin Yue: invite everybody to a party" --at 14:00'),
    "set": N_('  hometown set spring "cafe/main/oven: broken"'),
    "event": N_('  hometown event spring "Starlight Café: the lights go out" --at 18:30'),
    "place": N_('  hometown place spring "park: a piano"'),
    "remove": N_("  hometown remove spring piano"),
    "leave": N_('  hometown leave spring "Zhang Wei" --at 9:00'),
    "arrive": N_('  hometown arrive spring "Zhang Wei"'),
}

INTERVENTION_COMMANDS = tuple(
    Declaration(
        kind,
        _intervene,
        about=_ABOUT_INTERVENTIONS[kind],
        example=_INTERVENTION_EXAMPLES[kind],
        helps={"at": TIME_OF_EFFECT},
        metavars={"words": f'"{metavar}"'},
        fixed={"kind": kind},
    )
    for kind, metavar in INTERVENTIONS.items()
)
"""A command for each kind of intervention."""
