"""The schedule of a day: entries that cover minutes 0–1440 once, and the tasks of the current
entry.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from datetime import date as Date  # noqa: N812  Schedule has a field of the lower-case name
from itertools import accumulate, pairwise
from typing import Literal

from hometown.clock import DAY, hhmm
from hometown.frozen import frozen

EntryKind = Literal["sleep", "activity", "appointment", "talk", "wait"]
GRID = 5
"""Minutes to whose multiples the lengths of tasks are rounded."""

REMAINDER_MINUTES_MIN = 20
"""Minutes from which the rest of an entry that another one cut is still worth beginning."""

SAME_TIME, SAME_LENGTH = 60, 0.25
"""Tolerances within which the tasks of an earlier entry are reused: minutes of its start, and share
of its length.
"""

TaskStatus = Literal["todo", "doing", "done", "skipped", "dropped"]


@frozen
class Entry:
    """A stretch of the day, in minutes since midnight, `start` < `end` ≤ 1440.

    `origin` is "plan", the id of the conversation that added it, or begins with the rule that did,
    such as "voice:" or "react:". `address` is "" unless the place is fixed, as in appointments.
    """

    start: int
    end: int
    activity: str
    kind: EntryKind = "activity"
    address: str = ""
    origin: str = "plan"

    def __str__(self) -> str:
        return f"{hhmm(self.start)}–{hhmm(self.end)} {self.activity}"

    def minutes_shared(self, other: Entry) -> int:
        """Return the minutes for which two entries overlap; 0 or less if they do not."""
        return min(self.end, other.end) - max(self.start, other.start)

    def seen_as(self, outside: str) -> Entry:
        """Return the entry with the act that others see in its place; the same entry for ""."""
        if not outside:
            return self
        words = self.activity, self.kind, self.address, self.origin
        return DiscreetEntry(self.start, self.end, *words, outside=outside)


@frozen
class PlacedEntry(Entry):
    """An entry of the resident's own plan with the arena in which they mean to spend it."""

    room: str = field(kw_only=True)


@frozen
class CutEntry(PlacedEntry):
    """The rest of an entry of which another took a part. It was planned for the minutes from
    `planned_start` to `planned_end`, which it gets back if the other is removed. `room` is "" if
    none was planned.
    """

    planned_start: int = field(kw_only=True)
    planned_end: int = field(kw_only=True)

    def seen_as(self, outside: str) -> Entry:
        """Return the entry with the act that others see in its place; the same entry for ""."""
        if not outside:
            return self
        return CutDiscreetEntry(
            self.start,
            self.end,
            self.activity,
            self.kind,
            self.address,
            self.origin,
            room=self.room,
            planned_start=self.planned_start,
            planned_end=self.planned_end,
            outside=outside,
        )


@frozen
class DiscreetEntry(Entry):
    """An entry whose words only its owner knows. Others see the act `outside`."""

    outside: str = field(kw_only=True)


@frozen
class CutDiscreetEntry(CutEntry):
    """The rest of a discreet entry of which another took a part."""

    outside: str = field(kw_only=True)


def entry_outside(entry: Entry) -> str:
    """Return the act that others see in place of an entry's; "" if they see what its words say."""
    return entry.outside if isinstance(entry, DiscreetEntry | CutDiscreetEntry) else ""


def planned_room(entry: Entry) -> str:
    """Return the arena that an entry's plan names; "" if it names none."""
    return entry.room if isinstance(entry, PlacedEntry) else ""


@frozen
class Task:
    """A sub-task of an entry, in minutes since midnight."""

    start: int
    end: int
    activity: str
    status: TaskStatus = "todo"


@frozen
class PlacedTask(Task):
    """A task with the place chosen for it and the emoji that shows it."""

    address: str = field(kw_only=True)
    emoji: str = field(kw_only=True)


@frozen
class DiscreetTask(PlacedTask):
    """A task whose words only its owner knows. Others see the act `outside`."""

    outside: str = field(kw_only=True)


