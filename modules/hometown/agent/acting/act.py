"""Acting: the next action, by urgent needs, reactions and the schedule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hometown.agent.acting.appointments import find_due_appointment, is_finishing_work
from hometown.agent.acting.approach import has_just_ended
from hometown.agent.acting.countermeasures import is_needed_here, is_responding
from hometown.agent.acting.react import react
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.agent.mind.process_signs import is_ill
from hometown.agent.perception.perceive import remember_events, visited_in_vain
from hometown.agent.planning.concerned import find_concerned
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.entry_origins import LEFT_ORIGIN, free_until, is_interrupting
from hometown.agent.planning.entry_tasks import begin_due_task, find_refusal, give_up_visit
from hometown.agent.planning.habits import usual_emoji
from hometown.agent.planning.known_rooms import find_named, find_named_people
from hometown.agent.planning.place_choice import is_open, known_places, place_task, spots
from hometown.agent.planning.undone import conclude_entry
from hometown.agent.working.bedtime import go_to_bed
from hometown.agent.working.society_plugin import society_in
from hometown.agent.working.upkeep import choose_chore
from hometown.clock import at_minute
from hometown.memory.action import Action
from hometown.memory.event import Event
from hometown.memory.schedule import (
    DiscreetTask,
    Entry,
    MeantTask,
    PlacedTask,
    Task,
    entry_outside,
    planned_room,
)
from hometown.prompt.tasks import PLACE, PlaceVars
from hometown.world.effects import Rescheduled
from hometown.world.work import workplace
from hometown.world.world import arena_of, sector_of

LEFT_PREDICATE, LEFT_POIGNANCY = "left", 4
"""The predicate and the poignancy of the memory that the company has left."""

_CALLS = {
    "voice": ("💡", "rule:voice"),
    "react": ("❗", "rule:react"),
    "reason": ("💭", "rule:reason"),
}
"""Emoji and rule of an entry with an address, by the prefix of its origin. All others are
appointments.
"""


async def decide(mind: Mind, noticed: Sequence[Event]) -> Intent:
    """Remember the noticed events, conclude what has ended, and return the next intent: the first
    that applies of an urgent need, sleep if the schedule says so, a reaction to a sight, and the
    task of the schedule. Before reactions, a visit in vain, a way together that has led to its end,
    or an activity that its company has left becomes free time. Reactions and the schedule do not
    depend on each other, so their calls run concurrently; the intent by schedule is the second
    choice of a request to talk.
    """
    urgent = society_in(mind.world).meet_urgent(mind)
    if urgent is not None:
        await remember_events(mind, noticed)
        return urgent
    await conclude_entry(mind)
    if mind.state.schedule(mind.who).at(mind.minute).kind == "sleep":
        await remember_events(mind, noticed)
        return go_to_bed(mind)
    _give_up_visit_in_vain(mind)
    _end_way_on_arrival(mind)
    await _leave_off_without_company(mind)
    is_free = has_just_ended(mind)  # before the reaction may begin the next approach
    reaction, routine = await mind.run_concurrently(
        lambda branch: react(branch, noticed), lambda branch: _follow_schedule(branch, is_free)
    )
    if reaction.partner:
        return replace(reaction, second=routine)
    return reaction if reaction.action else replace(routine, declined=reaction.declined)


# the schedule ------------------------------------------------------------------------------


def _give_up_visit_in_vain(mind: Mind) -> None:
    """Replace a visit by free time if nobody answered the door, before reactions read the plan."""
    entry = mind.state.schedule(mind.who).at(mind.minute)
    house = visited_in_vain(mind)
    if house and sector_of(planned_room(entry)) == house:
        give_up_visit(mind, entry)


def _end_way_on_arrival(mind: Mind) -> None:
    """Replace the rest of a way that residents have gone together by free time at its end."""
    schedule = mind.state.schedule(mind.who)
    entry = schedule.at(mind.minute)
    if entry.address == mind.arena and mind.words.is_arrival(entry.activity, entry.address):
        arrived = free_until(mind, schedule, entry.end)
        mind.do(Rescheduled(mind.who, arrived, LEFT_ORIGIN), "rule:arrival")


async def _leave_off_without_company(mind: Mind) -> None:
    """Replace an activity in company by free time if the others have left after a conversation
    during it, and remember that: the rest of its entry if the entry names them, which is a reason to
    reconsider the day, else only the present task.
    """
    missing, schedule = mind.missing_company, mind.state.schedule(mind.who)
    entry, due = schedule.at(mind.minute), mind.state.tasks(mind.who).due(mind.minute)
    since = at_minute(schedule.date, entry.start)
    relations = [mind.state.relation(mind.who, other) for other in missing]
    if not missing or not all(each.has_talked_since(since) for each in relations):
        return
    names_them = not set(find_named(mind.world, (entry.activity,))).isdisjoint(missing)
    end = entry.end if names_them or due is None else min(due.end, entry.end)
    mind.do(Rescheduled(mind.who, free_until(mind, schedule, end), LEFT_ORIGIN), "rule:company")
    text = mind.words.say(
        "company_left",
        name=mind.me.name,
        others=mind.words.names(missing),
        what=mind.state.action(mind.who).activity,
    )
    memory = NewMemory("event", text, mind.who, LEFT_PREDICATE, missing[0], about=tuple(missing))
    (made,) = await mind.remember([memory], [LEFT_POIGNANCY], "rule:company")
    if names_them:
        give_reason(mind, made, "rule:company")


async def _follow_schedule(mind: Mind, is_free: bool) -> Intent:
    """Continue the current action until it is over, or an approach to another resident has ended
    (`is_free`), then begin the task that is due.
    """
    entry = mind.state.schedule(mind.who).at(mind.minute)
    return _continue_action(mind, entry, is_free) or await _begin_task(mind, entry)


def _continue_action(mind: Mind, entry: Entry, is_free: bool) -> Intent | None:
    """Return the intent to finish work before an appointment, to leave for it, to go on with the
    current action or with work, or to meet a low need in between; None if the next task is due.
    """
    coming = find_due_appointment(mind)
    if is_finishing_work(mind, entry, coming):
        return society_in(mind.world).continue_work(mind)
    if (
        coming
        and mind.arena != coming.address
        and not (is_needed_here(mind) or is_responding(mind, entry) or _is_expected(mind, entry))
        and not _leads_to(mind, entry, coming)
    ):
        return _set_out(mind, coming)
    society = society_in(mind.world)
    if society.is_working_together(mind):
        return GO_ON
    is_interrupted = is_interrupting(entry) and _is_earlier_action(mind, entry)
    is_called_away = bool(entry.address) and not _has_own_work(mind, entry)
    work = None if is_interrupted or is_called_away else society.continue_work(mind)
    if work:
        return work
    action, due = mind.state.action(mind.who), mind.state.tasks(mind.who).due(mind.minute)
    is_due = due is not None and due.activity == action.activity
    is_parted = is_due and _leads_away_from_company(mind, entry, action)
    is_left = is_interrupted or is_free or is_parted or bool(mind.state.errand_queue(mind.who))
    if not is_left and _is_action_under_way(mind):
        return GO_ON
    return None if is_interrupted or entry.address else society.meet_low_need(mind)


def _has_own_work(mind: Mind, entry: Entry) -> bool:
    """Return True if the task due in an entry that has begun is an errand, or the resident is at
    work that they began for the entry.
    """
    job, tasks = mind.state.job(mind.who), mind.state.tasks(mind.who)
    is_begun = entry.start <= tasks.entry < entry.end
    return is_begun and (
        isinstance(tasks.due(mind.minute), MeantTask)
        or (job is not None and job.since >= at_minute(mind.now.date(), entry.start))
    )


def _is_earlier_action(mind: Mind, entry: Entry) -> bool:
    """Return True if the present entry has not begun, or the current action is one of before, since a
    conversation came between.
    """
    action, tasks = mind.state.action(mind.who), mind.state.tasks(mind.who)
    due = tasks.due(mind.minute)
    is_older = (
        due is not None
        and action.started is not None
        and action.started < at_minute(mind.now.date(), entry.start)
        and action.activity != due.activity
    )
    return tasks.entry < entry.start or is_older


def _is_expected(mind: Mind, entry: Entry) -> bool:
    """Return True if the present entry is an appointment elsewhere that the resident has still to
    come to, and can reach before it ends: the next one, later on, does not take its place.
    """
    return (
        entry.kind == "appointment"
        and bool(entry.address)
        and mind.arena != entry.address
        and not _is_refused_at(mind, entry.address)
        and mind.minute + walking_minutes(mind, entry.address) < entry.end
        and not _has_been_at(mind, entry)
    )


def _is_refused_at(mind: Mind, address: str) -> bool:
    """Return True if the resident has come to a place in vain, and done nothing else since."""
    return arena_of(mind.state.action(mind.who).address) == address and bool(
        mind.state.body(mind.who).refused
    )


def _has_been_at(mind: Mind, entry: Entry) -> bool:
    """Return True if the resident has come to the occasion of an appointment, and left again."""
    return any(
        occasion.address == entry.address and me.came is not None
        for occasion, me in mind.scene.occasions[mind.who]
        if occasion.is_on(mind.now)
    )


def _leads_to(mind: Mind, entry: Entry, coming: Entry) -> bool:
    """Return True if the current action, or the task that is due after it, is at the place of an
    appointment anyway.
    """
    action, tasks = mind.state.action(mind.who), mind.state.tasks(mind.who)
    is_begun = entry.start <= tasks.entry < entry.end
    if not action.over(mind.now) and (is_begun or not is_interrupting(entry)):
        return arena_of(action.address) == coming.address
    due = tasks.due(mind.minute) if is_begun else None
    task = due.address if isinstance(due, PlacedTask) else ""
    return arena_of(entry.address or task or planned_room(entry)) == coming.address


def _leads_away_from_company(mind: Mind, entry: Entry, act: Action | Task) -> bool:
    """Return True if an act of the plan is at another place than those whom it concerns, who are
    here and with whom the resident has just talked: where to do it may have been agreed on.
    """
    address = act.address if isinstance(act, Action | PlacedTask) else planned_room(entry)
    if entry.kind != "activity" or entry.address or arena_of(address) in ("", mind.arena):
        return False
    since = mind.now - 2 * timedelta(minutes=mind.moment.stride)
    concerned = {*find_concerned(mind, act.activity), *find_concerned(mind, entry.activity)}
    return any(
        mind.state.relation(mind.who, other).has_talked_since(since)
        for other in concerned.intersection(mind.awake_company)
    )


def _is_action_under_way(mind: Mind) -> bool:
    """Return True if the current action, other than sleep, is neither refused nor over, waits for
    nobody who has come, and no errand has ended since the resident's last thoughts.
    """
    action = mind.state.action(mind.who)
    return (
        action.kind != "sleep"
        and not mind.state.body(mind.who).refused
        and not action.over(mind.now)
        and not mind.context.snapshot.recent_outcomes(mind.who)
        and not mind.circumstances.has_come_whom_they_await()
    )


async def _begin_task(mind: Mind, entry: Entry) -> Intent:
    """Return the intent to begin the task that is due: at the address of its entry if it has one,
    unless it is an errand; else, the first that applies, rest during an illness, an errand, a
    replacement of the task, or the task at its own place. For an errand that is not to be done now,
    the resident does what the entry says.
    """
    due = await begin_due_task(mind)
    is_errand = isinstance(due, MeantTask)
    task = Task(due.start, due.end, entry.activity) if is_errand else due
    choose_errand = society_in(mind.world).choose_errand
    return (
        _stay_in_bed(mind, task)
        or (choose_errand(mind, due) if is_errand and entry.address else None)
        or _go_to_entry(mind, entry, task)
        or _rest(mind, task)
        or choose_errand(mind, due)
        or _replace_task(mind, entry, task)
        or await _do_task(mind, entry, task)
    )


def _go_to_entry(mind: Mind, entry: Entry, task: Task) -> Intent | None:
    """Return the task at the address of its entry; None if the entry has no address, or if the
    resident has just been refused the task there.
    """
    is_refused = mind.state.action(mind.who).address == entry.address and find_refusal(mind)
    if not entry.address or is_refused:
        return None
    emoji, rule = _CALLS.get(entry.origin.partition(":")[0], ("🤝", "rule:appointment"))
    return Intent(_make_action(mind, task, entry.address, emoji), cause=rule)


def _stay_in_bed(mind: Mind, task: Task) -> Intent | None:
    """Return bed at home for a resident with the illness of the run who has to stay there, None for
    all others.
    """
    illness = mind.settings.processes.illness
    if not (illness.name and illness.stay_home and is_ill(mind.context.snapshot, mind.who)):
        return None
    resting = Task(task.start, task.end, mind.words.say("ill_in_bed"))
    return Intent(_make_action(mind, resting, mind.me.home, "🤒"), cause="rule:illness")


def _rest(mind: Mind, task: Task) -> Intent | None:
    """Return rest at home for an ill resident, None for all others."""
    resting = society_in(mind.world).rest_while_ill(mind, task)
    return Intent(_make_action(mind, *resting, "🤒"), cause="rule:ailing") if resting else None


def _replace_task(mind: Mind, entry: Entry, task: Task) -> Intent | None:
    """Return a replacement of a task: a chore, an activity at home in a low mood, or shelter at
    home from bad weather; None to do the task.
    """
    if entry.kind == "activity" and not find_refusal(mind):
        chore = choose_chore(mind, task)
        if chore:
            return chore
        place = task.address if isinstance(task, PlacedTask) else ""
        if mind.emotions.prefers_home(
            task.activity, place, mind.me.home, planned=entry.origin == "plan"
        ):
            return _stay_home(mind, task, mind.words.say("staying_in"), "rule:mood")
    if isinstance(task, PlacedTask) and not entry.address:
        sheltering = society_in(mind.world).shelter(mind, task.activity, task.address)
        if sheltering:
            return _stay_home(mind, task, sheltering, "rule:weather")
    return None


def _stay_home(mind: Mind, task: Task, activity: str, cause: str) -> Intent:
    """Return an activity at home for the time of a task."""
    return Intent(
        _make_action(mind, Task(task.start, task.end, activity), mind.me.home, "🏠"), cause=cause
    )


async def _do_task(mind: Mind, entry: Entry, task: Task) -> Intent:
    """Return the task at the place that was planned for it, if that is open, the last place did not
    refuse the resident, and it does not lead away from company; else, in a world with rules, at
    the place that suits it best, or on the spot if the last place refused the resident or company is
    here; else at a place that the model chooses.
    """
    refused = find_refusal(mind)
    is_parted = _leads_away_from_company(mind, entry, task)
    if (
        isinstance(task, PlacedTask)
        and not (refused or is_parted)
        and is_open(mind, task.address, task.activity)
    ):
        return Intent(_make_action(mind, task, task.address, task.emoji), cause="rule:schedule")
    if mind.world.book:
        room = planned_room(entry)
        placed = place_task(mind, task, entry, known_places(mind, (room,) if room else ()))
        address = mind.arena if refused or is_parted else placed.address
        return Intent(_make_action(mind, task, address, placed.emoji), cause="rule:schedule")
    return await _ask_for_place(mind, task, entry, refused)


async def _ask_for_place(mind: Mind, task: Task, entry: Entry, refused: str) -> Intent:
    """Ask the model for the place of a task; `refused` tells why the last place was of no use."""
    is_near_habit = mind.is_near_habit(PLACE.kind)
    emoji = usual_emoji(mind, task.activity, entry.activity) if is_near_habit else ()
    room = planned_room(entry)
    variables = PlaceVars(
        mind.situation,
        task.activity,
        entry.activity,
        task.end - mind.minute,
        mind.arena,
        spots(mind, task.activity, entry.activity, room),
        refused,
        emoji,
        brief=is_near_habit,
        room=room,
        people=tuple(one.sought for one in find_named_people(mind, task.activity, entry.activity)),
    )
    reply, cause, asked = await mind.ask_with_variables(PLACE, variables)
    address = asked.spots[reply.place - 1].address
    return Intent(_make_action(mind, task, address, reply.emoji, reply.thing_state), cause=cause)


# the way -----------------------------------------------------------------------------------


def _set_out(mind: Mind, coming: Entry) -> Intent:
    """Return the intent to go to an appointment, so as to be there when it begins, or to go on if
    the resident is on the way already.
    """
    own = (mind.me.home, workplace(mind.me.habits, mind.me.home))
    is_own = sector_of(coming.address) in [sector_of(place) for place in own if place]
    activity = mind.words.say("ready_for" if is_own else "in_time_for", what=coming.activity)
    task = Task(mind.minute, max(coming.start, mind.minute + 1), activity)
    going = _make_action(mind, task, coming.address, "🚶")
    action = mind.state.action(mind.who)
    if (action.address, action.activity) == (going.address, going.activity):
        return GO_ON
    return Intent(going, cause="rule:appointment")


def _make_action(mind: Mind, task: Task, address: str, emoji: str, thing_state: str = "") -> Action:
    """Return the action of a task, which ends with the task: its duration excludes the way to it.
    `thing_state` is the state in which others see the thing in use; "in use by …" by default. They
    see a discreet task as its `outside`, and any other task of a discreet entry as that of the entry.
    """
    minutes = task.end - mind.minute - walking_minutes(mind, address)
    state = thing_state or mind.words.say("in_use", name=mind.me.name)
    action = Action(
        "act",
        task.activity,
        address,
        max(1, minutes),
        emoji,
        state if address in mind.world.things else "",
    )
    if isinstance(task, DiscreetTask):
        return action.seen_as(task.outside)
    entry = mind.state.schedule(mind.who).at(mind.minute)
    is_planned = task.activity == entry.activity or task in mind.state.tasks(mind.who).items
    return action.seen_as(entry_outside(entry)) if is_planned else action
