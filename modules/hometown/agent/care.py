"""Who is helpless lies there, who ails spares itself, and who sees somebody helpless goes to help."""

from __future__ import annotations

from dataclasses import replace

from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind
from hometown.agent.telling import Telling
from hometown.agent.work import begin_course, looking_for_means, under_way
from hometown.memory.action import Action
from hometown.memory.schedule import Task
from hometown.society.aid import plan_aid
from hometown.society.arbiter import Choice, is_helping

LIES = 60
"""Minutes for which somebody who is helpless means to lie there, again and again."""


def laid_low(mind: Mind) -> Intent | None:
    """Whoever is helpless lies where it is; None for anybody else."""
    if mind.society is None or not mind.state.is_helpless(mind.who):
        return None
    action, lying = (
        mind.state.action(mind.who),
        Action("act", _lying(mind), mind.arena, LIES, "🤕", started=mind.now),
    )
    same = (
        action.activity == lying.activity
        and action.address == lying.address
        and not action.over(mind.now)
    )
    return GO_ON if same or mind.state.job(mind.who) else Intent(lying, cause="rule:ailing")


def _lying(mind: Mind) -> str:
    telling, ailing = Telling(mind.world), mind.state.ailment(mind.who)
    why = ailing.why if ailing else ""
    if why in telling.book.recipes:
        return telling.say("helpless_recipe", doing=telling.recipe(telling.book.recipes[why]))
    if why in telling.book.needs:
        return telling.say("helpless_need", need=telling.book.needs[why].name[telling.lang])
    return telling.say("helpless")


def succour(mind: Mind) -> Intent | None:
    """What somebody does who knows of somebody helpless, or is helping already; None if it knows of
    nobody, or can do nothing.
    """
    society = mind.society
    if society is None or not society.book.care:
        return None
    if is_helping(society, mind.who):
        return under_way(mind)
    if not mind.scene.helpless:
        return None
    plan = plan_aid(looking_for_means(mind, society), mind.arena, helpless=True)
    return begin_course(mind, society, Choice("", plan), "rule:care") if plan else None


def sparing_itself(mind: Mind, task: Task) -> tuple[Task, str] | None:
    """What somebody who ails does instead of a task, and where: it rests at home. None for anybody
    else.
    """
    if mind.world.book is None or mind.state.ailment(mind.who) is None:
        return None
    return replace(task, activity=Telling(mind.world).say("ailing")), mind.me.home
