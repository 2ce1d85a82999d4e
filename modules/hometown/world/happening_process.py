"""The course of happenings: residents and helpers work on them, unattended ones grow, and each ends
and may leave damage, whose repair is a happening itself.

What a resident does counts by its role, on which they and the model have decided, never by its
words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.language import Lang
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.text import catalogue
from hometown.text_features import content_units
from hometown.world.befalling import begin_happening, unfold
from hometown.world.effects import Effect
from hometown.world.incidents import (
    Countermeasure,
    Course,
    Happening,
    HappeningBegan,
    HappeningChanged,
    HappeningStopped,
    Role,
    UnfoldingHappening,
)
from hometown.world.state import State
from hometown.world.world import World, arena_of

HELPERS = 3
"""The number of helpers from outside who work on a happening."""

GROWTH = 2
"""The factor by which growth increases the work and the reach of a happening, and its damage."""

DAMAGE_KEY, DAMAGE_WEIGHT, DAMAGE_DAYS = "damage", 6, 14
"""The key and the weight of the damage that a happening leaves, and the days after which it is
repaired without the residents.
"""


def advance_happenings(world: World, state: State, now: datetime, stride: int) -> Iterator[Effect]:
    """Yield the changes of all happenings in the last `stride` minutes, and the ends of those that
    are over, by enough work or by time, with the damage that they leave. All residents there
    perceive an end in the same step.
    """
    for happening in state.happenings:
        before = unfold(happening, now, world.lang)
        after = _advance(world, state, before, now, stride)
        if after.worked >= work_needed(after) > 0 or after.until <= now:
            yield HappeningStopped(after, after.by)
            yield from _leave_damage(world, after, now)
        elif after != happening:
            yield HappeningChanged(after)


def work_needed(happening: UnfoldingHappening) -> int:
    """Return the minutes of one resident's work that end a happening, `GROWTH` times as many once
    it has grown; 0 if no work can.
    """
    return happening.course.effort * (GROWTH if happening.stage == "grown" else 1)


def find_happening(state: State, measure: Countermeasure) -> Happening | None:
    """Return the happening that a measure is about; None if it is over."""
    return next((each for each in state.happenings if measure.is_about(each)), None)


def find_same(state: State, address: str, text: str) -> Happening | None:
    """Return the happening with this place and text; None if there is none."""
    return next((each for each in state.happenings if each.identity == (address, text)), None)


def find_described(state: State, memory: Concept) -> Happening | None:
    """Return the happening that a memory is about; None if it is over, or the memory is about
    something else.
    """
    return next((each for each in state.happenings if is_described(each, memory)), None)


def is_described(happening: Happening, memory: Concept) -> bool:
    """Return True if a memory is about a happening, by its subject and its words."""
    return happening.address == memory.subject and happening.is_mentioned_in(memory.text)


def find_workers(world: World, state: State, happening: Happening) -> tuple[str, ...]:
    """Return the residents who are doing something that helps against a happening, where it is."""
    return tuple(who for who in world.personas if is_working_on(world, state, who, happening))


def is_working_on(world: World, state: State, who: str, happening: Happening) -> bool:
    """Return True if a resident is doing something that helps against a happening, where it is."""
    return _is_carrying_out(world, state, who, happening, "helps")


def is_done_with_measure(state: State, who: str) -> bool:
    """Return True if a resident's act is one against a happening that is over."""
    measure = state.measure(who)
    if measure is None or measure.what != state.action(who).activity:
        return False
    return find_happening(state, measure) is None


def find_closing(state: State, arena: str) -> UnfoldingHappening | None:
    """Return the happening that keeps the things of an arena from being used; None if none does."""
    return next(
        (
            each
            for each in state.happenings
            if isinstance(each, UnfoldingHappening)
            and each.course.closes
            and arena_of(each.address) == arena
        ),
        None,
    )


def find_closure(state: State, arena: str) -> str:
    """Return the text of the happening that keeps the things of an arena from being used; "" if
    none does.
    """
    closing = find_closing(state, arena)
    return closing.clause if closing else ""


