"""The moments of a run that mattered most, by rule.

A conversation weighs as much as the most poignant memory that it left, and two more for each resident who learned of a storyline in it. A
reflection weighs as much as its insight. A gathering to which guests came weighs more than any of them. Of what the same people
did within three hours, only the weightiest counts.
"""

from __future__ import annotations

from hometown.clock import TICKS_PER_MINUTE
from hometown.history import shapes
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, attendance, knowers_of_each
from hometown.world.world import Gathering, Storyline

MOST = 10
"""Moments in the list."""

APART = 180 * TICKS_PER_MINUTE
"""Ticks between two moments of the same people."""

NEWS, GATHERING = 2, 20
"""Weight of each resident who learned of a storyline, and of a gathering."""


def highlights(run: RunReader, names: Names) -> list[shapes.Highlight]:
    """At most `MOST` of them, in order of time."""
    last = run.last_step()
    stories = names.world.storylines if names.world else ()
    learned = knowers_of_each(run, stories, last)
    weighed = _conversations(run, last, learned) + _reflections(run, last)
    for story, knowers in zip(stories, learned, strict=True):
        if story.gathering:
            weighed += _gathering(run, names, story, story.gathering, knowers, last)
    chosen: list[shapes.Highlight] = []
    for _, moment in sorted(weighed, key=lambda each: (-each[0], each[1]["tick"], each[1]["who"])):
        if len(chosen) < MOST and not any(_same(moment, other) for other in chosen):
            chosen.append(moment)
    return sorted(chosen, key=lambda moment: moment["tick"])


def _same(moment: shapes.Highlight, other: shapes.Highlight) -> bool:
    return set(moment["who"]) == set(other["who"]) and abs(moment["tick"] - other["tick"]) < APART


def _conversations(run: RunReader, last: int, learned: list[list[Learning]]) -> list[tuple[int, shapes.Highlight]]:
    weights: dict[str, int] = {}
    for memory in run.memories(1, last, ("chat",)):
        weights[memory.concept.talk] = max(weights.get(memory.concept.talk, 0), memory.concept.poignancy)
    for learning in (each for knowers in learned for each in knowers if each.teller):
        weights[learning.memory.concept.talk] = weights.get(learning.memory.concept.talk, 0) + NEWS
    held = (run.conversation(number) for number in weights if number)
    return [
        (
            weights[talk.id],
            {
                "tick": run.tick(talk.started), "kind": "conversation", "who": list(talk.people),
                "address": talk.address, "conversation": talk.id, "text": talk.summary,
            },
        )
        for talk in held
        if talk
    ]  # fmt: skip


def _reflections(run: RunReader, last: int) -> list[tuple[int, shapes.Highlight]]:
    return [
        (
            memory.concept.poignancy,
            {
                "tick": run.tick(memory.concept.created), "kind": "reflection", "who": [memory.who],
                "address": memory.concept.address, "conversation": "", "text": memory.concept.text,
            },
        )
        for memory in run.memories(1, last, ("thought",))
        if memory.concept.evidence
    ]  # fmt: skip


def _gathering(run: RunReader, names: Names, story: Storyline, gathering: Gathering, knowers: list[Learning], last: int) -> list[tuple[int, shapes.Highlight]]:
    people = attendance(run, names, story, gathering, knowers, last)
    if not people.came:
        return []
    who = [*people.hosts, *(visit.who for visit in people.came)]
    tick = max(run.tick(gathering.start), min(run.tick(visit.arrived) for visit in people.came))
    return [
        (
            GATHERING + len(people.came),
            {"tick": tick, "kind": "gathering", "who": who, "address": gathering.place, "conversation": "", "text": story.title},
        )
    ]
