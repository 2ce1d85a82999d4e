"""A resident's day for a reader: stays at places, each with the actions there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta

from hometown.clock import DAY, at_minute
from hometown.frozen import frozen
from hometown.history.deeds import BegunDeed
from hometown.history.entities import OwnedMemory
from hometown.history.frames import TALKING, WALKING, end_of, label_activity
from hometown.history.reader import RunReader
from hometown.memory.action import Action
from hometown.memory.concept import MemoryType
from hometown.world.conversation import Conversation
from hometown.world.world import arena_of


@frozen
class Doing:
    """An activity from `start` on; the resident left the previous place for it at `left`. `label`
    is the activity with its emoji; for conversations and for travel, only the emoji. `activity` is
    the one of the action, "" for conversations, travel and work. Who `is_away` is out of town.
    """

    left: datetime
    start: datetime
    address: str
    label: str
    asleep: bool = False
    conversation: Conversation | None = None
    activity: str = ""
    is_away: bool = False

    @property
    def is_up(self) -> bool:
        """Return True if the resident is awake in town."""
        return not self.asleep and not self.is_away


@frozen
class Stay:
    """A time at one place. The gap before the next stay is the travel to it."""

    start: datetime
    end: datetime
    address: str
    doings: tuple[Doing, ...]

    def waking(self) -> timedelta:
        """Return the time for which the resident was awake in town during the stay."""
        ends = [doing.start for doing in self.doings[1:]] + [self.end]
        return sum(
            (
                end - doing.start
                for doing, end in zip(self.doings, ends, strict=True)
                if doing.is_up
            ),
            timedelta(),
        )


def days_of(run: RunReader, last: int) -> list[date]:
    """Return all dates, in order, that steps 1 to `last` touch, at least the first one."""
    first = run.manifest.start.date()
    end = max(run.moment(last) - timedelta(seconds=1), run.manifest.start).date()
    return [first + timedelta(days=number) for number in range((end - first).days + 1)]


def steps_of(run: RunReader, day: date, last: int) -> tuple[int, int]:
    """Return the first and the last of steps 1 to `last` that touch a date."""
    before = (at_minute(day, 0) - run.manifest.start) // timedelta(minutes=1)
    stride = run.manifest.stride
    return max(before, 0) // stride + 1, min(-(-(before + DAY) // stride), last)


def conversations_on(run: RunReader, day: date, last: int) -> list[Conversation]:
    """Return the conversations of steps 1 to `last` that began on a date."""
    held = run.conversations(*steps_of(run, day, last))
    return [conversation for conversation in held if conversation.started.date() == day]


def memories_on(
    run: RunReader, day: date, last: int, types: Sequence[MemoryType], who: str = ""
) -> list[OwnedMemory]:
    """Return the memories of some types made on a date in steps 1 to `last`, of one resident if
    given.
    """
    made = run.memories(*steps_of(run, day, last), types, who)
    return [memory for memory in made if memory.concept.created.date() == day]


def stays(
    run: RunReader,
    who: str,
    day: date,
    last: int,
    conversations: Iterable[Conversation],
    work: Iterable[BegunDeed] = (),
) -> list[Stay]:
    """Return a resident's stays on a day up to step `last`, in order.

    Args:
        conversations: Those that began on that day.
        work: The deeds that began on that day.
    """
    midnight = at_minute(day, 0)
    end = min(at_minute(day, DAY), run.moment(last))
    first_step, last_step = steps_of(run, day, last)
    versions = [
        (max(run.moment(step - 1), midnight), action)
        for step, action in run.actions_of(who, first_step, last_step)
    ]
    acts = _acts(_merge_versions(versions), midnight, end)
    doings = acts + list(_list_deeds(acts, work))
    doings += [
        Doing(
            conversation.started,
            conversation.started,
            conversation.address,
            TALKING,
            conversation=conversation,
        )
        for conversation in conversations
        if who in conversation.people
    ]
    return _stays(sorted(doings, key=lambda doing: doing.start), end)


def awake(life: Sequence[Stay]) -> list[tuple[datetime, datetime]]:
    """Return the spans in which a resident was awake in town, computed from their stays: usually
    one, but there are late nights, naps and absences.
    """
    spans: list[tuple[datetime, datetime]] = []
    up: datetime | None = None
    for doing in (doing for stay in life for doing in stay.doings):
        if not doing.is_up and up is not None:
            spans.append((up, doing.start))
            up = None
        elif doing.is_up and up is None:
            up = doing.left
    return spans if up is None else [*spans, (up, life[-1].end)]


def main_place(life: Sequence[Stay]) -> str:
    """Return the address of the place where a resident spent most of their waking time, the earlier
    one on a tie; "" if they never woke.
    """
    spent: Counter[str] = Counter()
    for stay in life:
        spent[stay.address] += stay.waking() // timedelta(seconds=1)
    address, seconds = max(spent.items(), key=lambda item: item[1], default=("", 0))
    return address if seconds else ""


def _merge_versions(versions: Iterable[tuple[datetime, Action]]) -> list[tuple[datetime, Action]]:
    """Merge consecutive versions with the same activity and place, keeping the first arrival: rows
    also change on arrival and after a conversation.
    """
    merged: list[tuple[datetime, Action]] = []
    for since, action in versions:
        before = merged[-1] if merged else None
        if before is None or (before[1].activity, before[1].address) != (
            action.activity,
            action.address,
        ):
            merged.append((since, action))
        elif before[1].started is None:
            merged[-1] = (before[0], action)
    return merged


def _acts(
    versions: Sequence[tuple[datetime, Action]], midnight: datetime, end: datetime
) -> list[Doing]:
    """Return the doings of a day, in order: the actions that were begun at their place, and the walk
    to that of the last one, if the resident has not come there.
    """
    doings = []
    for left, action in versions:
        if action.started is not None and action.started < end:
            doings.append(
                Doing(
                    left,
                    max(action.started, midnight),
                    action.address,
                    label_activity(action),
                    action.kind == "sleep",
                    activity=action.activity,
                    is_away=action.kind == "away",
                )
            )
        elif action is versions[-1][1]:
            doings.append(Doing(left, left, action.address, WALKING))
    return doings


def _list_deeds(acts: Sequence[Doing], work: Iterable[BegunDeed]) -> Iterator[Doing]:
    """Yield the deeds that began during an action with another description, at the place of that
    action; one that an action of its own describes begins within the same minute.
    """
    minute = timedelta(minutes=1)
    for deed in work:
        during = next((act for act in reversed(acts) if act.start < deed.start + minute), None)
        if during and not during.asleep and not during.label.endswith(deed.activity):
            yield Doing(
                deed.start, deed.start, during.address, f"{deed.emoji} {deed.activity}".strip()
            )


def _stays(doings: Sequence[Doing], end: datetime) -> list[Stay]:
    """Return doings grouped by arena; each walk and absence is a stay of its own. A stay ends when
    the next place is left for, the last one at `end`.
    """
    groups: list[list[Doing]] = []
    for doing in doings:
        if (
            groups
            and arena_of(groups[-1][-1].address) == arena_of(doing.address)
            and groups[-1][-1].is_away == doing.is_away
            and doing.label != WALKING
        ):
            groups[-1].append(doing)
        else:
            groups.append([doing])
    ends = [group[0].left for group in groups[1:]] + [end]
    return [
        Stay(
            group[0].start,
            max(_earliest_end(group[-1]), left),
            arena_of(group[0].address),
            tuple(group),
        )
        for group, left in zip(groups, ends, strict=True)
    ]


def _earliest_end(doing: Doing) -> datetime:
    """Return the time before which a stay cannot end: a conversation on the way ends after the
    previous place was left.
    """
    return end_of(doing.conversation) if doing.conversation else doing.start
