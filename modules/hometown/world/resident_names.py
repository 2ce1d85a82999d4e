"""The names by which texts mention residents, and the company that an activity names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from hometown.language import Lang
from hometown.text import catalogue, contains_name
from hometown.world.world import World

IsHere = Callable[[str], bool]
"""Returns True for the id of a resident who is present."""


@lru_cache(maxsize=4096)
def given_name(name: str) -> str:
    """Return the name by which a resident is addressed: the last two characters of a Chinese name
    of three, else the first word.
    """
    first, *others = name.replace("·", " ").split(" ")
    return name[1:] if len(name) == 3 and not others else first


def is_named(name: str, text: str) -> bool:
    """Return True if a text names a resident, by the whole name or the given one, as words.

    >>> is_named("Tom Moreno", "Tom, come!"), is_named("Tom Moreno", "Tomorrow!")
    (True, False)
    """
    return any(contains_name(form, text) for form in (name, given_name(name)))


@lru_cache(maxsize=8)
def resident_names(world: World) -> Mapping[str, str]:
    """Return the ids of residents by their whole names and by unique forms of them, such as given
    names, surnames with a title, and pet names.
    """
    forms = {
        who: dict.fromkeys((given_name(persona.name), *_name_forms(persona.name, world.lang)))
        for who, persona in world.personas.items()
    }
    count = Counter(form for each in forms.values() for form in each)
    whole = {persona.name: who for who, persona in world.personas.items()}
    return whole | {
        form: who
        for who, each in forms.items()
        for form in each
        if count[form] == 1 and not _is_in_a_place_name(world, form, who)
    }


def _is_in_a_place_name(world: World, form: str, who: str) -> bool:
    """Return True for a form of a resident's name, other than the given name, that also names a place,
    such as a shop.
    """
    name = world.personas[who].name
    places = [place.name for places in (world.sectors, world.arenas) for place in places.values()]
    return form != given_name(name) and any(
        contains_name(form, place) and name not in place for place in places
    )


@lru_cache(maxsize=4096)
def names_of(world: World, who: str) -> tuple[str, ...]:
    """Return the names by which texts mention a resident: the full name, the given name, and other
    forms.
    """
    name = world.personas[who].name
    others = (form for form, one in resident_names(world).items() if one == who)
    return tuple(dict.fromkeys((name, given_name(name), *others)))


def _name_forms(name: str, lang: Lang) -> Iterator[str]:
    """Yield further forms of a name: each part of it, or in Chinese the surname or the given name
    with a title.
    """
    texts = catalogue(lang, "outside")
    if lang != "zh":
        yield from (part for part in name.replace("·", " ").split(" ") if len(part) > 2)
    elif len(name) in (2, 3) and name[0] in texts["surnames"]:
        yield from (mark + name[0] for mark in texts["pet_marks"])
        yield from (name[0] + title for title in texts["titles"].split("|"))
        yield from (name[-1] + title for title in texts["pet_titles"].split("|"))


def drop_subject(activity: str, name: str) -> str:
    """Return an activity without the name of the one who does it at its beginning.

    >>> drop_subject("张伟帮着判断是不是截断", "张伟"), drop_subject("Tom: mending the bell", "Tom Moreno")
    ('帮着判断是不是截断', 'mending the bell')
    >>> drop_subject("Tom's bell", "Tom Moreno")
    "Tom's bell"
    """
    own = re.match(
        rf"(?:{re.escape(name)}|{re.escape(given_name(name))})(?!['’]s?\b|的)\s*[:：,，]?\s*",
        activity,
    )
    is_word = own is not None and (not name.isascii() or not activity[own.end() - 1].isalpha())
    return activity[own.end() :] or activity if own and is_word else activity


@lru_cache(maxsize=8192)
def named_residents(world: World, text: str) -> tuple[str, ...]:
    """Return the residents whom a text names, in the world's order."""
    names = resident_names(world)
    named = {names[name] for name in re.findall(_any_whole_name(world), text) if name}
    return tuple(who for who in world.personas if who in named)


def drop_absent_company(world: World, activity: str, is_here: IsHere) -> str:
    """Return an activity without the company, as in "with Lin", of residents who are absent."""

    def keep_present(found: re.Match[str]) -> str:
        present = [name for name, who in _list_named(world, found) if is_here(who)]
        between = catalogue(world.lang, "outside")["company_between"]
        return f"{found['lead']}{between.join(present)}{found['tail']}" if present else ""

    return _company_pattern(world).sub(keep_present, activity).strip()


def drop_absent_listeners(world: World, activity: str, is_here: IsHere) -> str:
    """Return an activity without the residents who are absent and for whom it is done, as in "to
    Lin".
    """
    names = resident_names(world)
    return (
        _beneficiary_pattern(world)
        .sub(lambda found: found[0] if is_here(names[found["name"]]) else "", activity)
        .strip()
    )


def drop_names(world: World, texts: Iterable[str], people: Iterable[str]) -> list[str]:
    """Return texts without the names of residents."""
    names = [name for who in people for name in names_of(world, who)]
    return [re.sub(_pattern_of(names), "", text) for text in texts]


def drop_conversation(world: World, activity: str) -> str:
    """Return an activity up to a conversation with residents of which it speaks, as in "reading and
    chatting with Lin"; "" if it is nothing else. A conversation that is held has its own words.
    """
    found = _talk_pattern(world).search(activity)
    return activity[: found.start()].strip() if found else activity


