"""The manifest of a run: everything that determines it besides the model's replies."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from hometown.clock import DAY
from hometown.language import Lang
from hometown.settings import RunSettings, Settings

ENGINE = 9
"""Raised when the same replies would lead to other effects; `verify` repeats the residents'
thinking only if it matches.
"""


class Manifest(BaseModel):
    """Written once, with step 0. It names models but no server: `settings` contains nothing about
    the machine.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    """The name of the run's folder; a run that was copied or renamed by hand keeps the former one
    in its file until it is written.
    """
    world: str
    lang: Lang
    start: datetime
    stride: int = Field(ge=1, le=DAY)
    seed: int
    residents: list[str]
    llm: str
    llm_reason: str
    """The reason for the choice of the model, if the user had left it open."""
    embedding: str
    dimension: int
    settings: RunSettings
    engine: int = ENGINE
    versions: dict[str, str]
    created: datetime
    parent: str = ""
    """`NAME@STEP`, as the parent was called then; "" for a run that is no fork."""
    recorded: int = 0
    """The last step of a recorded town, or of the part that a fork has of one; 0 for other runs.
    No model on this machine wrote the replies up to this step.
    """

    def moment(self, step: int) -> datetime:
        """Return the game time at which a step ends; step 0 ends at the run's start."""
        return self.start + timedelta(minutes=step * self.stride)

    @field_validator("settings", mode="before")
    @classmethod
    def _drop_foreign(cls, settings: Any) -> Any:
        """Return settings without those that a run may not have or no longer has: those of a
        machine, and `schedule.max_try` of engine 3 and before.
        """
        if isinstance(settings, Settings):
            return settings.drop_machine()
        if not isinstance(settings, dict):
            return settings
        kept = {name: value for name, value in settings.items() if name != "machine"}
        if isinstance(schedule := kept.get("schedule"), dict):
            kept["schedule"] = {
                name: value for name, value in schedule.items() if name != "max_try"
            }
        return kept
