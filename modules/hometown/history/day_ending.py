"""The end of a diary's page: how the rest of the day was spent, and what is left open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from hometown.history.day_narrator import Sentence
from hometown.history.day_page import Page
from hometown.history.diary import Stay
from hometown.scripted.pursuits import plain
from hometown.world.rows import Promise

MAX_AHEAD = 2
"""Maximum number of appointments to come that are named."""

MAX_DOINGS = 2
"""Maximum number of activities named."""

LONGEST_DOING = {"en": 60, "zh": 20}
"""Maximum length of an activity that is named, in characters."""

HEAVY = 7
"""Poignancy from which on a concern weighs on somebody."""


class Ending:
    """The last paragraph of a page."""

    def __init__(self, page: Page, day: date, life: Sequence[Stay]) -> None:
        self.page, self.wording, self.words = page, page.wording, page.words
        self.day, self.life, self.end = day, life, life[-1].end

    def tell(self, promises: Sequence[Promise], nth: int, *, is_quiet: bool) -> Iterator[Sentence]:
        """Yield how a quiet day was spent; then a thought, the appointments to come, and, of what
        the resident kept to themselves, the `nth`.
        """
        self.page.begin_paragraph()
        if is_quiet:
            yield from self._tell_rest()
        if thought := self.page.mind.take_thought():
            yield Sentence(thought[0].created, thought[1])
        for promise in promises[:MAX_AHEAD]:
            yield self._tell_ahead(promise)
        yield from self._tell_unsaid(nth)

    def _tell_rest(self) -> Iterator[Sentence]:
        """Yield that the resident talked with nobody, if so, and what else they did, in the most
        particular of its words.
        """
        if not any(beat.kind == "talked" for beat in self.page.beats):
            yield Sentence(self.life[0].start, self.words["quiet"])
        lang = self.wording.lang
        done = dict.fromkeys(
            plain(doing.activity, lang)
            for stay in self.life
            for doing in stay.doings
            if doing.activity and not doing.asleep and not self.wording.is_passing(doing.activity)
        )
        fitting = [each for each in done if len(each) <= LONGEST_DOING[lang]]
        chosen = sorted(fitting, key=lambda each: -len(each))[:MAX_DOINGS]
        if chosen:
            told = [self.wording.doing(each) for each in done if each in chosen]
            key = "rest" if len(told) > 1 else "rest_one"
            text = self.words[key].format(doings=self.words["or"].join(told))
            yield Sentence(self.life[0].start, text)

    def _tell_unsaid(self, nth: int) -> Iterator[Sentence]:
        """Yield what the resident told nobody that day."""
        found = self.page.mind.take_concern(nth)
        if found is None:
            return
        concern, core = found
        talked = [beat for beat in self.page.beats if beat.kind == "talked"]
        about = [who for who in concern.about if who in self.wording.given.given]
        if self.page.opens_unsaid and not about:
            return
        met = [who for who in about if any(who in beat.people for beat in talked)]
        if not talked:
            key = "unsaid_alone"
        elif about:
            key = "unsaid_to" if met else "unsaid_absent"
        elif concern.poignancy >= HEAVY:
            key = "unsaid_heavy"
        elif concern.type == "thought" and not any(
            beat.kind == "told" for beat in self.page.written
        ):
            key = "unsaid_listening"
        else:
            key = f"unsaid_{concern.type}"
        other = (met or about)[:1]
        if other:
            core = self.wording.to(concern.text, other[0])
        others = self.wording.people(other)
        yield Sentence(self.end, self.words[key].format(core=core, others=others))

    def _tell_ahead(self, promise: Promise) -> Sentence:
        """Return a sentence on an appointment to come."""
        others = [other for other in promise.people if other != self.page.who]
        text = self.words["ahead" if others else "ahead_alone"].format(
            due=self.wording.due(promise.start, self.day),
            at=self.wording.at(promise.address) if promise.address else "",
            what=self.wording.occasion(promise.part_of(self.page.who)),
            others=self.wording.people(others),
        )
        return Sentence(self.end, self.wording.sentence(text))
