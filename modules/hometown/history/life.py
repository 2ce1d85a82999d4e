"""Measures of lifelike behaviour in a run: getting up near the usual time, presence at work,
variety of activities and places, company.

A run without a single unusable reply can still be lifeless: all residents may sleep until evening,
or have breakfast all day. The measures are computed from the residents' actions, so that they do
not depend on the model.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import pairwise
from math import ceil
from typing import TypeVar

from hometown.clock import DAY, at_minute
from hometown.errors import BadRun
from hometown.frozen import frozen
from hometown.history.loops import is_repeatable, normalize
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.memory.action import Action
from hometown.prompt.mending import cut_into_sentences
from hometown.world import keys
from hometown.world.maze import OUTDOORS, Tile
from hometown.world.persona import Persona
from hometown.world.rows import Body
from hometown.world.work import is_at_work, workplace
from hometown.world.world import World, sector_of

T = TypeVar("T")

NEAR_HABIT = 120
"""Maximum distance in minutes from the usual time at which getting up counts as "near habit"."""


@frozen
class ResidentLife:
    """One resident's measures over a run.

    `mornings` are days on which the usual time of getting up and the two hours after it lie in the
    run, `on_time` those on which the resident got up within two hours of it. `work_minutes` are the
    working minutes by their habits, `at_work` those of them that they spent there. `activities` and
    `places` count activities with different wordings, and the buildings and open places in which
    they began.
    """

    who: str
    mornings: int
    on_time: int
    work_minutes: int
    at_work: int
    activities: int
    places: int


@frozen
class Life:
    """A run's measures. `conversations` counts those that have ended; `repeated` is the most
    frequent sentence, `times` its frequency.
    """

    residents: tuple[ResidentLife, ...]
    conversations: int
    repeated: str
    times: int

    @property
    def on_time_share(self) -> float:
        """Share of the mornings on which residents got up within two hours of habit, 0–1; 1 if no
        morning lies in the run.
        """
        return _share(
            sum(each.on_time for each in self.residents),
            sum(each.mornings for each in self.residents),
        )

    @property
    def work_share(self) -> float:
        """Share of the working time that is spent at work, 0–1; 1 if the run has no working
        time.
        """
        return _share(
            sum(each.at_work for each in self.residents),
            sum(each.work_minutes for each in self.residents),
        )

    @property
    def fewest_activities(self) -> int:
        """Number of different activities of the resident with the fewest."""
        return min((each.activities for each in self.residents), default=0)

    @property
    def fewest_places(self) -> int:
        """Number of different buildings and open places of the resident with the fewest."""
        return min((each.places for each in self.residents), default=0)


def _share(part: int, whole: int) -> float:
    """Return the share of a part in a whole; 1 for an empty whole."""
    return part / whole if whole else 1.0


def life_of(run: RunReader, last: int | None = None) -> Life:
    """Return the measures of a run up to step `last`, by default its last one.

    Raises:
        BadRun: The world of the run cannot be read.
    """
    names = Names.of(run)
    if names.world is None:
        raise BadRun(
            "run {name} cannot be measured without its world: {reason}",
            name=run.manifest.name,
            reason=names.missing,
        )
    last = run.last_step() if last is None else last
    held = run.conversations(1, last)
    ended = sum(
        1 for each in held if each.started + timedelta(minutes=each.minutes) <= run.moment(last)
    )
    repeated, times = _find_most_repeated(run, last)
    return Life(
        tuple(_resident_life(run, names.world, who, last) for who in run.residents_at(last)),
        ended,
        repeated,
        times,
    )


def _resident_life(run: RunReader, world: World, who: str, last: int) -> ResidentLife:
    """Return one resident's measures up to step `last`."""
    persona = world.personas[who]
    actions = run.actions_of(who, 0, last)
    mornings = [
        usual
        for usual in _mornings(run, persona, last)
        if _is_in_town(actions, (usual - run.manifest.start) // _stride(run))
    ]
    risen = [
        run.moment(step)
        for (_, before), (step, after) in pairwise(actions)
        if before.kind == "sleep" != after.kind
    ]
    work_minutes, at_work = _work(run, world, persona, actions, last)
    return ResidentLife(
        who=who,
        mornings=len(mornings),
        on_time=sum(
            1
            for usual in mornings
            if any(abs(up - usual) <= timedelta(minutes=NEAR_HABIT) for up in risen)
        ),
        work_minutes=work_minutes,
        at_work=at_work,
        activities=len({normalize(action.activity) for action in _select_activities(actions)}),
        places=len(
            {sector_of(action.address) for action in _select_activities(actions)}
            - {sector_of(OUTDOORS)}
        ),
    )


def _select_activities(actions: Versions[Action]) -> Iterator[Action]:
    """Yield the actions at whose place the resident has arrived, without sleeping and waiting."""
    return (action for _, action in actions if action.kind == "act" and action.started)


def _days(run: RunReader, last: int) -> Iterator[date]:
    """Yield the dates from the start of a run to the end of step `last`."""
    first = run.manifest.start.date()
    return (
        first + timedelta(days=number)
        for number in range((run.moment(last).date() - first).days + 1)
    )


def _mornings(run: RunReader, persona: Persona, last: int) -> Iterator[datetime]:
    """Yield the usual times of getting up that lie in the run with two hours after them."""
    usual = (at_minute(day, persona.wake) for day in _days(run, last))
    return (
        time
        for time in usual
        if run.manifest.start <= time and time + timedelta(minutes=NEAR_HABIT) <= run.moment(last)
    )


def _work(
    run: RunReader, world: World, persona: Persona, actions: Versions[Action], last: int
) -> tuple[int, int]:
    """Return the working minutes by a resident's habits while they are in town, and those of them
    spent at work; each step counts by the place at its end.
    """
    bodies: Versions[Tile] = [
        (step, row.tile)
        for step, row in run.versions(keys.BODY.of(persona.id), 0, last)
        if isinstance(row, Body)
    ]
    due = there = 0
    for day in _days(run, last):
        habits = persona.habits_on(day)
        work = workplace(habits, persona.home)
        hours = [
            (habit.start, habit.end)
            for habit in habits
            if work and is_at_work(habit.place, work, persona.home)
        ]
        for step in _steps_of(run, day, last):
            moment = run.moment(step)
            minute = moment.hour * 60 + moment.minute
            tile = _in_force(bodies, step)
            is_due = any(start <= minute < end for start, end in hours)
            if tile and is_due and _is_in_town(actions, step):
                due += run.manifest.stride
                there += run.manifest.stride * is_at_work(
                    world.maze.arena_at(tile), work, persona.home
                )
    return due, there


def _is_in_town(actions: Versions[Action], step: int) -> bool:
    """Return True if a resident is in town after a step."""
    action = _in_force(actions, step)
    return action is not None and action.kind != "away"


def _in_force(versions: Versions[T], step: int) -> T | None:
    """Return the version in force after a step; None before the first."""
    at = bisect_right(versions, step, key=lambda version: version[0])
    return versions[at - 1][1] if at else None


def _stride(run: RunReader) -> timedelta:
    """Return the duration of a step."""
    return timedelta(minutes=run.manifest.stride)


def _steps_of(run: RunReader, day: date, last: int) -> range:
    """Return the steps up to `last` that end on a day; one that ends at midnight is of the day that
    begins.
    """
    start = run.manifest.start
    first, end = ((at_minute(day, minute) - start) / _stride(run) for minute in (0, DAY))
    return range(max(1, ceil(first)), min(last + 1, ceil(end)))


def _find_most_repeated(run: RunReader, last: int) -> tuple[str, int]:
    """Return the sentence that all residents together said or thought most often, in its first
    wording, and the number of times; ("", 0) if there is none that is long enough.
    """
    texts = [line.text for held in run.conversations(1, last) for line in held.lines]
    texts += [memory.concept.text for memory in run.memories(1, last, ("thought",))]
    spoken = [
        sentence
        for text in texts
        for sentence in map(str.strip, cut_into_sentences(text))
        if is_repeatable(sentence)
    ]
    counts = Counter(map(normalize, spoken))
    if not counts:
        return "", 0
    key, times = counts.most_common(1)[0]
    return next(sentence for sentence in spoken if normalize(sentence) == key), times
