"""One day's issue of the town's newspaper: its day, its words, and the form of its articles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import cast

from hometown.clock import DAY, HOUR_WORDS, at_minute
from hometown.history import shapes
from hometown.history.archive import Archive
from hometown.history.day_matters import TownDay
from hometown.history.diary import conversations_on, steps_of
from hometown.history.exchanges import Excerpt, Exchanges
from hometown.history.familiar import Mentions
from hometown.history.gazette_wording import GAZETTE_TEXTS
from hometown.history.names import join_names
from hometown.history.playback import HappeningSpan, happening_spans, happenings
from hometown.history.quotes import best_line
from hometown.history.spoken_time import SpokenTime
from hometown.history.spread import Learning, Topic
from hometown.language import Lang
from hometown.text import capital, translate_all
from hometown.world.conversation import Conversation, Line
from hometown.world.world import Storyline

_COLON = {"en": ": ", "zh": "："}
"""The mark between an occasion and a part of it."""

NAMED = 5
"""Maximum number of residents named in an enumeration."""


class Issue:
    """One day's issue, in a language."""

    def __init__(self, archive: Archive, lang: Lang, day: date) -> None:
        self.archive, self.run, self.names = archive, archive.run, archive.names
        self.lang = lang
        self.own_names = self.names.translate(lang)
        self.words = translate_all(GAZETTE_TEXTS, lang)
        self.time = SpokenTime(lang)
        self.day = day
        self.first, self.last = steps_of(self.run, day, self.run.last_step())
        self.begin, self.end = (self.run.tick(at_minute(day, minute)) for minute in (0, DAY))
        self.talks = conversations_on(self.run, day, self.last)
        self.happenings = [
            event
            for event in happenings(self.run, self.first, self.last)
            if self.is_today(event["tick"])
        ]

    @cached_property
    def exchanges(self) -> Exchanges:
        """The day's conversations as a source of quotations."""
        return self.archive.day_stories.exchanges_on(self.day, self.talks)

    @cached_property
    def passed_on(self) -> TownDay:
        """The news and confidences that residents passed on that day."""
        return self.archive.day_stories.matters.passed_on(self.day, self.talks)

    @cached_property
    def weights(self) -> dict[str, int]:
        """The weights of the run's conversations, by their ids."""
        talks = (each for each in self.archive.moments if each["kind"] == "conversation")
        return {each["conversation"]: each["weight"] for each in talks}

    @cached_property
    def public(self) -> list[tuple[Storyline, list[Learning]]]:
        """The public storylines as they stand at the end of the day, each with the residents who
        learned of it.
        """
        now = {story.id: story for story in self.names.storylines_at(self.run, self.last)}
        return [(now[story.id], learned) for story, learned in self.archive.public]

    @cached_property
    def spans(self) -> list[HappeningSpan]:
        """All happenings of the run."""
        return happening_spans(self.run)

    @property
    def between(self) -> str:
        """Return the separator of two sentences."""
        return "" if self.lang == "zh" else " "

    def say(self, key: str, /, **values: object) -> str:
        """Return the text of a key in the paper's language, with its values."""
        return self.words[key].format(**values)

    def place(self, address: str) -> str:
        """Return the name of a place in the paper's language."""
        return self.own_names.place(address)

    def title(self, story: Storyline) -> str:
        """Return the title of a storyline in the paper's language."""
        titles = {other.id: other.title for other in self.own_names.storylines}
        return titles.get(story.id, story.title)

    def people(self, ids: Sequence[str]) -> str:
        """Join names into an enumeration in the paper's language; of many, the first, and the
        number of others.
        """
        return join_names([self.names.person(who) for who in ids], self.words, NAMED)

    def count(self, number: int) -> str:
        """Return a number as a newspaper prints it: in English, a small one as a word."""
        is_word = self.lang == "en" and 0 < number <= len(HOUR_WORDS)
        return HOUR_WORDS[number - 1] if is_word else str(number)

    def part_of_occasion(self, activity: str) -> str:
        """Return the part that a resident takes in an occasion, which their activity names before a
        colon; "" if the activity names no occasion.
        """
        occasion, mark, part = re.sub("[^\\w)）]+$", "", activity).partition(
            _COLON[self.run.manifest.lang]
        )
        return part if occasion and mark else ""

    def is_printable(self, moment: shapes.Highlight) -> bool:
        """Return True if a moment is of today, does not call itself a secret, and is about no
        storyline, which belongs to the news.
        """
        if not self.is_today(moment["tick"]) or self.archive.is_called_secret(moment["text"]):
            return False
        return not any(story.is_mentioned_in(moment["text"]) for story in self.archive.stories)

    def is_today(self, tick: int) -> bool:
        """Return True if a tick lies in the day of the issue."""
        return self.begin <= tick < self.end

    def quote(
        self,
        lines: Iterable[Line],
        topic: Topic | None = None,
        sentences: int = 4,
        point: str = "",
    ) -> shapes.Quote | None:
        """Return the best line of up to `sentences` sentences, without secrets, with its speaker;
        None if there is none.
        """
        line = best_line(lines, topic, self.archive.is_secret, sentences=sentences, point=point)
        return {"speaker": line.speaker, "text": line.text} if line else None

    def find_scene(self, talk: Conversation) -> Excerpt | None:
        """Return the exchange of a talk that is worth quoting most, without secrets; None for
        none.
        """
        found = [self.exchanges.best(talk, who) for who in talk.people]
        return max(
            (
                each
                for each in found
                if each and not any(self.archive.is_secret(line.text) for line in each.lines)
            ),
            key=lambda each: each.worth,
            default=None,
        )

    def quote_telling(self, talk: Conversation, teller: str, matter: str) -> list[shapes.Quote]:
        """Return the words in which a matter was told in a talk, and how it was taken up; nothing
        if they do not stand alone, or if one of the lines is a secret.
        """
        line = self.exchanges.find_telling(talk, teller, teller, matter)
        replies = self.exchanges.replies(talk, teller, teller, matter)
        if not line and len(replies.lines) < 2:
            return []
        told: list[shapes.Quote] = [{"speaker": teller, "text": line}] if line else []
        quotes = told + self.quote_lines(replies.lines)
        is_secret = any(self.archive.is_secret(each["text"]) for each in quotes)
        return [] if is_secret else quotes

    def quote_scenes(self, talks: Iterable[Conversation], most: int) -> list[shapes.Quote]:
        """Return the lines of the best exchanges of some talks, of up to `most` talks."""
        scenes = sorted(filter(None, map(self.find_scene, talks)), key=lambda each: -each.worth)
        return [quote for scene in scenes[:most] for quote in self.quote_lines(scene.lines)]

    def quote_lines(self, lines: Iterable[Line]) -> list[shapes.Quote]:
        """Return lines as quotations."""
        return [{"speaker": line.speaker, "text": line.text} for line in lines]

    def article(
        self,
        kind: str,
        who: list[str],
        tick: int,
        address: str,
        talk: Conversation | None = None,
        *,
        quotes: Sequence[shapes.Quote] = (),
        **parts: str,
    ) -> shapes.Article:
        """Return an article of a kind, with `parts` such as text, which name residents in full
        once; headline and deck begin with a capital letter.
        """
        mentions = Mentions(self.archive.day_stories.given)
        content = {
            "kind": kind,
            "who": who,
            "tick": tick,
            "address": address,
            "conversation": talk.id if talk else "",
            "deck": "",
            "quotes": list(quotes),
        }
        for key in ("headline", "deck", "text"):
            if key in parts:
                parts[key] = mentions.shorten(parts[key])
        for key in ("headline", "deck"):
            if key in parts:
                parts[key] = capital(parts[key])
        return cast("shapes.Article", content | parts)
