"""The events of a resident's day, as recorded: news and confidences passed on, quarrels,
appointments and their outcomes, searches in vain, urgent events, and talks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from datetime import date, datetime
from functools import cached_property
from typing import Literal

from hometown.agent.acting.reasons import FAILED_PREDICATE
from hometown.agent.planning.displacing import DISPLACED_PREDICATE
from hometown.clock import DAY, at_minute
from hometown.frozen import frozen
from hometown.history.diary import memories_on, steps_of
from hometown.history.entities import OwnedMemory
from hometown.history.highlights import bond_changes, conversation_poignancies
from hometown.history.names import Names
from hometown.history.occasions import Met, occasions
from hometown.history.playback import HappeningSpan, happening_spans, is_damage
from hometown.history.reader import RunReader
from hometown.history.spoken_time import COLON
from hometown.memory.concept import GATHERED_PREDICATE, NEWS_PREDICATE, PLAN_PREDICATE, Concept
from hometown.scripted.clauses import is_over, mentions, split_source
from hometown.scripted.phrases import bank
from hometown.scripted.words import bare
from hometown.text import catalogue, coverage
from hometown.world import keys
from hometown.world.bond import Why
from hometown.world.conversation import Conversation
from hometown.world.interventions import VOICE_PREDICATE
from hometown.world.occasion import Occasion
from hometown.world.rows import Promise

Kind = Literal[
    "told",
    "heard",
    "quarrel",
    "made_up",
    "gathered",
    "kept",
    "waited",
    "missed",
    "sought",
    "event",
    "noise",
    "talked",
]

PASSED: frozenset[Kind] = frozenset({"told", "heard"})
"""The kinds of news passed on in a talk."""

BONDS: frozenset[Kind] = frozenset({"quarrel", "made_up"})
"""The kinds of events that change a bond."""

PERSONAL: frozenset[Kind] = PASSED | BONDS | {"kept", "waited", "missed", "sought"}
"""The kinds of events between two."""

WEIGHTS: dict[Kind, int] = {
    "quarrel": 30,
    "made_up": 28,
    "waited": 24,
    "event": 40,
    "noise": 40,
    "missed": 20,
    "told": 18,
    "heard": 14,
    "gathered": 20,
    "kept": 12,
    "sought": 12,
    "talked": 0,
}
"""Weight of each kind; the poignancy of its memory or talk is added."""

SECRET = 8
"""Additional weight of news that calls itself a secret."""

URGENT = 6
"""Poignancy from which on an event is told."""

WEIGHTY = 5
"""Poignancy from which a concern of a resident is told."""

SAME_MATTER_MIN = 0.6
"""Share of a matter's trigrams in another from which on the two are one."""


@frozen
class Beat:
    """Something that happened to a resident at a moment.

    Attributes:
        people: The ids of the others.
        text: What was told, agreed, seen or heard; "" if `kind` says everything.
        talk: The talk in which it happened; None if there is none.
        doing: The resident's activity in place of an appointment.
        confided: True if what was told calls itself a secret, or is about the hearer, so that the
            talk is told on their page.
        second_hand: True if what was told is not about the teller.
    """

    moment: datetime
    kind: Kind
    weight: int
    people: tuple[str, ...] = ()
    text: str = ""
    address: str = ""
    talk: Conversation | None = None
    doing: str = ""
    confided: bool = False
    second_hand: bool = False


@frozen
class TownDay:
    """The news of a day: `outgoing` and `incoming` in conversations, by resident, and the
    number of those who heard of each storyline, by its id, and of each matter, by its text.
    """

    outgoing: defaultdict[str, list[Beat]] = field(default_factory=lambda: defaultdict(list))
    incoming: defaultdict[str, list[Beat]] = field(default_factory=lambda: defaultdict(list))
    hearers: Counter[str] = field(default_factory=Counter)


