"""One resident: persona, state of mind, schedule, promises, relations and trail.

A block covers a range of steps. Each part that changes is a list of (since, value), with an entry
for each change; no value contains information from after its step.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar

from hometown.clock import DAY
from hometown.history import shapes
from hometown.history.feelings import feelings, moods
from hometown.history.habitual import habitual_activities
from hometown.history.living import body_and_goods
from hometown.history.names import Names
from hometown.history.opinions import describe_opinions
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.memory.schedule import Entry, Schedule, Task, Tasks
from hometown.world import keys
from hometown.world.bond import Bond
from hometown.world.goal import Goals
from hometown.world.rows import MindState, Promises, Relation

LATEST, MOVES_SHOWN = 3, 4
"""Maximum numbers of conversations, and of changes of closeness, listed for each acquaintance."""

BONDS_SINCE = 6
"""The first engine version in which closeness can fall; before, every third conversation
raised it.
"""

T = TypeVar("T")


def resident(run: RunReader, names: Names, who: str, first: int, last: int) -> shapes.ResidentBlock:
    """Return the block of a resident in steps `first` to `last`, without their memories; the run's
    start belongs to step 1.
    """
    begin = run.begin(first)
    return {
        "from": first,
        "to": last,
        "persona": _view_persona(names, who),
        "habits": sorted(habitual_activities(run.manifest, names.world, who)),
        "mind": _list_minds(run, who, begin, last),
        "schedule": _list_schedules(run, who, begin, last),
        "goals": goals_of(run, who, begin, last),
        "promises": _list_promises(run, who, begin, last),
        "relations": _list_relations(run, names, who, begin, last),
        "feel": feelings(run, names, who, begin, last),
        "moods": moods(run, names),
        "living": body_and_goods(run, names, who, begin, last),
        "opinions": describe_opinions(run, names, who, begin, last),
    }


def trail(run: RunReader, who: str, first: int, last: int) -> shapes.Trail:
    """Return the tiles that a resident entered in steps `first` to `last`."""
    walks = sorted(run.trajectories(first, last, who).items())
    moves = [
        value
        for step, by in walks
        for tick, column, row in by[who]
        for value in (run.first_tick(step) + tick, column, row)
    ]
    return {"from": first, "to": last, "at": run.position(who, first), "moves": moves}


def _view_persona(names: Names, who: str) -> shapes.PersonaView | None:
    """Return a resident's persona for the page, None where their file is missing."""
    persona = names.persona(who)
    if persona is None:
        return None
    return {
        "age": persona.age,
        "innate": persona.innate,
        "learned": persona.learned,
        "lifestyle": persona.lifestyle,
        "daily_plan": persona.daily_plan,
        "home": names.place(persona.home),
        "interests": list(persona.interests),
    }


def _list_minds(run: RunReader, who: str, begin: int, last: int) -> Versions[shapes.MindView]:
    """Return a resident's concerns, number of memories, and progress towards the next reflection,
    for each change.
    """
    threshold = run.manifest.settings.think.poignancy_max
    return [
        (
            since,
            {
                "currently": mind.currently,
                "memories": mind.memories,
                "poignancy": mind.poignancy,
                "threshold": threshold,
                "reflections": mind.reflections,
            },
        )
        for since, mind in run.versions_or(keys.MIND.of(who), begin, last, MindState(""))
    ]


def goals_of(run: RunReader, who: str, begin: int, last: int) -> Versions[list[shapes.GoalView]]:
    """Return a resident's goals, the most important first, by the step since which they hold."""
    rows = run.versions_or(keys.GOALS.of(who), begin, last, Goals())
    return [
        (
            since,
            [
                {"what": goal.what, "since": goal.since.isoformat(), "days": goal.days}
                for goal in row.items
            ],
        )
        for since, row in rows
    ]


