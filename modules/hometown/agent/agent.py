"""One resident's thinking in one step, faculty by faculty."""

from __future__ import annotations

from hometown.agent.act import decide
from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind
from hometown.agent.occasions import look_back
from hometown.agent.perceive import notice, rousing, take_in
from hometown.agent.plan import before_dawn, is_new_day, plan_day
from hometown.agent.reconsider import reconsider
from hometown.agent.respond import breaks_off, respond, stirred
from hometown.agent.sleep import consolidate
from hometown.agent.upkeep import finish
from hometown.agent.weather import look_outside
from hometown.agent.work import exhausted, kept_awake, look_back_on_work


async def think(mind: Mind) -> Intent:
    """Perceives, plans and decides what to do. A sleeper perceives only what wakes it; it plans a
    new date when it is about to wake.
    """
    await look_back(mind)
    if is_new_day(mind):
        if before_dawn(mind) and not rousing(mind) and not kept_awake(mind):
            return GO_ON
        await plan_day(mind)
    asleep = sleeps_on(mind)
    if mind.state.is_asleep(mind.who) and not asleep:
        await consolidate(mind)
        await look_outside(mind)
    noticed = rousing(mind) if asleep else notice(mind)
    if asleep and not noticed:
        return GO_ON
    await look_back_on_work(mind)
    if mind.state.talking(mind.who) and not breaks_off(mind, noticed):
        await take_in(mind, noticed)
        return GO_ON
    if not asleep:
        finish(mind)
        await reconsider(mind)
    if not mind.state.is_helpless(mind.who) and stirred(mind, noticed):
        return await respond(mind, noticed)
    return await decide(mind, noticed)


def sleeps_on(mind: Mind) -> bool:
    """Asleep, and the schedule, or night, or the body, says that it stays so."""
    if not mind.state.is_asleep(mind.who) or kept_awake(mind):
        return False
    return (
        is_new_day(mind)
        or mind.state.schedule(mind.who).at(mind.minute).kind == "sleep"
        or exhausted(mind)
    )