class DayMatters:
    """The events of the days of a run up to step `last`."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        self.run, self.names, self.last = run, names, last
        self.storylines = names.storylines
        self._passed: dict[date, TownDay] = {}

    def beats(self, who: str, day: date, talks: Sequence[Conversation]) -> list[Beat]:
        """Return the matters of a resident's day, in order.

        Args:
            talks: The resident's talks that began on that day.
        """
        passed = self.passed_on(day, talks)
        own = [talk for talk in talks if who in talk.people]
        found = [
            *passed.outgoing[who],
            *passed.incoming[who],
            *(beat for talk in own for beat in self.bonds(who, talk)),
            *self._appointments(who, day),
            *self._remembered(who, day),
            *(self._of_talk("talked", talk, talk.others(who)) for talk in own if talk.lines),
        ]
        rank = dict.fromkeys(BONDS, 2) | dict.fromkeys(PASSED, 1)
        return sorted(found, key=lambda beat: (beat.moment, rank.get(beat.kind, 0)))

    def hearers(self, matter: str, day: date) -> int:
        """Return the number of residents who heard of a matter, or of its storyline, on a day."""
        hearers = self._passed[day].hearers
        stories = [story.id for story in self.storylines if story.is_mentioned_in(matter)]
        return max(hearers[each] for each in (matter, *stories))

    def are_of_one_story(self, matter: str, texts: Iterable[str]) -> bool:
        """Return True if a matter and one of some texts mention the same storyline."""
        return any(
            story.is_mentioned_in(matter) and any(map(story.is_mentioned_in, texts))
            for story in self.storylines
        )

    def concerns(self, who: str, day: date) -> list[Concept]:
        """Return the concerns that a resident had before a day, the weightiest first: initial
        memories without plans, and inner voices up to the day, of a poignancy of `WEIGHTY` or more.
        """
        known = self.run.memories(0, 0, ("thought", "event", "plan"), who)
        voices = [
            memory
            for memory in self.run.memories(1, self.last, ("thought",), who)
            if memory.concept.predicate == VOICE_PREDICATE and memory.concept.created.date() <= day
        ]
        found = [
            memory.concept
            for memory in (*voices, *known)
            if not memory.concept.is_background
            and memory.concept.predicate != PLAN_PREDICATE
            and memory.concept.poignancy >= WEIGHTY
        ]
        return sorted(found, key=lambda each: (-each.poignancy, -each.id))

    def open_concerns(self, who: str, day: date) -> list[Concept]:
        """Return the concerns that a resident still has at the end of a day: those whose day has
        not passed, and that nothing told up to then has settled.
        """
        lang, evening = self.run.manifest.lang, at_minute(day, DAY - 1)
        news = self.run.news(who, steps_of(self.run, day, self.last)[1])
        return [
            each
            for each in self.concerns(who, day)
            if not is_over(each, evening, lang)
            and not any(self._settles(memory, who, each) for memory in news)
        ]

    def _settles(self, news: OwnedMemory, who: str, concern: Concept) -> bool:
        """Return True if news settles a concern of a resident: they told it to somebody whom it is
        about, or at all if it says that nobody knows; or it is about what one of the two has not
        told the other, and they told them a secret or a storyline of their own.
        """
        lang = self.run.manifest.lang
        words, secrets = catalogue(lang, "day"), bank(lang).words["secrets"]
        matter, teller = bare(split_source(news.concept.text, lang)[0]), news.concept.object
        is_with = (news.who if teller == who else teller) in concern.about
        knows = is_with or bool(re.search(words["untold"], concern.text))
        if teller == who and knows and is_same_matter(matter, concern.text):
            return True
        withheld = words["withheld" if teller == who else "hidden"]
        is_own = is_with and matter.startswith(self.names.person(teller))
        is_weighty = mentions(matter, secrets) or any(
            story.is_mentioned_in(matter) for story in self.storylines
        )
        return is_own and is_weighty and bool(re.search(withheld, concern.text))

    def chats(self, who: str, day: date) -> dict[int, str]:
        """Return the talks that a resident remembers of a day, by the number of the memory."""
        made = memories_on(self.run, day, self.last, ("chat",), who)
        return {memory.concept.id: memory.concept.talk for memory in made}

    def thoughts(self, who: str, day: date) -> list[Concept]:
        """Return the thoughts of a day that rest on memories, the weightiest first."""
        made = memories_on(self.run, day, self.last, ("thought",), who)
        found = [memory.concept for memory in made if memory.concept.evidence]
        return sorted(found, key=lambda each: -each.poignancy)

    def promises(self, who: str, step: int) -> tuple[Promise, ...]:
        """Return a resident's agreements that are still to come after a step, soonest first."""
        row = self.run.row(keys.PROMISES.of(who), step)
        moment = self.run.moment(step)
        return tuple(each for each in row.items if each.start >= moment) if row else ()

    # talks --------------------------------------------------------------------------------

    def passed_on(self, day: date, talks: Sequence[Conversation]) -> TownDay:
        """Return the news that residents told one another on a day, read once for all of them."""
        if day not in self._passed:
            self._passed[day] = self._read_passed(day, {talk.id: talk for talk in talks})
        return self._passed[day]

    def _read_passed(self, day: date, talks: dict[str, Conversation]) -> TownDay:
        passed = TownDay()
        lang = self.run.manifest.lang
        made = memories_on(self.run, day, self.last, ("event",))
        displaced = defaultdict[str, list[str]](list)
        for memory in made:
            if memory.concept.predicate == DISPLACED_PREDICATE:
                displaced[memory.who].append(memory.concept.text)
        for memory in made:
            concept, talk = memory.concept, talks.get(memory.concept.talk)
            matter = bare(split_source(concept.text, lang)[0])
            teller = concept.object
            if concept.predicate != NEWS_PREDICATE or talk is None:
                continue
            if any(is_same_matter(matter, each) for each in displaced[teller]):
                continue
            secret = mentions(matter, bank(lang).words["secrets"])
            confided = secret or self.names.person(memory.who) in matter
            at, heavy = talk.started, concept.poignancy + SECRET * secret
            stories = [story.id for story in self.storylines if story.is_mentioned_in(matter)]
            passed.hearers.update([matter, *stories])
            sides: tuple[tuple[Kind, list[Beat], str], ...] = (
                ("heard", passed.incoming[memory.who], teller),
                ("told", passed.outgoing[teller], memory.who),
            )
            name = self.names.person(teller)
            for kind, owner, other in sides:
                weight = WEIGHTS[kind] + heavy
                is_own = name in matter if kind == "told" else matter.startswith(name)
                owner.append(
                    Beat(
                        at,
                        kind,
                        weight,
                        (other,),
                        matter,
                        talk.address,
                        talk,
                        confided=confided,
                        second_hand=not is_own,
                    )
                )
        return passed

    def bonds(self, who: str, talk: Conversation) -> Iterator[Beat]:
        """Yield the quarrels and reconciliations with others in a talk."""
        for other in talk.others(who):
            for step in (talk.step, talk.step + 1):
                why = self._shifts.get((who, other, step))
                if why == "quarrel" or (why == "made_up" and self._is_spoken_of(talk)):
                    yield self._of_talk(why, talk, (other,))

    def _is_spoken_of(self, talk: Conversation) -> bool:
        """Return True if two made up in words, which the stand-in does by an act of its own."""
        known = bank(self.run.manifest.lang)
        acts = [move.act for line in talk.lines for move in known.recognise(line.text)]
        return not acts or "make_up" in acts

    @cached_property
    def _shifts(self) -> dict[tuple[str, str, int], Why]:
        """The causes of changes of bonds that are told, by resident, other and step."""
        return bond_changes(self.run, self.last)

    def _of_talk(self, kind: Kind, talk: Conversation, people: tuple[str, ...]) -> Beat:
        """Return a beat of a talk, weighed by its kind and the talk's poignancy."""
        weight = WEIGHTS[kind] + self._poignancies.get(talk.id, 0)
        return Beat(talk.started, kind, weight, people, "", talk.address, talk)

    @cached_property
    def _poignancies(self) -> dict[str, int]:
        return conversation_poignancies(self.run, self.last)

    # appointments and memories --------------------------------------------------------------

    def _appointments(self, who: str, day: date) -> Iterator[Beat]:
        """Yield the occasions of the day at which a resident was expected, and whether they met
        others there, waited in vain, or stayed away.
        """
        for met in self._past_occasions:
            occasion = met.occasion
            knows = who in occasion.expected or who in occasion.came or self._hosts(who, occasion)
            if occasion.start.date() != day or not knows:
                continue
            came = tuple(guest.who for guest in met.came if guest.who != who)
            missing = tuple(each.who for each in met.away if each.who != who)
            absence = next((each for each in met.away if each.who == who), None)
            kind: Kind = "waited"
            if absence:
                kind = "missed"
            elif came:
                kind = "gathered" if occasion.gathers else "kept"
            if occasion.fate == "fell through" and who in occasion.came:
                kind, came = "waited", ()
            if people := came or missing:
                weight = WEIGHTS[kind] + len(people)
                doing = absence.doing if absence else ""
                yield Beat(
                    occasion.start,
                    kind,
                    weight,
                    people,
                    occasion.what,
                    occasion.address,
                    None,
                    doing,
                )

    def _hosts(self, who: str, occasion: Occasion) -> bool:
        """Return True if a resident has invited to an occasion that bears their name."""
        invited = any(guest.by == who for guest in occasion.guests)
        return invited and occasion.what.startswith(self.names.person(who).split(" ")[0])

    @cached_property
    def _past_occasions(self) -> list[Met]:
        """The occasions that are over."""
        return list(occasions(self.run, self.last))

    def _remembered(self, who: str, day: date) -> Iterator[Beat]:
        """Yield the searches in vain of a resident on a day, and the events that they perceived of
        a poignancy of `URGENT` or more. Acts of residents, and events that they only heard of in
        conversations, are left out, and so is damage beside its cause. The first memory of an event,
        of its sound at least, says when it was, and the most poignant one how much it weighs.
        """
        seen: dict[str, list[Concept]] = {}
        for memory in memories_on(self.run, day, self.last, ("event",), who):
            event = memory.concept
            if event.predicate == FAILED_PREDICATE:
                weight = WEIGHTS["sought"] + event.poignancy
                yield Beat(event.created, "sought", weight, event.about, event.text, event.address)
            elif event.predicate == GATHERED_PREDICATE or event.talk:
                continue
            elif event.subject not in self.run.residents:
                core = bare(COLON.split(self._without_place(event))[-1])
                alike = next((each for each in seen if each in core or core in each), core)
                seen.setdefault(alike, []).append(event)
        yield from self._urgent(seen)

    def _urgent(self, seen: dict[str, list[Concept]]) -> Iterator[Beat]:
        """Yield the urgent events among those of a day, by their texts, without the sound of one that
        was seen, too, and without damage beside its cause.
        """
        weights = {core: max(each.poignancy for each in events) for core, events in seen.items()}
        urgent = [core for core in seen if weights[core] >= URGENT]
        caused = {seen[core][0].subject for core in urgent if core not in self._damages}
        sounds = {self._sounds.get(core) for core in urgent if self._sounds.get(core) != core}
        for core in urgent:
            first = seen[core][0]
            if core in sounds or (core in self._damages and first.subject in caused):
                continue
            heard = seen.get(self._sounds.get(core, core), [first])[0]
            moment = min(first.created, heard.created)
            kind: Kind = "noise" if core in self._sounds.values() else "event"
            yield Beat(moment, kind, WEIGHTS[kind] + weights[core], (), core, first.address)

    @cached_property
    def _spans(self) -> list[HappeningSpan]:
        return happening_spans(self.run)

    @cached_property
    def _damages(self) -> set[str]:
        """The texts of the damage that events have left."""
        lang = self.run.manifest.lang
        return {bare(each.event.text) for each in self._spans if is_damage(each.event, lang)}

    @cached_property
    def _sounds(self) -> dict[str, str]:
        """The sounds of events from elsewhere, by their texts."""
        return {bare(each.event.text): each.event.sound for each in self._spans}

    def _without_place(self, event: Concept) -> str:
        """Return the text of an event without the words that say where it was seen."""
        place = self.names.place(event.address)
        seen_at = catalogue(self.run.manifest.lang, "mind")["seen_at"].format(text="", place=place)
        return event.text.replace(seen_at, "") if place else event.text


def is_same_matter(text: str, other: str) -> bool:
    """Return True if two texts tell the same: one holds `SAME_MATTER_MIN` of the other's trigrams."""
    return coverage(text, other) >= SAME_MATTER_MIN or coverage(other, text) >= SAME_MATTER_MIN
