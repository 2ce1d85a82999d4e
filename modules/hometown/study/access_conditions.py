"""Ablation by access: the part of a resident's knowledge on which answers may rest (Park et al.
2023, §6.1).

All conditions answer from the same state of the same run; only the content of the prompt differs. A
resident's initial memories count as observed, whatever their type: otherwise a host would not know
of her own party.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:  # these take long to import, and the names of conditions do not
    from hometown.agent.mind import Mind
    from hometown.memory.concept import Concept
    from hometown.prompt.prompt import Situation
    from hometown.world.persona import Persona

AccessCondition = Literal["full", "no-reflection", "no-plan", "none"]
"""full: everything. no-reflection: without thoughts that rest on other memories, and with the
original `currently`, since later ones are derived from reflections. no-plan: also without plans,
schedule and agreements. none: only name, age, character, place and time.
"""

CONDITIONS: tuple[AccessCondition, ...] = get_args(AccessCondition)

NOTHING = "–"
"""Placeholder for a line of the persona that is left out."""


def restrict(mind: Mind, condition: AccessCondition) -> None:
    """Remove the memories that a condition leaves out from the mind's private view."""
    memory = mind.state.memory(mind.who)
    memory.retire(
        [
            concept.id
            for concept in memory.concepts.values()
            if not _may_see(mind.me, concept, condition)
        ]
    )


def may_plan(condition: AccessCondition) -> bool:
    """Return True if the prompt may contain the schedule and the agreements."""
    return condition in ("full", "no-reflection")


def situation_under(mind: Mind, condition: AccessCondition) -> Situation:
    """Return the part of the resident's situation that a condition allows in the prompt: all of it
    ("full"), all but later versions of `currently`, or only name, age, character, place and time
    ("none").
    """
    situation, me = mind.situation, mind.me
    if condition == "none":
        blank = replace(
            me,
            occupation=NOTHING,
            learned=NOTHING,
            lifestyle=NOTHING,
            daily_plan=NOTHING,
            interests=(),
            relations={},
            closeness={},
            habits=(),
        )
        return replace(
            situation, me=blank, currently=NOTHING, doing=NOTHING, names=((me.id, me.name),)
        )
    return situation if condition == "full" else replace(situation, currently=me.currently)


def _may_see(me: Persona, memory: Concept, condition: AccessCondition) -> bool:
    """Return True if a condition lets a resident see a memory: "full" all; "none" none; the two between
    them each initial memory and whatever is not derived from others, "no-plan" without plans.
    """
    if condition == "full" or (me.began_with(memory.id) and condition != "none"):
        return True
    is_reflection = memory.type in ("thought", "plan") and bool(memory.evidence)
    return (
        condition != "none"
        and not is_reflection
        and (memory.type != "plan" or condition == "no-reflection")
    )
