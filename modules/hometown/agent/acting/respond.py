"""Responding to important events, noticed or told (Park et al. 2023, §4.3.1).

The model is asked about the pressing matters. Its reply may change the rest of the day, as an inner
voice does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta

from hometown.agent.acting.absent_residents import find_absent_residents, find_those_there
from hometown.agent.acting.act import decide
from hometown.agent.acting.approach import list_company, record_request
from hometown.agent.acting.partners import find_listeners_to_news
from hometown.agent.acting.pressing_matters import (
    KNOWN_SHOUT_POIGNANCY,
    LOOKBACK_EVENTS,
    SHOUT_PREDICATE,
    PressingMatter,
    find_appointment,
    find_pressing_matters,
)
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind, NewMemory, concepts
from hometown.agent.mind.intent import Intent, Shout
from hometown.agent.perception.concern import is_in_own_house
from hometown.agent.perception.perceive import remember_events
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.displacing import reschedule
from hometown.agent.planning.entry_origins import REACTION_ORIGIN
from hometown.agent.planning.known_rooms import find_named
from hometown.agent.planning.place_choice import conversation_places
from hometown.agent.planning.plan_clashes import Decision, call_off
from hometown.agent.planning.rest_of_day import upcoming
from hometown.clock import DAY, at_minute
from hometown.memory.action import Action
from hometown.memory.concept import Concept
from hometown.memory.event import Event
from hometown.memory.schedule import Entry
from hometown.prompt.clashes import ClashReply, ClashVars
from hometown.prompt.measures import MEASURE, MeasureVars
from hometown.prompt.reactions import WAIT, Neighbour
from hometown.prompt.responses import (
    CALL,
    DO,
    KEEP,
    LEAVE,
    LONGEST,
    RESPOND,
    SAVE,
    SHORTEST,
    Absentee,
    Matter,
    RespondReply,
    RespondVars,
)
from hometown.world.befalling import course_of, happening_kind, usual_course
from hometown.world.effects import Reconsidered, TalkEnded
from hometown.world.incidents import (
    Countermeasure,
    Course,
    Happening,
    MeasureTaken,
    Role,
    UnfoldingHappening,
)
from hometown.world.rows import Promise
from hometown.world.work import workplace
from hometown.world.world import arena_of, sector_of

GRAVE_POIGNANCY_MIN = 8
"""Poignancy from which a response comes before appointments and sleep."""


MAX_LISTENERS, MAX_RECALLED, MAX_COMING_ENTRIES = 3, 6, 3
"""Maximum numbers of people to talk to, memories and coming entries of the schedule that the prompt
lists.
"""


ROUNDED_TO = 5
"""Minutes of which the length of a response is a multiple."""

LEAVING_MINUTES, MEANS_MINUTES_MIN = 30, 20
"""Minutes for which residents who leave stay away, and for which they use means at least."""


def break_off_conversation(mind: Mind, noticed: Sequence[Event]) -> bool:
    """Return True if a noticed event is grave; if so, end the resident's conversation, if any, for
    all in it.
    """
    talking = mind.state.talking(mind.who)
    is_grave = any(event.weight >= GRAVE_POIGNANCY_MIN for event in noticed)
    if talking and is_grave:
        for who in (mind.who, *list_company(mind, mind.who)):
            mind.do(TalkEnded(who), "rule:alarm")
    return is_grave


async def respond(mind: Mind, noticed: Sequence[Event]) -> Intent:
    """Ask how to respond to pressing matters, change the schedule accordingly, record the measure
    taken about a happening, and return the intent. Without pressing matters, decide as usual.
    """
    await remember_events(mind, noticed)
    found = find_pressing_matters(mind)
    if not found:
        return await decide(mind, ())
    absent = find_absent_residents(mind, found[0])
    reply, cause, asked = await _ask(mind, found, absent)
    decided = max(mind.state.pondered(mind.who), *(one.memory.id for one in found))
    mind.do(Reconsidered(mind.who, decided), cause)
    entry = _choose_entry(mind, reply, asked, found[0], absent)
    if found[0].happening:
        await _take_measure(mind, found[0], reply, entry, cause)
    broken = await _reschedule(mind, entry, cause) if entry else ()
    shout = Shout(reply.shout, found[0].address) if reply.shout else None
    if reply.decision == WAIT:
        return Intent(_stay(mind), cause=cause, shout=shout)
    routine = replace(await decide(mind, ()), shout=shout, broken=broken)
    if reply.partner is None:
        return routine
    other, topic = asked.neighbours[reply.partner].id, reply.what or found[0].memory.text
    record_request(mind, other, topic, cause)
    return Intent(
        partner=other,
        topic=topic,
        cause=cause,
        second=routine.second or routine,
        shout=shout,
    )


def _choose_entry(
    mind: Mind,
    reply: RespondReply,
    asked: RespondVars,
    first: PressingMatter,
    absent: Sequence[tuple[str, str]],
) -> Entry | None:
    """Return the response as an entry of the schedule from now on; None if the plan stays."""
    if reply.sought is not None:
        return _run_to(mind, *absent[reply.sought], first)
    if reply.chosen_means is not None:
        return _use_means(mind, reply, asked, first)
    if reply.decision == CALL:
        what = mind.words.say("calling_help", helpers=asked.helpers)
        return _as_entry(mind, what, SHORTEST, mind.arena, first)
    if reply.decision == SAVE:
        what = mind.words.say("saving", what=reply.what)
        return _as_entry(mind, what, max(reply.minutes, SHORTEST), mind.arena, first)
    if reply.decision == LEAVE:
        what = mind.words.say("leaving_danger")
        return _as_entry(mind, what, LEAVING_MINUTES, _find_refuge(mind, reply, asked), first)
    return _act_on(mind, reply, asked, first) if reply.decision == DO else None


def _as_matter(mind: Mind, one: PressingMatter, places: Sequence[tuple[str, str]]) -> Matter:
    """Return a pressing matter in the form in which the prompt lists it, its place as a number in
    `places`.
    """
    memory, kind = one.memory, one.kind
    here = arena_of(one.address) == mind.arena if one.address else False
    happening = (
        course_of(one.happening, mind.world.lang)
        if one.happening
        else happening_kind(memory.text, mind.world.lang)
    )
    return Matter(
        memory.text,
        "told"
        if memory.talk
        else "seen"
        if (here or kind) and memory.predicate != SHOUT_PREDICATE
        else "heard",
        kind.key if kind else happening.key if happening else "",
        next(
            (number for number, (address, _) in enumerate(places, 1) if address == one.address), 0
        ),
        here,
        bool(one.address) and is_in_own_house(mind, one.address),
        kind.remedy.replace("{thing}", mind.world.name_of(one.address)) if kind else "",
        kind.minutes if kind else 0,
    )


# what is done about it ---------------------------------------------------------------------


async def _ask(
    mind: Mind, found: Sequence[PressingMatter], absent: Sequence[tuple[str, str]]
) -> tuple[RespondReply, str, RespondVars]:
    """Ask for the response to pressing matters, with the places, residents, means and helpers that
    the resident can turn to.
    """
    recalled = await mind.recall(
        [one.memory.text for one in found],
        count=min(MAX_RECALLED, mind.settings.associate.retrieve_max),
    )
    places, happening = _list_places(mind, found), found[0].happening
    course = _known_course(mind, happening, found[0].memory) if happening else Course()
    is_called = isinstance(happening, UnfoldingHappening) and happening.called is not None
    appointment = find_appointment(mind)
    variables = RespondVars(
        mind.situation,
        tuple(_as_matter(mind, one, places) for one in found),
        _find_listeners(mind),
        places,
        concepts(recalled),
        upcoming(mind)[:MAX_COMING_ENTRIES],
        mind.state.is_asleep(mind.who),
        hearers=tuple(mind.words.name(who) for who in mind.awake_company),
        absent=tuple(
            Absentee(mind.words.name(who), mind.world.place_name(room), walking_minutes(mind, room))
            for who, room in absent
        ),
        there=tuple(mind.words.name(who) for who in find_those_there(mind, found[0])),
        means=course.means if happening else (),
        helpers=course.helpers if happening and not is_called else "",
        danger=bool(
            happening
            and course.weight >= GRAVE_POIGNANCY_MIN
            and arena_of(happening.address) == mind.arena
        ),
        appointment=(appointment.start, appointment.activity) if appointment else None,
    )
    return await mind.ask_with_variables(RESPOND, variables, recalled)


def _known_course(mind: Mind, happening: Happening, memory: Concept) -> Course:
    """Return the course of a happening as far as a resident knows it by a memory. Where they know
    only its sound, it has no means, and the helpers are those against that sound.
    """
    course = course_of(happening, mind.world.lang)
    if happening.clause in memory.text:
        return course
    return replace(course, means=(), helpers=usual_course(memory.text, mind.world.lang).helpers)


def _list_places(mind: Mind, found: Sequence[PressingMatter]) -> tuple[tuple[str, str], ...]:
    """Return places for the prompt, as (address, name): those of the matters, home, work, places of
    the plan, homes of residents named and public places.
    """
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
    texts = [one.memory.text for one in found]
    usual = dict(conversation_places(mind, texts, find_named(world, texts)))
    return tuple((scenes | others | usual).items())


def _find_listeners(mind: Mind) -> tuple[Neighbour, ...]:
    """Return up to `MAX_LISTENERS` residents who can be spoken to now, nearest first; none for a
    sleeper.
    """
    return () if mind.state.is_asleep(mind.who) else find_listeners_to_news(mind)[:MAX_LISTENERS]


def _act_on(mind: Mind, reply: RespondReply, asked: RespondVars, first: PressingMatter) -> Entry:
    """Return the response as an entry of the schedule from now on. Setting a thing right
    takes at least its usual time; for any other act, a thing that cannot be used is replaced by its
    room.
    """
    address = asked.places[reply.where - 1][0] if reply.where else mind.arena
    kind = first.kind if address == first.address else None
    minutes = (
        max(reply.minutes, kind.minutes) if kind and kind.rights(reply.what) else reply.minutes
    )
    if kind and kind.forbids and not kind.rights(reply.what):
        address = arena_of(address)
    return _as_entry(mind, reply.what, minutes, address, first)


def _use_means(mind: Mind, reply: RespondReply, asked: RespondVars, first: PressingMatter) -> Entry:
    """Return work against a happening by one of its means as an entry of the schedule, in the room
    of the happening.
    """
    assert reply.chosen_means is not None
    what = asked.means[reply.chosen_means]
    room = arena_of(first.address)
    minutes = max(reply.minutes, MEANS_MINUTES_MIN) + walking_minutes(mind, room)
    return _as_entry(mind, what, minutes, room, first)


def _find_refuge(mind: Mind, reply: RespondReply, asked: RespondVars) -> str:
    """Return the place to leave for: the first in another house of the one chosen, home and those
    listed; home if there is none.
    """
    here = sector_of(mind.arena)
    chosen = [asked.places[reply.where - 1][0]] if reply.where else []
    places = (*chosen, mind.me.home, *(address for address, _ in asked.places))
    return next((address for address in places if sector_of(address) != here), mind.me.home)


async def _take_measure(
    mind: Mind, first: PressingMatter, reply: RespondReply, entry: Entry | None, cause: str
) -> None:
    """Record the measure that the resident takes about a happening, with its role."""
    happening = first.happening
    assert happening is not None
    role = await _judge(mind, happening, reply, entry)
    measure = Countermeasure(
        happening.address,
        happening.text,
        entry.activity if entry else "",
        role,
        entry.origin if entry else "",
        mind.now,
        arena_of(happening.address) == mind.arena,
    )
    mind.do(MeasureTaken(mind.who, measure), cause)


async def _judge(
    mind: Mind, happening: Happening, reply: RespondReply, entry: Entry | None
) -> Role:
    """Return the role of a response to a happening. It follows from the decision; the model judges
    an activity of the resident's own choice, unless nothing can be done about the happening. Means
    against what a resident has only heard, and which is something else, do not help.
    """
    if reply.decision in (LEAVE, KEEP):
        return "leaves"
    if entry is None or reply.sought is not None:
        return "stays"
    course = course_of(happening, mind.world.lang)
    if reply.chosen_means is not None:
        return "helps" if entry.activity in course.means else "stays"
    if reply.decision != DO:
        return "calls" if reply.decision == CALL else "saves"
    if not course.effort and not course.helpers:
        return "useless"
    judged, _ = await mind.ask(
        MEASURE,
        MeasureVars(
            mind.situation,
            happening.clause,
            course.means,
            course.helpers,
            reply.what,
            mind.world.place_name(arena_of(happening.address)),
        ),
    )
    return judged.effect


def _run_to(mind: Mind, who: str, room: str, first: PressingMatter) -> Entry:
    """Return the way to an absent resident, to tell them, as an entry of the schedule from now on."""
    what = mind.words.say("running_to_tell", name=mind.words.name(who))
    minutes = walking_minutes(mind, room) + SHORTEST
    return _as_entry(mind, what, minutes, room, first)


def _as_entry(mind: Mind, what: str, minutes: int, address: str, first: PressingMatter) -> Entry:
    """Return an entry from now on, of `LONGEST` minutes at most, that ends before the next
    appointment or sleep, but lasts `SHORTEST` minutes. If the first matter is grave, it stops for
    neither, and it outlasts an appointment that is due.
    """
    schedule, until = mind.state.schedule(mind.who), DAY
    if not _is_grave(mind, first):
        coming = (
            schedule.next_of("appointment", mind.minute),
            schedule.next_of("sleep", mind.minute),
        )
        until = min((entry.start for entry in coming if entry), default=DAY)
    appointment = find_appointment(mind)
    if appointment and until == DAY:  # to stay is to miss it
        minutes = max(minutes, appointment.start - mind.minute + SHORTEST)
    minutes = -(-minutes // ROUNDED_TO) * ROUNDED_TO
    end = min(mind.minute + min(minutes, LONGEST), max(until, mind.minute + SHORTEST), DAY)
    origin = f"{REACTION_ORIGIN}{first.memory.id}"
    return Entry(mind.minute, end, what, address=address, origin=origin)


def _is_grave(mind: Mind, first: PressingMatter) -> bool:
    """Return True if a matter is grave, however far away it was heard of."""
    happening = first.happening
    return first.memory.poignancy >= GRAVE_POIGNANCY_MIN or (
        happening is not None
        and course_of(happening, mind.world.lang).weight >= GRAVE_POIGNANCY_MIN
    )


async def _reschedule(mind: Mind, entry: Entry, cause: str) -> tuple[Promise, ...]:
    """Put a response into the schedule and return the agreements for which no time is left then,
    without those for its own room, where the others find the resident. What it leaves no time for
    is a reason to reconsider the day.
    """
    schedule = mind.state.schedule(mind.who).splice(entry)
    for displaced in await reschedule(mind, schedule, entry.origin, entry.activity, cause):
        give_reason(mind, displaced, cause)
    start, end = (at_minute(schedule.date, minute) for minute in (entry.start, entry.end))
    least = timedelta(minutes=SHORTEST)
    return tuple(
        promise
        for promise in mind.state.promises(mind.who).items
        if len(promise.people) > 1
        and promise.address != arena_of(entry.address)
        and promise.start < end
        and start < promise.end < end + least
    )


async def drop_agreements(
    mind: Mind, broken: Sequence[Promise], mind_of: Callable[[str], Mind]
) -> None:
    """Call off the agreements that an alarm leaves no time for; all whom they concern learn of it."""
    entry = mind.state.schedule(mind.who).at(mind.minute)
    instead = Promise(
        entry.activity, (mind.who,), entry.address, mind.now, entry.end - entry.start, entry.origin
    )
    for promise in broken:
        if promise not in mind.state.promises(mind.who).items:
            continue  # another has called it off already
        asked = ClashVars(mind.situation, (promise,), instead)
        decision = Decision(mind.who, ClashReply(keep=2, say=""), "rule:alarm", asked)
        for who, memory in await call_off(promise, decision, mind_of, instead):
            give_reason(mind_of(who), memory, "rule:let_down")


async def hear_shout(mind: Mind, who: str, shout: Shout) -> None:
    """Remember a shout. Its poignancy calls for a response unless the resident knows of the matter
    already.
    """
    text = mind.words.say("shouted", name=mind.words.name(who), line=shout.words)
    recent = mind.state.memory(mind.who).recent(("event",), LOOKBACK_EVENTS)
    knows = any(each.subject == shout.address and each.predicate == each.text for each in recent)
    memory = NewMemory("event", text, who, SHOUT_PREDICATE, "", mind.arena, about=(who,))
    rating = KNOWN_SHOUT_POIGNANCY if knows else GRAVE_POIGNANCY_MIN
    await mind.remember([memory], [rating], "rule:alarm")


def _stay(mind: Mind) -> Action:
    """Return the action of waiting on the spot, which begins at once."""
    return Action(
        "wait", mind.words.say("waiting_to_see"), mind.arena, SHORTEST, "👀", started=mind.now
    )
