"""From newcomers to residents: ids, beds, a usual day, and what their texts say of each other."""

from __future__ import annotations

import re
from typing import Any

from modules.clock import hhmm
from modules.world.faults import Faults, likely
from modules.world.world import Lang
from modules.worlds.importing.clock_words import rhythm
from modules.worlds.importing.day import Haunts, tags_of, usual_day
from modules.worlds.importing.furnish import Furnished, Item, Place
from modules.worlds.importing.guess import identifier, mentions, table
from modules.worlds.importing.site import Newcomer

GENERATED = 6
"""Residents made up for a map that brings none, at most."""

HOUSEMATE, ACQUAINTANCE = 7, 5
"""How close people are who share a house, and who are named in each other's texts, from 0 to 10."""


def settle(people: list[Newcomer], found: Furnished, faults: Faults) -> dict[str, dict[str, Any]]:
    """The residents' files by id; a newcomer without a home or a bed is a fault."""
    lang = found.lang
    ids: list[str] = []
    for one in people:
        ids.append(identifier(one.name, ids))
    taken: set[str] = set()
    files: dict[str, dict[str, Any]] = {}
    for number, (who, one) in enumerate(zip(ids, people, strict=True)):
        home = found.arenas.get(one.home)
        if home is None:
            known = [" / ".join(names) for names in found.arenas]
            faults.add(one.file, "living_area", "{home!r} is no room of the map{hint}", home=" / ".join(one.home), hint=likely(" / ".join(one.home), known))
            continue
        bed = _bed(home, found, taken)
        if bed is None:
            faults.add(one.file, "living_area", "there is no bed left in {home!r}; mark one on the map, as a thing called bed", home=one.home[0])
            continue
        files[who] = _file(who, one, home, bed, Haunts(found, home, number), lang)
    by_name = {one.name: who for who, one in zip(ids, people, strict=True) if who in files}
    for who, one in zip(ids, people, strict=True):
        if who in files:
            files[who]["relations"] = _relations(who, one, by_name, files, lang)
    return files


def _bed(home: Place, found: Furnished, taken: set[str]) -> Item | None:
    """A bed with room: in the own room first, else in the house. Couples share one that has two seats."""
    house = home.address.split("/")[0]
    beds = [item for item in found.things if "sleep" in tags_of(item) and item.address.startswith(f"{house}/")]
    beds.sort(key=lambda item: not item.address.startswith(f"{home.address}/"))
    for item in beds:
        for seat in range(int(item.properties["seats"])):
            if f"{item.address}#{seat}" not in taken:
                taken.add(f"{item.address}#{seat}")
                return item
    return None


def _file(who: str, one: Newcomer, home: Place, bed: Item, haunts: Haunts, lang: Lang) -> dict[str, Any]:
    at = rhythm(one.lifestyle, lang)
    known = [place.address for names, place in haunts.found.sectors.items() if not one.knows or names[0] in one.knows]
    sectors = list(dict.fromkeys([home.address.split("/")[0], *known]))
    texts = {key: {lang: getattr(one, key) or one.lifestyle} for key in ("name", "innate", "learned", "lifestyle", "currently", "daily_plan")}
    return {
        **texts,
        "age": one.age, "occupation": {lang: _occupation(one, lang)}, "pronouns": {lang: _pronouns(one, lang)},
        "wake": hhmm(at.wake), "bed": hhmm(at.bed), "home": bed.address.rpartition("/")[0], "sleeps": bed.address, "interests": {lang: _interests(one, lang)},
        "knows": sectors, "habits": usual_day(one, haunts, lang), "seeds": _seeds(one, lang),
        "portrait": f"portraits/{who}.png", "sprite": f"sprites/{who}.png",
    }  # fmt: skip


def _all_texts(one: Newcomer) -> str:
    return " ".join((one.learned, one.currently, one.lifestyle, one.daily_plan))


def _occupation(one: Newcomer, lang: Lang) -> str:
    match = re.search(table(lang)["occupation"], one.learned)
    return one.occupation or (match[1].strip() if match else table(lang)["resident"])


def _pronouns(one: Newcomer, lang: Lang) -> list[str]:
    """By the pronoun that the texts use most; people who are called by none get the language's plain one."""
    text = _all_texts(one).lower()
    counts = {word: len(re.findall(rf"\b{word}\b" if word.isascii() else word, text)) for word in table(lang)["pronouns"] if word}
    best = max(counts, key=lambda word: counts[word])
    found: list[str] = table(lang)["pronouns"][best if counts[best] else ""]
    return found


def _interests(one: Newcomer, lang: Lang) -> list[str]:
    found = [row["interest"] for row in table(lang)["pursuits"] if mentions(_all_texts(one), row["words"])]
    return list(dict.fromkeys(found))[:4] or [table(lang)["interest"]]


def _seeds(one: Newcomer, lang: Lang) -> list[dict[str, Any]]:
    """What occupies somebody now, a memory for each sentence, told by name."""
    words = table(lang)
    sentences = [part.strip() for part in re.split(words["sentences"], one.currently) if part.strip()]
    pronouns = "|".join(word for word in words["pronouns"] if word)
    named = [re.sub(rf"^({pronouns})(?=\W|[\u4e00-\u9fff])", one.name, part, flags=re.IGNORECASE) for part in sentences]
    return [
        {"type": "thought", "poignancy": 6, "text": {lang: text}, "predicate": {lang: words["thinks"]}, "object": {lang: text.rstrip("。.！!")}}
        for text in named
    ]  # fmt: skip


def _relations(who: str, one: Newcomer, by_name: dict[str, str], files: dict[str, dict[str, Any]], lang: Lang) -> dict[str, Any]:
    """Those who live in the same house, and those whom the texts name."""
    house = files[who]["home"].split("/")[0]
    found = {}
    for name, other in by_name.items():
        if other == who:
            continue
        if files[other]["home"].split("/")[0] == house:
            found[other] = {"closeness": HOUSEMATE, "text": {lang: table(lang)["housemate"]}}
        elif name in _all_texts(one):
            found[other] = {"closeness": ACQUAINTANCE, "text": {lang: table(lang)["acquaintance"]}}
    return found


def made_up(found: Furnished) -> list[Newcomer]:
    """People for a map that brings none: one for each bed, up to six, with plain lives."""
    beds = [item for item in found.things if "sleep" in tags_of(item)]
    rooms = {place.address: names for names, place in found.arenas.items()}
    words = table(found.lang)
    return [
        Newcomer(
            "map", row["name"], row["age"], row["innate"], _sentence(row, found.lang), words["lifestyle"], row["plan"], _sentence(row, found.lang),
            rooms[bed.address.rpartition("/")[0]], occupation=row["occupation"],
        )
        for row, bed in zip(words["people"][:GENERATED], beds, strict=False)
    ]  # fmt: skip


def _sentence(row: dict[str, Any], lang: Lang) -> str:
    """Who somebody is."""
    pronoun = row["pronoun"]
    if lang == "zh":
        return f"{row['name']}是一名{row['occupation']}，{pronoun}刚搬来不久。"
    article = "an" if row["occupation"][0] in "aeiou" else "a"
    return f"{row['name']} is {article} {row['occupation']}, and {pronoun} has only just moved here."
