"""Days and clock times in sentences: recognised, and resolved relative to the day of the sentence."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from hometown.clock import HOUR_WORDS, hhmm, parse_hhmm
from hometown.language import Lang

_DAYS_EN = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DIGITS_ZH = {
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "日": 7,
    "天": 7,
}

_DATE_EN = r"(?: the \d{1,2}(?:st|nd|rd|th)| week)?"
_NUMBER_EN = r"on the \d{1,2}(?:st|nd|rd|th)(?! floor)"
_DAY_EN = rf"(?:(?:on |this |next |coming )*(?:{'|'.join(_DAYS_EN)}){_DATE_EN}|{_NUMBER_EN}|today|tonight|tomorrow|this (?:morning|afternoon|evening))"
_HOURS_EN = "|".join(HOUR_WORDS)
_SPOKEN_EN = rf"(?:(?:half past|quarter past|quarter to) (?:{_HOURS_EN})|(?:{_HOURS_EN}) (?:o'clock|thirty))(?: tonight| in the (?:morning|evening))?"
_CLOCK_EN = rf"(?:\d{{1,2}}:\d{{2}}|\d{{1,2}} ?[ap]m|{_SPOKEN_EN})"
_WHEN_EN = re.compile(
    rf"\b{_DAY_EN}(?: morning| afternoon| evening| night)?(?:,? (?:at|from) {_CLOCK_EN})?|\bat {_CLOCK_EN}",
    re.IGNORECASE,
)
_WEEKDAY_ZH = "[下这本]?个?(?:周|星期)[一二三四五六日天]"
_NUMBER_ZH = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})[号日]"
_DAY_ZH = rf"(?:(?:{_NUMBER_ZH}，?)?{_WEEKDAY_ZH}(?:（{_NUMBER_ZH}）)?|\d{{1,2}}[号日]|今天|今晚|明天|明晚|后天)"
_PART_ZH = "凌晨|早上|上午|中午|下午|傍晚|晚上"
_CLOCK_ZH = r"(?:\d{1,2}[:：]\d{2}|(?:\d{1,2}|[一二两三四五六七八九十]{1,3})点(?:半|一刻|三刻|整)?)"
CLOCK: dict[Lang, str] = {"en": f"(?i:{_CLOCK_EN})", "zh": f"(?:{_PART_ZH})?{_CLOCK_ZH}"}
"""Regular expressions of a clock time."""

_WHEN_ZH = re.compile(rf"{_DAY_ZH}(?:{_PART_ZH})?{_CLOCK_ZH}?|(?:{_PART_ZH}){_CLOCK_ZH}")
_QUARTERS_EN = {"quarter past": 15, "half past": 30, "thirty": 30, "quarter to": -15}
_QUARTERS_ZH = ("", "一刻", "半", "三刻")
_PARTS_ZH = ((0, "凌晨"), (5, "早上"), (9, "上午"), (12, "中午"), (13, "下午"), (18, "晚上"))
NOON, DAY, EVENING = 12 * 60, 8 * 60, 20 * 60
"""Minutes of the day: English says of earlier times than `DAY` that they are in the morning, and of
later ones than `EVENING` that they are in the evening.
"""

_STALE = {
    "en": re.compile(
        r"\b(today|tonight|tomorrow|yesterday|last night|this (morning|afternoon|evening))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile("今天|今早|今晚|明天|明晚|后天|昨[天晚]|刚才"),
}
_NEXT = {
    "en": re.compile(rf"\b(next|this) (?:{'|'.join(_DAYS_EN)}|week)", re.IGNORECASE),
    "zh": re.compile("[下这本]个?(周|星期)"),
}


@lru_cache(maxsize=1 << 11)
def find_when(text: str, lang: Lang) -> str:
    """Return the words that name a day or a time, "" if there are none.

    >>> find_when("Lin Yue is planning a party next Saturday at 15:00 in the park", "en")
    'next Saturday at 15:00'
    >>> find_when("on the 28th at half past seven, Xiao Mei sings on the 2nd floor", "en")
    'on the 28th at half past seven'
    >>> find_when("林悦下周六下午三点要办聚会", "zh"), find_when("艾达在二号星期三下午五点半摆桌", "zh")
    ('下周六下午三点', '二号星期三下午五点半')
    """
    match = (_WHEN_ZH if lang == "zh" else _WHEN_EN).search(text)
    return match[0] if match else ""


def is_stale(text: str, first_day: date, today: date, lang: Lang) -> bool:
    """Return True if "tomorrow" or "next Saturday" in a sentence from `first_day` would mislead
    today.
    """
    if first_day != today and _STALE[lang].search(text):
        return True
    return first_day.isocalendar()[:2] != today.isocalendar()[:2] and bool(_NEXT[lang].search(text))


def day_of(phrase: str, today: date, lang: Lang) -> date | None:
    """Return the date of a day named today; "next Saturday" is that of next week, "Saturday" the
    coming one, "the 22nd" the next of that number; None if no day is named.

    >>> day_of("next Saturday at 15:00", date(2025, 2, 13), "en"), day_of("周六", date(2025, 2, 13), "zh")
    (datetime.date(2025, 2, 22), datetime.date(2025, 2, 15))
    >>> day_of("Saturday the 22nd at three o'clock", date(2025, 2, 13), "en"), day_of("下周六（22号）下午三点", date(2025, 2, 13), "zh")
    (datetime.date(2025, 2, 22), datetime.date(2025, 2, 22))
    >>> day_of("二十六号星期三", date(2025, 2, 13), "zh")
    datetime.date(2025, 2, 26)
    """
    text = phrase.lower()
    if number := _day_number(text):
        return next(
            (day for shift in range(62) if (day := today + timedelta(days=shift)).day == number),
            None,
        )
    for shift, words in enumerate(
        (("today", "tonight", "this ", "今"), ("tomorrow", "明"), ("后天",))
    ):
        if any(word in text for word in words) and not any(day in text for day in _DAYS_EN):
            return today + timedelta(days=shift)
    text = re.sub(r"(\w+) week$", r"next \1", text)
    match = (
        re.search("(下?)个?(?:周|星期)([一二三四五六日天])", text)
        if lang == "zh"
        else re.search(rf"(next )?({'|'.join(_DAYS_EN)})", text)
    )
    if not match:
        return None
    weekday = _DIGITS_ZH[match[2]] - 1 if lang == "zh" else _DAYS_EN.index(match[2])
    if match[1]:
        return today + timedelta(days=7 - today.weekday() + weekday)
    return today + timedelta(days=(weekday - today.weekday()) % 7)


@lru_cache(maxsize=1 << 11)
def clock_of(phrase: str, lang: Lang) -> str:
    """Return the clock time in a phrase as HH:MM, "" if there is none. In English, hours before
    eight are those after noon, unless the phrase says otherwise.

    >>> clock_of("next Saturday at 3 pm", "en"), clock_of("下周六下午三点半", "zh"), clock_of("16:30", "zh")
    ('15:00', '15:30', '16:30')
    >>> clock_of("tonight at quarter to nine", "en"), clock_of("at quarter to nine", "en")
    ('20:45', '08:45')
    """
    digits = re.search(r"(\d{1,2})[:：](\d{2})", phrase)
    if digits:
        return hhmm(int(digits[1]) * 60 + int(digits[2]))
    if lang == "zh":
        return _clock_zh(phrase)
    match = re.search(r"(\d{1,2}) ?([ap])m", phrase, re.IGNORECASE)
    if match:
        return hhmm((int(match[1]) % 12 + (12 if match[2].lower() == "p" else 0)) * 60)
    match = re.search(
        r"(\w+) (o'clock|thirty)|(half past|quarter past|quarter to) (\w+)", phrase, re.IGNORECASE
    )
    word = (match[1] or match[4]).lower() if match else ""
    if match is None or word not in HOUR_WORDS:
        return ""
    part = (match[2] or match[3]).lower()
    minute = 60 * (HOUR_WORDS.index(word) + 1) + _QUARTERS_EN.get(part, 0)
    late = re.search("evening|night", phrase, re.IGNORECASE) and minute < NOON
    early = minute < DAY and "morning" not in phrase
    return hhmm(minute + NOON if late or early else minute)


def say_clock(clock: str, lang: Lang, tonight: bool = False) -> str:
    """Return a clock time in words, the inverse of `clock_of`; as it is if it is on no quarter of
    an hour. The evening of today is `tonight`.

    >>> say_clock("16:30", "en"), say_clock("20:00", "en"), say_clock("20:00", "en", tonight=True)
    ('half past four', "eight o'clock in the evening", "eight o'clock tonight")
    >>> say_clock("16:30", "zh"), say_clock("07:45", "zh")
    ('下午四点半', '早上七点三刻')
    """
    hour, minute = divmod(parse_hhmm(clock), 60)
    if minute % 15 or not hour:
        return clock
    if lang == "zh":
        part = next(name for first, name in reversed(_PARTS_ZH) if hour >= first)
        return f"{part}{_say_hour_zh(hour % 12 or 12)}点{_QUARTERS_ZH[minute // 15]}"
    word = HOUR_WORDS[(hour + minute // 45 - 1) % 12]
    said = (f"{word} o'clock", f"quarter past {word}", f"half past {word}", f"quarter to {word}")
    if 60 * hour + minute >= EVENING:
        return said[minute // 15] + (" tonight" if tonight else " in the evening")
    return said[minute // 15] + (" in the morning" if 60 * hour + minute < DAY else "")


def _say_hour_zh(hour: int) -> str:
    """Return an hour from 1 to 12 as it is said before 点."""
    return "一两三四五六七八九十"[hour - 1] if hour <= 10 else f"十{'一二'[hour - 11]}"


def day_words(phrase: str, lang: Lang) -> str:
    """Return the day in a phrase of time, without its hour; "" if it names none.

    >>> day_words("next Saturday at 15:00", "en"), day_words("on the 28th at 15:00", "en")
    ('next Saturday', 'the 28th')
    >>> day_words("下周六（22号）下午三点", "zh"), day_words("周五17:00", "zh")
    ('下周六', '周五')
    """
    if lang == "zh":
        day = re.split(f"{_PART_ZH}|{_CLOCK_ZH}", phrase)[0]
        return re.sub(rf"^{_NUMBER_ZH}，?(?=下)|（{_NUMBER_ZH}）$", "", day)
    return re.split(r",? (?:at|from) | (?:morning|afternoon|evening|night)", phrase)[
        0
    ].removeprefix("on ")


def without_weekday(phrase: str) -> str:
    """Return a phrase of time without the weekday of a numbered day, as speakers shorten a day that
    was named before.

    >>> without_weekday("on Friday the 28th at half past seven"), without_weekday("on Friday at 17:00")
    ('on the 28th at half past seven', 'on Friday at 17:00')
    >>> without_weekday("28号周五晚上七点半"), without_weekday("下周六（22号）下午三点")
    ('28号晚上七点半', '22号下午三点')
    """
    said = re.sub(rf"^(\d{{1,2}}[号日])，?{_WEEKDAY_ZH}", r"\1", phrase)
    said = re.sub(rf"^{_WEEKDAY_ZH}（(\d{{1,2}}[号日])）", r"\1", said)
    return re.sub(rf"^on (?:{'|'.join(_DAYS_EN)}) (?=the \d)", "on ", said, flags=re.IGNORECASE)


def with_clock(phrase: str, clock: str, lang: Lang) -> str:
    """Return a phrase of time with another clock time, or its own, in words.

    >>> with_clock("Friday at half past seven", "20:30", "en"), with_clock("周五19:30", "19:30", "zh")
    ('Friday at half past eight in the evening', '周五晚上七点半')
    """
    said = say_clock(clock, lang)
    if lang == "en":
        said = said.removesuffix(" in the evening") if re.search("evening|night", phrase) else said
        return re.sub(rf"(at|from) {_CLOCK_EN}$", rf"\1 {said}", phrase, flags=re.IGNORECASE)
    return re.sub(f"{CLOCK['zh']}$", said, phrase)


def _day_number(text: str) -> int:
    """Return the number of a day of the month, in digits or Chinese characters; 0 for none."""
    digits = re.search(r"(\d{1,2})(?:st|nd|rd|th|号|日)", text)
    if digits:
        return int(digits[1])
    written = re.search(
        r"([一二三四五六七八九十]{1,3})[号日](?=，?[下这本]?个?(?:周|星期)|）)", text
    )
    return _number_zh(written[1]) if written else 0


def _clock_zh(phrase: str) -> str:
    """Return the clock time in a Chinese phrase as HH:MM, "" if there is none; hours of the
    afternoon and evening count from noon.
    """
    match = re.search(r"(\d{1,2}|[一二两三四五六七八九十]{1,3})点(半|一刻|三刻)?", phrase)
    if not match:
        return ""
    hour = int(match[1]) if match[1].isdigit() else _number_zh(match[1])
    if hour < 12 and re.search("下午|傍晚|晚", phrase):
        hour += 12
    return hhmm(hour * 60 + {"半": 30, "一刻": 15, "三刻": 45}.get(match[2] or "", 0))


def _number_zh(text: str) -> int:
    """Return the value of a Chinese number below 100, such as 二十五. Raises KeyError for any other."""
    tens, separator, ones = text.rpartition("十")
    if not separator:
        return _DIGITS_ZH[text]
    return (_DIGITS_ZH[tens] if tens else 1) * 10 + (_DIGITS_ZH[ones] if ones else 0)
