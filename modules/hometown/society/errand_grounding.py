"""Grounding: maps free text to an errand, by the words for recipes and the names of goods and
places. Impossible errands are excluded.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from hometown.language import Lang
from hometown.society.errand_plan import ErrandPlan
from hometown.society.goods_words import GoodsNamed, find_goods
from hometown.society.planner import Planner
from hometown.society.society_view import SocietyView
from hometown.society.verb_rules import plan_errand
from hometown.text import catalogue, contains_name
from hometown.world.book.book import Book
from hometown.world.labour import Errand, Verb
from hometown.world.matter import MARK, kind_of
from hometown.world.resident_names import resident_names
from hometown.world.verbs import ing, third
from hometown.world.world import World

MAX_OPTIONS = 24
"""The largest number of possible activities in a prompt."""


_ADDRESS = re.compile(r"\w+(?:/\w+)+", re.ASCII)
"""Finds addresses, whose words are no words for work."""

RESIDENT = "\0"
"""Stands for each character of a resident's name."""


def ground_words(world: World, society: SocietyView, who: str, words: str) -> Errand | None:
    """Return the errand that words express; None if they are unclear or no errand.

    Buying takes precedence over recipes, and recipes over looking, fetching and putting away. In
    the result `what` is a family of recipes or a kind, and `at` the named fixture or "". Fixtures
    and items may be named by their ids, too, and that of work by its room.
    """
    text = words.casefold()
    plain = _blank_names(world, society, words)
    meant = _find_transfers(world, society, who, text, plain, (Verb.BUY,))
    if not _concerns_others(plain, world.lang):
        meant = chain(
            meant,
            (
                Errand(Verb.DO, _named_place(world, society, who, family, text), family)
                for family in _mentioned_families(society.book, plain, world.lang)
            ),
            _find_transfers(world, society, who, text, plain, (Verb.LOOK, Verb.TAKE, Verb.PUT)),
        )
    return next((errand for errand in meant if _is_possible(society, who, errand)), None)


def concerns_others(world: World, society: SocietyView, words: str) -> bool:
    """Return True if words say that one helps another, awaits or watches what they do, or hands
    something over or gets it from them: two people have a part in it, so that it is no errand.
    """
    return _concerns_others(_blank_names(world, society, words), world.lang)


def _concerns_others(plain: str, lang: Lang) -> bool:
    """Return True if a text without names says that two people have a part in something."""
    pattern = catalogue(lang, "work")["others_words"].replace("{other}", f"{RESIDENT}++")
    return re.search(pattern, plain) is not None


def find_mentioned_work(book: Book, lang: Lang, words: str) -> str:
    """Return the family of recipes or the kind of goods that words mention as work; "" for none.

    A step that mentions one without being an errand counts as ungrounded.
    """
    text = words.casefold()
    moved = (
        kind
        for verb in (Verb.BUY, Verb.TAKE, Verb.PUT)
        for kind in _moved_kinds(book, verb, text, lang)
    )
    return next(chain(_mentioned_families(book, text, lang), moved), "")


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
        named = [at for at in own if contains_name(names[at].name.casefold(), text)]
        if len(named) == 1:
            return named[0]
    return ""


def _blank_names(world: World, society: SocietyView, words: str) -> str:
    """Return words in lower case without ids, with names of places as spaces and those of residents
    as `RESIDENT`, so that none of them is taken for work or goods.
    """
    places, residents = _name_patterns(world, tuple(society.book.fixtures))
    text = places.sub(lambda found: " " * len(found[0]), words)
    text = residents.sub(lambda found: RESIDENT * len(found[0]), text)
    return _ADDRESS.sub(" ", text).casefold()


