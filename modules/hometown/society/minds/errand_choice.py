"""Choice of errands in a town with a society: needs, duties and planned work.

Rules decide what is possible; the resident's plan decides between possibilities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import takewhile
from typing import Literal

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.agent.planning.habits import MEAL_THEMES
from hometown.agent.working.bedtime import go_to_bed
from hometown.clock import at_minute
from hometown.memory.action import Action
from hometown.memory.schedule import MeantTask, Task, planned_room
from hometown.society.arbiter import (
    Choice,
    choose_duty,
    choose_need,
    choose_reflex,
    has_no_need_for,
    is_rested,
    is_roused,
    is_supplied_by,
    should_interrupt,
)
from hometown.society.errand_plan import ErrandPlan
from hometown.society.errands import FAILED, adopt_choice, believed_site, is_done_by_partner
from hometown.society.jobs import leave_work
from hometown.society.knowledge import view_as
from hometown.society.minds.later_work import remember_to_return
from hometown.society.minds.outcome_appraisal import appraise_outcome
from hometown.society.planner import Planner
from hometown.society.society_view import SocietyView
from hometown.society.verb_rules import VERB_RULES, plan_errand
from hometown.society.worded_errands import (
    count_minutes,
    follow_words,
    lacks_goods,
    seems_possible,
    tick_off,
)
from hometown.society.work_phrasing import WorkPhrases
from hometown.society.work_step import society_of, view_society
from hometown.world.activities import themes_of
from hometown.world.effects import Effect, TasksSet
from hometown.world.labour import CourseSet, Errand, Job, Outcome, TakenIn, Verb
from hometown.world.recipes import may_use
from hometown.world.state import State
from hometown.world.world import World, arena_of

REFUSAL_POIGNANCY = 3
"""Poignancy of a refusal, which is worth telling."""

RESCUE_POIGNANCY = 7
"""Poignancy of a rescue for all who take part in or see it."""

WORK_CAUSE = "rule:work"
"""The cause of an action that is the work under way."""


def leave_current_work(world: World, state: State, who: str, intent: Intent) -> Iterator[Effect]:
    """Yield the effects of beginning another action: the current work is left, unless the action is
    that work, and planned errands are dropped unless the action is one of them.
    """
    job = state.job(who)
    if job and intent.cause != WORK_CAUSE:
        yield from leave_work(view_society(world, state), who, job)
    if state.errand_queue(who) and not intent.errand:
        yield CourseSet(who, ())


def is_kept_awake(mind: Mind) -> bool:
    """Return True if an urgent need wakes the resident or keeps them awake."""
    society, autopilot = society_of(mind), mind.settings.faculties.autopilot
    if autopilot == "none" or not is_roused(society, mind.who):
        return False
    search = make_search(mind, society)
    return autopilot == "full" or bool(
        choose_reflex(society, mind.who, mind.arena, search, "urgent")
    )


def is_exhausted(mind: Mind) -> bool:
    """Return True if a resident who went to bed out of need is not rested yet, whatever the
    schedule says.
    """
    society = society_of(mind)
    return mind.state.active_need(mind.who) in society.sleep_needs and not is_rested(
        society, mind.who
    )


async def remember_outcomes(mind: Mind) -> None:
    """Store the outcomes of recent errands as memories rated by rule, and apply the feelings they
    trigger; sleepers do so later.
    """
    outcomes = mind.state.recent_outcomes(mind.who)
    if not outcomes or mind.state.is_asleep(mind.who):
        return
    society, phrases = society_of(mind), WorkPhrases(mind.world)
    mind.do(TakenIn(mind.who), "rule:work")
    new: dict[str, NewMemory] = {}
    ratings: dict[str, int] = {}
    known = {
        memory.predicate: memory.id
        for memory in mind.state.memory(mind.who).recent(
            ("event",), mind.settings.associate.retention
        )
    }
    told = [(outcome, *phrases.outcome(outcome)) for outcome in outcomes]
    _tick_off_tasks(mind, outcomes)
    for outcome, predicate, text in told:
        if predicate not in known:
            new[predicate] = _memory_of(mind, society, outcome, predicate, text)
            ratings[predicate] = _poignancy(phrases, outcome)
    known |= {
        memory.predicate: memory.id
        for memory in await mind.remember([*new.values()], [*ratings.values()], "rule:work")
    }
    for outcome, predicate, _ in told:
        mind.feel(
            list(appraise_outcome(mind.world, mind.state, mind.who, outcome, known[predicate]))
        )
        if mind.settings.faculties.autopilot != "full":
            await remember_to_return(mind, outcome)


def _tick_off_tasks(mind: Mind, outcomes: Sequence[Outcome]) -> None:
    """Mark the tasks as done whose errands have succeeded, for a resident who follows their words."""
    assert mind.world.book is not None
    if mind.settings.faculties.autopilot == "full":
        return
    tasks = mind.state.tasks(mind.who)
    done = [outcome.errand for outcome in outcomes if not outcome.code]
    ticked = tick_off(mind.world.book, tasks, done)
    if ticked != tasks:
        mind.do(TasksSet(mind.who, ticked), WORK_CAUSE)


def _memory_of(
    mind: Mind, society: SocietyView, outcome: Outcome, predicate: str, text: str
) -> NewMemory:
    """Return an outcome as a new memory, with the other resident, or else the site, as its
    object.
    """
    other = outcome.errand.at if VERB_RULES[outcome.errand.verb].names_resident else outcome.partner
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


def _poignancy(phrases: WorkPhrases, outcome: Outcome) -> int:
    """Return the poignancy of remembering an outcome: of a rescue, of the recipe done or failed, of
    a refusal, or of the verb.
    """
    recipe = (
        phrases.book.recipes.get(outcome.errand.what) if outcome.errand.verb == Verb.DO else None
    )
    if "helpless" in dict(outcome.facts):
        return RESCUE_POIGNANCY
    if recipe and outcome.code in ("", FAILED):
        return recipe.part.poignancy
    return REFUSAL_POIGNANCY if outcome.code else VERB_RULES[outcome.errand.verb].poignancy


# what comes first --------------------------------------------------------------------------


def meet_urgent_need(mind: Mind) -> Intent | None:
    """Return the intent that meets an urgent need, or continues to; None if no need is urgent or
    nothing can be done.
    """
    if mind.settings.faculties.autopilot != "full":
        return _meet_by_reflex(mind, "urgent")
    society = society_of(mind)
    needs = society.needs_below(mind.who, "urgent")
    if not needs:
        return None
    search = make_search(mind, society)
    is_active = mind.state.active_need(mind.who) in needs
    stays = is_active and not should_interrupt(society, mind.who, mind.arena, search)
    if stays and (intent := continue_work(mind)):
        return intent
    choice = choose_need(society, mind.who, mind.arena, search)
    return _act_on_need(mind, society, choice) if choice and choice.need in needs else None


def is_working_together(mind: Mind) -> bool:
    """Return True during work of two residents, which the schedule does not interrupt."""
    job = mind.state.job(mind.who)
    return job is not None and bool(job.partner)


def ends_work_by(mind: Mind, minute: int) -> bool:
    """Return True if the resident is at work that ends by a minute of the day."""
    job = mind.state.job(mind.who)
    return job is not None and job.until <= at_minute(mind.now.date(), minute)


def continue_work(mind: Mind) -> Intent | None:
    """Return the intent to continue the current work or the next errand; None if there is neither,
    or if a meal has begun that the resident's own plan puts before the errand.
    """
    if job := mind.state.job(mind.who):
        return _go_on_working(mind, job)
    errands = _errands_left(mind)
    return (
        _go_to_errand(mind, errands[0], "rule:errand")
        if errands and not _is_called_to_meal(mind)
        else None
    )


def _errands_left(mind: Mind) -> Sequence[Errand]:
    """Return the planned errands. Those who follow their words drop the first if it fetches what the
    bag holds by now, such as goods handed over on the way.
    """
    errands = mind.state.errand_queue(mind.who)
    if mind.settings.faculties.autopilot == "full" or not errands:
        return errands
    first, *left = errands
    meant = [
        task
        for task in mind.state.tasks(mind.who).items
        if isinstance(task, MeantTask) and task.verb == Verb.TAKE and task.what == first.what
    ]
    if first.verb != Verb.TAKE or not meant:
        return errands
    search = make_search(mind, society_of(mind))
    if any(lacks_goods(search, task) for task in meant):
        return errands
    mind.do(CourseSet(mind.who, tuple(left)), WORK_CAUSE)
    return left


def _go_on_working(mind: Mind, job: Job) -> Intent:
    """Return the intent to go on with the current work, as whose action it is shown if it is not
    yet; work with or for another is shown by its own rules.
    """
    errand, action = Errand(Verb.DO, job.at, job.recipe), mind.state.action(mind.who)
    is_joint = bool(job.partner) or job.recipe in society_of(mind).book.carers
    if is_joint or action.activity == WorkPhrases(mind.world).doing(errand):
        return GO_ON
    minutes = -((mind.now - job.until) // timedelta(minutes=1))
    return _go_to_errand(mind, errand, WORK_CAUSE, minutes)


def _is_called_to_meal(mind: Mind) -> bool:
    """Return True if the present entry is a meal that has not begun, unless rules lead the resident
    or they do the errand to meet a need.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    return (
        mind.settings.faculties.autopilot != "full"
        and not mind.state.active_need(mind.who)
        and mind.state.tasks(mind.who).entry < entry.start
        and not MEAL_THEMES.isdisjoint(
            theme.key for theme in themes_of(entry.activity, mind.world.lang)
        )
    )


