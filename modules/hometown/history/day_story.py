"""A resident's day as their diary tells it: in the first person, by what mattered and not by the
hour.

A page has an eventful matter, what occupies the resident at present, with what they did about it,
further matters and talks that are worth quoting, each in a paragraph and all in the order of the
day, and at the end what is left open. Everything is taken from the resident's own memories, talks and
agreements, by rule; speech is quoted verbatim. The timetable is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import pairwise, permutations

from hometown.frozen import frozen
from hometown.history.day_ending import Ending
from hometown.history.day_matters import PASSED, PERSONAL, Beat, DayMatters, Kind, is_same_matter
from hometown.history.day_mind import DayMind, is_past_intention
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

Telling = Callable[[Page], Iterator[Sentence]]
"""A function that tells a paragraph on a page."""

MAX_CONVERSATIONS = 2
"""Maximum number of talks told for the sake of an exchange."""

MAX_PARAGRAPHS = 3
"""Maximum number of paragraphs before the ending."""

EVENTFUL: frozenset[Kind] = frozenset(
    {"event", "noise", "quarrel", "made_up", "waited", "missed", "gathered"}
)
"""The kinds of matters that open a page; otherwise, the resident's present concerns do."""

ANSWERED = 2
"""Additional weight of news that had a reply."""

MINDED = 3
"""Additional weight of events with a person of whom the resident thinks."""


@frozen
class DayThread:
    """A person, or a matter, with all that happened about it in a day, in order. It opens a page if
    it `is_eventful`, and `is_weak` if the resident only heard of something.
    """

    beats: tuple[Beat, ...]
    weight: int
    is_eventful: bool
    is_weak: bool


@frozen
class PagePart:
    """A paragraph to be told on a page, and the moments of the events in it, at least one."""

    moments: tuple[datetime, ...]
    tell: Telling


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
        exchanges = self.exchanges_on(day, talks)
        beats = self.matters.beats(who, day, talks)
        wording = DayWording(self.names, self.given, lang, who)
        concerns, still = self.matters.concerns(who, day), self.matters.open_concerns(who, day)
        chats = self.matters.chats(who, day)
        steps = steps_of(self.run, day, self.last)
        currently = self.run.currently(who, steps[1])
        before = self.run.currently(who, steps[0] - 1) if steps[0] > 1 else ""
        present = Present(wording, currently, before, life)
        now = self.run.moment(steps[1])
        thoughts = [
            each
            for each in self.matters.thoughts(who, day)
            if not is_past_intention(each, now, lang)
        ]

        def open_page() -> Page:
            mind = DayMind(wording, beats, present, concerns, still, thoughts, chats)
            return Page(wording, exchanges, beats, present, mind)

        minded = {other for concern in concerns for other in concern.about}
        parts = self._choose_parts(open_page(), who, day, minded)
        page = open_page()
        paragraphs = [*filter(None, (list(part.tell(page)) for part in parts))]
        nth = (day - self.run.manifest.start.date()).days
        promises = self.matters.promises(who, steps[1])
        is_quiet = len(paragraphs) < MAX_PARAGRAPHS - 1
        ending = list(Ending(page, day, life).tell(promises, nth, is_quiet=is_quiet))
        return [*paragraphs, ending] if ending else paragraphs

    def exchanges_on(self, day: date, talks: Sequence[Conversation]) -> Exchanges:
        """Return the talks of a day, `talks`, as a source of quotations."""
        if day not in self._exchanges:
            lang = self.run.manifest.lang
            earlier = conversations_on(self.run, day - timedelta(days=1), self.last)
            self._exchanges[day] = Exchanges(talks, self.given, lang, earlier)
        return self._exchanges[day]

    def _choose_parts(
        self, draft: Page, who: str, day: date, minded: Collection[str]
    ) -> list[PagePart]:
        """Return the parts of a day's page in the order of the day, chosen by telling them on a
        draft: what is eventful, the present concerns, and further matters.
        """
        joined = [beat.text for beat in draft.beats if beat.kind == "gathered"]
        told = [
            beat
            for beat in draft.beats
            if beat.kind == "told" and not self.matters.are_of_one_story(beat.text, joined)
        ]
        own = [beat for beat in told if draft.present.is_about(beat.text)]
        own.sort(key=lambda beat: not self._is_answered(who, day, [beat]))
        own = [beat for beat in own if is_same_matter(beat.text, own[0].text)]
        answered = own if own and self._is_answered(who, day, own[:1]) else []
        others = [beat for beat in draft.beats if beat not in answered]
        threads = self._find_threads(who, day, others, minded)
        leads = [each for each in threads if each.is_eventful][:1]
        is_new = bool(draft.present.sentences)
        if not leads and not is_new:
            leads = [each for each in threads if each.beats[0].kind in PASSED and not each.is_weak]
        parts = _drafted(draft, [_tell_thread(each.beats, leads=True) for each in leads[:1]], 1)
        opening = (
            [] if answered or draft.present.still else _drafted(draft, [Page.tell_concerns], 1)
        )
        present = _drafted(draft, [lambda page: page.tell_present(answered)], 1)
        threads = [each for each in threads if each not in leads[:1]]
        room = MAX_PARAGRAPHS - len(parts) - len(present)
        further = self._go_on(draft, threads, room)
        if not parts and (is_new or answered):
            return [*opening, *present, *_put_in_order(further)]
        return [*opening, *_put_in_order([*parts, *present, *further])]

    def _go_on(self, draft: Page, threads: Sequence[DayThread], room: int) -> list[PagePart]:
        """Return the parts about further matters, then about talks. What was only heard comes last,
        with the answer, which otherwise stands on the teller's page.
        """
        strong = [each.beats for each in threads if not each.is_weak][:room]
        further = _drafted(draft, [_tell_thread(beats, leads=False) for beats in strong], 2)
        most = min(MAX_CONVERSATIONS, room - len(further))
        further += _drafted(draft, map(_tell_talk, self._choose_talks(draft, most)), 1)
        weak = [each.beats for each in threads if each.is_weak]
        answered = [[replace(beat, confided=True) for beat in beats] for beats in weak]
        heard = [_tell_thread(beats, leads=False) for beats in answered[: room - len(further)]]
        return [*further, *_drafted(draft, heard, 2)]

    def _find_threads(
        self, who: str, day: date, beats: Sequence[Beat], minded: Collection[str]
    ) -> list[DayThread]:
        """Return what happened by person and matter, the weightiest first, without news of others,
        news of a gathering that was on that day, and what was told without a reply. Those whom the
        resident has in mind, `minded`, weigh more, and what many hear that day less.
        """
        groups: list[list[Beat]] = []
        joined = [beat.text for beat in beats if beat.kind == "gathered"]
        for beat in beats:
            if beat.kind == "talked" or (beat.second_hand and not beat.confided):
                continue
            if beat.kind == "sought" and _have_met(beat, beats):
                continue
            if beat.kind in PASSED and self.matters.are_of_one_story(beat.text, joined):
                continue
            group = next((group for group in groups if _belongs(beat, group)), None)
            if group:
                group.append(beat)
            else:
                groups.append([beat])
        threads = []
        for group in groups:
            answered = self._is_answered(who, day, group)
            if not answered and all(beat.kind == "told" and not beat.confided for beat in group):
                continue
            weightiest = max(group, key=lambda beat: beat.weight)
            weight = weightiest.weight + min(len(group), 3)
            known = any(other in minded for other in weightiest.people)
            weight += MINDED * known
            weight += ANSWERED * answered
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
            if beat.talk and beat.kind in PASSED and (beat.confided or beat.kind == "told")
            for speaker in (who if beat.kind == "told" else beat.people[0],)
        )

    def _choose_talks(self, page: Page, most: int) -> list[tuple[Beat, Excerpt]]:
        """Return up to `most` best exchanges of talks that are not told yet, each with another
        person: those that the resident began, or else one in which they answered, which otherwise
        stands in the diary of the asker.
        """
        found = [
            each
            for each in page.list_exchanges()
            if len(each[0].people) == 1 and each[1].is_long(self.run.manifest.lang)
        ]
        found.sort(key=lambda each: -each[1].worth - each[0].weight / 2)
        chosen: dict[tuple[str, ...], tuple[Beat, Excerpt]] = {}
        for beat, exchange in found:
            if exchange.lines[0].speaker == page.who:
                chosen.setdefault(beat.people, (beat, exchange))
        answered = (each for each in found if page.who in [one.speaker for one in each[1].lines])
        return list(chosen.values())[:most] or list(answered)[: min(most, 1)]


