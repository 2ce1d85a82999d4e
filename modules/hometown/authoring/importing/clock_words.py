"""Times of day in sentences, and the clauses that they stand in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hometown.authoring.word_tables import contains_word, read_word_table, simplify
from hometown.clock import DAY, HOUR_WORDS
from hometown.language import Lang

NUMERALS = {word: number for number, word in enumerate("一二三四五六七八九", 1)} | {
    "两": 2,
    "十": 10,
    "十一": 11,
    "十二": 12,
}
NUMERALS |= {word: number for number, word in enumerate(HOUR_WORDS, 1)}

LATEST_BARE = 6
"""Hours up to this one without a part of the day count as afternoon: no class is at three in the
morning.
"""

WAKE, BED, DINNER = 7 * 60, 23 * 60, 18 * 60
"""The usual times to get up, to go to bed and to have dinner, in minutes of the day, for a person
whose texts name none.
"""


@dataclass(frozen=True)
class Rhythm:
    """Times of waking, dinner and bed, in minutes since midnight; `bed` below `wake` is after
    midnight.
    """

    wake: int = WAKE
    bed: int = BED
    dinner: int = DINNER


def clauses(text: str, lang: Lang) -> list[str]:
    """Return the parts of a text between commas and full stops."""
    plain = re.sub(r"\b([ap])\.\s?m\.?", r"\1m", text) if lang == "en" else text
    return [
        part.strip()
        for part in re.split(read_word_table(lang)["clauses"], plain)
        if part and part.strip()
    ]


def clock_times(clause: str, lang: Lang) -> list[int]:
    """Return the times of day that a clause names, in minutes since midnight; in English also in
    words, "at half past ten".

    >>> clock_times("晚上11点左右上床睡觉", "zh"), clock_times("opens at 8am until half the day, then 5:30 pm", "en")
    ([1380], [480, 1050])
    >>> clock_times("大約在10pm左右去睡覺", "zh"), clock_times("早上五時半起床", "zh")
    ([1320], [330])
    >>> clock_times("has a class at ten", "en"), clock_times("works from nine to five with two friends", "en"), clock_times("at half past three", "en")
    ([600], [540, 1020], [930])
    """
    words = read_word_table(lang)
    moments: list[int] = []
    for match in re.finditer(words["time"], simplify(clause), re.IGNORECASE):
        if match["word"]:
            moments.append(words["words"].get(match["word"].lower(), 0))
            continue
        rest = match.groupdict()
        if lang == "en" and not (
            match["part"]
            or any(rest[sign] for sign in ("clock", "half", "sharp", "lead"))
            or (rest["range"] and moments)
        ):
            continue  # "6 hours" is no time of day
        hour = NUMERALS.get(match["hour"].lower()) or int(match["hour"])
        minute = 30 if rest.get("half") else int(rest.get("clock") or rest.get("minute") or 0)
        part = (match["part"] or rest.get("half_day") or "").lower()
        late = part in words["afternoon"]
        if part and hour <= 12:
            hour = (12 if late else 0) + hour % 12
        elif not part and 1 <= hour <= LATEST_BARE:
            hour += 12
        at = (hour * 60 + minute) if not (late and hour == 12 and part in words["night"]) else DAY
        if at <= DAY:
            moments.append(at)
    return moments


def rhythm(lifestyle: str, lang: Lang) -> Rhythm:
    """Return the times of getting up, dinner and bedtime that a text gives, the default for each
    that it omits; the default rhythm if that leaves less than 8 or more than 21 hours awake.

    >>> rhythm("晚上11点左右上床睡觉，早上6点左右醒来，下午5点左右吃晚饭。", "zh")
    Rhythm(wake=360, bed=1380, dinner=1020)
    >>> rhythm("goes to bed around 1am, awakes up around 10am.", "en")
    Rhythm(wake=600, bed=60, dinner=1080)
    """
    words = read_word_table(lang)
    named: dict[str, int] = {}
    for clause in clauses(lifestyle, lang):
        at = clock_times(clause, lang)
        key = next(
            (key for key in ("dinner", "wake", "bed") if contains_word(clause, words[key])), ""
        )
        if at and key:
            named.setdefault(key, _choose_half_of_day(key, at[0]))
    whole = Rhythm(**named)
    awake = (whole.bed - whole.wake) % DAY or DAY
    return whole if 8 * 60 <= awake <= 21 * 60 else Rhythm()


def _choose_half_of_day(key: str, at: int) -> int:
    """Return a time in its likely half of the day: not waking in the late afternoon, going to bed
    before noon or dining in the morning.
    """
    half = DAY // 2
    if key == "wake" and half < at <= half + LATEST_BARE * 60 + 59:
        return at - half
    if (key == "bed" and half // 2 <= at <= half) or (key == "dinner" and at < half):
        return at + half
    return at
