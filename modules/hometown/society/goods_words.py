"""Goods in free text: the names of their kinds, in the singular and the plural, and their number."""

from __future__ import annotations

import re
from functools import lru_cache

from hometown.clock import HOUR_WORDS
from hometown.frozen import frozen
from hometown.language import LANGS, Lang
from hometown.model.loose_values import read_numeral
from hometown.world.book.book import Book
from hometown.world.book.parts import KindPart

_ARTICLE = re.compile("^(?:(?:an?|the|some) |一)")
"""The beginning of the text for some goods that is not part of their name."""

_COUNTED: dict[Lang, str] = {
    "en": rf"(?:\b(?P<count>\d+|an?|{'|'.join(HOUR_WORDS)})\s*(?:×\s*)?(?:(?:\w+ )?of )?(?:the )?)?",
    "zh": r"(?:(?<![\d一二两三四五六七八九十百])(?P<count>\d+|十[一二三四五六七八九]?|[一二两三四五六七八九])[^\W\d]?)?",
}
"""A number directly before the name of goods, with a word for their measure."""


@frozen
class GoodsNamed:
    """A name of goods in a text: its kind, their number or 0 for none, and where it begins and
    ends.
    """

    kind: str
    count: int
    start: int
    end: int


def find_goods(book: Book, text: str, lang: Lang) -> list[GoodsNamed]:
    """Return the goods that a case-folded text names, in its order: of several names at one place
    the longest.
    """
    names = {name: kind for kind, part in book.kinds.items() for name in _names(part, lang)}
    return [
        GoodsNamed(
            names[found["name"]],
            _read_number(found["count"]),
            found.start("name"),
            found.end(),
        )
        for found in _pattern(tuple(sorted(names, key=len, reverse=True)), lang).finditer(text)
    ]


def count_named(book: Book, kind: str, activity: str) -> int:
    """Return the number of goods of a kind that an activity names; 0 if it names none."""
    text = activity.casefold()
    return next(
        (
            named.count
            for lang in LANGS
            for named in find_goods(book, text, lang)
            if named.kind == kind and named.count
        ),
        0,
    )


def _names(part: KindPart, lang: Lang) -> set[str]:
    """Return the names of a kind of goods, for one and for several; in English without the ending
    of the plural.
    """
    forms = (
        part.name[lang],
        _ARTICLE.sub("", part.some[lang]) if part.some else "",
        part.several[lang].replace("{count}", "").strip() if part.several else "",
    )
    names = {form.casefold() for form in forms if form}
    return {name.removesuffix("s") for name in names} if lang == "en" else names


@lru_cache(maxsize=8)
def _pattern(names: tuple[str, ...], lang: Lang) -> re.Pattern[str]:
    """Return a pattern of names of goods, those first that come first, with their number."""
    either = "|".join(map(re.escape, names))
    name = rf"\b(?P<name>{either})s?\b" if lang == "en" else f"(?P<name>{either})"
    return re.compile(_COUNTED[lang] + name)


def _read_number(said: str | None) -> int:
    """Return the value of a number in digits or words, or of an article; 0 for none."""
    return 1 if said in ("a", "an") else read_numeral(said or "0") or 0
