"""Going to bed."""

from __future__ import annotations

from hometown.agent.mind import Mind
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.memory.action import Action


def go_to_bed(mind: Mind) -> Intent:
    """Return the intent to sleep in one's own bed, or in one's room if the bed was refused and is not
    only in use by someone awake, until the entry ends; GO_ON if the resident is in bed or on the way.
    """
    goes_to_bed = mind.state.action(mind.who).kind == "sleep"
    refused = goes_to_bed and bool(mind.state.body(mind.who).refused)
    if goes_to_bed and not refused:
        return GO_ON
    minutes = mind.state.schedule(mind.who).at(mind.minute).end - mind.minute
    where = mind.me.home if refused and not _is_soon_free(mind) else mind.me.sleeps
    action = Action(
        "sleep",
        mind.words.say("sleeping"),
        where,
        minutes,
        "😴",
        mind.words.say("in_use", name=mind.me.name),
    )
    return Intent(action, cause="rule:bedtime")


def _is_soon_free(mind: Mind) -> bool:
    """Return True if someone who is awake uses the resident's bed, as to make it."""
    users = (who for who in mind.world.personas if mind.state.body(who).using == mind.me.sleeps)
    return any(not mind.state.is_asleep(who) for who in users)
