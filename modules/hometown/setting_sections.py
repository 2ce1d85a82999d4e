"""The base of all sections of the settings, and the sections of the processes on a town."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Section(BaseModel):
    """A section of the settings: its fields are checked, and do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class OpinionSettings(Section):
    statement: str = Field(
        "",
        description="Statement on which residents have opinions, as in: the meadow should become a car park. If empty, there are none."
        " Conversations move them.",
    )
    confidence: float = Field(
        0.4,
        ge=0,
        le=1,
        description="Largest distance of two opinions, which are from 0 to 1, at which a conversation brings them closer (Deffuant et al. 2000).",
    )
    pull: float = Field(
        0.3,
        gt=0,
        le=0.5,
        description="Share of their distance by which each of two residents who talk comes closer.",
    )


class IllnessSettings(Section):
    name: str = Field(
        "",
        description="Name of an illness that passes by contact, as in: influenza. If empty, there is none.",
    )
    first: int = Field(1, ge=1, description="Number of residents who are ill at the start.")
    hourly_risk: float = Field(
        0.1,
        ge=0,
        le=1,
        description="Probability that an hour in one room with an ill resident infects.",
    )
    incubation_hours: float = Field(
        24, ge=0, description="Hours between infection and the first symptoms."
    )
    illness_hours: float = Field(
        96, gt=0, description="Hours for which a resident is ill, and infectious."
    )
    remembered: bool = Field(
        False,
        description="Residents who fall ill remember it, and decide whether they change the rest of their day.",
    )
    stay_home: bool = Field(
        False,
        description="Ill residents spend the time of their tasks in bed at home, by rule; false: they decide themselves.",
    )


class ProcessSettings(Section):
    """Processes on the town, which experiments can switch on."""

    opinion: OpinionSettings = OpinionSettings()
    illness: IllnessSettings = IllnessSettings()

    @property
    def are_on(self) -> bool:
        """Return True if a process is switched on."""
        return bool(self.opinion.statement or self.illness.name)
