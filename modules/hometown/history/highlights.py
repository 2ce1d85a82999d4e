"""The highlights of a run: the moments that mattered most, by rule.

A conversation weighs as much as the most poignant memory that it left, more if two fell out in it,
and two more for each resident who learned of a storyline in it. A reflection weighs as much as its
insight. A gathering to which guests came weighs more than any of them. Of moments with the same
participants within three hours, only the weightiest counts, and of those that only pass on a
storyline, as many as `MAX_OF_NEWS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import cast

from hometown.clock import TICKS_PER_MINUTE
from hometown.history import shapes
from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.recounts import recount_alone
from hometown.history.spread import Learning, knowers_of_each, measure_attendance
from hometown.world import keys
from hometown.world.bond import Why
from hometown.world.conversation import Conversation
from hometown.world.world import Gathering, Storyline

MAX_HIGHLIGHTS = 10
"""Maximum number of moments in the list."""

MAX_OF_NEWS = 1
"""Maximum number of moments in which residents learn of the same storylines."""

MIN_TICKS_BETWEEN = 180 * TICKS_PER_MINUTE
"""Minimum number of ticks between two moments of the same people."""

NEWS, QUARREL_WEIGHT, GATHERING = 2, 6, 20
"""Weight of each resident who learned of a storyline, of a quarrel, and of a gathering.
"""

BOND_CAUSES_REPORTED: tuple[Why, ...] = ("quarrel", "made_up")
"""Changes of a bond that are told."""


def highlights(run: RunReader, names: Names) -> list[shapes.Highlight]:
    """Return at most `MAX_HIGHLIGHTS` highlights, sorted by time."""
    chosen: list[shapes.Highlight] = []
    for moment in sorted(
        weigh_moments(run, names), key=lambda each: (-each["weight"], each["tick"], each["who"])
    ):
        known = [other for other in chosen if moment["news"] and other["news"] == moment["news"]]
        if (
            len(chosen) < MAX_HIGHLIGHTS
            and len(known) < MAX_OF_NEWS
            and not any(_is_repetition(moment, other) for other in chosen)
        ):
            chosen.append(moment)
    return sorted(chosen, key=lambda moment: moment["tick"])


def scenes(run: RunReader, names: Names) -> list[shapes.SceneView]:
    """Return all moments worth watching, without their texts, sorted by time."""
    wordless = [
        {key: value for key, value in moment.items() if key != "text"}
        for moment in weigh_moments(run, names)
    ]
    return sorted(
        cast("list[shapes.SceneView]", wordless), key=lambda scene: (scene["tick"], scene["who"])
    )


def weigh_moments(
    run: RunReader, names: Names, learned: list[list[Learning]] | None = None
) -> list[shapes.Highlight]:
    """Return all moments worth watching (conversations, reflections and gatherings) with their
    weights, unsorted. `learned` are the residents who know of each storyline, if computed already.
    """
    last = run.last_step()
    stories = names.storylines
    learned = knowers_of_each(run, stories, last) if learned is None else learned
    given = GivenNames(names, run.residents)
    found = [*_conversations(run, last, stories, learned, given), *_reflections(run, last)]
    for story, knowers in zip(stories, learned, strict=True):
        if story.gathering:
            found += show_gathering(run, names, story, story.gathering, knowers, last)
    return found


def conversation_poignancies(run: RunReader, last: int) -> dict[str, int]:
    """Return the greatest poignancy of the memories of type "chat" that each conversation left, by
    its id.
    """
    found: dict[str, int] = {}
    for memory in run.memories(1, last, ("chat",)):
        talk, poignancy = memory.concept.talk, memory.concept.poignancy
        found[talk] = max(found.get(talk, 0), poignancy)
    return found


def bond_changes(run: RunReader, last: int) -> dict[tuple[str, str, int], Why]:
    """Return the causes of the changes of bonds that are told, by resident, other and step."""
    return {
        (who, other, step): row.why
        for who in run.residents
        for step, other, row in run.rows_about(keys.BOND, who, last)
        if row and row.why in BOND_CAUSES_REPORTED
    }


def _is_repetition(moment: shapes.Highlight, other: shapes.Highlight) -> bool:
    """Return True if two moments of the same residents are closer than `MIN_TICKS_BETWEEN`."""
    return (
        set(moment["who"]) == set(other["who"])
        and abs(moment["tick"] - other["tick"]) < MIN_TICKS_BETWEEN
    )


def _conversations(
    run: RunReader,
    last: int,
    stories: Sequence[Storyline],
    learned: list[list[Learning]],
    given: GivenNames,
) -> Iterator[shapes.Highlight]:
    """Yield the conversations, weighed by the poignancy of the memories that they left and by the
    storylines that residents learned in them.
    """
    weights = conversation_poignancies(run, last)
    changed = bond_changes(run, last)
    news: dict[str, list[str]] = {}
    for story, knowers in zip(stories, learned, strict=True):
        for learning in knowers:
            if learning.teller:
                news.setdefault(learning.memory.concept.talk, []).append(story.title)
    for talk in (run.conversation(number) for number in {**weights, **news} if number):
        if talk:
            told = news.get(talk.id, [])
            pairs = permutations(talk.people, 2)
            has_quarrelled = any(
                changed.get((*pair, step)) == "quarrel" for pair in pairs for step in _steps(talk)
            )
            yield {
                "tick": run.tick(talk.started),
                "kind": "conversation",
                "who": list(talk.people),
                "address": talk.address,
                "conversation": talk.id,
                "news": list(dict.fromkeys(told)),
                "weight": weights.get(talk.id, 0)
                + QUARREL_WEIGHT * has_quarrelled
                + NEWS * len(told),
                "text": recount_alone(talk, given, run.manifest.lang),
            }


def _steps(talk: Conversation) -> tuple[int, int]:
    """Return the steps in which a conversation may change a bond."""
    return talk.step, talk.step + 1


def _reflections(run: RunReader, last: int) -> Iterator[shapes.Highlight]:
    """Yield the thoughts that rest on memories, weighed by their poignancy."""
    for memory in run.memories(1, last, ("thought",)):
        concept = memory.concept
        if concept.evidence:
            yield {
                "tick": run.tick(concept.created),
                "kind": "reflection",
                "who": [memory.who],
                "address": concept.address,
                "conversation": "",
                "news": [],
                "weight": concept.poignancy,
                "text": concept.text,
            }


def show_gathering(
    run: RunReader,
    names: Names,
    story: Storyline,
    gathering: Gathering,
    knowers: list[Learning],
    last: int,
) -> Iterator[shapes.Highlight]:
    """Yield one moment for a storyline's gathering if guests came, weighed by their number, at its
    start or the first arrival, whichever is later.
    """
    people = measure_attendance(run, names, story, gathering, knowers, last)
    if people.came:
        tick = max(run.tick(gathering.start), min(run.tick(visit.arrived) for visit in people.came))
        yield {
            "tick": tick,
            "kind": "gathering",
            "who": [*people.hosts, *(visit.who for visit in people.came)],
            "address": gathering.place,
            "conversation": "",
            "news": [],
            "weight": GATHERING + len(people.came),
            "text": story.title,
        }
