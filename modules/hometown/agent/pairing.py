"""Who talks to whom: requests to talk become pairs, in the step's order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from hometown.agent.intent import Intent


@dataclass(frozen=True, slots=True)
class Pair:
    """`opener` asked, or asked first; `intent` is its request."""

    opener: str
    partner: str
    intent: Intent


def pair(order: Sequence[str], intents: Mapping[str, Intent], may_meet: Callable[[str, str], bool]) -> list[Pair]:
    """Pairs of residents in which nobody is twice. Of two who ask each other, the earlier in order opens.

    >>> asks = {"ann": Intent(partner="bob"), "bob": Intent(partner="ann"), "cat": Intent(partner="ann")}
    >>> [(match.opener, match.partner) for match in pair(["bob", "cat", "ann"], asks, lambda asker, asked: True)]
    [('bob', 'ann')]
    """
    pairs: list[Pair] = []
    taken: set[str] = set()
    for who in order:
        intent = intents.get(who)
        if intent is None or not intent.partner or {who, intent.partner} & taken:
            continue
        if may_meet(who, intent.partner):
            pairs.append(Pair(who, intent.partner, intent))
            taken |= {who, intent.partner}
    return pairs
