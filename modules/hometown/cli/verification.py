"""The work of `hometown verify`: a run is compared with its own records, without a model and
without a network.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.history.names import Names
from hometown.progress_bar import progress
from hometown.storage.run import RunFile
from hometown.storage.world_copy import world_note
from hometown.text import N_, localize, ngettext
from hometown.verify import (
    Mismatch,
    Rehearsal,
    fold,
    rehearse,
    report_unreadable,
    rethinking_obstacle,
)
from hometown.world.world import World

DIFFERENT = 1

LONGEST = 400
"""The printed characters of a value."""

OBSTACLES = {
    "engine": N_(
        "not thought again: the run was made with engine {engine}, which is not this one; its "
        "effects have been verified"
    ),
    "world": N_(
        "not thought again: the run's world has changed or is missing; its effects have been "
        "verified"
    ),
}


def verify_run(name: str, results: Path, worlds: Path, text: Text) -> int:
    """Compare a run with its own records and print the result.

    Args:
        name: The run.
        results: The folder of runs.
        worlds: The folder in which the run's world is looked for.
        text: The user's language.

    Returns:
        0 if the run matches its records, else 1.

    Raises:
        BadRun: There is no such run.
    """
    with RunFile.open(results, name) as run:
        last, world = run.last.step, Names.of(run, worlds).world
        if note := world_note(run, worlds):
            print(localize(note, text.lang))
        try:
            _watch(fold(run), text("applying effects"), last + 1)
            print(
                text(
                    ngettext(
                        "{name}: the effects of {count} step produce the recorded states and digests",
                        "{name}: the effects of {count} steps produce the recorded states and digests",
                        last,
                        name=name,
                    )
                ),
                flush=True,
            )
            _rethink(run, name, world, text)
        except Mismatch as difference:
            print(_describe(difference, text))
            return DIFFERENT
    return 0


def _rethink(run: RunFile, name: str, world: World | None, text: Text) -> None:
    """Think all steps again with the recorded replies, or print the obstacle. Raises Mismatch."""
    obstacle = rethinking_obstacle(run, world)
    if obstacle or world is None:
        print(text(OBSTACLES[obstacle], engine=run.manifest.engine))
        return
    rehearsal, last = Rehearsal(run), run.last.step
    run_stoppable(_think(rehearsal, world, text, last))
    print(
        text(
            ngettext(
                "{name}: with the recorded replies, {count} step is thought as recorded",
                "{name}: with the recorded replies, {count} steps are thought as recorded",
                last - rehearsal.first,
                name=name,
            )
        )
    )
    if rehearsal.first:
        print(
            text(
                "the steps up to {steps} belong to {parent}: verify that run to have them "
                "thought again",
                parent=run.manifest.parent,
                steps=rehearsal.first,
            )
        )


async def _think(rehearsal: Rehearsal, world: World, text: Text, last: int) -> None:
    """Think the steps of the rehearsal up to `last` again, with a progress bar. Raises Mismatch at
    the first one that differs from its record, or whose record cannot be read.
    """
    game = rehearse(rehearsal, world)
    for step in progress(
        range(rehearsal.first, last), text("thinking again"), text("step"), last - rehearsal.first
    ):
        with report_unreadable(step + 1, "calls"):
            await game.step()


def _watch(steps: Iterable[int], what: str, total: int) -> None:
    """Take all steps, with a progress bar of `total` steps, labelled `what`."""
    for _ in progress(steps, what, "step", total):
        pass


def _describe(difference: Mismatch, text: Text) -> str:
    """Return the place of a difference, then both values, a line each."""
    where = text(
        "different: step {step}, resident {who}, {what}",
        step=difference.step,
        who=difference.who or "–",
        what=difference.what,
    )
    recorded, now = (
        _short(localize(value, text.lang)) for value in (difference.recorded, difference.computed)
    )
    return "\n".join(
        (where, text("  recorded: {value}", value=recorded), text("  now:      {value}", value=now))
    )


def _short(value: str) -> str:
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