def drop_mentions(world: World, activity: str, is_here: IsHere, absent: Sequence[str]) -> str:
    """Return an activity without absent residents as company or as those for whom it is done.

    Args:
        world: the world.
        activity: the words of the activity.
        is_here: tells whether a resident is present.
        absent: all names and terms of kinship of those who are absent.
    """
    text = drop_absent_company(world, activity, is_here)
    others = re.compile(_any_whole_name(world))
    rest = others.sub(lambda found: found[0] if found[0] in absent else "", text)
    named = [name for name in absent if contains_name(name, rest)]
    if not named:
        return text
    anyone = f"(?:{'|'.join(map(re.escape, sorted(named, key=len, reverse=True)))})"
    words = catalogue(world.lang, "outside")
    for pattern in (words["company"], words["beneficiary"]):
        text = re.sub(pattern.replace("NAME", anyone), "", text)
    return text.strip()


def find_kin(relation: str, lang: Lang) -> str:
    """Return the term of kinship with which the words for a relation begin; "" for none.

    >>> find_kin("her grandfather, who worries too much", "en"), find_kin("爷爷，操心太多", "zh")
    ('grandfather', '爷爷')
    >>> find_kin("her mother-in-law, at whose stove she cooks", "en")
    'mother-in-law'
    >>> find_kin("his mother's student", "en"), find_kin("his mother-in-law's hens", "en")
    ('', '')
    """
    found = re.match(catalogue(lang, "outside")["kin"], relation)
    return found["kin"] if found else ""


@lru_cache(maxsize=8192)
def name_kin(world: World, who: str, text: str) -> str:
    """Return a text with the names of a resident's relatives in place of the terms of kinship by
    which they call them, as in "tea for her grandfather", without those of others' relatives.
    """
    pattern = catalogue(world.lang, "outside")["called_kin"]
    for terms, other in _list_kin(world, who):
        name = world.personas[other].name.replace("\\", r"\\")
        text = re.sub(pattern.replace("TERM", f"(?:{terms})"), name, text, flags=re.IGNORECASE)
    return text


@lru_cache(maxsize=4096)
def _list_kin(world: World, who: str) -> tuple[tuple[str, str], ...]:
    """Return the terms of kinship, with `|` between those that mean the same, that mean one resident
    only to another, each with that resident.
    """
    relations = world.personas[who].relations or {}
    terms = {
        other: _synonyms(find_kin(text, world.lang), world.lang)
        for other, text in relations.items()
        if other in world.personas
    }
    count = Counter(terms.values())
    return tuple((term, other) for other, term in terms.items() if term and count[term] == 1)


def _synonyms(term: str, lang: Lang) -> str:
    """Return the terms that mean the same relative as one does, itself included, with `|` between.

    >>> _synonyms("mother", "en"), _synonyms("奶奶", "zh"), _synonyms("wife", "en")
    ('mother|mum|mom|mama|mummy|mommy', '奶奶|祖母', 'wife')
    """
    groups = catalogue(lang, "outside")["kin_synonyms"].split(" ")
    return next((group for group in groups if term in group.split("|")), term)


def find_absent_company(world: World, activity: str, is_here: IsHere) -> tuple[str, ...]:
    """Return the ids of residents who are absent although an activity names them as company."""
    return tuple(who for who in find_company(world, activity) if not is_here(who))


@lru_cache(maxsize=8192)
def find_company(world: World, activity: str) -> tuple[str, ...]:
    """Return the ids of residents whom an activity names as company, not as its objects: in Chinese,
    those of a list of names follow the same words as company does.
    """
    objects = tuple(resident_names(world)) if world.lang == "zh" else ()
    named = (
        who
        for found in _company_pattern(world).finditer(activity)
        if not activity[: found.start()].endswith(objects)
        for _, who in _list_named(world, found)
    )
    return tuple(dict.fromkeys(named))


def _list_named(world: World, found: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield the names in a mention of company, each with the resident's id."""
    names = resident_names(world)
    for name in re.findall(_any_name(world), found["names"]):
        yield name, names[name]


@lru_cache(maxsize=8)
def _company_pattern(world: World) -> re.Pattern[str]:
    pattern = catalogue(world.lang, "outside")["company"]
    return re.compile(pattern.replace("NAME", _any_name(world)))


@lru_cache(maxsize=8)
def _talk_pattern(world: World) -> re.Pattern[str]:
    pattern = catalogue(world.lang, "outside")["talk"]
    return re.compile(pattern.replace("NAME", _any_name(world)), re.IGNORECASE)


@lru_cache(maxsize=8)
def _beneficiary_pattern(world: World) -> re.Pattern[str]:
    pattern = catalogue(world.lang, "outside")["beneficiary"]
    return re.compile(pattern.replace("NAME", f"(?P<name>{_any_name(world)})"))


@lru_cache(maxsize=8)
def _any_name(world: World) -> str:
    """Return a pattern for the name of any resident; longer names come first."""
    longest_first = sorted(resident_names(world), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, longest_first))})"


@lru_cache(maxsize=8)
def _any_whole_name(world: World) -> str:
    """Return a pattern for the name of any resident, as words."""
    return _pattern_of(resident_names(world))


def _pattern_of(names: Iterable[str]) -> str:
    """Return a pattern for any of some names, as words; longer ones come first."""
    longest_first = sorted(names, key=len, reverse=True)
    return "|".join(
        rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
        for name in longest_first
    )
