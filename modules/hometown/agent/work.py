"""Work and needs, in a town with a society: which errands a resident runs, and what it remembers of
them. The rules decide what is possible.
"""

from __future__ import annotations

from collections.abc import Iterator

from hometown.agent.bedtime import go_to_bed
from hometown.agent.intent import GO_ON, Intent
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.telling import Telling
from hometown.memory.action import Action
from hometown.memory.schedule import MeantTask, Task
from hometown.society.appraisal import appraise_outcome
from hometown.society.arbiter import (
    Choice,
    choose_duty,
    choose_need,
    has_no_need_for,
    is_rested,
    is_roused,
    is_supplied_by,
    should_interrupt,
    urgent_needs,
)
from hometown.society.errands import FAILED, adopt_choice, believed_site
from hometown.society.jobs import leave_work
from hometown.society.knowledge import view_as
from hometown.society.planner import ErrandPlan, Planner
from hometown.society.society_view import SocietyView
from hometown.society.verb_rules import VERB_RULES, plan_errand
from hometown.society.work_step import view_society
from hometown.world.effects import Effect
from hometown.world.labour import CourseSet, Errand, Outcome, TakenIn, Verb
from hometown.world.recipes import may_use
from hometown.world.state import State
from hometown.world.world import World, arena_of

REFUSED = 3
"""Poignancy of what could not be done: worth telling."""

RESCUED = 7
"""Poignancy of being saved, of having saved somebody, and of having seen it."""


def turn_to(world: World, state: State, who: str, intent: Intent) -> Iterator[Effect]:
    """Whoever begins an action leaves its work, and, unless that is one of its errands, all that it
    was about to do.
    """
    society, deed = view_society(world, state), state.job(who)
    if society and deed:
        yield from leave_work(society, who, deed)
    if society and state.errand_queue(who) and not intent.errand:
        yield CourseSet(who, ())


def kept_awake(mind: Mind) -> bool:
    """Whether a need wakes a sleeper, and keeps it from going on to sleep."""
    society = mind.society
    return society is not None and is_roused(society, mind.who)


def exhausted(mind: Mind) -> bool:
    """Whether somebody who has gone to bed because it had to sleeps on, whatever its schedule says."""
    society = mind.society
    return (
        society is not None
        and mind.state.active_need(mind.who) in society.sleep_needs
        and not is_rested(society, mind.who)
    )


async def look_back_on_work(mind: Mind) -> None:
    """What came of the last errands becomes memories, rated by rule: what a recipe means to who has
    done it, or that something could not be done.
    """
    society = mind.society
    if (
        society is None
        or not (outcomes := mind.state.recent_outcomes(mind.who))
        or mind.state.is_asleep(mind.who)
    ):
        return
    telling = Telling(mind.world)
    mind.do(TakenIn(mind.who), "rule:work")
    new: dict[str, NewMemory] = {}
    ratings: dict[str, int] = {}
    known = {
        memory.predicate: memory.id
        for memory in mind.state.memory(mind.who).recent(
            ("event",), mind.settings.associate.retention
        )
    }
    told = [(outcome, *telling.outcome(outcome)) for outcome in outcomes]
    for outcome, predicate, text in told:
        if predicate not in known:
            new[predicate] = _memory_of(mind, society, outcome, predicate, text)
            ratings[predicate] = _poignancy(telling, outcome)
    known |= {
        memory.predicate: memory.id
        for memory in await mind.remember([*new.values()], [*ratings.values()], "rule:work")
    }
    for outcome, predicate, _ in told:
        mind.stir(
            list(appraise_outcome(mind.world, mind.state, mind.who, outcome, known[predicate]))
        )


def _memory_of(
    mind: Mind, society: SocietyView, outcome: Outcome, predicate: str, text: str
) -> NewMemory:
    other = (
        outcome.errand.at
        if VERB_RULES[outcome.errand.verb].names_resident
        else str(dict(outcome.facts).get("partner", ""))
    )
    site = "" if other else believed_site(society, mind.who, outcome.errand)
    address = arena_of(site) if site else mind.arena
    about = (mind.who, other) if other else (mind.who,)
    return NewMemory(
        "event",
        text.format(name=mind.me.name),
        mind.who,
        predicate,
        other or site,
        address,
        about=about,
    )


def _poignancy(telling: Telling, outcome: Outcome) -> int:
    recipe = (
        telling.book.recipes.get(outcome.errand.what) if outcome.errand.verb == Verb.DO else None
    )
    if "helpless" in dict(outcome.facts):
        return RESCUED
    if recipe and outcome.code in ("", FAILED):
        return recipe.part.poignancy
    return REFUSED if outcome.code else VERB_RULES[outcome.errand.verb].poignancy


# what comes first --------------------------------------------------------------------------


