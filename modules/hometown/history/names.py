"""Names of residents, places and models in a run's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from hometown.errors import BadInput, BadRun
from hometown.history.report_wording import REPORT_TEXTS
from hometown.language import Lang
from hometown.model.levels import RECORDED, SCRIPTED
from hometown.model.routing import public_name
from hometown.paths import WORLDS
from hometown.storage.held_gatherings import reschedule_gatherings
from hometown.storage.latecomers import latecomers
from hometown.storage.manifest import Manifest
from hometown.storage.world_copy import OpenRun, world_of
from hometown.text import catalogue, translate_all
from hometown.world.book.book import Book
from hometown.world.clones import original, populate
from hometown.world.load import load_world
from hometown.world.maze import Tile
from hometown.world.moving_in import add_latecomers
from hometown.world.persona import Persona
from hometown.world.world import Storyline, World, arena_of


class Names:
    """Names from a world, in its language; without a world, ids are used as names. `missing` is the
    reason for its absence, "" if there is a world. `authored` are the storylines with their
    gatherings as they were meant to be, those of the world by default.
    """

    def __init__(
        self,
        world: World | None,
        missing: str = "",
        authored: tuple[Storyline, ...] | None = None,
    ) -> None:
        self.world = world
        self.missing = missing
        self.authored = self.storylines if authored is None else authored

    @classmethod
    def of(cls, run: OpenRun, worlds: Path = WORLDS) -> Names:
        """Return the names of a run's world: those of the run's own copy, or, without a copy, those
        of the world folder of that name, if it loads.

        Raises:
            BadRun: The copy is damaged.
        """
        try:
            world = world_of(run, worlds)
        except BadRun:
            raise
        except BadInput as error:
            return cls(None, error.lines[0].localize(run.manifest.lang))
        founders = populate(
            world, [who for who in run.manifest.residents if original(who) in world.personas]
        )
        people = add_latecomers(founders, latecomers(run.database))
        held = reschedule_gatherings(people.storylines, run)
        world = people if held == people.storylines else replace(people, storylines=held)
        return cls(world, authored=people.storylines)

    def translate(self, lang: Lang) -> Names:
        """Return the names of places, things and storylines in another language; residents keep
        the names by which they call each other. Return these names where the world has no other.
        """
        world = self.world
        if world is None or lang == world.lang or lang not in world.langs:
            return self
        return Names(_translate(world, lang))

    @property
    def book(self) -> Book | None:
        """The rules of the world's society; None without one."""
        return self.world.book if self.world else None

    @property
    def storylines(self) -> tuple[Storyline, ...]:
        """The storylines of the world; none without a world."""
        return self.world.storylines if self.world else ()

    def storylines_at(self, run: OpenRun, step: int) -> tuple[Storyline, ...]:
        """Return the storylines with their gatherings as a run has them after a step."""
        return reschedule_gatherings(self.authored, run, step)

    def world_name(self, manifest: Manifest) -> str:
        """Return the name of a run's world; its id without a world."""
        return self.world.name if self.world else manifest.world

    def persona(self, who: str) -> Persona | None:
        """Return a resident as authored; None without a world, or for an unknown one."""
        return self.world.personas.get(who) if self.world else None

    def person(self, who: str) -> str:
        """Return a resident's name; the id if it is unknown."""
        persona = self.persona(who)
        return persona.name if persona else who

    def people(self, ids: Iterable[str]) -> str:
        """Join names of residents into an enumeration: "Ana, Bo and Cai"."""
        words = catalogue(self.world.lang if self.world else "en", "mind")
        return join_names([self.person(who) for who in ids], words)

    def place(self, address: str) -> str:
        """Return the name of the arena to which an address belongs; the arena's address if it has
        none.
        """
        arena = arena_of(address)
        return self.world.place_name(arena) if self.world and arena in self.world.arenas else arena

    def building(self, sector: str) -> str:
        """Return the name of a sector, the first part of an address; the sector itself without a
        world.
        """
        return self.world.name_of(sector) if self.world else sector

    def place_at(self, tile: Tile, otherwise: str) -> str:
        """Return the name of the place that holds a tile; that of the address `otherwise` if the
        map has none.
        """
        return self.place((self.world.maze.arena_at(tile) if self.world else "") or otherwise)


@lru_cache(maxsize=8)
def _translate(world: World, lang: Lang) -> World:
    """Return a world in another of its languages, with the same residents."""
    return replace(load_world(world.folder, lang, from_run=True), personas=world.personas)


def join_names(names: Sequence[str], words: Mapping[str, str], most: int | None = None) -> str:
    """Join names into an enumeration: "Ana, Bo and Cai"; of more than `most`, the first, and the
    number of the others.

    Args:
        words: The texts `and`, `comma` and, if there may be more, `and_more`.

    >>> words = {"and": " and ", "comma": ", ", "and_more": "{names} and {count} more"}
    >>> join_names(["Ana", "Bo", "Cai"], words), join_names(["Ana", "Bo", "Cai"], words, 2)
    ('Ana, Bo and Cai', 'Ana, Bo and 1 more')
    """
    if most is not None and len(names) > most:
        joined = words["comma"].join(names[:most])
        return words["and_more"].format(names=joined, count=len(names) - most, all=len(names))
    *others, last = names
    return words["and"].join([words["comma"].join(others), last]) if others else last


def model_name(manifest: Manifest) -> str:
    """Return the name of the model, in the run's language; the scripted model and recordings are
    always named as such.
    """
    if manifest.llm in (SCRIPTED, RECORDED):
        return translate_all(REPORT_TEXTS, manifest.lang)[manifest.llm]
    return public_name(manifest.llm)


def recording_note(manifest: Manifest) -> str:
    """Return the sentence that marks a recorded town, or the part of a fork that is one, in the
    run's language; "" for other runs.
    """
    if not manifest.recorded:
        return ""
    words = translate_all(REPORT_TEXTS, manifest.lang)
    end = f"{manifest.moment(manifest.recorded):%Y-%m-%d %H:%M}"
    return words["recording" if manifest.llm == RECORDED else "recording_until"].format(end=end)
