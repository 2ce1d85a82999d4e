"""Exports of a run: movement.json, simulation.md, spread.json and its newspaper, with more on
demand. No model is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hometown.errors import explain_write_errors
from hometown.export.diary_report import write_diary
from hometown.export.linked_notes import write_notes
from hometown.export.movement import write_movement
from hometown.export.newspaper import write_gazette
from hometown.export.table_export import export_tables, has_parquet
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import write_spread
from hometown.optional_parts import explain_missing_packages
from hometown.paths import USER_WORLDS
from hometown.storage.database import translate_sqlite_errors
from hometown.text import Phrase

Notify = Callable[[Phrase], None]

Writer = Callable[[RunReader, Names, Path, int], None]
"""A function that writes the steps of a run up to a last one to a file."""

WRITERS: dict[str, Writer] = {
    "movement.json": write_movement,
    "simulation.md": write_diary,
    "spread.json": write_spread,
}

GAZETTES = ("gazette.md", "gazette.html")


def _ignore(note: Phrase) -> None:
    """Ignore a message."""


@explain_write_errors()
def export_run(
    results: Path,
    name: str,
    worlds: Path = USER_WORLDS,
    *,
    tables: bool = False,
    html: bool = False,
    notes: bool = False,
    epub: bool = False,
    pdf: bool = False,
    notify: Notify = _ignore,
) -> list[Path]:
    """Write movement.json, the diary, spread.json and the newspaper of the run `name` to a folder
    below the results folder. A run in progress is written as of the call.

    Args:
        worlds: The folder with the run's world, for a run without a copy.
        tables, html, notes, epub, pdf: Also write tables for analysis, the page as one file, linked
            notes in Markdown, a book for readers of electronic books, and this book for print.
        notify: Receives a message for each omission.

    Returns:
        The paths of the files; of the notes, that of the first page.

    Raises:
        BadRun: There is no such run, or it cannot be read.
        BadInput: Packages or fonts for a book are not installed, or a file can't be written.
    """
    books = _find_book_writers(epub=epub, pdf=pdf)
    with RunReader.open(results, name) as run, translate_sqlite_errors(run.run.file):
        last, names = run.run.hold_last(), Names.of(run, worlds)
        folder = results / "compressed" / name
        written = [folder / file for file in (*WRITERS, *GAZETTES, *books)]
        for file, write in (WRITERS | books).items():
            write(run, names, folder / file, last)
        write_gazette(run, names, *(folder / file for file in GAZETTES))
        if notes:
            written.append(write_notes(run, names, folder / "notes", last))
        if tables:
            written += export_tables(run, folder / "tables", last)
        for note in _list_omissions(names, tables):
            notify(note)
        if html:
            written.append(_write_page(run, names, folder))
    return written


def _write_page(run: RunReader, names: Names, folder: Path) -> Path:
    """Write the page as one file to a folder, and return its path."""
    from hometown.export.html import write_html  # with the whole page, which other exports need not

    write_html(run, names, folder / "replay.html")
    return folder / "replay.html"


def _find_book_writers(*, epub: bool, pdf: bool) -> dict[str, Writer]:
    """Return the functions that write the books asked for, by file. Raises BadInput where their
    packages are not installed.
    """
    writers: dict[str, Writer] = {}
    with explain_missing_packages("books"):
        if epub:
            from hometown.export.epub import write_epub

            writers["book.epub"] = write_epub
        if pdf:
            from hometown.export.pdf import write_pdf

            writers["book.pdf"] = write_pdf
    return writers


def _list_omissions(names: Names, tables: bool) -> Iterator[Phrase]:
    """Yield a message for each part that the files lack."""
    if tables and not has_parquet():
        yield Phrase(
            "tables: written as CSV only; Parquet needs the package pyarrow: pip install pyarrow"
        )
    if names.missing:
        yield Phrase(
            "{reason}: ids are used instead of names, and there are no storylines; give the folder of its world with --worlds",
            reason=names.missing,
        )
