"""Information diffusion: the residents who learned of a storyline, with time, teller and
conversation, and the attendance at its gathering.

The measures are those of Park et al. 2023, §7.1: the share of the town that knows of a storyline at
the start and at the end, attendance at its gathering, and the density of the network of
acquaintances. A resident counts as knowing only if a memory of their own contains one of the
storyline's keywords; a model's claims are not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path
from typing import Protocol

import orjson

from hometown.agent.acting.pressing_matters import SHOUT_PREDICATE
from hometown.clock import DAY, parse_hhmm
from hometown.files import atomic_write
from hometown.frozen import frozen
from hometown.history.diary import Stay, stays, steps_of
from hometown.history.entities import OwnedMemory
from hometown.history.frames import WALKING
from hometown.history.names import Names
from hometown.history.ranges import blocks
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.language import Lang
from hometown.memory.concept import OVERHEARD_PREDICATE
from hometown.scripted.when import CLOCK, clock_of
from hometown.text import contains_name, split_sentences
from hometown.world import keys
from hometown.world.attendance import ZH_KIND_LENGTH
from hometown.world.conversation import Conversation
from hometown.world.world import Gathering, Storyline

OVERHEARD_PREDICATES = (OVERHEARD_PREDICATE, SHOUT_PREDICATE)
"""The predicates of the memories of what was not meant for the learner's ears, or for all."""

_DENIAL = re.compile(
    r"(?<!you )(?<!he )(?<!they )(?<!who )"
    r"\b(?:don[’']t|do not|didn[’']t|did not|haven[’']t|have not|hadn[’']t|never|nothing|nobody)\b"
    r"[^.!?]*\b(?:know(?! how)|knew|hear|heard|aware)\b"
    r"|\b(?:know|heard) (?:nothing|of no)\b|\bno idea\b|\bthere(?:[’']s| is| was) no\b"
    r"|\bnot (?:sure|true)\b|\bdoubt\b"
    r"|(?:^|[我们，。：！？…“\s])[还真也倒可都从来的确]*(?:不知道|不清楚|不晓得|没(?:有)?听(?:说|过))"
    r"|没有这(?:回|件)事|不确定|不是真的",
    re.IGNORECASE,
)
"""Words by which speakers deny or doubt something, or say that they don't know of it; that others
don't know of it yet is no denial.
"""

_ECHO = re.compile(r"[^\w]*(?:(?:[^\W\u2e80-\uffff]+\W+){1,4}|[\u2e80-\u9fff]{1,6}\W+)")
"""A question of no more than four words, or six Chinese characters, which repeats what was said."""

BLOCK = 200
"""Number of steps read at once."""

GUEST_MINUTES = 10
"""Game minutes at a gathering from which on a resident who knew of it counts as a guest."""


@frozen
class Learning:
    """A resident's first memory of a storyline; `teller` is the resident who told them in a
    conversation, or whom they overheard, "" for none.
    """

    memory: OwnedMemory
    teller: str = ""


@frozen
class GuestVisit:
    """A resident's presence at a gathering: first arrival, and game minutes in all while it
    lasted.
    """

    who: str
    arrived: datetime
    minutes: int


@frozen
class Attendance:
    """The residents involved in a gathering.

    `hosts` have had the storyline in their own file from the start; the other lists contain no
    hosts. `knew` are those who knew before it ended, in the order in which they learned of it.
    `came` are guests: at its place for `GUEST_MINUTES` minutes or more, having known before they
    arrived, and there for it: they meant to come, or took part. `chanced_by` are all others who were there. `stayed_away` are those who knew and were
    never there; empty until it is over.
    """

    state: str
    """"to come", "under way" or "over"."""
    hosts: list[str]
    knew: list[str]
    came: list[GuestVisit]
    chanced_by: list[GuestVisit]
    stayed_away: list[str]


class Topic(Protocol):
    """A subject of memories, such as a storyline."""

    def is_mentioned_in(self, text: str) -> bool: ...


