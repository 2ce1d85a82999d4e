"""`hometown law`: a law for a town that lives, checked and tried on a copy of it before it is entered."""

from __future__ import annotations

from pathlib import Path

from hometown.cli.options import Options
from hometown.cli.text import Text
from hometown.errors import BadInput, reason_of
from hometown.progress import progress
from hometown.storage.run import Run
from hometown.study.interview import world_of_interview
from hometown.study.laws.proposal import USUAL_DAYS, Proposal, propose
from hometown.study.laws.wording import verdict_lines
from hometown.world.when import step_at


def give_law(options: Options, text: Text) -> int:
    """Prints what differs and what that would break, and enters the law. Raises BadInput for one that is faulty, or breaks something without `--force`."""
    with Run.open(options.results, options.name or "") as run:
        step = step_at(options.at, run.manifest.start, run.manifest.stride, run.last.step)
        proposal = propose(run, world_of_interview(run, options.worlds), _patch(options.law))
        if proposal.faults:
            raise BadInput(list(proposal.faults))
        for line in proposal.changes():
            print(line)
        _judge(proposal, options, text)
        (law,) = run.ask([proposal.intervention(step, options.say)])
        print(text("intervention_law", step=max(law.step, run.last.step + 1), text=law.memory))
    return 0


def _patch(words: str) -> str:
    """The patch as it was typed, or out of the file that was named. Raises BadInput where that can't be read."""
    if words.lstrip().startswith("{"):
        return words
    try:
        return Path(words).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        raise BadInput("{words!r} is neither a patch, {{ … }}, nor a file that can be read ({reason})", words=words[:80], reason=reason_of(error)) from None


def _judge(proposal: Proposal, options: Options, text: Text) -> None:
    days = USUAL_DAYS if options.trial is None else options.trial
    if not days:
        return
    for outlook in progress(proposal.trial(days), text("trying"), text("day"), days):
        tried = outlook
    verdict = proposal.judge(tried)
    for line in verdict_lines(proposal.world, tried, verdict, text.lang):
        print(line)
    if verdict.harmless:
        print(text("law_harmless", days=days))
    elif not options.force:
        raise BadInput("nothing was entered, since the town would not bear it: change the law, or insist with --force")
