"""The concerns and thoughts of a resident on a day."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from hometown.clock import HOUR_WORDS, at_minute, parse_hhmm
from hometown.history.day_matters import BONDS, PASSED, Beat
from hometown.history.day_present import Present
from hometown.history.day_wording import DayWording
from hometown.language import Lang
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.scripted.clauses import is_over
from hometown.scripted.reference import OTHER
from hometown.scripted.when import clock_of, day_of, find_when
from hometown.text import coverage
from hometown.world.conversation import Conversation

TELLING = 6
"""Poignancy from which on a thought is told for its own sake."""

REPEATED_MIN = 0.5
"""Share of a matter's trigrams in a thought from which on the thought repeats it."""

VOICED_MIN = {"en": 0.3, "zh": 0.07}
SPOKEN_MIN = {"en": 0.4, "zh": 0.15}
"""Share of a concern's trigrams in something told or heard, and in a line of talk, from which on it
counts as voiced.
"""

LUNCH_ENDS = 15
"""The hour by which lunch is over."""

_LUNCH = {"en": re.compile(r"\b(?:at|over|before) lunch\b"), "zh": re.compile("午饭|中午")}

_BARE_HOUR = re.compile(rf"\bat ({'|'.join(HOUR_WORDS)})\b(?! (?:o'clock|past|to)\b)")
"""An English hour that is no more than a number."""


class DayMind:
    """The concerns and thoughts of a resident on a day; each is told once."""

    def __init__(
        self,
        wording: DayWording,
        beats: Sequence[Beat],
        present: Present,
        concerns: Sequence[Concept],
        open_concerns: Sequence[Concept],
        thoughts: Sequence[Concept],
        chats: Mapping[int, str],
    ) -> None:
        """Take what may be told.

        Args:
            beats: All that the day brought.
            present: The present concerns, which are told by themselves.
            concerns: What weighed on the resident, the weightiest first.
            open_concerns: Those that still do at the end of the day.
            thoughts: The thoughts of the day, the weightiest first.
            chats: The talk of each memory of one.
        """
        self.wording, self.beats, self._chats = wording, beats, chats
        self._thoughts, self._concerns = list(thoughts), list(concerns)
        self._told = list[str]()
        self._unsaid = [
            (each, core)
            for each in open_concerns
            if not present.is_about(each.text)
            and not self._is_voiced(each.text)
            and (core := wording.mine(each.text))
        ]

    def is_concern(self, matter: str) -> bool:
        """Return True if a matter is what the resident has had in mind since before the day."""
        bare = self.wording.without_names
        return any(
            coverage(bare(matter), bare(each.text)) >= REPEATED_MIN for each in self._concerns
        )

    def take_concern_about(self, who: str) -> tuple[Concept, str] | None:
        """Return what the resident thinks of another and told nobody that day, also in the first
        person, and take it out; None for nothing.
        """
        found = next((each for each in self._unsaid if who in each[0].about), None)
        if found:
            self._unsaid.remove(found)
        return found

    def take_concern(self, nth: int, met: Collection[str]) -> tuple[Concept, str] | None:
        """Remove one of the thoughts that the resident told nobody that day, and return it with its
        words in the first person: of those about residents whom they `met`, or else of all, that at
        position `nth`, modulo their number. None if none is left.
        """
        near = [each for each in self._unsaid if not set(each[0].about).isdisjoint(met)]
        if not self._unsaid:
            return None
        found = (near or self._unsaid)[nth % len(near or self._unsaid)]
        self._unsaid.remove(found)
        return found

    def take_thought_of(self, beat: Beat) -> tuple[Concept, str] | None:
        """Return what the resident means to do because of a talk, or made of it, also as a
        sentence, and take it out; None for nothing.
        """
        for thought in self._thoughts:
            talks = {self._chats.get(memory, "") for memory in thought.evidence}
            tells = thought.predicate == INTENTION_PREDICATE or thought.poignancy >= TELLING - 1
            if tells and beat.talk and talks == {beat.talk.id} and (text := self._word(thought)):
                self._take(thought)
                return thought, text
        return None

    def take_thought(self) -> tuple[Concept, str] | None:
        """Return the weightiest thought that is left, of a poignancy of `TELLING` or more, also as
        a sentence; None if there is none.
        """
        for thought in self._thoughts:
            if thought.poignancy >= TELLING and (text := self._word(thought)):
                self._take(thought)
                return thought, text
        return None

    def _take(self, thought: Concept) -> None:
        """Take out a thought that is told now."""
        self._thoughts.remove(thought)
        self._told.append(thought.text)

    def _word(self, thought: Concept) -> str:
        """Return a thought as a sentence; "" if it cannot be told, quotes a memory, does not
        name the other, is about a quarrel or a reconciliation, or repeats what was told or heard
        that day, or a thought that stands on the page.
        """
        core = self.wording.mine(thought.text)
        if thought.predicate == INTENTION_PREDICATE:
            core = self.wording.intend(core)
        matters = [beat.text for beat in self.beats if beat.kind in PASSED]
        is_new = not any(coverage(thought.text, matter) >= REPEATED_MIN for matter in matters)
        is_new = is_new and not any(
            coverage(*pair) >= REPEATED_MIN
            for told in self._told
            for pair in ((told, thought.text), (thought.text, told))
        )
        names = self.wording.given.given.values()
        is_new = is_new and not any(core.count(name) > 1 for name in names)
        is_clear = (
            "“" not in core
            and core[-1:] != "…"
            and self.wording.words["colon"] not in core
            and OTHER not in core
            and not self._is_of_a_bond(thought)
        )
        return self.wording.sentence(core) if core and is_new and is_clear else ""

    def _is_of_a_bond(self, thought: Concept) -> bool:
        """Return True if a thought rests on a talk in which two fell out or made up."""
        talks = {self._chats.get(memory, "") for memory in thought.evidence}
        return any(
            beat.kind in BONDS and beat.talk and beat.talk.id in talks for beat in self.beats
        )

    def _is_voiced(self, concern: str) -> bool:
        """Return True if the resident spoke of a concern that day, or heard of it."""
        lang, bare = self.wording.lang, self.wording.without_names
        if any(
            coverage(bare(beat.text), bare(concern)) >= VOICED_MIN[lang]
            for beat in self.beats
            if beat.kind in PASSED
        ):
            return True
        talks = [beat.talk for beat in self.beats if beat.kind == "talked" and beat.talk]
        return is_spoken(concern, self.wording, talks)


def is_spoken(text: str, wording: DayWording, talks: Iterable[Conversation]) -> bool:
    """Return True if a resident said in some talks what they had in mind."""
    bare = wording.without_names
    return any(
        coverage(bare(line.text), bare(text)) >= SPOKEN_MIN[wording.lang]
        for talk in talks
        for line in talk.lines
        if line.speaker == wording.who
    )


def is_past_intention(thought: Concept, now: datetime, lang: Lang) -> bool:
    """Return True if a thought is what somebody meant to do at a time that has passed; a clock time
    without a day is the next one.
    """
    if thought.predicate != INTENTION_PREDICATE:
        return False
    day = thought.created.date()
    clock = clock_of(_BARE_HOUR.sub(r"at \1 o'clock", thought.text), lang)
    meal = f"{LUNCH_ENDS}:00" if _LUNCH[lang].search(thought.text) else ""
    if not (clock or meal) or day_of(find_when(thought.text, lang), day, lang) not in (None, day):
        return is_over(thought, now, lang)
    return thought.created < at_minute(day, parse_hhmm(clock or meal)) < now
