"""Grounding: maps free text to an errand, by the words for recipes and the names of goods and
places. Impossible errands are excluded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from hometown.language import Lang
from hometown.society.errand_plan import ErrandPlan
from hometown.society.planner import Planner
from hometown.society.society_view import SocietyView
from hometown.society.verb_rules import plan_errand
from hometown.text import catalogue
from hometown.world.book.book import Book
from hometown.world.labour import Errand, Verb
from hometown.world.matter import MARK, kind_of
from hometown.world.verbs import ing, third
from hometown.world.world import World

MAX_OPTIONS = 24
"""The largest number of possible activities in a prompt."""


_ADDRESS = re.compile(r"\w+(?:/\w+)+", re.ASCII)
"""Finds addresses, whose words are no words for work."""


def ground_words(world: World, society: SocietyView, who: str, words: str) -> Errand | None:
    """Return the errand that words express; None if they are unclear or no errand.

    Buying takes precedence over recipes, and recipes over looking, fetching and putting away. In
    the result `what` is a family of recipes or a kind, and `at` the named fixture or "". Fixtures
    and items may be named by their ids, too, and that of work by its room.
    """
    text = words.casefold()
    without_ids = _ADDRESS.sub(" ", text)
    meant = chain(
        _find_transfers(world, society, who, text, (Verb.BUY,)),
        (
            Errand(Verb.DO, _named_place(world, society, who, family, text), family)
            for family in _mentioned_families(society.book, without_ids, world.lang)
        ),
        _find_transfers(world, society, who, text, (Verb.LOOK, Verb.TAKE, Verb.PUT)),
    )
    return next((errand for errand in meant if _is_possible(society, who, errand)), None)


def find_mentioned_work(book: Book, lang: Lang, words: str) -> str:
    """Return the family of recipes or the kind of goods that words mention as work; "" for none.

    A step that mentions one without being an errand counts as ungrounded.
    """
    text = words.casefold()
    named = (
        _named_kinds(book, text, lang)
        if _mentioned_verbs((Verb.BUY, Verb.TAKE, Verb.PUT), text, lang)
        else []
    )
    return next(chain(_mentioned_families(book, text, lang), named), "")


def list_options(
    society: SocietyView, search: Planner, place: str
) -> list[tuple[Errand, ErrandPlan]]:
    """Return a resident's possible activities now, recipes and purchases, each with its plan, the
    cheapest first, up to `MAX_OPTIONS`.
    """
    wishes = [
        Errand(Verb.DO, "", family)
        for family, members in society.book.families.items()
        if not members[0].part.partner
    ]
    wishes += [Errand(Verb.BUY, "", kind) for kind in society.book.kinds_for_sale]
    plans = [
        (wish, plan)
        for wish in wishes
        if (plan := plan_errand(search, wish.verb, wish.what, wish.at, place))
    ]
    return sorted(plans, key=lambda option: option[1].cost)[:MAX_OPTIONS]


def _names_id(text: str, id_: str) -> bool:
    """Return True if a case-folded text has the id of a fixture or an item."""
    return re.search(rf"(?<![\w/]){re.escape(id_)}(?![\w/])", text, re.ASCII) is not None


def _named_place(world: World, society: SocietyView, who: str, family: str, text: str) -> str:
    """Return the fixture for a family of recipes that a text names: by its id or, of those that a
    resident may use, alone by its own name or that of its room; "" for none.
    """
    book = society.book
    places = dict.fromkeys(
        at for recipe in book.families[family] for at in book.places_for(recipe.at)
    )
    if identified := next((at for at in places if _names_id(text, at)), ""):
        return identified
    own = [at for at in places if at in world.things and society.may_use(who, at)]
    for names in (world.things, {at: world.arenas[world.things[at].arena] for at in own}):
        named = [at for at in own if names[at].name.casefold() in text]
        if len(named) == 1:
            return named[0]
    return ""


def _mentioned_families(book: Book, text: str, lang: Lang) -> list[str]:
    """Return the families of recipes that a text mentions, the longest match first."""
    said: dict[str, int] = {}
    for family, members in book.families.items():
        lengths = [
            len(words) for words in members[0].part.says[lang] if names_recipe(text, words, lang)
        ]
        if lengths:
            said[family] = max(lengths)
    return sorted(said, key=lambda family: -said[family])


def _named_kinds(book: Book, text: str, lang: Lang) -> list[str]:
    """Return the kinds of goods that a text names, the longest name first."""
    names = {kind: part.name[lang].casefold() for kind, part in book.kinds.items()}
    return sorted(
        (kind for kind, name in names.items() if name in text), key=lambda kind: -len(names[kind])
    )


def _mentioned_verbs(verbs: tuple[Verb, ...], text: str, lang: Lang) -> list[Verb]:
    """Return the verbs whose words occur in a text."""
    return [verb for verb in verbs if re.search(catalogue(lang, "work")[f"{verb}_words"], text)]


def _find_transfers(
    world: World, society: SocietyView, who: str, text: str, verbs: tuple[Verb, ...]
) -> Iterator[Errand]:
    """Yield the purchases, moves and inspections that a text expresses, with the named place if
    any.
    """
    verbs_said = _mentioned_verbs(verbs, text, world.lang)
    if not verbs_said:
        return
    there = [
        address
        for address in society.book.fixtures
        if address in world.things
        and (world.things[address].name.casefold() in text or _names_id(text, address))
    ]
    there += [
        item
        for item in society.stores_of(who)
        if MARK in item
        and (
            society.book.kinds[kind_of(item)].name[world.lang].casefold() in text
            or _names_id(text, item)
        )
    ]
    named = _named_kinds(society.book, text, world.lang)
    for verb in verbs_said:
        if verb is Verb.LOOK:
            yield from (Errand(Verb.LOOK, at, "") for at in there)
        else:
            yield from (
                Errand(verb, at, kind)
                for kind in named
                for at in (*there, "")
                if kind_of(at) != kind
            )


def _is_possible(society: SocietyView, who: str, errand: Errand) -> bool:
    """Return True if a resident could ever do an errand: work alone, without a fixture or at one
    that they may use; a purchase in a shop of others; a move or a look at a holder that they may
    use, or fetching without one named.
    """
    if errand.verb == Verb.DO:
        recipes = [
            recipe for recipe in society.book.families[errand.what] if not recipe.part.partner
        ]
        return any(
            not recipe.at
            or any(society.may_use(who, at) for at in society.book.places_for(recipe.at))
            for recipe in recipes
        )
    if errand.verb == Verb.BUY:
        places = [
            address
            for address, fixture in society.book.fixtures.items()
            if fixture.shop and errand.what in fixture.shop.sells
        ]
        return any(
            errand.at in ("", address) and not society.may_use(who, address) for address in places
        )
    return society.may_use(who, errand.at) if errand.at else errand.verb == Verb.TAKE


NOT_A_NOUN = (
    "".join(rf"(?<!\b{word} )" for word in ("the", "his", "her", "their", "our", "your", "my"))
    + "(?<!'s )"
)
"""Excludes nouns: "walks to the mill" is not milling."""


def names_recipe(text: str, words: str, lang: Lang) -> bool:
    """Return True if a case-folded text contains the words for a recipe, in any form of the verb."""
    stem, pattern = _verb_pattern(words, lang)
    return stem in text and (pattern is None or pattern.search(text) is not None)


@lru_cache(maxsize=1024)
def _verb_pattern(words: str, lang: Lang) -> tuple[str, re.Pattern[str] | None]:
    """Return the common beginning of a verb's forms, for a quick test, and a pattern of the forms
    with the words after it; in Chinese, the words and None.
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
    forms = rf"{NOT_A_NOUN}(?:{re.escape(verb)}|{re.escape(third(verb))})|{re.escape(ing(verb))}"
    return stem, re.compile(rf"\b(?:{forms})\b{re.escape(space + rest)}")
