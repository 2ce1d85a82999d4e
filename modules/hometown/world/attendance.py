"""Attendance of occasions, by rule: author-defined ones, participants, and the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.clock import minute_of_day
from hometown.memory.schedule import Entry, planned_room
from hometown.text import contains_name
from hometown.world.effects import Effect, Promised
from hometown.world.occasion import OCCASION_ORIGIN, ON_TIME, Guest, Occasion
from hometown.world.rows import Promise, Promises
from hometown.world.social import OccasionEnded, OccasionFellThrough, OccasionKnown, OccasionSet
from hometown.world.state import State
from hometown.world.world import Storyline, World, arena_of, sector_of

ZH_KIND_LENGTH = 2
"""Characters at the end of a Chinese title that name the kind of an occasion, as 聚会."""

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
                    and _takes_part(world, state, guest, number, occasion, now)
                ):
                    yield OccasionKnown(
                        number, replace(guest, came=_since(state, guest.who, occasion, now))
                    )
            current = state.occasion(number) or occasion
            if current.lacks_host(now) and now >= occasion.start + HOST_GRACE:
                yield OccasionFellThrough(number)
        elif now >= occasion.end + timedelta(minutes=stride):
            yield OccasionEnded(number)


def mentions_occasion(world: World, occasion: Occasion, text: str) -> bool:
    """Return True if a text is about an occasion.

    An occasion of a storyline is recognised by the storyline's words, any other by its purpose and
    place.
    """
    if story := world.storyline(occasion.story):
        return story.is_mentioned_in(text)
    folded = text.casefold()
    return (
        occasion.what.casefold() in folded
        and world.place_name(occasion.address).casefold() in folded
    )


def is_entry_for(world: World, occasion: Occasion, entry: Entry) -> bool:
    """Return True if an activity of a plan is for an occasion: it mentions it, or it leads to the
    house where it is and names its kind, as "joining in the party" does for a birthday party.
    """
    words = occasion.what.split()
    kind = words[-1] if world.lang == "en" else occasion.what[-ZH_KIND_LENGTH:]
    room = planned_room(entry) or arena_of(entry.address)
    return entry.kind == "activity" and (
        mentions_occasion(world, occasion, entry.activity)
        or (
            sector_of(room) == sector_of(occasion.address)
            and contains_name(kind.casefold(), entry.activity.casefold())
        )
    )


def _is_there(world: World, state: State, who: str, address: str) -> bool:
    """Return True if a resident is in the arena of an address, awake and not walking."""
    body = state.body(who)
    return (
        not state.is_away(who)
        and not body.path
        and world.maze.arena_at(body.tile) == arena_of(address)
        and not state.is_asleep(who)
    )


def _takes_part(
    world: World, state: State, guest: Guest, number: str, occasion: Occasion, now: datetime
) -> bool:
    """Return True if a resident at the place of an occasion is there for it: they are expected, have
    it in their plan for this time, or talk with another who knows of it.
    """
    talk, schedule = state.talking(guest.who), state.schedule(guest.who)
    return (
        guest.who in occasion.expected
        or any(entry.origin == f"{OCCASION_ORIGIN}{number}" for entry in schedule.entries)
        or is_entry_for(world, occasion, schedule.at(minute_of_day(now)))
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
