"""Reasons of a resident's own to reconsider the rest of the day."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.memory.concept import Concept
from hometown.prompt.second_thoughts import RECONSIDER
from hometown.world.effects import ReasonArose


def give_reason(mind: Mind, memory: Concept, cause: str) -> None:
    """Make a memory a reason to reconsider the rest of the day.

    Nothing happens without the faculty to plan, or with a model that plans near habit.
    """
    if mind.settings.faculties.plan and not mind.is_near_habit(RECONSIDER.kind):
        mind.do(ReasonArose(mind.who, memory.id), cause)
