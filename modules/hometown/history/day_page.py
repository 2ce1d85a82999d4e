"""A page of a diary: a paragraph for each person or matter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain

from hometown.history.day_matters import PASSED, PERSONAL, WEIGHTS, Beat, Kind, is_same_matter
from hometown.history.day_mind import DayMind
from hometown.history.day_narrator import Narrator, Sentence
from hometown.history.day_present import DayStretch, Present
from hometown.history.day_wording import DayWording
from hometown.history.exchanges import Excerpt, Exchanges
from hometown.scripted.clauses import mentions
from hometown.scripted.phrases import bank
from hometown.text import coverage
from hometown.world.verbs import tell_past

MAX_MATTERS = 3
"""Maximum number of matters told in a paragraph."""

MAX_ALIKE = 2
"""Maximum number of those of a kind."""

MANY = 3
"""Number of later hearers from which on it is told that a matter went round."""

COVERED_MIN = {"en": 0.33, "zh": 0.17}
"""Share of a matter's trigrams in a sentence about concerns from which on it tells the matter."""

TRIFLE = 3
"""Poignancy up to which news is a trifle beside weightier matters."""

LONG = timedelta(hours=1, minutes=50)
"""The time from which on a stretch of work is long."""

MEETING = timedelta(hours=3)
"""The time after the beginning of an occasion within which a talk belongs to it."""


