"""Places for a resident's activities: its own home, and a town's places by purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hometown.authoring.importing.furnish import Furnished, Item, Place
from hometown.world.world import sector_of

FOOD = ("eat", "dining", "cook", "snack")
SERVED = ("eat", "order")


@dataclass(frozen=True)
class Surroundings:
    """A town as one resident uses it: its own arena, and how its places are found by their tags.
    `number` tells residents apart.
    """

    town: Furnished
    home: Place
    number: int

    def inside(self, arena: Place, wanted: Sequence[str], index: int = 0) -> str:
        """The thing of an arena that fits best, or the arena itself where none does."""
        fitting = [
            item
            for tag in wanted
            for item in self.town.things_in(arena.address)
            if tag in tags_of(item) and "sleep" not in tags_of(item)
        ]
        return fitting[index % len(fitting)].address if fitting else arena.address

    def at_home(self, wanted: Sequence[str]) -> str:
        """In the own room if it has something that fits, else in a room of the house that anybody
        there uses, else "".
        """
        house = sector_of(self.home.address)
        shared = [
            arena
            for arena in self.town.arenas.values()
            if sector_of(arena.address) == house and "bedroom" not in str(arena.properties["tags"])
        ]
        for arena in (self.home, *shared):
            spot = self.inside(arena, wanted)
            if spot != arena.address:
                return spot
        return ""

    def among_people(self, wanted: Sequence[str]) -> Place | None:
        """A public place of the kinds wanted; different numbers get different places."""
        public = [
            arena for arena in self.town.arenas.values() if arena.properties.get("public", True)
        ]
        fitting = [
            arena
            for tag in wanted
            for arena in public
            if tag in str(arena.properties["tags"]).split(", ")
        ]
        return fitting[self.number % len(fitting)] if fitting else None

    def table(self) -> str:
        """Where there is food: at home, or else at a café, or else at home even so."""
        cafe = self.among_people(("cafe",))
        return self.at_home(FOOD) or (
            self.inside(cafe, SERVED, self.number) if cafe else self.home.address
        )

    def place_named(self, clause: str) -> Place | None:
        """The arena that a clause names, by its own name and its building's; the more of both is
        named, the better the match.
        """
        text, house = clause.lower(), sector_of(self.home.address)
        scores = {
            names: sum(len(name) for name in set(names) if len(name) > 1 and name.lower() in text)
            for names in self.town.arenas
        }
        mine = [
            names
            for names, arena in self.town.arenas.items()
            if arena.properties.get("public", True) or sector_of(arena.address) == house
        ]
        best = max(mine, key=lambda names: scores[names], default=None)
        return self.town.arenas[best] if best and scores[best] else None


def tags_of(item: Item) -> list[str]:
    """The tags of a thing."""
    return [tag.strip() for tag in str(item.properties["tags"]).split(",")]
