"""What cannot be passed over: something noticed or heard that matters, and what is done about it
(Park et al. 2023, §4.3.1).

A rule decides what is worth the question: it weighs enough, is new, and has been perceived, or else
concerns the resident. The reply may change the rest of the day, in the way in which an inner voice
does.
"""

from __future__ import annotations

from collections.abc import Sequence

from hometown.agent.act import decide, in_reach, upcoming
from hometown.agent.concern import own, own_houses
from hometown.agent.intent import Intent
from hometown.agent.mind import Mind, concepts
from hometown.agent.perceive import take_in
from hometown.agent.places import meeting_places
from hometown.agent.reconsider import REACTION
from hometown.clock import DAY, minutes_between
from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.event import Event
from hometown.memory.schedule import Entry
from hometown.prompt.noticing import WAIT, Neighbour
from hometown.prompt.responding import (
    DO,
    LONGEST,
    RESPOND,
    SHORTEST,
    Matter,
    RespondReply,
    RespondVars,
)
from hometown.world.befalling import ConditionKind, HappeningKind, happening_kind
from hometown.world.effects import Reconsidered, Rescheduled, TalkEnded
from hometown.world.work import workplace
from hometown.world.world import arena_of

HEAVY, GRAVE = 6, 8
"""Poignancy from which on something cannot be passed over, or one point less if one is told of
one's own; and that comes before appointments and sleep.
"""

FRESH = 60
"""Minutes for which something may still call for a decision."""

LOOKED_BACK = 12
"""Latest events among which something is looked for that matters."""

REMEMBERED = 200
"""Latest events among which a happening is looked for that one is told of again: those of about a
day.
"""

MOST, LISTENERS, RECALLED, PLAN_AHEAD = 3, 3, 3, 3
"""Matters, people to talk to, memories and coming entries of the schedule that the prompt lists at
most.
"""


@frozen
class Pressing:
    """A memory about which something has to be decided. `address` is where it is, as far as that is
    known; `kind` that of a thing's condition.
    """

    memory: Concept
    address: str
    kind: ConditionKind | None = None


def stirred(mind: Mind, noticed: Sequence[Event]) -> bool:
    """Whether there may be something to decide before the day goes on."""
    return any(event.unusual for event in noticed) or bool(pressing(mind))


def breaks_off(mind: Mind, noticed: Sequence[Event]) -> bool:
    """Whether a conversation is broken off, which ends it for both: for what is grave by rule."""
    talking, grave = mind.state.talking(mind.who), any(event.weight >= GRAVE for event in noticed)
    if talking and grave:
        for who in (mind.who, talking.partner):
            mind.do(TalkEnded(who), "rule:alarm")
    return grave


async def respond(mind: Mind, noticed: Sequence[Event]) -> Intent:
    """What to do after something unusual; what the day has in store, if it does not matter enough."""
    await take_in(mind, noticed)
    found = pressing(mind)
    if not found:
        return await decide(mind, ())
    reply, cause, asked = await _ask(mind, found)
    mind.do(Reconsidered(mind.who, max(one.memory.id for one in found)), cause)
    if reply.decision == DO:
        _replan(mind, reply, asked, found[0], cause)
    elif reply.decision == WAIT:
        return Intent(_stay(mind), cause=cause)
    routine = await decide(mind, ())
    if reply.partner is None:
        return routine
    return Intent(
        partner=asked.neighbours[reply.partner].id,
        topic=reply.what or found[0].memory.text,
        cause=cause,
        second=routine,
    )


# what matters ------------------------------------------------------------------------------


def pressing(mind: Mind) -> list[Pressing]:
    """What has come up and nothing has been decided about, the heaviest first."""
    decided = mind.state.pondered(mind.who)
    recent = mind.state.memory(mind.who).recent(("event",), LOOKED_BACK)
    new = [
        memory
        for memory in recent
        if memory.id > decided
        and minutes_between(memory.created, mind.now) < FRESH
        and not mind.me.began_with(memory.id)
    ]
    found = [
        one
        for memory in new
        if memory.poignancy >= HEAVY - bool(memory.talk) and (one := _as_pressing(mind, memory))
    ]
    return sorted(found, key=lambda one: (-one.memory.poignancy, -one.memory.id))[:MOST]


def _as_pressing(mind: Mind, memory: Concept) -> Pressing | None:
    """Something perceived, or news of what happens to the resident's own; None for what is no
    longer so, and for all other news.
    """
    if not memory.talk:
        if memory.subject not in mind.world.things or memory.predicate == memory.text:
            return Pressing(
                memory, memory.subject if memory.subject in mind.world.arenas else memory.address
            )
        still = (
            dict(mind.state.known_things(mind.who, memory.address).things).get(memory.subject)
            == memory.predicate
        )
        return (
            Pressing(
                memory, memory.subject, mind.world.condition_kind(memory.subject, memory.predicate)
            )
            if still
            else None
        )
    house = next(
        (
            house
            for house in own_houses(mind)
            if mind.world.sectors[house].name.casefold() in memory.text.casefold()
        ),
        "",
    )
    if not house:
        return None
    if kind := happening_kind(memory.text, mind.world.lang):
        return (
            None
            if _is_known(mind, memory, kind, house)
            else Pressing(memory, mind.world.sectors[house].arenas[0])
        )
    return _own_thing_told_of(mind, memory, house)


