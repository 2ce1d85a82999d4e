"""The output of `hometown verify`."""

from __future__ import annotations

from collections.abc import Iterable

from hometown.cli.texts import Text
from hometown.progress_bar import progress
from hometown.text import N_, excerpt, localize, ngettext
from hometown.upkeep_interface import Stage, Verification
from hometown.verify import Mismatch

LONGEST = 400
"""The printed characters of a value."""

STAGES: dict[Stage, str] = {"fold": N_("applying effects"), "think": N_("thinking again")}

OBSTACLES = {
    "engine": N_(
        "not thought again: the run was made with engine {engine}, which is not this one; its "
        "effects have been verified"
    ),
    "world": N_(
        "not thought again: the run's world has changed or is missing; its effects have been "
        "verified"
    ),
    "prompts": N_(
        "not thought again: prompts were shortened to fit the model's context, and the run did not "
        "keep them (record_prompts); its effects have been verified"
    ),
}


def watch_steps(steps: Iterable[int], stage: Stage, total: int, text: Text) -> Iterable[int]:
    """Return the steps of a verification, with a progress bar."""
    return progress(steps, text(STAGES[stage]), text("step"), total)


def print_verification(found: Verification, text: Text) -> None:
    """Print the findings of a verification, then the first difference, if there is one."""
    if found.note:
        print(localize(found.note, text.lang))
    if found.folded == found.steps:
        print(
            text(
                ngettext(
                    "{name}: the effects of {count} step produce the recorded states and digests",
                    "{name}: the effects of {count} steps produce the recorded states and digests",
                    found.steps,
                    name=found.name,
                )
            )
        )
    if found.difference:
        print(_describe(found.difference, text))
    elif found.obstacle:
        print(text(OBSTACLES[found.obstacle], engine=found.engine))
    else:
        _print_thought(found, text)


def _print_thought(found: Verification, text: Text) -> None:
    """Print the number of steps that were thought again, and where the others are found."""
    print(
        text(
            ngettext(
                "{name}: with the recorded replies, {count} step is thought as recorded",
                "{name}: with the recorded replies, {count} steps are thought as recorded",
                found.thought,
                name=found.name,
            )
        )
    )
    if found.first:
        print(
            text(
                "the steps up to {steps} belong to {parent}: verify that run to have them "
                "thought again",
                parent=found.parent,
                steps=found.first,
            )
        )


def _describe(difference: Mismatch, text: Text) -> str:
    """Return the place of a difference, then both values, a line each."""
    where = text(
        "different: step {step}, resident {who}, {what}",
        step=difference.step,
        who=difference.who or "–",
        what=difference.what,
    )
    recorded, now = (
        excerpt(localize(value, text.lang), LONGEST)
        for value in (difference.recorded, difference.computed)
    )
    return "\n".join(
        (where, text("  recorded: {value}", value=recorded), text("  now:      {value}", value=now))
    )