@frozen
class MeantTask(Task):
    """A task that is an errand: a recipe to do, or something to buy, fetch or put somewhere. `at`
    is the place, "" if it is left open.
    """

    verb: str = field(kw_only=True)
    what: str = field(kw_only=True)
    at: str = field(kw_only=True)


@frozen
class Tasks:
    """The tasks of the entry that began at the minute `entry`; empty, with -1, before the first of
    a day.
    """

    entry: int = -1
    items: tuple[MeantTask | DiscreetTask | PlacedTask | Task, ...] = ()

    def due(self, minute: int) -> Task | None:
        """Return the task that covers `minute`, even if earlier ones are not done;
        None if there is none.
        """
        return next((task for task in self.items if task.start <= minute < task.end), None)

    def begin(self, minute: int) -> Tasks:
        """Return the tasks with the one that covers `minute` marked as `doing`, and earlier ones
        closed as done or skipped.
        """
        items = tuple(_advance(task, minute) for task in self.items)
        return self if items == self.items else replace(self, items=items)

    def close(self, minute: int) -> Tasks:
        """Return the tasks, closed because the entry is left at `minute`: the current one is done,
        those not begun are skipped or dropped.
        """

        def close(task: Task) -> Task:
            if task.status == "doing":
                return replace(task, status="done")
            if task.status == "todo":
                return replace(task, status="skipped" if task.end <= minute else "dropped")
            return task

        return replace(self, items=tuple(close(task) for task in self.items))

    def scale_to(self, start: int, end: int, shortest: int) -> Tasks:
        """Return the same tasks, not begun, scaled to the time from `start` to `end`. Tasks that
        would be shorter than `shortest` minutes are left out.
        """
        lengths = scale_lengths(
            [task.end - task.start for task in self.items], end - start, shortest
        )
        ends = accumulate(lengths, initial=start)
        placed = (
            (task, (begin, until))
            for task, (begin, until) in zip(self.items, pairwise(ends), strict=True)
            if until > begin
        )
        return Tasks(
            start,
            tuple(
                replace(task, start=begin, end=until, status="todo")
                for task, (begin, until) in placed
            ),
        )

    def splice(self, new: Task, shortest: int) -> Tasks:
        """Return the tasks with one inserted over the present ones. Each remainder of a cut task is
        kept if it is `shortest` minutes or more: the part before is done if the task was being
        done, and the part behind is yet to be done unless the whole is done.
        """
        kept = [new]
        for task in self.items:
            if task.end <= new.start or task.start >= new.end:
                kept.append(task)
                continue
            before = replace(
                task, end=new.start, status="done" if task.status == "doing" else task.status
            )
            after = replace(task, start=new.end, status="done" if task.status == "done" else "todo")
            kept.extend(part for part in (before, after) if part.end - part.start >= shortest)
        return replace(self, items=tuple(sorted(kept, key=lambda task: task.start)))


@frozen
class Routines:
    """Tasks planned earlier for entries of one wording, at different times of the day or of
    different lengths.
    """

    items: tuple[Tasks, ...] = ()

    def find_similar(self, start: int, end: int) -> Tasks | None:
        """Return the tasks of a similar entry: one that began within an hour of this one and whose
        length differed by at most a quarter; None if there is none.
        """
        return next((tasks for tasks in self.items if _is_similar(tasks, start, end)), None)

    def with_tasks(self, new: Tasks) -> Routines:
        """Return the routines with tasks added in place of those that are similar in time."""
        start, end = new.items[0].start, new.items[-1].end
        return Routines(
            (*(tasks for tasks in self.items if not _is_similar(tasks, start, end)), new)
        )


def _is_similar(tasks: Tasks, start: int, end: int) -> bool:
    """Return True if the start and the length of tasks are within the tolerances of an entry's."""
    begun = tasks.items[0].start
    lasted = tasks.items[-1].end - begun
    length = end - start
    is_same_time = abs(begun - start) <= SAME_TIME
    return is_same_time and abs(lasted - length) <= SAME_LENGTH * length


