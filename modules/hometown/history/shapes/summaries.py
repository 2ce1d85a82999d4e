"""Views of a whole run: the timeline, residents' days, pairs who talked, moments worth watching,
gatherings, wishes, threads of stories, and the residents whom news reached.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from hometown.history.shapes.playback_shapes import ConversationView
from hometown.history.shapes.resident_shapes import MemoryView
from hometown.world.wish import WishEvent


class Mark(TypedDict):
    tick: int
    kind: Literal["action", "conversation", "reflection", "plan"]
    text: str


class Held(TypedDict):
    """A conversation on the timeline; `people` are the participants, the opener first; `step` is
    the one in which it begins.
    """

    id: str
    step: int
    tick: int
    ticks: int
    people: list[str]


class Marks(TypedDict):
    """Counts by bins of `width` steps, and all conversations, sorted by time."""

    width: int
    events: list[int]
    conversations: list[int]
    reflections: list[int]
    plans: list[int]
    held: list[Held]


class ThreadView(TypedDict):
    people: list[str]
    conversations: int
    tick: int


class DoingView(TypedDict):
    tick: int
    label: str
    asleep: bool
    conversation: ConversationView | None


class StayView(TypedDict):
    tick: int
    end: int
    address: str
    doings: list[DoingView]


class StorySentence(TypedDict):
    """A sentence of a day's story; `conversation` is the talk that it tells, or "", and `link` are
    those of its words that lead to its moment, or "".
    """

    tick: int
    text: str
    conversation: str
    link: str


class Diary(TypedDict):
    """A resident's day; `story` has a list of sentences for each of its paragraphs."""

    day: str
    days: list[str]
    story: list[list[StorySentence]]
    work: list[str]
    plans: list[MemoryView]
    thoughts: list[MemoryView]
    stays: list[StayView]


class SceneView(TypedDict):
    """A moment worth watching: its residents, place and conversation; "" where there is none.
    `news` are the titles of the storylines of which residents learned in it, `weight` is its
    importance.
    """

    tick: int
    kind: Literal["conversation", "reflection", "gathering"]
    who: list[str]
    address: str
    conversation: str
    news: list[str]
    weight: int


class Highlight(SceneView):
    """A moment that mattered, with its text."""

    text: str


ChapterKind = Literal[
    "begins",
    "decision",
    "told",
    "passed_on",
    "changed",
    "ends",
    "known",
    "conversation",
    "reflection",
    "gathering",
]
"""The kinds of chapters: of an event, and, where there is none, of highlights."""


class ChapterView(TypedDict):
    """A chapter of a run for a class. Of a telling, `who` are teller and listener, and `changed` are
    the facts that the teller did not know; `count` residents know of the event in the end.
    """

    tick: int
    kind: ChapterKind
    who: list[str]
    address: str
    conversation: str
    text: str
    changed: list[str]
    count: int


AlertKind = Literal["silence", "fallbacks", "slow", "need"]


class AlertView(TypedDict):
    """Something that needs the user's attention from `tick` to `end`: `amount` are hours without a
    conversation, percent of fallbacks, real minutes for an hour of the town, or the lowest level of
    a need in percent. A need has its resident and its name by language.
    """

    kind: AlertKind
    tick: int
    end: int
    amount: int
    who: str
    need: dict[str, str]


class Invited(TypedDict):
    """A resident who knows of an occasion since a tick, told or invited `by` another ("" for none);
    `came` is the tick of their first arrival, if they came.
    """

    who: str
    by: str
    part: Literal["told", "asked", "comes", "gives"]
    tick: int
    came: int | None
    late: bool


class Absent(TypedDict):
    """A resident who had agreed to come and did not, with their activity at that time."""

    who: str
    doing: str


class OccasionView(TypedDict):
    """A gathering from `tick` to `end`; `away` is known once it is over."""

    what: str
    address: str
    tick: int
    end: int
    guests: list[Invited]
    away: list[Absent]


class WishStepView(TypedDict):
    """An event in the course of a wish, with its reason and the owner's memory that shows it; "" and
    0 for none.
    """

    tick: int
    event: WishEvent
    why: str
    memory: int


class WishView(TypedDict):
    """A wish that a user has whispered to `who`: the memory of it, the residents and the place ("" for
    none) that it names, the tick for which it is dated, and its course.
    """

    who: str
    memory: int
    text: str
    people: list[str]
    address: str
    due: int | None
    steps: list[WishStepView]


class DirectorMoveView(TypedDict):
    """A move of the director at `tick`: an occasion or a stranger at `address`, or a letter to
    `who`; each is "" where there is none.
    """

    tick: int
    kind: Literal["occasion", "letter", "stranger"]
    address: str
    who: str
    text: str
    why: str


class WorldEditView(TypedDict):
    """A change of the rules that the world editor proposed at `tick`, as the patch of a law, with
    the lines of what it changes and of its harms. `pairs` are the lowest levels of vital needs with
    it and without, 0 to 1000 points; `entered` tells if it was entered.
    """

    tick: int
    why: str
    patch: str
    changes: list[str]
    harms: list[str]
    pairs: list[tuple[int, int]]
    entered: bool


class Begun(TypedDict):
    """A conversation to jump to: its id, its participants, and its start."""

    id: str
    people: list[str]
    tick: int


class ThreadMove(TypedDict):
    """A step of progress of a story's thread, or an event that prepared it (`omen`), at `tick`: its
    description, its cause in words, and the conversation that caused it.
    """

    tick: int
    stage: Literal["planted", "active", "paid_off", "dropped"]
    omen: bool
    text: str
    because: str
    talk: Begun | None


class StoryThread(TypedDict):
    """A thread of a story, in the run's language, with its moves in order."""

    number: int
    title: str
    stage: Literal["planted", "active", "paid_off", "dropped"]
    who: list[str]
    moves: list[ThreadMove]


class Story(TypedDict):
    id: str
    title: str


class Spread(TypedDict):
    """The stories to choose from, and, if there is a topic, what the town shows of it and the
    residents who learned of it.
    """

    stories: list[Story]
    truth: NotRequired[str]
    learned: NotRequired[list[Any]]
