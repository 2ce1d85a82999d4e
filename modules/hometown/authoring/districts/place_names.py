"""The names of a district's places, distinct from those of all other districts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from hometown.authoring.districts.grid import District
from hometown.authoring.districts.people_names import Called, Residents, surname
from hometown.authoring.districts.retelling import Retold
from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.tiled import TiledMap
from hometown.world.world import sector_of

Names = dict[tuple[str, Lang], str]
"""Names by address and language."""


def names_on(drawn: TiledMap, langs: tuple[Lang, ...]) -> Names:
    """Return the names of the places and things of a map."""
    return {
        (item.name, prop["name"]): str(prop["value"])
        for item in drawn.objects
        for prop in item.raw.get("properties", [])
        if prop.get("name") in langs
    }


class Signs:
    """The names of a town's places, to be told of its districts."""

    def __init__(self, own: Names, residents: Residents, named: Mapping[str, str]) -> None:
        self.own = own
        self.retold = {key: Retold(name, named) for key, name in own.items()}
        self.homes: dict[str, list[str]] = defaultdict(list)
        for who, resident in residents.items():
            self.homes[sector_of(resident["home"])].append(who)

    def of(self, district: District, called: Called, others: Mapping[str, str]) -> Names:
        """Return the names in a district: of buildings and of places named after them, and other
        names with the residents' names replaced.
        """
        return {
            (address, lang): self._name_building(
                self._find_building(address, lang), called, lang, district, others
            )
            or retold.of(others)
            for (address, lang), retold in self.retold.items()
        }

    def _find_building(self, address: str, lang: Lang) -> str:
        """Return the address of the building or open place of the same name; "" for a room or a
        thing with a name of its own.
        """
        sector = sector_of(address)
        return sector if self.own[address, lang] == self.own.get((sector, lang)) else ""

    def _name_building(
        self,
        address: str,
        called: Called,
        lang: Lang,
        district: District,
        others: Mapping[str, str],
    ) -> str:
        """Return the name of a building or an open place; a name without a resident's name gets the
        district's added. "" without an address.
        """
        if not address:
            return ""
        name = self._name_home(address, called, lang) or self.retold[address, lang].of(others)
        return (
            catalogue(lang, "districts")["in_district"].format(
                place=name, district=district.names[lang]
            )
            if name == self.own[address, lang]
            else name
        )

    def _name_home(self, address: str, called: Called, lang: Lang) -> str:
        """Return the name of a house of one resident or one family; "" for any other place."""
        people = [called[who][lang] for who in self.homes.get(address, ())]
        families = set(map(surname, people))
        words = catalogue(lang, "districts")
        if len(people) == 1:
            return words["home_of_one"].format(name=people[0])
        return words["home_of_family"].format(family=families.pop()) if len(families) == 1 else ""
