"""The blocks of a run by their addresses, as the server returns and `replay.html` embeds them.

An address is relative to the run's. Most blocks cover a range of steps, with the width given by
`playback.widths`; the others cover the whole run. Each is read from the database separately, so
that a page loads only the blocks that it shows.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from hometown.errors import BadInput
from hometown.history import marks, playback, topics
from hometown.history.beliefs import beliefs
from hometown.history.causes import Log, causes, prompts
from hometown.history.conversations import conversations, threads
from hometown.history.diaries import diary
from hometown.history.diary import days_of
from hometown.history.foreshadowing import foreshadowing
from hometown.history.gazette import Archive, gazette
from hometown.history.highlights import highlights, scenes
from hometown.history.insight import PLOTS
from hometown.history.memories import memories
from hometown.history.names import Names
from hometown.history.occasions import gatherings
from hometown.history.reader import RunReader
from hometown.history.residents import resident, trail
from hometown.history.spread import Topic
from hometown.history.stores import stores
from hometown.language import LANGS

RESIDENT_RANGES = ("resident", "memories", "trail", "beliefs", "causes", "prompts")
"""Kinds of blocks for each resident and range of steps; the address of `resident` is
`residents/<id>`, that of the others below it.
"""

RANGES = ("frames", "conversations", "stores")
"""Kinds of blocks for each range of steps."""


class Blocks:
    """The blocks of a run that is open for reading. All methods raise BadInput for an unknown
    address, resident or topic.
    """

    def __init__(self, run: RunReader, names: Names) -> None:
        self.run = run
        self.names = names
        self._log = Log(run)
        self._archive = Archive(run, names)
        self._of_run: dict[str, Callable[[], Any]] = {
            "marks": lambda: marks.marks(run),
            "threads": lambda: threads(run),
            "highlights": lambda: highlights(run, names),
            "scenes": lambda: scenes(run, names),
            "occasions": lambda: gatherings(run),
            "foreshadowing": lambda: foreshadowing(run, names),
            "arenas": lambda: playback.arenas(names),
            "spread": lambda: self._spread(None),
        }

    def width(self, kind: str) -> int:
        """Return the number of steps that a block of this kind covers."""
        return playback.widths(self.run)[kind]

    def range(self, kind: str, first: int, last: int) -> Any:
        """Return the block of steps `first` to `last`, of one of the kinds in `RANGES`."""
        if kind == "stores":
            return stores(self.run, self.names, first, last)
        return {"frames": playback.frames, "conversations": conversations}[kind](
            self.run, first, last
        )

    def of_resident(self, kind: str, who: str, first: int, last: int) -> Any:
        """Return a resident's block of steps `first` to `last`, of one of the kinds in
        `RESIDENT_RANGES`.
        """
        self._check(who)
        if kind == "resident":
            return resident(self.run, self.names, who, first, last)
        if kind == "causes":
            return causes(self.run, self.names, self._log, who, first, last)
        if kind == "prompts":
            return prompts(self.run, self._log, who, first, last)
        return {"memories": memories, "trail": trail, "beliefs": beliefs}[kind](
            self.run, who, first, last
        )

    def of_run(self, address: str) -> Any:
        """Return a block of the whole run.

        Args:
            address: `marks`, `threads`, `highlights`, `scenes`, `occasions`, `foreshadowing`,
                `arenas`, `spread`, `insight/<plot>`, `gazette/<lang>/<day>`, `residents/<id>/…` or
                `spread/…`.
        """
        match address.split("/"):
            case [name] if name in self._of_run:
                return self._of_run[name]()
            case ["insight", plot] if plot in PLOTS:
                return PLOTS[plot](self.run, self.names)
            case ["residents", who, "marks"]:
                self._check(who)
                return marks.events_of(self.run, who)
            case ["residents", who, "diary", day]:
                self._check(who)
                archive = self._archive
                return diary(self.run, archive.workdays, archive.day_stories, who, self._day(day))
            case ["gazette", lang, day] if lang in LANGS:
                return gazette(self._archive, lang, self._day(day))
            case ["spread", "story", story]:
                return self._spread(self._story(story))
            case ["spread", "memory", who, number]:
                return self._spread(self._memory(who, number))
        raise BadInput("there is nothing at {address}", address=address[:80])

    def addresses(self) -> list[str]:
        """Return the addresses of the blocks of the whole run, except `spread/memory/…`."""
        stories = [f"spread/story/{story['id']}" for story in topics.stories(self.names)]
        days = [day.isoformat() for day in days_of(self.run, self.run.last_step())]
        people = [
            f"residents/{who}/{part}"
            for who in self.run.residents
            for part in ("marks", *(f"diary/{day}" for day in days))
        ]
        papers = [f"gazette/{lang}/{day}" for lang in LANGS for day in days]
        return [*self._of_run, *(f"insight/{plot}" for plot in PLOTS), *stories, *papers, *people]

    def _check(self, who: str) -> None:
        if who not in self.run.residents:
            raise BadInput("nobody in this run has the id {who}", who=who[:40])

    def _day(self, day: str) -> date:
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

    def _story(self, story: str) -> Topic:
        for storyline in self.names.world.storylines if self.names.world else ():
            if storyline.id == story:
                return storyline
        raise BadInput("the world of this run has no storyline {story}", story=story[:40])

    def _memory(self, who: str, number: str) -> Topic:
        recalled = (
            self.run.recall(who, [int(number)])
            if number.isascii() and number.isdigit() and len(number) < 10
            else []
        )
        if not recalled:
            raise BadInput("{who} has no memory {number}", who=who[:40], number=number[:20])
        return topics.Retelling(
            recalled[0].concept.text, [self.names.person(other) for other in self.run.residents]
        )

    def _spread(self, topic: Topic | None) -> Any:
        """Return the world's storylines; for a topic, also the residents who learned of it."""
        return {"stories": topics.stories(self.names)} | (
            topics.describe_spread(self.run, self.names, topic) if topic else {}
        )
