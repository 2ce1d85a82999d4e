"""Sessions: runs that are created, resumed or forked, with all that their simulation needs.
Everything is checked before anything is written.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from hometown.backends import choose_model
from hometown.clock import DAY
from hometown.errors import BadInput, BadRun
from hometown.model.embedding import AUTO, make_embedder
from hometown.model.embedding_choice import choose_embedder
from hometown.model.levels import RECORDED
from hometown.model.llama.llama_server import keep_logs
from hometown.model.llm import Embedder, LanguageModel
from hometown.model.permission import names_of_run, permit, refuse_unpermitted
from hometown.model.text_vectors import embed_texts
from hometown.model.trials import add_findings
from hometown.new_run import check_time, create_run, current_versions
from hometown.prompt.render import check_templates
from hometown.settings import Machine, RunSettings, Settings
from hometown.storage.disk_space import require_room
from hometown.storage.fork import fork_run, remembered_texts
from hometown.storage.manifest import ENGINE, Manifest
from hometown.storage.run import RunFile
from hometown.storage.run_names import refuse_taken
from hometown.storage.world_copy import adopt_world
from hometown.text import Phrase
from hometown.world.clones import original, populate
from hometown.world.interventions import Intervention
from hometown.world.resolve import NameIndex
from hometown.world.snapshot import snapshot
from hometown.world.world import World

SERVING = ("num_ctx", "keep_alive", "give_up_after", "min_tokens_per_second")
"""Keys of `llm` that configure the server and not the town: they may change while a run is stopped.
"""


@dataclass(frozen=True)
class Session:
    """The arguments of a `Game`, and the interventions of this session. The run is open for writing
    until it is closed.

    The log of llama.cpp is kept beside the run.
    """

    run: RunFile
    world: World
    model: LanguageModel
    embedder: Embedder
    machine: Machine
    interventions: Sequence[Intervention] = ()
    embedding_reason: str = ""
    """The reason for the embedding that auto chose, in words; "" if it was named, or the run has
    it.
    """

    def __post_init__(self) -> None:
        keep_logs(self.run.file.parent)


async def create_session(
    results: Path,
    world: World,
    settings: Settings,
    *,
    name: str,
    start: datetime,
    stride: int,
    seed: int,
    steps: int = 0,
    llm: str | None = None,
    embedding: str | None = None,
    interventions: Sequence[Intervention] = (),
) -> Session:
    """Create the run `name` in `world`, planned for `steps` steps, or for a day if they are
    0.

    `llm` and `embedding` override the settings' defaults. `check_new` must have accepted the name.
    Raises BadInput for an impossible time and for a model that cannot be had, ModelUnavailable if
    the model does not answer.
    """
    check_time(start, stride)
    check_templates(langs=[world.lang])
    settings = with_cast(settings, world)
    model, reason = await choose_model(llm or settings.llm.default, settings, world.lang)
    settings = add_findings(settings, results, model.name, world.lang)
    embedder, why = await choose_embedder(
        embedding or settings.embedding.default, settings, world.lang, llm=model.name
    )
    run = await create_run(
        results,
        world,
        settings,
        model,
        embedder,
        name=name,
        start=start,
        stride=stride,
        seed=seed,
        steps=steps or math.ceil(DAY / stride),
        llm_reason=reason,
        interventions=interventions,
    )
    permit([*names_of_run(model.name, settings), embedder.name])
    return Session(run, world, model, embedder, settings.machine, interventions, why)


async def resume_session(
    results: Path,
    manifest: Manifest,
    world: World,
    settings: Settings,
    *,
    end: int = 0,
    interventions: Sequence[Intervention] = (),
) -> Session:
    """Open a run to continue it, up to step `end` if that is given, with the settings of this
    machine from `settings`.

    Raises:
        BadRun: Another process is writing the run, or its embedding has other dimensions now.
        BadInput: A model of the run is a file or a plug-in that the user has not permitted.
    """
    model, embedder = await same_model(manifest, settings), same_embedder(manifest, settings)
    with ExitStack() as unless_ready:
        run = unless_ready.enter_context(
            RunFile.open(
                results, manifest.name, write=True, synchronous=settings.machine.synchronous
            )
        )
        if run.manifest != manifest:
            raise BadRun(
                "run {name!r} has been replaced by another one meanwhile: give the command again",
                name=manifest.name,
            )
        adopt_world(run, world)
        if end:
            run.set_planned_end(end)
        accepted = run.ask(interventions)
        unless_ready.pop_all()
    return Session(run, world, model, embedder, settings.machine, accepted)


async def fork_session(
    results: Path,
    parent: RunFile,
    at: int,
    world: World,
    settings: Settings,
    *,
    name: str,
    end: int = 0,
    llm: str | None = None,
    embedding: str | None = None,
    seed: int | None = None,
    interventions: Sequence[Intervention] = (),
) -> Session:
    """Create a run that starts after step `at` of `parent`, planned up to step `end`, by default
    the parent's end, or for a day where that is not after `at`. Raises BadRun for a step that the
    parent does not have or a name that is taken, BadInput for a model that cannot be had.
    """
    check_templates(langs=[world.lang])
    has = parent.manifest
    parent.find_step(at)
    settings = with_cast(settings, world)
    refuse_unpermitted(names_of_run("" if llm else has.llm, settings), _name_of(has))
    model, reason = await choose_model(llm or has.llm, settings, has.lang)
    chosen = embedding or embedding_of_fork(has)
    embedder, why = (
        await choose_embedder(chosen, settings, has.lang, llm=model.name)
        if embedding or chosen != has.embedding
        else (_checked_embedder(has, settings), "")
    )
    changed = (embedder.name, embedder.dimension) != (has.embedding, has.dimension)
    vectors = await embed_texts(embedder, remembered_texts(parent, at)) if changed else None
    changes = {
        "settings": settings.drop_machine(),
        "llm": model.name,
        "llm_reason": reason,
        "embedding": embedder.name,
        "dimension": embedder.dimension,
        "seed": has.seed if seed is None else seed,
    }
    manifest = _manifest_of_fork(has, at, name, world).model_copy(update=changes)
    planned_end, files = _end_after(parent, at, end), snapshot(world.folder)
    accepted = fork_run(results, parent, at, manifest, planned_end, vectors, interventions, files)
    run = RunFile.open(results, name, write=True, synchronous=settings.machine.synchronous)
    return Session(run, world, model, embedder, settings.machine, accepted, why)


def embedding_of_fork(has: Manifest) -> str:
    """Return the embedding of a fork for which none is named: its parent's; for that of a recorded
    town, any that this machine has.
    """
    return AUTO if has.llm == RECORDED else has.embedding


def create_fork(results: Path, parent: RunFile, at: int, world: World, *, name: str) -> None:
    """Create a fork with the parent's settings, model and embedding, without simulating it. Raises
    BadRun as `fork_session` does.
    """
    check_new(results, name)
    parent.find_step(at)
    manifest = _manifest_of_fork(parent.manifest, at, name, world)
    fork_run(
        results, parent, at, manifest, _end_after(parent, at, 0), None, (), snapshot(world.folder)
    )


def _manifest_of_fork(has: Manifest, at: int, name: str, world: World) -> Manifest:
    """Return the manifest of a fork after step `at` of the run with the manifest `has`."""
    return has.model_copy(
        update={
            "name": name,
            "parent": f"{has.name}@{at}",
            "recorded": min(has.recorded, at),
            "engine": ENGINE,
            "versions": current_versions(world),
            "created": datetime.now().replace(microsecond=0),
        }
    )


def _end_after(parent: RunFile, at: int, end: int) -> int:
    """Return the planned end of a fork: `end`, or else the parent's end, or a day if that is over."""
    end = end or parent.planned_end
    return end if end > at else at + math.ceil(DAY / parent.manifest.stride)