def pressed(mind: Mind) -> Intent | None:
    """What is done at once because a need is urgent; None if there is none, or nothing can be done
    about it.
    """
    society = mind.society
    needs = urgent_needs(society, mind.who) if society else []
    if society is None or not needs:
        return None
    search = looking_for_means(mind, society)
    stays = mind.state.active_need(mind.who) in needs and not should_interrupt(
        society, mind.who, mind.arena, search
    )
    if stays and (intent := under_way(mind)):
        return intent
    choice = choose_need(society, mind.who, mind.arena, search)
    return _see_to(mind, society, choice) if choice and choice.need in needs else None


def in_company(mind: Mind) -> bool:
    """Whether a resident is at something that two do together, which nothing on its plan
    interrupts.
    """
    deed = mind.state.job(mind.who) if mind.society else None
    return deed is not None and bool(deed.partner)


def under_way(mind: Mind) -> Intent | None:
    """Goes on with a deed, or with errands; None if there are none."""
    if mind.society is None:
        return None
    if mind.state.job(mind.who):
        return GO_ON
    errands = mind.state.errand_queue(mind.who)
    return _run(mind, errands[0], "rule:errand") if errands else None


def at_a_break(mind: Mind) -> Intent | None:
    """What somebody sees to now that it has finished something: a need that is low."""
    society = mind.society
    if society is None:
        return None
    choice = choose_need(society, mind.who, mind.arena, looking_for_means(mind, society))
    if choice is None:
        for effect in adopt_choice(society, mind.who, Choice()):
            mind.do(effect, "rule:need")
    return _see_to(mind, society, choice) if choice else None


def came_to_an_end(mind: Mind) -> bool:
    """Whether an errand is over since the resident has last thought, whatever its action says."""
    return bool(mind.context.snapshot.recent_outcomes(mind.who))


def to_work(mind: Mind, task: Task) -> Intent | None:
    """The errands that the task at hand means, or a duty; None if the task is nothing of the kind,
    and no duty can be seen to.
    """
    society = mind.society
    if society is None:
        return None
    search = looking_for_means(mind, society)
    called = choose_duty(society, mind.who, mind.arena, search)
    meant = None
    full_handed = (
        called and called.errands[0].verb == Verb.PUT
    )  # what is in the bag and wanted on a shelf is brought there before more is made
    if (
        isinstance(task, MeantTask)
        and not full_handed
        and not _needless(search, mind.who, task, called)
    ):
        meant = plan_errand(search, Verb(task.verb), task.what, task.at, mind.arena)
    plan, cause = (meant, "rule:schedule") if meant else (called, "rule:duty")
    return begin_course(mind, society, Choice("", plan), cause) if plan else None


def _needless(search: Planner, who: str, task: MeantTask, called: ErrandPlan | None) -> bool:
    """Whether an errand would do no good: a pastime while duty calls or without being in want of
    it, or work of whose fruits there are enough.
    """
    if search.society.is_pastime(task.what):
        return called is not None or has_no_need_for(search.society, who, task.what)
    return task.verb == Verb.DO and is_supplied_by(search.society, who, task.what)


# errands -----------------------------------------------------------------------------------


def looking_for_means(mind: Mind, society: SocietyView) -> Planner:
    """The search for means, as far as the resident knows how things stand."""
    return Planner(view_as(society, mind.who, mind.arena), mind.who, mind.world.walk_minutes)


def _see_to(mind: Mind, society: SocietyView, choice: Choice) -> Intent:
    """Sets out for what a need calls for, which is bed if there is no errand."""
    if choice.plan:
        return begin_course(mind, society, choice, "rule:need")
    for effect in adopt_choice(society, mind.who, choice):
        mind.do(effect, "rule:need")
    return go_to_bed(mind)


def begin_course(mind: Mind, society: SocietyView, choice: Choice, cause: str) -> Intent:
    """Sets out for the first errand of a plan."""
    for effect in adopt_choice(society, mind.who, choice):
        mind.do(effect, cause)
    return _run(mind, mind.state.errand_queue(mind.who)[0], cause)


def _run(mind: Mind, errand: Errand, cause: str) -> Intent:
    """Goes to where an errand is done, and stays there for it."""
    book, action, telling = mind.world.book, mind.state.action(mind.who), Telling(mind.world)
    activity = telling.doing(errand)
    assert book is not None
    minutes = book.recipes[errand.what].minutes if VERB_RULES[errand.verb].takes_time else 1
    society = mind.society
    address = (believed_site(society, mind.who, errand) if society else "") or mind.arena
    if (
        errand.verb != Verb.DO
        and address in mind.world.things
        and not may_use(mind.world, mind.state, mind.who, address)
    ):
        address = arena_of(address)
    if (action.activity, action.address) == (activity, address) and not mind.state.body(
        mind.who
    ).refused:
        return GO_ON
    state = mind.words.say("in_use", name=mind.me.name) if errand.at == address else ""
    going = Action(
        "act",
        activity,
        address,
        minutes,
        telling.emoji(errand),
        state,
        started=None if errand.at else mind.now,
    )
    return Intent(going, cause=cause, errand=True)
