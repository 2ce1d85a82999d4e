"""Hometown: a town of generative agents who remember, plan, talk and reflect, on your own machine.

    import hometown

    with hometown.Town.create("spring", world="minitown", llm="scripted") as town:
        for step in town.live(hours=6):
            print(step.time, [resident.activity for resident in town.residents()])

What `__all__` lists is the public interface; docs/extending.md describes it. All else may change
from version to version.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from hometown.version import __version__ as __version__

if TYPE_CHECKING:
    from hometown.backends import register as register_backend
    from hometown.doctor.diagnosis import Diagnosis, diagnose, diagnose_async
    from hometown.errors import BadInput, BadRun, BadWorld, HometownError, ModelUnavailable
    from hometown.reading import Run, runs
    from hometown.repair import Recovery, Soundness
    from hometown.run_records import AnswerRecord as Answer
    from hometown.run_records import BeliefRecord as Belief
    from hometown.run_records import ConversationRecord as Conversation
    from hometown.run_records import DecisionRecord as Decision
    from hometown.run_records import JudgedAnswerRecord as JudgedAnswer
    from hometown.run_records import Memory, Resident, Retrieved
    from hometown.run_records import ReasonRecord as Reason
    from hometown.study_interface import Study, StudyReport
    from hometown.town import Step, Town
    from hometown.upkeep_interface import (
        Verification,
        check_run,
        check_run_async,
        repair_run,
        repair_run_async,
    )
    from hometown.world.interventions import Intervention
    from hometown.world_interface import WorldFolder, WorldProblem, worlds

_MODULES = {
    "register_backend": "backends.register",
    **{
        name: f"errors.{name}"
        for name in ("BadInput", "BadRun", "BadWorld", "HometownError", "ModelUnavailable")
    },
    **{
        name: f"run_records.{name}Record"
        for name in ("Answer", "Belief", "Conversation", "Decision", "JudgedAnswer", "Reason")
    },
    **{name: f"doctor.diagnosis.{name}" for name in ("Diagnosis", "diagnose", "diagnose_async")},
    **{name: f"run_records.{name}" for name in ("Memory", "Resident", "Retrieved")},
    **{name: f"reading.{name}" for name in ("Run", "runs")},
    **{name: f"repair.{name}" for name in ("Recovery", "Soundness")},
    **{name: f"study_interface.{name}" for name in ("Study", "StudyReport")},
    **{name: f"town.{name}" for name in ("Step", "Town")},
    **{
        name: f"upkeep_interface.{name}"
        for name in (
            "Verification",
            "check_run",
            "check_run_async",
            "repair_run",
            "repair_run_async",
        )
    },
    "Intervention": "world.interventions.Intervention",
    **{name: f"world_interface.{name}" for name in ("WorldFolder", "WorldProblem", "worlds")},
}

__all__ = [
    "Answer",
    "BadInput",
    "BadRun",
    "BadWorld",
    "Belief",
    "Conversation",
    "Decision",
    "Diagnosis",
    "HometownError",
    "Intervention",
    "JudgedAnswer",
    "Memory",
    "ModelUnavailable",
    "Reason",
    "Recovery",
    "Resident",
    "Retrieved",
    "Run",
    "Soundness",
    "Step",
    "Study",
    "StudyReport",
    "Town",
    "Verification",
    "WorldFolder",
    "WorldProblem",
    "check_run",
    "check_run_async",
    "diagnose",
    "diagnose_async",
    "register_backend",
    "repair_run",
    "repair_run_async",
    "runs",
    "worlds",
]


def __getattr__(name: str) -> Any:
    """Import the interface on first use, so that `hometown --help` need not wait for it. Raises
    AttributeError for any other name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _MODULES[name].rpartition(".")
    return getattr(import_module(f"{__name__}.{module}"), attribute)
