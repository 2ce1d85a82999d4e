"""Words that the rules of the bench look for (`data/bench/words.json`), and the content of a text."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import orjson

from hometown.bench.items import BENCH
from hometown.language import Lang

SPOKEN = ("say", "answer")


@cache
def words_of(lang: Lang) -> dict[str, Any]:
    """Return the words that rules look for in a language."""
    words: dict[str, Any] = orjson.loads((BENCH / "words.json").read_bytes())[lang]
    return words


def content_of(text: str, lang: Lang) -> set[str]:
    """Return the content words of an English text, or the content characters of a Chinese one.

    >>> sorted(content_of("I will water the old roses", "en")), sorted(content_of("我去浇花", "zh"))
    (['old', 'roses', 'water'], ['浇', '花'])
    """
    function = words_of(lang)["function"]
    if lang == "zh":
        return {
            sign
            for sign in re.findall("[\u4e00-\u9fff]|[a-z0-9]+", text.casefold())
            if sign not in function
        }
    words = re.findall(r"[a-z0-9à-ɏ][a-z0-9à-ɏ']*", text.casefold().replace("’", "'"))
    return {word for word in words if word not in split_words(function) and len(word) > 1}


@cache
def split_words(words: str) -> frozenset[str]:
    """Return the words of a list that is written with spaces."""
    return frozenset(words.split())


def minutes_of(clock: str) -> int:
    """Return the minutes since midnight of a clock time, which may be none of a day.

    >>> minutes_of("6:30"), minutes_of("25:10")
    (390, 1510)
    """
    hours, _, minutes = clock.partition(":")
    return int(hours) * 60 + int(minutes)
