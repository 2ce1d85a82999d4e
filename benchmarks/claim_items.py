"""Lines and residents of runs beside claims, and the verdicts of the rules on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, cast

from hometown.frozen import frozen
from hometown.history.channels import LearningEvent, find_channels
from hometown.history.entities import OwnedMemory
from hometown.history.names import Names
from hometown.history.news_beliefs import Claim, list_claims
from hometown.history.reader import RunReader
from hometown.history.spread import Topic, asserts_topic, widen_topic
from hometown.history.topics import HappeningTopic
from hometown.language import Lang
from hometown.memory.concept import MemoryType
from hometown.text_features import content_units
from hometown.world.conversation import Line
from hometown.world.world import Gathering, Storyline

LINES_BEFORE = 3
"""Number of lines before a line that are shown with it."""

MOST_MEMORIES = 3
"""Number of a resident's memories that are shown beside a claim."""

MOST_SIMILAR = 30
"""Number of the most similar items without a mention that are kept for each claim."""


@frozen
class ShownMemory:
    """A memory as it is shown to a reader, with the lines of its conversation that its holder
    heard.
    """

    text: str
    step: int
    type: MemoryType
    subject: str
    predicate: str
    talk: str
    lines: tuple[Line, ...]


@frozen
class ClaimItem:
    """A line, or a resident with some memories, beside a claim.

    Attributes:
        claim: The title or the text of the claim.
        known: The claim in the words of one who knew it from the start; "" if nobody did.
        marks: The keywords of a storyline.
        place: The name of the place of a happening.
        gathering: The gathering of a storyline.
        who: The speaker, or the resident.
        text: The line.
        lines: The lines before it.
        shared: Number of content words that the line or the memories share with the claim.
    """

    lang: Lang
    kind: Literal["line", "resident"]
    claim: str
    known: str
    topic: Literal["storyline", "happening"]
    marks: tuple[str, ...]
    place: str
    gathering: Gathering | None
    who: str
    residents: tuple[str, ...]
    shared: int
    text: str = ""
    lines: tuple[Line, ...] = ()
    memories: tuple[ShownMemory, ...] = ()


class _Heard:
    """A conversation of which only the lines are known that one resident heard."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines

    def lines_for(self, who: str) -> tuple[Line, ...]:
        """Return the lines that the resident heard."""
        return self._lines


class _ItemRun:
    """The part of a run on which the verdict on an item rests; `lang` stands for its manifest's."""

    def __init__(self, item: ClaimItem) -> None:
        self.residents, self.lang, self.manifest = item.residents, item.lang, self
        self._item = item

    def memories(self, first: int, last: int) -> Iterator[OwnedMemory]:
        """Yield the resident's memories that are shown."""
        for memory in self._item.memories:
            if first <= memory.step <= last:
                yield OwnedMemory(self._item.who, memory.step, cast(Any, _Remembered(memory)))

    def conversation(self, id: str) -> _Heard:
        """Return the conversation of a memory."""
        return _Heard(next(each.lines for each in self._item.memories if each.talk == id))


class _Remembered:
    """The fields of a memory on which its verdict rests."""

    is_background = False

    def __init__(self, memory: ShownMemory) -> None:
        self.type, self.subject, self.predicate = memory.type, memory.subject, memory.predicate
        self.text, self.talk = memory.text, memory.talk


def topic_of(item: ClaimItem) -> Topic:
    """Return the subject of an item's claim."""
    if item.topic == "storyline":
        return Storyline("", item.claim, item.marks, item.gathering)
    return HappeningTopic(item.claim, item.lang, item.place)


def judge_by_rule(item: ClaimItem) -> str:
    """Return the answer of the rules: of a line, "asserts", "denies" or "no"; of a resident, the id
    of the teller, "nobody" or "no".
    """
    run = cast(RunReader, _ItemRun(item))
    if item.kind == "resident":
        last = max(each.step for each in item.memories)
        return name_teller(find_channels(run, [topic_of(item)], last)[0])
    topic = widen_topic(topic_of(item), run)
    if not topic.is_mentioned_in(item.text):
        return "no"
    return "asserts" if asserts_topic(topic, item.text) else "denies"


def name_teller(learned: Sequence[LearningEvent]) -> str:
    """Return the resident from whom another first learned of a claim: who told them, whom they
    overheard or whose note they read; "nobody" if there is none, "no" if they don't know of it.
    """
    return (learned[0].teller or "nobody") if learned else "no"


def is_known_answer(item: ClaimItem, answer: str) -> bool:
    """Return True if an answer is possible for an item."""
    if item.kind == "line":
        return answer in ("asserts", "denies", "no")
    return answer in ("nobody", "no", *item.residents)


