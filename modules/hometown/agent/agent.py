"""One step of a resident's thinking: perceive, plan, react, decide."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.acting.act import decide
from hometown.agent.acting.approach import conclude_approach
from hometown.agent.acting.countermeasures import finish_measure
from hometown.agent.acting.note_leaving import read_notes
from hometown.agent.acting.pressing_matters import may_have_to_respond
from hometown.agent.acting.respond import break_off_conversation, respond
from hometown.agent.inner_life.sleep import consolidate
from hometown.agent.mind import Mind
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.agent.perception.happening_events import is_amid_alarm
from hometown.agent.perception.perceive import notice, notice_while_asleep, remember_events
from hometown.agent.planning.changed_occasions import learn_of_changes, notice_missing_host
from hometown.agent.planning.day_plan import is_before_dawn, is_new_day, plan_day
from hometown.agent.planning.falling_ill import remember_falling_ill
from hometown.agent.planning.looking_back import look_back_on_occasions
from hometown.agent.planning.lost_rooms import remember_lost_rooms
from hometown.agent.planning.reconsider import raise_due_intentions, reconsider
from hometown.agent.planning.wish_pursuit import follow_wishes
from hometown.agent.working.society_plugin import society_in
from hometown.agent.working.upkeep import complete_repairs
from hometown.memory.event import Event


async def think(mind: Mind) -> Intent:
    """Perceive, plan the day if it is new, and choose the next action. Sleepers notice only loud
    events. They plan a new date shortly before they usually get up. Residents in a conversation go
    on with it unless an event is grave, and urgent events are responded to before anything else is
    decided.

    Returns:
        The intention of the resident for this step. Effects and calls are kept in `mind`.
    """
    society = society_in(mind.world)
    await follow_wishes(mind)
    raise_due_intentions(mind)
    await look_back_on_occasions(mind)
    await learn_of_changes(mind)
    await notice_missing_host(mind)
    await remember_lost_rooms(mind)
    await remember_falling_ill(mind)
    if is_new_day(mind):
        if is_before_dawn(mind) and not _is_woken(mind):
            return GO_ON
        await plan_day(mind)
    asleep = sleeps_on(mind)
    noticed = notice_while_asleep(mind) if asleep else []
    if asleep and not noticed:
        return GO_ON
    if mind.state.is_asleep(mind.who):
        await consolidate(mind)
        await society.look_outside(mind)
    if not asleep:
        noticed = notice(mind)
    await society.remember_outcomes(mind)
    if mind.state.talking(mind.who) and not break_off_conversation(mind, noticed):
        await remember_events(mind, noticed)
        return GO_ON
    if not asleep:
        complete_repairs(mind)
        finish_measure(mind)
        await read_notes(mind)
        if mind.state.voices(mind.who) or not _is_pressed(mind, noticed):
            await reconsider(mind)
        await conclude_approach(mind)
    if not mind.state.is_helpless(mind.who) and may_have_to_respond(mind, noticed):
        return await respond(mind, noticed)
    return await decide(mind, noticed)


def _is_woken(mind: Mind) -> bool:
    """Return True if a sleeper notices something, or is kept awake."""
    return bool(notice_while_asleep(mind)) or society_in(mind.world).is_kept_awake(mind)


def _is_pressed(mind: Mind, noticed: Sequence[Event]) -> bool:
    """Return True while an alarm or another urgent matter comes before thoughts about the day."""
    return is_amid_alarm(mind) or may_have_to_respond(mind, noticed)


def sleeps_on(mind: Mind) -> bool:
    """Return True for sleepers, unless kept awake, whose day is not planned yet, whose schedule
    says sleep, or who are exhausted.
    """
    society = society_in(mind.world)
    if not mind.state.is_asleep(mind.who) or society.is_kept_awake(mind):
        return False
    return (
        is_new_day(mind)
        or mind.state.schedule(mind.who).at(mind.minute).kind == "sleep"
        or society.is_exhausted(mind)
    )
