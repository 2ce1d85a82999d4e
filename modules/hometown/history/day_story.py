"""A resident's day as their diary tells it: in the first person, by what mattered and not by the
hour.

The weightiest matter of the day opens a page. Others follow, each in a paragraph, then a talk that
is worth quoting, and at the end what is left open. Everything is taken from the resident's own
memories, talks and agreements, by rule; speech is quoted verbatim. The timetable is not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from hometown.frozen import frozen
from hometown.history.day_matters import Beat, DayMatters, is_same_matter
from hometown.history.day_page import Page, Sentence
from hometown.history.day_wording import DayWording
from hometown.history.diary import Stay, awake, steps_of
from hometown.history.exchanges import Exchange, Exchanges
from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.world.conversation import Conversation

MAX_THREADS = 3
"""Maximum number of matters told of a day."""

MAX_TALKS = 2
"""Maximum number of talks told for the sake of an exchange."""

MAX_PARAGRAPHS = 4
"""Maximum number of both."""

MAX_AHEAD = 2
"""Maximum number of appointments to come that are named."""


@frozen
class Thread:
    """A matter, or a talk, with all that happened about it in a day, in order."""

    beats: tuple[Beat, ...]
    weight: int


class DayStories:
    """The stories of all residents and days of a run up to a step."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        self.run, self.names, self.last = run, names, last
        self.given = GivenNames(names, run.residents)
        self.matters = DayMatters(run, names.storylines, last)
        self._exchanges: dict[date, Exchanges] = {}

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
        lang = self.run.manifest.lang
        if day not in self._exchanges:
            self._exchanges[day] = Exchanges(talks, self.given, lang)
        beats = self.matters.beats(who, day, talks)
        wording = DayWording(self.names, self.given, lang, who)
        chats, thoughts = self.matters.chats(who, day), self.matters.thoughts(who, day)
        page = Page(wording, self._exchanges[day], beats, thoughts, chats)
        threads = self._find_threads(who, day, beats)[:MAX_THREADS]
        paragraphs = []
        for thread in [*threads[:1], *sorted(threads[1:], key=lambda each: each.beats[0].moment)]:
            paragraphs.append(list(page.tell(thread.beats, leads=not any(paragraphs))))
        room = MAX_PARAGRAPHS - sum(map(bool, paragraphs))
        for beat, exchange in self._choose_talks(page, min(MAX_TALKS, room)):
            paragraphs.append(list(page.converse(beat, exchange)))
        paragraphs.append(list(self._ending(page, who, day, life)))
        return [paragraph for paragraph in paragraphs if paragraph]

    def _find_threads(self, who: str, day: date, beats: Sequence[Beat]) -> list[Thread]:
        """Return what happened by matter, the weightiest first. News that everybody hears that day
        is the less a resident's own.
        """
        groups: list[list[Beat]] = []
        for beat in beats:
            group = next((group for group in groups if _belongs(beat, group[0])), None)
            if beat.kind == "talked":
                continue
            if group:
                group.append(beat)
            else:
                groups.append([beat])
        name = self.names.person(who)
        threads = []
        for group in groups:
            weightiest = max(group, key=lambda beat: beat.weight)
            weight = weightiest.weight + min(len(group), 3)
            if not weightiest.text.startswith(name):
                weight -= self.matters.hearers(weightiest.text, day)
            threads.append(Thread(tuple(group), weight))
        return sorted(threads, key=lambda each: -each.weight)

    def _choose_talks(self, page: Page, most: int) -> list[tuple[Beat, Exchange]]:
        """Return the best exchanges of talks that are not told yet, each with other people, in the
        order of the day.
        """
        found = sorted(page.list_exchanges(), key=lambda each: -each[1].worth - each[0].weight / 2)
        chosen: list[tuple[Beat, Exchange]] = []
        for beat, exchange in found:
            met = {who for other, _ in chosen for who in other.people}
            if len(chosen) < most and not met & set(beat.people):
                chosen.append((beat, exchange))
        return sorted(chosen, key=lambda each: each[0].moment)

    def _ending(self, page: Page, who: str, day: date, life: Sequence[Stay]) -> Iterator[Sentence]:
        """Yield the end of a page: of a day with little to tell, how it was spent; a thought, what
        the resident has agreed to, and what they kept to themselves.
        """
        page.begin_paragraph()
        end = life[-1].end
        if len(page.told) < MAX_PARAGRAPHS - 1:
            yield from page.rest(life)
        yield from page.thought()
        step = steps_of(self.run, day, self.last)[1]
        for promise in self.matters.promises(who, step)[:MAX_AHEAD]:
            yield page.ahead(day, end, promise)
        nth = (day - self.run.manifest.start.date()).days
        yield from page.unsaid(self.matters.concerns(who, day), nth, end)


def _belongs(beat: Beat, first: Beat) -> bool:
    """Return whether something is about the matter of an earlier one: the same was told or heard,
    or something in the same talk or between the same two, or a search for the same person.
    """
    if beat.kind in ("told", "heard") and first.kind in ("told", "heard"):
        if beat.talk == first.talk or (beat.kind == first.kind and beat.people == first.people):
            return True
        return is_same_matter(beat.text, first.text)
    return beat.kind == first.kind == "sought" and beat.people == first.people
