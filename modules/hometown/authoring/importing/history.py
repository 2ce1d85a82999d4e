"""The histories that Smallville whispers to its people before a run: `agent_history_init_n25.csv`,
a name and memories parted by semicolons in each row.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hometown.authoring.importing.import_report import ImportReport
from hometown.authoring.importing.site import SourcePerson
from hometown.text import Phrase, ngettext
from hometown.world.faults import Faults, read_text

FILES = "agent_history_init*.csv"

MOST = 60
"""Memories of one person at most."""


def add_histories(
    folder: Path, people: Sequence[SourcePerson], faults: Faults, report: ImportReport
) -> list[SourcePerson]:
    """Return the people with up to `MOST` memories each from the file below the folder that covers
    most of them, and report what is used and what is not.
    """
    names = {person.name for person in people}
    histories = {path: _histories(path, folder, faults) for path in sorted(folder.rglob(FILES))}
    best = max(histories, key=lambda path: len(names & histories[path].keys()), default=None)
    for path in histories:
        if path != best:
            report.left.append(
                Phrase("{file}: another file covers more of these people", file=path.name)
            )
    if best is None:
        return list(people)
    for name in sorted(histories[best].keys() - names):
        report.left.append(
            Phrase(
                "{file}: the history of {name}, who is not among these people",
                file=best.name,
                name=name,
            )
        )
    completed = [
        replace(person, whispers=tuple(histories[best].get(person.name, ())[:MOST]))
        for person in people
    ]
    report.came.append(
        ngettext(
            "{count} memory that {file} gives them",
            "{count} memories that {file} gives them",
            sum(len(person.whispers) for person in completed),
            file=best.name,
        )
    )
    return completed


def _histories(path: Path, folder: Path, faults: Faults) -> dict[str, list[str]]:
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
        for row in rows[1:]
    }
