"""Ablation by access: the part of a resident's knowledge on which answers may rest (Park et al.
2023, §6.1).

All conditions answer from the same state of the same run; only the content of the prompt differs. A
resident's initial memories count as observed, whatever their type: otherwise a host would not know
of her own party.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from hometown.memory.overlay import Overlay
from hometown.prompt.prompt import Situation
from hometown.world.persona import Persona

if TYPE_CHECKING:  # these take long to import, and the names of conditions do not
    from hometown.agent.mind import Mind
    from hometown.memory.concept import Concept
    from hometown.memory.stream import MemoryStream

AccessCondition = Literal["full", "no-reflection", "no-plan", "none"]
"""full: everything. no-reflection: without thoughts that rest on other memories, and with the
original `currently`, since later ones are derived from reflections. no-plan: also without plans,
schedule, agreements, the present activity, and what may tell of them. none: only name, age,
character, place and time.
"""

CONDITIONS: tuple[AccessCondition, ...] = get_args(AccessCondition)

NOTHING = "–"
"""Placeholder for a line of the persona that is left out."""


def restrict(mind: Mind, condition: AccessCondition) -> None:
    """Remove the memories that a condition leaves out, live or retired, from the mind's private
    view.
    """
    memory = mind.state.memory(mind.who)
    _hide(memory, mind.me, condition)
    if memory.cold is not None:
        memory.cold = Overlay(memory.cold)  # the retired memories are those of the shared state
        _hide(memory.cold, mind.me, condition)


def may_plan(condition: AccessCondition) -> bool:
    """Return True if the prompt may contain the schedule and the agreements."""
    return condition in ("full", "no-reflection")


def situation_under(mind: Mind, condition: AccessCondition) -> Situation:
    """Return the part of the resident's situation that a condition allows in the prompt: all of it
    ("full"), all but later versions of `currently` ("no-reflection"), of that nothing that tells of
    plans or agreements ("no-plan"), or only name, age, character, place and time ("none").
    """
    situation, me = mind.situation, mind.me
    if condition == "full":
        return situation
    if condition == "none":
        return Situation(
            me=_describe_only_character(me),
            currently=NOTHING,
            now=situation.now,
            where=situation.where,
            doing=NOTHING,
            names=((me.id, me.name),),
            lang=situation.lang,
            plain=situation.plain,
        )
    situation, seen = replace(situation, currently=me.currently), mind.circumstances
    if may_plan(condition):
        return situation
    # The last words of a talk may hold an agreement, and what goes on around may be a gathering.
    return replace(
        situation,
        doing=NOTHING,
        within="",
        usual="",
        lately="",
        gathered="",
        around=(*seen.describe_happenings(), *seen.describe_processes()),
    )


def _describe_only_character(me: Persona) -> Persona:
    """Return a persona with nothing but name, age and character."""
    return Persona(
        id=me.id,
        name=me.name,
        age=me.age,
        occupation=NOTHING,
        innate=me.innate,
        learned=NOTHING,
        lifestyle=NOTHING,
        currently=NOTHING,
        daily_plan=NOTHING,
        wake=me.wake,
        bed=me.bed,
        home="",
        sleeps="",
        pronouns=me.pronouns,
        candour=me.candour,
    )


def _hide(memory: MemoryStream, me: Persona, condition: AccessCondition) -> None:
    """Take the memories that a condition leaves out of a stream."""
    memory.retire(
        [
            number
            for number, concept in memory.concepts.items()
            if not _may_see(me, concept, condition)
        ]
    )


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
