"""The tasks of an entry of the plan, with their places: planned when it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from hometown.agent.mind import Mind
from hometown.agent.mind.facing import is_own_routine
from hometown.agent.planning.entry_origins import REACTION_ORIGIN, REASON_ORIGIN
from hometown.agent.planning.habits import find_habit, usual_emoji
from hometown.agent.planning.known_rooms import (
    LikelyPlace,
    find_absent_keeper,
    find_named_people,
)
from hometown.agent.planning.occasion_entries import list_coming_moments
from hometown.agent.planning.place_choice import known_places, place_task, spots
from hometown.agent.planning.routines import is_recurring, reuse_tasks
from hometown.agent.working.society_plugin import society_in
from hometown.clock import at_minute, minute_of_day
from hometown.memory.schedule import (
    REMAINDER_MINUTES_MIN,
    CutEntry,
    DiscreetTask,
    Entry,
    PlacedTask,
    Task,
    Tasks,
    planned_room,
)
from hometown.prompt.plans import ACTIVITY
from hometown.prompt.tasks import (
    DECOMPOSE,
    NO_EMOJI,
    DecomposeReply,
    DecomposeVars,
    PlannedTask,
    Sought,
    Spot,
)
from hometown.prompt.wording import fitting
from hometown.world.effects import (
    Rescheduled,
    RoutineKept,
    TaskBegun,
    TasksClosed,
    TasksSet,
)

AS_USUAL = "rule:as_usual"
"""The cause of tasks that are reused from an earlier day."""


MOST_DONE = 4
"""Maximum number of acts done that a question for the tasks of an entry tells of."""

SPLIT_MINUTES_MIN, SPLIT_HABIT_MINUTES_MIN = 40, 60
"""Length from which an entry of the plan, and from which a habit, is split into tasks."""


def shortest_task_minutes(mind: Mind) -> int:
    """Return the minimum length of a task: a step, or `schedule.task_minutes` if longer."""
    return max(mind.settings.schedule.task_minutes, mind.moment.stride)


def give_up_visit(mind: Mind, entry: Entry) -> None:
    """Replace the rest of a visit by free time, since nobody was in."""
    rest = Entry(mind.minute, entry.end, mind.words.say("free_time"))
    schedule = mind.state.schedule(mind.who).splice(rest)
    mind.do(Rescheduled(mind.who, schedule, "door"), "rule:door")


async def begin_due_task(mind: Mind) -> Task:
    """Return the task that is due now and mark it as begun. An entry is decomposed into tasks when
    it begins, and the tasks of the entry before are closed.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    if _find_due_task(mind) is None:
        if mind.state.tasks(mind.who).items:
            mind.do(TasksClosed(mind.who, mind.minute), "rule:schedule")
        await _set_tasks(mind, replace(entry, start=mind.minute))
    tasks = mind.state.tasks(mind.who)
    if tasks.begin(mind.minute) is not tasks:
        mind.do(TaskBegun(mind.who, mind.minute), "rule:schedule")
    due = mind.state.tasks(mind.who).due(mind.minute)
    assert due is not None, f"the tasks of {entry} do not hold minute {mind.minute}"
    return due


def find_refusal(mind: Mind) -> str:
    """Return why the place that the resident has chosen for the task that is due was of no use; "" if
    it was of use, or was chosen for something else, which is no longer due.
    """
    due = _find_due_task(mind)
    is_for_task = due is not None and due.activity == mind.state.action(mind.who).activity
    return mind.state.body(mind.who).refused if is_for_task else ""


def _find_due_task(mind: Mind) -> Task | None:
    """Return the task that is due of the present entry; None if that has no tasks for now."""
    entry, tasks = mind.state.schedule(mind.who).at(mind.minute), mind.state.tasks(mind.who)
    return tasks.due(mind.minute) if entry.start <= tasks.entry < entry.end else None


async def _set_tasks(mind: Mind, entry: Entry) -> None:
    """Set tasks that cover an entry: a single one if it is short, a reaction, or has a place for a
    reason of the resident's own; else reused ones of an earlier day, or new ones, which a society
    or the model plans. Near habit, an entry without habitual steps stays whole.
    """
    shortest = shortest_task_minutes(mind)
    is_whole = entry.origin.startswith(REACTION_ORIGIN) or (
        entry.address and entry.origin.startswith(REASON_ORIGIN)
    )
    if is_whole or entry.end - entry.start < _shortest_split(mind, entry, shortest):
        mind.do(TasksSet(mind.who, Tasks(entry.start, (_as_one_task(mind, entry),))), "rule:short")
    elif usual := reuse_tasks(mind, entry, shortest):
        mind.do(TasksSet(mind.who, usual), AS_USUAL)
    elif mind.world.book:
        tasks, cause = await society_in(mind.world).plan_steps(
            mind, entry, _habitual_steps(mind, entry), shortest
        )
        _keep_tasks(mind, entry, tasks, cause)
    elif mind.is_near_habit(DECOMPOSE.kind) and not _habitual_steps(mind, entry):
        whole = Tasks(entry.start, (Task(entry.start, entry.end, entry.activity),))
        mind.do(TasksSet(mind.who, whole), "rule:habits")
    else:
        tasks, cause = await _decompose(mind, entry, shortest)
        _keep_tasks(mind, entry, tasks, cause)


def _shortest_split(mind: Mind, entry: Entry, shortest: int) -> int:
    """Return the length in minutes from which an entry is split into tasks: that of two tasks in a
    society, whose errands are tasks, and near habit; elsewhere longer, and longest for habits,
    which need no planning.
    """
    if mind.world.book or mind.is_near_habit(DECOMPOSE.kind):
        return 2 * shortest
    least = SPLIT_HABIT_MINUTES_MIN if find_habit(mind, entry.activity) else SPLIT_MINUTES_MIN
    return max(least, 2 * shortest)


