"""What somebody in a town with a society has in mind of goods and people as it talks, and what it
says it has handed over in the end.
"""

from __future__ import annotations

from pydantic import Field

from hometown.frozen import frozen
from hometown.prompt.bounds import LEFT_OUT, Keywords, at_most, between
from hometown.prompt.prompt import Reply

GIFTS = 2
"""Kinds of goods that one hands over in a conversation, at most."""

MOST_PRICED = 9999
"""Coins that can be asked for something."""


@frozen
class Ware:
    """Goods that somebody could hand over: the id of the kind and its name, what one and several of
    it are called (with a place for the `{count}`).

    `count` are there; `price` is what one costs in shops as far as is known, 0 if not. One that
    `feeds` can be eaten; a `treat` does who uses it up any good.
    """

    kind: str
    name: str
    single: str
    several: str
    count: int
    price: int
    feeds: bool = False
    treat: bool = False


@frozen
class Dealings:
    """`wares` are at hand, and `coins` may be spent. `market` are shops of others with what they
    sell and at which price, as far as is known, as (shop, goods, coins). `regards` are (id, points,
    sentence) of those talked with, "" where one thinks neither well nor badly of them.

    `notices` are what one has read at a board. `lessons` are what one could be taught by the other,
    of two who talk, and `bouts` what both know and could practise together. `hungry`: one needs to
    eat, and has nothing to eat. With the `housemates` one shares the purse.
    """

    wares: tuple[Ware, ...] = ()
    coins: int = 0
    market: tuple[tuple[str, str, int], ...] = ()
    regards: tuple[tuple[str, int, str], ...] = ()
    notices: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    bouts: tuple[str, ...] = ()
    hungry: bool = False
    housemates: tuple[str, ...] = ()


class Given(Reply):
    """Something that one hands over: `to` is the number of a person, 0 for the only other; `what`
    the number of a ware, 0 for coins; `price` the coins agreed on for all of it, 0 for a gift.
    """

    to: int = 0
    what: int
    count: int = Field(1, ge=1)
    price: int = Field(0, ge=0)


def bounds(dealings: Dealings | None, people: int) -> dict[str, Keywords]:
    """The bounds of what can be said to be `given` among so many people."""
    wares, coins = (dealings.wares, dealings.coins) if dealings else ((), 0)
    if not wares and not coins:
        return {"given": LEFT_OUT}
    most = max([coins, *(ware.count for ware in wares)])
    return {
        "given": at_most(GIFTS),
        "given[].to": between(0, people if people > 2 else 0),
        "given[].what": between(0 if coins else 1, len(wares)),
        "given[].count": between(1, max(1, most)),
        "given[].price": between(0, MOST_PRICED),
    }
