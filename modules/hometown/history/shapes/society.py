"""What there is to know of bodies and goods in a town with a society."""

from __future__ import annotations

from typing import Literal, TypedDict


class Need(TypedDict):
    """A need: what it is called, the levels from which on it is seen to and is urgent, by how many
    points an hour it changes awake and asleep, what meets it, and what it drains by how much an
    hour while it is 0.
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
    """Goods of a kind, or an item: how often it has been used and may be (0 for as often as one
    likes), and what is in it.
    """

    name: str
    count: int
    worn: int
    wears: int
    inside: list[tuple[str, int]]


class Work(TypedDict):
    """What somebody is at work on, or what goes on by itself, between two ticks."""

    text: str
    begun: int
    due: int


class Living(TypedDict):
    """A resident's body and goods, each part but `needs` as (since, value). `skills` are 0 to 1000;
    `house` is whose coins they are.
    """

    needs: list[Need]
    bodily: list[tuple[int, Bodily]]
    bag: list[tuple[int, list[Holding]]]
    coins: list[tuple[int, int]]
    house: str
    skills: list[tuple[int, list[tuple[str, int]]]]
    work: list[tuple[int, Work | None]]


class Price(TypedDict):
    """What one of a kind costs since `tick`, before, and as a rule; and why: then, `stock` were
    left, and its owner, by what had been sold, wanted `wanted`, for so many days. `opening` is the
    price with which the town began, `least` one below which it does not fall.
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
    """A notice at a board: what it says, since which tick it hangs there, and how many have read
    it.
    """

    text: str
    tick: int
    readers: int


class Fixture(TypedDict):
    """A thing of the map that holds goods or is needed for work. `opens` and `closes` are minutes
    of the day, -1 for what is no shop; `holds` is in grams.
    """

    owner: str
    people: list[str]
    holds: int
    closed: bool
    opens: int
    closes: int
    used_for: list[str]
    goods: list[tuple[int, list[Holding]]]
    prices: list[tuple[int, list[Price]]]
    going_on: list[tuple[int, Work | None]]
    notices: list[tuple[int, list[Pinned]]]


Stores = TypedDict("Stores", {"from": int, "to": int, "fixtures": dict[str, Fixture]})
"""The fixtures of a town by address, in a range of steps: what lies in them, what it costs and what
goes on.
"""
