"""Impact of a law: shortages that it would cause, and when. The livelihood analysis finds needs
that stay unmet, and a trial from the town's present state finds residents who go without.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from hometown.frozen import frozen
from hometown.society.forecast import Forecast, count_stocks
from hometown.society.livelihood import Livelihood, analyse_livelihoods
from hometown.world.book.book import Book
from hometown.world.state import State

MIN_ADVANCE = timedelta(hours=12)
"""The time by which an event must come earlier with a law than without to be attributed to it."""


@frozen
class Harm:
    """A harm that a law would do.

    Attributes:
        kind: `empty` for a need at 0, `gone` for a kind that runs out, `unmet` for a need that
            cannot be met in the long run, or `leap` for work that creates value from nothing.
        what: The need or kind, or the family of recipes.
        when: The time.
        who: The resident whose need it is; for `leap` the one who would make most of it on the
            first day, "" if nobody could then.
        weakest: The first bottleneck.
        supplied: Points of the need supplied a day; for `leap` the coins that a day's work is
            worth with the law, as that resident tried it, or else at most.
        used: Points of the need used a day; for `leap` the coins without the law.
    """

    kind: str
    what: str
    when: datetime | None = None
    who: str = ""
    weakest: str = ""
    supplied: int = 0
    used: int = 0


@frozen
class LawImpact:
    """The harms that a law would do: those of the trial, the earliest first, then unmet needs."""

    breaches: tuple[Harm, ...] = ()

    @property
    def harmless(self) -> bool:
        return not any(breach.kind in ("empty", "unmet", "leap") for breach in self.breaches)


def assess_law(state: State, outlook: Forecast) -> LawImpact:
    """Return the harms that occur with the law and not without it."""
    trial = [*_find_empty_needs(outlook), *_find_lost_goods(outlook)]
    unmet = _find_unmet_needs(state, outlook.before, outlook.after, outlook.begins)
    return LawImpact(
        (*sorted(trial, key=lambda breach: (breach.when or datetime.max, breach.kind)), *unmet)
    )


def _find_empty_needs(outlook: Forecast) -> list[Harm]:
    """Return the vital needs that fall to 0 with the law only, or earlier by `MIN_ADVANCE` than
    without it. Vital are needs that drain others at 0, and those that are drained.
    """
    drained = {other for part in outlook.after.needs.values() for other in part.at_zero}
    found = []
    for need, (when, who) in outlook.changed.empty.items():
        is_vital = bool(outlook.after.needs[need].at_zero) or need in drained
        without_law = outlook.unchanged.empty.get(need)
        is_earlier = without_law is None or when + MIN_ADVANCE <= without_law[0]
        if is_vital and is_earlier:
            found.append(Harm("empty", need, when, who))
    return found


def _find_lost_goods(outlook: Forecast) -> list[Harm]:
    """Return the kinds for sale that run out with the law and not without it."""
    sold = {
        kind
        for fixture in outlook.before.fixtures.values()
        if fixture.shop
        for kind in fixture.shop.sells
    }
    kinds = sold & outlook.after.kinds.keys()
    gone = {
        kind: when
        for kind, when in outlook.changed.none_since.items()
        if kind in kinds and kind not in outlook.unchanged.none_since
    }
    return [Harm("gone", kind, when) for kind, when in gone.items()]


def _find_unmet_needs(state: State, before: Book, after: Book, now: datetime) -> list[Harm]:
    """Return the needs that cannot be met in the long run after the law: those that can be met
    before it, and new ones.
    """
    stored = count_stocks(state)
    met = {proof.need for proof in analyse_livelihoods(before, stored) if proof.sufficient}
    unmet = [
        proof
        for proof in analyse_livelihoods(after, stored)
        if not proof.sufficient and (proof.need in met or proof.need not in before.needs)
    ]
    return [_unmet_harm(proof, now) for proof in unmet]


def _unmet_harm(proof: Livelihood, now: datetime) -> Harm:
    when = now + timedelta(days=proof.until_empty)
    return Harm(
        "unmet", proof.need, when, "", proof.weakest, round(proof.supplied), round(proof.used)
    )