@frozen
class GatheringTopic:
    """The gathering of a storyline as a subject: texts with the storyline's words mention it, and
    those that name its kind and its hour, such as "the party, at five o'clock".
    """

    story: Storyline
    gathering: Gathering
    lang: Lang

    def is_mentioned_in(self, text: str) -> bool:
        """Return True if a text has the storyline's words, or names its kind and its hour."""
        if self.story.is_mentioned_in(text):
            return True
        word = self.story.keywords[0]
        kind = f"the {word.rpartition(' ')[2]}" if self.lang == "en" else word[-ZH_KIND_LENGTH:]
        if not contains_name(kind.casefold(), text.casefold()):
            return False
        hour = self.gathering.start.strftime("%H:%M")
        clocks = (clock_of(each[0], self.lang) for each in re.finditer(CLOCK[self.lang], text))
        return any(_is_same_hour(clock, hour) for clock in clocks)


def _is_same_hour(clock: str, hour: str) -> bool:
    """Return True if two clock times show the same on a clock face.

    >>> _is_same_hour("05:00", "17:00"), _is_same_hour("06:00", "17:00"), _is_same_hour("", "17:00")
    (True, False, False)
    """
    return bool(clock) and (parse_hhmm(clock) - parse_hhmm(hour)) % (DAY // 2) == 0


def widen_topic(topic: Topic, run: RunReader) -> Topic:
    """Return the gathering of a storyline that has one, with which texts mention the storyline; any
    other topic itself.
    """
    if isinstance(topic, Storyline) and topic.gathering and topic.keywords:
        return GatheringTopic(topic, topic.gathering, run.manifest.lang)
    return topic


def knowers(run: RunReader, topic: Topic, last: int) -> list[Learning]:
    """Return the residents who know of a topic after step `last`, in the order in which they
    learned of it.
    """
    return knowers_of_each(run, [topic], last)[0]


def knowers_of_each(run: RunReader, topics: Sequence[Topic], last: int) -> list[list[Learning]]:
    """Return the result of `knowers` for each topic, from one reading of all memories."""
    topics = [widen_topic(topic, run) for topic in topics]
    learned: list[dict[str, Learning]] = [{} for _ in topics]
    for first, end in blocks(0, last, BLOCK):
        for memory in memories_as_learnt(run, first, end):
            for topic, known in zip(topics, learned, strict=True):
                if memory.who not in known and topic.is_mentioned_in(memory.concept.text):
                    known[memory.who] = Learning(memory, find_teller_of(run, topic, memory))
    return [list(known.values()) for known in learned]


def memories_as_learnt(run: RunReader, first: int, last: int) -> list[OwnedMemory]:
    """Return all memories made from one step to another, in each step those of conversations first:
    a change of plans that follows from one is entered before its memories.
    """
    return sorted(run.memories(first, last), key=lambda each: (each.step, not each.concept.talk))


def find_teller_of(run: RunReader, topic: Topic, memory: OwnedMemory) -> str:
    """Return the resident who was overheard, or the first other speaker who asserts a topic in the
    learner's hearing, in the conversation of a memory; "" if there is none.
    """
    concept = memory.concept
    if concept.predicate in OVERHEARD_PREDICATES:
        return concept.subject
    talk, topic = run.conversation(concept.talk) if concept.talk else None, widen_topic(topic, run)
    tellers = (
        line.speaker
        for line in (talk.lines_for(memory.who) if talk else ())
        if line.speaker != memory.who and asserts_topic(topic, line.text)
    )
    return next(tellers, "")


def asserts_topic(topic: Topic, line: str) -> bool:
    """Return True if a line mentions a topic in a sentence that neither denies nor doubts it, nor
    only asks back, as in "The party?". What follows a colon is a sentence of its own, as in "you
    haven't heard this yet: there is a party".
    """
    clauses = [
        clause for sentence in split_sentences(line) for clause in re.split(r":\s|：", sentence)
    ]
    mentions = [clause for clause in clauses if topic.is_mentioned_in(clause)]
    if not mentions and topic.is_mentioned_in(line):
        mentions = [line]
    return any(not _DENIAL.search(clause) and not _asks_back(clause) for clause in mentions)


def _asks_back(clause: str) -> bool:
    """Return True if a clause only repeats a statement as a question.

    >>> [_asks_back(clause) for clause in ("“Breakfast in Three-Four”?", "Have you heard of the party?", "情人节聚会？")]
    [True, False, True]
    """
    bare = clause.rstrip(' ”"」')
    return bare.endswith(("?", "？")) and _ECHO.fullmatch(bare) is not None


def teller_of(memory: OwnedMemory, conversation: Conversation) -> str:
    """Return the resident who told another the content of their memory of a conversation: of two,
    the other; of more, the first whom the memory is about.
    """
    others = conversation.others(memory.who)
    return next((other for other in memory.concept.about if other in others), others[0])


def visits(run: RunReader, gathering: Gathering, last: int) -> list[GuestVisit]:
    """Return the visits to a gathering's place while it lasted, including hosts and passers-by, the
    longest first; none before it began.
    """
    day = gathering.start.date()
    if run.moment(last) <= gathering.start or day < run.manifest.start.date():
        return []
    first, end = steps_of(run, day, last)
    conversations = run.conversations(first, end)
    people = (
        _measure_visit(who, gathering, stays(run, who, day, last, conversations))
        for who in run.residents
    )
    return sorted(
        (visit for visit in people if visit), key=lambda visit: (-visit.minutes, visit.who)
    )


def _measure_visit(who: str, gathering: Gathering, life: Iterable[Stay]) -> GuestVisit | None:
    """Return a resident's visit to a gathering, in minutes rounded; None for one who was never
    there, was out of town, or is still on the way when the run ends.
    """
    there = (
        stay
        for stay in life
        if stay.address == gathering.place
        and stay.doings[0].label != WALKING
        and not stay.doings[0].is_away
    )
    spans = [(max(stay.start, gathering.start), min(stay.end, gathering.end)) for stay in there]
    spans = [(start, end) for start, end in spans if start < end]
    spent = sum((end - start for start, end in spans), timedelta())
    return GuestVisit(who, spans[0][0], round(spent.total_seconds() / 60)) if spans else None


def measure_attendance(
    run: RunReader,
    names: Names,
    story: Storyline,
    gathering: Gathering,
    learned: Sequence[Learning],
    last: int,
) -> Attendance:
    """Return the hosts, guests, passers-by and absentees of a storyline's gathering after step
    `last`; `learned` are the first memories of those who know of it.
    """
    now = run.moment(last)
    state = "to come" if now <= gathering.start else "under way" if now < gathering.end else "over"
    hosts = [
        who
        for who in run.residents
        if (persona := names.persona(who))
        and any(seed.storyline == story.id for seed in persona.seeds)
    ]
    since = {learning.memory.who: learning.memory.concept.created for learning in learned}
    occasion = run.row(keys.OCCASION.of(story.id), last)
    knew = [who for who, moment in since.items() if moment < gathering.end and who not in hosts]
    present = [visit for visit in visits(run, gathering, last) if visit.who not in hosts]
    came = [
        visit
        for visit in present
        if visit.minutes >= GUEST_MINUTES
        and visit.who in since
        and since[visit.who] < visit.arrived
        and (occasion is None or visit.who in occasion.came)
    ]
    chanced_by = [visit for visit in present if visit not in came]
    there = {visit.who for visit in present}
    return Attendance(
        state,
        hosts,
        knew,
        came,
        chanced_by,
        [who for who in knew if who not in there] if state == "over" else [],
    )


def density(pairs: int, people: int) -> float:
    """Return the share of all pairs of `people` who know each other, 2|E| ÷ (|V|(|V| − 1)) (Park et
    al. 2023, §7.1.2); 0 for fewer than two.
    """
    return 2 * pairs / (people * (people - 1)) if people > 1 else 0.0


def authored_pairs(run: RunReader, names: Names) -> set[frozenset[str]]:
    """Return the pairs of residents who know each other at the start: each has a relation to the
    other in their file; where one's file is missing, the other's suffices.
    """
    residents = run.residents
    return {
        frozenset((who, other))
        for who in residents
        if (persona := names.persona(who))
        for other in persona.relations or {}
        if other in residents and who in ((names.persona(other) or persona).relations or {})
    }


def acquaintances(run: RunReader, names: Names, last: int) -> tuple[int, int]:
    """Return the number of pairs of residents who know each other at the start, and that after step
    `last`, with those who have talked.
    """
    authored = authored_pairs(run, names)
    began, now = (
        {pair for pair in authored if pair <= set(run.residents_at(step))} for step in (0, last)
    )
    talks = (
        conversation
        for first, end in blocks(1, last, BLOCK)
        for conversation in run.conversations(first, end)
    )
    met = {
        frozenset(pair) for conversation in talks for pair in combinations(conversation.people, 2)
    }
    return len(began), len(now | met)


def write_spread(run: RunReader, names: Names, path: Path, last: int) -> None:
    """Write `spread.json` for steps 1 to `last`; docs/formats.md describes it."""
    content = describe_diffusion(run, names, last)
    with atomic_write(path) as file:
        file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2) + b"\n")