def _is_known(mind: Mind, news: Concept, kind: HappeningKind, house: str) -> bool:
    """Whether the resident has seen or heard before of such a happening in that house, so that the
    news is none.
    """
    name = mind.world.sectors[house].name.casefold()
    earlier = (
        memory
        for memory in mind.state.memory(mind.who).recent(("event",), REMEMBERED)
        if memory.id < news.id and memory.talk != news.talk
    )
    return any(
        happening_kind(memory.text, mind.world.lang) == kind
        and (name in memory.text.casefold() or memory.subject.startswith(f"{house}/"))
        for memory in earlier
    )


def _own_thing_told_of(mind: Mind, memory: Concept, house: str) -> Pressing | None:
    """News of a thing that the resident knows, in a house of its own."""
    for arena in mind.world.sectors[house].arenas:
        for address, _ in mind.state.known_things(mind.who, arena).things:
            told_of = mind.words.spot(address).casefold() in memory.text.casefold()
            kind = mind.world.condition_kind(address, memory.text) if told_of else None
            if kind and kind.key:
                return Pressing(memory, address, kind)
    return None


def _as_matter(mind: Mind, one: Pressing, places: Sequence[tuple[str, str]]) -> Matter:
    memory, kind = one.memory, one.kind
    here = arena_of(one.address) == mind.arena if one.address else False
    happening = happening_kind(memory.text, mind.world.lang)
    return Matter(
        memory.text,
        "told" if memory.talk else "seen" if here or kind else "heard",
        kind.key if kind else happening.key if happening else "",
        next(
            (number for number, (address, _) in enumerate(places, 1) if address == one.address), 0
        ),
        here,
        bool(one.address) and own(mind, one.address),
        kind.remedy.replace("{thing}", mind.world.name_of(one.address)) if kind else "",
        kind.minutes if kind else 0,
    )


# what is done about it ---------------------------------------------------------------------


async def _ask(mind: Mind, found: Sequence[Pressing]) -> tuple[RespondReply, str, RespondVars]:
    recalled = await mind.recall(
        [one.memory.text for one in found],
        count=min(RECALLED, mind.settings.associate.retrieve_max),
    )
    places = _places(mind, found)
    variables = RespondVars(
        mind.situation, tuple(_as_matter(mind, one, places) for one in found), _listeners(mind), places,
        concepts(recalled), upcoming(mind)[:PLAN_AHEAD], mind.state.is_asleep(mind.who),
    )  # fmt: skip
    return await mind.ask_by_number(RESPOND, variables, recalled)


def _places(mind: Mind, found: Sequence[Pressing]) -> tuple[tuple[str, str], ...]:
    """Where it is, one's home and work, and public places, named so that nothing is listed twice."""
    world, home = mind.world, mind.me.home
    scenes = {
        one.address: mind.words.spot(one.address)
        if one.address in world.things
        else world.place_name(one.address)
        for one in found
        if one.address
    }
    work = workplace(mind.me.habits, home)
    others = {address: world.place_name(address) for address in (home, work) if address}
    return tuple(
        (scenes | others | dict(meeting_places(mind, [one.memory.text for one in found]))).items()
    )


def _listeners(mind: Mind) -> tuple[Neighbour, ...]:
    """Who could be spoken to now, nearest first."""
    return () if mind.state.is_asleep(mind.who) else in_reach(mind)[:LISTENERS]


def _replan(
    mind: Mind, reply: RespondReply, asked: RespondVars, first: Pressing, cause: str
) -> None:
    """Lays what is to be done over the rest of the day; what is not grave leaves room for
    appointments and sleep.
    """
    address = asked.places[reply.where - 1][0] if reply.where else mind.arena
    kind = first.kind if address == first.address else None
    minutes = (
        max(reply.minutes, kind.minutes) if kind and kind.rights(reply.what) else reply.minutes
    )
    if kind and kind.forbids and not kind.rights(reply.what):
        address = arena_of(address)
    schedule, until = mind.state.schedule(mind.who), DAY
    if first.memory.poignancy < GRAVE:
        coming = (
            schedule.next_of("appointment", mind.minute),
            schedule.next_of("sleep", mind.minute),
        )
        until = min((entry.start for entry in coming if entry), default=DAY)
    end = min(mind.minute + min(minutes, LONGEST), until)
    if end - mind.minute < SHORTEST and until < DAY:
        return
    entry = Entry(
        mind.minute, end, reply.what, address=address, origin=f"{REACTION}{first.memory.id}"
    )
    mind.do(Rescheduled(mind.who, schedule.splice(entry), entry.origin), cause)


def _stay(mind: Mind) -> Action:
    """Waiting on the spot, which begins at once."""
    return Action(
        "wait", mind.words.say("waiting_to_see"), mind.arena, SHORTEST, "👀", started=mind.now
    )
