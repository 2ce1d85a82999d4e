"""From people of another system to residents: ids, beds, a usual day, initial memories, and
relations.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hometown.authoring.importing.acquaintance import names_in_texts, relations, sentences_naming
from hometown.authoring.importing.clock_words import rhythm
from hometown.authoring.importing.daily_plan import frequented_sectors as frequented_by
from hometown.authoring.importing.day import derive_habits
from hometown.authoring.importing.guess import identifier
from hometown.authoring.importing.rooms import Furnished, MarkedThing, Place
from hometown.authoring.importing.site import Names, SourcePerson
from hometown.authoring.importing.surroundings import Surroundings, tags_of
from hometown.authoring.word_tables import contains_word, read_word_table
from hometown.clock import hhmm
from hometown.json_object import Json
from hometown.language import Lang
from hometown.text import N_, Phrase
from hometown.world.faults import Faults, likely
from hometown.world.inner_voice import own_statement
from hometown.world.persona import Addressee
from hometown.world.world import sector_of

GENERATED = 6
"""Residents made up for a map that brings none, at most."""


def settle(people: list[SourcePerson], town: Furnished, faults: Faults) -> dict[str, Json]:
    """Return the residents' files by id; a resident without a home or a bed is left out, with a
    fault.
    """
    ids: list[str] = []
    for person in people:
        ids.append(identifier(person.name, ids))
    taken: set[str] = set()
    settled: dict[str, SourcePerson] = {}
    files: dict[str, Json] = {}
    frequented: dict[str, set[str]] = {}
    for number, (who, person) in enumerate(zip(ids, people, strict=True)):
        if len(person.home) == 1 and person.home in town.sectors:
            person = person.at_home(_choose_room(person, people, town))
        home, bed = _find_home(person, town, taken, faults)
        if home and bed:
            around_me = Surroundings(town, home, number)
            settled[who], files[who] = (
                person,
                _make_file(who, person, home, bed, around_me, town.lang),
            )
            frequented[who] = frequented_by(person, around_me, town.lang)
    homes = {who: sector_of(str(given["home"])) for who, given in files.items()}
    for who, related in relations(settled, homes, frequented, town.lang, town.report).items():
        files[who]["relations"] = related
        files[who]["seeds"] = _list_seeds(
            who, settled, files[who]["pronouns"][town.lang], town.lang
        )
    return files


def _choose_room(person: SourcePerson, people: list[SourcePerson], town: Furnished) -> Names:
    """Return a bedroom of a resident's house, of which the source says no more: one that is named
    after them, else one that is named after nobody else; the house alone if it has no beds. The
    choice is reported.
    """
    bedrooms = [
        names
        for names, arena in town.arenas.items()
        if names[:1] == person.home
        and any("sleep" in tags_of(item) for item in town.things_in(arena.address))
    ]
    if not bedrooms:
        return person.home
    room = min(
        bedrooms,
        key=lambda names: (
            person.name not in names[1],
            any(other.name in names[1] for other in people),
        ),
    )
    text = N_("that {name} lives in {room}: the source names the building only")
    town.report.guessed.append(Phrase(text, name=person.name, room=" / ".join(room)))
    return room


def _find_home(
    person: SourcePerson, town: Furnished, taken: set[str], faults: Faults
) -> tuple[Place | None, MarkedThing | None]:
    """Return the arena of a resident's home, and a bed there, which is taken; None for either, with
    a fault, where the home is unknown or unreachable, or no bed is left.
    """
    home = town.arenas.get(person.home)
    if home is None:
        named = " / ".join(person.home)
        if person.home in town.site.places:
            faults.add(
                person.file,
                "living_area",
                "nobody can reach {home!r}; draw a door to it",
                home=named,
            )
            return None, None
        known = [" / ".join(names) for names in town.arenas]
        faults.add(
            person.file,
            "living_area",
            "{home!r} is not a room of the map{hint}",
            home=named,
            hint=likely(named, known),
        )
        return None, None
    bed = _take_bed(home, town, taken)
    if bed is None:
        faults.add(
            person.file,
            "living_area",
            "there is no bed left in {home!r}; mark one on the map, as a thing called bed",
            home=person.home[0],
        )
    return home, bed


def _take_bed(home: Place, town: Furnished, taken: set[str]) -> MarkedThing | None:
    """Return a bed with a free seat, and take that: in the resident's own room first, else in the
    house; None if there is none. Couples share one that has two seats.
    """
    house = sector_of(home.address)
    beds = [
        item
        for item in town.things
        if "sleep" in tags_of(item) and item.address.startswith(f"{house}/")
    ]
    beds.sort(key=lambda item: not item.address.startswith(f"{home.address}/"))
    for item in beds:
        for seat in range(int(item.properties["seats"])):
            if f"{item.address}#{seat}" not in taken:
                taken.add(f"{item.address}#{seat}")
                return item
    return None


def _make_file(
    who: str,
    person: SourcePerson,
    home: Place,
    bed: MarkedThing,
    around_me: Surroundings,
    lang: Lang,
) -> Json:
    """Return the content of a resident's file. Missing texts are filled with the lifestyle, and the
    present concerns with the first whispered memory or else the lifestyle; residents of whom the
    source says no places know all.
    """
    at = rhythm(person.lifestyle, lang)
    known = [
        place.address
        for names, place in around_me.town.sectors.items()
        if not person.knows or names[0] in person.knows
    ]
    sectors = list(dict.fromkeys([sector_of(home.address), *known]))
    pronouns = _find_pronouns(person, lang)
    texts = {
        key: {lang: getattr(person, key) or person.lifestyle}
        for key in ("name", "innate", "learned", "lifestyle", "daily_plan")
    }
    now = person.currently or (
        own_statement(person.whispers[0], Addressee(person.name, tuple(pronouns)))
        if person.whispers
        else person.lifestyle
    )
    return {
        **texts,
        "currently": {lang: now},
        "age": person.age,
        "occupation": {lang: _find_occupation(person, lang)},
        "pronouns": {lang: pronouns},
        "wake": hhmm(at.wake),
        "bed": hhmm(at.bed),
        "home": bed.address.rpartition("/")[0],
        "sleeps": bed.address,
        "interests": {lang: _find_interests(person, lang)},
        "knows": sectors,
        "habits": derive_habits(person, around_me, lang),
        "portrait": f"portraits/{who}.png",
        "sprite": f"sprites/{who}.png",
    }


def _all_texts(person: SourcePerson) -> str:
    return " ".join((person.learned, person.currently, person.lifestyle, person.daily_plan))


def _find_occupation(person: SourcePerson, lang: Lang) -> str:
    """Return the occupation that the source gives, or else that a text states, or "resident"."""
    match = re.search(read_word_table(lang)["occupation"], person.learned)
    return person.occupation or (match[1].strip() if match else read_word_table(lang)["resident"])


def _find_pronouns(person: SourcePerson, lang: Lang) -> list[str]:
    """Return the pronouns that the texts use most; without any, the neutral ones of the language."""
    text = _all_texts(person).lower()
    counts = {
        word: len(re.findall(rf"\b{word}\b" if word.isascii() else word, text))
        for word in read_word_table(lang)["pronouns"]
        if word
    }
    best = max(counts, key=lambda word: counts[word])
    forms: list[str] = read_word_table(lang)["pronouns"][best if counts[best] else ""]
    return forms


def _find_interests(person: SourcePerson, lang: Lang) -> list[str]:
    """Return up to four interests that a person's texts name, or the default one."""
    interests = [
        row["interest"]
        for row in read_word_table(lang)["pursuits"]
        if contains_word(_all_texts(person), row["words"])
    ]
    return list(dict.fromkeys(interests))[:4] or [read_word_table(lang)["interest"]]


