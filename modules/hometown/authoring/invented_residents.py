"""Invented residents, for whom a town has a free bed: somebody of `data/starter/people.json`, with
a usual day at the places that the town has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import count
from pathlib import Path

import orjson

from hometown.authoring.art.people import Look, look_for
from hometown.authoring.editing import residents_of
from hometown.authoring.map_checks import FOOD
from hometown.authoring.starter import STARTER, in_langs
from hometown.clock import hhmm
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.language import LANGS
from hometown.name import first_free
from hometown.world.load import inspect_world
from hometown.world.tiled.document import json_objects
from hometown.world.world import Thing, World, sector_of

PRONOUNS = {
    "she": {"en": ["she", "her", "her"], "zh": ["她"]},
    "he": {"en": ["he", "him", "his"], "zh": ["他"]},
    "they": {"en": ["they", "them", "their"], "zh": ["他"]},
}
OLD = 60
"""The age from which an invented resident looks old."""

BED_TIME = 22 * 60 + 30
REST = frozenset({"sofa", "armchair", "read", "rest"})
"""Tags of things at home where residents spend their evenings."""


def invent_resident(folder: Path) -> Json:
    """Return the content of a resident's file, for a free bed of a world. Nothing is written.

    Raises BadWorld if no bed is free, or for a world whose places can't be read.
    """
    world = next(filter(None, (inspect_world(folder, lang)[0] for lang in LANGS)), None)
    residents = residents_of(folder)
    bed = _find_free_bed(world, residents.values()) if world else None
    if world is None or bed is None:
        raise BadWorld("there is no free bed; put one into a room of a house first")
    town = TownWithBed(world, residents, bed)
    row = town.choose()
    names = {
        lang: first_free(name, [_text(other, "name", lang) for other in residents.values()])
        for lang, name in row["name"].items()
    }
    wake = 6 * 60 + 30 + len(residents) % 4 * 15
    times = {"wake": hhmm(wake), "bed": hhmm(BED_TIME)}
    news = {
        lang: f"{' '.join(words)}." if lang == "en" else f"{''.join(words)}。"
        for lang, words in row["news"].items()
    }
    lifestyle = {
        lang: text.format(name=names[lang], **times) for lang, text in _read()["lifestyle"].items()
    }
    look = _choose_look(f"{world.id} {names['en']}", row)
    content = {
        **{key: row[key] for key in ("age", "occupation", "innate", "learned", "interests")},
        "name": names,
        "pronouns": PRONOUNS[row["pronoun"]],
        "lifestyle": lifestyle,
        "currently": news,
        "daily_plan": row["plan"],
        **times,
        "home": bed.arena,
        "sleeps": bed.address,
        "habits": town.plan_day(row, wake),
        "relations": town.relations(),
        "knows": [sector for sector in world.sectors if sector != "outdoors"],
        "seeds": [_write_seed(row["news"], news)],
        "look": asdict(look) | {"extras": list(look.extras)},
    }
    return dict(in_langs(content, world.langs))


def _write_seed(words: Json, news: dict[str, str]) -> Json:
    """Return the first memory, of the news, which `words` has in parts by language."""
    return {
        "type": "thought",
        "poignancy": 6,
        "text": news,
        "predicate": _pick_words(words, 1),
        "object": _pick_words(words, 2),
    }


@dataclass(frozen=True)
class TownWithBed:
    """A town as a newcomer with this bed finds it. Of several public places that suit as well, they
    use the one numbered `turn`.
    """

    world: World
    residents: Json
    bed: Thing
    turn: int = 0

    def choose(self) -> Json:
        """Return a person for whom there is work that nobody does, or else the first who does not
        live here; the first of all where everybody does.
        """
        others = self.residents.values()
        known = {_text(other, "name", lang) for other in others for lang in LANGS}
        rows = [row for row in _read()["people"] if known.isdisjoint(row["name"].values())]
        habits = [habit for other in others for habit in json_objects(other.get("habits")) or ()]
        busy = {str(habit.get("place")) for habit in habits}
        fitting = (row for row in rows if (work := self._find_work(row)) and work not in busy)
        return next(fitting, (rows or _read()["people"])[0])

    def plan_day(self, row: Json, wake: int) -> list[Json]:
        """Return the habits of a usual day."""
        day, home = _read()["day"], sector_of(self.bed.address)
        kitchen = self._find(FOOD, home) or self.bed.arena
        work = self._find_work(row) or self._find({"desk", "work"}, home) or self.bed.arena
        stroll = self._find({"bench", "lawn", "fountain"}) or "outdoors/outdoors"
        parts = [
            (wake, self._find({"wash"}, home) or self.bed.arena, day["wash"]),
            (wake + 30, kitchen, day["breakfast"]),
            (wake + 75, work, row["job"]),
            (12 * 60, self._find({"eat"}) or kitchen, day["lunch"]),
            (13 * 60, work, row["job"]),
            (16 * 60 + 30, stroll, day["stroll"]),
            (18 * 60, kitchen, day["supper"]),
            (19 * 60, self._find(REST, home) or self.bed.arena, row["evening"]),
        ]
        ends = [start for start, _, _ in parts[1:]] + [BED_TIME]
        return [
            {"start": hhmm(start), "end": hhmm(end), "place": place, "activity": activity}
            for (start, place, activity), end in zip(parts, ends, strict=True)
        ]

    def relations(self) -> Json:
        """Return the relations to those who live in the same house, and to the last who moved in."""
        house = sector_of(self.bed.address)
        mates = [
            who
            for who, other in self.residents.items()
            if sector_of(str(other.get("home"))) == house
        ]
        friends = [who for who in list(self.residents)[-1:] if who not in mates]
        close = [(who, "housemate", 7) for who in mates] + [(who, "friend", 5) for who in friends]
        return {who: {"text": _read()[key], "closeness": level} for who, key, level in close}

    def _find_work(self, row: Json) -> str:
        """Return a public thing with the first of the tags of a person's work that there is."""
        return next(filter(None, (self._find({tag}) for tag in row["work"])), "")

    def _find(self, tags: Collection[str], home: str = "") -> str:
        """Return a thing with one of the tags, in a house or in a public place; "" for none."""
        found = []
        for address, thing in self.world.things.items():
            room = self.world.arenas.get(thing.arena)
            fits = sector_of(address) == home if home else room is not None and room.public
            if fits and not thing.tags.isdisjoint(tags) and "sleep" not in thing.tags:
                found.append(address)
        return found[0 if home else self.turn % len(found)] if found else ""


