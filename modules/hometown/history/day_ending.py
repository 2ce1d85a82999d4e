"""The end of a diary's page: how the rest of the day was spent, and what is left open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from hometown.history.day_narrator import Sentence
from hometown.history.day_page import Page
from hometown.history.diary import Stay
from hometown.world.rows import Promise

MAX_AHEAD = 2
"""Maximum number of appointments to come that are named."""

LAST_OF_PLACE = 3
"""Number of characters at the end of a Chinese place's name that say what kind it is."""

MAX_DOINGS = 2
"""Maximum number of activities named."""

_GOES = re.compile("[上到进回往]")
"""The beginning of Chinese words that say themselves where somebody goes."""


class Ending:
    """The last paragraph of a page."""

    def __init__(self, page: Page, day: date, life: Sequence[Stay]) -> None:
        self.page, self.wording, self.words = page, page.wording, page.words
        self.day, self.life, self.end = day, life, life[-1].end
        self.titles = {story.title for story in self.wording.names.storylines}

    def tell(self, promises: Sequence[Promise], nth: int, *, is_quiet: bool) -> Iterator[Sentence]:
        """Yield how a quiet day was spent; then a thought, or else, of what the resident kept to
        themselves, the `nth`; up to `MAX_AHEAD` appointments to come; and what they were at until
        late.
        """
        self.page.begin_paragraph()
        if is_quiet:
            yield from self._tell_rest()
        if thought := self.page.mind.take_thought():
            yield Sentence(thought[0].created, thought[1])
        elif concern := self.page.mind.take_concern(nth, self.page.introduced):
            yield Sentence(self.end, self.wording.sentence(concern[1]))
        for promise in promises[:MAX_AHEAD]:
            yield self._tell_ahead(promise)
        if late := self.page.present.find_late(self.page.tasks):
            task = re.sub(self.words["tentative"], r"\1", late.text.removeprefix("在"))
            text = self.words["late"].format(clock=self.wording.time.clock(late.start), task=task)
            yield Sentence(late.start, self.wording.sentence(text))

    def _tell_rest(self) -> Iterator[Sentence]:
        """Yield that the resident talked with nobody, if so, and up to `MAX_DOINGS` of the other
        tasks that they did, those with the longest words.
        """
        if not any(beat.kind == "talked" for beat in self.page.beats):
            yield Sentence(self.life[0].start, self.words["quiet"])
        done = dict.fromkeys(
            task.text
            for task in self.page.present.tasks
            if task.habit and task.text not in self.page.tasks
        )
        chosen = sorted(done, key=lambda each: -len(each))[:MAX_DOINGS]
        if chosen:
            doings = self.words["or"].join(each for each in done if each in chosen)
            key = "rest" if len(chosen) > 1 else "rest_one"
            yield Sentence(self.life[0].start, self.words[key].format(doings=doings))

    def _tell_ahead(self, promise: Promise) -> Sentence:
        """Return a sentence on an appointment to come."""
        who = self.page.who
        what = re.split("[;；]", self.wording.occasion(promise.part_of(who)))[0].strip()
        is_title = promise.what in self.titles
        key, what = self.wording.plan("ahead", what, is_event=is_title)
        others = [
            other
            for other in promise.people
            if other != who and (key == "ahead_by" or self.wording.name(other) not in what)
        ]
        names = self.wording.people(others)
        at = self.wording.at(promise.address) if promise.address else ""
        is_english = self.wording.lang == "en"
        place = at.partition(" ")[2] if is_english else at[1:]
        kind = place.rpartition(" ")[2].lower() if is_english else place[-LAST_OF_PLACE:]
        is_named = key == "ahead_by" or not others or re.search(r"\bwith\b", what)
        text = self.words[key].format(
            due=self.wording.time.due(promise.start, self.day),
            at=""
            if (kind and kind in what.lower()) or _GOES.match(what)
            else self.words["ahead_at"].format(at=at)
            if at
            else "",
            place=place,
            what=what,
            names=names,
            others="" if is_named else self.words["ahead_others"].format(others=names),
        )
        return Sentence(self.end, self.wording.sentence(text))
