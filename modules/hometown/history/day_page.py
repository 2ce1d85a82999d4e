"""A page of a diary in the making: the sentences about each matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from hometown.frozen import frozen
from hometown.history.day_matters import Beat, is_same_matter
from hometown.history.day_wording import DayWording
from hometown.history.diary import Stay
from hometown.history.exchanges import Exchange, Exchanges
from hometown.history.names import join_names
from hometown.history.quotes import QUESTION_MARKS
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.scripted.clauses import mentions
from hometown.scripted.phrases import bank
from hometown.scripted.pursuits import plain
from hometown.text import coverage, nest_quotes
from hometown.world.conversation import Conversation
from hometown.world.rows import Promise

MAX_MATTERS = 3
"""Maximum number of matters told in a paragraph."""

MAX_DOINGS = 2
"""Maximum number of activities named."""

LONGEST_DOING = {"en": 60, "zh": 20}
"""Maximum length of an activity that is named, in characters."""

TELLING = 6
"""Poignancy from which on a thought is told for its own sake."""

REPEATED_MIN = 0.5
"""Share of a matter's trigrams in a thought from which on the thought repeats it."""

HEAVY = 7
"""Poignancy from which on a concern weighs on somebody."""

VOICED_MIN = {"en": 0.25, "zh": 0.12}
"""Share of a concern's trigrams in something told from which on it counts as voiced."""

MEETING = timedelta(hours=2)
"""The time after the beginning of an occasion within which a talk belongs to it."""


@frozen
class Sentence:
    """A sentence about a moment. `link` are those of its words that lead to it, "" for none;
    `conversation` is the id of the talk that it tells, or "".
    """

    moment: datetime
    text: str
    conversation: str = ""
    link: str = ""


