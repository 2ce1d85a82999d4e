"""The choices for a new town: worlds with their residents, and the models available on this
machine, found in the same way as by `hometown doctor`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from hometown.clock import DAY
from hometown.config import combine, read_layer
from hometown.doctor.estimate import estimate_load
from hometown.doctor.model_servers import Unanswered, servers_for
from hometown.errors import HometownError
from hometown.frozen import frozen
from hometown.language import LANGS, Lang
from hometown.model.levels import SCRIPTED
from hometown.model.recommended import recommended
from hometown.paths import CONFIG
from hometown.settings import Settings
from hometown.web.run_worlds import find_change_time
from hometown.world.load import folder_of, list_worlds, load_world

MODEL_LIST_SECONDS = 1.5
"""Seconds to wait for a model server."""


@frozen
class Model:
    """A model for a run: its name as for `--llm`, and its languages; all where they are not
    known.
    """

    spec: str
    langs: Sequence[Lang] = LANGS


def offers(worlds: Path) -> dict[str, Any]:
    """Return `worlds`, the smallest first, and `models` for the page's form."""
    known = (
        _world(name, worlds, find_change_time(folder_of(name, worlds)))
        for name in list_worlds(worlds)
    )
    found = sorted((world for world in known if world), key=_count_residents)
    return {
        "worlds": found,
        "models": [asdict(model) for model in list_available_models()],
    }


def user_settings() -> Settings:
    """Return the settings of this machine's user."""
    return combine([read_layer(CONFIG)] if CONFIG.exists() else [])


def list_available_models() -> list[Model]:
    """Return the models that are available without a download; the scripted one comes last, and
    always.
    """
    settings = user_settings()
    served = asyncio.run(_list_served_models(settings))
    own = [
        Model(f"gguf:{model.name}", _select_languages(model.languages))
        for model in recommended().values()
        if model.place.exists()
    ]
    named = [Model(f"gguf:{settings.machine.gguf}")] if settings.machine.gguf else []
    return [*served, *{model.spec: model for model in (*named, *own)}.values(), Model(SCRIPTED)]


def _select_languages(languages: Sequence[str]) -> list[Lang]:
    """Return those of some languages in which towns can speak."""
    return [lang for lang in LANGS if lang in languages]


async def _list_served_models(settings: Settings) -> list[Model]:
    """Return the models of the servers that answer in time."""
    found = await asyncio.gather(
        *(_models_of(backend, settings) for backend in ("ollama", "openai"))
    )
    return [
        Model(f"{backend}:{name}")
        for backend, names in zip(("ollama", "openai"), found, strict=True)
        for name in names
    ]


async def _models_of(backend: str, settings: Settings) -> list[str]:
    """Return the models of the first server of a backend; none if it is not configured or does not
    answer within `MODEL_LIST_SECONDS`.
    """
    try:
        server, *others = servers_for(f"{backend}:{settings.llm.model}", settings, "en")
    except HometownError:
        return []
    try:
        return await asyncio.wait_for(server.models(), MODEL_LIST_SECONDS)
    except (Unanswered, TimeoutError):
        return []
    finally:
        for each in (server, *others):
            await each.close()


def _count_residents(world: dict[str, Any]) -> int:
    """Return the residents of an offered world, in the language with the most."""
    return max(len(offered["people"]) for offered in world["langs"].values())


@lru_cache(32)
def _world(name: str, root: Path, changed: float) -> dict[str, Any] | None:
    """Return a world as the page offers it: its name and residents, and the expected calls and
    hours of a day of one resident, by language. Languages in which it does not load are left out;
    None if it loads in none. It is read again when `changed`, the time of its last change, differs.
    """
    langs: dict[Lang, dict[str, Any]] = {}
    for lang in LANGS:
        try:
            world = load_world(name, lang, root)
        except HometownError:
            continue
        people = [{"id": who, "name": persona.name} for who, persona in world.personas.items()]
        load = estimate_load(name, lang, len(people), world.start, DAY)
        langs[lang] = {
            "name": world.name,
            "people": people,
            "calls": round(load.calls / len(people)),
            "hours": load.hours() / len(people),
        }
    return {"id": name, "langs": langs} if langs else None
