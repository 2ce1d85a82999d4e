"""Bodies and goods in a town with a society."""

from __future__ import annotations

from typing import Literal, TypedDict

from hometown.history.shapes.versioned_values import Versions


class Need(TypedDict):
    """A need: its name, the levels below which it is attended to and is urgent, its change in
    points an hour awake and asleep, the ways to satisfy it, and the points an hour that it takes
    from another need while it is 0.
    """

    name: str
    low: int
    urgent: int
    awake: int
    asleep: int
    met_by: list[str]
    drains: list[tuple[str, int]]


class Bodily(TypedDict):
    """The level of each need, 0 to 1000, in the order of the needs."""

    levels: list[int]
    asleep: bool


class Holding(TypedDict):
    """Goods of a kind, or an item: its past and its maximum number of uses (0 for no limit), and
    its contents.
    """

    name: str
    count: int
    worn: int
    wears: int
    inside: list[tuple[str, int]]


class Work(TypedDict):
    """A resident's current work, or an unattended process, between two ticks."""

    text: str
    begun: int
    due: int


class Living(TypedDict):
    """A resident's body and goods, each part but `needs` as (since, value). `skills` are 0 to 1000;
    `house` is the house that owns the coins.
    """

    needs: list[Need]
    bodily: Versions[Bodily]
    bag: Versions[list[Holding]]
    coins: Versions[int]
    house: str
    skills: Versions[list[tuple[str, int]]]
    work: Versions[Work | None]


class Price(TypedDict):
    """The price of a kind since `tick`, the price `before` and the `usual` one, with the reason for
    the change. At that time, `stock` was the shop's stock, and `wanted` the stock that its owner
    aimed at, by past sales, to last for `days` days. `opening` is the price with which the town
    began, `least` its lower limit.
    """

    name: str
    price: int
    before: int
    usual: int
    tick: int
    why: Literal["opening", "short", "plenty", "even", "least"]
    stock: int
    wanted: int
    days: int


class Pinned(TypedDict):
    """A notice at a board: its text, the tick at which it was put up, and the number of its
    readers.
    """

    text: str
    tick: int
    readers: int


class Fixture(TypedDict):
    """A thing of the map that holds goods or is needed for work. `opens` and `closes` are minutes
    of the day, -1 for a fixture that is no shop; `holds` is in grams.
    """

    owner: str
    people: list[str]
    holds: int
    closed: bool
    opens: int
    closes: int
    used_for: list[str]
    goods: Versions[list[Holding]]
    prices: Versions[list[Price]]
    going_on: Versions[Work | None]
    notices: Versions[list[Pinned]]


Stores = TypedDict("Stores", {"from": int, "to": int, "fixtures": dict[str, Fixture]})
"""The fixtures of a town by address, in a range of steps: their goods, prices and processes."""
