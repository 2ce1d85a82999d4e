"""What one resident thinks in one step, faculty by faculty."""

from __future__ import annotations

from modules.agent.act import decide
from modules.agent.intent import GO_ON, Intent
from modules.agent.perceive import notice, take_in
from modules.agent.plan import is_new_day, plan_day
from modules.agent.reconsider import reconsider
from modules.agent.reflect import reflect
from modules.agent.thinking import Thinking


async def think(mind: Thinking) -> Intent:
    """From what is in sight to what to do. A sleeper neither perceives nor remembers; only a new date is planned for it."""
    if is_new_day(mind):
        await plan_day(mind)
    if sleeps_on(mind):
        return GO_ON
    noticed = notice(mind)
    if mind.state.talking(mind.who):
        await take_in(mind, noticed)
        intent = GO_ON
    else:
        await reconsider(mind)
        intent = await decide(mind, noticed)
    await reflect(mind)
    return intent


def sleeps_on(mind: Thinking) -> bool:
    """Asleep, and the schedule says that it stays so."""
    return mind.state.asleep(mind.who) and mind.state.schedule(mind.who).at(mind.minute).kind == "sleep"
