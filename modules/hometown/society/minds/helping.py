"""Illness and help: helpless residents lie still, ill ones rest, and others go to help."""

from __future__ import annotations

from datetime import timedelta

from hometown.agent.mind import Mind
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.memory.action import Action
from hometown.memory.schedule import Task
from hometown.society.aid import plan_aid
from hometown.society.arbiter import Choice, is_helping
from hometown.society.minds.errand_choice import begin_course, continue_work, make_search
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of
from hometown.world.carrying_out import out_of_town

LEAVE_AFTER = timedelta(days=2)
"""The time from the start of an ailment after which a helpless resident is fetched by relatives
from elsewhere.
"""

LYING_MINUTES = 60
"""Minutes for which a helpless resident lies still before the action is renewed."""


def leave_for_good(mind: Mind) -> Intent | None:
    """Return the intent to leave town of a resident who has lain helpless for `LEAVE_AFTER` without
    care, and decides everything for themselves. None for all others.
    """
    ailing = mind.state.ailment(mind.who)
    if (
        mind.settings.faculties.autopilot != "none"
        or ailing is None
        or not ailing.helpless
        or mind.now - ailing.since < LEAVE_AFTER
    ):
        return None
    leaving = out_of_town(mind.world.lang, mind.me.home, mind.now)
    return Intent(leaving, cause="rule:leaving")


def lie_helpless(mind: Mind) -> Intent | None:
    """Return the intent of a helpless resident: to lie still, or to go on if they lie already or
    are being cared for. None for all others.
    """
    if not mind.state.is_helpless(mind.who):
        return None
    action = mind.state.action(mind.who)
    lying = Action("act", _describe_lying(mind), mind.arena, LYING_MINUTES, "🤕", started=mind.now)
    is_lying = (
        action.activity == lying.activity
        and action.address == lying.address
        and not action.over(mind.now)
    )
    return GO_ON if is_lying or mind.state.job(mind.who) else Intent(lying, cause="rule:ailing")


def _describe_lying(mind: Mind) -> str:
    """Return the activity of a helpless resident, with its reason if known."""
    phrases, ailing = WorkPhrases(mind.world), mind.state.ailment(mind.who)
    why = ailing.why if ailing else ""
    if why in phrases.book.recipes:
        return phrases.say("helpless_recipe", doing=phrases.recipe(phrases.book.recipes[why]))
    if why in phrases.book.needs:
        return phrases.say("helpless_need", need=phrases.book.needs[why].name[phrases.lang])
    return phrases.say("helpless")


def help_helpless(mind: Mind) -> Intent | None:
    """Return the intent to help a helpless resident, or to continue to; None if the resident knows
    of none whom they can help.
    """
    society = society_of(mind)
    if not society.book.care or mind.settings.faculties.autopilot != "full":
        return None
    if is_helping(society, mind.who):
        return continue_work(mind)
    if not mind.scene.helpless:
        return None
    plan = plan_aid(make_search(mind, society), mind.arena, helpless=True)
    return begin_course(mind, society, Choice("", plan), "rule:care") if plan else None


def rest_while_ill(mind: Mind, task: Task) -> tuple[Task, str] | None:
    """Return rest in place of a task, and the home as its address, for an ill resident; None for
    others.
    """
    is_decided = mind.settings.faculties.autopilot != "full"
    if is_decided or mind.state.ailment(mind.who) is None:
        return None
    return Task(task.start, task.end, WorkPhrases(mind.world).say("ailing")), mind.me.home
