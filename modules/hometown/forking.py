"""Forks of a recorded run, by its name, as Python's users ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hometown import session
from hometown.config import check_layer, combine
from hometown.model.permission import names_of_user, permit
from hometown.session import Session, same_cast
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_of

Config = Mapping[str, Any]
"""Settings in the form of `data/config.json`, such as `{"preset": "paper", "think":
{"poignancy_max": 100}}`.
"""


def permit_layers(settings: Config | None) -> list[Config]:
    """Return the caller's settings, whose models are permitted from now on. Raises BadSettings for
    an unknown key or an invalid value.
    """
    check_layer(settings or {}, "settings")
    layers = [settings] if settings else []
    permit(names_of_user(combine(layers)))
    return layers


async def fork_by_name(
    parent: str,
    step: int,
    name: str,
    *,
    seed: int | None,
    llm: str | None,
    embedding: str | None,
    settings: Config | None,
    results: Path,
    worlds: Path,
) -> Session:
    """Create a run that branches off after a step of `parent`, with the given changes. Raises as
    `session.fork_session` does.
    """
    session.check_new(results, name)
    with RunFile.open(results, parent) as run:
        world = same_cast(world_of(run, worlds), run.manifest)
        own = run.manifest.settings.model_dump(mode="json")
        changed = combine(permit_layers(settings), own)
        permit([llm or "", embedding or ""])
        return await session.fork_session(
            results,
            run,
            step,
            world,
            changed,
            name=name,
            llm=llm,
            embedding=embedding,
            seed=seed,
        )