def _find_free_bed(world: World, residents: Iterable[Json]) -> Thing | None:
    """Return a bed in which nobody sleeps, in a room where nobody lives, if there is one."""
    taken = {str(other.get("sleeps")) for other in residents}
    beds = [
        thing
        for address, thing in world.things.items()
        if "sleep" in thing.tags and address not in taken
    ]
    homes = {bed.rpartition("/")[0] for bed in taken}
    return min(beds, key=lambda bed: bed.arena in homes, default=None)


def _choose_look(seed: str, row: Json) -> Look:
    """Return a look of the person's age."""
    looks = (look_for(f"{seed} {number}", row["pronoun"]) for number in count())
    return next(look for look in looks if look.aged == (row["age"] >= OLD))


def _text(content: Json, key: str, lang: str) -> str:
    """Return the text in one language of a field that holds one for each; "" if the field or the
    language is missing.
    """
    given = content.get(key)
    return str(given.get(lang, "")) if isinstance(given, dict) else ""


def _pick_words(texts: dict[str, Sequence[str]], number: int) -> dict[str, str]:
    """Return one of the words of each language."""
    return {lang: words[number] for lang, words in texts.items()}


@cache
def _read() -> Json:
    """Return the content of `data/starter/people.json`, read once."""
    content: Json = orjson.loads((STARTER / "people.json").read_bytes())
    return content