def check_new(results: Path, name: str) -> None:
    """Raise BadRun for an invalid or taken name of a run, and for an almost full disk."""
    refuse_taken(results, name)
    require_room(results)


def current_settings(has: RunSettings, now: Settings) -> Settings:
    """Return the settings that a run began with, except those of the machine and of the model's
    server.
    """
    serving = {name: getattr(now.llm, name) for name in SERVING}
    return has.model_copy(update={"llm": has.llm.model_copy(update=serving)}).add_machine(
        now.machine
    )


async def same_model(manifest: Manifest, now: Settings, llm: str = "") -> LanguageModel:
    """Return `llm`, if the user has named one, or else the model that a run began with, on the
    servers in the user's settings `now`.

    Raises BadInput if it cannot be had, or is a file or a plug-in that the user has not permitted,
    ModelUnavailable if it does not answer.
    """
    settings, spec = current_settings(manifest.settings, now), llm or manifest.llm
    refuse_unpermitted(names_of_run("" if llm else manifest.llm, settings), _name_of(manifest))
    model, _ = await choose_model(spec, settings, manifest.lang)
    return model


def with_cast(settings: Settings, world: World) -> Settings:
    """Return the settings with ids in place of the names in `detail`. Raises BadInput for unknown
    names and inconsistent levels.
    """
    detail = settings.detail
    if bool(detail.cast) != bool(detail.others):
        raise BadInput(
            "detail.cast and detail.others belong together: name both the residents of the cast and the model that plays the others"
        )
    if not detail.cast and not detail.background:
        return settings
    index = NameIndex("tell", world)  # reads the world in each of its languages
    cast, background = (
        [index.resolve(name) for name in names] for names in (detail.cast, detail.background)
    )
    for who in cast:
        if who in background:
            raise BadInput(
                "{name} is in detail.cast and in detail.background; it should be in one of them",
                name=world.name_of(who),
            )
    return settings.model_copy(
        update={"detail": detail.model_copy(update={"cast": cast, "background": background})}
    )


