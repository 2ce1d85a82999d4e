"""Apply the effects that move goods, each as a whole or not at all.

Nothing is clamped: a giver without enough goods is an error of the rule that produced the effect,
and raises `Shortage` before any move. Where counted goods of a kind run out, its oldest items are
moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hometown.world import keys, matter
from hometown.world.matter import (
    MARK,
    NATURE,
    NATURE_HOLDER,
    Goods,
    Granted,
    Item,
    MatterEffect,
    Shifted,
    Stock,
    Traded,
    Transfer,
    Transformed,
    Worn,
)
from hometown.world.state import State


class Shortage(ValueError):
    """An effect takes goods that a holder does not have, or moves fewer than one."""


class Misplaced(ValueError):
    """An effect puts an item into itself, creates one that exists, or destroys one with contents."""


def apply_matter(effect: MatterEffect, state: State) -> None:
    """Apply an effect. Raises Shortage or Misplaced without having moved any goods."""
    if isinstance(effect, Worn):
        state.put(keys.ITEM.of(effect.item), Item(state.holders(effect.item)[1], effect.worn))
    else:
        _apply_moves(_moves(effect), state)


def _moves(effect: Shifted | Transformed | Traded | Granted) -> tuple[Transfer, ...]:
    """Return the moves of an effect; "" is the giver of created and the taker of destroyed goods."""
    match effect:
        case Shifted(move):
            return (move,)
        case Traded(moves):
            return moves
        case Granted(holder, goods):
            return (Transfer("", holder, goods),)
        case Transformed(holder, take, make):
            taken = [
                Transfer(NATURE_HOLDER if kind == NATURE else holder, "", ((kind, count),))
                for kind, count in take
            ]
            made = [
                Transfer("", NATURE_HOLDER if kind == NATURE else holder, ((kind, count),))
                for kind, count in make
            ]
            return (*taken, *made)


def _apply_moves(moves: tuple[Transfer, ...], state: State) -> None:
    """Apply all moves, after checking that each giver has enough for all of them together and that
    no item is misplaced. Raises Shortage or Misplaced before anything has moved.
    """
    given: dict[str, Counter[str]] = {}
    taken: dict[str, Counter[str]] = {}
    placed: dict[str, str] = {}
    for giver, taker, name, count in _name_goods(moves, state):
        given.setdefault(giver, Counter())[name] += count
        taken.setdefault(taker, Counter())[name] += count
        if MARK in name:
            _refuse_misplaced(giver, taker, name, count, state)
            placed[name] = taker
    for holder in given.keys() - {""}:
        held = dict(state.stock(holder).goods)
        for name, count in given[holder].items():
            if held.get(name, 0) < count:
                raise Shortage(f"{holder} has {held.get(name, 0)} {name} and gives {count}")
    for holder in sorted((given.keys() | taken.keys()) - {""}):
        counts = Counter(dict(state.stock(holder).goods))
        counts.subtract(given.get(holder, Counter()))
        counts.update(taken.get(holder, Counter()))
        goods: Goods = tuple(sorted((kind, count) for kind, count in counts.items() if count))
        state.put(keys.STOCK.of(holder), Stock(goods) if goods else None)
    _place(placed, state)


def _name_goods(moves: Iterable[Transfer], state: State) -> Iterator[tuple[str, str, str, int]]:
    """Yield giver, taker, name and count of all moved goods, with items by their ids. Raises
    Shortage for fewer than one.
    """
    left: dict[str, Counter[str]] = {}
    for move in moves:
        stock = left.setdefault(move.giver, Counter(dict(state.stock(move.giver).goods)))
        for kind, count in move.goods:
            if count < 1:
                raise Shortage(f"{move} moves {count} {kind}; it should be at least 1")
            for name, number in Stock(tuple((+stock).items())).pick(kind, count):
                stock[name] -= number
                yield move.giver, move.taker, name, number


def _refuse_misplaced(giver: str, taker: str, item: str, count: int, state: State) -> None:
    """Raise Misplaced for a second item of one name, the destruction of one with contents, and a
    move into itself.
    """
    if count > 1 or (not giver and state.item(item)):
        raise Misplaced(f"there would be more than one {item}")
    if not taker and state.stock(item).goods:
        raise Misplaced(f"{item} ends while {state.stock(item).goods} lie in it")
    if item in state.holders(taker):
        raise Misplaced(f"{item} would lie in itself, by way of {taker}")


def _place(placed: dict[str, str], state: State) -> None:
    """Record the holders of moved items, remove the items whose holder is "", and record the
    highest number in use.
    """
    for item, holder in placed.items():
        before = state.item(item)
        state.put(
            keys.ITEM.of(item), Item(holder, before.worn if before else 0) if holder else None
        )
    if highest := max((int(item.partition(MARK)[2]) for item in placed), default=0):
        state.put(keys.COUNTER.key, matter.Counter(max(highest, state.last_item_number)))