def _as_one_task(mind: Mind, entry: Entry) -> Task:
    """Return an entry as a single task, at the place in the planned room that suits it best, or on
    the spot if no room is planned and it is too short for a way; without a place if it is longer,
    the entry has an address, or in a society.
    """
    task, room = Task(entry.start, entry.end, entry.activity), planned_room(entry)
    if entry.address or mind.world.book:
        return task
    if room:
        return place_task(mind, task, entry, known_places(mind, (room,)))
    is_scrap = entry.end - entry.start < REMAINDER_MINUTES_MIN
    if not is_scrap:
        return task
    return PlacedTask(task.start, task.end, task.activity, address=mind.arena, emoji=NO_EMOJI)


def _keep_tasks(mind: Mind, entry: Entry, tasks: Tasks, cause: str) -> None:
    """Set tasks, and keep them as a routine if the entry may recur."""
    mind.do(TasksSet(mind.who, tasks), cause)
    if is_recurring(mind, entry):
        mind.do(RoutineKept(mind.who, entry.activity, tasks), cause)


async def _decompose(mind: Mind, entry: Entry, shortest: int) -> tuple[Tasks, str]:
    """Ask the model for the tasks of an entry; return them and the reference of the call."""
    is_near_habit = mind.is_near_habit(DECOMPOSE.kind)
    steps = _habitual_steps(mind, entry) if is_near_habit else ()
    entries = mind.state.schedule(mind.who).entries
    at = entries.index(mind.state.schedule(mind.who).at(entry.start))
    before = entries[at - 1] if at else None
    after = entries[at + 1] if at + 1 < len(entries) else None
    room = planned_room(entry)
    people = find_named_people(mind, entry.activity)
    offered = (
        spots(mind, entry.activity, entry.activity, room, DECOMPOSE.kind)
        if mind.settings.thrift.places_with_tasks and not entry.address
        else ()
    )
    emoji = usual_emoji(mind, entry.activity, "") if is_near_habit and offered else ()
    variables = DecomposeVars(
        mind.situation,
        entry,
        before,
        after,
        shortest,
        steps,
        offered,
        mind.arena,
        emoji,
        room if offered else "",
        _list_sought(mind, people, room) if offered else (),
        has_outsides=not is_near_habit and bool(offered or entry.address),
        moments=tuple(list_coming_moments(mind, entry)),
        done=_list_done(mind, entry),
    )
    reply, cause, asked = await mind.ask_with_variables(DECOMPOSE, variables)
    return Tasks(entry.start, as_tasks(reply, entry.start, asked.spots, entry.address)), cause


def _list_done(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """Return what the resident has done in the earlier parts of an entry that another one cut, the
    latest last.
    """
    earlier = [
        part
        for part in mind.state.schedule(mind.who).entries
        if part.activity == entry.activity and part.end <= entry.start
    ]
    if not isinstance(entry, CutEntry) or not earlier:
        return ()
    begun = at_minute(mind.now.date(), entry.planned_start)
    lived = reversed(list(mind.state.memory(mind.who).since(begun, ("event",))))
    own = (each for each in lived if is_own_routine(mind.who, each))
    done = (
        each.predicate
        for each in own
        if any(part.start <= minute_of_day(each.created) < part.end for part in earlier)
    )
    return tuple(dict.fromkeys(done))[-MOST_DONE:]


def _list_sought(mind: Mind, people: Sequence[LikelyPlace], room: str) -> tuple[Sought, ...]:
    """Return residents and the keeper of a shop who is not there, in the form in which prompts list
    them.
    """
    keeper = find_absent_keeper(mind, room)
    named = (one.sought for one in people if keeper is None or one.sought.name != keeper.name)
    return (*named, keeper) if keeper else tuple(named)


def _habitual_steps(mind: Mind, entry: Entry) -> tuple[str, ...]:
    """Return the steps of the habit that an entry names; () if it names none, or one without steps."""
    habit = find_habit(mind, entry.activity)
    return tuple(dict.fromkeys(fitting(task, ACTIVITY) for task in habit.tasks)) if habit else ()


def as_tasks(
    reply: DecomposeReply, start: int, offered: Sequence[Spot] = (), agreed: str = ""
) -> tuple[Task, ...]:
    """Return the tasks of a reply in order, in minutes since midnight, beginning at `start`.

    Args:
        reply: tasks with durations and, optionally, numbers of places.
        start: when the first task begins.
        offered: the places to which the numbers refer.
        agreed: the address of all tasks that have no number; "" if it is chosen later.
    """
    outsides = {one.task: one.act for one in reply.seen}
    lengths = accumulate((task.minutes for task in reply.tasks), initial=start)
    return tuple(
        _as_task(task, stretch, offered[task.place - 1].address if task.place else agreed, outside)
        for task, stretch, outside in zip(
            reply.tasks,
            pairwise(lengths),
            (outsides.get(number, "") for number in range(1, len(reply.tasks) + 1)),
            strict=True,
        )
    )


def _as_task(task: PlannedTask, stretch: tuple[int, int], address: str, outside: str) -> Task:
    """Return a planned task in the form of the schedule; tasks that others see otherwise need a
    place.
    """
    if outside and address:
        return DiscreetTask(
            *stretch, task.activity, address=address, emoji=task.emoji, outside=outside
        )
    if task.place:
        return PlacedTask(*stretch, task.activity, address=address, emoji=task.emoji)
    return Task(*stretch, task.activity)