def meet_low_need(mind: Mind) -> Intent | None:
    """Return the intent that meets a low need between two tasks. If none can be met now, the active
    need is cleared, and None returned.
    """
    if mind.settings.faculties.autopilot != "full":
        return _meet_by_reflex(mind, "low")
    society = society_of(mind)
    choice = choose_need(society, mind.who, mind.arena, make_search(mind, society))
    if choice is None:
        for effect in adopt_choice(society, mind.who, Choice()):
            mind.do(effect, "rule:need")
    return _act_on_need(mind, society, choice) if choice else None


def _meet_by_reflex(mind: Mind, level: Literal["low", "urgent"]) -> Intent | None:
    """Return the intent to meet a need below a level with what is at hand, or to go on with it;
    None, and no active need, if there is none or residents have no reflexes.
    """
    society = society_of(mind)
    if mind.settings.faculties.autopilot == "none":
        return None
    if mind.state.active_need(mind.who) in society.needs_below(mind.who, level):
        if intent := continue_work(mind):
            return intent
    elif level == "urgent" and not society.needs_below(mind.who, level):
        return None
    search = make_search(mind, society)
    choice = choose_reflex(society, mind.who, mind.arena, search, level)
    if choice is None and level == "low":
        for effect in adopt_choice(society, mind.who, Choice()):
            mind.do(effect, "rule:need")
    return _act_on_need(mind, society, choice) if choice else None