class Page(Narrator):
    """A page, told matter by matter."""

    def __init__(
        self,
        wording: DayWording,
        exchanges: Exchanges,
        beats: Sequence[Beat],
        present: Present,
        mind: DayMind,
    ) -> None:
        super().__init__(wording, exchanges, beats, present)
        self.mind = mind
        self.tasks: tuple[str, ...] = ()
        self._quarrelled: set[str] = set()
        self._has_told_concerns = False

    # matters --------------------------------------------------------------------------------

    def tell(self, beats: Sequence[Beat], *, leads: bool) -> Iterator[Sentence]:
        """Yield the paragraph about a person or a matter, which `leads` if it opens the page;
        nothing that the page has told already.
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

    def tell_concerns(self) -> Iterator[Sentence]:
        """Yield the paragraph with which a page opens: the resident's concerns, if they are new."""
        self._has_told_concerns = True
        yield from (Sentence(self.present.begins, each) for each in self._list_concerns())

    def tell_present(self, beats: Sequence[Beat]) -> Iterator[Sentence]:
        """Yield the paragraph about the resident's present concerns: the concerns if they are new
        and not told yet, the resident's work on them, and the people to whom they spoke of them in
        `beats`, after the sentence that tells what they said, or else with it.
        """
        self.begin_paragraph()
        own = [] if self._has_told_concerns else self._list_concerns()
        told = next((at for at, each in enumerate(own) if beats and self._tells(each, beats)), None)
        until = len(own) if told is None else told + 1
        yield from (Sentence(self.present.begins, each) for each in own[:until])
        work = self.present.find_work()
        if work:
            fresh = tuple(task for task in work.tasks if not self.has_mentioned(task))
            work = replace(work, tasks=fresh) if fresh else None
        is_early = bool(work and (not beats or (told is None and work.start < beats[0].moment)))
        if work and is_early:
            yield self._tell_work(work)
        if told is not None:
            yield from self._tell_so(beats, "told_it")
        elif beats:
            yield from self._tell_told(beats, leads=True, also=False)
        yield from (Sentence(self.present.begins, each) for each in own[until:])
        if work and not is_early:
            yield self._tell_work(work)
        self.written += beats

    def _list_concerns(self) -> list[str]:
        """Return the sentences about new concerns; without the words that nobody knows of them if
        one was told that day.
        """
        own = self.present.sentences
        told = [beat.text for beat in self.beats if beat.kind == "told"]
        if not any(self._covers(each, matter) for each in own for matter in told):
            return own
        return [known for each in own if (known := self._without_denial(each))]

    def _without_denial(self, text: str) -> str:
        """Return a text without the words that nobody has been told; "" if it says nothing else."""
        rest = re.sub(
            self.words["untold"],
            lambda denial: f",{self.words['and']}{denial[1]}" if denial[1] else "",
            text,
        )
        return rest if re.search(r"\w", rest) else ""

    def _tells(self, sentence: str, beats: Sequence[Beat]) -> bool:
        """Return True if a sentence tells the matter of some beats, and not what came of a plan in
        it; of several matters in it, the last one.
        """
        matter = beats[0].text
        if re.search(self.words["meant"], matter) and re.search(self.words["done"], sentence):
            return False
        several = re.match(self.words["several"], sentence)
        is_last = not several or coverage(several[2], matter) > coverage(several[1], matter)
        return is_last and self._covers(sentence, matter)

    def _covers(self, sentence: str, matter: str) -> bool:
        return coverage(sentence, matter) >= COVERED_MIN[self.wording.lang]

    def _tell_work(self, work: DayStretch) -> Sentence:
        """Return the sentence about a stretch of the day."""
        parts = self.words["parts"].split("|")
        when = self.tell_time(work.start, until=work.end, front=True) or self.words["afterwards"]
        when = "" if work.habit.startswith(tuple(parts)) else when
        self.mention(*work.tasks)
        self.tasks = work.tasks
        joined = any(re.search(self.words["joined"], task) for task in work.tasks)
        tasks = self.words["tasks_apart" if joined else "tasks"].join(work.tasks)
        is_long = work.end - work.start >= LONG and not any(part in work.habit for part in parts)
        key = ("work_long" if is_long else "work") if work.habit else "work_plain"
        span = self.words["spans"].split("|")[(work.start.hour >= 12) + (work.start.hour >= 18)]
        habit = work.habit.removeprefix("在") if is_long else work.habit
        did = self.wording.did(work.habit or tasks, "was")
        text = self.words[key].format(when=when, span=span, habit=habit, tasks=tasks, did=did)
        return Sentence(work.start, self.wording.sentence(text))

    def _tell_unit(self, beats: Sequence[Beat], *, leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield the events of one kind about one matter."""
        first = beats[0]
        match first.kind:
            case "told" | "heard":
                yield from self._tell_matter(beats, leads=leads, also=also)
            case "quarrel" | "made_up":
                yield from self._tell_bond(first)
            case "gathered" | "kept" | "waited" | "missed":
                yield from self._tell_occasion(first, leads)
            case "sought":
                yield from self._tell_search(beats)
            case "event" | "noise":
                core = tell_past(self.wording.clause(self.wording.short(first.text)))
                yield self.say(first, first.kind, core=core)
                if doing := self.present.doing_after(first.moment):
                    self.mention(doing)
                    did = self.wording.did(doing, "was")
                    text = self.words["then"].format(doing=doing, did=did)
                    yield Sentence(first.moment, self.wording.sentence(text))

    def _tell_bond(self, beat: Beat) -> Iterator[Sentence]:
        """Yield a quarrel with its reason, or a reconciliation, and the words spoken; nothing if
        the page could tell neither reason nor words.
        """
        assert beat.talk is not None
        persona, other = self.wording.persona, beat.people[0]
        matter = persona.divided_from(other) if persona and beat.kind == "quarrel" else ""
        if matter and any(matter in line.text for line in beat.talk.lines):
            said = self.exchanges.after(beat.talk, self.who, matter)
            yield self.say(beat, "quarrel_over", matter=matter)
            self._quarrelled.add(other)
        elif (said := self.find_opening(beat.talk)).lines:
            is_later = beat.kind == "made_up" and other in self._quarrelled
            yield self.say(beat, "made_up_later" if is_later else beat.kind)
        yield from self.quote(beat.talk, said)

    def _tell_concern(self, who: str, moment: datetime) -> Iterator[Sentence]:
        """Yield a thought about another that the resident did not voice that day."""
        if found := self.mind.take_concern_about(who):
            concern, core = found
            self.name(concern.about)
            yield Sentence(moment, self.wording.sentence(core))

    def _tell_matter(self, beats: Sequence[Beat], *, leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield a matter, and the resident's intention about it."""
        tell = self._tell_heard if beats[0].kind == "heard" else self._tell_told
        sentences = list(tell(beats, leads, also))
        yield from sentences
        if sentences and not also:
            yield from self._thought_of(beats[0])

    def _tell_told(self, beats: Sequence[Beat], leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield the news that the resident told, its hearers and their replies; nothing for news
        that was no secret and had no reply.
        """
        first = beats[0]
        assert first.talk is not None
        replies = self.exchanges.replies(first.talk, self.who, self.who, first.text)
        if not replies.lines and not first.confided:
            return
        told = [beat for beat in beats if beat.kind == "told"]
        others = [who for beat in told if beat.talk == first.talk for who in beat.people]
        core = self.wording.mine(first.text, others)
        line = self.exchanges.find_telling(first.talk, self.who, self.who, first.text)
        addressed = any(self.wording.name(who) in core for who in others)
        is_quoted = not core or self.wording.is_doubtful(core)
        is_unclear = not line and self.wording.is_doubtful(core)
        if is_unclear or (line and self.has_quoted(line)):
            return
        if line and is_quoted:
            yield self.say(first, "told_quoted", others, line=self.wording.lead_on(line))
        elif not core:
            return
        elif self.mind.is_concern(first.text) and not addressed and (leads or not also):
            yield Sentence(first.moment, self.wording.sentence(self._without_denial(core)))
            self.name_mentioned(first.text)
            yield from self._tell_so(told, self._told_key(told, others))
            return
        elif line and addressed:
            yield self.say(first, "told_quoted", others, line=self.wording.lead_on(line))
        elif self.wording.is_address(core):
            yield self.say(first, "did", others, core=core)
        else:
            clause = self.wording.clause(self.wording.to(core, others))
            key = "told_also" if also and not leads else "told_that"
            yield self.say(first, key, others, core=clause)
        yield from self._tell_further(told, others)

    def _tell_so(self, told: Sequence[Beat], key: str) -> Iterator[Sentence]:
        """Yield the hearers of a matter already on the page, and their replies."""
        first = told[0]
        others = [who for beat in told if beat.talk == first.talk for who in beat.people]
        if first.talk and first.talk.people[0] == others[0] and f"{key}_asked" in self.words:
            key = f"{key}_asked"
        yield self.say(first, key, others)
        yield from self._tell_further(told, others)

    def _tell_further(self, told: Sequence[Beat], others: Sequence[str]) -> Iterator[Sentence]:
        """Yield the replies of the hearers of a matter, and its later hearers, if they are `MANY`."""
        yield from self.quote_replies(told[0], self.who)
        people = dict.fromkeys(who for beat in told for who in beat.people)
        later = [who for who in people if who not in others]
        if len(later) >= MANY:
            yield self.say(told[-1], "told_more", later)

    def _told_key(self, told: Sequence[Beat], others: Sequence[str]) -> str:
        """Return the key of the sentence that says to whom a matter was told."""
        if len(others) > 1:
            return "told_so_several"
        is_secret = len(told) == 1 and self._is_secret(told[0])
        return "told_so_secret" if is_secret else "told_so"

    def _is_secret(self, beat: Beat) -> bool:
        """Return True if a matter calls itself a secret."""
        return mentions(beat.text, bank(self.wording.lang).words["secrets"])

    def _telling(self, beat: Beat, line: str) -> str:
        """Return the words for a teller's act: they shared a secret, spoke of the resident, or had
        news of others, or of themselves.
        """
        if self._is_secret(beat):
            return self.words["telling_secret"]
        if re.search(self.words["you"], line):
            return self.words["telling_you"]
        own = beat.text.startswith(self.wording.names.person(beat.people[0]))
        return self.words["telling" if own else "telling_news"]

    def _tell_heard(self, beats: Sequence[Beat], leads: bool, also: bool) -> Iterator[Sentence]:
        """Yield the news that the resident heard, their reply, and the people to whom they passed
        it on.
        """
        first = beats[0]
        assert first.talk is not None
        teller = first.people[0]
        line = self.exchanges.find_telling(first.talk, self.who, teller, first.text)
        if line and self.has_quoted(line):
            return
        core = self.wording.of_teller(first.text, teller)
        yield from self.introduce([teller] if line or core else [])
        if line and (leads or not also or self.wording.lang == "en"):
            told = self._telling(first, line)
            yield self.say_of(first, "heard_then", teller, told=told, line=self.wording.inner(line))
        elif not core:
            return
        elif self.words["colon"] in core:
            yield self.say_of(first, "heard_noted", teller, core=core)
        else:
            key = "heard_also" if also else "heard"
            yield self.say_of(first, key, teller, core=self.wording.clause(core))
        if first.confided:
            yield from self.quote_replies(first, teller)
        if others := [who for beat in beats if beat.kind == "told" for who in beat.people]:
            yield self.say(beats[-1], "passed_on", others)

    def _thought_of(self, beat: Beat) -> Iterator[Sentence]:
        """Yield what the resident means to do because of a talk, or made of it."""
        if found := self.mind.take_thought_of(beat):
            thought, text = found
            yield Sentence(thought.created, text)

    def _tell_occasion(self, beat: Beat, leads: bool) -> Iterator[Sentence]:
        """Yield an appointment with its outcome, then the best exchanges of the talks that the
        resident had there within `MEETING` of its beginning: up to two of a gathering that leads.
        """
        what, doing = self.wording.occasion(beat.text), self.wording.doing(beat.doing)
        guests = [who for who in beat.people if self.wording.name(who) not in what]
        is_met = beat.kind in ("kept", "gathered")
        scenes = self._find_scenes(beat) if is_met else []
        key = self.wording.keyed(beat.kind, what) if is_met else beat.kind
        if beat.kind == "gathered" and what.startswith(self.words["host"]):
            key = "hosted"
        elif key == "gathered_event" and len(guests) > MANY:
            key = "gathered_many"
        chosen = scenes[: 1 + (leads and beat.kind == "gathered")]
        told = [self.converse(*each) for each in sorted(chosen, key=lambda each: each[0].moment)]
        if key == "gathered_many" and chosen and chosen[0][1].lines[0].speaker == self.who:
            key = "gathered_so"
            yield from told.pop(0)
        count = self.wording.count(len(guests) + (self.wording.lang == "zh"))
        did = self.wording.did(what, "were")
        if (at := self.wording.at(beat.address)) and at in what:
            beat = replace(beat, address="")
        yield self.say(beat, key, guests, what=what, did=did, doing=doing, count=count)
        yield from chain.from_iterable(told)

    def _find_scenes(self, beat: Beat) -> list[tuple[Beat, Excerpt]]:
        """Return the talks at an occasion that are worth quoting: those in which the resident asked
        something, then, at a gathering, those in which they were asked.
        """
        heard = [
            (talked, exchange)
            for talked, exchange in self.list_exchanges()
            if talked.address == beat.address
            and beat.moment <= talked.moment < beat.moment + MEETING
            and any(line.speaker == self.who for line in exchange.lines)
            and (beat.kind == "gathered" or set(talked.people) <= set(beat.people))
        ]
        asked = [each for each in heard if each[1].lines[0].speaker == self.who]
        others = [each for each in heard if each not in asked and beat.kind == "gathered"]
        return [
            each
            for group in (asked, others)
            for each in sorted(
                group, key=lambda each: (each[0].moment - beat.moment > LONG, -each[1].worth)
            )
        ]

    def _tell_search(self, beats: Sequence[Beat]) -> Iterator[Sentence]:
        """Yield a search in vain."""
        last = beats[-1]
        core = self.wording.mine(self.wording.nearby(last.text, last.address))
        if core and self.words["colon"] not in core:
            core = self._call_sought(core, last.people)
            yield self.fill(replace(last, address=""), "sought", "", core=core)
        self.name(last.people)

    def _call_sought(self, core: str, people: Sequence[str]) -> str:
        """Return a sentence about a search with a pronoun for who has been named."""
        first, *rest = core.split(self.wording.people(people))
        if len(people) != 1 or not rest:
            return core
        text = first + self._object(people)
        for at, words in enumerate(rest):
            later = self._object(people) if not rest[-1] else self._subject(people[0])
            text += words + (later if at < len(rest) - 1 else "")
        return text


def _list_units(beats: Sequence[Beat]) -> list[list[Beat]]:
    """Return beats by kind and matter: the `MAX_MATTERS` weightiest, at most `MAX_ALIKE` of a kind,
    in the order of the day.
    """
    units: list[list[Beat]] = []
    for beat in beats:
        unit = next((unit for unit in units if _is_same(unit[0], beat)), None)
        if unit:
            unit.append(beat)
        else:
            units.append([beat])
    chosen: list[list[Beat]] = []
    heaviest = max(beat.weight for beat in beats)
    units = [unit for unit in units if not _is_trifle(unit, heaviest)]
    for unit in sorted(units, key=lambda unit: -max(beat.weight for beat in unit)):
        alike = sum(one[0].kind == unit[0].kind for one in chosen)
        if len(chosen) < MAX_MATTERS and alike < MAX_ALIKE:
            chosen.append(unit)
    return [unit for unit in units if unit in chosen]


def _is_trifle(beats: Sequence[Beat], heaviest: int) -> bool:
    """Return True if news weighs too little to stand beside the weightiest matter."""
    weight = max(beat.weight for beat in beats)
    return (
        beats[0].kind in PASSED and weight < heaviest and weight <= WEIGHTS[beats[0].kind] + TRIFLE
    )


def _is_same(one: Beat, other: Beat) -> bool:
    if one.kind in PASSED and other.kind in PASSED:
        return is_same_matter(one.text, other.text)
    return one.kind == other.kind == "sought"
