"""A run to live: a new one, or one to go on with. Everything is checked before anything is written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from modules.cli.options import DEFAULT_SEED, DEFAULT_STRIDE, DEFAULT_WORLD, START_FORMAT, Options
from modules.cli.text import locale_language
from modules.cli.wishes import wishes
from modules.clock import DAY, minute_of_day
from modules.config import Layer, combine, keys, read_layer
from modules.errors import BadInput, BadRun
from modules.founding import found, versions
from modules.model.choose import choose_model
from modules.model.embedding import make_embedder
from modules.model.llm import Embedder, LanguageModel
from modules.model.routing import usual_name
from modules.prompt.render import check_templates
from modules.settings import Machine, Settings
from modules.storage.fork import fork_run, remembered
from modules.storage.inbox import numbered
from modules.storage.manifest import ENGINE, Manifest
from modules.storage.names import check_name, file_of
from modules.storage.run import Run
from modules.storage.space import require_room
from modules.text import Phrase
from modules.world.clones import crowd, original, populated
from modules.world.furnish import furnished
from modules.world.interventions import Intervention
from modules.world.load import load_world
from modules.world.world import World

SERVING = ("num_ctx", "keep_alive", "give_up_after")
"""Keys of `llm` that say how a model is served, and not what the town is: they may change while a run is stopped."""


@dataclass(frozen=True)
class Session:
    """All that a `Game` takes, and what was `asked` for. The run is ours to write until it is closed."""

    run: Run
    world: World
    model: LanguageModel
    embedder: Embedder
    machine: Machine
    asked: Sequence[Intervention] = ()


async def begin(options: Options, layers: Sequence[Layer]) -> Session:
    """Founds the run that the options describe. Raises BadInput for what doesn't fit, ModelUnavailable if nobody can speak."""
    check_templates()
    name = check_name(options.name or "")
    if file_of(options.results, name).exists():
        raise BadRun("there is a run {name!r} already: add --resume to go on with it, or take another --name", name=name)
    require_room(options.results)
    world = load_world(options.world or DEFAULT_WORLD, options.lang or locale_language(), options.worlds)
    world = populated(world, cast(options, world))
    settings = combine([world.settings, *layers])
    start, stride = options.start or world.start, options.stride or DEFAULT_STRIDE
    wanted = numbered(wishes(options, world, start, stride, 0), 0)
    model, reason = await choose_model(options.llm or settings.llm.default, settings, world.lang)
    embedder = make_embedder(options.embedding or settings.embedding.default, settings, world.lang)
    run = await found(
        options.results, world, settings, model, embedder,
        name=name, start=start, stride=stride, seed=options.seed if options.seed is not None else DEFAULT_SEED,
        steps=steps_to_live(options, start, stride) or math.ceil(DAY / stride), llm_reason=reason, asked=wanted,
    )  # fmt: skip
    return Session(run, world, model, embedder, settings.machine, wanted)


async def resume(options: Options, layers: Sequence[Layer]) -> Session | None:
    """Opens the run to go on with, and sets its end anew if the options say so; None if it has reached its end.

    Raises BadRun, naming both values, where an option contradicts what the run is.
    """
    name = options.name or ""
    with Run.open(options.results, name) as run:
        manifest, last, planned_end, furniture = run.manifest, run.last, run.planned_end, run.furniture(run.last.step)
    world = load_world(manifest.world, manifest.lang, options.worlds)
    refuse_contradictions(options, manifest, world)
    world = same_people(world, manifest)
    wanted = wishes(options, furnished(world, furniture), manifest.start, manifest.stride, last.step)
    more = steps_to_live(options, last.time, manifest.stride)
    if not more and last.step >= planned_end:
        if wanted:
            raise BadInput("run {name!r} has reached its end, step {step}: add --step to live on", name=name, step=last.step)
        return None
    settings = of_today(manifest.settings, combine(layers))
    machine = settings.machine
    model, _ = await choose_model(manifest.llm, settings, manifest.lang)
    embedder = same_embedder(manifest, settings)
    run = Run.open(options.results, name, write=True, synchronous=machine.synchronous)
    if more:
        run.set_planned_end(last.step + more)
    return Session(run, world, model, embedder, machine, run.ask(wanted))


async def fork(options: Options, layers: Sequence[Layer]) -> Session:
    """A new run that begins after a step of another one, with what the options say otherwise.

    Raises BadRun for a step that isn't there or a name that is taken, BadInput for what doesn't fit.
    """
    check_templates()
    name, (parent_name, at) = check_name(options.name or ""), options.fork or ("", 0)
    require_room(options.results)
    with Run.open(options.results, parent_name) as parent:
        has = parent.manifest
        if not 0 <= at <= parent.last.step:
            raise BadRun("run {name!r} has no step {step}: it has steps 0 to {last}", name=parent_name, step=at, last=parent.last.step)
        settings = combine([has.settings.model_dump(mode="json", exclude={"machine"}), *(read_layer(file) for file in (options.config,) if file)])
        settings = settings.model_copy(update={"machine": combine(layers).machine})
        model, reason = await choose_model(options.llm or has.llm, settings, has.lang)
        embedder = make_embedder(options.embedding, settings) if options.embedding else same_embedder(has, settings)
        anew = (embedder.name, embedder.dimension) != (has.embedding, has.dimension)
        texts = remembered(parent, at) if anew else []
        vectors = dict(zip(texts, await embedder.embed(texts), strict=True)) if anew else None
        world = same_people(load_world(has.world, has.lang, options.worlds), has)
        now = has.start + timedelta(minutes=at * has.stride)
        wanted = wishes(options, furnished(world, parent.furniture(at)), has.start, has.stride, at)
        manifest = has.model_copy(update={
            "name": name, "parent": f"{parent_name}@{at}", "settings": settings, "llm": model.name, "llm_reason": reason,
            "embedding": embedder.name, "dimension": embedder.dimension, "seed": has.seed if options.seed is None else options.seed,
            "engine": ENGINE, "versions": versions(world), "created": datetime.now().replace(microsecond=0),
        })  # fmt: skip
        end = at + steps_to_live(options, now, has.stride) if options.step or options.until is not None else parent.planned_end
        asked = fork_run(options.results, parent, at, manifest, end if end > at else at + math.ceil(DAY / has.stride), vectors, wanted)
    run = Run.open(options.results, name, write=True, synchronous=settings.machine.synchronous)
    return Session(run, world, model, embedder, settings.machine, asked)


