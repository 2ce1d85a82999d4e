"""The views of a run, each declared once: an address, its reader and its type.

The server's routes, the blocks of `replay.html` and the page's types follow from `VIEWS`. An address
is relative to the run's. A view is read from the database as one block of the whole run, or as blocks
that cover ranges of steps, so that a page loads only the blocks that it shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from functools import cache
from inspect import signature
from itertools import product
from typing import Any

from hometown.errors import BadInput
from hometown.frozen import frozen
from hometown.history import marks, playback, shapes, topics
from hometown.history.alerts import alerts
from hometown.history.archive import Archive
from hometown.history.beliefs import beliefs
from hometown.history.causes import Log, causes, prompts
from hometown.history.chapters import chapters
from hometown.history.conversations import conversations, threads
from hometown.history.diaries import diary
from hometown.history.diary import days_of
from hometown.history.director_hand import show_director_moves
from hometown.history.edited_rules import show_world_edits
from hometown.history.foreshadowing import foreshadowing
from hometown.history.gazette import gazette
from hometown.history.highlights import highlights, scenes
from hometown.history.insight import PLOTS
from hometown.history.memories import memories
from hometown.history.names import Names
from hometown.history.news_beliefs import judge_topic, list_claims_to_tell
from hometown.history.occasions import gatherings
from hometown.history.parallel_texts import pair_texts
from hometown.history.reader import RunReader
from hometown.history.residents import resident, trail
from hometown.history.spread import Topic
from hometown.history.stores import stores
from hometown.history.wish_threads import list_wishes
from hometown.json_object import Json
from hometown.language import LANGS, Lang
from hometown.storage.recordings import recording_title

Reader = Callable[..., Any]
"""A function that returns a block. It names as parameters what it needs: `blocks`, attributes of
these, the parts of the address (a day as a date), and for a range its `first` and `last` step.
"""


@frozen
class View:
    """A view of a run.

    Attributes:
        address: The address, with parts in angle brackets, one of `Blocks.parts`.
        read: The reader.
        shape: The type of a block.
        kind: The kind of its ranges; "" for a view of the whole run.
        is_wide: Whether a range covers many steps, for a view that is searched, or few, for one that
            is needed at every step.
        is_immutable: Whether a range depends on committed steps alone, and not on the world.
        is_slow: Whether the block takes long to read, so that browsers keep it.
    """

    address: str
    read: Reader
    shape: Any
    kind: str = ""
    is_wide: bool = False
    is_immutable: bool = False
    is_slow: bool = False

    @property
    def parts(self) -> list[str]:
        """Return the names of the address's parts."""
        return re.findall(r"<(\w+)>", self.address)

    @property
    def is_of_resident(self) -> bool:
        """Return True if the view is of one resident."""
        return "who" in self.parts

    def fill(self, values: Sequence[str]) -> str:
        """Return the address with these values in place of its parts, in their order."""
        left = iter(values)
        return re.sub(r"<\w+>", lambda part: next(left), self.address)

    def match(self, address: str) -> list[str] | None:
        """Return the values of the parts in an address; None for another view's address."""
        pattern = re.sub(r"<\w+>", "([^/]+)", self.address)
        found = re.fullmatch(pattern, address)
        return list(found.groups()) if found else None