class Page:
    """A page: its words, and what it has told so far."""

    def __init__(
        self,
        wording: DayWording,
        exchanges: Exchanges,
        beats: Sequence[Beat],
        thoughts: Sequence[Concept],
        chats: Mapping[int, str],
    ) -> None:
        """Begin a page.

        Args:
            beats: All that the day brought.
            thoughts: The thoughts of the day, the weightiest first.
            chats: The talk of each memory of one.
        """
        self.wording, self.exchanges, self.beats = wording, exchanges, beats
        self.who, self.words = wording.who, wording.words
        self.thoughts, self.chats = list(thoughts), chats
        self.told: list[Beat] = []
        self._quoted: set[str] = set()
        self._said: set[str] = set()
        self._named: set[str] = set()

    def begin_paragraph(self) -> None:
        """Name everybody again."""
        self._named = set()

    # matters --------------------------------------------------------------------------------

    def tell(self, beats: Sequence[Beat], leads: bool) -> Iterator[Sentence]:
        """Yield the paragraph about a matter, which `leads` if it opens the page."""
        self.begin_paragraph()
        first = beats[0]
        match first.kind:
            case "told" | "heard":
                yield from self._tell_matters(beats, leads)
            case "quarrel" | "made_up":
                yield self._say(first, first.kind)
                yield from self._quote_best(first.talk)
            case "gathered" | "kept" | "waited" | "missed":
                yield from self._tell_occasion(first, leads)
            case "sought":
                yield from self._tell_search(beats)
            case "event":
                yield Sentence(first.moment, self.wording.sentence(self.wording.short(first.text)))
                yield self._say(first, "seen")
        self.told.append(first)

    def _tell_matters(self, beats: Sequence[Beat], leads: bool) -> Iterator[Sentence]:
        """Yield what was told and heard: the weightiest matter in full, the others after it."""
        matters: list[list[Beat]] = []
        for beat in beats:
            same = next((one for one in matters if is_same_matter(one[0].text, beat.text)), None)
            if same:
                same.append(beat)
            else:
                matters.append([beat])
        weights = [max(beat.weight for beat in one) for one in matters]
        main = next(
            one for one, weight in zip(matters, weights, strict=True) if weight + 2 >= max(weights)
        )
        others = [one for one in matters if one is not main]
        yield from self._tell_matter(main, leads=leads, also=False)
        for one in others[: MAX_MATTERS - 1]:
            yield from self._tell_matter(one, leads=False, also=bool(self._named))

    def _tell_matter(self, beats: Sequence[Beat], *, leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield a matter, and what the resident means to do about it."""
        if beats[0].kind == "heard":
            sentences = list(self._tell_heard(beats, leads, also))
        else:
            sentences = list(self._tell_told(beats, leads, also))
        yield from sentences
        if sentences and not also:
            yield from self._thought_of(beats[0])

    def _tell_told(self, beats: Sequence[Beat], leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield what the resident told, to whom, and what they replied."""
        first = beats[0]
        assert first.talk is not None
        told = [beat for beat in beats if beat.kind == "told"]
        others = [who for beat in told if beat.talk == first.talk for who in beat.people]
        core = self.wording.mine(first.text)
        line = self.exchanges.told(first.talk, self.who, self.who, first.text)
        addressed = any(self.wording.name(who) in core for who in others)
        if line and (addressed or not core):
            yield self._say(first, "told_quoted", others, line=self.wording.led(line))
        elif not core or addressed:
            return
        elif leads:
            yield Sentence(first.moment, self.wording.sentence(core))
            yield self._say(first, self._told_key(first, others), others)
        else:
            key = "told_also" if also else "told"
            yield self._say(first, key, others, core=self.wording.clause(core))
        yield from self._quote_replies(first, self.who)
        if later := [who for beat in told for who in beat.people if who not in others]:
            yield self._say(beats[-1], "told_more", later)

    def _told_key(self, beat: Beat, others: Sequence[str]) -> str:
        """Return the key of the sentence that says to whom the matter that opens the page was told."""
        if len(others) > 1:
            return "told_so_several"
        secrets = bank(self.wording.lang).words["secrets"]
        return "told_so_secret" if mentions(beat.text, secrets) else "told_so"

    def _tell_heard(self, beats: Sequence[Beat], leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield what the resident heard, their reply, and to whom they passed it on."""
        first = beats[0]
        assert first.talk is not None
        teller = first.people[0]
        line = self.exchanges.told(first.talk, self.who, teller, first.text)
        core = self.wording.of_teller(first.text, teller)
        if line and leads:
            yield self._say_of(first, "heard_quoted", teller, line=self.wording.led(line))
        elif line and not also:
            yield self._say_of(first, "heard_then", teller, line=nest_quotes(line))
        elif not core:
            return
        elif ": " in core or "：" in core:
            yield self._say_of(first, "heard_noted", teller, core=core)
        else:
            key = "heard_also" if also else "heard"
            yield self._say_of(first, key, teller, core=self.wording.clause(core))
        yield from self._quote_replies(first, teller)
        if others := [who for beat in beats if beat.kind == "told" for who in beat.people]:
            yield self._say(beats[-1], "passed_on", others)

    def _thought_of(self, beat: Beat) -> Iterator[Sentence]:
        """Yield what the resident means to do because of a talk, without repeating its matter."""
        for thought in self.thoughts:
            talks = {self.chats.get(memory, "") for memory in thought.evidence}
            if thought.predicate != INTENTION_PREDICATE and thought.poignancy < TELLING:
                continue
            if beat.talk is None or talks != {beat.talk.id}:
                continue
            if core := self._new_thought(thought):
                self.thoughts.remove(thought)
                yield Sentence(thought.created, core)
                return

    def _new_thought(self, thought: Concept) -> str:
        """Return a thought as a sentence; "" if it cannot be told, quotes a memory, or repeats what
        was told or heard that day.
        """
        core = self.wording.mine(thought.text)
        matters = [beat.text for beat in self.beats if beat.kind in ("told", "heard")]
        is_new = not any(coverage(thought.text, matter) >= REPEATED_MIN for matter in matters)
        names = self.wording.given.given.values()
        is_new = is_new and not any(core.count(name) > 1 for name in names)
        return self.wording.sentence(core) if core and is_new and "“" not in core else ""

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
            ),
            None,
        )
        if leads and exchange and beat.kind == "gathered":
            yield from self.converse(*exchange)
            others = [who for who in beat.people if who not in exchange[0].people]
            yield self._say(beat, "gathered_so", others or beat.people, what=what)
            return
        yield self._say(beat, beat.kind, what=what, doing=doing)
        if exchange and beat.kind in ("gathered", "kept"):
            yield from self._quote(exchange[0].talk, exchange[1])

    def _tell_search(self, beats: Sequence[Beat]) -> Iterator[Sentence]:
        """Yield searches in vain, and whether the two met later."""
        for beat in beats[:2]:
            if core := self.wording.mine(self.wording.nearby(beat.text, beat.address)):
                when = self.wording.hours(beat.moment)
                text = self.words["sought"].format(when=when, core=core)
                yield Sentence(beat.moment, self.wording.sentence(text), "", when)
        last = beats[-1]
        self._named.update(last.people)
        met = (
            beat
            for beat in self.beats
            if beat.kind == "talked"
            and beat.moment > last.moment
            and set(last.people) & set(beat.people)
        )
        if found := next(met, None):
            yield self._say(found, "found")
            yield from self._quote_best(found.talk)

    # talks ----------------------------------------------------------------------------------

    def list_exchanges(self) -> list[tuple[Beat, Exchange]]:
        """Return the talks that are not told yet, each with what is most worth quoting from it."""
        return [
            (beat, exchange)
            for beat in self.beats
            if beat.kind == "talked"
            and beat.talk
            and beat.talk.id not in self._quoted
            and (exchange := self.exchanges.best(beat.talk, self.who))
        ]

    def converse(self, beat: Beat, exchange: Exchange) -> Iterator[Sentence]:
        """Yield a talk told for the sake of an exchange: its first line with speaker, place and
        time, then the others.
        """
        self.begin_paragraph()
        line = exchange.lines[0]
        asks = line.text[-1] in QUESTION_MARKS
        others = [who for who in beat.people if who != line.speaker]
        if line.speaker == self.who:
            key = "i_asked" if asks else "i_said_to"
        elif others:
            key = "said_among"
        else:
            key = "asked_me" if asks else "said_to_me"
        adverb, link = self._adverb(beat)
        values = {
            "adv": adverb,
            "other": self.wording.people(beat.people),
            "others": self.wording.people(others) if others else "",
        }
        text = self.wording.speech(line, self.wording.name(line.speaker), key, **values)
        self._named.update(beat.people)
        yield Sentence(beat.moment, text, beat.talk.id if beat.talk else "", link)
        yield from self._quote(beat.talk, Exchange(exchange.lines[1:]))
        self.told.append(beat)

    def _quote_best(self, talk: Conversation | None) -> Iterator[Sentence]:
        """Yield the best exchange of a talk."""
        if talk and (exchange := self.exchanges.best(talk, self.who)):
            yield from self._quote(talk, exchange)

    def _quote_replies(self, beat: Beat, speaker: str) -> Iterator[Sentence]:
        """Yield the replies to what a speaker told."""
        if beat.talk:
            replies = self.exchanges.replies(beat.talk, self.who, speaker, beat.text)
            yield from self._quote(beat.talk, replies)

    def _quote(self, talk: Conversation | None, exchange: Exchange) -> Iterator[Sentence]:
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

    # the end --------------------------------------------------------------------------------

    def rest(self, life: Sequence[Stay]) -> Iterator[Sentence]:
        """Yield that the resident talked with nobody, if so, and what else they did, in the most
        particular of its words.
        """
        if not any(beat.kind == "talked" for beat in self.beats):
            yield Sentence(life[0].start, self.words["quiet"])
        lang = self.wording.lang
        done = dict.fromkeys(
            plain(doing.activity, lang)
            for stay in life
            for doing in stay.doings
            if doing.activity and not doing.asleep
        )
        fitting = [each for each in done if len(each) <= LONGEST_DOING[lang]]
        chosen = sorted(fitting, key=lambda each: -len(each))[:MAX_DOINGS]
        if chosen:
            told = [self.wording.doing(each) for each in done if each in chosen]
            doings = join_names(told, self.words)
            yield Sentence(life[0].start, self.words["rest"].format(doings=doings))

    def thought(self) -> Iterator[Sentence]:
        """Yield the weightiest thought that is left and repeats nothing."""
        for thought in self.thoughts:
            if thought.poignancy >= TELLING and (core := self._new_thought(thought)):
                yield Sentence(thought.created, core)
                return

    def unsaid(self, concerns: Iterable[Concept], nth: int, end: datetime) -> Iterator[Sentence]:
        """Yield a concern that the resident told nobody that day; of several, the `nth`."""
        kept = [
            (each, core)
            for each in concerns
            if not self._is_voiced(each.text) and (core := self.wording.mine(each.text))
        ]
        if not kept:
            return
        concern, core = kept[nth % len(kept)]
        talked = [beat for beat in self.beats if beat.kind == "talked"]
        met = [who for who in concern.about if any(who in beat.people for beat in talked)]
        absent = [who for who in concern.about if who not in met]
        if met:
            key = "unsaid_to"
        elif not talked:
            key = "unsaid_alone"
        elif absent:
            key = "unsaid_absent"
        elif concern.poignancy >= HEAVY:
            key = "unsaid_heavy"
        else:
            key = "unsaid" if any(beat.kind == "told" for beat in self.told) else "unsaid_listening"
        if other := (met or absent)[:1]:
            core = self.wording.to(concern.text, other[0])
        others = self.wording.people(other) if other else ""
        yield Sentence(end, self.words[key].format(core=core, others=others))

    def _is_voiced(self, concern: str) -> bool:
        """Return whether something that the resident told or heard that day is about a concern."""
        least = VOICED_MIN[self.wording.lang]
        matters = [beat.text for beat in self.beats if beat.kind in ("told", "heard")]
        return any(coverage(text, concern) >= least for text in matters)

    def ahead(self, day: date, end: datetime, promise: Promise) -> Sentence:
        """Return a sentence on an appointment to come."""
        others = [other for other in promise.people if other != self.who]
        text = self.words["ahead" if others else "ahead_alone"].format(
            due=self.wording.due(promise.start, day),
            at=self.wording.at(promise.address) if promise.address else "",
            what=self.wording.occasion(promise.part_of(self.who)),
            others=self.wording.people(others) if others else "",
        )
        return Sentence(end, self.wording.sentence(text))

    # words ----------------------------------------------------------------------------------

    def _say(self, beat: Beat, key: str, others: Sequence[str] = (), **values: str) -> Sentence:
        """Return a sentence about a beat, by its key and values; `others` are the beat's people by
        default.
        """
        people = list(dict.fromkeys(others or beat.people))
        adverb, link = self._adverb(beat)
        named = self._object(people) if key.startswith(("told", "passed")) else ""
        if not named and people:
            named = self.wording.people(people)
        self._named.update(people)
        text = self.words[key].format(
            adv=adverb,
            at=self.wording.at(beat.address) if beat.address else "",
            when=self.wording.hours(beat.moment),
            others=named,
            **values,
        )
        return self._sentence(beat, text, link or named)

    def _say_of(self, beat: Beat, key: str, teller: str, **values: str) -> Sentence:
        """Return a sentence about what somebody told."""
        adverb, link = self._adverb(beat, front=key == "heard_then")
        named = self._subject(teller)
        text = self.words[key].format(adv=adverb, teller=named, **values)
        return self._sentence(beat, text, link or named)

    def _sentence(self, beat: Beat, text: str, link: str) -> Sentence:
        talk = beat.talk.id if beat.talk else ""
        if talk:
            self._quoted.add(talk)
        return Sentence(beat.moment, self.wording.sentence(text), talk, link)

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
            self._named.add(who)
        persona = self.wording.names.persona(who)
        pronouns = persona.pronouns if persona and who != self.who else ()
        return (
            pronouns[min(form, len(pronouns) - 1)] if known and pronouns else self.wording.name(who)
        )

    def _adverb(self, beat: Beat, *, front: bool = False) -> tuple[str, str]:
        """Return where and when something happened, as far as the page has not said it, and the words
        that say when, or else where.
        """
        at = self.wording.at(beat.address) if beat.address else ""
        when = self.wording.hours(beat.moment)
        at, when = ("" if said in self._said else said for said in (at, when))
        self._said.update((at, when))
        return self.wording.adverb(at, when, front=front), when or at
