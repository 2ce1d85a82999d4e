"""The chapters of a run, as they are shown to a class: those of the events that its user has staged.

An event begins, residents decide what to do about it, some are told of it, it changes in the telling
and ends, and in the end so many know of it. A run without such an event has the tellings of the
storylines that change in the telling, and if there are none, its highlights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hometown.history import shapes
from hometown.history.channels import classify_memory
from hometown.history.director_hand import find_planted
from hometown.history.highlights import highlights, show_gathering
from hometown.history.names import Names
from hometown.history.playback import HappeningSpan, happening_spans, is_damage
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, knowers, knowers_of_each
from hometown.history.topics import find_changes, make_happening_topic
from hometown.world import keys
from hometown.world.incidents import Countermeasure, UnfoldingHappening

MAX_DECISIONS = 2
"""Maximum number of decisions shown for an event, each with another role."""

MAX_TELLINGS = 3
"""Maximum number of chapters of one kind in which somebody is told of an event."""


def chapters(run: RunReader, names: Names) -> list[shapes.ChapterView]:
    """Return the chapters of a run, sorted by time."""
    found = [
        chapter for span in _staged(run) for chapter in _chapters_of_event(run, names, span)
    ] or list(_chapters_of_changed_news(run, names))
    return sorted(
        _merge_tellings(found) or map(_chapter_of, highlights(run, names)),
        key=lambda chapter: chapter["tick"],
    )


def _merge_tellings(found: Sequence[shapes.ChapterView]) -> list[shapes.ChapterView]:
    """Return chapters of which no two show one conversation: that in which something changes goes
    before the others, and that of the last to be told after them.
    """
    ranks: dict[shapes.ChapterKind, int] = {"changed": -1, "known": 1}
    best: dict[str, shapes.ChapterView] = {}
    for chapter in sorted(found, key=lambda each: ranks.get(each["kind"], 0)):
        best.setdefault(chapter["conversation"], chapter)
    return [
        each for each in found if not each["conversation"] or best[each["conversation"]] is each
    ]


def _staged(run: RunReader) -> Iterator[HappeningSpan]:
    """Yield the events that the user has staged: neither the director has planted them, nor are they
    the damage that others have left.
    """
    planted = find_planted(run)
    for span in happening_spans(run):
        staged = not is_damage(span.event, run.manifest.lang)
        if staged and (*span.event.identity, span.begun) not in planted:
            yield span


def _chapters_of_changed_news(run: RunReader, names: Names) -> Iterator[shapes.ChapterView]:
    """Yield the chapters of the storylines whose times, numbers or people change in the telling."""
    stories, last = names.storylines, run.last_step()
    for story, learned in zip(stories, knowers_of_each(run, stories, last), strict=True):
        changes = find_changes(run, names, story, learned)
        if any(changes):
            yield from _tellings(run, learned, changes)
            yield from _last_telling(run, learned)
            if story.gathering:
                held = show_gathering(run, names, story, story.gathering, learned, last)
                yield from map(_chapter_of, held)


def _chapters_of_event(
    run: RunReader, names: Names, span: HappeningSpan
) -> Iterator[shapes.ChapterView]:
    """Yield the chapters of one event, not sorted."""
    topic = make_happening_topic(span.event, run.manifest.lang, names)
    learned = [
        each for each in knowers(run, topic, run.last_step()) if each.memory.step >= span.begun
    ]
    seen = [
        each.memory.who
        for each in learned
        if classify_memory(run, topic, each.memory).channel == "saw"
    ]
    first = [who for who in seen if _step_of(learned, who) <= span.begun + 1]
    yield _chapter(
        "begins", run.first_tick(span.begun), first, span.event.address, text=span.event.text
    )
    yield from _decisions(run, span)
    yield from _tellings(run, learned, find_changes(run, names, topic, learned))
    if span.ended is not None:
        by = span.event.by if isinstance(span.event, UnfoldingHappening) else ()
        yield _chapter("ends", run.first_tick(span.ended), by, span.event.address)
    yield from _last_telling(run, learned)


def _step_of(learned: Sequence[Learning], who: str) -> int:
    """Return the step in which a resident learned of something."""
    return next(each.memory.step for each in learned if each.memory.who == who)


def _decisions(run: RunReader, span: HappeningSpan) -> Iterator[shapes.ChapterView]:
    """Yield the first decisions of residents about an event, one for each role."""
    taken = [
        (measure, who)
        for who in run.owners(keys.MEASURE)
        for _, measure in run.versions(keys.MEASURE.of(who), span.begun, run.last_step())
        if isinstance(measure, Countermeasure) and measure.is_about(span.event) and measure.what
    ]
    roles: set[str] = set()
    for measure, who in sorted(taken, key=lambda each: (each[0].when, each[1])):
        if measure.role not in roles and len(roles) < MAX_DECISIONS:
            roles.add(measure.role)
            yield _chapter(
                "decision", run.tick(measure.when), [who], measure.address, text=measure.what
            )


def _tellings(
    run: RunReader, learned: Sequence[Learning], changes: Sequence[Sequence[str]]
) -> Iterator[shapes.ChapterView]:
    """Yield the first telling by somebody who was there, the first by somebody who was told, and
    the first in which something changed.
    """
    told = {each.memory.who for each in learned if each.teller}
    counts: dict[str, int] = {}
    for each, changed in zip(learned, changes, strict=True):
        if not each.teller or not each.memory.concept.talk:
            continue
        kind: shapes.ChapterKind = (
            "changed" if changed else "passed_on" if each.teller in told else "told"
        )
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= (MAX_TELLINGS if changed else 1):
            yield {**_telling(kind, run, each), "changed": list(changed)}


def _last_telling(run: RunReader, learned: Sequence[Learning]) -> Iterator[shapes.ChapterView]:
    """Yield the last telling of something, with the number of all who know of it; none if nobody
    was told.
    """
    if told := [each for each in learned if each.teller]:
        yield {**_telling("known", run, told[-1]), "count": len(learned)}


def _telling(kind: shapes.ChapterKind, run: RunReader, learning: Learning) -> shapes.ChapterView:
    """Return the chapter in which a resident learns of an event, from its teller if there is one."""
    concept = learning.memory.concept
    talk = run.conversation(concept.talk) if concept.talk else None
    return _chapter(
        kind,
        run.tick(talk.started if talk else concept.created),
        [*([learning.teller] if learning.teller else []), learning.memory.who],
        talk.address if talk else concept.address,
        conversation=talk.id if talk else "",
        text=concept.text,
    )


def _chapter_of(moment: shapes.Highlight) -> shapes.ChapterView:
    """Return a highlight as a chapter."""
    return _chapter(
        moment["kind"],
        moment["tick"],
        moment["who"],
        moment["address"],
        conversation=moment["conversation"],
        text=moment["text"],
    )


def _chapter(
    kind: shapes.ChapterKind,
    tick: int,
    who: Sequence[str],
    address: str,
    *,
    conversation: str = "",
    text: str = "",
) -> shapes.ChapterView:
    return {
        "tick": tick,
        "kind": kind,
        "who": list(who),
        "address": address,
        "conversation": conversation,
        "text": text,
        "changed": [],
        "count": 0,
    }