def _tell_thread(beats: Sequence[Beat], *, leads: bool) -> Telling:
    return lambda page: page.tell(beats, leads=leads)


def _tell_talk(talk: tuple[Beat, Excerpt]) -> Telling:
    return lambda page: page.converse(*talk)


def _drafted(draft: Page, tellings: Iterable[Telling], least: int) -> list[PagePart]:
    """Return the parts that have at least so many sentences when they are told on a draft."""
    parts = []
    for telling in tellings:
        sentences = list(telling(draft))
        if len(sentences) >= least:
            moments = [each.moment for each in sentences]
            dated = [each for each in moments if each > draft.present.begins]
            parts.append(PagePart(tuple(dated or moments), telling))
    return parts


def _put_in_order(parts: Sequence[PagePart]) -> Sequence[PagePart]:
    """Return parts in the order that goes back in time least often, the earliest first."""

    def rank(order: Sequence[PagePart]) -> tuple[int, list[datetime]]:
        told = pairwise(moment for part in order for moment in part.moments)
        return sum(later < earlier for earlier, later in told), [each.moments[0] for each in order]

    return min(permutations(parts), key=rank)


def _have_met(search: Beat, beats: Sequence[Beat]) -> bool:
    """Return True if the resident talked that day with one of the people for whom they looked."""
    return any(
        beat.kind == "talked" and not set(search.people).isdisjoint(beat.people) for beat in beats
    )


def _belongs(beat: Beat, group: Sequence[Beat]) -> bool:
    """Return True if a matter belongs to the one before it: it happened with the same person, or
    the same was told or heard.
    """
    first = group[0]
    if beat.kind in PERSONAL and first.kind in PERSONAL and beat.people[:1] == first.people[:1]:
        return True
    return beat.kind in PASSED and any(
        other.kind in PASSED and is_same_matter(beat.text, other.text) for other in group
    )
