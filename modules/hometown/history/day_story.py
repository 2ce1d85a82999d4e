"""A resident's day as their diary tells it: in the first person, by what mattered and not by the
hour.

The weightiest matter of the day opens a page. Others follow, each in a paragraph, then a talk that
is worth quoting, and at the end what is left open. Everything is taken from the resident's own
memories, talks and agreements, by rule; speech is quoted verbatim. The timetable is not told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, timedelta

from hometown.frozen import frozen
from hometown.history.day_ending import Ending
from hometown.history.day_matters import PASSED, PERSONAL, Beat, DayMatters, is_same_matter
from hometown.history.day_mind import DayMind
from hometown.history.day_narrator import Sentence
from hometown.history.day_page import Page
from hometown.history.day_wording import DayWording
from hometown.history.diary import Stay, awake, conversations_on, steps_of
from hometown.history.exchanges import Excerpt, Exchanges
from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.world.conversation import Conversation

MAX_THREADS = 3
"""Maximum number of matters told of a day."""

MAX_CONVERSATIONS = 2
"""Maximum number of talks told for the sake of an exchange."""

MAX_PARAGRAPHS = 3
"""Maximum number of both."""

LEADING = 20
"""Weight from which on a matter opens a page; otherwise, what the resident told nobody does."""

SECOND_HAND = 4
"""Weight that is taken off news that the resident only passed on."""

ANSWERED = 2
"""Additional weight of what was told and had a reply."""

MINDED = 3
"""Additional weight of what happened with somebody of whom the resident thinks."""


@frozen
class DayThread:
    """A person, or a matter, with all that happened about it in a day, in order."""

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
            earlier = conversations_on(self.run, day - timedelta(days=1), self.last)
            self._exchanges[day] = Exchanges(talks, self.given, lang, earlier)
        beats = self.matters.beats(who, day, talks)
        wording = DayWording(self.names, self.given, lang, who)
        concerns, chats = self.matters.concerns(who, day), self.matters.chats(who, day)
        mind = DayMind(wording, beats, concerns, self.matters.thoughts(who, day), chats)
        page = Page(wording, self._exchanges[day], beats, mind)
        minded = {other for concern in concerns for other in concern.about}
        threads = self._find_threads(who, day, beats, minded)[:MAX_THREADS]
        nth = (day - self.run.manifest.start.date()).days
        paragraphs: list[list[Sentence]] = []
        if not threads or threads[0].weight < LEADING:
            paragraphs.append(list(page.open_unsaid(nth, life[0].start)))
        paragraphs += [list(page.tell(each.beats, leads=True)) for each in threads[:1]]
        further = [list(page.tell(each.beats, leads=False)) for each in threads[1:]]
        further = [paragraph for paragraph in further if len(paragraph) > 1]
        room = MAX_PARAGRAPHS - len([*filter(None, paragraphs), *further])
        for beat, exchange in self._choose_talks(page, min(MAX_CONVERSATIONS, room)):
            further.append(list(page.converse(beat, exchange)))
        paragraphs += sorted(further, key=lambda each: each[0].moment)
        promises = self.matters.promises(who, steps_of(self.run, day, self.last)[1])
        paragraphs = [paragraph for paragraph in paragraphs if paragraph]
        is_quiet = len(paragraphs) < MAX_PARAGRAPHS - 1
        ending = list(Ending(page, day, life).tell(promises, nth, is_quiet=is_quiet))
        return [*paragraphs, ending] if ending else paragraphs

    def _find_threads(
        self, who: str, day: date, beats: Sequence[Beat], minded: Collection[str]
    ) -> list[DayThread]:
        """Return what happened by person and matter, the weightiest first. Those whom the resident
        has in mind, `minded`, weigh more, and news that everybody hears that day less.
        """
        groups: list[list[Beat]] = []
        for beat in beats:
            if beat.kind == "talked":
                continue
            group = next((group for group in groups if _belongs(beat, group)), None)
            if group:
                group.append(beat)
            else:
                groups.append([beat])
        name = self.names.person(who)
        threads = []
        for group in groups:
            weightiest = max(group, key=lambda beat: beat.weight)
            weight = weightiest.weight + min(len(group), 3)
            weight += MINDED * any(other in minded for other in weightiest.people)
            weight += ANSWERED * self._is_answered(who, day, group)
            if weightiest.text and not weightiest.text.startswith(name):
                weight -= self.matters.hearers(weightiest.text, day)
                weight -= SECOND_HAND * (weightiest.kind == "told")
            threads.append(DayThread(tuple(group), weight))
        return sorted(threads, key=lambda each: -each.weight)

    def _is_answered(self, who: str, day: date, beats: Sequence[Beat]) -> bool:
        """Return True if something told or heard had a reply that is worth quoting."""
        return any(
            self._exchanges[day].replies(beat.talk, who, speaker, beat.text).lines
            for beat in beats
            if beat.talk and beat.kind in PASSED
            for speaker in (who if beat.kind == "told" else beat.people[0],)
        )

    def _choose_talks(self, page: Page, most: int) -> list[tuple[Beat, Excerpt]]:
        """Return the best exchanges of talks that are not told yet, each with other people, in the
        order of the day. One that another began stands on their page, and on this one only if it
        has little else.
        """
        found = [each for each in page.list_exchanges() if len(each[0].people) == 1]
        asked = [each for each in found if each[1].lines[0].speaker == page.who]
        if not asked and most == MAX_CONVERSATIONS:
            asked = found
        chosen: list[tuple[Beat, Excerpt]] = []
        for beat, exchange in sorted(asked, key=lambda each: -each[1].worth - each[0].weight / 2):
            if len(chosen) < most and beat.people not in [other.people for other, _ in chosen]:
                chosen.append((beat, exchange))
        return sorted(chosen, key=lambda each: each[0].moment)


def _belongs(beat: Beat, group: Sequence[Beat]) -> bool:
    """Return True if something belongs to what came before it: it happened with the same person, or
    the same was told or heard.
    """
    first = group[0]
    if beat.kind in PERSONAL and first.kind in PERSONAL and beat.people[:1] == first.people[:1]:
        return True
    return beat.kind in PASSED and any(
        other.kind in PASSED and is_same_matter(beat.text, other.text) for other in group
    )
