"""Places for a resident's activities: their own home, and the town's places by purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hometown.authoring.importing.rooms import Furnished, MarkedThing, Place
from hometown.world.world import sector_of

FOOD = ("eat", "dining", "cook", "snack")
SERVED = ("eat", "order")


@dataclass(frozen=True)
class Surroundings:
    """A town as one resident uses it: their own arena, and other places by tag. `number` tells
    residents apart.
    """

    town: Furnished
    home: Place
    number: int

    def inside(self, arena: Place, wanted: Sequence[str], index: int = 0) -> str:
        """Return a thing of an arena with one of the tags, beds aside, or the arena itself if none
        fits; for `index` 0 the first with the earliest of the tags, for others the next ones in
        turn.
        """
        fitting = [
            item
            for tag in wanted
            for item in self.town.things_in(arena.address)
            if tag in tags_of(item) and "sleep" not in tags_of(item)
        ]
        return fitting[index % len(fitting)].address if fitting else arena.address

    def at_home(self, wanted: Sequence[str]) -> str:
        """Return a fitting thing in the resident's room, else in a shared room of the house, else
        "".
        """
        house = sector_of(self.home.address)
        shared = [
            arena
            for arena in self.town.arenas.values()
            if sector_of(arena.address) == house and "bedroom" not in tags_of(arena)
        ]
        for arena in (self.home, *shared):
            spot = self.inside(arena, wanted)
            if spot != arena.address:
                return spot
        return ""

    def among_people(self, wanted: Sequence[str]) -> Place | None:
        """Return a public place of the kinds wanted, the earlier kinds first; different `number`s
        get different places. None if there is no such place.
        """
        public = [
            arena for arena in self.town.arenas.values() if arena.properties.get("public", True)
        ]
        fitting = [arena for tag in wanted for arena in public if tag in tags_of(arena)]
        return fitting[self.number % len(fitting)] if fitting else None

    def table(self) -> str:
        """Return a place with food: at home, else at a café, else home in any case."""
        cafe = self.among_people(("cafe",))
        return self.at_home(FOOD) or (
            self.inside(cafe, SERVED, self.number) if cafe else self.home.address
        )

    def place_named(self, clause: str) -> Place | None:
        """Return the arena, public or in the resident's own house, that a clause names by its own
        name and its building's; longer matches win. None if it names none.
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


def tags_of(marked: MarkedThing | Place) -> list[str]:
    """Return the tags of a thing or a place."""
    return [tag.strip() for tag in str(marked.properties["tags"]).split(",")]
