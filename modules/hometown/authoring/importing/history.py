"""The histories that Smallville whispers to its people before a run: `agent_history_init_n25.csv`,
a name and memories parted by semicolons in each row.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hometown.authoring.importing.guess import main_language
from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourcePerson
from hometown.language import Lang
from hometown.text import N_, Phrase, ngettext
from hometown.world.faults import Faults, read_text

FILES = "*history_init*.csv"

HEADING = "name"
"""The first cell of a heading, in small letters."""

MOST = 60
"""Memories of one person at most."""

Histories = dict[str, list[str]]


def add_histories(
    folder: Path, people: Sequence[SourcePerson], faults: Faults, report: ImportReport
) -> list[SourcePerson]:
    """Return the people with up to `MOST` memories each from the files below the folder: of those
    in the people's language first, then of those that cover most people, each adds the histories
    of people who have none yet. Report what is used and what is not.
    """
    histories = {
        path: _read_histories(path, folder, faults)
        for path in sorted(folder.rglob(FILES))
        if path.is_file()
    }
    names = {person.name for person in people}
    lang = main_language(person.learned for person in people)
    whispers: Histories = {}
    for path in sorted(histories, key=lambda path: _rank(histories[path], names, lang)):
        file = path.relative_to(folder).as_posix()
        added = {
            name: texts[:MOST]
            for name, texts in histories[path].items()
            if name in names and name not in whispers
        }
        whispers |= added
        _report_histories(file, added, histories[path].keys() - names, report)
    return [replace(person, whispers=tuple(whispers.get(person.name, ()))) for person in people]


def _rank(histories: Histories, names: set[str], lang: Lang | None) -> tuple[bool, int, int]:
    """Return the rank of a file, the lowest first: in the language, of most people, at length."""
    own = [texts for name, texts in histories.items() if name in names]
    spoken = main_language(text for texts in histories.values() for text in texts)
    return spoken != lang, -len(own), -sum(map(len, own))


def _report_histories(
    file: str, added: Histories, strangers: set[str], report: ImportReport
) -> None:
    """Report how many memories a file gave, and the histories of people who are not in town; or
    that it gave none.
    """
    if not added:
        report.left.append(Phrase("{file}: another file covers more of these people", file=file))
        return
    count = sum(map(len, added.values()))
    report.came.append(
        ngettext(
            "{count} memory that {file} gives them",
            "{count} memories that {file} gives them",
            count,
            file=file,
        )
    )
    if strangers:
        text = N_("{file}: the histories of {names}, who are not among these people")
        report.left.append(Phrase(text, file=file, names=sorted(strangers)))


def _read_histories(path: Path, folder: Path, faults: Faults) -> Histories:
    """Return the memories of each person in a file, without its heading; none, with a fault, if it
    cannot be read.
    """
    text = read_text(path, path.relative_to(folder).as_posix(), faults) or ""
    try:
        rows = [row for row in csv.reader(text.splitlines(), skipinitialspace=True) if len(row) > 1]
    except csv.Error as error:
        faults.add(path.name, "", "cannot be read as CSV in UTF-8 ({reason})", reason=error)
        return {}
    return {
        row[0].strip(): [part.strip() for part in ",".join(row[1:]).split(";") if part.strip()]
        for row in rows
        if row[0].strip().lower() != HEADING
    }
