"""Times of day in sentences, and the clauses that they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from modules.clock import DAY
from modules.world.world import Lang
from modules.worlds.importing.guess import mentions, table

NUMERALS = {one: number for number, one in enumerate("一二三四五六七八九", 1)} | {"两": 2, "十": 10, "十一": 11, "十二": 12}

WAKE, BED, DINNER = 7 * 60, 23 * 60, 18 * 60
"""What is usual."""


@dataclass(frozen=True)
class Rhythm:
    """When somebody wakes, has dinner and goes to bed, in minutes since midnight; `bed` below `wake` lies after midnight."""

    wake: int = WAKE
    bed: int = BED
    dinner: int = DINNER


def clauses(text: str, lang: Lang) -> list[str]:
    """The parts of a text between its commas and stops."""
    plain = re.sub(r"\b([ap])\.\s?m\.?", r"\1m", text) if lang == "en" else text
    return [part.strip() for part in re.split(table(lang)["clauses"], plain) if part and part.strip()]


def times(clause: str, lang: Lang) -> list[int]:
    """The times of day that a clause names, in minutes since midnight.

    >>> times("晚上11点左右上床睡觉", "zh"), times("opens at 8am until half the day, then 5:30 pm", "en")
    ([1380], [480, 1050])
    """
    words = table(lang)
    found = []
    for match in re.finditer(words["time"], clause):
        if match["word"]:
            found.append(words["words"].get(match["word"], 0))
            continue
        if lang == "en" and not (match["part"] or match["clock"]):
            continue  # "6 hours" is no time of day
        hour = NUMERALS.get(match["hour"]) or int(match["hour"])
        rest = match.groupdict()
        minute = 30 if rest.get("half") else int(rest.get("clock") or rest.get("minute") or 0)
        late = match["part"] in words["afternoon"]
        hour = (12 if late else 0) + hour % 12 if match["part"] and hour <= 12 else hour
        at = (hour * 60 + minute) if not (late and hour == 12 and match["part"] in ("晚上", "夜里")) else DAY
        if at <= DAY:
            found.append(at)
    return found


def rhythm(lifestyle: str, lang: Lang) -> Rhythm:
    """When somebody rises, eats and sleeps, as far as a text says so.

    >>> rhythm("晚上11点左右上床睡觉，早上6点左右醒来，下午5点左右吃晚饭。", "zh")
    Rhythm(wake=360, bed=1380, dinner=1020)
    >>> rhythm("goes to bed around 1am, awakes up around 10am.", "en")
    Rhythm(wake=600, bed=60, dinner=1080)
    """
    words = table(lang)
    said: dict[str, int] = {}
    for clause in clauses(lifestyle, lang):
        at = times(clause, lang)
        key = next((key for key in ("dinner", "wake", "bed") if mentions(clause, words[key])), "")
        if at and key:
            said.setdefault(key, at[0])
    found = Rhythm(**said)
    awake = (found.bed - found.wake) % DAY or DAY
    return found if 8 * 60 <= awake <= 21 * 60 else Rhythm()
