"""The newspaper's articles on grave events: how one ended, and what those who were there did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import chain

from hometown.clock import TICK_SECONDS, format_time
from hometown.history import shapes
from hometown.history.channels import is_noise
from hometown.history.entities import OwnedMemory
from hometown.history.gazette_issue import Issue
from hometown.history.playback import HappeningSpan, is_damage
from hometown.history.spread import OVERHEARD_PREDICATES
from hometown.history.topics import HappeningTopic, make_happening_topic
from hometown.memory.action import DiscreetAction
from hometown.scripted.words import bare
from hometown.world import keys
from hometown.world.conversation import Conversation
from hometown.world.incidents import UnfoldingHappening
from hometown.world.verbs import shift_back
from hometown.world.world import arena_of

GRAVE = 6
"""Poignancy for a resident who perceived it from which an event has an article."""

MAX_DEEDS = 5
"""Maximum number of residents whose deeds at an event are told."""


def list_events(issue: Issue) -> Iterator[shapes.Article]:
    """Yield an article for each event that has a poignancy of at least `GRAVE` for a resident who
    perceived it; the damage that one has left is none.
    """
    damages = {
        span.event.identity
        for span in issue.spans
        if is_damage(span.event, issue.run.manifest.lang)
    }
    for event in issue.happenings:
        if (event["address"], event["text"]) in damages:
            continue
        span = _find_span(issue, event)
        perceived = [
            memory
            for memory in issue.run.memories(issue.first, issue.last, ("event",))
            if _is_perception(memory, span)
        ]
        if any(memory.concept.poignancy >= GRAVE for memory in perceived):
            yield _write_event(issue, event, span, perceived)


def _is_perception(memory: OwnedMemory, span: HappeningSpan) -> bool:
    """Return True if a memory is of an event itself, as it was seen or as it sounded while it
    lasted, and not what others said or did about it.
    """
    concept, event = memory.concept, span.event
    is_there = arena_of(concept.address) == arena_of(event.address)
    is_told = concept.talk or concept.predicate in OVERHEARD_PREDICATES
    is_during = span.ended is None or memory.step < span.ended
    is_own = any(words in concept.text for words in (bare(event.text), event.sound))
    return is_there and is_during and is_own and not is_told


def _write_event(
    issue: Issue, event: shapes.HappeningView, span: HappeningSpan, perceived: list[OwnedMemory]
) -> shapes.Article:
    """Return an article on an event, with the best line said about it afterwards."""
    lang = issue.run.manifest.lang
    topic = make_happening_topic(span.event, lang, issue.names)
    seen = {each.who for each in perceived if not is_noise(each.concept.text, lang)}
    witnesses = list(dict.fromkeys(memory.who for memory in perceived))
    deeds = dict(_list_deeds(issue, span, witnesses))
    groups = {
        "witnesses": [who for who in witnesses if who not in deeds and who in seen],
        "listeners": [who for who in witnesses if who not in deeds and who not in seen],
    }
    talk, quotes = _find_quotes(issue, event, span, topic)
    begun = issue.run.manifest.start + timedelta(seconds=event["tick"] * TICK_SECONDS)
    return issue.article(
        "event",
        [*deeds, *chain.from_iterable(groups.values())],
        event["tick"],
        event["address"],
        talk,
        headline=bare(event["text"]),
        deck=issue.say(
            "meeting_deck", place=issue.place(event["address"]), time=format_time(begun)
        ),
        text=issue.between.join(
            [
                *_tell_deeds(issue, deeds),
                *(issue.say(key, names=issue.people(ids)) for key, ids in groups.items() if ids),
                *_tell_outcome(issue, event, span),
            ]
        ),
        lang=issue.lang,
        quotes=quotes,
    )


def _tell_deeds(issue: Issue, deeds: Mapping[str, str]) -> Iterator[str]:
    """Yield a sentence for each deed, with all who did it."""
    for deed in dict.fromkeys(deeds.values()):
        what, doers = shift_back(deed), [who for who in deeds if deeds[who] == deed]
        if len(doers) == 1:
            yield issue.say("did", name=issue.names.person(doers[0]), what=what)
        else:
            yield issue.say("did_together", names=issue.people(doers), what=what)


def _find_quotes(
    issue: Issue, event: shapes.HappeningView, span: HappeningSpan, topic: HappeningTopic
) -> tuple[Conversation | None, list[shapes.Quote]]:
    """Return the weightiest talk at the place of an event while it lasted, with its best line and
    the reply, or else the first one later with its best line about the event;
    None if there is none.
    """
    talks = [talk for talk in issue.talks if issue.run.tick(talk.started) >= event["tick"]]
    there = [
        talk
        for talk in talks
        if arena_of(talk.address) == arena_of(event["address"])
        and issue.run.tick(talk.started) < issue.run.first_tick(span.ended or issue.last)
    ]
    there.sort(key=lambda talk: -issue.weights.get(talk.id, 0))
    near = ((talk, _quote_with_reply(issue, talk)) for talk in there)
    later = ((talk, [line]) for talk in talks if (line := issue.quote(talk.lines, topic)))
    return next((each for each in chain(near, later) if each[1]), (None, []))


def _quote_with_reply(issue: Issue, talk: Conversation) -> list[shapes.Quote]:
    """Return the best line of a conversation, and the best of the line after it."""
    best = issue.quote(talk.lines, sentences=2, point=talk.summary)
    at = next((at for at, line in enumerate(talk.lines) if best and best["text"] in line.text), -1)
    reply = issue.quote(talk.lines[at + 1 : at + 2], sentences=2, point=talk.summary)
    return [each for each in (best, reply if best else None) if each]


def _find_span(issue: Issue, event: shapes.HappeningView) -> HappeningSpan:
    return next(
        span
        for span in issue.spans
        if span.event.identity == (event["address"], event["text"])
        and issue.run.first_tick(span.begun) == event["tick"]
    )


def _list_deeds(
    issue: Issue, span: HappeningSpan, witnesses: list[str]
) -> Iterator[tuple[str, str]]:
    """Yield up to `MAX_DEEDS` of the witnesses, each with the last thing that they began to do at
    the place of an event while it lasted, or decided on as it began, as others saw it.
    """
    begun, place = issue.run.moment(span.begun - 1), arena_of(span.event.address)
    last = min(span.ended - 1 if span.ended else issue.last, issue.last)
    count = 0
    for who in witnesses:
        measures = issue.run.versions(keys.MEASURE.of(who), span.begun, last)
        decided = {each.what for _, each in measures if each and each.is_about(span.event)}
        done = [
            action
            for _, action in issue.run.actions_of(who, span.begun, last)
            if (action.activity in decided or (action.started and action.started > begun))
            and arena_of(action.address) == place
        ]
        if done and count < MAX_DEEDS:
            count += 1
            seen = done[-1].outside if isinstance(done[-1], DiscreetAction) else done[-1].activity
            yield who, seen


def _tell_outcome(issue: Issue, event: shapes.HappeningView, span: HappeningSpan) -> Iterator[str]:
    """Yield sentences on an event: its end, the people who brought it about, the damage left, and
    the director's part in it.
    """
    if span.ended is None or span.ended > issue.last:
        yield issue.say("goes_on")
    else:
        by = span.event.by if isinstance(span.event, UnfoldingHappening) else ()
        time = format_time(issue.run.moment(span.ended - 1))
        yield issue.say(
            "ended_by" if by else "ended", names=issue.people(by) if by else "", time=time
        )
        for other in issue.spans:
            if _is_damage_of(issue, other, span):
                yield issue.say("left_behind", text=bare(other.event.text))
    if event["planted"]:
        yield issue.say("planted_event")


def _is_damage_of(issue: Issue, other: HappeningSpan, span: HappeningSpan) -> bool:
    """Return True if a happening is the damage that an event has left in its room."""
    is_there = arena_of(other.event.address) == arena_of(span.event.address)
    return (
        is_there and other.begun == span.ended and is_damage(other.event, issue.run.manifest.lang)
    )