VIEWS = (
    View("frames", playback.frames, shapes.Frames, "frames", is_immutable=True),
    View("stores", stores, shapes.Stores, "stores"),
    View(
        "conversations",
        conversations,
        shapes.Conversations,
        "conversations",
        is_wide=True,
        is_immutable=True,
    ),
    View(
        "residents/<who>/memories",
        memories,
        shapes.Memories,
        "memories",
        is_wide=True,
        is_immutable=True,
    ),
    View("residents/<who>/trail", trail, shapes.Trail, "trail", is_wide=True, is_immutable=True),
    View(
        "residents/<who>/beliefs",
        beliefs,
        shapes.Beliefs,
        "beliefs",
        is_wide=True,
        is_immutable=True,
    ),
    View("residents/<who>", resident, shapes.ResidentBlock, "resident"),
    View("residents/<who>/causes", causes, shapes.Causes, "causes", is_immutable=True),
    View("residents/<who>/prompts", prompts, shapes.Prompts, "prompts", is_immutable=True),
    View("marks", marks.marks, shapes.Marks),
    View("threads", threads, list[shapes.ThreadView]),
    View("highlights", highlights, list[shapes.Highlight]),
    View("chapters", chapters, list[shapes.ChapterView]),
    View("alerts", alerts, list[shapes.AlertView]),
    View("scenes", scenes, list[shapes.SceneView]),
    View("occasions", gatherings, list[shapes.OccasionView]),
    View("wishes", list_wishes, list[shapes.WishView]),
    View("director", show_director_moves, list[shapes.DirectorMoveView]),
    View("edits", show_world_edits, list[shapes.WorldEditView]),
    View("foreshadowing", foreshadowing, list[shapes.StoryThread]),
    View("arenas", playback.arenas, shapes.Arenas),
    View("spread", lambda blocks: blocks.spread(None), shapes.Spread),
    View("insight/<plot>", lambda run, names, plot: PLOTS[plot](run, names), Json, is_slow=True),
    View(
        "spread/story/<story>",
        lambda blocks, story: blocks.spread(blocks.story(story)),
        shapes.Spread,
    ),
    View(
        "spread/memory/<who>/<memory>",
        lambda blocks, who, memory: blocks.spread(blocks.memory(who, memory)),
        shapes.Spread,
    ),
    View("gazette/<lang>/<day>", gazette, shapes.Gazette),
    View("residents/<who>/marks", marks.events_of, list[shapes.Mark]),
    View(
        "residents/<who>/diary/<day>",
        lambda run, archive, who, day: diary(run, archive.workdays, archive.day_stories, who, day),
        shapes.Diary,
    ),
)
"""All views, in the order in which a page needs them."""

RANGES = {view.kind: view for view in VIEWS if view.kind}
"""The views that are read by ranges of steps, by their kind."""


def widths(run: RunReader) -> dict[str, int]:
    """Return the number of steps of a range, by kind: wide views have `CHUNKS_PER_WIDE_BLOCK` times
    as many as others.
    """
    chunk = playback.chunk_of(run)
    wide = playback.CHUNKS_PER_WIDE_BLOCK * chunk
    return {kind: wide if view.is_wide else chunk for kind, view in RANGES.items()}


def describe_run(run: RunReader, names: Names, base: str, lang: Lang | None = None) -> Json:
    """Return the data that the page needs before playback, with the steps of each kind's ranges; the
    addresses of map and images begin with `base`. The world, places and things have their names in
    `lang`, by default in the run's language, and `words` has what the world's author has written in
    both.
    """
    lang = lang or run.manifest.lang
    described = playback.details(run, names, base) | {"widths": widths(run)}
    described["title"] = recording_title(run.run.id, lang)
    world = names.translate(lang).world
    if names.world is None or world is None or world is names.world:
        return described
    words = pair_texts(names.world, lang)
    return playback.translate_places(described, world) | {"words": words}


