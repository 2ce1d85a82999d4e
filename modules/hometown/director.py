"""The director: a model that may plant one thing a day from outside, so that an open matter moves.

It reads the open matters of the town. It writes to no mind: all that it plants is a happening,
which those who are there perceive, a letter, which its reader finds at home, or a stranger, a
resident who enters by the road with a mind of their own and leaves at a set time or stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from hometown.prompt.director_prompt import DirectorVars, OpenMatter, OpenPlace
from hometown.prompt.newcomers import PRONOUNS
from hometown.prompt.prompt import Situation
from hometown.prompt.stranger_drafts import LENGTHS, StrangerReply, StrangerVars
from hometown.rng import stream
from hometown.settings import TownSettings
from hometown.world import keys
from hometown.world.approaches import Note, NoteLeft
from hometown.world.bond import Bond
from hometown.world.carrying_out import begin_event, leave_town
from hometown.world.cast_names import fill_in_names
from hometown.world.director_moves import DirectorAsked, DirectorMove
from hometown.world.effects import Effect, Mapped
from hometown.world.incidents import Course, HappeningBegan, LawChanged, MovedIn
from hometown.world.interventions import Intervention
from hometown.world.state import State
from hometown.world.strangers import (
    describe_stranger,
    enter_by_road,
    find_free_bed,
    name_stranger,
)
from hometown.world.world import World, sector_of

HOURS = (8, 20)
"""The hours of the day from which, and before which, the director may be asked."""

MOST_MATTERS, MOST_OF_A_KIND, MOST_PLACES, MOST_EARLIER = 20, 5, 12, 10
"""Maximum numbers of open matters, of those of one kind, of places, and of earlier moves that the
director is shown.
"""

LAST_HOUR = 21
"""The hour at which a stranger leaves at the latest."""

DirectorEffect = DirectorAsked | HappeningBegan | NoteLeft | LawChanged | MovedIn | Mapped
"""The effects of a move. None of them belongs to a mind, but for those by which a stranger begins."""


def is_director_due(settings: TownSettings, world: World, state: State, seed: int) -> bool:
    """Return True if the director is to be asked in this step: at an hour drawn for each day, or
    later on that day while it is too lively.
    """
    now, before = state.clock.now, state.row(keys.DIRECTOR.key)
    if settings.director == "off" or not HOURS[0] <= now.hour < HOURS[1]:
        return False
    if before and before.asked.date() == now.date():
        return False
    hour = stream(seed, now.toordinal(), "director hour").randrange(*HOURS)
    return now.hour >= hour and (settings.director == "daily" or _is_quiet(world, state))


def _is_quiet(world: World, state: State) -> bool:
    """Return True if nothing has happened since yesterday, and no gathering is due today."""
    now = state.clock.now
    since = now - timedelta(days=1)
    return (
        not state.happenings
        and not any(ended.when > since for ended in state.stopped_happenings)
        and not any(
            occasion.gathers and occasion.start.date() == now.date()
            for _, occasion in state.occasions
        )
        and not any(
            story.gathering and story.gathering.start.date() == now.date()
            for story in world.storylines
        )
    )


def ask_director(world: World, state: State, situation: Situation, seed: int) -> DirectorVars:
    """Return the variables of the question for a move: the open matters, the places and residents
    to choose from, and what was planted before.
    """
    before = state.row(keys.DIRECTOR.key)
    earlier = before.items[-MOST_EARLIER:] if before else ()
    people = tuple((who, world.name_of(who)) for who in _list_residents(world, state))
    return DirectorVars(
        situation,
        tuple(islice(_list_matters(world, state, seed), MOST_MATTERS)),
        _list_places(world, state, seed),
        people,
        tuple(move.text for move in earlier),
        strangers=world.book is None,
    )


def ask_stranger(world: World, situation: Situation, seen: str) -> StrangerVars:
    """Return the variables of the question for a person who comes, as they are first seen; the
    situation is that at the place.
    """
    names = tuple(name for _, name in world.names)
    return StrangerVars(situation, seen, names, bool(find_free_bed(world)))


def as_stranger(
    world: World, move: DirectorMove, reply: StrangerReply
) -> tuple[DirectorMove | None, str]:
    """Return a move with the id of its stranger and the time at which they leave, and their file in
    JSON; None and "" for a reply without a person.
    """
    if not reply.name:
        return None, ""
    until = None
    if reply.hours or not find_free_bed(world):
        latest = move.when.replace(hour=LAST_HOUR, minute=0)
        until = min(move.when + timedelta(hours=max(reply.hours, 1)), latest)
    texts = {field: getattr(reply, field) for field in ("name", *LENGTHS)}
    pronouns = PRONOUNS[world.lang][reply.pronoun]
    person = describe_stranger(world, texts, pronouns, reply.age, move.target, until)
    return replace(move, who=name_stranger(world), until=until), person


def carry_out_move(
    world: World,
    state: State,
    move: DirectorMove | None,
    planted: Course | str | None,
    now: datetime,
    expire_days: int,
) -> Iterator[Effect]:
    """Yield the record that the director was asked, and the effects of its move, if it made one: a
    happening, a letter, or a stranger who enters.

    Args:
        world: the town's world.
        state: the town.
        move: the move.
        planted: the course of a happening; of a stranger, their file in JSON.
        now: the time.
        expire_days: the days for which memories are kept.
    """
    yield DirectorAsked(now, move)
    if move is None:
        return
    if move.kind == "letter":
        home = sector_of(world.personas[move.target].home)
        yield NoteLeft(home, Note("", move.target, move.text, now))
    elif isinstance(planted, str):
        yield from enter_by_road(world, move.who, planted, now, expire_days)
    else:
        yield begin_event(world, state, as_event(move), now, planted)


def see_off_strangers(world: World, state: State, now: datetime, stride: int) -> Iterator[Effect]:
    """Yield the effects by which strangers leave whose time has come in the last `stride` minutes."""
    moves = state.row(keys.DIRECTOR.key)
    for move in moves.items if moves else ():
        if move.until and now - timedelta(minutes=stride) < move.until <= now:
            yield from leave_town(world, state, move.who, now)


def as_event(move: DirectorMove) -> Intervention:
    """Return a move in a place as the intervention by which a user would stage the same."""
    return Intervention("event", move.target, move.text)


def _list_places(world: World, state: State, seed: int) -> tuple[OpenPlace, ...]:
    """Return the places that are open to all, those with the most people awake first; of those with
    as many, a selection that differs from day to day.
    """
    awake = [who for who in world.personas if not state.is_away(who) and not state.is_asleep(who)]
    arenas = [world.maze.arena_at(state.body(who).tile) for who in awake]
    places = [
        OpenPlace(address, world.place_name(address), arenas.count(address))
        for address, arena in world.arenas.items()
        if arena.public
    ]
    stream(seed, state.clock.now.toordinal(), "director places").shuffle(places)
    return tuple(sorted(places, key=lambda place: -place.people)[:MOST_PLACES])


def _list_matters(world: World, state: State, seed: int) -> Iterator[OpenMatter]:
    """Yield the open matters of a town, of each kind but the last at most `MOST_OF_A_KIND`: what
    happens, quarrels, wishes, threads of stories, occasions to come, and then what occupies
    residents, in an order that differs from day to day.
    """
    for matters in (
        _list_happenings(world, state),
        _list_quarrels(world, state),
        _list_wishes(world, state),
        _list_threads(world, state),
        _list_occasions(world, state),
    ):
        yield from islice(matters, MOST_OF_A_KIND)
    people = _list_residents(world, state)
    stream(seed, state.clock.now.toordinal(), "director people").shuffle(people)
    for who in people:
        if currently := state.mind(who).currently:
            yield OpenMatter("concern", currently, _name(world, [who]))


def _list_residents(world: World, state: State) -> list[str]:
    """Return the residents in town, without visitors, whose minds read no letters."""
    return [who for who in world.personas if not state.is_away(who) and not world.is_visitor(who)]


def _list_happenings(world: World, state: State) -> Iterator[OpenMatter]:
    for each in state.happenings:
        yield OpenMatter("happening", each.text, where=world.place_name(each.address))


def _list_quarrels(world: World, state: State) -> Iterator[OpenMatter]:
    """Yield the pairs of residents between whom something has come, each once."""
    rows: Iterable[tuple[str, Bond]] = keys.BOND.select(state.rows)
    pairs = {frozenset(pair.split("/")) for pair, bond in rows if bond.rift}
    for pair in sorted(map(sorted, pairs)):
        yield OpenMatter("quarrel", "", _name(world, pair))


def _list_wishes(world: World, state: State) -> Iterator[OpenMatter]:
    for who in world.personas:
        for wish in state.wishes(who):
            if wish.is_open:
                yield OpenMatter("wish", wish.text, _name(world, [who]))


def _list_threads(world: World, state: State) -> Iterator[OpenMatter]:
    threads = state.row(keys.THREADS.key)
    plots = world.book.threads if world.book else {}
    for thread in threads.items if threads else ():
        if plot := plots.get(thread.plot):
            title = fill_in_names(world, plot.title[world.lang], thread.cast)
            yield OpenMatter("storyline", title, _name(world, [who for _, who in thread.cast]))


def _list_occasions(world: World, state: State) -> Iterator[OpenMatter]:
    for _, occasion in state.occasions:
        yield OpenMatter(
            "occasion",
            occasion.what,
            _name(world, occasion.expected),
            world.place_name(occasion.address),
            occasion.start,
        )


def _name(world: World, people: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(world.name_of, people))
