"""The teller of a diary's page: names and pronouns, places and hours, and quotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from hometown.frozen import frozen
from hometown.history.day_matters import PASSED, Beat
from hometown.history.day_present import Present
from hometown.history.day_wording import DayWording
from hometown.history.exchanges import Excerpt, Exchanges
from hometown.history.quotes import QUESTION_MARKS
from hometown.text import capital
from hometown.world.conversation import Conversation

NAMED_IN_CONVERSATION = 2
"""Number of others in a talk up to which all are named."""


@frozen
class Sentence:
    """A sentence about a moment. `link` are those of its words that lead to it, "" for none;
    `conversation` is the id of the talk that it tells, or "".
    """

    moment: datetime
    text: str
    conversation: str = ""
    link: str = ""


class Narrator:
    """The teller of a page: its words, and its sentences so far."""

    def __init__(
        self,
        wording: DayWording,
        exchanges: Exchanges,
        beats: Sequence[Beat],
        present: Present,
    ) -> None:
        self.wording, self.exchanges, self.beats = wording, exchanges, beats
        self.present = present
        self.who, self.words = wording.who, wording.words
        self.written: list[Beat] = []
        self._quoted: set[str] = set()
        self._said: set[str] = set()
        self._named: set[str] = set()
        self.introduced: set[str] = set()
        self._part = ""
        self._place = ""
        self._latest = present.begins

    def begin_paragraph(self) -> None:
        """Begin a paragraph, in which no other resident is named yet, and which may begin earlier
        than what stands before it.
        """
        self._named = set()
        self._latest = self.present.begins

    def mention(self, *words: str) -> None:
        """Record that this page of the diary mentions some hours, places or tasks."""
        self._said.update(words)

    def name_mentioned(self, text: str) -> None:
        """Record that this paragraph names the residents whose full names occur in a text."""
        full = self.wording.given.full
        self.name(who for who in full if who != self.who and full[who] in text)

    def has_mentioned(self, words: str) -> bool:
        """Return True if this page already mentions an hour, a place or a task."""
        return words in self._said

    def has_quoted(self, line: str) -> bool:
        """Return True if the page has quoted a line, or more than it."""
        return any(line in said for said in self._quoted)

    def name(self, people: Iterable[str]) -> None:
        """Record that this paragraph names other residents."""
        people = tuple(people)
        self._named.update(people)
        self.introduced.update(people)

    # talks ----------------------------------------------------------------------------------

    def list_exchanges(self) -> list[tuple[Beat, Excerpt]]:
        """Return the talks that are not told yet, each with its most quotable exchange. Talks in
        which news was told are left out, since they stand with the news.
        """
        passed = {beat.talk.id for beat in self.beats if beat.kind in PASSED and beat.talk}
        return [
            (beat, exchange)
            for beat in self.beats
            if beat.kind == "talked"
            and beat.talk
            and beat.talk.id not in self._quoted | passed
            and (exchange := self.exchanges.best(beat.talk, self.who))
        ]

    def converse(self, beat: Beat, exchange: Excerpt) -> Iterator[Sentence]:
        """Yield a talk told for the sake of an exchange: its first line with speaker, place and
        time, then the others.
        """
        self.begin_paragraph()
        line = exchange.lines[0]
        asks = line.text[-1] in QUESTION_MARKS
        others = [who for who in beat.people if who != line.speaker]
        if line.speaker == self.who:
            key = "i_asked" if asks else "i_said_to"
        elif others and len(others) <= NAMED_IN_CONVERSATION:
            key = "asked_among" if asks else "said_among"
        else:
            key = "asked_me" if asks else "said_to_me"
        yield from self.introduce(beat.people)
        is_mine = line.speaker == self.who
        name = "" if is_mine else self.call_subject(line.speaker)
        is_crowd = len(beat.people) > NAMED_IN_CONVERSATION
        other = self.call_object(beat.people) if is_mine else ""
        other = self.words["everybody"] if is_mine and is_crowd else other
        self.name(beat.people)
        yield self.fill(
            beat,
            key,
            self.wording.people(beat.people),
            True,
            line=self.wording.inner(line.text),
            name=name,
            other=other,
            others=self.wording.people(others),
        )
        yield from self.quote(beat.talk, Excerpt(exchange.lines[1:]))
        self.written.append(beat)

    def find_opening(self, talk: Conversation) -> Excerpt:
        """Return the opening of a talk of two, or else the best exchange in which the resident
        takes part; no lines without one.
        """
        opening, best = self.exchanges.opening(talk, self.who), self.exchanges.best(talk, self.who)
        if not opening.lines and best and any(line.speaker == self.who for line in best.lines):
            return best
        return opening

    def quote_replies(self, beat: Beat, speaker: str) -> Iterator[Sentence]:
        """Yield the replies to what a speaker told in the talk of a beat; nothing without a talk."""
        if beat.talk:
            replies = self.exchanges.replies(beat.talk, self.who, speaker, beat.text)
            yield from self.quote(beat.talk, replies)

    def quote(self, talk: Conversation | None, exchange: Excerpt) -> Iterator[Sentence]:
        """Yield the lines of an exchange, unless one has been quoted; of two speakers in turn, each
        is named once.
        """
        assert talk is not None
        self._quoted.add(talk.id)
        if any(line.text in self._quoted for line in exchange.lines):
            return
        speakers: set[str] = set()
        for line in exchange.lines:
            if line.speaker in speakers and len({one.speaker for one in exchange.lines}) == 2:
                text = self.wording.quote(line.text)
            else:
                text = self.wording.speech(line, self._subject(line.speaker))
            speakers.add(line.speaker)
            self._quoted.add(line.text)
            yield Sentence(talk.started, text, talk.id)

    # people ---------------------------------------------------------------------------------

    def introduce(self, people: Sequence[str]) -> Iterator[Sentence]:
        """Yield, in Chinese, who somebody is to the resident; in English that stands with the name."""
        if self.wording.lang == "zh" and len(people) == 1 and (relation := self._relate(people[0])):
            text = self.words["relation"].format(name=self.wording.name(people[0]), what=relation)
            self.name(people)
            yield Sentence(self.present.begins, self.wording.sentence(text))

    def call_subject(self, who: str) -> str:
        """Return how a sentence calls somebody who acts, at the first mention of a page with who
        they are to the resident.
        """
        relation = self._relate(who) if self.wording.lang == "en" else ""
        named = self._subject(who)
        return f"{named}, {relation}," if relation else named

    def call_object(self, people: Sequence[str]) -> str:
        """Return how a sentence that ends with them calls others, like `call_subject`."""
        is_one = self.wording.lang == "en" and len(people) == 1
        relation = self._relate(people[0]) if is_one else ""
        named = self._object(people)
        return f"{named}, {relation}" if relation else named

    def _relate(self, who: str) -> str:
        """Return who another is to the resident; "" if the page has said it or named them."""
        if who in self.introduced:
            return ""
        self.introduced.add(who)
        return self.wording.relation(who)

    # words ----------------------------------------------------------------------------------

    def say(self, beat: Beat, key: str, others: Sequence[str] = (), **values: str) -> Sentence:
        """Return a sentence about a beat, by its key and values; `others` are the beat's people by
        default.
        """
        people = list(dict.fromkeys(others or beat.people))
        is_object = self.wording.lang == "zh" or key.startswith(("told", "passed"))
        named = self._object(people) if is_object else self.wording.people(people)
        self.name(people)
        return self.fill(beat, key, named, others=named, **values)

    def say_of(self, beat: Beat, key: str, teller: str, **values: str) -> Sentence:
        """Return a sentence, by its key and values, about news from another."""
        known = self.call_subject(teller)
        return self.fill(beat, key, self.wording.name(teller), True, teller=known, **values)

    def fill(
        self, beat: Beat, key: str, named: str, scene: bool = False, /, **values: str
    ) -> Sentence:
        """Return the sentence of a key; the words that say when, where, or with whom lead to its
        moment. One that sets a `scene` tells what the resident was doing.
        """
        template = self.words[key]
        front = template.startswith("{adv}")
        scene = scene and front
        adverb, *links = (
            self._adverb(beat, front=front, scene=scene) if "{adv}" in template else ("",)
        )
        when = self.wording.time.hours(beat.moment)
        text = self.wording.sentence(template.format(adv=adverb, when=when, **values))
        text = re.sub(self.words["twice_i"], r"\1", text)
        shown = (each for link in (*links, when, named) for each in (link, capital(link)))
        talk = beat.talk.id if beat.talk else ""
        if talk:
            self._quoted.add(talk)
        return Sentence(beat.moment, text, talk, next((each for each in shown if each in text), ""))

    def tell_time(
        self, moment: datetime, *, until: datetime | None = None, front: bool = False
    ) -> str:
        """Return the words for the part of the day of what is told next, of what lasts `until` a
        later moment that of its middle: none if it is that of what was told last; with a word that
        it was earlier if so, unless they stand in `front`.
        """
        part = self.wording.time.hours(moment + ((until or moment) - moment) / 2)
        is_back, is_same = moment < self._latest, part == self._part
        self._part, self._latest = part, moment
        if is_same:
            return ""
        return self.words["earlier"].format(when=part) if is_back and not front else part

    def _subject(self, who: str) -> str:
        """Return how a paragraph calls somebody who acts: by name, then, as long as nobody else is
        named, by pronoun.
        """
        return self._call(who, 0)

    def _object(self, people: Sequence[str]) -> str:
        """Return how a paragraph calls those to whom something is done."""
        return self._call(people[0], 1) if len(people) == 1 else self.wording.people(people)

    def _call(self, who: str, form: int) -> str:
        known = self._named == {who}
        if who != self.who:
            self.name([who])
        persona = self.wording.names.persona(who)
        pronouns = persona.pronouns if persona and who != self.who else ()
        return (
            pronouns[min(form, len(pronouns) - 1)] if known and pronouns else self.wording.name(who)
        )

    def _adverb(self, beat: Beat, *, front: bool, scene: bool) -> tuple[str, str, str]:
        """Return where and when something happened, as far as the page has not said it, and the
        words for each.
        """
        at = self.wording.at(beat.address) if beat.address else ""
        is_back = beat.moment < self._latest
        when = self.tell_time(beat.moment, front=front and self.wording.lang == "en")
        at, self._place = "" if at == self._place else at, at or self._place
        task = self.present.doing_at(beat) if scene and not (is_back and when) else None
        if task and task.text not in self._said:
            self.mention(task.text)
            self._part = self._part if self.wording.lang == "zh" else ""
            return self.wording.while_doing(task.text, at, when), when, at
        return self.wording.adverb(at, when, front=front), when, at
