"""What a run is: everything that determines it beside the model's replies."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from modules.settings import Settings
from modules.world.world import Lang

ENGINE = 3
"""Raised when the same replies would lead to other effects; verify thinks anew only where it matches."""


class Manifest(BaseModel):
    """Written once, with step 0. `settings.machine` in it has no meaning for other machines."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    world: str
    lang: Lang
    start: datetime
    stride: int
    seed: int
    residents: list[str]
    llm: str
    llm_reason: str
    """Why this model was taken, in words, where the user had left it open."""
    embedding: str
    dimension: int
    settings: Settings
    engine: int = ENGINE
    versions: dict[str, str]
    created: datetime
    parent: str = ""
