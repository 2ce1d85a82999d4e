"""Rules for a judge: there are none, so orders and verdicts are drawn by lot. Such a judge is never
admitted.
"""

from __future__ import annotations

from random import Random
from typing import get_args

from hometown.language import Lang
from hometown.prompt.verdicts import REASON_LENGTH, CheckReply, CheckVars, Held, RankReply, RankVars
from hometown.prompt.wording import fitting
from hometown.scripted.words import read_bank


def answer_rank_answers(v: RankVars, rng: Random, lang: Lang) -> RankReply:
    """Return a random order of the answers; equal for equal arguments."""
    order = rng.sample(range(1, len(v.answers) + 1), len(v.answers))
    return RankReply(
        reason=fitting(read_bank(lang, "judging")["by_lot"], REASON_LENGTH), order=order
    )


def answer_check_answer(v: CheckVars, rng: Random, lang: Lang) -> CheckReply:
    """Return a verdict by chance. Deterministic in its arguments."""
    return CheckReply(
        reason=fitting(read_bank(lang, "judging")["by_lot"], REASON_LENGTH),
        verdict=rng.choice(get_args(Held)),
    )