def scale_lengths(lengths: Sequence[int], minutes: int, shortest: int) -> list[int]:
    """Return the lengths of tasks in minutes, scaled to sum up to `minutes`. A task that would be
    shorter than `shortest` gets 0 and leaves its time to the next. Unless they are fine already,
    each is rounded to `GRID` and the last takes the remainder.

    >>> scale_lengths([20, 10, 30], 120, 10), scale_lengths([20, 5, 35], 60, 10), scale_lengths([18, 12], 30, 10)
    ([40, 20, 60], [20, 0, 40], [18, 12])
    """
    if sum(lengths) == minutes and min(lengths) >= shortest:
        return list(lengths)
    given = used = 0
    fitted = [0] * len(lengths)
    for at, length in enumerate(lengths):
        given += length
        until = given * minutes // sum(lengths) // GRID * GRID
        if until - used >= shortest:
            fitted[at] = until - used
            used = until
    last = max((at for at, length in enumerate(fitted) if length), default=0)
    fitted[last] += minutes - sum(fitted)
    return fitted


def _advance(task: Task, minute: int) -> Task:
    """Return a task with its status at a minute: `doing` if it covers the minute and is not done
    before its time, `done` if it was being done and has ended, `skipped` if it has ended without
    being begun.
    """
    if task.start <= minute < task.end:
        return task if task.status in ("doing", "done") else replace(task, status="doing")
    if task.end <= minute and task.status == "doing":
        return replace(task, status="done")
    if task.end <= minute and task.status == "todo":
        return replace(task, status="skipped")
    return task


@frozen
class Schedule:
    """A day's entries in order, without gap or overlap, from minute 0 to minute 1440."""

    date: Date
    entries: tuple[CutDiscreetEntry | CutEntry | PlacedEntry | DiscreetEntry | Entry, ...] = ()

    def at(self, minute: int) -> Entry:
        """Return the entry that covers `minute`. Raises LookupError outside 0–1439."""
        for entry in self.entries:
            if entry.start <= minute < entry.end:
                return entry
        raise LookupError(
            f"minute {minute} is not in the schedule of {self.date}: it covers 0 to 1439"
        )

    def splice(self, new: Entry) -> Schedule:
        """Insert an entry over the present ones; the rests of cut entries are kept. If that of an
        activity behind is shorter than `REMAINDER_MINUTES_MIN`, the new entry lasts until its end,
        so that what follows keeps its hour.
        """
        last = next(entry for entry in self.entries if entry.start < new.end <= entry.end)
        if last.kind == "activity" and last.end - new.end < REMAINDER_MINUTES_MIN:
            new = replace(new, end=last.end)
        kept: list[Entry] = []
        for entry in self.entries:
            if entry.end <= new.start or entry.start >= new.end:
                kept.append(entry)
                continue
            if entry.start < new.start:
                kept.append(_cut(entry, entry.start, new.start))
            if entry.end > new.end:
                kept.append(_cut(entry, new.end, entry.end))
        return replace(self, entries=tuple(sorted([*kept, new], key=lambda entry: entry.start)))

    def reword(self, entry: Entry, activity: str) -> Schedule:
        """Give an entry other words; one that is not there is ignored."""
        key = (entry.start, entry.activity)
        return replace(
            self,
            entries=tuple(
                replace(each, activity=activity) if (each.start, each.activity) == key else each
                for each in self.entries
            ),
        )

    def without(self, *gone: Entry, instead: str) -> Schedule:
        """Remove entries. What they had cut gets its time back, and the activity `instead` fills the
        rest; a gap shorter than `REMAINDER_MINUTES_MIN` goes to the activity before it, if there is
        one, so that what follows keeps its hour.
        """
        left = self
        for entry in sorted(set(gone), key=lambda entry: entry.start, reverse=True):
            left = left._without_one(entry, instead)
        return left

    def _without_one(self, gone: Entry, instead: str) -> Schedule:
        """Return the schedule without an entry, whose end may have changed since; unchanged if the
        entry is not there.
        """
        key = (gone.start, gone.activity)
        found = (i for i, entry in enumerate(self.entries) if (entry.start, entry.activity) == key)
        at = next(found, None)
        if at is None:
            return self
        gone = self.entries[at]
        before, after = list(self.entries[:at]), list(self.entries[at + 1 :])
        start, end = gone.start, gone.end
        if after and isinstance(after[0], CutEntry):
            end = min(max(start, after[0].planned_start), end)
            after[0] = replace(after[0], start=end)
        if before and isinstance(before[-1], CutEntry):
            start = max(min(end, before[-1].planned_end), start)
            before[-1] = replace(before[-1], end=start)
        if 0 < end - start < REMAINDER_MINUTES_MIN and before and before[-1].kind == "activity":
            before[-1] = replace(before[-1], end=end)
            start = end
        rest = [Entry(start, end, instead)] if start < end else []
        merged = _merge_neighbours([*before, *rest, *after])
        return replace(self, entries=tuple(map(_mend, merged)))

    def next_of(self, kind: EntryKind, minute: int) -> Entry | None:
        """Return the first entry of this kind that begins at or after `minute`;
        None if there is none.
        """
        return next(
            (entry for entry in self.entries if entry.kind == kind and entry.start >= minute), None
        )