def _advance(
    world: World, state: State, before: UnfoldingHappening, now: datetime, stride: int
) -> UnfoldingHappening:
    """Return a happening after the last `stride` minutes: the work of residents who help and of the
    helpers, less that of those who worsen it; those who helped, or whose call has brought
    helpers; and the time at which these arrive.
    """
    minutes = {
        who: _count_minutes(world, state, who, before, "helps", now, stride)
        for who in world.personas
    }
    spoilt = sum(
        _count_minutes(world, state, who, before, "worsens", now, stride) for who in world.personas
    )
    callers = tuple(who for who in world.personas if _is_calling_help(state, who, before))
    helped = HELPERS * _minutes_since(before.called, now, stride) if before.called else 0
    done = sum(minutes.values()) + helped
    joined = (who for who in world.personas if minutes[who] or (helped and who in callers))
    by = tuple(dict.fromkeys((*before.by, *joined)))
    called = before.called
    if callers and called is None and before.course.helpers:
        called = now + timedelta(minutes=before.course.help_minutes)
    after = replace(before, worked=max(before.worked + done - spoilt, 0), by=by, called=called)
    return _set_stage(after, now, is_held=done > spoilt)


def _set_stage(happening: UnfoldingHappening, now: datetime, is_held: bool) -> UnfoldingHappening:
    """Return a happening at its stage: grown, with a larger reach, if it has lasted long enough and
    nobody has worked on it now, and then for good; held while residents work on it; else begun.
    """
    grows = happening.course.grows
    if happening.stage == "grown":
        return happening
    if is_held:
        return replace(happening, stage="held")
    if not grows or now - happening.since < timedelta(minutes=grows):
        return replace(happening, stage="begun")
    return replace(happening, stage="grown", reach=happening.reach * GROWTH)


def _leave_damage(world: World, over: UnfoldingHappening, now: datetime) -> Iterator[Effect]:
    """Yield the beginning of the repair of the damage that a happening has left; none without any."""
    course, arena = over.course, arena_of(over.address)
    if not course.damage or not course.repair:
        return
    texts = catalogue(world.lang, "mind")
    repair = Course(
        key=DAMAGE_KEY,
        weight=DAMAGE_WEIGHT,
        minutes=DAMAGE_DAYS * 24 * 60,
        effort=course.repair * (GROWTH if over.stage == "grown" else 1),
        means=(course.mending,) if course.mending else (texts["repairing_damage"],),
        closes=course.closes,
        over=texts["repaired"],
    )
    text = texts["left_damaged"].format(place=world.place_name(arena), state=course.damage)
    yield HappeningBegan(begin_happening(arena, text, repair, now))


def _count_minutes(
    world: World,
    state: State,
    who: str,
    happening: Happening,
    role: Role,
    now: datetime,
    stride: int,
) -> int:
    """Return for how many of the last `stride` minutes a resident was carrying out a measure of a
    role against a happening; 0 if they are not doing so now.
    """
    measure, action = state.measure(who), state.action(who)
    if not _is_carrying_out(world, state, who, happening, role):
        return 0
    assert action.started is not None
    decided = measure.when if measure and measure.what == action.activity else action.started
    end = min(now, action.started + timedelta(minutes=action.minutes))
    start = max(action.started, decided, now - timedelta(minutes=stride))
    return max(int((end - start).total_seconds()) // 60, 0)


def _is_carrying_out(
    world: World, state: State, who: str, happening: Happening, role: Role
) -> bool:
    """Return True if a resident is doing what they last decided to do about a happening, if that
    has this role (its effect, such as "helps"), or is mending damage by a plan of their own, where
    it is, and no conversation keeps them.
    """
    measure, action = state.measure(who), state.action(who)
    is_decided = (
        measure is not None
        and measure.role == role
        and measure.is_about(happening)
        and measure.what == action.activity
    )
    return (
        (is_decided or (role == "helps" and _is_mending(action, happening, world.lang)))
        and action.started is not None
        and state.talking(who) is None
        and not state.is_away(who)
        and world.maze.arena_at(state.body(who).tile) == arena_of(happening.address)
    )


def _is_mending(action: Action, happening: Happening, lang: Lang) -> bool:
    """Return True if an act has a word for an act of the work by which damage is repaired."""
    if not isinstance(happening, UnfoldingHappening) or happening.course.key != DAMAGE_KEY:
        return False
    work = content_units(" ".join(happening.course.means))
    shared = work & content_units(action.activity)
    return any(re.fullmatch(catalogue(lang, "mind")["act_word"], unit) for unit in shared)


def _minutes_since(start: datetime, now: datetime, stride: int) -> int:
    """Return the minutes from `start` until now, between 0 and `stride`."""
    return min(max(int((now - start).total_seconds()) // 60, 0), stride)


def _is_calling_help(state: State, who: str, happening: Happening) -> bool:
    """Return True if a resident has decided to call help against a happening."""
    measure = state.measure(who)
    return measure is not None and measure.role == "calls" and measure.is_about(happening)
