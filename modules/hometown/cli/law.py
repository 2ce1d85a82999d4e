"""`hometown law` and `hometown settle`: a law for a town that lives, or somebody who moves in,
checked and tried on a copy of it before it is entered.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from hometown.cli.options import Options
from hometown.cli.servers import contacts_of, print_servers
from hometown.cli.signals import run_stoppable
from hometown.cli.text import Text
from hometown.config import Layer, combine
from hometown.errors import BadInput, reason_of
from hometown.progress import progress
from hometown.session import same_model
from hometown.storage.run import Run
from hometown.study.interview import Interviewer, world_of_interview
from hometown.study.laws.drafting import Draft, draft
from hometown.study.laws.proposal import USUAL_DAYS, Proposal, propose
from hometown.study.laws.settlers import draft_settler
from hometown.world.moving_in import moving_in_patch
from hometown.world.when import step_at
from hometown.world.world import World

Drafting = Callable[[Interviewer, str], Coroutine[Any, Any, Draft]]


def give_law(options: Options, layers: Sequence[Layer], text: Text) -> int:
    """Prints what differs and what that would break, and enters the law.

    Raises BadInput for one that is faulty, that breaks something without `force`, or that was
    drafted and is not confirmed.
    """
    return _proposed(options, layers, text, _patch(options.law), draft)


def settle(options: Options, layers: Sequence[Layer], text: Text) -> int:
    """Prints who moves in and what that would break, and enters it. Raises BadInput as `give_law`
    does.
    """
    person = _patch(options.law)
    patch = (
        moving_in_patch(
            Path(options.law).stem if options.law.endswith(".json") else "resident", person
        )
        if person
        else ""
    )
    return _proposed(options, layers, text, patch, draft_settler)


def _proposed(
    options: Options, layers: Sequence[Layer], text: Text, patch: str, drafting: Drafting
) -> int:
    """A patch is proposed, or what is drafted where there is none."""
    logging.getLogger("hometown").addHandler(logging.NullHandler())  # as for questions
    with Run.open(options.results, options.name or "") as run:
        founded = world_of_interview(run, options.worlds)
        drafted = (
            Draft(propose(run, founded, patch), None)
            if patch
            else run_stoppable(_drafted(run, founded, options, layers, drafting, text))
        )
        _enter(run, drafted, options, text, confirmed=bool(patch))
    return 0


def _enter(run: Run, drafted: Draft, options: Options, text: Text, confirmed: bool) -> None:
    """Tells what is proposed and what comes of it, and leaves it in the inbox unless that is
    refused.
    """
    proposal = drafted.proposal
    step = step_at(
        options.at or drafted.begins, run.manifest.start, run.manifest.stride, run.last.step
    )
    for line in proposal.changes():
        print(line)
    if proposal.faults:
        raise BadInput(list(proposal.faults))
    _judge(proposal, options, text)
    law = proposal.intervention(step, options.say)
    if not confirmed:
        _confirm(law.memory, options, text)
    (entered,) = run.ask([law])
    print(text("intervention_law", step=max(entered.step, run.last.step + 1), text=entered.memory))


def _patch(words: str) -> str:
    """The patch as it was typed, or out of the file that was named; "" where it is words. Raises
    BadInput where the file can't be read.
    """
    if words.lstrip().startswith("{"):
        return words
    if not words.endswith(".json"):
        return ""
    try:
        return Path(words).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadInput(
            "{file} can't be read: {reason}", file=words, reason=reason_of(error)
        ) from None


async def _drafted(
    run: Run,
    founded: World,
    options: Options,
    layers: Sequence[Layer],
    drafting: Drafting,
    text: Text,
) -> Draft:
    settings = combine(layers)
    print_servers(contacts_of(run.manifest, settings, options.llm or ""), text)
    model = await same_model(run.manifest, settings, options.llm or "")
    return await drafting(Interviewer.on(run, founded, model, settings), options.law)


def _judge(proposal: Proposal, options: Options, text: Text) -> None:
    """Tries the law. Raises BadInput where it breaks something, unless the user insists."""
    days = USUAL_DAYS if options.trial is None else options.trial
    if not days or not proposal.world.book:
        return
    for outlook in progress(proposal.trial(days), text("trying"), text("day"), days):
        tried = outlook
    verdict = proposal.judge(tried)
    for line in proposal.verdict_lines(tried, verdict, text.lang):
        print(line)
    if verdict.harmless:
        print(text("law_harmless", days=days))
    elif not options.force:
        raise BadInput(
            "nothing was entered, since the town would not bear it: change the law, or insist with --force"
        )


def _confirm(words: str, options: Options, text: Text) -> None:
    """Raises BadInput where a law that a model has drafted is not what was wanted."""
    if options.yes:
        return
    print(words)
    if not sys.stdin.isatty() or _answer(text("law_confirm")).casefold() not in ("y", "yes", "是"):
        raise BadInput("nothing was entered: confirm the draft, or give --yes")


def _answer(question: str) -> str:
    print(question, end="", flush=True)
    return sys.stdin.readline().strip()