def same_embedder(manifest: Manifest, now: Settings) -> Embedder:
    """Return the embedding that a run began with, on the servers in the user's settings `now`.

    Raises BadRun if the embedding has other dimensions now, BadInput as `same_model` does.
    """
    return _checked_embedder(manifest, current_settings(manifest.settings, now))


def _checked_embedder(manifest: Manifest, settings: Settings) -> Embedder:
    """Return the embedding of a run. Raises BadInput if the user has not permitted it, BadRun if it
    has other dimensions than the run.
    """
    refuse_unpermitted([manifest.embedding], _name_of(manifest))
    embedder = make_embedder(manifest.embedding, settings, manifest.lang)
    if embedder.dimension != manifest.dimension:
        raise BadRun(
            "run {name!r} has embeddings of {before} dimensions, but {embedding} now returns {now}: restore the embedding model that the run began with",
            name=manifest.name,
            before=manifest.dimension,
            embedding=manifest.embedding,
            now=embedder.dimension,
        )
    return embedder


def _name_of(manifest: Manifest) -> Phrase:
    """Return the name of a run for messages."""
    return Phrase("run {name!r}", name=manifest.name)


def same_cast(world: World, manifest: Manifest) -> World:
    """Return the world with the run's cast. Raises BadRun if a resident's file is missing."""
    gone = [who for who in manifest.residents if original(who) not in world.personas]
    if gone:
        raise missing_residents(manifest, gone)
    return populate(world, manifest.residents)


def missing_residents(manifest: Manifest, gone: Sequence[str]) -> BadRun:
    """Return the error for residents of a run whose files are missing from its world."""
    return BadRun(
        "run {name!r} has residents who are missing from world {world!r}: {gone}; restore their files",
        name=manifest.name,
        world=manifest.world,
        gone=list(gone),
    )