def choose_errand(mind: Mind, task: Task) -> Intent | None:
    """Begin the errands of the planned task, or else of a duty, and return the intent to do the
    first; None if neither can be done. The duty comes first if it puts goods away, or if the task
    is needless; in an entry with an address there are no duties.
    """
    society = society_of(mind)
    search = make_search(mind, society)
    if mind.settings.faculties.autopilot != "full":
        return _follow_words(mind, society, search, task)
    is_called_away = bool(mind.state.schedule(mind.who).at(mind.minute).address)
    called = None if is_called_away else choose_duty(society, mind.who, mind.arena, search)
    meant = None
    # What is in the bag and wanted on a shelf is brought there before more is made.
    full_handed = called and called.errands[0].verb == Verb.PUT
    if (
        isinstance(task, MeantTask)
        and not full_handed
        and not _is_needless(search, mind.who, task, called)
    ):
        meant = plan_errand(search, Verb(task.verb), task.what, task.at, mind.arena)
    plan, cause = (meant, "rule:schedule") if meant else (called, "rule:duty")
    return begin_course(mind, society, Choice("", plan), cause) if plan else None


def _follow_words(mind: Mind, society: SocietyView, search: Planner, task: Task) -> Intent | None:
    """Begin the errands of a task and of those that follow it, as they are worded, or, where these
    seem impossible now, those of the whole row of errands once more. A row is tried at its beginning
    even if it seems impossible, and one of which some is done only if there is time for it again.
    None if there is nothing to do.
    """
    if not isinstance(task, MeantTask):
        return None
    end = mind.state.schedule(mind.who).at(mind.minute).end
    items = mind.state.tasks(mind.who).items
    at = items.index(task)
    rest = _leading_errands(items[at:])
    before = _leading_errands(items[at - 1 :: -1] if at else ())
    courses: list[tuple[Errand, ...]] = []
    for row in (rest, [*reversed(before), *rest]):
        course = tuple(follow_words(search, row, mind.arena, _planned_place(mind)))
        is_repeated = any(each.status == "done" and each.verb == Verb.DO for each in row)
        lasts = count_minutes(search, course, mind.arena) if is_repeated else 0
        if any(is_done_by_partner(society, mind.who, errand) for errand in course):
            return None
        if course and mind.minute + lasts <= end:
            courses.append(course)
    possible = [course for course in courses if seems_possible(search, course[0])]
    course = next(iter([*possible, *([] if before else courses)]), ())
    plan = ErrandPlan(course, mind.arena, 0)
    return begin_course(mind, society, Choice("", plan), "rule:schedule") if course else None


