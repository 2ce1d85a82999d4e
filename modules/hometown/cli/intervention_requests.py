"""The interventions of a command line: in a run that is created or continued, or sent to one that
is stopped or runs in another process.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from hometown.cli.options import Folders, InterventionOptions
from hometown.cli.texts import Text
from hometown.storage.run import RunFile
from hometown.text import N_
from hometown.world.intervention_time import step_at
from hometown.world.interventions import Intervention, summarize
from hometown.world.resolve import parse_intervention
from hometown.world.world import World

DESCRIPTIONS = {
    "tell": N_("in step {step} an inner voice says to {target}: {text}"),
    "set": N_("in step {step} the state of {target} becomes: {text}"),
    "event": N_("in step {step} at {target}: {text}"),
    "place": N_("in step {step} a new object appears in {target}: {text}"),
    "remove": N_("in step {step} {target} is removed"),
    "leave": N_("in step {step} {target} leaves town"),
    "arrive": N_("in step {step} {target} comes back to town"),
    "law": N_("in step {step} all residents are told: {text}"),
}


def interventions(
    options: InterventionOptions, world: World, start: datetime, stride: int, last: int
) -> list[Intervention]:
    """Return the interventions of the options, in a run that has `last` steps.

    Raises:
        BadInput: One of them can't be carried out.
    """
    step = step_at(options.at, start, stride, last)
    return [
        replace(parse_intervention(kind, words, world), step=step)
        for kind, words in options.requests
    ]


def describe(intervention: Intervention, world: World, last: int, text: Text) -> str:
    """Return an intervention in one line: kind, target, text, and the step in which it is carried
    out, after step `last` at the earliest.
    """
    step = max(intervention.step, last + 1)
    return text(
        DESCRIPTIONS[intervention.kind],
        target=world.name_of(intervention.target),
        text=summarize(intervention) or "–",
        step=step,
    )


def send(name: str, options: InterventionOptions, folders: Folders, text: Text) -> int:
    """Write interventions into a run's inbox, and nothing else, print them and return 0.

    Raises:
        BadInput: One of them can't be carried out.
    """
    from hometown.intervention_interface import enter_requests, furnish_present

    with RunFile.open(folders.results, name) as run:
        town = furnish_present(run, folders.worlds)
        for intervention in enter_requests(run, town, options.requests, options.at):
            print(describe(intervention, town, run.last.step, text))
    return 0
