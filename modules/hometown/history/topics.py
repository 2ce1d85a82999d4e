"""Knowledge of a topic among residents: of a storyline, a happening, or a memory in its own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from hometown.frozen import frozen
from hometown.history.changed_news import find_changed_facts, news_in
from hometown.history.channels import classify_memory
from hometown.history.entities import OwnedMemory
from hometown.history.names import Names
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.history.spread import (
    BLOCK,
    Attendance,
    GuestVisit,
    Learning,
    Topic,
    knowers,
    measure_attendance,
)
from hometown.json_object import Json
from hometown.language import Lang
from hometown.scripted.words import bare
from hometown.text import word_pattern
from hometown.text_features import content_units
from hometown.world.befalling import happening_kind
from hometown.world.incidents import Happening
from hometown.world.world import Gathering, Storyline


@frozen
class ExactWords:
    """A memory's own words as a subject: other words for the same are not recognised."""

    text: str

    def is_mentioned_in(self, text: str) -> bool:
        """Return True if a text is these words."""
        return text == self.text


@frozen
class HappeningTopic:
    """A happening as a subject, at the place with the name `place`.

    Texts that quote it, or its `sound` from elsewhere, mention it; those that tell of its kind and
    name its place or have another content word of it; and those with three of its content words (of
    Chinese, pairs of characters) and `SHARE` of all.
    """

    text: str
    lang: Lang
    place: str
    sound: str = ""

    SHARE: ClassVar = 0.4

    def is_mentioned_in(self, text: str) -> bool:
        """Return True if a text quotes the happening, tells of its kind there, or has enough of its
        words.
        """
        if bare(self.text) in text or (self.sound and self.sound in text):
            return True
        folded = text.casefold()
        units = content_units(self.text) - content_units(self.place)
        shared = sum(unit in folded for unit in units)
        if shared >= max(3, self.SHARE * len(units)):
            return True
        kind = happening_kind(self.text, self.lang)
        if kind is None or happening_kind(text, self.lang) is not kind:
            return False
        rest = word_pattern(kind.words).sub(" ", folded)
        return self.place.casefold() in folded or any(unit in rest for unit in units)


def make_happening_topic(happening: Happening, lang: Lang, names: Names) -> HappeningTopic:
    """Return a happening of a run in a language as a subject."""
    return HappeningTopic(happening.text, lang, names.place(happening.address), happening.sound)


def stories(names: Names) -> list[dict[str, str]]:
    """Return the storylines of a run's world, to choose from."""
    return [{"id": story.id, "title": story.title} for story in names.storylines]


def describe_spread(run: RunReader, names: Names, topic: Topic) -> Json:
    """Return how a topic spread.

    `learned` lists the residents in the order in which they learned of it, with time, teller,
    conversation, memory and channel, with the facts that changed in the telling (`changed`) and
    those that no source had (`strayed`); `gathering` is that of a storyline.
    """
    last = run.last_step()
    learned = knowers(run, topic, last)
    changes = find_changes(run, names, topic, learned)
    strays = find_strays(run, names, topic, learned)
    content: Json = {
        "learned": [
            _learning_json(run, each)
            | {
                "changed": changed,
                "strayed": strayed,
                "channel": classify_memory(run, topic, each.memory).channel,
            }
            for each, changed, strayed in zip(learned, changes, strays, strict=True)
        ]
    }
    if isinstance(topic, Storyline) and topic.gathering:
        content["gathering"] = _gathering_json(
            run,
            topic.gathering,
            measure_attendance(run, names, topic, topic.gathering, learned, last),
        )
    return content


def find_changes(
    run: RunReader, names: Names, topic: Topic, learned: Sequence[Learning]
) -> list[list[str]]:
    """Return for each memory of a topic the times, numbers and people in it that its teller did not
    know.
    """
    known = _known_otherwise(run, topic, learned)
    return [_find_changed_facts(run, names, topic, each, known) for each in learned]


def find_strays(
    run: RunReader, names: Names, topic: Topic, learned: Sequence[Learning]
) -> list[list[str]]:
    """Return for each memory of a topic the times, numbers and people in it that no source had, that
    is, no resident who learned of it without being told: what changed anywhere on the way.
    """
    roots = [each.memory for each in learned if not each.teller]
    known = {each.teller: roots for each in learned if each.teller}
    return [_find_changed_facts(run, names, topic, each, known) for each in learned]


def _known_otherwise(
    run: RunReader, topic: Topic, learned: Sequence[Learning]
) -> dict[str, list[OwnedMemory]]:
    """Return, for each teller of a topic, the memories from which they knew of it up to the last
    telling: the one from which they learned of it, and all that come from no conversation; {} if
    nobody was told.
    """
    told = [each for each in learned if each.teller]
    tellers = {each.teller for each in told}
    known = {each.memory.who: [each.memory] for each in learned if each.memory.who in tellers}
    for first, end in blocks(0, max(each.memory.step for each in told), BLOCK) if known else ():
        for memory in run.memories(first, end):
            if (
                memory.who in known
                and not memory.concept.talk
                and topic.is_mentioned_in(memory.concept.text)
            ):
                known[memory.who].append(memory)
    return known


def _find_changed_facts(
    run: RunReader,
    names: Names,
    topic: Topic,
    learning: Learning,
    known: Mapping[str, Sequence[OwnedMemory]],
) -> list[str]:
    """Return the times, numbers and people in a listener's memory of a topic that the teller did
    not know; none without a teller. The names of the speakers are no part of the news.
    """
    if not learning.teller:
        return []
    memory, lang = learning.memory, run.manifest.lang
    talk = run.conversation(memory.concept.talk)
    talkers = {
        names.person(who) for who in (memory.who, learning.teller, *(talk.people if talk else ()))
    }
    before = [
        each.concept.text
        for each in known.get(learning.teller, ())
        if each.concept.created <= memory.concept.created
    ]
    knew = [news_in(text, topic.is_mentioned_in, lang) for text in before]
    changed = (
        find_changed_facts(
            knew,
            news_in(memory.concept.text, topic.is_mentioned_in, lang),
            lang,
            map(names.person, run.residents),
        )
        if knew
        else []
    )
    return [fact for fact in changed if fact not in talkers]


def _gathering_json(run: RunReader, gathering: Gathering, people: Attendance) -> Json:
    """Return a gathering for the page, with the residents involved."""

    def visits(guests: list[GuestVisit]) -> list[Json]:
        return [
            {"who": visit.who, "tick": run.tick(visit.arrived), "minutes": visit.minutes}
            for visit in guests
        ]

    return {
        "place": gathering.place,
        "tick": run.tick(gathering.start),
        "end": run.tick(gathering.end),
        "state": people.state,
        "hosts": people.hosts,
        "knew": people.knew,
        "came": visits(people.came),
        "chanced_by": visits(people.chanced_by),
        "stayed_away": people.stayed_away,
    }


def _learning_json(run: RunReader, learning: Learning) -> Json:
    """Return a first memory for the page."""
    concept = learning.memory.concept
    return {
        "who": learning.memory.who,
        "from": learning.teller,
        "tick": run.tick(concept.created),
        "step": learning.memory.step,
        "conversation": concept.talk,
        "memory": concept.id,
        "text": concept.text,
    }
