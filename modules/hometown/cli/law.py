"""The work of `hometown law` and `hometown move-in`: a change of a society's rules, or a new
resident, checked and tried on a copy of the town before it is entered.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hometown.cli.contacts import contacts_of, print_servers
from hometown.cli.options import Folders, ProposalOptions
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.defaults import DEFAULT_TRIAL_DAYS
from hometown.errors import BadInput, reason_of
from hometown.progress_bar import progress
from hometown.session import same_model
from hometown.storage.run import RunFile
from hometown.study.interview import Interviewer, world_of_interview
from hometown.study.laws.drafting import Draft, draft_law
from hometown.study.laws.proposal import Proposal, propose_law
from hometown.study.laws.settlers import draft_settler
from hometown.world.faults import Faults, parse_json
from hometown.world.intervention_time import step_at
from hometown.world.moving_in import moving_in_patch
from hometown.world.world import World

Drafting = Callable[[Interviewer, str], Coroutine[Any, Any, Draft]]


@dataclass(frozen=True)
class ProposalRequest:
    """A proposal for a run: how it is tried, announced and entered.

    Attributes:
        llm: The model that drafts; "" for the run's own.
    """

    run: str
    options: ProposalOptions
    llm: str
    folders: Folders
    layers: Sequence[Layer]
    text: Text


def enter_law(patch: str, request: ProposalRequest) -> int:
    """Print the changes of a law and the shortages that it would cause, enter it and return 0.

    Args:
        patch: JSON, the path of a file with JSON, or words from which a patch is drafted.
        request: The run, and how the law is entered.

    Raises:
        BadInput: The patch is faulty, causes a shortage without `--force`, or is a draft that is
            not confirmed.
    """
    return _propose(request, patch, _read_patch(patch), draft_law)


def add_resident(resident: str, request: ProposalRequest) -> int:
    """Print a new resident and the shortages that they would cause, let them move in and return 0.

    Args:
        resident: JSON, the path of a file with JSON, or words from which a resident is drafted.
        request: The run, and how the resident is entered.

    Raises:
        BadInput: As for `enter_law`.
    """
    description = _read_patch(resident)
    patch = (
        moving_in_patch(
            Path(resident).stem if resident.endswith(".json") else "resident", description
        )
        if description
        else ""
    )
    return _propose(request, resident, patch, draft_settler)


def _propose(request: ProposalRequest, words: str, patch: str, drafting: Drafting) -> int:
    """Propose a patch, or a draft made of the words where there is none, and return 0."""
    logging.getLogger("hometown").addHandler(logging.NullHandler())  # as for questions
    with RunFile.open(request.folders.results, request.run) as run:
        founded = world_of_interview(run, request.folders.worlds)
        drafted = (
            Draft(propose_law(run, founded, patch), None)
            if patch
            else run_stoppable(_draft(run, founded, request, drafting, words))
        )
        _enter(run, drafted, request, is_confirmed=bool(patch))
    return 0


def _enter(run: RunFile, drafted: Draft, request: ProposalRequest, is_confirmed: bool) -> None:
    """Print the proposal and its effects, ask for confirmation unless it `is_confirmed`, and leave
    it in the inbox. Raises BadInput if it is not possible.
    """
    proposal, options, text = drafted.proposal, request.options, request.text
    step = step_at(
        options.at or drafted.begins, run.manifest.start, run.manifest.stride, run.last.step
    )
    for line in proposal.changes():
        print(line)
    if proposal.faults:
        raise BadInput(list(proposal.faults))
    _try(proposal, options, text)
    law = proposal.intervention(step, options.say)
    if not is_confirmed:
        _confirm(law.memory, options, text)
    (entered,) = run.ask([law])
    print(
        text(
            "in step {step} all residents are told: {text}",
            step=max(entered.step, run.last.step + 1),
            text=entered.memory,
        )
    )


def _read_patch(words: str) -> str:
    """Return the patch as it was typed or from the file that is named; "" for words of a language.

    Raises:
        BadInput: The file can't be read, or the patch is no JSON.
    """
    patch, source = words, words[:40]
    if not words.lstrip().startswith("{"):
        if not words.endswith(".json"):
            return ""
        source = words
        try:
            patch = Path(words).read_text("utf-8-sig")
        except (OSError, ValueError) as error:
            raise BadInput(
                "{file} can't be read: {reason}", file=words, reason=reason_of(error)
            ) from None
    faults = Faults(source)
    if parse_json(patch, "", faults) is None:
        raise BadInput(faults.lines)
    return patch


async def _draft(
    run: RunFile, founded: World, request: ProposalRequest, drafting: Drafting, words: str
) -> Draft:
    settings = combine(request.layers)
    print_servers(contacts_of(run.manifest, settings, request.llm), request.text)
    model = await same_model(run.manifest, settings, request.llm)
    return await drafting(Interviewer.on(run, founded, model, settings), words)


def _try(proposal: Proposal, options: ProposalOptions, text: Text) -> None:
    """Simulate the town with the proposal. Raises BadInput for a shortage without `--force`."""
    days = DEFAULT_TRIAL_DAYS if options.trial is None else options.trial
    if not days or not proposal.world.book:
        return
    for outlook in progress(proposal.trial(days), text("trying"), text("day"), days):
        tried = outlook
    verdict = proposal.judge(tried)
    for line in proposal.verdict_lines(tried, verdict, text.lang):
        print(line)
    if verdict.harmless:
        print(text("{days}-day trial: nothing breaks, nor will it in the long run", days=days))
    elif not options.force:
        raise BadInput(
            "nothing was entered, since the town would not bear it: change the law, or insist with --force"
        )


def _confirm(words: str, options: ProposalOptions, text: Text) -> None:
    """Ask the user to confirm a draft. Raises BadInput where they do not."""
    if options.yes:
        return
    print(words)
    if not sys.stdin.isatty() or _answer(text("enter this law? (y/n) ")).casefold() not in (
        "y",
        "yes",
        "是",
    ):
        raise BadInput("nothing was entered: confirm the draft, or give --yes")


def _answer(question: str) -> str:
    print(question, end="", flush=True)
    return sys.stdin.readline().strip()
