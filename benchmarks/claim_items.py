"""Lines and memories of runs beside claims, and the verdicts of the rules on them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, cast

from hometown.agent.acting.note_leaving import NOTE_PREDICATE
from hometown.frozen import frozen
from hometown.history.channels import classify_memory
from hometown.history.entities import OwnedMemory
from hometown.history.names import Names
from hometown.history.news_beliefs import list_claims
from hometown.history.reader import RunReader
from hometown.history.spread import Topic, asserts_topic
from hometown.history.topics import HappeningTopic, Retelling
from hometown.language import Lang
from hometown.memory.concept import Concept, MemoryType
from hometown.model.hashing import content_units
from hometown.world.conversation import Line
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.world import Storyline

RECORDED = (VOICE_PREDICATE, NOTE_PREDICATE)
"""The predicates of memories that record their source."""

LINES_BEFORE = 3
"""Number of lines before a line that are shown with it."""

MOST_SIMILAR = 30
"""Number of the most similar items without a mention that are kept for each claim."""


@frozen
class ClaimItem:
    """A line or a memory beside a claim.

    Attributes:
        claim: The text of the claim.
        marks: What the topic of the claim is recognised by: keywords of a storyline, else its text
            and the names of residents.
        who: The speaker, or the holder of the memory.
        lines: The lines before the line, or those that the holder heard.
        residents: The ids of all residents.
        shared: Number of content words that the text shares with the claim.
    """

    lang: Lang
    kind: Literal["line", "memory"]
    claim: str
    topic: Literal["storyline", "happening", "words"]
    marks: tuple[str, ...]
    who: str
    text: str
    lines: tuple[Line, ...]
    residents: tuple[str, ...]
    shared: int
    step: int = 0
    type: MemoryType = "event"
    subject: str = ""
    predicate: str = ""

    @property
    def is_of_other(self) -> bool:
        """True if the memory is an observation of another resident."""
        return not self.lines and self.subject != self.who and self.subject in self.residents


class _Heard:
    """A conversation of which only the lines are known that one resident heard."""

    def __init__(self, lines: tuple[Line, ...]) -> None:
        self._lines = lines

    def lines_for(self, who: str) -> tuple[Line, ...]:
        """Return the lines that the holder of the memory heard."""
        return self._lines


class _ItemRun:
    """The part of a run on which the verdict on a memory rests."""

    def __init__(self, item: ClaimItem) -> None:
        self.residents = item.residents
        self._lines = item.lines

    def conversation(self, id: str) -> _Heard:
        """Return the conversation of the memory."""
        return _Heard(self._lines)


def topic_of(item: ClaimItem) -> Topic:
    """Return the subject of an item's claim."""
    if item.topic == "storyline":
        return Storyline("", item.claim, item.marks)
    if item.topic == "happening":
        return HappeningTopic(item.claim, item.lang)
    return Retelling(item.claim, item.marks)


def judge_by_rule(item: ClaimItem) -> str:
    """Return the answer of the rules: of a line, "asserts", "denies" or "no"; of a memory, the id of
    the teller, "nobody" or "no".
    """
    topic = topic_of(item)
    if not topic.is_mentioned_in(item.text):
        return "no"
    if item.kind == "line":
        return "asserts" if asserts_topic(topic, item.text) else "denies"
    concept = cast(Any, _Remembered(item))
    run = cast(RunReader, _ItemRun(item))
    return classify_memory(run, topic, OwnedMemory(item.who, item.step, concept)).teller or "nobody"


class _Remembered:
    """The fields of a memory on which its verdict rests."""

    def __init__(self, item: ClaimItem) -> None:
        self.type, self.subject, self.predicate = item.type, item.subject, item.predicate
        self.text, self.talk = item.text, "heard" if item.lines else ""
        self.is_background = False


def is_known_answer(item: ClaimItem, answer: str) -> bool:
    """Return True if an answer is possible for an item."""
    if item.kind == "line":
        return answer in ("asserts", "denies", "no")
    return answer in ("nobody", "no", *item.residents)


def draw_items(run: RunReader, names: Names) -> Iterator[ClaimItem]:
    """Yield a run's lines and memories beside each of its claims: all that mention it, and the
    `MOST_SIMILAR` that share the most words with it without a mention.
    """
    last = run.last_step()
    people = tuple(names.person(who) for who in run.residents)
    items = [*_list_lines(run, last), *_list_memories(run, last)]
    for claim in list_claims(run, names, last):
        topic: Literal["storyline", "happening", "words"] = "words"
        marks = people
        if isinstance(claim.topic, Storyline):
            topic, marks = "storyline", tuple(claim.topic.keywords)
        elif isinstance(claim.topic, HappeningTopic):
            topic, marks = "happening", ()
        subject = Retelling(claim.text, people) if topic == "words" else claim.topic
        units = content_units(
            " ".join((claim.text, *marks)) if topic == "storyline" else claim.text
        )
        beside: dict[str, list[ClaimItem]] = {"line": [], "memory": []}
        for values in items:
            folded = values["text"].casefold()
            shared = sum(unit in folded for unit in units)
            item = ClaimItem(
                lang=run.manifest.lang,
                claim=claim.text,
                topic=topic,
                marks=marks,
                residents=tuple(run.residents),
                shared=shared,
                **values,
            )
            if subject.is_mentioned_in(item.text):
                yield item
            elif shared:
                beside[item.kind].append(item)
        for others in beside.values():
            yield from sorted(others, key=lambda item: -item.shared)[:MOST_SIMILAR]


def _list_lines(run: RunReader, last: int) -> Iterator[dict[str, Any]]:
    """Yield the fields of all spoken lines."""
    for talk in run.conversations(1, last):
        for number, line in enumerate(talk.lines):
            yield {
                "kind": "line",
                "who": line.speaker,
                "text": line.text,
                "lines": talk.lines[max(0, number - LINES_BEFORE) : number],
            }


def _list_memories(run: RunReader, last: int) -> Iterator[dict[str, Any]]:
    """Yield the fields of all memories, without those of inner voices and read texts, whose source
    is recorded.
    """
    for memory in run.memories(0, last):
        concept: Concept = memory.concept
        if concept.is_background or concept.predicate in RECORDED:
            continue
        talk = run.conversation(concept.talk) if concept.talk else None
        yield {
            "kind": "memory",
            "who": memory.who,
            "text": concept.text,
            "lines": talk.lines_for(memory.who) if talk else (),
            "step": memory.step,
            "type": concept.type,
            "subject": concept.subject,
            "predicate": concept.predicate,
        }
