"""Matters about which a resident has to decide: poignant, new, and either perceived or about their
own house; and happenings about which they have to decide again.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from hometown.agent.acting.appointments import find_due_appointment
from hometown.agent.acting.countermeasures import find_due_decision
from hometown.agent.mind import Mind
from hometown.agent.perception.concern import own_houses
from hometown.agent.perception.happening_ends import knows_end, list_ended
from hometown.agent.planning.entry_origins import REACTION_ORIGIN
from hometown.clock import minutes_between
from hometown.frozen import frozen
from hometown.memory.concept import ENDED_PREDICATE, Concept
from hometown.memory.event import Event
from hometown.memory.schedule import Entry
from hometown.world.befalling import ConditionKind, HappeningKind, course_of, happening_kind
from hometown.world.happening_process import DAMAGE_KEY, find_described, is_described
from hometown.world.incidents import EndedHappening, Happening
from hometown.world.world import arena_of

PRESSING_POIGNANCY_MIN = 6
"""Poignancy from which an event needs a response; one point less for news of one's own house."""

ENDABLE_WEIGHT_MIN = 4
"""Weight from which a happening in the same room needs a response if acts can end it."""


FRESH_MINUTES = 60
"""Minutes for which an event may still need a response."""


LOOKBACK_EVENTS = 12
"""Number of latest events among which pressing matters are looked for."""


NEWS_LOOKBACK_EVENTS = 200
"""Number of latest events, about a day's, that are searched before news of a happening counts as
new.
"""


MAX_MATTERS = 3
"""Maximum number of matters that the prompt lists."""


SHOUT_PREDICATE, KNOWN_SHOUT_POIGNANCY = "shout", 4
"""The predicate of the memory of a shout, and its poignancy for those who know of the matter."""


@frozen
class PressingMatter:
    """A memory about which the resident has to decide.

    `address` is the place of the event, as far as it is known. `kind` is the condition of a thing,
    `happening` what is going on.
    """

    memory: Concept
    address: str
    kind: ConditionKind | None = None
    happening: Happening | None = None


def may_have_to_respond(mind: Mind, noticed: Sequence[Event]) -> bool:
    """Return True if an unusual event was noticed or a pressing matter is undecided."""
    return any(event.unusual for event in noticed) or bool(find_pressing_matters(mind))


def find_pressing_matters(mind: Mind) -> list[PressingMatter]:
    """Return up to `MAX_MATTERS` undecided matters, happenings first, then the most poignant: new and
    important events that are not of the resident's own making, happenings going on of which they
    have now heard first, and one about which they have to decide again.
    """
    decided = mind.state.pondered(mind.who)
    recent = mind.state.memory(mind.who).recent(("event",), LOOKBACK_EVENTS)
    due, grave, ended = _find_renewal(mind), _list_grave(mind), tuple(list_ended(mind))
    undecided = takewhile(lambda memory: memory.id > decided, recent)
    new = [
        memory
        for memory in mind.leave_out_settled(undecided)
        if minutes_between(memory.created, mind.now) < FRESH_MINUTES
        and memory.predicate != ENDED_PREDICATE
        and not mind.me.began_with(memory.id)
    ]
    found = [one for memory in new if (one := _as_undecided(mind, memory, grave, ended))]
    if due and not any(one.happening == due.happening for one in found):
        found.append(due)
    found.sort(key=lambda one: (not one.happening, -one.memory.poignancy, -one.memory.id))
    return found[:MAX_MATTERS]


def _as_undecided(
    mind: Mind, memory: Concept, grave: Sequence[Happening], ended: Sequence[EndedHappening]
) -> PressingMatter | None:
    """Return a new memory as a pressing matter; None if it is not important enough, of the
    resident's own making, or decided. `grave` are the happenings of `_list_grave`, and `ended`
    those that have ended lately.
    """
    if happening := _find_first_heard(mind, memory, grave):
        return PressingMatter(memory, happening.address, happening=happening)
    if ended and memory.subject in mind.world.personas and _was_amid(mind, memory, ended):
        return None
    least = PRESSING_POIGNANCY_MIN - bool(memory.talk)
    is_important = memory.poignancy >= least or _is_endable_here(mind, memory)
    if not is_important or memory.subject == mind.who or _is_decided(mind, memory):
        return None
    return _as_pressing(mind, memory)


def _was_amid(mind: Mind, memory: Concept, ended: Sequence[EndedHappening]) -> bool:
    """Return True if a memory is of an act amid a happening whose end the resident knows."""
    room = arena_of(memory.address) if memory.address else ""
    return not memory.talk and any(
        arena_of(each.address) == room
        and each.since <= memory.created <= each.when
        and knows_end(mind, each.address, each.when)
        for each in ended
    )


def _is_endable_here(mind: Mind, memory: Concept) -> bool:
    """Return True if a memory is the first of a happening in the resident's room that acts can end;
    the repair of damage is no such thing.
    """
    happening = find_described(mind.state, memory)
    if happening is None or arena_of(happening.address) != mind.arena:
        return False
    course = course_of(happening, mind.world.lang)
    known = mind.state.memory(mind.who).recent(("event",), NEWS_LOOKBACK_EVENTS)
    return (
        bool(course.means)
        and course.weight >= ENDABLE_WEIGHT_MIN
        and course.key != DAMAGE_KEY
        and not any(each.id < memory.id and each.text == memory.text for each in known)
    )


