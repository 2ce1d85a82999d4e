"""One resident's thinking in one step, faculty by faculty."""

from __future__ import annotations

from hometown.agent.act import decide
from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind
from hometown.agent.perceive import notice, take_in
from hometown.agent.plan import is_new_day, plan_day
from hometown.agent.reconsider import reconsider
from hometown.agent.reflect import reflect


async def think(mind: Mind) -> Intent:
    """Perceives, plans and decides what to do. A sleeper neither perceives nor remembers; only a new date is planned for it."""
    if is_new_day(mind):
        await plan_day(mind)
    if sleeps_on(mind):
        return GO_ON
    noticed = notice(mind)
    if mind.state.talking(mind.who):
        await take_in(mind, noticed)
        return GO_ON
    await reconsider(mind)
    return await decide(mind, noticed)


async def reflect_awake(mind: Mind) -> None:
    """Reflects on what it has perceived, unless it sleeps or can't."""
    if mind.settings.faculties.reflect and not sleeps_on(mind):
        await reflect(mind)


def sleeps_on(mind: Mind) -> bool:
    """Asleep, and the schedule says that it stays so."""
    return mind.state.asleep(mind.who) and mind.state.schedule(mind.who).at(mind.minute).kind == "sleep"