def _cut(entry: Entry, start: int, end: int) -> Entry:
    """Return the part of an entry from `start` to `end`; of an activity, with its planned times."""
    if entry.kind != "activity" or isinstance(entry, CutEntry):
        return replace(entry, start=start, end=end)
    words = entry.activity, entry.kind, entry.address, entry.origin
    room = planned_room(entry)
    rest = CutEntry(start, end, *words, room=room, planned_start=entry.start, planned_end=entry.end)
    return rest.seen_as(entry_outside(entry))


def _mend(entry: Entry) -> Entry:
    """Return an entry as it was planned once nothing takes a part of it any more."""
    if not isinstance(entry, CutEntry) or (entry.start, entry.end) != (
        entry.planned_start,
        entry.planned_end,
    ):
        return entry
    plain = entry.activity, entry.kind, entry.address, entry.origin
    if entry.room:
        return PlacedEntry(entry.start, entry.end, *plain, room=entry.room)
    return Entry(entry.start, entry.end, *plain).seen_as(entry_outside(entry))


def cover(day: Date, entries: Iterable[Entry], rest: Entry) -> Schedule:
    """Return a schedule of entries that may overlap, leave gaps, run backwards or past midnight.

    Entries are laid in order of their start; each begins no earlier than the one before it ends,
    gaps take the activity and kind of `rest`, and neighbours that differ only in their times merge;
    an entry for which no time is left is dropped.
    """
    laid: list[Entry] = []
    minute = 0
    for entry in sorted(entries, key=lambda entry: entry.start):
        start, end = max(entry.start, minute), min(entry.end, DAY)
        if end <= start:
            continue
        if start > minute:
            laid.append(replace(rest, start=minute, end=start))
        laid.append(replace(entry, start=start, end=end))
        minute = end
    if minute < DAY:
        laid.append(replace(rest, start=minute, end=DAY))
    return Schedule(day, tuple(_merge_neighbours(laid)))


def _merge_neighbours(entries: list[Entry]) -> list[Entry]:
    """Return entries in which neighbours that differ in nothing but their times are one."""
    merged: list[Entry] = []
    for entry in entries:
        last = merged[-1] if merged else None
        if last and replace(entry, start=last.start) == replace(last, end=entry.end):
            merged[-1] = replace(last, end=entry.end)
        else:
            merged.append(entry)
    return merged
