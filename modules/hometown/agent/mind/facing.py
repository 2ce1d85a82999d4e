"""Recall for residents whom one faces: what concerns them comes to mind first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice

from hometown.agent.mind.due import find_due
from hometown.agent.mind.meant import seeks_anyone
from hometown.agent.mind.mind import Mind
from hometown.agent.mind.open_intentions import is_intention, list_open_intentions
from hometown.agent.mind.present_events import AFTERMATH, is_end_around, is_of_alarm
from hometown.memory.concept import PLAN_PREDICATE, Concept
from hometown.memory.scoring import Scored
from hometown.memory.stream import MemoryStream
from hometown.text import contains_name, overlaps
from hometown.world.effects import Accessed
from hometown.world.resident_names import named_residents

LOOKBACK_MEMORIES = 120
"""Number of latest thoughts, pieces of news and intentions that are searched for a name."""

MAX_LEARNT, MAX_MEANT, MAX_AGREED, MAX_DUE, MAX_FOR_ALL = 2, 3, 1, 2, 2
"""Maximum number of memories about one resident, of open intentions towards them, which come before
these, of agreements with them, of intentions that are dated for the present hour, and of
intentions for anyone or everyone.
"""

SAME_MEMORY_OVERLAP_MIN = 0.6
"""Overlap of character trigrams (Jaccard) from which a memory repeats another."""


MAX_ON_MIND, MAX_ON_MIND_FOUND = 2, 8
"""Maximum number of thoughts about the resident's concerns, and of those among which the most
relevant are chosen.
"""


def list_talked_with(mind: Mind, since: datetime) -> list[str]:
    """Return the residents in a conversation with whom the resident has taken part that ended at a
    time or later.
    """
    return [
        other
        for people in mind.scene.residents.values()
        for other in people
        if other != mind.who and mind.state.relation(mind.who, other).has_talked_since(since)
    ]


async def recall_facing(
    mind: Mind,
    others: Sequence[str],
    queries: Sequence[str],
    count: int,
    *,
    at_meeting: bool = False,
) -> list[Scored]:
    """Return up to `count` memories for meeting residents, without near-duplicates. The last
    conversation with each of them, facts learnt about them, open intentions towards them, towards
    anyone, intentions dated for this hour and the latest alarm come first, then the best memories for
    the queries.
    At a meeting that was agreed on, what is on the resident's mind comes in addition.

    Args:
        mind: the mind of the resident who recalls.
        others: ids of the residents whom they face, the most important first.
        queries: texts, for any of which a memory may be relevant.
        count: maximum number of memories.
        at_meeting: True if they have agreed to meet here and now.
    """
    if not mind.settings.faculties.remember:
        return []
    found = await recall_relevant(mind, others, queries, count)
    memories = mind.state.memory(mind.who)
    due = mind.leave_out_settled(find_due(memories, mind.world.lang, mind.now, whole_day=False))[
        :MAX_DUE
    ]
    first = [*_list_concerning(mind, others), *_list_for_anyone(mind, others), *due]
    first += _find_latest_alarm(memories, mind)
    if at_meeting:
        concerns = await _recall_concerns(mind)
        return put_first(mind, [*concerns, *first], found, count + len(concerns))
    return put_first(mind, first, found, count)


def _find_latest_alarm(memories: MemoryStream, mind: Mind) -> list[Concept]:
    """Return the latest memory of an alarm within the last hour, if prompts do not tell of it anyway."""
    lately = memories.since(mind.now - AFTERMATH, ("event",))
    alarms = [memory for memory in lately if is_of_alarm(memory)]
    return [memory for memory in alarms[-1:] if not is_end_around(memory, mind.arena, mind.now)]


async def _recall_concerns(mind: Mind) -> list[Concept]:
    """Return the thoughts most relevant to the resident's present concerns."""
    concerns = mind.state.mind(mind.who).currently
    found = await mind.recall([concerns], count=MAX_ON_MIND_FOUND, kinds=("thought",))
    found.sort(key=lambda scored: -scored.relevance)
    return [scored.concept for scored in found[:MAX_ON_MIND]]


async def recall_for_line(
    mind: Mind,
    others: Sequence[str],
    named: Sequence[str],
    line: str,
    known: Sequence[Scored],
    count: int,
) -> list[Scored]:
    """Return up to `count` memories that a line of a conversation evokes, none without the faculty
    to remember. Those about the residents whom it names come first; those that repeat a memory that
    has come up before are left out.

    Args:
        mind: the mind of the resident who hears the line.
        others: ids of the other participants.
        named: ids of the residents whom the line names.
        line: the words.
        known: the memories that have come up in the conversation.
        count: maximum number of memories.
    """
    if not mind.settings.faculties.remember:
        return []
    found = await recall_relevant(mind, others, [line], count + 1)
    about = _list_concerning(mind, named)
    return put_first(mind, about, found, count, [each.concept.text for each in known])


