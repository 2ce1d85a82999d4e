"""Upkeep: repairs that are completed, and disorder that residents tidy in passing."""

from __future__ import annotations

from datetime import timedelta

from hometown.agent.mind import Mind
from hometown.agent.mind.intent import Intent
from hometown.agent.perception.concern import is_in_own_house
from hometown.clock import DAY
from hometown.memory.action import Action
from hometown.memory.schedule import PlacedTask, Task
from hometown.world.effects import TasksSet
from hometown.world.incidents import ConditionSet
from hometown.world.recipes import may_use

LATE_START_TOLERANCE = timedelta(minutes=1)
"""Time by which work may end early and still be complete, since the way to it may delay its start.
"""

TIDYING_PROBABILITY = 0.3
"""Probability that a resident tidies disorder seen at home or at work before going on."""


def complete_repairs(mind: Mind) -> None:
    """End the condition of a thing that the resident's finished action puts right.

    Work that was broken off changes nothing.
    """
    address, action = mind.state.body(mind.who).using, mind.state.action(mind.who)
    condition = mind.state.condition(address) if address else ""
    if (
        condition
        and action.over(mind.now + LATE_START_TOLERANCE)
        and mind.world.condition_kind(address, condition).rights(action.activity)
    ):
        mind.do(ConditionSet(address, ""), "rule:put_right")


def choose_chore(mind: Mind, task: Task) -> Intent | None:
    """Return the intent to tidy disorder in sight before the task that is due, and put it among the
    tasks; None if there is none, or by chance (`TIDYING_PROBABILITY`).
    """
    address = _find_disorder(mind)
    if not address or mind.rng("chore").random() >= TIDYING_PROBABILITY:
        return None
    kind = mind.world.condition_kind(address, mind.state.condition(address))
    activity = kind.remedy.replace("{thing}", mind.world.name_of(address))
    end = min(mind.minute + kind.minutes, task.end, DAY)
    doing = PlacedTask(mind.minute, end, activity, "doing", address=address, emoji="🧹")
    mind.do(TasksSet(mind.who, mind.state.tasks(mind.who).splice(doing, 1)), "rule:chore")
    return Intent(
        Action(
            "act",
            activity,
            address,
            end - mind.minute,
            "🧹",
            mind.words.say("in_use", name=mind.me.name),
        ),
        cause="rule:chore",
    )


def _find_disorder(mind: Mind) -> str:
    """Return the address of the nearest disorderly thing of one's own that is free; "" for none."""
    if not is_in_own_house(mind, mind.arena):
        return ""
    for _, thing in mind.scene.things(mind.who, mind.settings.percept.vision_r):
        condition = mind.state.condition(thing.address)
        if (
            condition
            and mind.world.condition_kind(thing.address, condition).dull
            and may_use(mind.world, mind.state, mind.who, thing.address)
        ):
            return thing.address
    return ""