def of_today(has: Settings, now: Settings) -> Settings:
    """The settings that a run began with, but for the machine and how its model is served there."""
    serving = {name: getattr(now.llm, name) for name in SERVING}
    return has.model_copy(update={"machine": now.machine, "llm": has.llm.model_copy(update=serving)})


def same_embedder(manifest: Manifest, settings: Settings) -> Embedder:
    """The embedding that a run began with; raises BadRun if what goes by its name has other dimensions now."""
    embedder = make_embedder(manifest.embedding, settings, manifest.lang)
    if embedder.dimension != manifest.dimension:
        raise BadRun(
            "run {name!r} remembers in {before} dimensions, but {embedding} now has {now}: put the model back that it began with",
            name=manifest.name, before=manifest.dimension, embedding=manifest.embedding, now=embedder.dimension,
        )  # fmt: skip
    return embedder


def same_people(world: World, manifest: Manifest) -> World:
    """The world with the run's cast; raises BadRun if somebody has left its folder since."""
    gone = [who for who in manifest.residents if original(who) not in world.personas]
    if gone:
        raise BadRun(
            "run {name!r} has residents who are gone from world {world!r}: {gone}; put their files back", name=manifest.name, world=world.id, gone=gone
        )
    return populated(world, manifest.residents)


def steps_to_live(options: Options, now: datetime, stride: int) -> int:
    """How many steps the options ask for from `now` on, 0 where they leave it open.

    `--until` means the next time that the clock shows it, and the first step that reaches it.
    """
    if options.step and options.until is not None:
        raise BadInput("--step and --until both say where to end: leave one of them out")
    if options.until is None:
        return options.step or 0
    minutes = (options.until - minute_of_day(now)) % DAY or DAY
    return math.ceil(minutes / stride)


def cast(options: Options, world: World) -> list[str]:
    """Ids of those who are to live in the town: the residents asked for, and as many of their clones as make up `--clone`."""
    own = chosen(options.residents, world) if options.residents else list(world.personas)
    return crowd(own, options.clone) if options.clone else own


def chosen(asked: Sequence[str], world: World) -> list[str]:
    """Ids of the residents asked for, in the world's order: by id, by name in any of its languages, or so many of them."""
    everybody = list(world.personas)
    if len(asked) == 1 and asked[0].isdecimal():
        if not 1 <= int(asked[0]) <= len(everybody):
            raise BadInput("there cannot be {count} residents: {world} has 1 to {most}", count=asked[0], world=world.id, most=len(everybody))
        return everybody[: int(asked[0])]
    known = {who.casefold(): who for who in everybody}
    for lang in world.langs:
        spoken = world if lang == world.lang else load_world(world.folder, lang)
        known |= {persona.name.casefold(): who for who, persona in spoken.personas.items()}
    for name in asked:
        if name.casefold() not in known:
            raise BadInput(
                "nobody called {name!r} lives in {world}: there are {names}",
                name=name, world=world.id, names=[persona.name for persona in world.personas.values()],
            )  # fmt: skip
    ids = {known[name.casefold()] for name in asked}
    return [who for who in everybody if who in ids]


def refuse_contradictions(options: Options, manifest: Manifest, world: World) -> None:
    """Raises BadRun for each option that says otherwise than the run, a line each. `--llm auto` says nothing."""
    asked: dict[str, tuple[Any, Any]] = {
        "--world": (options.world, manifest.world),
        "--lang": (options.lang, manifest.lang),
        "--start": (options.start and options.start.strftime(START_FORMAT), manifest.start.strftime(START_FORMAT)),
        "--stride": (options.stride, manifest.stride),
        "--residents": ((options.residents or options.clone) and sorted(cast(options, world)), sorted(manifest.residents)),
        "--seed": (options.seed, manifest.seed),
        "--llm": (options.llm if options.llm != "auto" else None, usual_name(manifest.llm)),
        "--embedding": (options.embedding, manifest.embedding),
    }
    if options.config:
        asked |= _settings_asked(options.config, manifest.settings)
    text = "run {name!r} has {option} {has}, not {wants}: leave it out, or begin another run under a new --name"
    faults = [
        Phrase(text, name=manifest.name, option=option, has=has, wants=wants) for option, (wants, has) in asked.items() if wants is not None and wants != has
    ]
    if faults:
        raise BadRun(faults)


def _settings_asked(file: Path, has: Settings) -> dict[str, tuple[Any, Any]]:
    """What a settings file says, beside the run's own value, by `--config KEY`; the machine's matters are nobody's business."""
    layer, kept = read_layer(file), has.model_dump()
    free = {f"llm.{name}" for name in SERVING}
    asked = {name: (_at(layer, name), _at(kept, name)) for name, _ in keys() if not name.startswith("machine.") and name not in free}
    return {f"--config {name}": both for name, both in asked.items()}


def _at(layer: Layer, name: str) -> Any:
    """The value under a dotted name, None if there is none."""
    value: Any = layer
    for part in name.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value
