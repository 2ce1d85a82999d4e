"""A run as a folder of notes for writers: Markdown files about its residents, places, days and
conversations, which link to each other, in the run's language. Any program for linked notes reads
them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from os.path import relpath
from pathlib import Path
from typing import Literal

from hometown.clock import format_time
from hometown.export.diary_preface import Preface
from hometown.export.diary_report import DiaryReport
from hometown.files import atomic_write
from hometown.history.diary import conversations_on, memories_on
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.markdown import Markdown, heading, join_nodes, literal
from hometown.progress_bar import progress
from hometown.text import printable
from hometown.world.conversation import Conversation
from hometown.world.world import sector_of

Kind = Literal["residents", "places", "days", "conversations"]

LONGEST_NAME = 60
"""The largest number of characters of a file's name, before its suffix."""

_UNSUITABLE = re.compile(r'[\\/:*?"<>|#^%&\[\]\s]+')
"""Characters that some system refuses in names of files, or that mean something in a link."""


def write_notes(run: RunReader, names: Names, folder: Path, last: int) -> Path:
    """Write the notes of steps 1 to `last` to a folder, and return the path of the first page. Notes
    of an earlier export are written anew; other files in the folder stay.
    """
    notes = LinkedNotes(run, names, last)
    pages = [(notes.first_page, notes.contents()), *notes.pages()]
    for path, lines in progress(pages, folder.name, "note", len(pages)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(folder / path) as file:
            for line in lines:
                file.write(line.encode() + b"\n")
    return folder / notes.first_page


class LinkedNotes(DiaryReport):
    """The notes of a run: the lines of each page, and the path of each within their folder."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        super().__init__(run, names, last)
        self.today = None
        self.talks = run.conversations(1, last)
        self._preface = Preface(run, names, last)
        self._folder = Path()
        self._taken: set[str] = set()
        self._paths: dict[tuple[Kind, str], Path] = {}
        self.first_page = self._new_path(Path(), names.world_name(run.manifest))
        homes = (persona.home for who in run.residents if (persona := names.persona(who)))
        addresses = [*homes, *(talk.address for talk in self.talks)]
        self.sectors = sorted({*map(sector_of, addresses)}, key=names.building)
        self._name("residents", {who: names.person(who) for who in run.residents})
        self._name("places", {sector: names.building(sector) for sector in self.sectors})
        self._name("days", {day.isoformat(): day.isoformat() for day in self.days})
        self._name("conversations", {talk.id: self._title(talk) for talk in self.talks})

    def _title(self, talk: Conversation) -> str:
        people = ", ".join(map(self.names.person, talk.people))
        return f"{talk.started:%Y-%m-%d %H.%M} {people}"

    def _name(self, kind: Kind, titles: dict[str, str]) -> None:
        """Give a path to each page of a kind, by its title."""
        folder = Path(_file_name(self.texts[kind]))
        for number, title in titles.items():
            self._paths[kind, number] = self._new_path(folder, title)

    def _new_path(self, folder: Path, title: str) -> Path:
        """Return a path that no other page has, on systems that ignore case, too."""
        stem, number = _file_name(title), 1
        path = folder / f"{stem}.md"
        while str(path).casefold() in self._taken:
            number += 1
            path = folder / f"{stem} {number}.md"
        self._taken.add(str(path).casefold())
        return path

    def pages(self) -> Iterator[tuple[Path, Iterator[Markdown]]]:
        """Yield path and lines of each page but the first."""
        for who in self.run.residents:
            yield self._paths["residents", who], self.resident(who)
        for sector in self.sectors:
            yield self._paths["places", sector], self.place(sector)
        for day in self.days:
            yield self._paths["days", day.isoformat()], self.day(day)
        for talk in self.talks:
            yield self._paths["conversations", talk.id], self.conversation_page(talk)

    # links --------------------------------------------------------------------------------

    def link_to(self, kind: Kind, number: str, text: str) -> Markdown:
        """Return a text as a link from the present page to another; without a link if there is no
        such page.
        """
        path = self._paths.get((kind, number))
        if path is None:
            return literal(text)
        target = relpath(path, self._folder).replace("\\", "/")
        return Markdown(f"[{literal(text)}](<{target}>)")

    def link_conversation(self, text: str, conversation: str) -> Markdown:
        """Return a text as a link to the page of a conversation."""
        return self.link_to("conversations", conversation, text)

    def link_person(self, who: str) -> Markdown:
        """Return a resident's name as a link to their page."""
        return self.link_to("residents", who, self.names.person(who))

    def link_place(self, address: str) -> Markdown:
        """Return the name of a place as a link to the page of its building."""
        return self.link_to("places", sector_of(address), self.names.place(address))

    def link_day(self, day: date) -> Markdown:
        """Return a date as a link to its page."""
        return self.link_to("days", day.isoformat(), self.date(day))

    # pages --------------------------------------------------------------------------------

    def contents(self) -> Iterator[Markdown]:
        """Yield the first page: the facts of the run, and all residents, days and places."""
        self._folder = Path()
        yield from self._preface.title()
        yield from self._list("residents", map(self.link_person, self.run.residents))
        yield from self._list("days", map(self.link_day, self.days))
        links = (self.link_to("places", each, self.names.building(each)) for each in self.sectors)
        yield from self._list("places", links)

    def resident(self, who: str) -> Iterator[Markdown]:
        """Yield a resident's page: persona, partners of conversations, conversations, days, thoughts."""
        self._folder = self._paths["residents", who].parent
        yield from (heading(1, self.names.person(who)), Markdown())
        yield from self._preface.resident(who)
        talks = [talk for talk in self.talks if who in talk.people]
        met = Counter(other for talk in talks for other in talk.others(who))
        links = (
            Markdown("{} ×{}").format(self.link_person(other), count)
            for other, count in met.most_common()
        )
        yield from self._list("column_conversations", links)
        yield from self._list("conversations", map(self._talk_item, talks))
        yield from self._list("days", map(self.link_day, self.days))
        yield from self.thoughts(self.run.memories(1, self.last, ("thought",), who), 2)

    def place(self, sector: str) -> Iterator[Markdown]:
        """Yield the page of a building: those who live there, and conversations held there."""
        self._folder = self._paths["places", sector].parent
        yield from (heading(1, self.names.building(sector)), Markdown())
        at_home = (
            self.link_person(who)
            for who in self.run.residents
            if (persona := self.names.persona(who)) and sector_of(persona.home) == sector
        )
        yield from self._list("residents", at_home)
        talks = (talk for talk in self.talks if sector_of(talk.address) == sector)
        yield from self._list("conversations", map(self._talk_item, talks))

    def day(self, day: date) -> Iterator[Markdown]:
        """Yield the page of a day: an overview, each resident's story, and the conversations."""
        self._folder, self.today = self._paths["days", day.isoformat()].parent, day
        talks = conversations_on(self.run, day, self.last)
        lives = self.lives(day, talks)
        yield from (heading(1, self.date(day)), Markdown())
        at = self.days.index(day)
        beside = [
            Markdown("{} {}").format(mark, self.link_day(self.days[other]))
            for mark, other in (("←", at - 1), ("→", at + 1))
            if 0 <= other < len(self.days)
        ]
        if beside:
            yield from (join_nodes(" · ", beside), Markdown())
        yield from self.glance(lives, talks, memories_on(self.run, day, self.last, ("thought",)))
        for who, life in lives.items():
            yield from (heading(2, self.link_person(who)), Markdown())
            yield from self.story(who, day, life, talks)
        yield from self._list("conversations", map(self._talk_item, talks))
        self.today = None

    def conversation_page(self, talk: Conversation) -> Iterator[Markdown]:
        """Yield the page of a conversation: day, place and people, then its lines and its summary."""
        self._folder = self._paths["conversations", talk.id].parent
        people = self.names.people(talk.people)
        yield from (heading(1, f"{format_time(talk.started)} · {people}"), Markdown())
        links = [self.link_day(talk.started.date()), self.link_place(talk.address)]
        yield join_nodes(" · ", [*links, *map(self.link_person, talk.people)])
        yield Markdown()
        yield from self.conversation(talk)

    def _talk_item(self, talk: Conversation) -> Markdown:
        """Return a link to a conversation: time, people and place."""
        head = Markdown("{} · {}").format(self.when(talk.started), self.head_of(talk))
        return self.link_conversation(head, talk.id)

    def _list(self, key: str, items: Iterable[Markdown]) -> Iterator[Markdown]:
        """Yield a heading and a list; nothing without items."""
        lines = [Markdown("- {}").format(item) for item in items]
        if lines:
            yield from (heading(2, self.say(key)), Markdown(), *lines, Markdown())


def _file_name(title: str) -> str:
    """Return a title as the name of a file, without characters that some system refuses.

    >>> _file_name("Ana/Bo: what?"), _file_name("..")
    ('Ana Bo what', '_')
    """
    return _UNSUITABLE.sub(" ", printable(title))[:LONGEST_NAME].strip(" .") or "_"
