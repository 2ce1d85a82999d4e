"""Alerts of a run: stretches of time in which the town needs its user's attention, by rule.

Silence: nobody talked for `SILENCE` by day. Fallbacks: more than `MAX_FALLBACK_SHARE` of a day's
model calls. Slowness: the steps of a day took longer to compute than they last in the town. Need: a
resident's need stayed below its urgent level for `MIN_NEED`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from itertools import groupby
from operator import itemgetter

from hometown.clock import TICK_SECONDS
from hometown.history import shapes
from hometown.history.hardship import read_levels
from hometown.history.held_goods import book_at
from hometown.history.marks import held_conversations
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.model.stats import seconds_lived, sum_counts
from hometown.world.book.book import Book
from hometown.world.book.parts import FULL

DAYTIME = (time(8), time(22))
"""The hours in which residents are expected to talk."""

SILENCE = timedelta(hours=4)
"""Time by day without a conversation from which on there is silence."""

MAX_FALLBACK_SHARE = 1 / 20
"""Maximum share of fallbacks among the calls of a day without an alert."""

MIN_CALLS = 20
"""Minimum number of a day's calls for alerts about the model."""

SECONDS_A_MINUTE = 60
"""Maximum number of real seconds for a minute of the town without an alert."""

MIN_NEED = timedelta(hours=1)
"""Minimum time for which a need is below its urgent level."""


def alerts(run: RunReader, names: Names) -> list[shapes.AlertView]:
    """Return the alerts of a run, sorted by time."""
    found = [*_silences(run), *_model_troubles(run)]
    if book := book_at(run, names, run.last_step()):
        found += _needs(run, book)
    return sorted(found, key=lambda alert: (alert["tick"], alert["kind"], alert["who"]))


def _alert(
    kind: shapes.AlertKind,
    span: tuple[int, int],
    amount: int,
    who: str = "",
    need: Mapping[str, str] | None = None,
) -> shapes.AlertView:
    """Return an alert in the page's format."""
    tick, end = span
    return {
        "kind": kind,
        "tick": tick,
        "end": end,
        "amount": amount,
        "who": who,
        "need": dict(need or {}),
    }


def _silences(run: RunReader) -> Iterator[shapes.AlertView]:
    """Yield the silences of a town with several residents, each until the next conversation."""
    if len(run.residents) < 2:
        return
    quiet, last = 0, run.last_step() * run.ticks
    talks = [(talk["tick"], talk["tick"] + talk["ticks"]) for talk in held_conversations(run)]
    for begun, ended in [*talks, (last, last)]:
        hushed = run.manifest.start + timedelta(seconds=quiet * TICK_SECONDS)
        raised = run.tick(_add_daytime(hushed, SILENCE))
        if raised < begun:
            yield _alert("silence", (raised, begun), SILENCE // timedelta(hours=1))
        quiet = max(quiet, ended)


def _add_daytime(moment: datetime, left: timedelta) -> datetime:
    """Return the moment at which `left` of daytime has passed since another moment."""
    opens, closes = (datetime.combine(moment, hour) for hour in DAYTIME)
    begin = max(moment, opens)
    if begin + left <= closes:
        return begin + left
    return _add_daytime(opens + timedelta(days=1), left - max(closes - begin, timedelta()))


def _model_troubles(run: RunReader) -> Iterator[shapes.AlertView]:
    """Yield the days with many fallbacks, in percent of the calls, and those on which the town lived
    more slowly than the clock, in real minutes for an hour of the town.
    """
    thought = [
        (step.number, step.stats)
        for step in run.steps(1, run.last_step())
        if sum_counts([step.stats]).calls
    ]
    for _, grouped in groupby(thought, key=lambda step: run.moment(step[0] - 1).date()):
        day = list(grouped)
        counts = sum_counts(stats for _, stats in day)
        slowness = seconds_lived(stats for _, stats in day) / (len(day) * run.manifest.stride)
        span = run.first_tick(day[0][0]), day[-1][0] * run.ticks
        if counts.calls >= MIN_CALLS and counts.fallback_share > MAX_FALLBACK_SHARE:
            yield _alert("fallbacks", span, round(100 * counts.fallback_share))
        if counts.calls >= MIN_CALLS and slowness > SECONDS_A_MINUTE:
            yield _alert("slow", span, round(slowness))


def _needs(run: RunReader, book: Book) -> Iterator[shapes.AlertView]:
    """Yield the stretches in which a need was below its urgent level, with its lowest level in
    percent.
    """
    least = MIN_NEED / timedelta(minutes=run.manifest.stride)
    for who, grouped in groupby(read_levels(run, book, run.last_step()), key=itemgetter(0)):
        read = [(step, levels) for _, step, levels in grouped]
        for need, part in book.needs.items():
            felt = [(step, levels[need]) for step, levels in read if need in levels]
            for span in _spans_below(felt, part.urgent):
                if span[-1][0] - span[0][0] >= least:
                    ticks = span[0][0] * run.ticks, span[-1][0] * run.ticks
                    lowest = min(level for _, level in span)
                    yield _alert("need", ticks, lowest * 100 // FULL, who, part.name)


def _spans_below(levels: list[tuple[int, int]], least: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the stretches of (step, level) in which the level is below a limit."""
    for is_below, span in groupby(levels, key=lambda read: read[1] < least):
        if is_below:
            yield list(span)
