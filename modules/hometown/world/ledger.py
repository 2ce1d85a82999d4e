"""The ledger: carries out the effects that move goods, whole or not at all.

Nothing is clamped. Who gives more than it has is an error of the rule that said so, and raises `Shortage` before anything has moved.
"""

from __future__ import annotations

from collections import Counter

from hometown.world.matter import NATURE, NATURE_HOLDER, Goods, Granted, MatterEffect, Move, Shifted, Stock, Traded, Transformed
from hometown.world.state import State


class Shortage(ValueError):
    """An effect takes goods that are not there, or moves less than one of a kind."""


def carry_out(effect: MatterEffect, state: State) -> None:
    """Moves goods. Raises Shortage, and has moved nothing, where somebody does not have what it gives."""
    _settle(_moves(effect), state)


def _moves(effect: MatterEffect) -> tuple[Move, ...]:
    """What an effect moves; giver or taker is "" for what vanishes or appears."""
    match effect:
        case Shifted(move):
            return (move,)
        case Traded(moves):
            return moves
        case Granted(holder, goods):
            return (Move("", holder, goods),)
        case Transformed(holder, take, make):
            taken = [Move(NATURE_HOLDER if kind == NATURE else holder, "", ((kind, count),)) for kind, count in take]
            made = [Move("", NATURE_HOLDER if kind == NATURE else holder, ((kind, count),)) for kind, count in make]
            return (*taken, *made)


def _settle(moves: tuple[Move, ...], state: State) -> None:
    """Books all moves, once it is sure that each giver has what it gives, in all of them together, before it takes anything."""
    given: dict[str, Counter[str]] = {}
    taken: dict[str, Counter[str]] = {}
    for move in moves:
        for kind, count in move.goods:
            if count < 1:
                raise Shortage(f"{move} moves {count} {kind}; it should be at least 1")
            given.setdefault(move.giver, Counter())[kind] += count
            taken.setdefault(move.taker, Counter())[kind] += count
    for holder in given.keys() - {""}:
        held = state.stock(holder)
        for kind, count in given[holder].items():
            if held.count(kind) < count:
                raise Shortage(f"{holder} has {held.count(kind)} {kind} and gives {count}")
    for holder in sorted((given.keys() | taken.keys()) - {""}):
        counts = Counter(dict(state.stock(holder).goods))
        counts.subtract(given.get(holder, Counter()))
        counts.update(taken.get(holder, Counter()))
        goods: Goods = tuple(sorted((kind, count) for kind, count in counts.items() if count))
        state.put(f"stock/{holder}", Stock(goods) if goods else None)
