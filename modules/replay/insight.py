"""What a run looks like from above, as plain data for plots: who talked with whom, where time went, what mattered, what the model did.

Each plot is read by a few queries over the whole run. Stretches of time ("bins") are equal, whole hours, and few enough
to be drawn; ticks are those of `modules/replay/api.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

import orjson

from modules.clock import TICKS_PER_MINUTE
from modules.memory.concept import MEMORY_TYPES
from modules.replay.api import tick_of
from modules.replay.graph import positions
from modules.replay.loops import loops
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.spread import authored_pairs

BINS_AT_MOST = 96
"""Four days by the hour; longer runs get wider bins."""

MOST_POIGNANT = 40
"""Memories of which a plot tells one by one."""

UNDERWAY = ""
"""The place of who is on the way, in `places`."""

_ACTIONS = "SELECT key, step, value FROM state WHERE key >= 'action/' AND key < 'action0' AND step <= ? ORDER BY key, step"
_TALKS = "SELECT id, opener, partner, started, minutes, json_array_length(lines) FROM conversations WHERE step <= ? ORDER BY started, id"
_MINDS = "SELECT {bin}, type, count(*), sum(poignancy) FROM memories WHERE step BETWEEN 1 AND ? GROUP BY 1, 2"
_RESIDENTS = "SELECT resident, count(*), sum(type = 'thought' AND evidence <> '[]'), avg(poignancy) FROM memories WHERE step BETWEEN 1 AND ? GROUP BY 1"
_POIGNANT = (
    "SELECT resident, id, type, poignancy, created, text FROM memories WHERE step BETWEEN 1 AND ? AND poignancy > 1"
    f" ORDER BY poignancy DESC, step DESC, resident, id LIMIT {MOST_POIGNANT}"
)
_CALLS = "SELECT {bin}, outcome, count(*), sum(prompt_tokens), sum(reply_tokens), sum(ms) FROM calls WHERE step BETWEEN 1 AND ? GROUP BY 1, 2"
_KINDS = (
    "SELECT model, kind, outcome, count(*), sum(prompt_tokens), sum(reply_tokens), sum(ms), max(ms) FROM calls WHERE step <= ? GROUP BY 1, 2, 3 ORDER BY 1, 2"
)


class Bins:
    """Equal stretches of whole hours that cover a run up to its last step; `minutes` is how long each is."""

    def __init__(self, run: RunReader) -> None:
        self.last = run.last_step()
        self.stride = run.manifest.stride
        total = max(1, self.last) * self.stride
        self.minutes = 60 * max(1, -(-total // (60 * BINS_AT_MOST)))
        self.count = -(-total // self.minutes)

    @property
    def sql(self) -> str:
        """The bin of a row's step, by the game time at which the step begins."""
        return f"(step - 1) * {self.stride} / {self.minutes}"

    def shared(self, start: float, end: float) -> Iterable[tuple[int, float]]:
        """The minutes of a span that fall into each bin; times are minutes from the start of the run."""
        first = int(start // self.minutes)
        for number in range(first, min(self.count, int(-(-end // self.minutes)))):
            yield number, min(end, (number + 1) * self.minutes) - max(start, number * self.minutes)

    def told(self) -> dict[str, Any]:
        """What every plot over time begins with."""
        return {"last": self.last, "bins": self.count, "width": self.minutes * TICKS_PER_MINUTE}


def network(run: RunReader, names: Names) -> dict[str, Any]:
    """Who talked with whom, when: residents with a place on the unit square, near those they talk with, and all conversations."""
    last = run.last_step()
    rows = run.database.execute(_TALKS, (last,)).fetchall()
    talks = [
        {"id": one, "opener": opener, "partner": partner, "tick": tick_of(run, datetime.fromisoformat(started)), "minutes": minutes, "lines": lines}
        for one, opener, partner, started, minutes, lines in rows
    ]
    weights = Counter(frozenset((talk["opener"], talk["partner"])) for talk in talks)
    places = positions(run.residents, weights)
    return {
        "last": last,
        "residents": [{"id": who, "x": round(x, 3), "y": round(y, 3)} for who, (x, y) in places.items()],
        "known": sorted(sorted(pair) for pair in authored_pairs(run, names)),
        "talks": talks,
    }


def places(run: RunReader, names: Names) -> dict[str, Any]:
    """Minutes that each resident spent in each building, by bins; `UNDERWAY` stands for being on the way."""
    bins = Bins(run)
    spent: dict[str, dict[str, list[float]]] = {who: {} for who in run.residents}
    for who, place, start, end in _stretches(run, bins.last):
        hours = spent[who].setdefault(place, [0.0] * bins.count)
        for number, minutes in bins.shared(start, end):
            hours[number] += minutes
    found = sorted({place for hours in spent.values() for place in hours})
    told = {who: {place: [round(one) for one in hours] for place, hours in sorted(of.items())} for who, of in spent.items()}
    return bins.told() | {"places": {place: names.building(place) for place in found if place}, "spent": told}


def minds(run: RunReader, names: Names) -> dict[str, Any]:
    """Memories by type and their poignancy over time, what each resident made of its time, and the memories that mattered most."""
    bins = Bins(run)
    counts = {kind: [0] * bins.count for kind in MEMORY_TYPES}
    poignancy = [0] * bins.count
    for number, kind, count, total in run.database.execute(_MINDS.format(bin=bins.sql), (bins.last,)):
        counts[kind][number] += count
        poignancy[number] += total
    made = [sum(of[number] for of in counts.values()) for number in range(bins.count)]
    return bins.told() | {
        "memories": counts,
        "poignancy": [round(total / count, 2) if count else None for total, count in zip(poignancy, made, strict=True)],
        "residents": {
            who: {"memories": count, "reflections": reflections, "poignancy": round(mean, 2)}
            for who, count, reflections, mean in run.database.execute(_RESIDENTS, (bins.last,))
        },
        "poignant": [
            {"who": who, "memory": one, "type": kind, "poignancy": score, "tick": tick_of(run, datetime.fromisoformat(created)), "text": text}
            for who, one, kind, score, created, text in run.database.execute(_POIGNANT, (bins.last,))
        ],
    }


def calls(run: RunReader, names: Names) -> dict[str, Any]:
    """Model calls by outcome, tokens and seconds: over time, and by model and kind of prompt."""
    bins = Bins(run)
    series: dict[str, list[float]] = {name: [0] * bins.count for name in ("ok", "retried", "fallback", "prompt_tokens", "reply_tokens", "seconds")}
    for number, outcome, *measured in run.database.execute(_CALLS.format(bin=bins.sql), (bins.last,)):
        count, prompt, reply, ms = measured
        for name, value in ((outcome, count), ("prompt_tokens", prompt), ("reply_tokens", reply), ("seconds", ms / 1000)):
            series[name][number] += value
    kinds: dict[tuple[str, str], dict[str, Any]] = defaultdict(lambda: {"ok": 0, "retried": 0, "fallback": 0, "tokens": 0, "seconds": 0.0, "slowest": 0.0})
    for model, kind, outcome, count, prompt, reply, ms, slowest in run.database.execute(_KINDS, (bins.last,)):
        of = kinds[model, kind]
        of[outcome] += count
        of["tokens"] += prompt + reply
        of["seconds"] += ms / 1000
        of["slowest"] = max(of["slowest"], slowest / 1000)
    listed = [{"model": model, "kind": kind} | {key: round(value, 3) for key, value in of.items()} for (model, kind), of in kinds.items()]
    return bins.told() | {name: [round(value, 3) for value in of] for name, of in series.items()} | {"kinds": listed}


def repetitions(run: RunReader, names: Names) -> dict[str, Any]:
    """What residents say, do or think again and again, the most often repeated first."""
    last = run.last_step()
    return {"last": last, "loops": [asdict(one) for one in loops(run, last)]}


# ------------------------------------------------------------------------------------------------


def _stretches(run: RunReader, last: int) -> Iterable[tuple[str, str, float, float]]:
    """(resident, building, from, to) for all that was done, in minutes from the start of the run.

    A row that has not arrived is a way until it is replaced; one that has was a way from its step's beginning to the arrival.
    """
    start, end = run.manifest.start, float(last * run.manifest.stride)
    before: tuple[str, float, str] | None = None
    for key, step, value in run.database.execute(_ACTIONS, (last,)):
        who = key.removeprefix("action/")
        since = float(max(0, step - 1) * run.manifest.stride)
        if before is not None:
            yield before[0], before[2], before[1], since if before[0] == who else end
        action: dict[str, Any] = orjson.loads(value) if value else {"address": "", "started": None}
        arrived = action["started"] and max(since, (datetime.fromisoformat(action["started"]) - start) / timedelta(minutes=1))
        if arrived and arrived > since:
            yield who, UNDERWAY, since, arrived
        before = (who, arrived or since, action["address"].partition("/")[0] if action["started"] else UNDERWAY)
    if before is not None:
        yield before[0], before[2], before[1], end


PLOTS = {"network": network, "places": places, "minds": minds, "calls": calls, "loops": repetitions}
"""The plots by their names in the API; each is asked for a run and its names."""
