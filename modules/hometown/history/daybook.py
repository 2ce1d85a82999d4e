"""A day's work in a town with a society, computed from effects: the deeds, products, purchases and
failures of each resident, and the sales of each house.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

import orjson

from hometown.history.causes import Log
from hometown.history.diary import steps_of
from hometown.history.reader import RunReader
from hometown.society.errands import FAILED
from hometown.society.jobs import CAUGHT_CHILL, TOOL_BROKE
from hometown.storage.codec import decode_effect
from hometown.world.book.book import COIN, Book
from hometown.world.effects import Effect
from hometown.world.labour import CameOf, Outcome, Verb
from hometown.world.matter import NATURE, Traded, Transformed, kind_of

EFFECT_KINDS = frozenset(kind.__name__ for kind in (CameOf, Traded, Transformed))
"""Effects that concern work."""


@dataclass
class WorkRecord:
    """A resident's day: deeds that succeeded (`did`) and failed by family of recipes, products by
    family and kind, purchases and coins paid for them, goods that other houses gave the resident,
    tools of theirs that broke, a chill, refusals by outcome, and partners in joint work by family.
    """

    did: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    made: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    bought: Counter[str] = field(default_factory=Counter)
    paid: int = 0
    given: Counter[str] = field(default_factory=Counter)
    broke: Counter[str] = field(default_factory=Counter)
    chilled: bool = False
    refused: Counter[Outcome] = field(default_factory=Counter)
    others: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))


@dataclass
class Sales:
    """The goods that a house sold on a day, and its takings in coins."""

    sold: Counter[str] = field(default_factory=Counter)
    took: int = 0


class Day:
    """The work of one day of the town by resident, and the sales by seller."""

    def __init__(self, run: RunReader, book: Book, day: date) -> None:
        self.book = book
        self.works: defaultdict[str, WorkRecord] = defaultdict(WorkRecord)
        self.sales: defaultdict[str, Sales] = defaultdict(Sales)
        self._making: dict[str, Counter[str]] = {}
        for effect in _effects(run, day):
            match effect:
                case Transformed(holder, _, make) if holder.startswith("work:"):
                    self._making[holder.removeprefix("work:")] = _count_by_kind(
                        (kind, count) for kind, count in make if kind != NATURE
                    )
                case Traded():
                    self._trade(effect)
                case CameOf(who, outcome):
                    self._came(who, outcome)

    def _trade(self, trade: Traded) -> None:
        """Count a purchase in a shop; gifts and barter are counted from other effects."""
        paid = sum(count for move in trade.moves for kind, count in move.goods if kind == COIN)
        for move in trade.moves:
            if move.giver in self.book.fixtures:
                seller = self.book.seller(move.giver)
                self.works[move.taker].bought.update(_count_by_kind(move.goods))
                self.works[move.taker].paid += paid
                self.sales[seller].sold.update(_count_by_kind(move.goods))
                self.sales[seller].took += paid

    def _came(self, who: str, outcome: Outcome) -> None:
        work, errand, facts = self.works[who], outcome.errand, dict(outcome.facts)
        family = self.book.recipes[errand.what].family if errand.what in self.book.recipes else ""
        made = self._making.pop(who, Counter())
        if outcome.code == TOOL_BROKE:
            work.broke[str(facts["kind"])] += 1
        elif outcome.code == CAUGHT_CHILL:
            work.chilled = True
        elif outcome.code not in ("", FAILED):
            work.refused[outcome] += 1
        elif errand.verb == Verb.DO and family:
            (work.failed if outcome.code else work.did)[family] += 1
            if not outcome.code:
                work.made[family].update(made)
                work.others[family] += [
                    who for who in [outcome.partner] if who and who not in work.others[family]
                ]
        elif errand.verb == Verb.ASK or (
            errand.verb == Verb.GET and not (facts.get("coins") or "within" in facts)
        ):
            work.given[errand.what] += errand.count


def _count_by_kind(goods: Iterable[tuple[str, int]]) -> Counter[str]:
    """Count goods by kind; an item counts as one of its kind."""
    counts = Counter[str]()
    for name, count in goods:
        counts[kind_of(name)] += count
    return counts


def _effects(run: RunReader, day: date) -> Iterator[Effect]:
    """Yield the effects of a day that concern work: in each step first the movements of goods, then
    the outcomes of errands.
    """
    log = Log(run)
    first, last = steps_of(run, day, run.last_step())
    for step in range(first, last + 1):
        effects = log.effects(step)
        for kind, _, fields in (each for who in sorted(effects) for each in effects[who]):
            if kind in EFFECT_KINDS:
                yield decode_effect(kind, orjson.dumps(fields))
