"""The town's newspaper, a front page for each day, in the run's language: `gazette.md` for reading,
`gazette.html` for printing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path

from hometown.clock import TICK_SECONDS
from hometown.export.diary_wording import Wording
from hometown.files import atomic_write
from hometown.history import shapes
from hometown.history.archive import Archive
from hometown.history.gazette import gazette
from hometown.history.gazette_wording import GAZETTE_TEXTS
from hometown.history.names import Names, recording_note
from hometown.history.reader import RunReader
from hometown.markdown import Markdown, heading, literal, quote
from hometown.page.assets import styles_of
from hometown.page.templates import fill_template
from hometown.text import translate_all


def write_gazette(run: RunReader, names: Names, *paths: Path) -> None:
    """Write the papers of all days to each path: as HTML if it has that suffix, else as
    Markdown.
    """
    papers = Papers(run, names)
    for path in paths:
        is_html = path.suffix == ".html"
        text = papers.html() if is_html else "".join(f"{line}\n" for line in papers.lines())
        with atomic_write(path) as file:
            file.write(text.encode())


class Papers(Wording):
    """The papers of a run's days."""

    def __init__(self, run: RunReader, names: Names) -> None:
        super().__init__(run, names, run.last_step())
        self.words = translate_all(GAZETTE_TEXTS, run.manifest.lang)
        archive = Archive(run, names)
        self.papers = [gazette(archive, run.manifest.lang, day) for day in self.days]

    def html(self) -> str:
        """Return all papers as one HTML document, with a printed page for each."""
        return fill_template(
            "gazette.html",
            lang=self.run.manifest.lang,
            title=self.papers[0]["title"],
            style=styles_of("base", "gazette"),
            papers=self.papers,
            words=self.words,
            names=self.names,
            run=self.run.manifest.name,
            recording=recording_note(self.run.manifest),
            date=lambda day: self.date(date.fromisoformat(day)),
            when=self.moment,
        )

    def moment(self, tick: int) -> str:
        """Return the time of a tick, with the date where it is not today's."""
        return self.when(self.run.manifest.start + timedelta(seconds=tick * TICK_SECONDS))

    def lines(self) -> Iterator[Markdown]:
        """Yield all papers as Markdown."""
        for paper in self.papers:
            yield from self.issue(paper)
        if note := recording_note(self.run.manifest):
            yield from (quote(1, note), Markdown())
        yield self.word("imprint", run=self.run.manifest.name)

    def issue(self, paper: shapes.Gazette) -> Iterator[Markdown]:
        """Yield the paper of a day as Markdown."""
        day = self.date(date.fromisoformat(paper["day"]))
        issue = Markdown("{} · {}").format(day, self.word("issue", number=paper["number"]))
        yield from (heading(1, paper["title"]), Markdown(), issue, Markdown())
        for article in paper["articles"]:
            yield from self.article(article)
        if not paper["articles"]:
            yield from (self.word("quiet"), Markdown())
        yield from self.column("notices", [self.notice(notice) for notice in paper["notices"]])
        yield from self.column("coming", [self.notice(notice) for notice in paper["coming"]])
        yield from self.column("threads", [self.notice(notice) for notice in paper["threads"]])
        yield from self.column("market", paper["market"])
        yield from self.column(
            "thoughts",
            [self.sign(article["text"], article["headline"]) for article in paper["thoughts"]],
        )
        yield from self.column("figures", paper["figures"])

    def word(self, key: str, **values: object) -> Markdown:
        """Return a text of the newspaper, with its values as text nodes."""
        return Markdown(self.words[key]).format(**values)

    def sign(self, text: str, author: str) -> str:
        """Return a text with whose it is."""
        return f"{text}{'——' if self.run.manifest.lang == 'zh' else ' — '}{author}"

    def article(self, article: shapes.Article) -> Iterator[Markdown]:
        """Yield an article: headline, deck, text and quotation, the last two if it has them."""
        yield from (
            heading(2, article["headline"]),
            Markdown(),
            Markdown("*{}*").format(article["deck"]),
            Markdown(),
        )
        if article["text"]:
            yield from (literal(article["text"]), Markdown())
        for number, said in enumerate(article["quotes"]):
            if number:
                yield quote(1, "")
            yield quote(1, self.sign(said["text"], self.names.person(said["speaker"])))
        if article["quotes"]:
            yield Markdown()

    def notice(self, notice: shapes.NoticeView) -> Markdown:
        """Return a notice with its time, and with its place if it has one."""
        place = self.names.place(notice["address"])
        form = "{}（{}）" if self.run.manifest.lang == "zh" else "{} ({})"
        text = form.format(notice["text"], place) if place else notice["text"]
        return Markdown("**{}** {}").format(self.moment(notice["tick"]), text)

    def column(self, key: str, items: Sequence[str]) -> Iterator[Markdown]:
        """Yield a column with its heading and items; nothing without items."""
        if items:
            listed = (Markdown("- {}").format(item) for item in items)
            yield from (heading(3, self.word(f"section_{key}")), Markdown(), *listed, Markdown())
