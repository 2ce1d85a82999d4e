"""Schedule entries for occasions: attending them, preparing and clearing up as a host."""

from __future__ import annotations

from collections.abc import Iterator

from hometown.agent.mind import Mind
from hometown.agent.mind.present_events import list_moments
from hometown.clock import DAY, minute_of_day
from hometown.memory.concept import OVERHEARD_PREDICATE
from hometown.memory.schedule import Entry, Schedule
from hometown.world.attendance import is_entry_for, mentions_occasion
from hometown.world.occasion import OCCASION_ORIGIN, Guest, Occasion
from hometown.world.social import OccasionKnown

PREPARING_MINUTES, CLEARING_MINUTES = 60, 20
"""Minutes before and after a gathering in which its host prepares and clears up."""

LOOKBACK_OVERHEARD = 200
"""Number of latest events searched for those in which an occasion was overheard."""


def plan_attendance(mind: Mind, schedule: Schedule) -> Iterator[Entry]:
    """Yield schedule entries for occasions that the resident was told of, or has overheard of, and has
    planned to attend. Who has overheard of one knows of it from then on.
    """
    for number, occasion in _coming_today(mind):
        guest = occasion.guest(mind.who) or _find_overheard(mind, occasion)
        if guest is None or guest.part not in ("told", "asked"):
            continue
        start, end = _minutes_of(occasion)
        for entry in schedule.entries:
            if (
                entry.start < end
                and start - PREPARING_MINUTES < entry.end
                and is_entry_for(mind.world, occasion, entry)
            ):
                if occasion.guest(mind.who) is None:
                    mind.do(OccasionKnown(number, guest), "rule:overheard")
                yield Entry(
                    start,
                    end,
                    entry.activity,
                    "appointment",
                    occasion.address,
                    f"{OCCASION_ORIGIN}{number}",
                )
                break


def _find_overheard(mind: Mind, occasion: Occasion) -> Guest | None:
    """Return the resident as a guest who has overheard of an occasion; None if they have not."""
    lately = mind.state.memory(mind.who).recent(("event",), LOOKBACK_OVERHEARD)
    speakers = (
        memory.subject
        for memory in lately
        if memory.predicate == OVERHEARD_PREDICATE
        and mentions_occasion(mind.world, occasion, memory.text)
    )
    speaker = next(speakers, "")
    return Guest(mind.who, mind.now, speaker) if speaker else None


def plan_hosting(mind: Mind, schedule: Schedule) -> Iterator[Entry]:
    """Yield the preparations and the clearing up of gatherings that the resident hosts, at free
    times.
    """
    for number, occasion in _coming_today(mind):
        if not (occasion.gathers and occasion.gives(mind.who)):
            continue
        start, end = _minutes_of(occasion)
        around = (
            ("getting_ready", start - PREPARING_MINUTES, start),
            ("clearing_up", end, min(end + CLEARING_MINUTES, DAY)),
        )
        for key, begin, until in around:
            what = mind.words.say(key, what=occasion.what)
            free = all(
                entry.kind == "activity"
                for entry in schedule.entries
                if entry.start < until and begin < entry.end
            )
            if 0 <= begin < until and free:
                yield Entry(
                    begin,
                    until,
                    what,
                    "appointment",
                    occasion.address,
                    f"{OCCASION_ORIGIN}{number}",
                )


def list_coming_moments(mind: Mind, entry: Entry) -> Iterator[tuple[int, str]]:
    """Yield the moments of the gathering that an entry is for, from those that have not passed, as
    (start, moment) in minutes of the day.
    """
    for occasion, _ in mind.scene.occasions[mind.who]:
        start, end = _minutes_of(occasion)
        if (
            entry.kind == "appointment"
            and entry.address == occasion.address
            and occasion.start.date() == mind.now.date()
            and start <= entry.start < end
        ):
            for begin, until, moment in list_moments(mind.words, occasion):
                if minute_of_day(until) > entry.start or until == occasion.end:
                    yield max(minute_of_day(begin), entry.start), moment


def _coming_today(mind: Mind) -> list[tuple[str, Occasion]]:
    """Return today's occasions that have not begun, as (id, occasion)."""
    return [
        each
        for each in mind.state.occasions
        if each[1].start.date() == mind.now.date() and each[1].start >= mind.now
    ]


def _minutes_of(occasion: Occasion) -> tuple[int, int]:
    """Return the start and the end of an occasion in minutes of its day."""
    start = minute_of_day(occasion.start)
    return start, min(start + occasion.minutes, DAY)
