"""Texts in the user's language, kept in `data/text/<lang>/<name>.json`, phrases that are said in either, and how alike two texts are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Self

import orjson

TEXTS = Path(__file__).resolve().parent.parent / "data" / "text"


@cache
def catalogue(lang: str, name: str) -> dict[str, str]:
    """All texts of one file, by key; their {fields} are filled by `str.format`."""
    texts: dict[str, str] = orjson.loads((TEXTS / lang / f"{name}.json").read_bytes())
    return texts


class Phrase(str):
    """A line for the user: an English text that knows how it is said in other languages.

    Its template is the key to the others, in `data/text/<lang>/phrases.json`, so that code reads as what it says; `borrowed.json`
    beside it has what the system and packages say. Values fill the {fields} as `str.format` does; without any, the template is
    taken as it is. They may be phrases or errors themselves, or lists, which are enumerated.

    >>> Phrase("{file}: lacks the tables {tables}", file="a.sqlite", tables=["steps", "calls"])
    'a.sqlite: lacks the tables steps, calls'
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        if isinstance(template, cls):
            return template
        phrase = super().__new__(cls, fill(template, values, "en").replace("\n", " "))
        phrase.template, phrase.values = template, values
        return phrase

    def said(self, lang: str) -> str:
        """The same in another language; English where that has no words for it."""
        if lang == "en":
            return str(self)
        known = catalogue(lang, "borrowed") | catalogue(lang, "phrases")
        return fill(known.get(self.template, self.template), self.values, lang).replace("\n", " ")


COMMAS = {"en": ", ", "zh": "、"}
"""What parts an enumeration."""


def said(value: object, lang: str) -> Any:
    """A value as it stands in a text: phrases and errors in the language, lists enumerated, all else as it is."""
    if isinstance(value, list):
        return COMMAS[lang].join(str(said(one, lang)) for one in value)
    in_words = getattr(value, "said", None)
    return in_words(lang) if in_words else value


def fill(template: str, values: Mapping[str, object], lang: str) -> str:
    """A text with its values, in a language; without values it is as it is."""
    return _Filler(lang).vformat(template, (), values) if values else template


class _Filler(Formatter):
    """Fills fields as `str.format` does, in a language. What a field shows by `!r` is data, and stays as it is."""

    def __init__(self, lang: str) -> None:
        self._lang = lang

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return super().convert_field(value, conversion) if conversion else said(value, self._lang)


def overlap(one: str, other: str) -> float:
    """Jaccard overlap of character trigrams, 0–1; texts shorter than that are compared whole.

    >>> overlap("good morning", "good morning"), overlap("good morning", "see you")
    (1.0, 0.0)
    """
    grams = [{text[at : at + 3] for at in range(max(1, len(text) - 2))} for text in (one.casefold(), other.casefold())]
    return len(grams[0] & grams[1]) / len(grams[0] | grams[1])
