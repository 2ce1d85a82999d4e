"""What residents, places and models are called in a run's language."""

from __future__ import annotations

from pathlib import Path

from modules.errors import BadInput
from modules.paths import WORLDS
from modules.storage.manifest import Manifest
from modules.text import catalogue
from modules.world.clones import original, populated
from modules.world.load import load_world
from modules.world.maze import Tile
from modules.world.persona import Persona
from modules.world.world import World, arena_of


class Names:
    """Names from a world, in its language; without a world ids stand for themselves.

    `missing` says why there is no world, "" if there is one.
    """

    def __init__(self, world: World | None, missing: str = "") -> None:
        self.world = world
        self.missing = missing

    @classmethod
    def of(cls, manifest: Manifest, root: Path = WORLDS) -> Names:
        """The names of the world that a run lives in, if its folder below `root` is still there and whole."""
        try:
            world = load_world(manifest.world, manifest.lang, root)
        except BadInput as error:
            return cls(None, error.lines[0].said(manifest.lang))
        return cls(populated(world, [who for who in manifest.residents if original(who) in world.personas]))

    def persona(self, who: str) -> Persona | None:
        return self.world.personas.get(who) if self.world else None

    def person(self, who: str) -> str:
        persona = self.persona(who)
        return persona.name if persona else who

    def place(self, address: str) -> str:
        """The place of an arena or of a thing, as people would say it."""
        arena = arena_of(address)
        return self.world.place_name(arena) if self.world and arena in self.world.arenas else arena

    def building(self, sector: str) -> str:
        """What a sector, the first part of an address, is called."""
        return self.world.name_of(sector) if self.world else sector

    def place_at(self, tile: Tile, otherwise: str) -> str:
        """The place in which a tile lies; that of the address `otherwise` where no map tells."""
        return self.place((self.world.maze.arena_at(tile) if self.world else "") or otherwise)


def model_name(manifest: Manifest) -> str:
    """The model that spoke, in the run's language; the scripted one is always named as what it is."""
    return catalogue(manifest.lang, "report")["scripted"] if manifest.llm == "scripted" else manifest.llm
