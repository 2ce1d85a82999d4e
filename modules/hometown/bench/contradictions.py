"""The rule that finds contradictions of the times, days, people and tasks that a prompt gives."""

from __future__ import annotations

import re
from calendar import month_name
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from itertools import pairwise

from hometown.bench.replies import ScoredReply
from hometown.bench.word_faults import SPOKEN, content_of, minutes_of, words_of
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
    """Return the first words that contradict the prompt's times, days, people, tasks or places, ""
    for none.
    """
    return (
        next(_list_wrong_greetings(reply), "")
        or next(_list_wrong_weekdays(reply), "")
        or next(_list_moved_dates(reply), "")
        or next(_list_impossible_times(reply), "")
        or _find_wrong_addressee(reply)
        or _find_early_start(reply)
        or next(_list_broken_habits(reply), "")
        or next(_list_plan_faults(reply), "")
        or _find_needless_way(reply)
    )


def _list_wrong_greetings(reply: ScoredReply) -> Iterator[str]:
    """Yield greetings, among the first 40 characters of a spoken line, of another time of the day
    than the prompt's.
    """
    if reply.minute is None or not reply.speech:
        return
    for greeting, (begin, end) in words_of(reply.lang)["greetings"].items():
        opening = reply.speech.casefold()[:40]
        if greeting in opening and not begin <= reply.minute <= end:
            yield f"{greeting}, {hhmm(reply.minute)}"


def _list_wrong_weekdays(reply: ScoredReply) -> Iterator[str]:
    """Yield days of the month with a weekday on which they fall neither in the month of the prompt
    nor in the next; nothing if the prompt has no date.
    """
    today = _parse_date(reply.date)
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
            if not any(at.weekday() == weekday for at in _list_days_of_number(day, today)):
                yield words


