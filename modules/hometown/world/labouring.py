"""Apply the effects of work, bodies and shops, each of which sets a row."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hometown.world import keys, labour
from hometown.world.state import State


def apply_labour(effect: labour.LabourEffect, state: State) -> None:
    """Apply one effect: set the row that it names, or remove it where a job, a process, an aim, an
    employment or an ailment ends and where outcomes have been reflected on. Of outcomes, the latest
    `MAX_RECENT_OUTCOMES` are kept.
    """
    match effect:
        case labour.WorkBegun(who, deed):
            state.put(keys.DEED.of(who), deed)
        case labour.WorkPaused(who, minutes):
            state.put(keys.DEED.of(who), _postpone(state.job(who), timedelta(minutes=minutes)))
        case labour.WorkEnded(who):
            state.put(keys.DEED.of(who), None)
        case labour.ProcessBegun(address, process):
            state.put(keys.PROCESS.of(address), process)
        case labour.ProcessEnded(address):
            state.put(keys.PROCESS.of(address), None)
        case labour.NeedsSet(who, needs):
            state.put(keys.NEEDS.of(who), needs)
        case labour.Learned(who, skill, level):
            levels = dict(state.skills(who)) | {skill: level}
            state.put(keys.SKILLS.of(who), labour.Skills(tuple(sorted(levels.items()))))
        case labour.Priced(address, shop):
            state.put(keys.SHOP.of(address), shop)
        case labour.WeatherCame(day, kind):
            state.put(keys.WEATHER.key, _add_weather(state.weather, day, kind))
        case labour.AimSet(who, need):
            state.put(keys.AIM.of(who), labour.ActiveNeed(need) if need else None)
        case labour.CourseSet(who, errands):
            state.put(keys.COURSE.of(who), labour.ErrandQueue(errands) if errands else None)
        case labour.CameOf(who, outcome):
            latest = (*state.recent_outcomes(who), outcome)[-labour.MAX_RECENT_OUTCOMES :]
            state.put(keys.LATELY.of(who), labour.RecentOutcomes(latest))
        case labour.Barred(who, bar, now):
            lasting = (each for each in state.blocked_errands(who) if each.until > now)
            state.put(keys.BARRED.of(who), labour.BlockedErrands((*lasting, bar)))
        case labour.Inspected(who, address, seen):
            state.put(keys.SEEN.of(who, address), seen)
        case labour.Hired(who, hire):
            state.put(keys.HIRED.of(who), hire)
        case labour.Ailed(who, ailing):
            state.put(keys.AILING.of(who), ailing)
        case labour.TakenIn(who):
            state.put(keys.LATELY.of(who), None)


def _postpone(job: labour.Job | None, pause: timedelta) -> labour.Job | None:
    """Return a job that has paused, with its beginning and end moved by the pause;
    None if there is none.
    """
    return job and replace(job, since=job.since + pause, until=job.until + pause)


def _add_weather(before: labour.Weather, day: int, kind: str) -> labour.Weather:
    """Return the weather of all days with that of one more, "" for days between that have none; the
    first day counts from `day`.
    """
    first = before.first if before.kinds else day
    without = ("",) * (day - first - len(before.kinds))
    return labour.Weather(first, (*before.kinds, *without, kind))