def put_first(
    mind: Mind,
    first: Iterable[Concept],
    found: Sequence[Scored],
    count: int,
    known: Iterable[str] = (),
) -> list[Scored]:
    """Return up to `count` memories that repeat neither each other nor the texts `known`; those of
    `first` come before those found by search, and are marked as accessed where the search has not
    found them.
    """
    scores = {scored.concept.id: scored for scored in found}
    ranked = [*(scores.get(each.id) or _with_zero_score(each) for each in first), *found]
    chosen = list(islice(_drop_similar(ranked, known), count))
    if new := sorted(each.concept.id for each in chosen if each.concept.id not in scores):
        mind.do(Accessed(mind.who, tuple(new), mind.now), "rule:retrieval")
    return chosen


async def recall_relevant(
    mind: Mind, others: Sequence[str], queries: Sequence[str], count: int
) -> list[Scored]:
    """Return the best `count` memories for the queries, without day plans, the resident's own
    routine, and conversations with residents who are not among `others`.

    Prompts contain the rest of today's plan and what has just ended here anyway, and news from
    other conversations has memories of its own.
    """
    found = await mind.recall(queries, count=min(2 * count, mind.settings.associate.retrieve_max))
    return [
        scored
        for scored in found
        if scored.concept.predicate != PLAN_PREDICATE
        and not is_own_routine(mind.who, scored.concept)
        and not is_end_around(scored.concept, mind.arena, mind.now)
        and (scored.concept.type != "chat" or not set(others).isdisjoint(scored.concept.about))
    ][:count]


def is_own_routine(who: str, memory: Concept) -> bool:
    """Return True if a memory is an event of which the resident is the subject, with the least
    poignancy.
    """
    return memory.type == "event" and memory.subject == who and memory.poignancy <= 1


def _list_concerning(mind: Mind, others: Iterable[str]) -> list[Concept]:
    """Return the memories that concern other residents and have not expired, grouped by resident in
    the order of `others`.
    """
    memories, settled = mind.state.memory(mind.who), mind.state.settled_memories(mind.who)
    return [
        concept
        for other in others
        for concept in find_concerning(memories, other, mind.words.name(other), settled)
        if concept.expires > mind.now
    ]


def _list_for_anyone(mind: Mind, others: Iterable[str]) -> list[Concept]:
    """Return the latest open intentions for anyone or everyone that name none of the residents."""
    theirs = frozenset(others)
    found = [
        intention
        for intention in list_open_intentions(mind)
        if seeks_anyone(intention.text, mind.world.lang)
        and theirs.isdisjoint(named_residents(mind.world, intention.text))
    ]
    return sorted(found, key=lambda each: -each.id)[:MAX_FOR_ALL]


def find_concerning(
    memories: MemoryStream, other: str, name: str, settled: Collection[int] = ()
) -> Iterator[Concept]:
    """Yield the last conversation with another resident, then open intentions towards them and facts
    learnt about them, each the most poignant first, then the latest agreements with them; none of
    the memories that are settled.
    """
    talks = memories.recent(("chat",), LOOKBACK_MEMORIES)
    yield from islice((talk for talk in talks if other in (talk.object, *talk.about)), 1)
    named = [
        memory
        for memory in memories.recent(("event", "thought", "plan"), LOOKBACK_MEMORIES)
        if memory.id not in settled
        and contains_name(name, memory.text)
        and memory.predicate != PLAN_PREDICATE
    ]
    learnt = [
        each for each in named if each.type == "thought" or (each.talk and each.type != "plan")
    ]
    learnt.sort(key=lambda each: (not is_intention(each), -each.poignancy, -each.id))
    meant = sum(map(is_intention, learnt))
    yield from learnt[: min(max(meant, MAX_LEARNT), MAX_MEANT)]
    yield from islice((each for each in named if each.type == "plan"), MAX_AGREED)


def _drop_similar(found: Iterable[Scored], known: Iterable[str]) -> Iterator[Scored]:
    """Yield memories without those that say almost the same as an earlier one, or as a known text."""
    texts = list(known)
    for scored in found:
        if not overlaps(scored.concept.text, texts, SAME_MEMORY_OVERLAP_MIN):
            texts.append(scored.concept.text)
            yield scored


def _with_zero_score(concept: Concept) -> Scored:
    """Return a memory with a score of 0, since nothing was searched."""
    return Scored(concept, 0.0, 1.0, concept.poignancy / 10, 0.0)