def _planned_place(mind: Mind) -> str:
    """Return the arena of the present entry, by its address or its plan; "" if it has neither."""
    entry = mind.state.schedule(mind.who).at(mind.minute)
    return arena_of(entry.address or planned_room(entry))


def _leading_errands(tasks: Sequence[Task]) -> list[MeantTask]:
    """Return the errands with which tasks begin."""
    return [
        task
        for task in takewhile(lambda each: isinstance(each, MeantTask), tasks)
        if isinstance(task, MeantTask)
    ]


def _is_needless(search: Planner, who: str, task: MeantTask, called: ErrandPlan | None) -> bool:
    """Return True if a planned task is pointless: a pastime before a duty or without need of it, or
    work whose products are in stock.
    """
    if search.society.is_pastime(task.what):
        recipes = search.society.book.families.get(task.what, ())
        return called is not None or has_no_need_for(search.society, who, recipes)
    return task.verb == Verb.DO and is_supplied_by(search.society, who, task.what)


# errands -----------------------------------------------------------------------------------


def make_search(mind: Mind, society: SocietyView) -> Planner:
    """Return the search for means, restricted to the resident's own knowledge."""
    return Planner(view_as(society, mind.who, mind.arena), mind.who, mind.world.walk_minutes)


def _act_on_need(mind: Mind, society: SocietyView, choice: Choice) -> Intent:
    """Begin to meet a need: make it the active one, and return the first errand for it, or the
    intent to go to bed if it needs no errand.
    """
    if choice.plan:
        return begin_course(mind, society, choice, "rule:need")
    for effect in adopt_choice(society, mind.who, choice):
        mind.do(effect, "rule:need")
    return go_to_bed(mind)


def begin_course(mind: Mind, society: SocietyView, choice: Choice, cause: str) -> Intent:
    """Set the errands of a choice and return the intent to begin the first."""
    for effect in adopt_choice(society, mind.who, choice):
        mind.do(effect, cause)
    return _go_to_errand(mind, mind.state.errand_queue(mind.who)[0], cause)


def _go_to_errand(mind: Mind, errand: Errand, cause: str, left: int = 0) -> Intent:
    """Return the intent to go to the site of an errand and stay for its duration, or for the
    minutes that are `left` of it; `GO_ON` if the resident already does. What can be done anywhere,
    and meets no need that presses, is done where the plan says. Where the thing there is in use, an
    errand other than work needs only its room.
    """
    book = mind.world.book
    action = mind.state.action(mind.who)
    phrases = WorkPhrases(mind.world)
    activity = phrases.doing(errand)
    assert book is not None
    lasts = book.recipes[errand.what].minutes if VERB_RULES[errand.verb].takes_time else 1
    is_free = not errand.at and not mind.state.active_need(mind.who) and cause != WORK_CAUSE
    planned = _planned_place(mind) if is_free else ""
    address = believed_site(society_of(mind), mind.who, errand) or planned or mind.arena
    if (
        (errand.verb != Verb.DO or cause == WORK_CAUSE)
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
        left or lasts,
        phrases.emoji(errand),
        state,
        started=None if errand.at or address != mind.arena else mind.now,
    )
    return Intent(going, cause=cause, errand=True)
