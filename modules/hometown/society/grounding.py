"""Grounding: which errand free words mean, by rule. Words for recipes, names of goods and of places
decide; what could never be done is no errand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from hometown.language import Lang
from hometown.society.affairs import Affairs
from hometown.society.means import Plan, Search
from hometown.text import catalogue
from hometown.world.book.book import Book
from hometown.world.labour import Errand, Verb
from hometown.world.matter import MARK, kind_of
from hometown.world.verbs import ing, third
from hometown.world.world import World

OPTIONS = 24
"""Things that can be done now which a prompt lists at most."""


def grounded(world: World, affairs: Affairs, who: str, words: str) -> Errand | None:
    """The errand that words mean, if they are clear: `what` is a family of recipes or a kind, and
    `at` the fixture they name or "". None for anything else.

    Buying comes before the recipe that the goods are bought for, and a recipe before fetching and
    putting away.
    """
    text = words.casefold()
    meant = chain(
        _transfers(world, affairs, who, text, ("buy",)),
        (Errand("do", "", family) for family in _families(affairs.book, text, world.lang)),
        _transfers(world, affairs, who, text, ("look", "take", "put")),
    )
    return next((errand for errand in meant if _possible(affairs, who, errand)), None)


def speaks_of(book: Book, lang: Lang, words: str) -> str:
    """What work words speak of, whoever's: the family of a recipe, a kind of goods that changes its
    place; "" where they speak of none.

    A step that speaks of some and is no errand has not been grounded; one that speaks of none need
    not be.
    """
    text = words.casefold()
    named = _kinds(book, text, lang) if _said(("buy", "take", "put"), text, lang) else []
    return next(chain(_families(book, text, lang), named), "")


def options(affairs: Affairs, search: Search, place: str) -> list[tuple[Errand, Plan]]:
    """What somebody can do now, with its plan: recipes, and goods to buy, the least effort first."""
    wishes = [
        Errand("do", "", family)
        for family, members in affairs.book.families.items()
        if not members[0].part.partner
    ]
    wishes += [Errand("buy", "", kind) for kind in affairs.book.sold]
    plans = [
        (wish, plan)
        for wish in wishes
        if (plan := search.fulfil(wish.verb, wish.what, wish.at, place))
    ]
    return sorted(plans, key=lambda option: option[1].cost)[:OPTIONS]


def _families(book: Book, text: str, lang: Lang) -> list[str]:
    """The families of recipes whose words are there, the one with the longest words first."""
    said: dict[str, int] = {}
    for family, members in book.families.items():
        lengths = [len(words) for words in members[0].part.says[lang] if says(text, words, lang)]
        if lengths:
            said[family] = max(lengths)
    return sorted(said, key=lambda family: -said[family])


def _kinds(book: Book, text: str, lang: Lang) -> list[str]:
    """The kinds of goods that are named, the one with the longest name first."""
    names = {kind: part.name[lang].casefold() for kind, part in book.kinds.items()}
    return sorted(
        (kind for kind, name in names.items() if name in text), key=lambda kind: -len(names[kind])
    )


def _said(verbs: tuple[Verb, ...], text: str, lang: Lang) -> list[Verb]:
    """Those of the verbs whose words are there."""
    return [verb for verb in verbs if re.search(catalogue(lang, "work")[f"{verb}_words"], text)]


def _transfers(
    world: World, affairs: Affairs, who: str, text: str, verbs: tuple[Verb, ...]
) -> Iterator[Errand]:
    """Goods that are to be bought, fetched or put away, and where, if that is named; and what is to
    be looked into.
    """
    verbs_said = _said(verbs, text, world.lang)
    if not verbs_said:
        return
    there = [
        address
        for address in affairs.book.fixtures
        if address in world.things and world.things[address].name.casefold() in text
    ]
    there += [
        item
        for item in affairs.stores(who)
        if MARK in item and affairs.book.kinds[kind_of(item)].name[world.lang].casefold() in text
    ]
    named = _kinds(affairs.book, text, world.lang)
    for verb in verbs_said:
        if verb == "look":
            yield from (Errand("look", at, "") for at in there)
        else:
            yield from (
                Errand(verb, at, kind)
                for kind in named
                for at in (*there, "")
                if kind_of(at) != kind
            )


def _possible(affairs: Affairs, who: str, errand: Errand) -> bool:
    """Whether somebody could ever do it: at a fixture of its own, or with goods that somebody
    sells.
    """
    if errand.verb == "do":
        recipes = [
            recipe for recipe in affairs.book.families[errand.what] if not recipe.part.partner
        ]
        return any(
            not recipe.at or any(affairs.owns(who, at) for at in affairs.book.places_for(recipe.at))
            for recipe in recipes
        )
    if errand.verb == "buy":
        places = [
            address
            for address, fixture in affairs.book.fixtures.items()
            if fixture.shop and errand.what in fixture.shop.sells
        ]
        return any(
            errand.at in ("", address) and not affairs.owns(who, address) for address in places
        )
    return affairs.owns(who, errand.at) if errand.at else errand.verb == "take"


NO_NOUN = (
    "".join(rf"(?<!\b{word} )" for word in ("the", "his", "her", "their", "our", "your", "my"))
    + "(?<!'s )"
)
"""Words after which there is a noun: who walks to the mill need not mill."""


def says(text: str, words: str, lang: Lang) -> bool:
    """Whether a folded text has words for a recipe: in English a verb in any form that a step may
    have.
    """
    stem, pattern = _spoken(words, lang)
    return stem in text and (pattern is None or pattern.search(text) is not None)


@lru_cache(maxsize=1024)
def _spoken(words: str, lang: Lang) -> tuple[str, re.Pattern[str] | None]:
    """With what all forms of words begin, which most texts do not have, and a pattern of them; None
    where there is but one.
    """
    words = words.casefold()
    if lang == "zh":
        return words, None
    verb, space, rest = words.partition(" ")
    stem = next(
        verb[:end]
        for end in range(len(verb), -1, -1)
        if third(verb).startswith(verb[:end]) and ing(verb).startswith(verb[:end])
    )
    forms = rf"{NO_NOUN}(?:{re.escape(verb)}|{re.escape(third(verb))})|{re.escape(ing(verb))}"
    return stem, re.compile(rf"\b(?:{forms})\b{re.escape(space + rest)}")
