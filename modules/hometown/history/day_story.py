"""A resident's day as a story: the changes that it brought, in a few sentences written by rule.

News, agreements, quarrels, kept and missed appointments, urgent events and the weightiest thought
are told; the timetable is not. Sentences are in the run's language, and speech is quoted verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import cached_property
from itertools import groupby

from hometown.clock import format_time, minute_of_day
from hometown.frozen import frozen
from hometown.history.diary import Stay, awake, main_place, memories_on
from hometown.history.familiar import GivenNames, Mentions
from hometown.history.highlights import conversation_poignancies
from hometown.history.names import Names, join_names
from hometown.history.occasions import Met, occasions
from hometown.history.quotes import best_line, without_farewell
from hometown.history.reader import RunReader
from hometown.history.spread import Learning, knowers_of_each
from hometown.memory.concept import Concept
from hometown.scripted.words import bare
from hometown.text import catalogue, nest_quotes
from hometown.world import keys
from hometown.world.bond import Why
from hometown.world.conversation import Conversation
from hometown.world.world import Storyline

MAX_SENTENCES = 9
"""Maximum number of changes told of a day, besides its opening."""

MAX_PLAIN_CONVERSATIONS = 3
"""Maximum number of talks told for the sake of a line, which changed nothing else."""

QUOTED_SENTENCES = 2
"""Maximum number of sentences of a talk that are quoted for their own sake."""

SENTENCE_ENDS = ".!?。！？…”"

MAX_NAMED = 5
"""Maximum number of residents named in an enumeration."""

URGENT = 6
"""Poignancy from which on an event is told."""

WEIGHTS: dict[str, int] = {
    "quarrel": 30,
    "made_up": 28,
    "gathered": 27,
    "waited": 26,
    "missed": 26,
    "event": 24,
    "kept": 20,
    "heard": 18,
    "heard_of": 18,
    "agreed": 16,
    "told_many": 17,
    "told": 12,
    "thought": 10,
    "talked": 0,
}
"""Order in which changes are told if there are more than `MAX_SENTENCES`; the poignancy of a talk,
a thought or an event is added.
"""

BOND_CAUSES_REPORTED: tuple[Why, ...] = ("quarrel", "made_up")
"""Changes of a bond that belong to a talk and are told."""

PARTS_OF_DAY = (12 * 60, 18 * 60)
"""Minutes at which the afternoon and the evening begin; each has a paragraph."""


@frozen
class Sentence:
    """A sentence about a change at a moment. `conversation` is the id of the talk that brought
    it, or "".
    """

    moment: datetime
    text: str
    conversation: str = ""


@frozen
class _Change:
    """A change before it is worded: the key of its sentence, its weight, and its values, in which
    residents have their full names.
    """

    moment: datetime
    key: str
    weight: int
    values: dict[str, str]
    conversation: str = ""


class DayStories:
    """The stories of all residents and days of a run up to a step."""

    def __init__(
        self,
        run: RunReader,
        names: Names,
        last: int,
        learned: Sequence[Sequence[Learning]] | None = None,
    ) -> None:
        """Prepare the stories; `learned` are the residents who know of each storyline, if read
        already.
        """
        self.run, self.names, self.last = run, names, last
        self._knowers = learned
        self.words = catalogue(run.manifest.lang, "day")
        self.given = GivenNames(names, run.residents)

    def tell(
        self, who: str, day: date, life: Sequence[Stay], talks: Sequence[Conversation]
    ) -> list[list[Sentence]]:
        """Return the story of a resident's day as paragraphs of sentences; none if they never woke.

        Args:
            life: The resident's stays on that day.
            talks: The conversations of the town that began on that day.
        """
        if not awake(life):
            return []
        mentions = Mentions(self.given, [who])
        own = [talk for talk in talks if who in talk.people]
        found = [
            *self._talks(who, own, day),
            *self._news_told_by(who, own),
            *self._appointments(who, day),
            *self._events(who, day),
        ]
        changes = sorted(found, key=lambda each: -each.weight)
        consequential = [each for each in changes if each.key != "talked"]
        described = {each.conversation for each in consequential}
        plain = [
            each for each in changes if each.key == "talked" and each.conversation not in described
        ]
        told = (consequential + plain[:MAX_PLAIN_CONVERSATIONS])[:MAX_SENTENCES]
        told.sort(key=lambda each: each.moment)
        opening = Sentence(life[0].start, self._open(who, life))
        sentences = [self._write(who, change, mentions) for change in told]
        parts = [list(group) for _, group in groupby(sentences, key=_part_of_day)]
        return [[opening], *parts] if not parts else [[opening, *parts[0]], *parts[1:]]

    def _say(self, key: str, who: str, **values: str) -> str:
        """Return the sentence of a key with its values and the resident's pronouns, subject and
        object; a language with one pronoun uses it for both.
        """
        persona = self.names.persona(who)
        known = persona.pronouns if persona else ()
        subject, *others = known or (self.words["they"], self.words["them"])
        pronoun_object = others[0] if others else subject
        return self.words[key].format(she=subject, her=pronoun_object, **values)

    def _open(self, who: str, life: Sequence[Stay]) -> str:
        """Return the opening of a day: the place where the resident spent most of it; if they slept
        as it began, also the time at which they got up, and, if they slept as it ended too, that of
        going to bed.
        """
        spans = awake(life)
        woke = life[0].doings[0].asleep
        sleeps = life[-1].doings[-1].asleep
        if not woke:
            key = "opening_place"
        elif sleeps:
            key = "opening"
        else:
            key = "opening_up"
        return self._say(
            key,
            who,
            name=self.given.given[who],
            up=format_time(spans[0][0]),
            down=format_time(spans[-1][1]),
            place=self.names.place(main_place(life)),
        )

    def _write(self, who: str, change: _Change, mentions: Mentions) -> Sentence:
        """Word a change. Names are in full at their first mention; quotations are left alone."""
        values = {
            key: value if key == "line" else mentions.shorten(value)
            for key, value in change.values.items()
        }
        text = self._say(change.key, who, time=format_time(change.moment), **values)
        if text[-1] not in SENTENCE_ENDS:
            text += self.words["full_stop"]
        return Sentence(change.moment, text, change.conversation)

    def _people(self, ids: Sequence[str]) -> str:
        """Join names into an enumeration; of many, the first."""
        return join_names([self.names.person(who) for who in ids], self.words, MAX_NAMED)

    # talks --------------------------------------------------------------------------------

    def _talks(self, who: str, talks: Iterable[Conversation], day: date) -> Iterator[_Change]:
        """Yield the most consequential change that each talk brought; an appointment of the same
        day is told once, when it is due.
        """
        due = {met.occasion.start for met in self._occasions_of(who, day)}
        for talk in talks:
            changes = [
                *self._bonds(who, talk),
                *self._news(who, talk),
                *self._agreements(who, talk, due),
                *self._quotes(who, talk),
            ]
            if changes:
                yield max(changes, key=lambda each: each.weight)

    def _bonds(self, who: str, talk: Conversation) -> Iterator[_Change]:
        """Yield the quarrels and reconciliations with others in a talk."""
        for other in talk.others(who):
            for step in (talk.step, talk.step + 1):
                if why := self._shifts.get((who, other, step)):
                    yield self._from_talk(talk, why, other=self.names.person(other))

    @cached_property
    def _shifts(self) -> dict[tuple[str, str, int], Why]:
        """The causes of changes of bonds that are told, by resident, other and step."""
        return {
            (who, other, step): row.why
            for who in self.run.residents
            for step, other, row in self.run.rows_about(keys.BOND, who, self.last)
            if row and row.why in BOND_CAUSES_REPORTED
        }

    def _news(self, who: str, talk: Conversation) -> Iterator[_Change]:
        """Yield the storylines of which a resident learned in a talk, with the line that told it."""
        for story, learning in self._learned.get(talk.id, ()):
            if learning.memory.who == who:
                said = [each for each in talk.lines_for(who) if each.speaker == learning.teller]
                line = best_line(said, story)
                yield self._from_talk(
                    talk,
                    "heard" if line else "heard_of",
                    teller=self.names.person(learning.teller),
                    story=nest_quotes(story.title),
                    line=nest_quotes(line.text) if line else "",
                )

    def _news_told_by(self, who: str, talks: Iterable[Conversation]) -> Iterator[_Change]:
        """Yield for each storyline the residents who learned of it from a resident."""
        learners: dict[str, list[str]] = {}
        first: dict[str, Conversation] = {}
        for talk in talks:
            for story, learning in self._learned.get(talk.id, ()):
                if learning.teller == who:
                    first.setdefault(story.title, talk)
                    learners.setdefault(story.title, []).append(learning.memory.who)
        for title, ids in learners.items():
            others = self._people(list(dict.fromkeys(ids)))
            key = "told" if len(ids) == 1 else "told_many"
            yield self._from_talk(first[title], key, others=others, story=nest_quotes(title))

    @cached_property
    def _learned(self) -> dict[str, list[tuple[Storyline, Learning]]]:
        """The residents who learned of a storyline in a talk, by the id of the talk."""
        stories = self.names.storylines
        knowers = self._knowers
        if knowers is None:
            knowers = knowers_of_each(self.run, stories, self.last)
        found: dict[str, list[tuple[Storyline, Learning]]] = {}
        for story, learned in zip(stories, knowers, strict=True):
            for each in learned:
                if each.teller:
                    found.setdefault(each.memory.concept.talk, []).append((story, each))
        return found

    def _agreements(
        self, who: str, talk: Conversation, due: Collection[datetime]
    ) -> Iterator[_Change]:
        """Yield the agreements from a talk, soonest first, except those at the moments in `due`."""
        rows = self.run.versions(keys.PROMISES.of(who), talk.step, min(talk.step + 2, self.last))
        promises = {each for _, row in rows for each in (row.items if row else ())}
        for each in sorted(promises, key=lambda each: each.start):
            if each.talk == talk.id and each.start not in due:
                others = [other for other in each.people if other != who]
                when = self.words["time_at"].format(time=format_time(each.start))
                if each.start.date() != talk.started.date():
                    weekday = self.words["weekdays"].split()[each.start.weekday()]
                    when = self.words["weekday_at"].format(
                        weekday=weekday, time=format_time(each.start)
                    )
                yield self._from_talk(
                    talk,
                    "agreed",
                    others=self._people(others or talk.others(who)),
                    what=each.what,
                    when=when,
                    place=self.names.place(each.address) if each.address else "",
                )

    def _quotes(self, who: str, talk: Conversation) -> Iterator[_Change]:
        """Yield the best line of a talk."""
        lines = without_farewell(talk.lines_for(who))
        if line := best_line(lines, sentences=QUOTED_SENTENCES, point=talk.summary):
            yield self._from_talk(
                talk,
                "talked",
                others=self._people(talk.others(who)),
                speaker=self.names.person(line.speaker),
                line=nest_quotes(line.text),
            )

    def _from_talk(self, talk: Conversation, key: str, **values: str) -> _Change:
        """Return a change that a talk brought, weighed by its key and the talk's poignancy."""
        weight = WEIGHTS[key] + self._poignancies.get(talk.id, 0)
        return _Change(talk.started, key, weight, values, talk.id)

    @cached_property
    def _poignancies(self) -> dict[str, int]:
        return conversation_poignancies(self.run, self.last)

    # appointments, events and thoughts ------------------------------------------------------

    def _appointments(self, who: str, day: date) -> Iterator[_Change]:
        """Yield the occasions of the day at which a resident was expected, and whether they met
        others there, waited in vain, or stayed away.
        """
        for met in self._occasions_of(who, day):
            occasion = met.occasion
            came = [guest.who for guest in met.came if guest.who != who]
            missing = [each.who for each in met.away if each.who != who]
            if any(each.who == who for each in met.away):
                key = "missed"
            elif came:
                key = "gathered" if occasion.gathers else "kept"
            else:
                key = "waited"
            if others := came or missing:
                yield _Change(
                    occasion.start,
                    key,
                    WEIGHTS[key],
                    {
                        "others": self._people(others),
                        "what": occasion.what,
                        "place": self.names.place(occasion.address),
                    },
                )

    def _occasions_of(self, who: str, day: date) -> list[Met]:
        """Return the occasions of a day at which a resident was expected, of those that are over."""
        return [
            met
            for met in self._past_occasions
            if met.occasion.start.date() == day and who in met.occasion.expected
        ]

    @cached_property
    def _past_occasions(self) -> list[Met]:
        """The occasions that are over."""
        return list(occasions(self.run, self.last))

    def _events(self, who: str, day: date) -> Iterator[_Change]:
        """Yield the urgent events that a resident perceived, each once and without those heard of
        in talks, and their weightiest thought that rests on memories.
        """
        made = memories_on(self.run, day, self.last, ("event", "thought"), who)
        memories = [memory.concept for memory in made]
        seen: list[str] = []
        for event in memories:
            urgent = event.type == "event" and event.poignancy >= URGENT and not event.talk
            core = bare(re.split("[:：]", event.text)[-1])
            if urgent and not any(each in core or core in each for each in seen):
                seen.append(core)
                yield self._remembered("event", event)
        thoughts = [each for each in memories if each.type == "thought" and each.evidence]
        if thoughts:
            weightiest = max(thoughts, key=lambda each: each.poignancy)
            yield self._remembered("thought", weightiest, self.by_pronoun(who, weightiest.text))

    def _remembered(self, key: str, memory: Concept, text: str = "") -> _Change:
        """Return a memory as a change, told by `text`, by default its own."""
        return _Change(
            memory.created,
            key,
            WEIGHTS[key] + memory.poignancy,
            {"text": text or memory.text},
        )

    def by_pronoun(self, who: str, thought: str) -> str:
        """Return a thought that begins with the resident's name with their pronoun instead; that
        of "they" would have another verb.
        """
        persona, name = self.names.persona(who), self.names.person(who)
        subject = persona.pronouns[0] if persona and persona.pronouns else "they"
        if not thought.startswith(name) or thought.startswith(f"{name}'s") or subject == "they":
            return thought
        return subject + thought.removeprefix(name)


def _part_of_day(sentence: Sentence) -> int:
    """Return 0 in the morning, 1 in the afternoon and 2 in the evening."""
    return sum(minute_of_day(sentence.moment) >= begin for begin in PARTS_OF_DAY)