def describe_diffusion(run: RunReader, names: Names, last: int) -> Json:
    """Return the diffusion of all storylines in steps 1 to `last`, as in `spread.json`."""
    stories = names.storylines
    learned = knowers_of_each(run, stories, last)
    return {
        "run": run.manifest.name,
        "residents": len(run.residents_at(last)),
        "until": run.moment(last).isoformat(),
        "recorded": run.manifest.recorded,
        "network": _network_json(run, names, last) if names.world else None,
        "storylines": [
            _story_json(run, names, *each, last) for each in zip(stories, learned, strict=True)
        ]
        if names.world
        else None,
    }


def _network_json(run: RunReader, names: Names, last: int) -> dict[str, float]:
    """Return the density of acquaintances at the start and after step `last`, 0 to 1 with three
    decimals.
    """
    before, after = acquaintances(run, names, last)
    began, people = (len(run.residents_at(step)) for step in (0, last))
    return {"start": round(density(before, began), 3), "end": round(density(after, people), 3)}


def _story_json(
    run: RunReader, names: Names, story: Storyline, learned: Sequence[Learning], last: int
) -> Json:
    """Return a storyline as an entry of `spread.json`: the shares, 0 to 1, of residents who know of
    it at the start (before step 1) and after step `last`, each resident's first memory of it, and
    the attendance of its gathering if it has one.
    """
    known_at_start = [learning for learning in learned if learning.memory.step == 0]
    content: Json = {
        "id": story.id,
        "title": story.title,
        "keywords": list(story.keywords),
        "share": {
            "start": _share_of_residents(known_at_start, run.residents_at(0)),
            "end": _share_of_residents(learned, run.residents_at(last)),
        },
        "learned": [_learning_json(learning, names) for learning in learned],
    }
    if story.gathering:
        content["gathering"] = _gathering_json(
            measure_attendance(run, names, story, story.gathering, learned, last),
            story.gathering,
            names,
        )
    return content


