"""The output of `hometown check` and `hometown repair`."""

from __future__ import annotations

from hometown.cli.declare import Program
from hometown.cli.options import Folders
from hometown.cli.suggest import suggest
from hometown.cli.texts import Text
from hometown.repair import Recovery, Soundness
from hometown.text import Phrase, localize, ngettext

SHOWN = 5
"""The maximum number of steps that are named one by one."""


def print_soundness(
    name: str, soundness: Soundness, folders: Folders, program: Program, text: Text
) -> None:
    """Print how much of a run is intact, and for a damaged one the command that repairs it, if
    anything can be recovered.
    """
    if soundness.unreadable:
        print(text("{name} can't be read: {error}", name=name, error=soundness.unreadable))
    for line in _findings(soundness, text):
        print(line)
    if soundness.sound:
        print(
            text("{name} is intact up to its last step, {step}.", name=name, step=soundness.folds)
        )
        return
    if soundness.folds < 0:
        print(
            text(
                "{name} is damaged from its first step on, so that nothing can be recovered: "
                "restore a backup.",
                name=name,
            )
        )
        return
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
    if soundness.folds < 0:
        return lines
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
    digests = text(
        "digests   match up to step {step} of {steps}", step=soundness.digests, steps=steps
    )
    if soundness.digests < 0:
        digests = text("digests   match no step of {steps}", steps=steps)
    effects = text("effects   lead up to step {step} of {steps}", step=soundness.folds, steps=steps)
    if soundness.folds < 0:
        effects = text("effects   lead up to no step of {steps}", steps=steps)
    if soundness.difference:
        effects += text(" (damaged at step {what})", what=soundness.difference)
    return [digests, effects]


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


def print_recovery(
    name: str, done: Recovery, folders: Folders, program: Program, text: Text
) -> None:
    """Print how much of a run was recovered, as which run, and how to continue that one."""
    print(
        text(
            "{name} was recovered up to step {step} of {steps}, as {new}; the damaged file "
            "is unchanged.",
            name=name,
            new=done.name,
            step=done.last,
            steps=done.steps if done.steps >= 0 else "?",
        )
    )
    _print_losses(done, text)
    command = suggest(program, folders, "resume", name=done.name)
    print(text("To continue:\n  {command}", command=command))


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
