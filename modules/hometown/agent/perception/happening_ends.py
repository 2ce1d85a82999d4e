"""The ends of happenings: as seen by all there, and as learnt later by residents who believed that
they went on, at the place or from others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from hometown.agent.mind import Mind
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.agent.mind.wishes import find_wish, record_wish
from hometown.clock import hhmm, minute_of_day
from hometown.memory.concept import ENDED_PREDICATE, Concept
from hometown.memory.event import Event
from hometown.world.befalling import happening_kind
from hometown.world.happening_process import find_closure, find_described
from hometown.world.incidents import EndedHappening
from hometown.world.world import arena_of

ENDED_POIGNANCY, PUT_RIGHT_POIGNANCY = 5, 7
"""Poignancy of the end of a happening, which needs no response, and of seeing residents put it
right.
"""


def ended_events(mind: Mind) -> Iterator[Event]:
    """Yield the end of happenings in the current arena, the latest first: those that end now, and
    those that the resident believes to go on. Who has called help learns of it wherever they are.
    """
    for ended in list_ended(mind):
        is_here, measure = arena_of(ended.address) == mind.arena, mind.state.measure(mind.who)
        has_called = measure is not None and measure.role == "calls" and measure.is_about(ended)
        is_news = ended.when == mind.now or bool(_find_beliefs(mind, ended))
        if (is_here or has_called) and is_news and not knows_end(mind, ended.address, ended.when):
            yield _end_event(mind, ended, is_here=is_here)


def knows_end(mind: Mind, address: str, since: datetime) -> bool:
    """Return True if the resident has learnt, at `since` or later, that a happening is over."""
    return any(
        memory.subject == address and memory.predicate == ENDED_PREDICATE
        for memory in mind.state.memory(mind.who).since(since, ("event",))
    )


def find_outdated(mind: Mind, ended: EndedHappening) -> list[Concept]:
    """Return the memories of a happening that has ended, of a resident who does not know that it
    has; none for others.
    """
    return [] if knows_end(mind, ended.address, ended.when) else _find_beliefs(mind, ended)


def settle_ended(mind: Mind, made: Sequence[Concept]) -> None:
    """Settle the memories that a happening goes on whose end the resident has just learnt, and what
    they still mean to do against it.
    """
    news = {memory.subject: memory for memory in made if memory.predicate == ENDED_PREDICATE}
    for ended in list_ended(mind):
        if memory := news.get(ended.address):
            mind.settle(_find_beliefs(mind, ended), "rule:put_right")
            _settle_intentions(mind, ended, memory)


def list_ended(mind: Mind) -> Iterator[EndedHappening]:
    """Yield the happenings that have ended lately, the latest first."""
    for ended in reversed(mind.state.stopped_happenings):
        if isinstance(ended, EndedHappening):
            yield ended


def _find_beliefs(mind: Mind, ended: EndedHappening) -> list[Concept]:
    """Return the resident's memories that a happening goes on that has ended: what they saw, heard
    or were told of it.
    """
    known = mind.state.memory(mind.who).since(ended.since, ("event",))
    return [
        memory
        for memory in known
        if _says_going_on(ended, memory) and not find_described(mind.state, memory)
    ]


def _says_going_on(ended: EndedHappening, memory: Concept) -> bool:
    """Return True if a memory is of a happening that goes on: as it was seen or heard, or told."""
    if memory.talk:
        is_of_it = ended.clause in memory.text and not ended.is_end_mentioned_in(memory.text)
    else:
        is_perceived = memory.subject == ended.address and memory.predicate == memory.text
        is_of_it = is_perceived and ended.is_perceived_in(memory.text)
    return is_of_it and memory.predicate != ENDED_PREDICATE


def _settle_intentions(mind: Mind, ended: EndedHappening, news: Concept) -> None:
    """Settle the open intentions to act against a happening that is over; a wish among them is
    overtaken by events.
    """
    kind = happening_kind(ended.text, mind.world.lang)
    measure = mind.state.measure(mind.who)
    deed = measure.what if measure and measure.is_about(ended) else ""
    for intention in list_open_intentions(mind):
        is_against = kind is not None and kind.is_opposed_in(intention.text)
        is_own_deed = bool(deed) and deed in intention.text
        if intention.created < ended.since or not (is_against or is_own_deed):
            continue
        if wish := find_wish(mind, intention.id):
            record_wish(mind, wish, "overtaken", "rule:put_right", news.text, news.id)
        else:
            mind.settle([intention], "rule:put_right")


def _end_event(mind: Mind, ended: EndedHappening, *, is_here: bool) -> Event:
    """Return the end of a happening, which the resident sees or finds or, elsewhere, hears from the
    help that they have called, with all who brought it about and what keeps the place closed.
    """
    words, over = mind.words, _say_over(mind, ended)
    thanked = (*(words.name(who) for who in ended.by), *filter(None, (ended.helpers,)))
    if thanked:
        over = words.say("thanks_to", text=over, names=words.join(thanked))
    text = words.say(
        "ended_account" if ended.over else "over_account",
        over=over,
        place=mind.world.place_name(ended.address),
        start=hhmm(minute_of_day(ended.since)),
        text=ended.clause,
    )
    if closure := find_closure(mind.state, arena_of(ended.address)):
        text = words.say("still_closed", text=text, closure=closure)
    text = text if is_here else words.say("helpers_say", text=text)
    weight = PUT_RIGHT_POIGNANCY if thanked and ended.when == mind.now else ENDED_POIGNANCY
    return Event(ended.address, ENDED_PREDICATE, "", mind.arena, text, weight=weight)


def tell_end(mind: Mind, ended: EndedHappening) -> str:
    """Return the words that a happening is over, with its place."""
    over = _say_over(mind, ended)
    if ended.over:
        return mind.words.locate(over, mind.world.place_name(ended.address))
    return mind.words.say("over_account", over=over, text=ended.clause)


def _say_over(mind: Mind, ended: EndedHappening) -> str:
    """Return the words of a happening's course that it is over; without any, that what began at its
    place and time is.
    """
    place, start = mind.world.place_name(ended.address), hhmm(minute_of_day(ended.since))
    return ended.over or mind.words.say("is_over", place=place, start=start)
