"""The residents of a district: copies of a town's residents in houses of their own.

Each has the character of another resident of the town, gets up slightly later than their
counterpart in the district before, and knows a resident across the border. Districts have no
storyline, since it would concern people of other names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from hometown.authoring.districts.grid import District, Grid
from hometown.authoring.districts.people_names import Called, Residents
from hometown.authoring.districts.retelling import Retold, others_for, retell_texts
from hometown.clock import DAY, hhmm, parse_hhmm
from hometown.json_object import Json
from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.world import Storyline, sector_of

LATER = 5
"""Minutes by which the day begins later from one district to the next, for a week of them, so that
the crowd does not move in lockstep.
"""

WEEK = 7

ACROSS = 3
"""Closeness to an acquaintance across the border."""

LOOKS = 4
"""Number of looks for each resident, the original included; the districts rotate through them."""

Resident = Json


@dataclass(frozen=True)
class TownCast:
    """The residents of the town that districts copy.

    Attributes:
        residents: The content of each resident's file, by id.
        called: The residents' names, by number of the district.
        sectors: The ids of the town's sectors.
        places: The names of the town's buildings and open places without residents, in one text.
        storylines: The world's storylines, by language.
    """

    residents: Residents
    called: Mapping[int, Called]
    sectors: frozenset[str]
    places: str
    storylines: Mapping[Lang, Sequence[Storyline]]

    def others(self, district: District) -> dict[str, str]:
        """Return the names in a district by the original names."""
        return others_for(self.called[1], self.called[district.number], self.places)

    def of(self, district: District, grid: Grid) -> Iterator[tuple[str, Resident]]:
        """Yield (id, content of the resident's file) for each resident of a district.

        In the first district these are the town's residents. In the others each resident has other
        names, the character of another resident of the town, and a day that begins later by
        `LATER` minutes for each district before. In all districts, addresses, ids in relations and
        paths of pictures are the district's own, and each resident knows one in each adjacent
        district of their row or column.
        """
        order, others = list(self.residents), self.others(district)
        for at, who in enumerate(order):
            if district.number == 1:
                life = dict(self.residents[who])
            else:
                life = retell_texts(self._plain[who], lambda text: self._retold(text).of(others))
                character = self._plain[order[(at + district.number - 1) % len(order)]]
                life |= {key: character[key] for key in ("innate", "interests")} | _delay_day(
                    life, LATER * ((district.number - 1) % WEEK)
                )
            life["relations"] = _prefix_relations(
                life.get("relations", {}), district
            ) | _make_acquaintances(who, at, district, grid)
            yield (
                district.prefix + who,
                life | self._move_life(who, life, district) | _find_pictures(life, who, district),
            )

    @cached_property
    def _plain(self) -> dict[str, Resident]:
        """Return the residents without their part in the storylines."""
        return {
            who: _without_storylines(resident, self.storylines)
            for who, resident in self.residents.items()
        }

    @cached_property
    def _retold(self) -> Callable[[str], Retold]:
        """Return the function that splits a text at the names that are replaced, once for all
        districts.
        """
        names = others_for(self.called[1], self.called[1], self.places)
        return cache(lambda text: Retold(text, names))

    def _move_life(self, who: str, life: Resident, district: District) -> Resident:
        """Return the addresses and memories of a resident's life, moved to a district."""

        def relocate(address: str) -> str:
            return district.prefix + address if sector_of(address) in self.sectors else address

        return {
            "home": relocate(life["home"]),
            "sleeps": relocate(life["sleeps"]),
            "knows": [relocate(place) for place in life.get("knows", ())],
            "habits": [habit | {"place": relocate(habit["place"])} for habit in life["habits"]],
            "seeds": [
                seed
                | {
                    "about": [district.prefix + other for other in seed.get("about", ())],
                    "subject": district.prefix + (seed.get("subject") or who),
                }
                for seed in life.get("seeds", ())
            ],
        }


def look(district: District) -> int:
    """Return the number of the set of pictures that a district's residents use, from 0 for the
    originals up to `LOOKS` - 1.
    """
    return (district.number - 1) % LOOKS


def _find_pictures(life: Resident, who: str, district: District) -> Resident:
    """Return the paths of a resident's portrait and sprite in their district; "" for a picture
    that the original resident lacks.
    """
    number = look(district)
    return {
        kind: f"{kind}s/{who}_{number + 1}.png" if number and life.get(kind) else life.get(kind, "")
        for kind in ("portrait", "sprite")
    }


def _prefix_relations(relations: Mapping[str, Any], district: District) -> Json:
    """Return relations with the ids that the others have in a district."""
    return {district.prefix + other: relation for other, relation in relations.items()}


def _make_acquaintances(who: str, at: int, district: District, grid: Grid) -> Json:
    """Return a resident's acquaintances across the border: counterparts in the adjacent districts,
    in the same row for one half of the residents, in the same column for the others.
    """
    column, row = district.at
    right, down = (1, 0) if at % 2 else (0, 1)
    beside = [
        other
        for other in (grid.at(column - right, row - down), grid.at(column + right, row + down))
        if other
    ]
    return {
        other.prefix + who: {
            "text": {
                lang: catalogue(lang, "districts")["acquaintance"].format(district=name)
                for lang, name in other.names.items()
            },
            "closeness": ACROSS,
        }
        for other in beside
    }


def _delay_day(life: Resident, minutes: int) -> Resident:
    """Return the hours of waking and going to bed and the habits, all later by some minutes; by
    fewer if the last habit would end after midnight.
    """
    spare = DAY - max(parse_hhmm(habit["end"]) for habit in life["habits"])
    minutes = min(minutes, spare)

    def at(time: str) -> str:
        return hhmm((parse_hhmm(time) + minutes) % DAY)

    habits = [
        habit | {"start": at(habit["start"]), "end": hhmm(parse_hhmm(habit["end"]) + minutes)}
        for habit in life["habits"]
    ]
    return {"wake": at(life["wake"]), "bed": at(life["bed"]), "habits": habits}


def _without_storylines(
    resident: Mapping[str, Any], storylines: Mapping[Lang, Sequence[Storyline]]
) -> Resident:
    """Return a resident without memories and thoughts about a storyline; their concern becomes
    their usual day.
    """

    def tells(texts: Mapping[Lang, str]) -> bool:
        return any(
            storyline.is_mentioned_in(texts[lang])
            for lang, known in storylines.items()
            for storyline in known
        )

    seeds = [
        seed
        for seed in resident.get("seeds", ())
        if not seed.get("storyline") and not tells(seed["text"])
    ]
    return dict(resident) | {
        "seeds": seeds,
        "currently": resident["lifestyle" if tells(resident["currently"]) else "currently"],
    }
