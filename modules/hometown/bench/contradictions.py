"""The rule that finds contradictions of the times, days, people and tasks that a prompt gives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import pairwise

from hometown.bench.replies import ScoredReply
from hometown.bench.wording import SPOKEN, words_of
from hometown.clock import DAY, hhmm
from hometown.prompt.reactions import CONTINUE, WAIT
from hometown.prompt.responses import DO

HABIT_MINUTES = 120
"""Minutes by which getting up and going to bed may differ from the habit."""

EARLIEST_BED_MINUTES = 300
"""Minutes between the last activity of a timetable and the time of going to bed above which the
timetable leaves a part of the day empty.
"""

LATE_MINUTES = 90
"""Minutes by which a timetable may begin after getting up, or go on after the time of going to bed."""

MINUTES_SHARE = 0.25
"""Share of the time to be filled by which the minutes of its tasks may miss it."""

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_ZH = "一二三四五六日"


def contradiction(reply: ScoredReply) -> str:
    """Return words that contradict the times, days or numbers that the prompt gives."""
    return (
        next(_wrong_greetings(reply), "")
        or next(_wrong_weekdays(reply), "")
        or next(_wrong_clocks(reply), "")
        or _wrong_addressee(reply)
        or _needless_topic(reply)
        or _misplaced_decision(reply)
        or _early_start(reply)
        or next(_broken_habits(reply), "")
        or next(_wrong_plan(reply), "")
    )


def _wrong_greetings(reply: ScoredReply) -> Iterator[str]:
    """Yield greetings of another time of the day."""
    if reply.minute is None or not reply.speech:
        return
    for greeting, (begin, end) in words_of(reply.lang)["greetings"].items():
        opening = reply.speech.casefold()[:40]
        if greeting in opening and not begin <= reply.minute <= end:
            yield f"{greeting}, {hhmm(reply.minute)}"


def _wrong_weekdays(reply: ScoredReply) -> Iterator[str]:
    """Yield days that fall on another weekday than is said, in the month of the prompt."""
    today = _date_of(reply.date)
    if today is None:
        return
    for _, text, _ in reply.texts:
        if reply.lang == "en":
            found = [
                (int(match[2]), WEEKDAYS.index(match[1].casefold()), match[0])
                for match in re.finditer(
                    rf"\b({'|'.join(WEEKDAYS)}),? (?:the )?(\d{{1,2}})(?:st|nd|rd|th)\b",
                    text,
                    re.IGNORECASE,
                )
            ]
        else:
            found = [
                (int(match[1]), _WEEKDAYS_ZH.index(match[2].replace("天", "日")), match[0])
                for match in re.finditer(
                    r"(?<![\d月])(\d{1,2})[号日](?:是|，)?(?:下|这)?(?:周|星期)([一二三四五六日天])",
                    text,
                )
            ]
        for day, weekday, words in found:
            if not any(at.weekday() == weekday for at in _days_called(day, today)):
                yield words


def _days_called(day: int, today: date) -> Iterator[date]:
    """Yield the days of that number in this month and the next."""
    for year, month in (
        (today.year, today.month),
        (today.year + today.month // 12, today.month % 12 + 1),
    ):
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _date_of(text: str) -> date | None:
    for form in ("%d %B %Y", "%Y年%m月%d日"):
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def _wrong_clocks(reply: ScoredReply) -> Iterator[str]:
    """Yield times that no clock shows; only in speech may an hour be of the morning or the evening."""
    for name, text, _ in reply.texts:
        for match in re.finditer(r"\b(\d{1,2}):(\d\d)(?!\d)( ?[AaPp][Mm]\b)?", text):
            if (
                int(match[1]) > 24
                or int(match[2]) > 59
                or (match[3] and (name not in SPOKEN or int(match[1]) > 12))
            ):
                yield match[0]


def _wrong_addressee(reply: ScoredReply) -> str:
    """Return a greeting to somebody by their full name who is not there, or to oneself."""
    if reply.lang == "zh" or not reply.others:
        return ""
    greeted = r"\b(?:Hi|Hello|Hey|Bye|Goodbye|Good \w+|Dear|Thanks|Thank you)(?: there)?,? ([A-Z]\w+ [A-Z]\w+)"
    return next(
        (
            match[0]
            for match in re.finditer(greeted, reply.speech)
            if match[1] in reply.prompt_text and not any(match[1] in name for name in reply.others)
        ),
        "",
    )


def _needless_topic(reply: ScoredReply) -> str:
    """Return the topic of a decision that concerns no other resident."""
    value = reply.value if isinstance(reply.value, dict) else {}
    concerns_nobody = value.get("decision") in (CONTINUE, WAIT, DO)
    return str(value.get("topic", "")) if concerns_nobody else ""


def _misplaced_decision(reply: ScoredReply) -> str:
    """Return the name of a decision in place of what is to be done or talked about."""
    value = reply.value if isinstance(reply.value, dict) else {}
    found = (str(value.get(name, "")) for name in ("topic", "what"))
    decision = rf"{CONTINUE}|{WAIT}|{DO}|(?:talk|talking|go) to \d+"
    return next((text for text in found if re.fullmatch(decision, text.strip())), "")


def _early_start(reply: ScoredReply) -> str:
    """Return the start of an activity that lies before the present time."""
    value = reply.value if isinstance(reply.value, dict) else {}
    start = str(value.get("start", "")) if reply.kind == "reconsider" else ""
    is_early = (
        bool(value.get("activity"))
        and bool(re.fullmatch(r"\d\d:\d\d", start))
        and reply.minute is not None
        and 0 < reply.minute - _minutes(start) < DAY // 2
    )
    return start if is_early else ""


def _broken_habits(reply: ScoredReply) -> Iterator[str]:
    """Yield times of getting up or going to bed that are far from the habit, where the habit could
    be chosen.
    """
    if reply.kind != "wake_up" or not isinstance(reply.value, dict):
        return
    for name in ("wake", "bed"):
        usual = re.search(rf'"{name}"\W+(?:usually |平常)(\d\d:\d\d)', reply.prompt_text)
        chosen = str(reply.value.get(name, ""))
        offered = reply.schema.get("properties", {}).get(name, {}).get("enum", ())
        if usual and usual[1] in offered and chosen in offered:
            apart = abs(_minutes(chosen) - _minutes(usual[1]))
            if min(apart, DAY - apart) > HABIT_MINUTES:
                yield f"{name} {chosen}, {usual[1]}"


def _minutes(clock: str) -> int:
    return int(clock[:2]) * 60 + int(clock[3:5])


def _wrong_plan(reply: ScoredReply) -> Iterator[str]:
    """Yield parts of a plan that go back in time, lie outside the day or in another activity, or
    whose minutes miss the time to be filled.
    """
    value = reply.value if isinstance(reply.value, dict) else {}
    hours = [row[0] for row in value.get("hours", ()) if isinstance(row, list) and row]
    hours += [text[:5] for text in value.get("strokes", ()) if re.match(r"\d\d:\d\d", str(text))]
    minutes = [_minutes(at) for at in hours if re.fullmatch(r"\d\d:\d\d", at)]
    backward = [(a, b) for a, b in pairwise(minutes) if b < a]
    if len(backward) > 1 or any(b >= 300 for _, b in backward):
        yield " ".join(hours)
    if reply.kind == "schedule_daily":
        yield from _outside_day(minutes, reply)
    rows = [row for row in value.get("tasks", ()) if isinstance(row, list) and len(row) > 1]
    neighbours = re.findall(words_of(reply.lang)["neighbours"], reply.prompt_text, re.MULTILINE)
    yield from (
        str(row[0])
        for row in rows
        if str(row[0]).casefold().rstrip(".。") in map(str.casefold, neighbours)
    )
    total = re.search(r"must add up to (\d+) minutes|一共(\d+)分钟", reply.prompt_text)
    if rows and total:
        wanted, found = int(total[1] or total[2]), sum(filter(_is_number, (row[1] for row in rows)))
        if abs(found - wanted) > MINUTES_SHARE * wanted:
            yield f"{found} ≠ {wanted}"


def _outside_day(minutes: Sequence[int], reply: ScoredReply) -> Iterator[str]:
    """Yield what a timetable leaves empty, or sets after the time of going to bed."""
    day = re.search(words_of(reply.lang)["waking_hours"], reply.prompt_text)
    if not day or not minutes:
        return
    wake, bed = _minutes(day[1]), _minutes(day[2])
    length = (bed - wake) % DAY
    first, last = minutes[0] - wake, max((at - wake) % DAY for at in minutes)
    if first > LATE_MINUTES:
        yield f"{hhmm(minutes[0])}, {day[1]}"
    if not length - EARLIEST_BED_MINUTES <= last <= length + LATE_MINUTES:
        yield f"{hhmm((wake + last) % DAY)}, {day[2]}"


def _is_number(value: object) -> bool:
    return isinstance(value, int)
