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
    from hometown.bench.trying import TriedModel
    from hometown.doctor.diagnosis import Diagnosis, diagnose, diagnose_async
    from hometown.errors import BadInput, BadRun, BadWorld, HometownError, ModelUnavailable
    from hometown.league_interface import League, LeagueReport
    from hometown.model.recommended import Recommended as RecommendedModel
    from hometown.model_interface import (
        fetch_model,
        fetch_model_async,
        recommended_models,
        try_model,
        try_model_async,
    )
    from hometown.reading import Run, recorded_towns, runs
    from hometown.repair import Recovery, Soundness
    from hometown.run_records import AnswerRecord as Answer
    from hometown.run_records import BeliefRecord as Belief
    from hometown.run_records import ConversationRecord as Conversation
    from hometown.run_records import DecisionRecord as Decision
    from hometown.run_records import JudgedAnswerRecord as JudgedAnswer
    from hometown.run_records import Memory, Resident, Retrieved
    from hometown.run_records import ReasonRecord as Reason
    from hometown.storage.recordings import Recording
    from hometown.study_interface import Study, StudyReport
    from hometown.town import Step, Town
    from hometown.upkeep_interface import (
        Verification,
        check_run,
        check_run_async,
        repair_run,
        repair_run_async,
    )
    from hometown.visit_interface import Visit
    from hometown.world.interventions import Intervention
    from hometown.world_interface import WorldFolder, WorldProblem, worlds

_PUBLIC = {
    "backends": "register_backend=register",
    "bench.trying": "TriedModel",
    "doctor.diagnosis": "Diagnosis diagnose diagnose_async",
    "errors": "BadInput BadRun BadWorld HometownError ModelUnavailable",
    "league_interface": "League LeagueReport",
    "model.recommended": "RecommendedModel=Recommended",
    "model_interface": "fetch_model fetch_model_async recommended_models try_model try_model_async",
    "reading": "Run recorded_towns runs",
    "repair": "Recovery Soundness",
    "run_records": (
        "Answer=AnswerRecord Belief=BeliefRecord Conversation=ConversationRecord "
        "Decision=DecisionRecord JudgedAnswer=JudgedAnswerRecord Memory Reason=ReasonRecord "
        "Resident Retrieved"
    ),
    "storage.recordings": "Recording",
    "study_interface": "Study StudyReport",
    "town": "Step Town",
    "upkeep_interface": "Verification check_run check_run_async repair_run repair_run_async",
    "visit_interface": "Visit",
    "world.interventions": "Intervention",
    "world_interface": "WorldFolder WorldProblem worlds",
}
"""The public names by their modules, in which some have another name."""

_HOMES = {
    public: (module, name or public)
    for module, names in _PUBLIC.items()
    for public, _, name in (each.partition("=") for each in names.split())
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
    "League",
    "LeagueReport",
    "Memory",
    "ModelUnavailable",
    "Reason",
    "RecommendedModel",
    "Recording",
    "Recovery",
    "Resident",
    "Retrieved",
    "Run",
    "Soundness",
    "Step",
    "Study",
    "StudyReport",
    "Town",
    "TriedModel",
    "Verification",
    "Visit",
    "WorldFolder",
    "WorldProblem",
    "check_run",
    "check_run_async",
    "diagnose",
    "diagnose_async",
    "fetch_model",
    "fetch_model_async",
    "recommended_models",
    "recorded_towns",
    "register_backend",
    "repair_run",
    "repair_run_async",
    "runs",
    "try_model",
    "try_model_async",
    "worlds",
]


def __getattr__(name: str) -> Any:
    """Import the interface on first use, so that `hometown --help` need not wait for it. Raises
    AttributeError for any other name.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(f"{__name__}.{module}"), attribute)
