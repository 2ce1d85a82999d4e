"""The guard: what a law would break, and when. The proof of livelihood says what is not met for
good, a trial on the town's present state who goes without.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from hometown.frozen import frozen
from hometown.society.livelihood import Livelihood, livelihoods
from hometown.society.outlook import Outlook, stocks
from hometown.world.book.book import Book
from hometown.world.state import State

SOONER = timedelta(hours=12)
"""By how much sooner something has to happen with a law than without, to be due to it."""


@frozen
class Breach:
    """Something that a law would break: a need of somebody's is at 0 (`empty`), there is no more of
    a kind (`gone`), or a need is not met for good (`unmet`).

    `what` is the need or kind, `when` the moment, `who` whose need it is, and `weakest` what gives
    way first.
    """

    kind: str
    what: str
    when: datetime | None = None
    who: str = ""
    weakest: str = ""
    supplied: int = 0
    used: int = 0


@frozen
class Verdict:
    """What a law would break, what comes first first."""

    breaches: tuple[Breach, ...] = ()

    @property
    def harmless(self) -> bool:
        return not any(breach.kind in ("empty", "unmet") for breach in self.breaches)


def judged(state: State, outlook: Outlook) -> Verdict:
    """What is worse with the change than without."""
    trial = [*_empty(outlook), *_gone(outlook)]
    unmet = _unmet(state, outlook.before, outlook.after, outlook.begins)
    return Verdict(
        (*sorted(trial, key=lambda breach: (breach.when or datetime.max, breach.kind)), *unmet)
    )


def _empty(outlook: Outlook) -> list[Breach]:
    """Needs of which the body gives out, or that others use up: whoever is at 0 of those is in
    want.
    """
    drained = {other for part in outlook.after.needs.values() for other in part.at_zero}
    found = []
    for need, (when, who) in outlook.changed.empty.items():
        vital, without = (
            bool(outlook.after.needs[need].at_zero) or need in drained,
            outlook.unchanged.empty.get(need),
        )
        if not vital:
            continue
        if without is None or when + SOONER <= without[0]:
            found.append(Breach("empty", need, when, who))
    return found


def _gone(outlook: Outlook) -> list[Breach]:
    """Kinds that shops sell of which there is none at the end, and would be some."""
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
    return [Breach("gone", kind, when) for kind, when in gone.items()]


def _unmet(state: State, before: Book, after: Book, now: datetime) -> list[Breach]:
    """Needs that could be met for good before, and cannot any more."""
    stored = stocks(state)
    met = {proof.need for proof in livelihoods(before, stored) if proof.sufficient}
    unmet = [
        proof
        for proof in livelihoods(after, stored)
        if not proof.sufficient and (proof.need in met or proof.need not in before.needs)
    ]
    return [_unmet_breach(proof, now) for proof in unmet]


def _unmet_breach(proof: Livelihood, now: datetime) -> Breach:
    when = now + timedelta(days=proof.until_empty)
    return Breach(
        "unmet", proof.need, when, "", proof.weakest, round(proof.supplied), round(proof.used)
    )
