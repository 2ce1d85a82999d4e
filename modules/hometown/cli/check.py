"""The work of `hometown check` and `hometown repair`: the intact part of a damaged run, and a new
run made of it.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

from hometown.cli.declare import Program
from hometown.cli.options import Folders
from hometown.cli.signals import run_stoppable
from hometown.cli.suggest import suggest
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.errors import BadInput, reason_of
from hometown.model.llm import Embedder
from hometown.repair import UNOPENABLE, Soundness, examine_run, readable_copy, rescue
from hometown.session import same_embedder
from hometown.storage.database import refuse_open_wal
from hometown.storage.run import RunFile
from hometown.storage.run_names import existing_file, refuse_taken
from hometown.storage.salvage import UNREADABLE, connect_leniently, page_faults
from hometown.storage.side_files import refuse_links
from hometown.text import Phrase, localize

UNSOUND = 1

REPAIRED = "-repaired"

SHOWN = 5
"""The maximum number of steps that are named one by one."""


def check_run(name: str, folders: Folders, program: Program, text: Text) -> int:
    """Print how much of a run is intact, and return 0 if all of it is, else 1.

    Raises:
        BadRun: There is no such run.
    """
    file = existing_file(folders.results, name)
    refuse_links(file, write=False)
    refuse_open_wal(file)
    faults: tuple[str, ...] = ()
    try:
        with RunFile.open(folders.results, name) as run:
            soundness = examine_run(run)
    except UNREADABLE as error:
        print(text("check_unreadable", name=name, error=reason_of(error)))
        soundness, faults = UNOPENABLE, (reason_of(error),)
    if not soundness.sound:
        with closing(connect_leniently(file)) as database:
            pages = tuple(page_faults(database)) or faults
        with readable_copy(file) as run:
            rest = examine_run(run)
        soundness = replace(
            rest, pages=pages, steps=max(soundness.steps, rest.steps), inbox=soundness.inbox
        )
    for line in _findings(soundness, text):
        print(line)
    if soundness.sound:
        print(text("check_sound", name=name, step=soundness.folds))
        return 0
    print(
        text(
            "check_unsound",
            name=name,
            step=soundness.folds,
            command=suggest(program, folders, "repair", name=name),
        )
    )
    return UNSOUND


def _findings(soundness: Soundness, text: Text) -> list[str]:
    """Return a line for each part that was examined."""
    lines = [
        text(
            "check_pages_bad",
            faults="; ".join(localize(fault, text.lang) for fault in soundness.pages),
        )
        if soundness.pages
        else text("check_pages")
    ]
    lines.append(text("check_digests", step=soundness.digests, steps=soundness.steps))
    lines.append(
        text("check_folds", step=soundness.folds, steps=soundness.steps)
        + (text("check_differs", what=soundness.difference) if soundness.difference else "")
    )
    if soundness.calls:
        lines.append(text("check_calls", count=len(soundness.calls), first=soundness.calls[0]))
    if soundness.vectors:
        lines.append(text("check_vectors", count=soundness.vectors))
    lines += _checksums(soundness, text)
    if not soundness.world:
        lines.append(text("check_world"))
    if soundness.inbox:
        lines.append(text("check_inbox", fault=soundness.inbox))
    lines.append(text("check_journal", count=soundness.journal, step=soundness.folds + 1))
    return lines


def _checksums(soundness: Soundness, text: Text) -> list[str]:
    found = soundness.checksums
    altered = [
        *(Phrase("step {step}", step=step) for step in found.steps[:SHOWN]),
        *(
            Phrase("{count} rows of {table}", count=count, table=table)
            for table, count in found.rows
        ),
    ]
    if len(found.steps) > SHOWN:
        altered.append(Phrase("{count} steps in all", count=len(found.steps)))
    lines = [text("check_checksums_bad", altered=altered) if altered else text("check_checksums")]
    if found.without:
        lines.append(text("check_without_checksum", count=found.without))
    if soundness.lost is not None:
        lines.append(text("check_lost", step=soundness.lost))
    return lines


def repair_run(
    name: str,
    new: str | None,
    folders: Folders,
    layers: list[Layer],
    program: Program,
    text: Text,
) -> int:
    """Create a new run from the intact part of a damaged one, and print how to continue it.

    Raises:
        BadRun: No part is intact, or the new name is taken.
    """
    new = new or name + REPAIRED
    refuse_taken(folders.results, new)
    file = existing_file(folders.results, name)
    refuse_links(file, write=False)
    with readable_copy(file) as run:
        done = run_stoppable(rescue(run, folders.results, new, _embedder(run, layers)))
    print(
        text(
            "repaired",
            name=name,
            new=new,
            step=done.last,
            steps=done.steps if done.steps >= 0 else "?",
        )
    )
    if done.calls:
        print(text("repaired_calls", count=done.calls))
    if done.vectors:
        print(text("repaired_vectors", count=done.vectors))
    print(text("to_continue", command=suggest(program, folders, "resume", name=new)))
    return 0


def _embedder(run: RunFile, layers: list[Layer]) -> Embedder | None:
    """Return the run's embedding, if it is available here and still the same."""
    try:
        return same_embedder(run.manifest, combine(layers))
    except BadInput:
        return None