@lru_cache(maxsize=8)
def _name_patterns(
    world: World, fixtures: tuple[str, ...]
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of the names of places, in English of several words, since one alone may be a
    verb; and of those of residents.
    """
    addresses = (*fixtures, *world.arenas, *world.sectors)
    places = {name for at in addresses if (name := world.name_of(at)) and name != at}
    if world.lang == "en":
        places = {name for name in places if " " in name}
    return _any_of(places, re.IGNORECASE), _any_of(resident_names(world))


def _any_of(names: Iterable[str], flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that finds each of some names, the longest at one place, as whole words."""
    forms = (
        rf"(?<!\w){re.escape(name)}(?!\w)" if name.isascii() else re.escape(name)
        for name in sorted(names, key=lambda name: (-len(name), name))
    )
    return re.compile("|".join(forms) or "(?!)", flags)


def _mentioned_families(book: Book, text: str, lang: Lang) -> list[str]:
    """Return the families of recipes that a text mentions, the longest match first."""
    named = find_goods(book, text, lang)
    said: dict[str, int] = {}
    for family, members in book.families.items():
        own = {kind for recipe in members for kind, _ in (*recipe.inputs, *recipe.products)}
        lengths = [
            len(words)
            for words in members[0].part.says[lang]
            if any(not _is_cut(*place, named, own) for place in _find_work(text, words, lang))
        ]
        if lengths:
            said[family] = max(lengths)
    return sorted(said, key=lambda family: -said[family])


def _is_cut(start: int, end: int, named: Sequence[GoodsNamed], own: Container[str]) -> bool:
    """Return True if words for work from `start` to `end` end within the name of goods that the
    work does not concern, or that are listed after others: "面包和面粉" is no kneading.
    """
    return any(
        goods.start < end < goods.end
        and (goods.kind not in own or any(before.end == start for before in named))
        for goods in named
    )


def _moved_kinds(book: Book, verb: Verb, text: str, lang: Lang) -> list[str]:
    """Return the kinds of goods that a text names with a verb that moves them, the longest name
    first. No other clause stands between the two.
    """
    texts = catalogue(lang, "work")
    said = list(re.finditer(texts[f"{verb}_words"], text))
    goods = find_goods(book, text, lang) if said else []
    moved = [
        named
        for named in goods
        if any(
            not re.search(
                texts["clause"], text[min(each.end(), named.end) : max(each.start(), named.start)]
            )
            for each in said
        )
    ]
    return [named.kind for named in sorted(moved, key=lambda named: named.start - named.end)]


def _find_transfers(
    world: World, society: SocietyView, who: str, text: str, plain: str, verbs: Sequence[Verb]
) -> Iterator[Errand]:
    """Yield the purchases, moves and inspections that a text expresses, with the named place if
    any. `plain` is the text without names.
    """
    there = _named_holders(world, society, who, text)
    for verb in verbs:
        if verb is not Verb.LOOK:
            yield from (
                Errand(verb, at, kind)
                for kind in _moved_kinds(society.book, verb, plain, world.lang)
                for at in (*there, "")
                if kind_of(at) != kind
            )
        elif re.search(catalogue(world.lang, "work")["look_words"], text):
            yield from (Errand(Verb.LOOK, at, "") for at in there)


def _named_holders(world: World, society: SocietyView, who: str, text: str) -> list[str]:
    """Return the fixtures and a resident's items that a text names, by name or id."""
    names = {at: world.name_of(at) for at in society.book.fixtures if at in world.things} | {
        item: society.book.kinds[kind_of(item)].name[world.lang]
        for item in society.stores_of(who)
        if MARK in item
    }
    return [
        at
        for at, name in names.items()
        if contains_name(name.casefold(), text) or _names_id(text, at)
    ]


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


NOT_A_VERB = (
    r"(?<!\babout )(?<!\bof )(?<!\bbefore )(?<!\bafter )(?<!\bwithout )"
    + "".join(rf"(?<!\b{word} )" for word in ("the", "his", "her", "their", "our", "your", "my"))
    + "(?<!['’]s )"
)
"""Excludes nouns: "walks to the mill" is not milling, nor is "talks about sowing" sowing."""


def names_recipe(text: str, words: str, lang: Lang) -> bool:
    """Return True if a case-folded text contains the words for a recipe, in any form of the verb."""
    return next(_find_work(text, words, lang), None) is not None


def _find_work(text: str, words: str, lang: Lang) -> Iterator[tuple[int, int]]:
    """Yield where a case-folded text has the words for a recipe, in any form of the verb, unless a
    noun is formed with them, such as 播种宴: from which character to which.
    """
    stem, pattern = _verb_pattern(words, lang)
    if stem in text:
        yield from (found.span() for found in pattern.finditer(text))


@lru_cache(maxsize=1024)
def _verb_pattern(words: str, lang: Lang) -> tuple[str, re.Pattern[str]]:
    """Return the common beginning of a verb's forms, for a quick test, and a pattern of the forms
    with the words after it.
    """
    words, no_noun = words.casefold(), f"(?!{catalogue(lang, 'work')['noun_after']})"
    if lang == "zh":
        return words, re.compile(re.escape(words) + no_noun)
    verb, space, rest = words.partition(" ")
    stem = next(
        verb[:end]
        for end in range(len(verb), -1, -1)
        if third(verb).startswith(verb[:end]) and ing(verb).startswith(verb[:end])
    )
    forms = "|".join(map(re.escape, (verb, third(verb), ing(verb))))
    return stem, re.compile(rf"\b{NOT_A_VERB}(?:{forms})\b{re.escape(space + rest)}{no_noun}")
