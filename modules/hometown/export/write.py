"""Exports of a run: movement.json, simulation.md, spread.json and its newspaper, with more on
demand. No model is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from hometown.export.diary_report import write_diary
from hometown.export.linked_notes import write_notes
from hometown.export.movement import write_movement
from hometown.export.newspaper import write_gazette
from hometown.export.table_export import export_tables, has_parquet
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.spread import write_spread
from hometown.paths import USER_WORLDS
from hometown.storage.database import translate_sqlite_errors
from hometown.text import Phrase

Notify = Callable[[Phrase], None]

WRITERS = {
    "movement.json": write_movement,
    "simulation.md": write_diary,
    "spread.json": write_spread,
}

GAZETTES = ("gazette.md", "gazette.html")


def _ignore(note: Phrase) -> None:
    """Ignore a message."""


def export_run(
    results: Path,
    name: str,
    worlds: Path = USER_WORLDS,
    *,
    tables: bool = False,
    html: bool = False,
    notes: bool = False,
    notify: Notify = _ignore,
) -> list[Path]:
    """Write movement.json, the diary, spread.json and the newspaper of the run `name` to a folder
    below the results folder. A run in progress is written as of the call.

    Args:
        worlds: The folder with the run's world, for a run without a copy.
        tables: Also write tables for analysis.
        html: Also write the page as one file.
        notes: Also write linked notes in Markdown.
        notify: Receives a message for each omission.

    Returns:
        The paths of the files; of the notes, that of the first page.

    Raises:
        BadRun: There is no such run, or it cannot be read.
    """
    with RunReader.open(results, name) as run, translate_sqlite_errors(run.run.file):
        names = Names.of(run, worlds)
        last = run.last_step()
        folder = results / "compressed" / name
        written = [folder / file for file in (*WRITERS, *GAZETTES)]
        for file, write in WRITERS.items():
            write(run, names, folder / file, last)
        write_gazette(run, names, *(folder / file for file in GAZETTES))
        if notes:
            written.append(write_notes(run, names, folder / "notes", last))
        if tables:
            written += export_tables(run, folder / "tables", last)
        for note in _list_omissions(names, tables):
            notify(note)
        if html:
            from hometown.export.html import write_html

            written.append(folder / "replay.html")
            write_html(run, names, written[-1])
    return written


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
