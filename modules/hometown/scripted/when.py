"""Days and clock times in sentences: recognised, and resolved relative to the day of the sentence."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache

from hometown.clock import DAY, HOUR_WORDS, hhmm, parse_hhmm
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
_HALF_EN = r" ?[ap]\.?m\b"
_CLOCK_EN = rf"(?:\d{{1,2}}:\d{{2}}(?:{_HALF_EN})?|\d{{1,2}}{_HALF_EN}|{_SPOKEN_EN})"
_WHEN_EN = re.compile(
    rf"\b{_DAY_EN}(?: morning| afternoon| evening| night)?(?:,? (?:at|from) {_CLOCK_EN})?|\bat {_CLOCK_EN}",
    re.IGNORECASE,
)
_WEEKDAY_ZH = "[下这本]?个?(?:周|星期)[一二三四五六日天]"
_COUNT_ZH = r"(?:[二三]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
_BEGINS_ZH = r"(?:(?<![\d一二两三四五六七八九十])|(?<=[周期][一二三四五六]))"
"""Pattern of the place before a whole number: 周三四点 is four on Wednesday, 三四点 no time."""
_NUMBER_ZH = rf"(?:\d{{1,2}}|{_COUNT_ZH})[号日]"
_DAY_ZH = rf"(?:(?:{_NUMBER_ZH}，?)?{_WEEKDAY_ZH}(?:（{_NUMBER_ZH}）)?|\d{{1,2}}[号日]|今天|今晚|明天|明晚|后天)"
_PART_ZH = "凌晨|早上|上午|中午|下午|傍晚|晚上"
_CLOCK_ZH = (
    rf"{_BEGINS_ZH}(?:\d{{1,2}}[:：]\d{{2}}|(?:\d{{1,2}}|{_COUNT_ZH})点(?:半|一刻|三刻|整)?)"
)
CLOCK: dict[Lang, str] = {"en": f"(?i:{_CLOCK_EN})", "zh": f"(?:{_PART_ZH})?{_CLOCK_ZH}"}
"""Regular expressions of a clock time."""

_WHEN_ZH = re.compile(rf"{_DAY_ZH}(?:{_PART_ZH})?{_CLOCK_ZH}?|(?:{_PART_ZH}){_CLOCK_ZH}")
_QUARTERS_EN = {"quarter past": 15, "half past": 30, "thirty": 30, "quarter to": -15}
_QUARTERS_ZH = ("", "一刻", "半", "三刻")
_PARTS_ZH = ((0, "凌晨"), (5, "早上"), (9, "上午"), (12, "中午"), (13, "下午"), (18, "晚上"))
NOON, DAYTIME, EVENING = 12 * 60, 8 * 60, 20 * 60
"""Minutes of the day: English says of earlier times than `DAYTIME` that they are in the morning, and of
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


def is_relative(phrase: str, lang: Lang) -> bool:
    """Return True if a phrase of time names its day from that of the sentence, such as "tonight"."""
    return bool(_STALE[lang].search(phrase))


def is_stale(text: str, first_day: date, today: date, lang: Lang) -> bool:
    """Return True if "tomorrow" or "next Saturday" in a sentence from `first_day` would mislead
    today.
    """
    if first_day != today and is_relative(text, lang):
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
    """Return the clock time in a phrase as HH:MM, "" if there is none, or if no day has it. In
    English, hours in words before eight are those after noon, unless the phrase says otherwise.

    >>> clock_of("next Saturday at 3:30 pm", "en"), clock_of("下周六下午三点半", "zh"), clock_of("16:30", "zh")
    ('15:30', '15:30', '16:30')
    >>> clock_of("tonight at quarter to nine", "en"), clock_of("at quarter to nine", "en")
    ('20:45', '08:45')
    >>> clock_of("at 25:99", "en"), clock_of("今天三十点", "zh")
    ('', '')
    """
    minute = _minute_zh(phrase) if lang == "zh" else _minute_en(phrase.lower())
    return hhmm(minute) if minute is not None and minute <= DAY else ""


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
    return said[minute // 15] + (" in the morning" if 60 * hour + minute < DAYTIME else "")


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
    written = re.search(rf"({_COUNT_ZH})[号日](?=，?[下这本]?个?(?:周|星期)|）)", text)
    return _number_zh(written[1]) if written else 0


def _minute_en(phrase: str) -> int | None:
    """Return the clock time in an English phrase in small letters, in minutes; None for none."""
    late = re.search("evening|night", phrase)
    digits = re.search(
        rf"(?<!\d)(\d{{1,2}})(?=[:：]|{_HALF_EN})(?:[:：]([0-5]\d)(?!\d))?({_HALF_EN})?", phrase
    )
    if digits and (digits[2] or digits[3]):
        hour = int(digits[1])
        hour = 0 if hour == 12 and digits[3] else hour
        is_after_noon = "p" in digits[3] if digits[3] else late or "afternoon" in phrase
        return 60 * (hour + 12 if is_after_noon and hour < 12 else hour) + int(digits[2] or 0)
    words = re.search(r"(\w+) (o'clock|thirty)|(half past|quarter past|quarter to) (\w+)", phrase)
    word = words[1] or words[4] if words else ""
    if words is None or word not in HOUR_WORDS:
        return None
    minute = 60 * (HOUR_WORDS.index(word) + 1) + _QUARTERS_EN.get(words[2] or words[3], 0)
    early = minute < DAYTIME and "morning" not in phrase
    return minute + NOON if (late and minute <= NOON) or early else minute


def _minute_zh(phrase: str) -> int | None:
    """Return the clock time in a Chinese phrase, in minutes; None for none. Hours of the afternoon
    and the evening count from noon, and twelve in the evening is the end of the day.
    """
    match = re.search(
        rf"{_BEGINS_ZH}(\d{{1,2}}|{_COUNT_ZH})"
        r"(?:[:：]([0-5]\d)(?!\d)|点(半|一刻|三刻)?)",
        phrase,
    )
    if not match:
        return None
    hour, part = _number_zh(match[1]), phrase[: match.start()]
    evening = re.search("晚|夜", part) and hour > 4
    if evening or re.search("下午|傍晚", part) or ("中午" in part and hour < 3):
        hour += 12 if hour < 12 + bool(evening) else 0
    return 60 * hour + int(match[2] or _QUARTERS_ZH.index(match[3] or "") * 15)


def _number_zh(text: str) -> int:
    """Return the value of a number in digits, or in characters such as 二十五."""
    if text.isdigit():
        return int(text)
    tens, separator, ones = text.rpartition("十")
    if not separator:
        return _DIGITS_ZH[text]
    return (_DIGITS_ZH[tens] if tens else 1) * 10 + (_DIGITS_ZH[ones] if ones else 0)
