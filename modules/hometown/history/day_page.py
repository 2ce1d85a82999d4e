"""A page of a diary: a paragraph for each person or matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hometown.history.day_matters import PASSED, PERSONAL, Beat, Kind, is_same_matter
from hometown.history.day_mind import DayMind
from hometown.history.day_narrator import Narrator, Sentence
from hometown.history.day_wording import DayWording
from hometown.history.exchanges import Exchanges
from hometown.scripted.clauses import mentions
from hometown.scripted.phrases import bank
from hometown.text import nest_quotes

MAX_MATTERS = 3
"""Maximum number of matters told in a paragraph."""

MAX_ALIKE = 2
"""Maximum number of those of a kind."""

MEETING = timedelta(hours=2)
"""The time after the beginning of an occasion within which a talk belongs to it."""


class Page(Narrator):
    """A page, told matter by matter."""

    def __init__(
        self, wording: DayWording, exchanges: Exchanges, beats: Sequence[Beat], mind: DayMind
    ) -> None:
        super().__init__(wording, exchanges, beats)
        self.mind = mind
        self.opens_unsaid = False

    # matters --------------------------------------------------------------------------------

    def tell(self, beats: Sequence[Beat], *, leads: bool) -> Iterator[Sentence]:
        """Yield the paragraph about a person or a matter, which `leads` if it opens the page; nothing
        that the page has told already.
        """
        self.begin_paragraph()
        beats = [beat for beat in beats if not any(_is_same(one, beat) for one in self.written)]
        if not beats:
            return
        concern = []
        if beats[0].kind in PERSONAL:
            concern = list(self._tell_concern(beats[0].people[0], beats[0].moment))
        yield from concern
        leads = leads and not concern
        said = set[Kind]()
        for unit in _list_units(beats):
            told = list(self._tell_unit(unit, leads=leads, also=unit[0].kind in said))
            yield from told
            if told:
                said.add(unit[0].kind)
                leads = False
        self.written += beats

    def open_unsaid(self, nth: int, moment: datetime) -> Iterator[Sentence]:
        """Yield what the resident told nobody, as the opening of a day that brought talks of other
        things alone.
        """
        talked = any(beat.kind == "talked" for beat in self.beats)
        if talked and (found := self.mind.take_concern(nth)):
            yield Sentence(moment, self.wording.sentence(found[1]))
            yield Sentence(moment, self.words["other_things"])
            self.opens_unsaid = True

    def _tell_unit(self, beats: Sequence[Beat], *, leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield what happened of one kind about one matter."""
        first = beats[0]
        match first.kind:
            case "told" | "heard":
                yield from self._tell_matter(beats, leads=leads, also=also)
            case "quarrel" | "made_up":
                yield self.say(first, first.kind)
                yield from self.quote_best(first.talk)
            case "gathered" | "kept" | "waited" | "missed":
                yield from self._tell_occasion(first, leads)
            case "sought":
                yield from self._tell_search(beats)
            case "event":
                yield Sentence(first.moment, self.wording.sentence(self.wording.short(first.text)))
                yield self.say(replace(first, address=""), "seen")

    def _tell_concern(self, who: str, moment: datetime) -> Iterator[Sentence]:
        """Yield what the resident thinks of somebody and did not say that day."""
        if found := self.mind.take_concern_about(who):
            concern, core = found
            self.name(concern.about)
            yield Sentence(moment, self.wording.sentence(core))

    def _tell_matter(self, beats: Sequence[Beat], *, leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield a matter, and what the resident means to do about it."""
        tell = self._tell_heard if beats[0].kind == "heard" else self._tell_told
        sentences = list(tell(beats, leads, also))
        yield from sentences
        if sentences and not also:
            yield from self._thought_of(beats[0])

    def _tell_told(self, beats: Sequence[Beat], leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield what the resident told, to whom, and what they replied."""
        first = beats[0]
        assert first.talk is not None
        told = [beat for beat in beats if beat.kind == "told"]
        others = [who for beat in told if beat.talk == first.talk for who in beat.people]
        core = self.wording.mine(first.text, others)
        line = self.exchanges.find_telling(first.talk, self.who, self.who, first.text)
        addressed = any(self.wording.name(who) in core for who in others)
        is_quoted = addressed or not core or self.wording.is_doubtful(core)
        if line and (is_quoted or (self.wording.lang == "en" and not leads)):
            yield self.say(first, "told_quoted", others, line=self.wording.lead_on(line))
        elif not core or addressed:
            return
        elif leads:
            yield Sentence(first.moment, self.wording.sentence(core))
            yield self.say(first, self._told_key(first, others), others)
        else:
            key = "told_also" if also else "told"
            yield self.say(first, key, others, core=self.wording.clause(core))
        yield from self.quote_replies(first, self.who)
        if later := [who for beat in told for who in beat.people if who not in others]:
            yield self.say(beats[-1], "told_more", later)

    def _told_key(self, beat: Beat, others: Sequence[str]) -> str:
        """Return the key of the sentence that says to whom the matter that opens the page was told."""
        if len(others) > 1:
            return "told_so_several"
        return "told_so_secret" if self._is_secret(beat) else "told_so"

    def _is_secret(self, beat: Beat) -> bool:
        """Return True if a matter calls itself a secret."""
        return mentions(beat.text, bank(self.wording.lang).words["secrets"])

    def _telling(self, beat: Beat, line: str) -> str:
        """Return the words for what a teller did: they shared a secret, spoke of the resident, or
        had news of others, or of themselves.
        """
        if self._is_secret(beat):
            return self.words["telling_secret"]
        if re.search(self.words["you"], line):
            return self.words["telling_you"]
        own = beat.text.startswith(self.wording.names.person(beat.people[0]))
        return self.words["telling" if own else "telling_news"]

    def _tell_heard(self, beats: Sequence[Beat], leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield what the resident heard, their reply, and to whom they passed it on."""
        first = beats[0]
        assert first.talk is not None
        teller = first.people[0]
        line = self.exchanges.find_telling(first.talk, self.who, teller, first.text)
        core = self.wording.of_teller(first.text, teller)
        if line and (leads or not also or self.wording.lang == "en"):
            told = self._telling(first, line)
            yield self.say_of(first, "heard_then", teller, told=told, line=nest_quotes(line))
        elif not core:
            return
        elif self.words["colon"] in core:
            yield self.say_of(first, "heard_noted", teller, core=core)
        else:
            key = "heard_also" if also else "heard"
            yield self.say_of(first, key, teller, core=self.wording.clause(core))
        yield from self.quote_replies(first, teller)
        if others := [who for beat in beats if beat.kind == "told" for who in beat.people]:
            yield self.say(beats[-1], "passed_on", others)

    def _thought_of(self, beat: Beat) -> Iterator[Sentence]:
        """Yield what the resident means to do because of a talk, or made of it."""
        if found := self.mind.take_thought_of(beat):
            thought, text = found
            yield Sentence(thought.created, text)

    def _tell_occasion(self, beat: Beat, leads: bool) -> Iterator[Sentence]:
        """Yield an appointment with its outcome, and something said there."""
        what, doing = self.wording.occasion(beat.text), self.wording.doing(beat.doing)
        exchange = next(
            (
                (talked, exchange)
                for talked, exchange in self.list_exchanges()
                if talked.address == beat.address
                and beat.moment <= talked.moment < beat.moment + MEETING
                and any(line.speaker == self.who for line in exchange.lines)
                and (beat.kind == "gathered" or set(talked.people) <= set(beat.people))
            ),
            None,
        )
        if beat.kind == "gathered" and what.startswith(self.words["host"]):
            yield self.say(beat, "hosted", what=what)
            if exchange:
                yield from self.quote(exchange[0].talk, exchange[1])
            return
        if leads and exchange and beat.kind == "gathered":
            yield from self.converse(*exchange)
            others = [who for who in beat.people if who not in exchange[0].people]
            yield self.say(beat, "gathered_so", others or beat.people, what=what)
            return
        yield self.say(beat, beat.kind, what=what, doing=doing)
        if exchange and beat.kind in ("gathered", "kept"):
            yield from self.quote(exchange[0].talk, exchange[1])

    def _tell_search(self, beats: Sequence[Beat]) -> Iterator[Sentence]:
        """Yield searches in vain, and whether the two met later."""
        told = False
        for beat in beats[:2]:
            core = self.wording.mine(self.wording.nearby(beat.text, beat.address))
            if core and self.words["colon"] not in core:
                yield self.fill(beat, "sought", "", core=core)
                self.mention(self.wording.hours(beat.moment))
                told = True
        last = beats[-1]
        self.name(last.people)
        met = (
            beat
            for beat in self.beats
            if beat.kind == "talked"
            and beat.moment > last.moment
            and set(last.people) & set(beat.people)
        )
        if told and (found := next(met, None)):
            yield self.say(found, "found")
            if found.people == last.people:
                yield from self.quote_best(found.talk)


def _list_units(beats: Sequence[Beat]) -> list[list[Beat]]:
    """Return beats by kind and matter, the weightiest of them in the order of the day."""
    units: list[list[Beat]] = []
    for beat in beats:
        unit = next((unit for unit in units if _is_same(unit[0], beat)), None)
        if unit:
            unit.append(beat)
        else:
            units.append([beat])
    chosen: list[list[Beat]] = []
    for unit in sorted(units, key=lambda unit: -max(beat.weight for beat in unit)):
        alike = sum(one[0].kind == unit[0].kind for one in chosen)
        if len(chosen) < MAX_MATTERS and alike < MAX_ALIKE:
            chosen.append(unit)
    return [unit for unit in units if unit in chosen]


def _is_same(one: Beat, other: Beat) -> bool:
    if one.kind in PASSED and other.kind in PASSED:
        return is_same_matter(one.text, other.text)
    return one.kind == other.kind == "sought"
