"""A run's metadata, and the changes on its map: movements, actions, states of things, events and
conversations.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from hometown.language import Lang

Tile = tuple[int, int]


class ResidentView(TypedDict):
    """A resident of the run, or a `visitor`; pictures are addresses. `home` is an arena, `player` the
    model that plays the resident, None for the run's model.
    """

    id: str
    name: str
    occupation: str
    home: str
    visitor: bool
    portrait: str | None
    sprite: str | None
    player: str | None


Thing = TypedDict(
    "Thing",
    {
        "name": str,
        "idle": str,
        "tiles": list[Tile],
        "facing": dict[str, Literal["up", "down", "left", "right"]],
        "from": NotRequired[int],
        "until": NotRequired[int],
        "picture": NotRequired[str | None],
    },
)


class RankingView(TypedDict):
    """The run's ranking of memories: its settings, and its embedding."""

    recency_decay: float
    recency_basis: Literal["rank", "access", "creation"]
    recency_weight: float
    importance_weight: float
    relevance_weight: float
    normalise: Literal["minmax", "none"]
    embedding: str
    dimension: int


class Opening(TypedDict):
    """The conversation with which the page opens."""

    id: str
    opener: str
    tick: int


class RunView(TypedDict):
    """A run's metadata, needed before playback. `widths` are the steps of each kind of block,
    `digest` is the last step's, and up to step `recorded` no model on this machine wrote the
    replies. `title` is that of a recorded town, "" for other runs. `words` are texts of the world's
    author in the run's language, each with the same in the page's, where that is another.
    """

    name: str
    title: str
    parent: str
    world: str
    world_name: str
    lang: Lang
    start: str
    now: str
    digest: str
    stride: int
    ticks: int
    chunk: int
    widths: dict[str, int]
    steps: int
    planned: int
    finished: bool
    model: str
    scripted: bool
    recorded: int
    retrieval: RankingView
    map: str | None
    residents: list[ResidentView]
    places: dict[str, str]
    buildings: dict[str, str]
    centres: dict[str, Tile]
    things: dict[str, Thing]
    opening: Opening | None
    society: bool
    processes: bool
    threads: bool
    words: dict[str, str]


class ActionView(TypedDict):
    """A resident's activity from a tick on; `arrived` is null while they are on the way."""

    tick: int
    kind: Literal["sleep", "act", "wait", "away"]
    activity: str
    address: str
    emoji: str
    arrived: int | None


class Track(TypedDict):
    """`moves` are triples (tick, column, row), flat."""

    at: Tile
    moves: list[int]
    actions: list[ActionView]


class ThingChange(TypedDict):
    tick: int
    state: str
    users: list[str]


class HappeningView(TypedDict):
    """An event at an arena or a thing, which lasts for `ticks` ticks; `planted` by the director."""

    address: str
    text: str
    tick: int
    ticks: int
    planted: bool


class LineView(TypedDict):
    """A line of a conversation; `call` is the model call that produced it."""

    speaker: str
    text: str
    call: str


class Turn(TypedDict):
    """A resident joins a conversation, or leaves it, before line number `line`, from 0."""

    line: int
    who: str
    comes: bool


class ConversationView(TypedDict):
    """A conversation; `people` are the participants, the opener first; `step` is the one in which
    it begins, `ticks` and `minutes` are its length.
    """

    id: str
    step: int
    people: list[str]
    turns: list[Turn]
    address: str
    tick: int
    ticks: int
    minutes: int
    lines: list[LineView]
    summary: str


Frames = TypedDict(
    "Frames",
    {
        "from": int,
        "to": int,
        "residents": dict[str, Track],
        "things": dict[str, list[ThingChange]],
        "conversations": list[ConversationView],
        "events": list[HappeningView],
    },
)

Conversations = TypedDict(
    "Conversations", {"from": int, "to": int, "items": list[ConversationView]}
)
