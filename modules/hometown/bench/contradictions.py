"""The rule that finds contradictions of the times, days, people and tasks that a prompt gives."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import pairwise

from hometown.bench.replies import ScoredReply
from hometown.bench.wording import SPOKEN, content_of, minutes_of, words_of
from hometown.clock import DAY, hhmm

HABIT_MINUTES = 120
"""Minutes by which getting up and going to bed may differ from the habit."""

EARLIEST_BED_MINUTES = 300
"""Minutes between the last activity of a timetable and the time of going to bed above which the
timetable leaves a part of the day empty.
"""

LATE_MINUTES = 90
"""Minutes by which a timetable may begin after getting up, or go on after the time of going to bed."""

BED_MINUTES = 60
"""Minutes by which the last activity of a timetable, if it is sleep, may begin before or after the
time of going to bed.
"""

NIGHT_MINUTES = 300
"""Minutes after midnight until which a plan may go on with the day before."""

MONTHS = tuple(month_name[number].casefold() for number in range(1, 13))
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS_ZH = "一二三四五六日"


def contradiction(reply: ScoredReply) -> str:
    """Return words that contradict the times, days or numbers that the prompt gives."""
    return (
        next(_wrong_greetings(reply), "")
        or next(_wrong_weekdays(reply), "")
        or next(_moved_dates(reply), "")
        or next(_wrong_clocks(reply), "")
        or _wrong_addressee(reply)
        or _early_start(reply)
        or next(_broken_habits(reply), "")
        or next(_wrong_plan(reply), "")
        or _needless_way(reply)
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


def _early_start(reply: ScoredReply) -> str:
    """Return the start of an activity that lies before the present time."""
    start = str(reply.fields.get("start", "")) if reply.kind == "reconsider" else ""
    is_early = (
        bool(reply.fields.get("activity"))
        and bool(re.fullmatch(r"\d\d:\d\d", start))
        and reply.minute is not None
        and 0 < reply.minute - minutes_of(start) < DAY // 2
    )
    return start if is_early else ""


def _broken_habits(reply: ScoredReply) -> Iterator[str]:
    """Yield times of getting up or going to bed that are far from the habit, where the habit could
    be chosen.
    """
    if reply.kind != "wake_up":
        return
    for name in ("wake", "bed"):
        usual = re.search(rf'"{name}"\W+(?:usually |平常)(\d\d:\d\d)', reply.prompt_text)
        chosen = str(reply.fields.get(name, ""))
        offered = reply.schema.get("properties", {}).get(name, {}).get("enum", ())
        if usual and usual[1] in offered and chosen in offered:
            apart = abs(minutes_of(chosen) - minutes_of(usual[1]))
            if min(apart, DAY - apart) > HABIT_MINUTES:
                yield f"{name} {chosen}, {usual[1]}"


def _wrong_plan(reply: ScoredReply) -> Iterator[str]:
    """Yield parts of a plan that go back in time, lie outside the day or in another activity."""
    hours = reply.starts
    hours += [text[:5] for text in map(str, reply.fields.get("strokes", ())) if _is_clock(text[:5])]
    minutes = [minutes_of(at) for at in hours if _is_clock(at)]
    backward = [(a, b) for a, b in pairwise(minutes) if b < a]
    if len(backward) > 1 or any(b >= NIGHT_MINUTES for _, b in backward):
        yield " ".join(hours)
    if reply.kind == "schedule_daily":
        yield from _outside_day(minutes, reply)
    yield from _neighbouring_tasks(reply)
    yield from _misplaced_changes(reply)


def _is_clock(text: str) -> bool:
    return bool(re.fullmatch(r"\d\d:\d\d", text))


def _neighbouring_tasks(reply: ScoredReply) -> Iterator[str]:
    """Yield tasks that are those of the activity before or after the one to be split."""
    words = words_of(reply.lang)
    split = re.search(words["activity_to_split"], reply.prompt_text)
    own = content_of(split[1] if split else "", reply.lang)
    told = [
        content_of(re.sub(words["commonplace"], "", text), reply.lang) for text in reply.neighbours
    ]
    for task, *_ in reply.tasks:
        content = content_of(re.sub(words["commonplace"], "", str(task)), reply.lang)
        if content and content in told and not content <= own:
            yield str(task)


def _misplaced_changes(reply: ScoredReply) -> Iterator[str]:
    """Yield changes of a usual day that begin before or after the lines between which they stand."""
    lines = re.findall(r"^(?:(\d+)\.|-) (\d\d:\d\d) ", reply.messages[-1].content, re.MULTILINE)
    for change in reply.fields.get("changes", ()):
        number, start = str(change.get("number")), str(change.get("start"))
        at = next((place for place, line in enumerate(lines) if line[0] == number), None)
        if at is None or not _is_clock(start):
            continue
        before = [clock for other, clock in lines[:at] if not other][-1:]
        after = [clock for other, clock in lines[at + 1 :] if not other][:1]
        if any(start <= clock for clock in before) or any(start >= clock for clock in after):
            yield f"{number}. {start}"


def _outside_day(minutes: Sequence[int], reply: ScoredReply) -> Iterator[str]:
    """Yield what a timetable leaves empty, or sets after the time of going to bed."""
    day = re.search(words_of(reply.lang)["waking_hours"], reply.prompt_text)
    if not day or not minutes:
        return
    wake, bed = minutes_of(day[1]), minutes_of(day[2])
    length = (bed - wake) % DAY
    first, last = minutes[0] - wake, max((at - wake) % DAY for at in minutes)
    if first > LATE_MINUTES:
        yield f"{hhmm(minutes[0])}, {day[1]}"
    if not length - EARLIEST_BED_MINUTES <= last <= length + LATE_MINUTES:
        yield f"{hhmm((wake + last) % DAY)}, {day[2]}"
    words, (start, activity) = words_of(reply.lang), reply.fields["hours"][-1][:2]
    if _is_clock(start) and re.search(words["sleep"], str(activity)):
        apart = abs(minutes_of(start) - bed) % DAY
        if min(apart, DAY - apart) > BED_MINUTES:
            yield f"{start} {activity}, {day[2]}"


def _needless_way(reply: ScoredReply) -> str:
    """Return the words for going to the place where the resident is."""
    here = re.search(words_of(reply.lang)["here"], reply.prompt_text)
    texts = (text for name, text, _ in reply.texts if name in ("activity", "what"))
    way = words_of(reply.lang)["way"]
    return next((text for text in texts if here and re.search(way + re.escape(here[1]), text)), "")


def _moved_dates(reply: ScoredReply) -> Iterator[str]:
    """Yield dates with another weekday, in words such as "Thursday, 6 March 2025"."""
    today = _date_of(reply.date)
    pattern = words_of(reply.lang)["weekday_and_date"]
    for _, text, _ in reply.texts:
        for match in re.finditer(pattern, text, re.IGNORECASE):
            parts = match.groupdict()
            month = (
                MONTHS.index(parts["month"].casefold()) + 1
                if reply.lang == "en"
                else int(parts["month"])
            )
            named = parts["weekday"].casefold()
            weekday = (
                WEEKDAYS.index(named)
                if reply.lang == "en"
                else _WEEKDAYS_ZH.index(named.replace("天", "日"))
            )
            if today and not any(
                _weekday_of(year, month, int(parts["day"])) == weekday
                for year in (today.year, today.year + 1)
            ):
                yield match[0]


def _weekday_of(year: int, month: int, day: int) -> int | None:
    try:
        return date(year, month, day).weekday()
    except ValueError:
        return None
