"""Summaries of a whole run as plain data for plots: the network of conversations, time by place,
memories, model calls, repetitions, and the economy.

Each plot is read by a few queries over the whole run. Bins of time are equally long, whole hours,
and few enough to be drawn; ticks are those of `modules/hometown/history/playback.py`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any

import orjson

from hometown.history.bins import Bins
from hometown.history.call_counts import count_mendings
from hometown.history.economy import economy
from hometown.history.graph import positions
from hometown.history.held_goods import book_at
from hometown.history.loops import loops
from hometown.history.names import Names
from hometown.history.process_plots import plot_processes
from hometown.history.reader import RunReader
from hometown.history.spoken_work import spoken_work
from hometown.history.spread import authored_pairs
from hometown.json_object import Json
from hometown.memory.concept import MEMORY_TYPES
from hometown.model.server_loads import by_server
from hometown.model.stats import sum_counts
from hometown.prompt.errand_matching import STEPS
from hometown.prompt.tasks import DECOMPOSE
from hometown.storage.row_conversion import people_of
from hometown.world import keys
from hometown.world.world import sector_of

MOST_POIGNANT = 40
"""Maximum number of memories that a plot lists individually."""

RECENT_STEPS = 6
"""Number of steps over which the load of shards is averaged."""

UNDERWAY = ""
"""The place of residents on the way, in `places`."""

_ACTIONS = "SELECT key, step, value FROM state WHERE key >= 'action/' AND key < 'action0' AND step <= ? ORDER BY key, step"
_CONVERSATIONS = "SELECT id, opener, partner, company, started, minutes, json_array_length(lines) FROM conversations WHERE step <= ? ORDER BY started, id"
_MINDS = "SELECT {bin}, type, count(*), sum(poignancy) FROM memories WHERE step BETWEEN 1 AND ? GROUP BY 1, 2"
_RESIDENTS = "SELECT resident, count(*), sum(type = 'thought' AND evidence <> '[]'), avg(poignancy) FROM memories WHERE step BETWEEN 1 AND ? GROUP BY 1"
_POIGNANT = (
    "SELECT resident, id, type, poignancy, created, text FROM memories WHERE step BETWEEN 1 AND ? AND poignancy > 1"
    f" ORDER BY poignancy DESC, step DESC, resident, id LIMIT {MOST_POIGNANT}"
)
_CALLS = "SELECT {bin}, outcome, count(*), sum(prompt_tokens), sum(reply_tokens), sum(ms) FROM calls WHERE step BETWEEN 1 AND ? GROUP BY 1, 2"
_SERIES = ("ok", "retried", "fallback", "prompt_tokens", "cached_tokens", "reply_tokens", "seconds")
_COSTS = "SELECT {bin}, stats FROM steps WHERE step BETWEEN 1 AND ? ORDER BY step"
_KINDS = (
    "SELECT model, kind, outcome, count(*), sum(prompt_tokens), sum(reply_tokens), sum(ms), max(ms)"
    " FROM calls WHERE step <= ? GROUP BY 1, 2, 3 ORDER BY 1, 2"
)


def conversation_network(run: RunReader, names: Names) -> Json:
    """Return the network of conversations: a place on the unit square for each resident (three
    decimals), near the residents with whom they talk; the pairs who knew each other at the start;
    and all conversations, without their lines.
    """
    last = run.last_step()
    rows = run.database.execute(_CONVERSATIONS, (last,)).fetchall()
    conversations = [
        {
            "id": number,
            "people": list(people_of(opener, partner, company)),
            "tick": run.tick(datetime.fromisoformat(started)),
            "minutes": minutes,
            "lines": lines,
        }
        for number, opener, partner, company, started, minutes, lines in rows
    ]
    weights = Counter(
        frozenset(pair)
        for conversation in conversations
        for pair in combinations(conversation["people"], 2)
    )
    places = positions(run.residents, weights)
    return {
        "last": last,
        "residents": [
            {"id": who, "x": round(x, 3), "y": round(y, 3)} for who, (x, y) in places.items()
        ],
        "known": sorted(sorted(pair) for pair in authored_pairs(run, names)),
        "conversations": conversations,
    }


def places(run: RunReader, names: Names) -> Json:
    """Return the minutes that each resident spent in each building, rounded, by bins; `UNDERWAY`
    stands for travel.
    """
    bins = Bins(run)
    spent: dict[str, dict[str, list[float]]] = {who: {} for who in run.residents}
    for who, place, start, end in _list_stretches(run, bins.last):
        hours = spent[who].setdefault(place, [0.0] * bins.count)
        for number, minutes in bins.split_span(start, end):
            hours[number] += minutes
    visited = sorted({place for hours in spent.values() for place in hours})
    rounded = {
        who: {
            place: [round(minutes) for minutes in bins_of]
            for place, bins_of in sorted(by_place.items())
        }
        for who, by_place in spent.items()
    }
    return bins.header() | {
        "places": {place: names.building(place) for place in visited if place},
        "spent": rounded,
    }


def minds(run: RunReader, names: Names) -> Json:
    """Return, without the initial memories: memories by type and their average poignancy over time
    (None for an empty bin), the numbers of memories and reflections of each resident, and the
    `MOST_POIGNANT` most poignant memories. Averages have two decimals.
    """
    bins = Bins(run)
    counts = {kind: [0] * bins.count for kind in MEMORY_TYPES}
    poignancy = [0] * bins.count
    for number, kind, count, total in run.database.execute(
        _MINDS.format(bin=bins.sql), (bins.last,)
    ):
        counts[kind][number] += count
        poignancy[number] += total
    made = [sum(by_bin[number] for by_bin in counts.values()) for number in range(bins.count)]
    return bins.header() | {
        "memories": counts,
        "poignancy": [
            round(total / count, 2) if count else None
            for total, count in zip(poignancy, made, strict=True)
        ],
        "residents": {
            who: {"memories": count, "reflections": reflections, "poignancy": round(mean, 2)}
            for who, count, reflections, mean in run.database.execute(_RESIDENTS, (bins.last,))
        },
        "poignant": [
            {
                "who": who,
                "memory": number,
                "type": kind,
                "poignancy": score,
                "tick": run.tick(datetime.fromisoformat(created)),
                "text": text,
            }
            for who, number, kind, score, created, text in run.database.execute(
                _POIGNANT, (bins.last,)
            )
        ],
    }


def calls(run: RunReader, names: Names) -> Json:
    """Return model calls by outcome, tokens and seconds: over time, and by model and kind of
    prompt; mendings by kind and rule.

    `cached_tokens` are prompt tokens from the server's cache; `reading` and `writing` are tokens
    a second, None where no server reported its times. `shards` are those of the last step with
    their residents and their milliseconds for each in the last `RECENT_STEPS` steps, empty where
    all think in one process. `servers` are those of the model, where there are several: `calls`
    that each answered, of which `moved` for residents of another server, and `failed` that it
    left to others, `tokens`, `seconds` a reply on average, and `busy`, its share of the time in
    which any server was in use. `reused` is the share of entries of the schedule that were
    carried out as on an earlier day, None where the settings turn reuse off. `ungrounded` is the
    share of tasks about work that became no errand, None in a world without a society.
    """
    bins = Bins(run)
    steps = [
        (number, orjson.loads(stats))
        for number, stats in run.database.execute(_COSTS.format(bin=bins.sql), (bins.last,))
    ]
    stats = [each for _, each in steps]
    kinds = _calls_by_kind(run, bins.last)
    total = sum_counts(stats)
    rates = {"reading": total.reading, "writing": total.writing}
    return (
        bins.header()
        | _calls_over_time(run, bins, steps)
        | {name: value and round(value, 1) for name, value in rates.items()}
        | _measure_shares(run, names, kinds, total.reused, bins.last)
        | {
            "kinds": [
                {"model": model, "kind": kind} | _round(figures)
                for (model, kind), figures in kinds.items()
            ],
            "mended": [asdict(mending) for mending in count_mendings(run.database, 1, bins.last)],
            "shards": _measure_shards(stats[-RECENT_STEPS:]),
            "servers": [_round(server) for server in by_server(stats)],
        }
    )


def _calls_over_time(
    run: RunReader, bins: Bins, steps: Iterable[tuple[int, Json]]
) -> dict[str, list[float]]:
    """Return each of `_SERIES` by bins, with three decimals; `steps` are (bin, statistics) of
    steps.
    """
    series: dict[str, list[float]] = {name: [0] * bins.count for name in _SERIES}
    for number, outcome, count, prompt, reply, ms in run.database.execute(
        _CALLS.format(bin=bins.sql), (bins.last,)
    ):
        series[outcome][number] += count
        series["prompt_tokens"][number] += prompt
        series["reply_tokens"][number] += reply
        series["seconds"][number] += ms / 1000
    for number, stats in steps:
        series["cached_tokens"][number] += stats.get("cached_tokens", 0)
    return {name: [round(value, 3) for value in values] for name, values in series.items()}


def _calls_by_kind(run: RunReader, last: int) -> dict[tuple[str, str], Json]:
    """Return, by (model, kind of prompt), the numbers of calls by outcome, the tokens read and
    written, and the seconds, in all and of the slowest call.
    """
    kinds: dict[tuple[str, str], Json] = defaultdict(
        lambda: {"ok": 0, "retried": 0, "fallback": 0, "tokens": 0, "seconds": 0.0, "slowest": 0.0}
    )
    for model, kind, outcome, count, prompt, reply, ms, slowest in run.database.execute(
        _KINDS, (last,)
    ):
        figures = kinds[model, kind]
        figures[outcome] += count
        figures["tokens"] += prompt + reply
        figures["seconds"] += ms / 1000
        figures["slowest"] = max(figures["slowest"], slowest / 1000)
    return kinds


def _measure_shares(
    run: RunReader,
    names: Names,
    kinds: Mapping[tuple[str, str], Mapping[str, Any]],
    reused: int,
    last: int,
) -> dict[str, float | None]:
    """Return two shares, 0 to 1: of schedule entries whose tasks were `reused` (None where the
    settings turn that off), and of tasks about work that became no errand, `ungrounded` (None
    without a society).
    """
    planned = sum(
        figures["ok"] + figures["retried"] + figures["fallback"]
        for (_, kind), figures in kinds.items()
        if kind in (DECOMPOSE.kind, STEPS.kind)
    )
    is_reusing = run.manifest.settings.thrift.routines_reused
    book = book_at(run, names, last)
    return {
        "reused": reused / max(1, reused + planned) if is_reusing else None,
        "ungrounded": spoken_work(run, book, last).share if book else None,
    }


def _round(figures: Mapping[str, float]) -> dict[str, float]:
    """Return figures, rounded to three decimals."""
    return {name: round(value, 3) for name, value in figures.items()}


def _measure_shards(steps: list[Json]) -> list[dict[str, float]]:
    """Return the shards of the last step, each with its number of residents and the milliseconds of
    processor time (two decimals) for one resident's step, averaged over those of `steps` with as
    many shards; none if all think in one process.
    """
    now = steps[-1].get("shards", []) if steps else []
    alike = [loads for step in steps if len(loads := step.get("shards", [])) == len(now)]
    return [
        {
            "residents": shard["residents"],
            "ms": round(
                sum(loads[number]["ms"] for loads in alike)
                / len(alike)
                / max(1, shard["residents"]),
                2,
            ),
        }
        for number, shard in enumerate(now)
    ]


def repetitions(run: RunReader, names: Names) -> Json:
    """Return `last`, the last step, and `loops`: each resident's most repeated line, activity and
    thought, if repeated often enough, the most frequent first.
    """
    last = run.last_step()
    return {"last": last, "loops": [asdict(loop) for loop in loops(run, last)]}


# ------------------------------------------------------------------------------------------------


def _list_stretches(run: RunReader, last: int) -> Iterable[tuple[str, str, float, float]]:
    """Yield (resident, building, from, to) for all actions, in minutes from the start of the run.

    An action counts as travel from the beginning of its step to the resident's arrival, or until it
    is replaced if they do not arrive.
    """
    start, end = run.manifest.start, float(last * run.manifest.stride)
    before: tuple[str, float, str] | None = None
    for key, step, value in run.database.execute(_ACTIONS, (last,)):
        who = keys.ACTION.owner(key)
        since = float(max(0, step - 1) * run.manifest.stride)
        if before is not None:
            yield before[0], before[2], before[1], since if before[0] == who else end
        action: Json = orjson.loads(value) if value else {"address": "", "started": None}
        if action.get("kind") == "away":
            before = None
            continue
        arrived = action["started"] and max(
            since, (datetime.fromisoformat(action["started"]) - start) / timedelta(minutes=1)
        )
        if arrived and arrived > since:
            yield who, UNDERWAY, since, arrived
        before = (
            who,
            arrived or since,
            sector_of(action["address"]) if action["started"] else UNDERWAY,
        )
    if before is not None:
        yield before[0], before[2], before[1], end


PLOTS = {
    "network": conversation_network,
    "places": places,
    "minds": minds,
    "calls": calls,
    "loops": repetitions,
    "economy": economy,
    "processes": plot_processes,
}
"""The plots by their names in the API; each is a function of a run and its names."""