def draw_items(run: RunReader, names: Names) -> Iterator[ClaimItem]:
    """Yield a run's lines and residents beside each of its storylines and happenings: all with a
    mention, and the `MOST_SIMILAR` that share the most words with it without one.
    """
    last = run.last_step()
    lines, memories = [*_list_lines(run, last)], _list_memories(run, last)
    for claim in list_claims(run, names, last):
        if not isinstance(claim.topic, Storyline | HappeningTopic):
            continue
        units = content_units(" ".join((claim.text, *getattr(claim.topic, "keywords", ()))))
        (events,) = find_channels(run, [claim.topic], last)
        shared = _describe_claim(run, claim, events)
        topic = widen_topic(claim.topic, run)
        beside = {"line": list[ClaimItem](), "resident": list[ClaimItem]()}
        for who, text, before in lines:
            count = _count(units, text)
            item = ClaimItem(kind="line", who=who, text=text, lines=before, shared=count, **shared)
            if topic.is_mentioned_in(text):
                yield item
            elif count:
                beside["line"].append(item)
        for who, owned in memories.items():
            own = [each for each in events if each.memory.who == who]
            shown = _choose_memories(run, who, owned, own, units)
            count = sum(_count(units, each.text) for each in shown)
            item = ClaimItem(kind="resident", who=who, memories=shown, shared=count, **shared)
            if own:
                yield item
            elif count:
                beside["resident"].append(item)
        for others in beside.values():
            yield from sorted(others, key=lambda item: -item.shared)[:MOST_SIMILAR]


def _describe_claim(
    run: RunReader, claim: Claim, events: Sequence[LearningEvent]
) -> dict[str, Any]:
    """Return the fields of items that describe their claim."""
    topic = claim.topic
    is_story = isinstance(topic, Storyline)
    return {
        "lang": run.manifest.lang,
        "claim": claim.text,
        "known": next((e.memory.concept.text for e in events if e.channel == "start"), ""),
        "topic": "storyline" if is_story else "happening",
        "marks": topic.keywords if isinstance(topic, Storyline) else (),
        "place": topic.place if isinstance(topic, HappeningTopic) else "",
        "gathering": topic.gathering if isinstance(topic, Storyline) else None,
        "residents": tuple(run.residents),
    }


def _count(units: frozenset[str], text: str) -> int:
    """Return the number of units that a text has."""
    folded = text.casefold()
    return sum(unit in folded for unit in units)


def _choose_memories(
    run: RunReader,
    who: str,
    owned: Sequence[OwnedMemory],
    learned: Sequence[LearningEvent],
    units: frozenset[str],
) -> tuple[ShownMemory, ...]:
    """Return the memories of a resident that are shown beside a claim, in order of time: the first
    by each channel, and those that share the most words with it, one of each conversation.
    """
    similar = sorted(owned, key=lambda each: -_count(units, each.concept.text))
    chosen: dict[tuple[int, int], OwnedMemory] = {}
    talks = set[str]()
    for memory in [*(each.memory for each in learned), *similar]:
        talk = memory.concept.talk
        if len(chosen) < MOST_MEMORIES and (not talk or talk not in talks):
            chosen[memory.step, memory.concept.id] = memory
            talks.add(talk)
    return tuple(_show_memory(run, who, chosen[key]) for key in sorted(chosen))


def _show_memory(run: RunReader, who: str, memory: OwnedMemory) -> ShownMemory:
    """Return a memory as it is shown."""
    concept = memory.concept
    talk = run.conversation(concept.talk) if concept.talk else None
    return ShownMemory(
        concept.text,
        memory.step,
        concept.type,
        concept.subject,
        concept.predicate,
        concept.talk if talk else "",
        talk.lines_for(who) if talk else (),
    )


def _list_lines(run: RunReader, last: int) -> Iterator[tuple[str, str, tuple[Line, ...]]]:
    """Yield speaker and text of all spoken lines, with the lines before."""
    for talk in run.conversations(1, last):
        for number, line in enumerate(talk.lines):
            before = talk.lines[max(0, number - LINES_BEFORE) : number]
            yield line.speaker, line.text, before


def _list_memories(run: RunReader, last: int) -> dict[str, list[OwnedMemory]]:
    """Return the memories of each resident without background knowledge."""
    memories: dict[str, list[OwnedMemory]] = {who: [] for who in run.residents}
    for memory in run.memories(0, last):
        if not memory.concept.is_background:
            memories[memory.who].append(memory)
    return memories