def _list_promises(
    run: RunReader, who: str, begin: int, last: int
) -> Versions[list[shapes.Appointment]]:
    """Return a resident's agreements, the soonest first, without those that are over, by the step
    since which they hold.
    """
    return [
        (
            since,
            [
                {
                    "what": promise.what,
                    "people": list(promise.people),
                    "address": promise.address,
                    "tick": run.tick(promise.start),
                    "minutes": promise.minutes,
                    "conversation": promise.talk,
                }
                for promise in row.items
            ],
        )
        for since, row in run.versions_or(keys.PROMISES.of(who), begin, last, Promises())
    ]


# the day ----------------------------------------------------------------------------------------


def _list_schedules(
    run: RunReader, who: str, begin: int, last: int
) -> Versions[shapes.ScheduleDay | None]:
    """Return the schedules in force, anew for each step that changed entries or tasks; None before
    the first schedule. Each entry has its tasks and, where a conversation put it there, the
    partners and the activities that it replaced.
    """
    drafts = [
        (step, row)
        for step, row in run.rows(keys.SCHEDULE.of(who), begin, last, lambda row: row.date)
    ]
    made = drafts[0][0] if drafts else begin
    tasks = (
        [(step, row or Tasks()) for step, row in run.versions(keys.TASKS.of(who), made, last)]
        if drafts
        else []
    )
    steps = sorted({begin, *(step for step, _ in (*drafts, *tasks) if step > begin)})
    return [(step, _view_schedule(run, who, step, drafts, tasks)) for step in steps]


def _view_schedule(
    run: RunReader,
    who: str,
    step: int,
    drafts: Sequence[tuple[int, Schedule]],
    tasks: Sequence[tuple[int, Tasks]],
) -> shapes.ScheduleDay | None:
    """Return the schedule after a step, from all its drafts and tasks; None before the first draft."""
    now = bisect_right(drafts, step, key=lambda draft: draft[0])
    if not now:
        return None
    schedule = drafts[now - 1][1]
    own = [draft for draft in drafts[:now] if draft[1].date == schedule.date]
    of = _group_tasks(schedule, [row for since, row in tasks if own[0][0] <= since <= step])
    return {
        "date": schedule.date.isoformat(),
        "made": own[0][0],
        "entries": [_view_entry(run, who, entry, own, of) for entry in schedule.entries],
    }


def _view_entry(
    run: RunReader,
    who: str,
    entry: Entry,
    drafts: Sequence[tuple[int, Schedule]],
    tasks: dict[int, list[shapes.ScheduleTask]],
) -> shapes.ScheduleEntry:
    """Return an entry of the schedule with its tasks and the change that put it there."""
    return {
        "start": entry.start,
        "end": entry.end,
        "activity": entry.activity,
        "kind": entry.kind,
        "address": entry.address,
        "origin": entry.origin,
        "tasks": tasks.get(entry.start, []),
        "changed": _find_change(run, who, entry, drafts),
    }


def _find_change(
    run: RunReader, who: str, entry: Entry, drafts: Sequence[tuple[int, Schedule]]
) -> shapes.ScheduleChange | None:
    """Return the conversation that put an entry into the schedule, the first step with it, and the
    activities of the draft before that at its time; None for an entry that comes from no
    conversation.
    """
    conversation = run.conversation_head(entry.origin) if entry.origin != "plan" else None
    if conversation is None:
        return None
    since, before = drafts[0][0], None
    for at, draft in drafts:
        if any(other.origin == entry.origin for other in draft.entries):
            since = at
            break
        before = draft
    instead = (
        [
            other.activity
            for other in before.entries
            if other.start < entry.end and entry.start < other.end
        ]
        if before
        else []
    )
    others = [other for other in conversation.people if other != who]
    return {
        "conversation": conversation.id,
        "with": others,
        "tick": run.tick(conversation.started),
        "step": since,
        "instead": instead,
    }


def _group_tasks(schedule: Schedule, rows: Iterable[Tasks]) -> dict[int, list[shapes.ScheduleTask]]:
    """Return the tasks planned so far, in their final or present state, by the start of the entry
    to which they belong.
    """
    latest: dict[int, tuple[Task, ...]] = {}
    for row in rows:
        latest[row.entry] = row.items
    by_entry: dict[int, list[shapes.ScheduleTask]] = {}
    for task in sorted(
        (task for items in latest.values() for task in items), key=lambda task: task.start
    ):
        by_entry.setdefault(schedule.at(min(task.start, DAY - 1)).start, []).append(
            _view_task(task)
        )
    return by_entry


