"""Attendance of occasions, by rule: author-defined ones, participants, and the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.world.effects import Effect, Promised
from hometown.world.occasion import OCCASION_ORIGIN, ON_TIME, Guest, Occasion
from hometown.world.rows import Promise, Promises
from hometown.world.social import OccasionEnded, OccasionFellThrough, OccasionKnown, OccasionSet
from hometown.world.state import State
from hometown.world.world import Storyline, World, arena_of

HOST_GRACE = timedelta(minutes=30)
"""Time for which the guests of a gathering wait for its hosts before it falls through."""


def set_by_world(world: World, start: datetime) -> Iterator[tuple[str, Effect]]:
    """Yield the future gatherings of the storylines, hosted by the residents who know of them from
    the start, and these hosts' promises to be there; each as (resident, effect), with "" for the
    town. Gatherings without hosts are left out.
    """
    given: dict[str, list[Promise]] = defaultdict(list)
    for story in world.storylines:
        gathering, hosts = story.gathering, hosts_of(world, story)
        if gathering is None or gathering.start <= start or not hosts:
            continue
        minutes = round((gathering.end - gathering.start).total_seconds() / 60)
        guests = tuple(Guest(who, start, part="gives") for who in hosts)
        yield (
            "",
            OccasionSet(
                story.id,
                Occasion(story.title, gathering.place, gathering.start, minutes, guests, story.id),
            ),
        )
        for who in hosts:
            given[who].append(
                Promise(story.title, hosts, gathering.place, gathering.start, minutes, "")
            )
    for who, promises in given.items():
        yield (
            who,
            Promised(who, Promises(tuple(sorted(promises, key=lambda promise: promise.start)))),
        )


def hosts_of(world: World, story: Storyline) -> tuple[str, ...]:
    """Return the residents with a storyline in their own file."""
    return tuple(
        who
        for who, persona in world.personas.items()
        if any(seed.storyline == story.id for seed in persona.seeds)
    )


def attendance(world: World, state: State, now: datetime, stride: int) -> Iterator[Effect]:
    """Yield the arrival of guests at occasions, from `ON_TIME` before their start, the falling
    through of those whose hosts have not come, and the end of occasions that were over a step ago.
    """
    for number, occasion in state.occasions:
        if occasion.start - ON_TIME <= now <= occasion.end:
            for guest in occasion.guests:
                if (
                    guest.came is None
                    and _is_there(world, state, guest.who, occasion.address)
                    and _takes_part(state, guest, number, occasion)
                ):
                    yield OccasionKnown(
                        number, replace(guest, came=_since(state, guest.who, occasion, now))
                    )
            current = state.occasion(number) or occasion
            if current.lacks_host(now) and now >= occasion.start + HOST_GRACE:
                yield OccasionFellThrough(number)
        elif now >= occasion.end + timedelta(minutes=stride):
            yield OccasionEnded(number)


def _is_there(world: World, state: State, who: str, address: str) -> bool:
    """Return True if a resident is in the arena of an address, awake and not walking."""
    body = state.body(who)
    return (
        not state.is_away(who)
        and not body.path
        and world.maze.arena_at(body.tile) == arena_of(address)
        and not state.is_asleep(who)
    )


def _takes_part(state: State, guest: Guest, number: str, occasion: Occasion) -> bool:
    """Return True if a resident at the place of an occasion is there for it: they are expected, have
    it in their plan, or talk with another who knows of it.
    """
    talk, schedule = state.talking(guest.who), state.schedule(guest.who)
    return (
        guest.who in occasion.expected
        or any(entry.origin == f"{OCCASION_ORIGIN}{number}" for entry in schedule.entries)
        or (talk is not None and occasion.guest(talk.partner) is not None)
    )


def _since(state: State, who: str, occasion: Occasion, now: datetime) -> datetime:
    """Return the time since which a guest has been at an occasion: that of their arrival, but at
    the earliest when guests begin to come, and `now` if they have not arrived.
    """
    action = state.action(who)
    arrived = now
    if action.started and arena_of(action.address) == arena_of(occasion.address):
        arrived = action.started
    return min(max(arrived, occasion.start - ON_TIME), now)
