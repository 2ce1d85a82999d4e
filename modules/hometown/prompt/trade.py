"""Goods and people that a speaker in a society has in mind, and goods that they hand over."""

from __future__ import annotations

from pydantic import Field

from hometown.frozen import frozen
from hometown.prompt.bounds import LEFT_OUT, Keywords, at_most, between
from hometown.prompt.prompt import Reply

GIFTS = 2
"""Maximum number of kinds of goods handed over in a conversation."""

MOST_PRICED = 9999
"""Maximum price that can be asked, in coins."""


@frozen
class Ware:
    """Goods that a speaker could hand over: id and name of the kind, its words for one and for
    several (with the placeholder `{count}`).

    `count` is the number at hand, and `price` the price of one in shops as far as known, or 0. One
    that `feeds` can be eaten; a `treat` meets a need of the resident who uses it.
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
    """Goods, coins and opinions of a speaker.

    `wares` are at hand, and `coins` may be spent. `market` are known goods of other shops as (shop,
    goods, coins). `regards` are (id, points, sentence) for the others, with "" for an indifferent
    regard. `notices` are those read at boards. `lessons` are crafts that the only other could
    teach, `bouts` activities that both could practise together. `hungry` means hungry without food
    at hand. `housemates` share the speaker's purse.
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
    """Return the bounds of the goods that a speaker can hand over in a conversation of so many
    `people`; the field is left out if they have neither goods nor coins.
    """
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
