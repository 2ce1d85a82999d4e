"""Carries out the effects of work, bodies and shops, each of which sets a row."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from hometown.world import labour
from hometown.world.state import State


def carry_out(effect: labour.LabourEffect, state: State) -> None:
    """Carries out one effect."""
    match effect:
        case labour.WorkBegun(who, deed):
            state.put(f"deed/{who}", deed)
        case labour.WorkPaused(who, minutes):
            stood, paused = timedelta(minutes=minutes), state.deed(who)
            state.put(
                f"deed/{who}",
                paused and replace(paused, since=paused.since + stood, until=paused.until + stood),
            )
        case labour.WorkEnded(who):
            state.put(f"deed/{who}", None)
        case labour.ProcessBegun(address, process):
            state.put(f"process/{address}", process)
        case labour.ProcessEnded(address):
            state.put(f"process/{address}", None)
        case labour.NeedsSet(who, needs):
            state.put(f"needs/{who}", needs)
        case labour.Learned(who, skill, level):
            learnt = dict(state.skills(who)) | {skill: level}
            state.put(f"skills/{who}", labour.Skills(tuple(sorted(learnt.items()))))
        case labour.Priced(address, shop):
            state.put(f"shop/{address}", shop)
        case labour.WeatherCame(day, kind):
            before = state.weather
            state.put(
                "weather/town",
                labour.Weather(before.first if before.kinds else day, (*before.kinds, kind)),
            )
        case labour.AimSet(who, need):
            state.put(f"aim/{who}", labour.Aim(need) if need else None)
        case labour.CourseSet(who, errands):
            state.put(f"course/{who}", labour.Course(errands) if errands else None)
        case labour.CameOf(who, outcome):
            state.put(
                f"lately/{who}", labour.Lately((*state.lately(who), outcome)[-labour.LATELY :])
            )
        case labour.Barred(who, bar, now):
            state.put(
                f"barred/{who}",
                labour.Bars(
                    (*(earlier for earlier in state.barred(who) if earlier.until > now), bar)
                ),
            )
        case labour.Inspected(who, address, seen):
            state.put(f"seen/{who}/{address}", seen)
        case labour.Hired(who, hire):
            state.put(f"hired/{who}", hire)
        case labour.Ailed(who, ailing):
            state.put(f"ailing/{who}", ailing)
        case labour.TakenIn(who):
            state.put(f"lately/{who}", None)