class Blocks:
    """The pieces of data that the page loads of a run, its blocks: all views of it, by address. All
    methods raise BadInput for an unknown address, resident or topic.
    """

    def __init__(self, run: RunReader, names: Names) -> None:
        self.run = run
        self.names = names
        self.log = Log(run)
        self.archive = Archive(run, names)

    def read(self, view: View, values: Sequence[str], *steps: int) -> Any:
        """Return a block of a view for these values of its address's parts: for the range from the
        first to the last of `steps`, or, without steps, for the whole run.
        """
        given: Json = dict(zip(view.parts, values, strict=True))
        for part, value in given.items():
            if part == "who":
                self._check(value)
            elif part == "day":
                given[part] = self.day(value)
            elif part in ("plot", "lang") and value not in self._values(part):
                raise _unknown(view.fill(values))
        given |= dict(zip(("first", "last"), steps, strict=False)) | {"blocks": self}
        return view.read(
            *(
                given[name] if name in given else getattr(self, name)
                for name in _parameters(view.read)
            )
        )

    def range(self, kind: str, first: int, last: int, *who: str) -> Any:
        """Return the block of steps `first` to `last` of the view with a kind; `who` is the
        resident, for views of one.
        """
        return self.read(RANGES[kind], who, first, last)

    def of_run(self, address: str) -> Any:
        """Return the block of the whole run at an address. Raises BadInput if no view has that
        address.
        """
        for view in VIEWS:
            values = None if view.kind else view.match(address)
            if values is not None:
                return self.read(view, values)
        raise _unknown(address)

    def addresses(self) -> list[str]:
        """Return the addresses of the blocks of the whole run, except `spread/memory/…`."""
        return [
            view.fill(values)
            for view in VIEWS
            if not view.kind
            for values in product(*map(self._values, view.parts))
        ]

    def _values(self, part: str) -> Sequence[str]:
        """Return the values of a part of addresses; none for memories, of which there are too many."""
        match part:
            case "who":
                return self.run.residents
            case "day":
                return [day.isoformat() for day in days_of(self.run, self.run.last_step())]
            case "story":
                return [story["id"] for story in topics.stories(self.names)]
            case "lang":
                return LANGS
            case "plot":
                return tuple(PLOTS)
        return ()

    def _check(self, who: str) -> None:
        """Raise BadInput for an unknown resident."""
        if who not in self.run.residents:
            raise BadInput("nobody in this run has the id {who}", who=who[:40])

    def day(self, day: str) -> date:
        """Return a day of the run, given as an ISO date. Raises BadInput for any other text."""
        days = days_of(self.run, self.run.last_step())
        try:
            wanted = date.fromisoformat(day)
        except ValueError:
            wanted = date.min
        if wanted not in days:
            raise BadInput(
                "{day} is not a day of this run, which lasts from {first} to {last}",
                day=day[:40],
                first=days[0],
                last=days[-1],
            )
        return wanted

    def story(self, story: str) -> Topic:
        """Return a storyline of the world by its id. Raises BadInput for an unknown one."""
        for storyline in self.names.storylines:
            if storyline.id == story:
                return storyline
        raise BadInput("the world of this run has no storyline {story}", story=story[:40])

    def memory(self, who: str, number: str) -> Topic:
        """Return the storyline or the happening that a resident's memory tells of, or else its own
        words, by the number of the memory. Raises BadInput for an unknown one.
        """
        is_number = number.isascii() and number.isdigit() and len(number) < 10
        recalled = self.run.recall(who, [int(number)]) if is_number else []
        if not recalled:
            raise BadInput("{who} has no memory {number}", who=who[:40], number=number[:20])
        text = recalled[0].concept.text
        claims = list_claims_to_tell(self.run, self.names, self.run.last_step())
        told = (claim.topic for claim in claims if claim.topic.is_mentioned_in(text))
        return next(told, topics.ExactWords(text))

    def spread(self, topic: Topic | None) -> Any:
        """Return the world's storylines, and, if there is a topic, the residents who learned of it."""
        stories: dict[str, Any] = {"stories": topics.stories(self.names)}
        if topic is None:
            return stories
        truth = judge_topic(self.run, self.names, topic, self.run.last_step())
        spread = topics.describe_spread(self.run, self.names, topic)
        return stories | {"truth": truth} | spread


@cache
def _parameters(read: Reader) -> tuple[str, ...]:
    """Return the names of a reader's parameters."""
    return tuple(signature(read).parameters)


def _unknown(address: str) -> BadInput:
    """Return the error for an address without a block."""
    return BadInput("there is nothing at {address}", address=address[:80])
