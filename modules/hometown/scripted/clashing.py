"""Rules for the choice between agreements for one time: the one with closer residents, or the
earlier one; an inner voice that one has decided to follow weighs like a very close friend.
"""

from __future__ import annotations

from random import Random

from hometown.agent.planning.entry_origins import VOICE_ORIGIN
from hometown.language import Lang
from hometown.prompt.clashes import ClashReply, ClashVars
from hometown.scripted.noticing import closeness_to
from hometown.scripted.words import read_bank
from hometown.world.rows import Promise

FAITHFUL = 1.5
"""Closeness by which a new agreement has to outweigh an earlier one, on average."""

FOLLOWED = 9.0
"""Closeness as which an inner voice weighs that a resident has just decided to follow."""


def answer_clash(v: ClashVars, rng: Random, lang: Lang) -> ClashReply:
    """Return the decision to keep the agreement with the closest resident, or to follow an inner
    voice, with a random part; an earlier one weighs more than the new one. The excuse is a random
    phrase.
    """

    def weigh(promise: Promise) -> float:
        others = [
            closeness_to(v.situation.me, one) for one in promise.people if one != v.situation.me.id
        ]
        return max(others, default=own) + (FAITHFUL if promise is not v.new else 0.0)

    own = FOLLOWED if v.new.talk.startswith(VOICE_ORIGIN) else 0.0
    weights = [weigh(promise) + rng.uniform(0, 2 * FAITHFUL) for promise in v.options]
    keep = v.hosted or weights.index(max(weights)) + 1
    excuses = read_bank(lang, "doing")["excuses"]
    return ClashReply(keep=keep, say=rng.choice(excuses))
