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
from hometown.repair import UNOPENABLE, Recovery, Soundness, examine_run, readable_copy, rescue
from hometown.session import same_embedder
from hometown.storage.database import refuse_open_wal
from hometown.storage.run import RunFile
from hometown.storage.run_names import existing_file, refuse_taken
from hometown.storage.salvage import UNREADABLE, connect_leniently, page_faults
from hometown.storage.side_files import refuse_links
from hometown.text import Phrase, localize, ngettext

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
        print(text("{name} can't be read: {error}", name=name, error=reason_of(error)))
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
        print(
            text("{name} is intact up to its last step, {step}.", name=name, step=soundness.folds)
        )
        return 0
    print(
        text(
            "{name} is damaged; it is intact up to step {step}. A repair creates a run "
            "from that part:\n"
            "  {command}",
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
            "pages     damaged: {faults}",
            faults="; ".join(localize(fault, text.lang) for fault in soundness.pages),
        )
        if soundness.pages
        else text("pages     intact"),
        *_steps(soundness, text),
        *_losses(soundness, text),
        *_checksums(soundness, text),
    ]
    if not soundness.world:
        lines.append(
            text(
                "world     the run's own copy is damaged; a repaired run has none and uses the "
                "world's folder"
            )
        )
    if soundness.inbox:
        lines.append(text("inbox     {fault}", fault=soundness.inbox))
    lines.append(
        text(
            ngettext(
                "journal   {count} reply is kept for step {step}",
                "journal   {count} replies are kept for step {step}",
                soundness.journal,
                step=soundness.folds + 1,
            )
        )
    )
    return lines


def _steps(soundness: Soundness, text: Text) -> list[str]:
    """Return lines on the steps that digests and effects confirm."""
    steps = soundness.steps
    effects = text("effects   lead up to step {step} of {steps}", step=soundness.folds, steps=steps)
    if soundness.difference:
        effects += text(" (damaged at step {what})", what=soundness.difference)
    return [
        text("digests   match up to step {step} of {steps}", step=soundness.digests, steps=steps),
        effects,
    ]


def _losses(soundness: Soundness, text: Text) -> list[str]:
    """Return lines on calls that can't be read and vectors that are missing, if any."""
    lines = list[str]()
    if soundness.calls:
        lines.append(
            text(
                ngettext(
                    "calls     of {count} step can't be read, the first is {first}: the reasons "
                    "for what happened there are lost",
                    "calls     of {count} steps can't be read, the first is {first}: the reasons "
                    "for what happened there are lost",
                    len(soundness.calls),
                    first=soundness.calls[0],
                )
            )
        )
    if soundness.vectors:
        lines.append(
            text(
                ngettext(
                    "vectors   of {count} memory is missing; a repair embeds them again",
                    "vectors   of {count} memories are missing; a repair embeds them again",
                    soundness.vectors,
                )
            )
        )
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
    lines = [
        text("checksums differ: altered since they were written are {altered}", altered=altered)
        if altered
        else text("checksums match: nothing that was written has been altered")
    ]
    if found.without:
        lines.append(
            text(
                ngettext(
                    "checksums there are none for {count} step, which an older version wrote or a "
                    "repair could not confirm",
                    "checksums there are none for {count} steps, which an older version wrote or a "
                    "repair could not confirm",
                    found.without,
                )
            )
        )
    if soundness.lost is not None:
        lines.append(
            text(
                "steps     up to {step} had been committed: run.sqlite-wal was lost or "
                "damaged, or the file was replaced",
                step=soundness.lost,
            )
        )
    return lines


def repair_run(
    name: str,
    new: str | None,
    folders: Folders,
    layers: list[Layer],
    program: Program,
    text: Text,
) -> int:
    """Create a new run from the intact part of a damaged one, print how to continue it and return
    0.

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
            "{name} was recovered up to step {step} of {steps}, as {new}; the damaged file "
            "is unchanged.",
            name=name,
            new=new,
            step=done.last,
            steps=done.steps if done.steps >= 0 else "?",
        )
    )
    _print_losses(done, text)
    print(text("To continue:\n  {command}", command=suggest(program, folders, "resume", name=new)))
    return 0


def _print_losses(done: Recovery, text: Text) -> None:
    """Print the parts that a repair could not recover, or had to make anew, if any."""
    if done.calls:
        print(
            text(
                ngettext(
                    "The calls of {count} step could not be read: the reasons for what happened "
                    "there are lost.",
                    "The calls of {count} steps could not be read: the reasons for what happened "
                    "there are lost.",
                    done.calls,
                )
            )
        )
    if done.vectors:
        print(
            text(
                ngettext(
                    "{count} memory was embedded again.",
                    "{count} memories were embedded again.",
                    done.vectors,
                )
            )
        )


def _embedder(run: RunFile, layers: list[Layer]) -> Embedder | None:
    """Return the run's embedding; None if it is not available here or no longer the same."""
    try:
        return same_embedder(run.manifest, combine(layers))
    except BadInput:
        return None