def _view_task(task: Task) -> shapes.ScheduleTask:
    return {"start": task.start, "end": task.end, "activity": task.activity, "status": task.status}


# others -----------------------------------------------------------------------------------------


def _list_relations(
    run: RunReader, names: Names, who: str, begin: int, last: int
) -> Versions[list[shapes.Acquaintance]]:
    """Return a resident's acquaintances by the step since which they hold, the closest first:
    relation, closeness and its changes, number of conversations and the latest ones.
    """
    rows, bonds = (
        run.rows_about(keys.RELATION, who, last),
        run.rows_about(keys.BOND, who, last),
    )
    conversations = run.conversation_heads(who, last)
    changed = (
        *(step for step, _, row in (*rows, *bonds) if row),
        *(conversation.step for conversation in conversations),
    )
    versions: Versions[list[shapes.Acquaintance]] = []
    for step in sorted({begin, *(step for step in changed if step > begin)}):
        met = {other: row for since, other, row in rows if row and since <= step}
        latest: dict[str, list[tuple[datetime, shapes.LastConversation]]] = {}
        for conversation in conversations:
            if conversation.step <= step:
                held: shapes.LastConversation = {
                    "id": conversation.id,
                    "tick": run.tick(conversation.started),
                    "summary": conversation.summary,
                }
                for other in conversation.people:
                    latest.setdefault(other, []).append((conversation.started, held))
        talks = {other: [last for _, last in held[:LATEST]] for other, held in latest.items()}
        versions.append(
            (
                step,
                _list_acquaintances(
                    run, names, who, met, talks, _list_closeness_changes(run, bonds, step)
                ),
            )
        )
    return versions


def _list_closeness_changes(
    run: RunReader, bonds: Sequence[tuple[int, str, Bond | None]], step: int
) -> dict[str, list[shapes.ClosenessChange]]:
    """Return the changes of each bond up to a step, the latest first: when, by how many thirds of a
    point, and why.
    """
    stood: dict[str, Bond] = {}
    moves: dict[str, list[shapes.ClosenessChange]] = {}
    for since, other, bond in sorted(bonds, key=lambda each: (each[1], each[0])):
        if bond and since <= step:
            by = bond.thirds - stood.get(other, Bond()).thirds
            moves.setdefault(other, []).insert(
                0, {"tick": run.first_tick(since), "by": by, "why": bond.why}
            )
            stood[other] = bond
    return moves


def _list_acquaintances(
    run: RunReader,
    names: Names,
    who: str,
    met: dict[str, Relation],
    latest: dict[str, list[shapes.LastConversation]],
    moves: dict[str, list[shapes.ClosenessChange]],
) -> list[shapes.Acquaintance]:
    """Return the acquaintances, the closest first, from the persona's relations, those met and
    those with changed closeness. Before engine BONDS_SINCE, closeness follows from the number of
    conversations.
    """
    persona = names.persona(who)
    known = {
        other: text
        for other, text in ((persona.relations if persona else None) or {}).items()
        if other in run.residents
    }
    close = (persona.closeness if persona else None) or {}
    people: list[shapes.Acquaintance] = []
    for other in dict.fromkeys([*known, *met, *moves]):
        relation, moved = met.get(other, Relation()), moves.get(other, [])
        thirds = (
            relation.talks
            if run.manifest.engine < BONDS_SINCE
            else sum(move["by"] for move in moved)
        )
        people.append(
            {
                "id": other,
                "relation": known.get(other, ""),
                "closeness": Bond(thirds).closeness(close.get(other, 0)),
                "before": close.get(other, 0),
                "conversations": relation.talks,
                "summary": relation.summary,
                "last": latest.get(other, []),
                "moved": moved[:MOVES_SHOWN],
            }
        )
    return sorted(people, key=lambda person: (-person["closeness"], -person["conversations"]))
