"""Creates, resumes or forks the run that a command line describes. All options are checked before
a file is written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from hometown import session
from hometown.backends import refuse_recorded
from hometown.cli.contacts import contacts, contacts_of, print_servers
from hometown.cli.intervention_requests import interventions
from hometown.cli.options import SessionOptions
from hometown.cli.simulation import Simulation
from hometown.cli.suggest import suggest
from hometown.cli.texts import Text
from hometown.cli.user_language import locale_language
from hometown.cli.values import START_FORMAT
from hometown.clock import DAY, minute_of_day
from hometown.config import Layer, combine, keys, merge_layers, read_layer
from hometown.defaults import DEFAULT_SEED, DEFAULT_STRIDE, DEFAULT_WORLD
from hometown.errors import BadInput, BadRun
from hometown.model.embedding_choice import expected_embedding
from hometown.model.levels import RECORDED
from hometown.model.permission import names_of_run
from hometown.model.routing import usual_name
from hometown.session import (
    SERVING,
    Session,
    check_new,
    embedding_of_fork,
    same_cast,
    with_cast,
)
from hometown.settings import RunSettings, Settings
from hometown.storage.inbox import number_interventions
from hometown.storage.manifest import Manifest
from hometown.storage.run import RunFile
from hometown.storage.run_names import free_name
from hometown.storage.world_copy import world_of
from hometown.text import Phrase
from hometown.world.cast_choice import choose_cast
from hometown.world.clones import populate
from hometown.world.furnish import furnish_world
from hometown.world.load import load_world
from hometown.world.world import World

OF_A_FORK = ("--llm", "--embedding", "--seed", "--config")
"""Options that may differ in a fork, and not when a run is resumed."""


async def open_new(simulation: Simulation, layers: Sequence[Layer], text: Text) -> Session:
    """Create the run that the options describe.

    Raises:
        BadInput: Options don't fit the world or each other.
        ModelUnavailable: No model can be used.
    """
    name, town = simulation.name, simulation.town
    options, folders = simulation.session, simulation.folders
    check_new(folders.results, name)
    world = load_world(town.world or DEFAULT_WORLD, town.lang or locale_language(), folders.worlds)
    world = populate(world, choose_cast(world, town.residents or (), town.clone or 0))
    start, stride = town.start or world.start, town.stride or DEFAULT_STRIDE
    requested = number_interventions(
        interventions(options.interventions, world, start, stride, 0), 0
    )
    settings = combine(layers, world.settings)
    llm = options.llm or settings.llm.default
    embedding = options.embedding or settings.embedding.default
    print_servers(
        contacts(names_of_run(llm, settings), embedding, settings),
        text,
        embedding=expected_embedding(embedding, settings, world.lang, llm=llm),
    )
    return await session.create_session(
        folders.results,
        world,
        settings,
        name=name,
        start=start,
        stride=stride,
        seed=DEFAULT_SEED if town.seed is None else town.seed,
        steps=steps_to_simulate(options, start, stride),
        llm=options.llm,
        embedding=options.embedding,
        interventions=requested,
    )


async def open_resumed(
    simulation: Simulation, layers: Sequence[Layer], text: Text
) -> Session | None:
    """Open the run to resume, with a new end if the options set one; return None if it has reached
    its end.

    Raises:
        BadRun: An option contradicts the run; both values are named.
    """
    name, options, folders = simulation.name, simulation.session, simulation.folders
    with RunFile.open(folders.results, name) as run:
        manifest, last, planned_end = run.manifest, run.last, run.planned_end
        furniture, world = run.furniture(last.step), world_of(run, folders.worlds)
    refuse_contradictions(simulation, manifest, world, last.step)
    world = same_cast(world, manifest)
    requested = interventions(
        options.interventions,
        furnish_world(world, furniture),
        manifest.start,
        manifest.stride,
        last.step,
    )
    more = steps_to_simulate(options, last.time, manifest.stride)
    if not more and last.step >= planned_end:
        if requested:
            raise BadInput(
                "run {name!r} has reached its end, step {step}: add --step to continue",
                name=name,
                step=last.step,
            )
        return None
    settings = combine(layers)
    print_servers(contacts_of(manifest, settings), text, embedding=manifest.embedding)
    return await session.resume_session(
        folders.results,
        manifest,
        world,
        settings,
        end=more and last.step + more,
        interventions=requested,
    )


def beyond_recording(simulation: Simulation) -> Simulation:
    """Return the simulation in which a recorded town lives on: a fork after its last step, as the
    recording itself stays as it is. Any other simulation is returned unchanged.

    Raises:
        BadRun: There is no such run, or an option contradicts it.
    """
    name, town, options = simulation.name, simulation.town, simulation.session
    if not simulation.is_resumed:
        return simulation
    with RunFile.open(simulation.folders.results, name) as run:
        manifest, last = run.manifest, run.last.step
        if manifest.llm != RECORDED:
            return simulation
        world = world_of(run, simulation.folders.worlds)
    fixed = replace(
        simulation,
        town=replace(town, seed=None),
        session=replace(options, llm=None, embedding=None, config=None),
    )
    refuse_contradictions(fixed, manifest, world, last)
    return replace(
        simulation,
        name=free_name(simulation.folders.results, name),
        parent=(name, last),
        is_resumed=False,
    )


async def open_fork(simulation: Simulation, layers: Sequence[Layer], text: Text) -> Session:
    """Create a run that begins after a step of another one, with the settings that the options
    change.

    Raises:
        BadRun: There is no such step, or the name is taken.
        BadInput: Options don't fit the run.
    """
    assert simulation.parent is not None
    name, (parent_name, at) = simulation.name, simulation.parent
    options, folders = simulation.session, simulation.folders
    check_new(folders.results, name)
    with RunFile.open(folders.results, parent_name) as parent:
        has, at = parent.manifest, parent.find_step(at)
        refuse_recorded(options.llm or has.llm)
        settings = combine(
            [read_layer(options.config)] if options.config else [],
            has.settings.model_dump(mode="json"),
        )
        settings = settings.add_machine(combine(layers).machine)
        world = same_cast(world_of(parent, folders.worlds), has)
        furnished = furnish_world(world, parent.furniture(at))
        requested = interventions(options.interventions, furnished, has.start, has.stride, at)
        more = steps_to_simulate(options, has.moment(at), has.stride)
        llm, embedding = options.llm or has.llm, options.embedding or embedding_of_fork(has)
        print_servers(
            contacts(names_of_run(llm, settings), embedding, settings),
            text,
            embedding=expected_embedding(embedding, settings, has.lang, llm=llm),
        )
        return await session.fork_session(
            folders.results,
            parent,
            at,
            world,
            settings,
            name=name,
            end=more and at + more,
            llm=options.llm,
            embedding=options.embedding,
            seed=simulation.town.seed,
            interventions=requested,
        )


def steps_to_simulate(options: SessionOptions, now: datetime, stride: int) -> int:
    """Return the number of steps that the options set from `now` on, 0 if they set none.

    `--until` means the next time that the clock shows it, and the first step that reaches it.
    """
    if options.step and options.until is not None:
        raise BadInput("--step and --until both set the end: leave one of them out")
    if options.until is None:
        return options.step or 0
    minutes = (options.until - minute_of_day(now)) % DAY or DAY
    return math.ceil(minutes / stride)


def refuse_contradictions(
    simulation: Simulation, manifest: Manifest, world: World, last: int
) -> None:
    """Raise BadRun with a line for each option that differs from the run, which has `last` steps.
    `--llm auto` and `--embedding auto` never differ.
    """
    options, town = simulation.session, simulation.town
    cast = (
        sorted(choose_cast(world, town.residents or (), town.clone or 0))
        if town.residents or town.clone
        else None
    )
    given: dict[str, tuple[Any, Any]] = {
        "--world": (town.world, manifest.world),
        "--lang": (town.lang, manifest.lang),
        "--start": (
            town.start and town.start.strftime(START_FORMAT),
            manifest.start.strftime(START_FORMAT),
        ),
        "--stride": (town.stride, manifest.stride),
        "--residents": (cast, sorted(manifest.residents)),
        "--seed": (town.seed, manifest.seed),
        "--llm": (options.llm if options.llm != "auto" else None, usual_name(manifest.llm)),
        "--embedding": (
            options.embedding if options.embedding != "auto" else None,
            manifest.embedding,
        ),
    }
    if options.config:
        given |= _compare_settings(options.config, manifest.settings, same_cast(world, manifest))
    faults = [
        _contradiction(simulation, manifest.name, last, option, has, wants)
        for option, (wants, has) in given.items()
        if wants is not None and wants != has
    ]
    if faults:
        raise BadRun(faults)


def _contradiction(
    simulation: Simulation, name: str, last: int, option: str, has: object, wants: object
) -> Phrase:
    """Return a line about an option that the run can't change, with the command of a fork that can
    change it, if there is one.
    """
    flag = option.split()[0]
    if flag in OF_A_FORK:
        value = str(simulation.session.config if flag == "--config" else wants)
        fork = suggest(
            simulation.program,
            simulation.folders,
            "fork",
            flag,
            value,
            name=f"{name}-2",
            step=f"{name}@{last}",
        )
        return Phrase(
            "run {name!r} has {option} {has}, not {wants}: to change it, fork the run: {fork}",
            name=name,
            option=option,
            has=has,
            wants=wants,
            fork=fork,
        )
    return Phrase(
        "run {name!r} has {option} {has}, not {wants}: leave out this option, or start another run under a new name",
        name=name,
        option=option,
        has=has,
        wants=wants,
    )


def _compare_settings(file: Path, has: RunSettings, world: World) -> dict[str, tuple[Any, Any]]:
    """Return the values that a settings file would give the run, beside its own, by `--config KEY`;
    settings of the machine and of serving may differ.
    """
    kept = has.model_dump()
    wanted = Settings.model_validate(merge_layers(kept, read_layer(file)))
    wants = with_cast(wanted, world).model_dump()
    free = {f"llm.{name}" for name in SERVING}
    return {
        f"--config {name}": (_at(wants, name), _at(kept, name))
        for name, _ in keys(RunSettings)
        if name not in free
    }


def _at(layer: Layer, name: str) -> Any:
    """Return the value under a dotted name, None if there is none."""
    value: Any = layer
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