def _gathering_json(people: Attendance, gathering: Gathering, names: Names) -> Json:
    """Return a gathering for the file, with the residents involved."""

    def entry(visit: GuestVisit) -> Json:
        return {
            "who": visit.who,
            "name": names.person(visit.who),
            "arrived": visit.arrived.isoformat(),
            "minutes": visit.minutes,
        }

    return {
        "place": gathering.place,
        "start": gathering.start.isoformat(),
        "end": gathering.end.isoformat(),
        "state": people.state,
        "hosts": people.hosts,
        "knew": people.knew,
        "came": [entry(visit) for visit in people.came],
        "chanced_by": [entry(visit) for visit in people.chanced_by],
        "knew_but_stayed_away": people.stayed_away,
    }


def _learning_json(learning: Learning, names: Names) -> Json:
    """Return a first memory for the file; teller and conversation only where it has them."""
    concept = learning.memory.concept
    content: Json = {
        "who": learning.memory.who,
        "name": names.person(learning.memory.who),
        "time": concept.created.isoformat(),
        "step": learning.memory.step,
    }
    if learning.teller:
        content["from"] = learning.teller
    if concept.talk:
        content["conversation"] = concept.talk
    return content | {"memory": concept.id, "text": concept.text}


def _share_of_residents(learned: Sequence[Learning], residents: Sequence[str]) -> float:
    return round(len(learned) / max(1, len(residents)), 3)
