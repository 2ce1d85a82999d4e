"""Apply the effects of user interventions and of happenings."""

from __future__ import annotations

from hometown.memory.schedule import Schedule
from hometown.world import incidents, keys
from hometown.world.rows import Body, MindState
from hometown.world.state import State


def apply_incident(effect: incidents.IncidentEffect, state: State) -> None:
    """Apply an effect of an intervention, a law, a resident's moving in, or a happening."""
    match effect:
        case incidents.Intervened(number):
            state.put(keys.ANSWERED.key, state.answered.along(number))
        case incidents.Told(who, memory):
            state.put(keys.VOICES.of(who), incidents.Voices((*state.voices(who), memory)))
        case incidents.ConditionSet(address, text):
            state.put(keys.CONDITION.of(address), incidents.Condition(text) if text else None)
        case incidents.ThingPlaced(address, placed):
            state.put(keys.PLACED.of(address), placed)
        case incidents.ThingRemoved(address, when):
            state.put(keys.REMOVED.of(address), incidents.Removed(when))
        case incidents.LawChanged(entries):
            for key, entry in entries:
                state.put(keys.LAW.of(key), incidents.Law(entry))
        case incidents.MovedIn(who, tile, currently, busy):
            state.memories[who] = state.new_stream()
            state.put(keys.BODY.of(who), Body(tile))
            state.put(keys.MIND.of(who), MindState(currently))
            state.put(keys.SCHEDULE.of(who), Schedule(state.clock.now.date()))
            state.put(keys.ACTION.of(who), busy)
        case incidents.HappeningBegan(happening):
            others = (each for each in state.happenings if each.identity != happening.identity)
            _put_happenings(state, (*others, happening))
        case incidents.HappeningChanged(happening):
            _put_happenings(
                state,
                tuple(
                    happening if each.identity == happening.identity else each
                    for each in state.happenings
                ),
            )
        case incidents.MeasureTaken(who, measure):
            state.put(keys.MEASURE.of(who), measure)
        case incidents.HappeningsEnded(now):
            _put_happenings(
                state, tuple(happening for happening in state.happenings if happening.until > now)
            )
        case incidents.HappeningStopped(stopped, by):
            _put_happenings(
                state, tuple(each for each in state.happenings if each.identity != stopped.identity)
            )
            if by or isinstance(stopped, incidents.UnfoldingHappening):
                _record_stop(state, stopped, by)


def _put_happenings(
    state: State, happenings: tuple[incidents.UnfoldingHappening | incidents.Happening, ...]
) -> None:
    """Set the happenings that go on; without any, remove the row."""
    state.put(keys.HAPPENINGS.key, incidents.Happenings(happenings) if happenings else None)


def _record_stop(
    state: State,
    stopped: incidents.UnfoldingHappening | incidents.Happening,
    by: tuple[str, ...],
) -> None:
    """Record that a happening has ended now, and the residents who stopped it, beside others that
    ended lately.
    """
    now = state.clock.now
    ended = incidents.StoppedHappening(stopped.address, by, now)
    if isinstance(stopped, incidents.UnfoldingHappening):
        has_help = stopped.called is not None and stopped.called < now
        ended = incidents.EndedHappening(
            stopped.address,
            by,
            now,
            text=stopped.text,
            over=stopped.course.over,
            since=stopped.since,
            helpers=stopped.course.helpers if has_help else "",
            sound=stopped.sound,
        )
    kept = (each for each in state.stopped_happenings if now - each.when < incidents.ENDED_KEPT)
    state.put(keys.STOPPED.key, incidents.StoppedHappenings((*kept, ended)))
