"""One resident as the page tells of it: who it is, what it means to do today, with whom it stands how, where it has been.

Everything is as it stood after a step; nothing that came later is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, cast

from modules.clock import DAY, TICKS_PER_MINUTE, minute_of_day
from modules.memory.schedule import Entry, Schedule, Task, Tasks
from modules.replay.diary import steps_of
from modules.replay.frames import partner_of
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.world.maze import Tile
from modules.world.rows import Mind, Promises, Relation

TOLD = ("age", "innate", "learned", "lifestyle", "daily_plan")
"""Of a persona, as it is."""


def resident(run: RunReader, names: Names, who: str, step: int) -> dict[str, Any]:
    """All that the page shows of a resident but its memories, after a step."""
    persona = names.persona(who)
    return {
        "id": who,
        "step": step,
        "persona": {key: getattr(persona, key) for key in TOLD} | {"home": names.place(persona.home), "interests": persona.interests} if persona else None,
        "mind": _mind(run, who, step),
        "schedule": _schedule(run, who, step),
        "promises": _promises(run, who, step),
        "relations": _relations(run, names, who, step),
    }


def trail(run: RunReader, names: Names, who: str, first: int, last: int) -> dict[str, Any]:
    """Where a resident was in steps `first` to `last`: its way, and how long it stood where."""
    start = run.positions(first)[who]
    way = list(_way(run, who, first, last))
    begin, end = (first - 1) * _ticks(run), last * _ticks(run)
    stood: Counter[Tile] = Counter()
    stops = [(begin, start), *((tick + 1, tile) for tick, tile in way)]
    for (since, tile), until in zip(stops, [*(tick for tick, _ in stops[1:]), end], strict=True):
        stood[tile] += until - since
    places: Counter[str] = Counter()
    for tile, ticks in stood.items():
        places[names.world.maze.arena_at(tile) if names.world else ""] += ticks
    return {
        "from": first,
        "to": last,
        "at": start,
        "moves": [value for tick, tile in way for value in (tick, *tile)],
        "stood": [value for tile, ticks in stood.items() for value in (*tile, ticks)],
        "places": [{"address": address, "minutes": (ticks + TICKS_PER_MINUTE // 2) // TICKS_PER_MINUTE} for address, ticks in places.most_common() if address],
    }


def _way(run: RunReader, who: str, first: int, last: int) -> Iterator[tuple[int, Tile]]:
    """Tiles entered, with the tick from the run's start."""
    for step, walks in sorted(run.trajectories(first, last, who).items()):
        for tick, column, row in walks[who]:
            yield (step - 1) * _ticks(run) + tick, (column, row)


def _ticks(run: RunReader) -> int:
    return run.manifest.stride * TICKS_PER_MINUTE


def _mind(run: RunReader, who: str, step: int) -> dict[str, Any]:
    mind = cast("Mind | None", run.row(f"mind/{who}", step)) or Mind("")
    return {
        "currently": mind.currently,
        "memories": mind.memories,
        "poignancy": mind.poignancy,
        "threshold": run.manifest.settings.think.poignancy_max,
        "reflections": mind.reflections,
    }


# the day ----------------------------------------------------------------------------------------


def _schedule(run: RunReader, who: str, step: int) -> dict[str, Any] | None:
    """The schedule at hand: each entry with its tasks, and where a talk put it there, with whom and instead of what."""
    schedule = run.schedule(who, step)
    if schedule is None:
        return None
    first = min(steps_of(run, schedule.date, step)[0], step)
    drafts = [(since, row) for since, row in _versions(run, who, first, step) if row.date == schedule.date]
    minute = minute_of_day(run.moment(step)) if run.moment(step).date() == schedule.date else DAY
    tasks = _tasks(run, who, drafts[0][0], step, schedule)
    return {
        "date": schedule.date.isoformat(),
        "minute": minute,
        "made": drafts[0][0],
        "entries": [asdict(entry) | {"tasks": tasks.get(entry.start, [])} | _changed(run, who, entry, drafts) for entry in schedule.entries],
    }


def _versions(run: RunReader, who: str, first: int, step: int) -> Iterator[tuple[int, Schedule]]:
    for since, row in run.versions(f"schedule/{who}", first, step):
        if row is not None:
            yield since, cast(Schedule, row)


def _changed(run: RunReader, who: str, entry: Entry, drafts: list[tuple[int, Schedule]]) -> dict[str, Any]:
    """By which talk an entry came to be, from which step on, and what had been meant for that time."""
    talk = run.talk(entry.origin) if entry.origin != "plan" else None
    if talk is None:
        return {"changed": None}
    since, before = drafts[0][0], None
    for at, draft in drafts:
        if any(one.origin == entry.origin for one in draft.entries):
            since = at
            break
        before = draft
    instead = [one.activity for one in before.entries if one.start < entry.end and entry.start < one.end] if before else []
    return {"changed": {"talk": talk.id, "with": partner_of(talk, who), "tick": run.tick(talk.started), "step": since, "instead": instead}}


def _tasks(run: RunReader, who: str, made: int, step: int, schedule: Schedule) -> dict[int, list[dict[str, Any]]]:
    """The tasks drawn up since the schedule was made in step `made`, as they ended or stand now, by the start of the entry in which they lie."""
    latest: dict[int, tuple[Task, ...]] = {}
    for _, row in run.versions(f"tasks/{who}", made, step):
        tasks = cast("Tasks | None", row) or Tasks()
        latest[tasks.entry] = tasks.items
    found: dict[int, list[dict[str, Any]]] = {}
    for task in sorted((task for items in latest.values() for task in items), key=lambda task: task.start):
        found.setdefault(schedule.at(min(task.start, DAY - 1)).start, []).append(asdict(task))
    return found


def _promises(run: RunReader, who: str, step: int) -> list[dict[str, Any]]:
    """What it has agreed to and what isn't over yet, soonest first."""
    row = cast("Promises | None", run.row(f"promises/{who}", step)) or Promises()
    return [
        {
            "what": one.what,
            "people": one.people,
            "address": one.address,
            "tick": run.tick(one.start),
            "minutes": one.minutes,
            "talk": one.talk,
        }
        for one in row.items
    ]


# others -----------------------------------------------------------------------------------------


def _relations(run: RunReader, names: Names, who: str, step: int) -> list[dict[str, Any]]:
    """Those whom a resident knows, the closest first: what they are to it, how close, how often and when they last talked."""
    persona = names.persona(who)
    known = {other: text for other, text in ((persona.relations if persona else None) or {}).items() if other in run.residents}
    met, last = run.relations(who, step), run.last_talks(who, step)
    close = (persona.closeness if persona else None) or {}
    people = []
    for other in dict.fromkeys([*known, *met]):
        relation = met.get(other, Relation())
        people.append(
            {
                "id": other,
                "relation": known.get(other, ""),
                "closeness": relation.closeness(close.get(other, 0)),
                "before": close.get(other, 0),
                "talks": relation.talks,
                "summary": relation.summary,
                "last": [{"id": talk.id, "tick": run.tick(talk.started), "summary": talk.summary} for talk in last.get(other, [])],
            }
        )
    return sorted(people, key=lambda one: (-one["closeness"], -one["talks"]))
