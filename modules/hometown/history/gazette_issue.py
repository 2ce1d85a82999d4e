"""One day's issue of the town's newspaper: its day, its words, and the form of its articles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import cast

from hometown.clock import DAY, at_minute
from hometown.history import shapes
from hometown.history.archive import Archive
from hometown.history.diary import conversations_on, steps_of
from hometown.history.gazette_wording import GAZETTE_TEXTS
from hometown.history.names import join_names
from hometown.history.playback import HappeningSpan, happening_spans, happenings
from hometown.history.quotes import best_line
from hometown.history.spread import Topic
from hometown.language import Lang
from hometown.text import translate_all
from hometown.world.conversation import Conversation, Line
from hometown.world.world import Storyline

NAMED = 5
"""Maximum number of residents named in an enumeration."""


class Issue:
    """One day's issue, in a language."""

    def __init__(self, archive: Archive, lang: Lang, day: date) -> None:
        self.archive, self.run, self.names = archive, archive.run, archive.names
        self.lang = lang
        self.own_names = self.names.translate(lang)
        self.words = translate_all(GAZETTE_TEXTS, lang)
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
    def spans(self) -> list[HappeningSpan]:
        """All happenings of the run."""
        return happening_spans(self.run)

    @property
    def between(self) -> str:
        """Return what stands between two sentences."""
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
        None for none.
        """
        line = best_line(lines, topic, self.archive.is_secret, sentences=sentences, point=point)
        return {"speaker": line.speaker, "text": line.text} if line else None

    def article(
        self,
        kind: str,
        who: list[str],
        tick: int,
        address: str,
        talk: Conversation | None = None,
        *,
        quote: shapes.Quote | None = None,
        **parts: str,
    ) -> shapes.Article:
        """Return an article of a kind, with `parts` such as text; headline and deck begin with a
        capital letter.
        """
        content = {
            "kind": kind,
            "who": who,
            "tick": tick,
            "address": address,
            "conversation": talk.id if talk else "",
            "deck": "",
            "quote": quote,
        }
        headed = {
            key: parts[key][:1].upper() + parts[key][1:]
            for key in ("headline", "deck")
            if key in parts
        }
        return cast("shapes.Article", content | parts | headed)
