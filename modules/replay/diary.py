"""What a resident did in a day, as a reader wants it told: stays at places, each with what was done there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from modules.clock import DAY, at_minute
from modules.memory.action import Action
from modules.replay.frames import TALKING, WALKING, end_of, labelled
from modules.replay.reader import RunReader
from modules.world.talk import Talk
from modules.world.world import arena_of


@dataclass(frozen=True, slots=True)
class Doing:
    """Something done from `start` on; for its sake the place before was left at `left`.

    `label` is what was done, with its emoji; for a talk and for a way it is the emoji alone.
    """

    left: datetime
    start: datetime
    address: str
    label: str
    asleep: bool = False
    talk: Talk | None = None


@dataclass(frozen=True, slots=True)
class Stay:
    """A time at one place. The gap to the next stay is the way there."""

    start: datetime
    end: datetime
    address: str
    doings: tuple[Doing, ...]

    def waking(self) -> timedelta:
        """The part of it that was not slept."""
        ends = [doing.start for doing in self.doings[1:]] + [self.end]
        return sum((end - doing.start for doing, end in zip(self.doings, ends, strict=True) if not doing.asleep), timedelta())


def days_of(run: RunReader, last: int) -> list[date]:
    """The dates that steps 1 to `last` touch, at least the first one."""
    first = run.manifest.start.date()
    end = max(run.moment(last) - timedelta(seconds=1), run.manifest.start).date()
    return [first + timedelta(days=number) for number in range((end - first).days + 1)]


def steps_of(run: RunReader, day: date, last: int) -> tuple[int, int]:
    """The first and the last of steps 1 to `last` that touch a date."""
    before = (at_minute(day, 0) - run.manifest.start) // timedelta(minutes=1)
    stride = run.manifest.stride
    return max(before, 0) // stride + 1, min(-(-(before + DAY) // stride), last)


def stays(run: RunReader, who: str, day: date, last: int, talks: Iterable[Talk]) -> list[Stay]:
    """A resident's day up to step `last`, in order. `talks` are those begun on that day."""
    midnight, end = at_minute(day, 0), min(at_minute(day, DAY), run.moment(last))
    first_step, last_step = steps_of(run, day, last)
    versions = [(max(run.moment(step - 1), midnight), action) for step, action in run.actions_of(who, first_step, last_step)]
    doings = _acts(_merged(versions), midnight, end)
    doings += [Doing(talk.started, talk.started, talk.address, TALKING, talk=talk) for talk in talks if who in (talk.opener, talk.partner)]
    return _stays(sorted(doings, key=lambda doing: doing.start), end)


def awake(life: Sequence[Stay]) -> list[tuple[datetime, datetime]]:
    """From when to when a resident was up, going by its stays: once, as a rule, but some see midnight and some take naps."""
    spans: list[tuple[datetime, datetime]] = []
    up: datetime | None = None
    for doing in (doing for stay in life for doing in stay.doings):
        if doing.asleep and up is not None:
            spans.append((up, doing.start))
            up = None
        elif not doing.asleep and up is None:
            up = doing.left
    return spans if up is None else [*spans, (up, life[-1].end)]


def haunt(life: Sequence[Stay]) -> str:
    """Address of the place where a resident spent the most of its waking time, the earlier one on a tie; "" if it slept all through."""
    spent: Counter[str] = Counter()
    for stay in life:
        spent[stay.address] += stay.waking() // timedelta(seconds=1)
    address, seconds = max(spent.items(), key=lambda item: item[1], default=("", 0))
    return address if seconds else ""


def _merged(versions: Iterable[tuple[datetime, Action]]) -> list[tuple[datetime, Action]]:
    """Neighbours of one activity at one place as one, with its first arrival: the row changes on arrival and after a talk, too."""
    merged: list[tuple[datetime, Action]] = []
    for since, action in versions:
        before = merged[-1] if merged else None
        if before is None or (before[1].activity, before[1].address) != (action.activity, action.address):
            merged.append((since, action))
        elif before[1].started is None:
            merged[-1] = (before[0], action)
    return merged


def _acts(versions: Sequence[tuple[datetime, Action]], midnight: datetime, end: datetime) -> list[Doing]:
    """What was begun in fact; of what was only set out for, the last."""
    doings = []
    for left, action in versions:
        if action.started is not None and action.started < end:
            doings.append(Doing(left, max(action.started, midnight), action.address, labelled(action), action.kind == "sleep"))
        elif action is versions[-1][1]:
            doings.append(Doing(left, left, action.address, WALKING))
    return doings


def _stays(doings: Sequence[Doing], end: datetime) -> list[Stay]:
    groups: list[list[Doing]] = []
    for doing in doings:
        if groups and arena_of(groups[-1][-1].address) == arena_of(doing.address) and doing.label != WALKING:
            groups[-1].append(doing)
        else:
            groups.append([doing])
    ends = [group[0].left for group in groups[1:]] + [end]
    return [
        Stay(group[0].start, max(_earliest_end(group[-1]), left), arena_of(group[0].address), tuple(group)) for group, left in zip(groups, ends, strict=True)
    ]


def _earliest_end(doing: Doing) -> datetime:
    """A talk on the way ends later than the place before was left."""
    return end_of(doing.talk) if doing.talk else doing.start
