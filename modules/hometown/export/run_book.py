"""A run as a book for readers: its residents, then for each day the diary and the newspaper, in the
run's language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from uuid import NAMESPACE_URL, UUID, uuid5

from markdown_it import MarkdownIt
from markdown_it.token import Token

from hometown.export.diary_preface import Preface
from hometown.export.diary_report import DiaryReport
from hometown.export.newspaper import Papers
from hometown.frozen import frozen
from hometown.history.diary import Stay
from hometown.history.entities import OwnedMemory
from hometown.history.names import Names, recording_note
from hometown.history.reader import RunReader
from hometown.markdown import Markdown
from hometown.world.conversation import Conversation

PARSER = MarkdownIt("commonmark", {"xhtmlOut": True}).enable("table")

_ANCHOR = re.compile(r'<a id="([^"]+)">')


@frozen
class BookChapter:
    """A chapter: `tokens` are its parsed Markdown. `name` has letters, digits and hyphens, and no
    two chapters have the same.
    """

    name: str
    title: str
    tokens: list[Token]
    is_newspaper: bool = False

    @property
    def anchors(self) -> Iterator[str]:
        """The names of places in this chapter to which links lead."""
        return (str(token.attrs["id"]) for token in self.tokens if "id" in token.attrs)


class RunBook(DiaryReport):
    """The book of a run up to step `last`, without tables."""

    def __init__(self, run: RunReader, names: Names, last: int) -> None:
        super().__init__(run, names, last)
        self.preface, self.newspapers = Preface(run, names, last), Papers(run, names)
        self.title = self.texts["title"].format(world=names.world_name(run.manifest))
        first, *_, end = [*self.days, self.days[-1]]
        self.note = recording_note(run.manifest)
        self.period = " – ".join(dict.fromkeys(map(self.date, (first, end))))

    @property
    def number(self) -> UUID:
        """The number of the book, another one whenever the run goes on."""
        return uuid5(NAMESPACE_URL, f"{self.run.manifest.name}@{self.run.run.last.digest}")

    def chapters(self) -> list[BookChapter]:
        """Return all chapters in order; links that lead out of the book are text."""
        chapters = [*self._chapters()]
        known = {anchor for chapter in chapters for anchor in chapter.anchors}
        for chapter in chapters:
            _drop_links(chapter.tokens, known)
        return chapters

    def _chapters(self) -> Iterator[BookChapter]:
        residents = self.preface.residents()
        yield BookChapter("residents", str(self.say("residents")), _parse(residents))
        for day, paper in zip(self.days, self.newspapers.papers, strict=True):
            self.today, date = day, str(self.date(day))
            yield BookChapter(f"day-{day}", date, _parse(self.day(day)))
            issue = _parse(self.newspapers.issue(paper))
            yield BookChapter(f"newspaper-{day}", f"{paper['title']}, {date}", issue, True)

    def glance(
        self,
        lives: dict[str, list[Stay]],
        conversations: Sequence[Conversation],
        made: Sequence[OwnedMemory],
    ) -> Iterator[Markdown]:
        """Yield what the director has planted: a book tells a day in sentences, without a table."""
        yield from self.director_moves()

    def timetable(
        self, who: str, life: Sequence[Stay], plans: Sequence[OwnedMemory]
    ) -> Iterator[Markdown]:
        """Yield nothing, for the same reason."""
        yield from ()

    def evidence(self, thought: OwnedMemory, depth: int, listed: set[int]) -> Iterator[Markdown]:
        """Yield nothing: what a thought rests on is for those who study a run."""
        yield from ()


def _parse(lines: Iterator[Markdown]) -> list[Token]:
    """Return the tokens of a chapter: its highest heading has level 1, and anchors are attributes of
    their headings.
    """
    tokens: list[Token] = PARSER.parse("\n".join(lines))
    levels = [int(token.tag[1]) for token in tokens if token.type.startswith("heading")]
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = f"h{int(token.tag[1]) - min(levels) + 1}"
    for block, inline in pairwise(tokens):
        for child in inline.children or ():
            if child.type == "html_inline" and (found := _ANCHOR.match(child.content)):
                block.attrSet("id", found[1])
        if inline.children:
            inline.children = [each for each in inline.children if each.type != "html_inline"]
    return tokens


def _drop_links(tokens: Sequence[Token], known: set[str]) -> None:
    """Turn links to anchors that are not `known` into text."""
    for token in tokens:
        kept: list[Token] = []
        is_open = True
        for child in token.children or ():
            if child.type == "link_open":
                is_open = str(child.attrs["href"]).removeprefix("#") in known
            if is_open or not child.type.startswith("link"):
                kept.append(child)
        if token.children:
            token.children = kept