def _list_grave(mind: Mind) -> list[Happening]:
    """Return the happenings going on that are grave where they are seen and that acts can end."""
    going = ((each, course_of(each, mind.world.lang)) for each in mind.state.happenings)
    return [
        each
        for each, course in going
        if course.weight >= PRESSING_POIGNANCY_MIN and course.key != DAMAGE_KEY and course.effort
    ]


def _find_first_heard(mind: Mind, memory: Concept, grave: Sequence[Happening]) -> Happening | None:
    """Return the happening of `grave` of which a memory is the first news to the resident, heard or
    told; None if there is none.
    """
    for happening in grave:
        if not _tells_of(mind, memory, happening):
            continue
        known = mind.state.memory(mind.who).recent(("event",), NEWS_LOOKBACK_EVENTS)
        if not any(each.id < memory.id and _tells_of(mind, each, happening) for each in known):
            return happening
    return None


def _tells_of(mind: Mind, memory: Concept, happening: Happening) -> bool:
    """Return True if a memory is about a happening, or is of words that name its place, and its
    kind or its sound.
    """
    if is_described(happening, memory) or not memory.talk:
        return is_described(happening, memory)
    arena = mind.world.arenas[arena_of(happening.address)]
    names = (arena.name, mind.world.sectors[arena.sector].name)
    kind, lang = happening_kind(memory.text, mind.world.lang), mind.world.lang
    is_of_kind = kind is not None and kind == happening_kind(happening.text, lang)
    text = memory.text.casefold()
    return (is_of_kind or happening.is_mentioned_in(memory.text)) and any(
        name.casefold().removeprefix("the ") in text for name in names
    )


def _find_renewal(mind: Mind) -> PressingMatter | None:
    """Return the happening about which the resident has to decide again, with their latest memory
    of it; None if there is none, or none that they remember.
    """
    happening = find_due_decision(mind, find_appointment(mind) is not None)
    if happening is None:
        return None
    known = mind.state.memory(mind.who).recent(("event",), NEWS_LOOKBACK_EVENTS)
    memory = next((each for each in known if is_described(happening, each)), None)
    return PressingMatter(memory, happening.address, happening=happening) if memory else None


def find_appointment(mind: Mind) -> Entry | None:
    """Return the appointment elsewhere for which the resident would have to leave now; None if
    there is none.
    """
    coming = find_due_appointment(mind)
    return coming if coming and coming.address != mind.arena else None


def _is_decided(mind: Mind, memory: Concept) -> bool:
    """Return True if a memory leaves nothing to decide: the resident acts on its matter already, or
    has decided about it and it has not changed since or is in another room. A shout is decided
    while they act on any event.
    """
    happening, measure = find_described(mind.state, memory), mind.state.measure(mind.who)
    if happening and measure and measure.is_about(happening):
        is_acting = mind.state.schedule(mind.who).at(mind.minute).origin == measure.origin
        known = mind.state.memory(mind.who).recent(("event",), NEWS_LOOKBACK_EVENTS)
        was_known = any(each.id < memory.id and each.text == memory.text for each in known)
        return is_acting or was_known or arena_of(happening.address) != mind.arena
    if memory.predicate == SHOUT_PREDICATE:
        entry = mind.state.schedule(mind.who).at(mind.minute)
        return entry.origin.startswith(REACTION_ORIGIN)
    stream, decided = mind.state.memory(mind.who), mind.state.pondered(mind.who)
    same = [
        each
        for each in stream.recent(("event",), LOOKBACK_EVENTS)
        if each.id <= decided and each.subject == memory.subject and each.predicate == each.text
    ]
    if memory.talk or memory.predicate != memory.text or not same:
        return False
    entry = mind.state.schedule(mind.who).at(mind.minute)
    acts = any(entry.origin == f"{REACTION_ORIGIN}{each.id}" for each in same)
    return acts or arena_of(memory.subject) != mind.arena


def _as_pressing(mind: Mind, memory: Concept) -> PressingMatter | None:
    """Return a memory as a pressing matter.

    None for a condition that has changed since, for known news, and for news of other houses.
    """
    if not memory.talk:
        if memory.subject not in mind.world.things or memory.predicate == memory.text:
            return PressingMatter(
                memory,
                memory.subject if memory.subject in mind.world.arenas else memory.address,
                happening=find_described(mind.state, memory),
            )
        still = (
            dict(mind.state.known_things(mind.who, memory.address).things).get(memory.subject)
            == memory.predicate
        )
        return (
            PressingMatter(
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
            else PressingMatter(memory, mind.world.sectors[house].arenas[0])
        )
    return _find_own_thing(mind, memory, house)


def _is_known(mind: Mind, news: Concept, kind: HappeningKind, house: str) -> bool:
    """Return True if the resident remembers an earlier happening of the same kind in the same
    house.
    """
    name = mind.world.sectors[house].name.casefold()
    earlier = (
        memory
        for memory in mind.state.memory(mind.who).recent(("event",), NEWS_LOOKBACK_EVENTS)
        if memory.id < news.id and memory.talk != news.talk
    )
    return any(
        happening_kind(memory.text, mind.world.lang) == kind
        and (name in memory.text.casefold() or memory.subject.startswith(f"{house}/"))
        for memory in earlier
    )


def _find_own_thing(mind: Mind, memory: Concept, house: str) -> PressingMatter | None:
    """Return news of a known thing in the resident's own house as a pressing matter, or None."""
    for arena in mind.world.sectors[house].arenas:
        for address, _ in mind.state.known_things(mind.who, arena).things:
            told_of = mind.words.spot(address).casefold() in memory.text.casefold()
            kind = mind.world.condition_kind(address, memory.text) if told_of else None
            if kind and kind.key:
                return PressingMatter(memory, address, kind)
    return None