def _list_days_of_number(day: int, today: date) -> Iterator[date]:
    """Yield the dates with this day of the month, in this month and the next."""
    for year, month in (
        (today.year, today.month),
        (today.year + today.month // 12, today.month % 12 + 1),
    ):
        try:
            yield date(year, month, day)
        except ValueError:
            continue


def _parse_date(text: str) -> date | None:
    """Return the date that a prompt writes in English or Chinese, None for any other text."""
    for form in ("%d %B %Y", "%Y年%m月%d日"):
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None


def _list_impossible_times(reply: ScoredReply) -> Iterator[str]:
    """Yield times that are impossible: an hour above 24 or a minute above 59, and an hour above 12
    with "am" or "pm". Texts that are not spoken use the 24-hour clock, so that any time with "am"
    or "pm" is impossible there.
    """
    for name, text, _ in reply.texts:
        for match in re.finditer(r"\b(\d{1,2}):(\d\d)(?!\d)( ?[AaPp][Mm]\b)?", text):
            if (
                int(match[1]) > 24
                or int(match[2]) > 59
                or (match[3] and (name not in SPOKEN or int(match[1]) > 12))
            ):
                yield match[0]


def _find_wrong_addressee(reply: ScoredReply) -> str:
    """Return a greeting, farewell or thanks to a person of the prompt by their full name who is not
    among the others of the conversation; "" for none. English only.
    """
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


def _find_early_start(reply: ScoredReply) -> str:
    """Return the start of an activity that a resident who reconsiders the day sets before the
    present time, by less than half a day; "" for none.
    """
    start = str(reply.fields.get("start", "")) if reply.kind == "reconsider" else ""
    is_early = (
        bool(reply.fields.get("activity"))
        and bool(re.fullmatch(r"\d\d:\d\d", start))
        and reply.minute is not None
        and 0 < reply.minute - minutes_of(start) < DAY // 2
    )
    return start if is_early else ""


def _list_broken_habits(reply: ScoredReply) -> Iterator[str]:
    """Yield times of getting up or going to bed that differ from the habit by more than
    `HABIT_MINUTES`, where the habit could be chosen.
    """
    if reply.kind != "wake_up":
        return
    for name, usual in reply.habits.items():
        chosen = str(reply.fields.get(name, ""))
        offered = reply.schema.get("properties", {}).get(name, {}).get("enum", ())
        if usual in offered and chosen in offered:
            apart = abs(minutes_of(chosen) - minutes_of(usual))
            if min(apart, DAY - apart) > HABIT_MINUTES:
                yield f"{name} {chosen}, {usual}"


def _list_plan_faults(reply: ScoredReply) -> Iterator[str]:
    """Yield the faults of a plan: times that go back, more than once or not to the first hours
    after midnight; times outside the day; tasks of another activity; and misplaced changes.
    """
    hours = [*reply.starts, *(text[:5] for text in reply.strokes if _is_clock(text[:5]))]
    minutes = [minutes_of(at) for at in hours if _is_clock(at)]
    backward = [(a, b) for a, b in pairwise(minutes) if b < a]
    if len(backward) > 1 or any(b >= NIGHT_MINUTES for _, b in backward):
        yield " ".join(hours)
    if reply.kind == "schedule_daily":
        yield from _list_times_outside_day(minutes, reply)
    yield from _list_neighbouring_tasks(reply)
    yield from _list_misplaced_changes(reply)


def _is_clock(text: str) -> bool:
    return bool(re.fullmatch(r"\d\d:\d\d", text))


def _list_neighbouring_tasks(reply: ScoredReply) -> Iterator[str]:
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


def _list_misplaced_changes(reply: ScoredReply) -> Iterator[str]:
    """Yield changes of a usual day that begin not between the fixed lines around their own."""
    lines = reply.usual_day
    for change in reply.changes:
        number, start = str(change.get("number")), str(change.get("start"))
        at = next((place for place, line in enumerate(lines) if line[0] == number), None)
        if at is None or not _is_clock(start):
            continue
        before = [clock for other, clock in lines[:at] if not other][-1:]
        after = [clock for other, clock in lines[at + 1 :] if not other][:1]
        if any(start <= clock for clock in before) or any(start >= clock for clock in after):
            yield f"{number}. {start}"


def _list_times_outside_day(minutes: Sequence[int], reply: ScoredReply) -> Iterator[str]:
    """Yield the times of a timetable that begins late, that ends long before or after the time of
    going to bed, or whose last activity is sleep at another time than that.
    """
    day = re.search(words_of(reply.lang)["waking_hours"], reply.prompt_text)
    if not day or not minutes or not reply.hours:
        return
    wake, bed = minutes_of(day[1]), minutes_of(day[2])
    length = (bed - wake) % DAY
    first, last = minutes[0] - wake, max((at - wake) % DAY for at in minutes)
    if first > LATE_MINUTES:
        yield f"{hhmm(minutes[0])}, {day[1]}"
    if not length - EARLIEST_BED_MINUTES <= last <= length + LATE_MINUTES:
        yield f"{hhmm((wake + last) % DAY)}, {day[2]}"
    words, (start, activity) = words_of(reply.lang), map(str, reply.hours[-1][:2])
    if _is_clock(start) and re.search(words["sleep"], activity):
        apart = abs(minutes_of(start) - bed) % DAY
        if min(apart, DAY - apart) > BED_MINUTES:
            yield f"{start} {activity}, {day[2]}"


def _find_needless_way(reply: ScoredReply) -> str:
    """Return the text of an activity that says to go to the place where the resident is, "" for
    none.
    """
    here = re.search(words_of(reply.lang)["here"], reply.prompt_text)
    texts = (text for name, text, _ in reply.texts if name in ("activity", "what"))
    way = words_of(reply.lang)["way"]
    return next((text for text in texts if here and re.search(way + re.escape(here[1]), text)), "")


def _list_moved_dates(reply: ScoredReply) -> Iterator[str]:
    """Yield dates with a weekday, such as "Thursday, 6 March 2025", on which they fall neither in
    the year of the prompt nor in the next; nothing if the prompt has no date.
    """
    today = _parse_date(reply.date)
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
                _find_weekday(year, month, int(parts["day"])) == weekday
                for year in (today.year, today.year + 1)
            ):
                yield match[0]


def _find_weekday(year: int, month: int, day: int) -> int | None:
    """Return the weekday of a date, Monday as 0, None if there is no such date."""
    try:
        return date(year, month, day).weekday()
    except ValueError:
        return None
