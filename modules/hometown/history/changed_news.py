"""Distortion of news in retelling: the times, numbers and people in a listener's memory that the
teller did not know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from hometown.language import Lang
from hometown.scripted.clauses import split_source
from hometown.scripted.when import clock_of, find_when
from hometown.scripted.words import sentences

_NUMBERS = {
    "en": re.compile(
        r"\b(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"\d+|[两三四五六七八九十百千]+(?=[个位天次年块元岁本张只条家斤封])"),
}


def news_in(text: str, is_about: Callable[[str], bool], lang: Lang) -> str:
    """Return the sentences of a memory that tell some news, without other subjects and agreements
    of the same talk.

    >>> news_in("Ann met Bob at 14:00. Ann told Bob that she is moving.", lambda sentence: "moving" in sentence, "en")
    'Ann told Bob that she is moving.'
    """
    return " ".join(
        sentence for sentence in sentences(split_source(text, lang)[0], lang) if is_about(sentence)
    )


def find_changed_facts(
    before: Iterable[str], after: str, lang: Lang, names: Iterable[str]
) -> list[str]:
    """Return the times, numbers and people in a retold text that are in none of the texts that the
    teller knew. Omissions are no change. A kind of fact, such as times, that none of the teller's
    texts has is not compared.

    >>> find_changed_facts(["a sale of five cakes at 15:00"], "A sale of nine cakes at three o'clock", "en", ("Ann", "Bob"))
    ['nine']
    >>> find_changed_facts(["Ann is moving on Friday at five o'clock"], "Bob is moving on Friday at 18:00", "en", ("Ann", "Bob"))
    ['18:00', 'Bob']
    """
    people = tuple(names)
    known = [_facts(text, lang, people) for text in before]
    kinds = (
        (set().union(*knew), told)
        for *knew, told in zip(*known, _facts(after, lang, people), strict=True)
    )
    return [fact for knew, told in kinds if knew for fact in sorted(told - knew)]


def _facts(text: str, lang: Lang, names: tuple[str, ...]) -> tuple[set[str], set[str], set[str]]:
    """Return the clock times, the numbers (not those within times) and the people of `names` in a
    text.
    """
    times = set[str]()
    while when := find_when(text, lang):
        times |= {clock} if (clock := clock_of(when, lang)) else set()
        text = text.replace(when, " ", 1)
    return (
        times,
        {number.lower() for number in _NUMBERS[lang].findall(text)},
        {name for name in names if name in text},
    )
