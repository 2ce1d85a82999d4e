"""Rules for the choice between agreements for one time: the one with closer residents, or the
earlier one; a resolution of one's own weighs like an agreement with a close friend.
"""

from __future__ import annotations

from random import Random

from hometown.language import Lang
from hometown.prompt.clashes import ClashReply, ClashVars
from hometown.scripted.noticing import closeness_to
from hometown.scripted.words import read_bank
from hometown.world.rows import Promise

FAITHFUL = 1.5
"""Closeness by which a new agreement has to outweigh an earlier one, on average."""

RESOLVED = 8.0
"""Closeness as which a resident's own resolution weighs, which they have just taken seriously."""


def answer_clash(v: ClashVars, rng: Random, lang: Lang) -> ClashReply:
    """Return the decision to keep the agreement with the closest resident, or one's own resolution,
    with a random part; an earlier one weighs more than the new one. The excuse is a random phrase.
    """

    def weigh(promise: Promise) -> float:
        others = [
            closeness_to(v.situation.me, one) for one in promise.people if one != v.situation.me.id
        ]
        return max(others, default=RESOLVED) + (FAITHFUL if promise is not v.new else 0.0)

    weights = [weigh(promise) + rng.uniform(0, 2 * FAITHFUL) for promise in v.options]
    keep = v.hosted or weights.index(max(weights)) + 1
    excuses = read_bank(lang, "doing")["excuses"]
    return ClashReply(keep=keep, say=rng.choice(excuses))
