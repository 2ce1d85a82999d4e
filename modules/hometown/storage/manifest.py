"""What a run is: everything that determines it beside the model's replies."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from hometown.clock import DAY
from hometown.language import Lang
from hometown.settings import Settings

ENGINE = 6
"""Raised when the same replies would lead to other effects; verify thinks anew only where it matches."""


class Manifest(BaseModel):
    """Written once, with step 0. `settings.machine` in it has no meaning for other machines."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    world: str
    lang: Lang
    start: datetime
    stride: int = Field(ge=1, le=DAY)
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

    @field_validator("settings", mode="before")
    @classmethod
    def _without_former(cls, settings: Any) -> Any:
        """Runs of engine 3 and before have a setting that is gone: how often a day plan was requested until it was varied enough."""
        if isinstance(settings, dict) and "max_try" in settings.get("schedule", {}):
            return settings | {"schedule": {key: value for key, value in settings["schedule"].items() if key != "max_try"}}
        return settings
