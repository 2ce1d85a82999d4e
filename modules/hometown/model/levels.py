"""Levels of detail: the assignment of models to residents, so that a large model is spent on the
residents that matter.

The run's model plays the cast, a smaller one the other residents, and rules the background. In a
conversation the best model of any participant plays all of them, so that residents who talk with
the cast are worth talking to.
"""

from __future__ import annotations

from collections.abc import Sequence

from hometown.model.routing import usual_name
from hometown.settings import Detail

SCRIPTED = "scripted"

RECORDED = "recorded"
"""Stands for the model of a recorded town, whose replies no model on this machine wrote."""

CAST, OTHERS, BACKGROUND = range(3)
"""The levels, best first."""


def best_level(detail: Detail, people: Sequence[str]) -> int:
    """Return the best (lowest) level among some residents, given by id; that of the cast for none.

    >>> detail = Detail(cast=["ann"], others="ollama:qwen3:1.7b", background=["cy"])
    >>> best_level(detail, ["ann"]), best_level(detail, ["bo"]), best_level(detail, ["cy"]), best_level(detail, ["cy", "bo"]), best_level(detail, ["cy", "ann"])
    (0, 1, 2, 1, 0)
    """
    return min((_level(detail, who) for who in people), default=CAST)


def played_by(detail: Detail, llm: str, who: str) -> str:
    """Return the name of the model that plays a resident outside of conversations, in a run on the
    model `llm`.

    >>> played_by(Detail(background=["cy"]), "ollama:qwen3:8b with place=ollama:a", "cy"), played_by(Detail(), "ollama:qwen3:8b", "cy")
    ('scripted', 'ollama:qwen3:8b')
    """
    return (usual_name(llm), detail.others, SCRIPTED)[_level(detail, who)]


def _level(detail: Detail, who: str) -> int:
    """Return the level of a resident. Without a model for the others, all but the background are
    the cast.
    """
    if who in detail.background:
        return BACKGROUND
    return OTHERS if detail.others and who not in detail.cast else CAST
