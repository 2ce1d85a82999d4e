"""Distort news in the telling: a resident occasionally misremembers a detail of hearsay."""

from __future__ import annotations

import re

from hometown.clock import hhmm, parse_hhmm
from hometown.language import Lang
from hometown.scripted.scene import Scene
from hometown.scripted.when import clock_of, find_when, with_clock

WRONG = 0.12
"""Probability with which hearsay is told with another time or number."""

LATER = 60
"""Minutes by which a misremembered time is late."""

_GROWS = {
    "en": ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "a dozen"),
    "zh": ("两", "三", "四", "五", "六", "七", "八", "九", "十", "十几"),
}
"""Numbers as rumours tell them: each grows into the next but one."""

_COUNTED = {
    "en": r"(?<!-)(?<!\bor )\b(?:{words})\b(?!-| or | o'clock)",
    "zh": "(?<![0-9一二两三四五六七八九十])(?:{words})(?=[个位天次块元本张只条家斤封]|年(?!级))",
}


def as_remembered(clause: str, scene: Scene) -> str:
    """Return hearsay as the speaker remembers it: by chance with a wrong time or number."""
    return distort(clause, scene.bank.lang) if scene.chance(WRONG) else clause


def distort(clause: str, lang: Lang) -> str:
    """Return a clause with its clock time an hour later, at most 23:00, or else its first number
    grown by two; unchanged without either.

    >>> distort("there is a party on Friday at five o'clock", "en"), distort("Tom sold three ladders", "en"), distort("三个人要搬走", "zh")
    ("there is a party on Friday at six o'clock", 'Tom sold five ladders', '五个人要搬走')
    """
    when = find_when(clause, lang)
    if clock := clock_of(when, lang):
        later = hhmm(min(parse_hhmm(clock) + LATER, 23 * 60))
        return clause.replace(when, with_clock(when, later, lang), 1)
    grows = _GROWS[lang]
    number = re.search(_COUNTED[lang].format(words="|".join(grows[:-2])), clause)
    return (
        clause[: number.start()] + grows[grows.index(number[0]) + 2] + clause[number.end() :]
        if number
        else clause
    )
