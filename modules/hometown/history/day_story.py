"""A resident's day as their diary tells it: in the first person, by what mattered and not by the
hour.

An eventful matter opens a page, or else what occupies the resident at present, with what they did
about it. Further matters follow, each in a paragraph, then talks that are worth quoting, and at the
end what is left open. Everything is taken from the resident's own
memories, talks and agreements, by rule; speech is quoted verbatim. The timetable is not told.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta

from hometown.frozen import frozen
from hometown.history.day_ending import Ending
from hometown.history.day_matters import PASSED, PERSONAL, Beat, DayMatters, Kind, is_same_matter
from hometown.history.day_mind import DayMind
from hometown.history.day_narrator import Sentence
from hometown.history.day_page import Page
from hometown.history.day_present import Present
from hometown.history.day_wording import DayWording
from hometown.history.diary import Stay, awake, conversations_on, steps_of
from hometown.history.exchanges import Excerpt, Exchanges
from hometown.history.familiar import GivenNames
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.world.conversation import Conversation

MAX_CONVERSATIONS = 2
"""Maximum number of talks told for the sake of an exchange."""

MAX_PARAGRAPHS = 3
"""Maximum number of paragraphs before the ending."""

EVENTFUL: frozenset[Kind] = frozenset(
    {"event", "quarrel", "made_up", "waited", "missed", "gathered"}
)
"""The kinds of what opens a page; otherwise, the resident's present concerns do."""

ANSWERED = 2
"""Additional weight of what was told and had a reply."""

MINDED = 3
"""Additional weight of what happened with somebody of whom the resident thinks."""


@frozen
class DayThread:
    """A person, or a matter, with all that happened about it in a day, in order. It opens a page if
    it `is_eventful`, and `is_weak` if the resident only heard of something.
    """

    beats: tuple[Beat, ...]
    weight: int
    is_eventful: bool
    is_weak: bool


class DayStories:
    """The stories of all residents and days of a run up to a step."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        self.run, self.names, self.last = run, names, last
        self.given = GivenNames(names, run.residents)
        self.matters = DayMatters(run, names, last)
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
        steps = steps_of(self.run, day, self.last)
        currently = self.run.currently(who, steps[1])
        before = self.run.currently(who, steps[0] - 1) if steps[0] > 1 else ""
        present = Present(wording, currently, before, life)
        mind = DayMind(wording, beats, present, concerns, self.matters.thoughts(who, day), chats)
        page = Page(wording, self._exchanges[day], beats, present, mind)
        minded = {other for concern in concerns for other in concern.about}
        own = [beat for beat in beats if beat.kind == "told" and present.is_about(beat.text)]
        threads = self._find_threads(who, day, [each for each in beats if each not in own], minded)
        nth = (day - self.run.manifest.start.date()).days
        leads = [each for each in threads if each.is_eventful][:1]
        if not leads and not present.sentences:
            leads = [each for each in threads if each.beats[0].kind in PASSED and not each.is_weak]
        paragraphs = [list(page.tell(each.beats, leads=True)) for each in leads[:1]]
        paragraphs = [*filter(None, (*paragraphs, list(page.tell_present(own))))]
        threads = [each for each in threads if each not in leads[:1]]
        paragraphs += self._go_on(page, threads, MAX_PARAGRAPHS - len(paragraphs))
        promises = self.matters.promises(who, steps[1])
        is_quiet = len(paragraphs) < MAX_PARAGRAPHS - 1
        ending = list(Ending(page, day, life).tell(promises, nth, is_quiet=is_quiet))
        return [*paragraphs, ending] if ending else paragraphs

    def _go_on(self, page: Page, threads: Sequence[DayThread], room: int) -> list[list[Sentence]]:
        """Return paragraphs about further matters, then about talks, in the order of the day. What
        was only heard comes last, with the answer, which otherwise stands on the teller's page.
        """
        strong = [each.beats for each in threads if not each.is_weak][:room]
        further = [list(page.tell(beats, leads=False)) for beats in strong]
        further = [paragraph for paragraph in further if len(paragraph) > 1]
        most = min(MAX_CONVERSATIONS, room - len(further))
        for beat, exchange in self._choose_talks(page, most):
            further.append(list(page.converse(beat, exchange)))
        weak = [each.beats for each in threads if each.is_weak]
        for beats in weak[: room - len(further)]:
            answered = [replace(beat, confided=True) for beat in beats]
            further.append(list(page.tell(answered, leads=False)))
        return sorted(filter(None, further), key=lambda each: each[0].moment)

    def _find_threads(
        self, who: str, day: date, beats: Sequence[Beat], minded: Collection[str]
    ) -> list[DayThread]:
        """Return what happened by person and matter, without news of others, the weightiest first.
        Those whom the resident has in mind, `minded`, weigh more, and what many hear that day less.
        """
        groups: list[list[Beat]] = []
        for beat in beats:
            if beat.kind == "talked" or (beat.second_hand and not beat.confided):
                continue
            group = next((group for group in groups if _belongs(beat, group)), None)
            if group:
                group.append(beat)
            else:
                groups.append([beat])
        threads = []
        for group in groups:
            weightiest = max(group, key=lambda beat: beat.weight)
            weight = weightiest.weight + min(len(group), 3)
            known = any(other in minded for other in weightiest.people)
            weight += MINDED * known
            weight += ANSWERED * self._is_answered(who, day, group)
            if weightiest.kind == "heard":
                weight -= self.matters.hearers(weightiest.text, day)
            is_weak = all(beat.kind == "heard" and not beat.confided for beat in group)
            is_eventful = weightiest.kind in EVENTFUL
            threads.append(DayThread(tuple(group), weight, is_eventful, is_weak and not known))
        return sorted(threads, key=lambda each: -each.weight)

    def _is_answered(self, who: str, day: date, beats: Sequence[Beat]) -> bool:
        """Return True if something told or heard had a reply that the page may quote."""
        return any(
            self._exchanges[day].replies(beat.talk, who, speaker, beat.text).lines
            for beat in beats
            if beat.talk and beat.kind in PASSED and beat.confided == (beat.kind == "heard")
            for speaker in (who if beat.kind == "told" else beat.people[0],)
        )

    def _choose_talks(self, page: Page, most: int) -> list[tuple[Beat, Excerpt]]:
        """Return up to `most` best exchanges of talks that are not told yet, each with another
        person, in the order of the day. One that another began stands on their page, and on this
        one only if it has little else.
        """
        found = [
            each
            for each in page.list_exchanges()
            if len(each[0].people) == 1 and each[1].is_long(self.run.manifest.lang)
        ]
        asked = [each for each in found if each[1].lines[0].speaker == page.who]
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