def _list_seeds(
    who: str, people: dict[str, SourcePerson], pronouns: list[str], lang: Lang
) -> list[Json]:
    """Return a person's current concerns and history, one memory per sentence, in the third person;
    each names the people it is about.
    """
    words, person = read_word_table(lang), people[who]
    sentences = [
        part.strip() for part in re.split(words["sentences"], person.currently) if part.strip()
    ]
    subjects = "|".join(word for word in words["pronouns"] if word)
    subject = re.compile(rf"^({subjects})(?=\W|[\u4e00-\u9fff])", re.IGNORECASE)
    thoughts = [subject.sub(lambda _: person.name, part) for part in sentences]
    addressee = Addressee(person.name, tuple(pronouns))
    thoughts += [own_statement(whisper, addressee) for whisper in person.whispers]
    names = names_in_texts(people)
    seeds = []
    for text in dict.fromkeys(thoughts):
        alone = replace(
            person, learned=text, currently="", lifestyle="", daily_plan="", whispers=()
        )
        about = [
            other
            for other in people
            if other != who and sentences_naming(alone, names[other], lang)
        ]
        seed = {
            "type": "thought",
            "poignancy": 6,
            "text": {lang: text},
            "predicate": {lang: words["thinks"]},
            "object": {lang: text.rstrip("。.！!")},
        }
        seeds.append(seed | ({"about": about} if about else {}))
    return seeds


def made_up(town: Furnished) -> list[SourcePerson]:
    """Return residents for a map without any: one for each bed, up to six, with simple lives."""
    beds = [item for item in town.things if "sleep" in tags_of(item)]
    rooms = {place.address: names for names, place in town.arenas.items()}
    words = read_word_table(town.lang)
    return [
        SourcePerson(
            "map",
            row["name"],
            row["age"],
            row["innate"],
            _introduce(row, town.lang),
            words["lifestyle"],
            row["plan"],
            _introduce(row, town.lang),
            rooms[bed.address.rpartition("/")[0]],
            occupation=row["occupation"],
        )
        for row, bed in zip(words["people"][:GENERATED], beds, strict=False)
    ]


def _introduce(row: Json, lang: Lang) -> str:
    """Return a sentence that introduces a resident by occupation, as new in town."""
    pronoun = row["pronoun"]
    if lang == "zh":
        return f"{row['name']}是一名{row['occupation']}，{pronoun}刚搬来不久。"
    article = "an" if row["occupation"][0] in "aeiou" else "a"
    return (
        f"{row['name']} is {article} {row['occupation']}, and {pronoun} has only just moved here."
    )
