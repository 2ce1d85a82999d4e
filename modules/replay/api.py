"""What the playback page is told, as plain JSON values; `docs/formats.md` describes the shapes.

Time is counted in ticks of 10 game seconds from the start of the run: step n lasts from tick
(n − 1) · ticks to n · ticks. A tile that is entered in tick k is reached at tick k + 1.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from datetime import datetime
from math import hypot
from typing import Any, cast

from modules.clock import TICKS_PER_MINUTE
from modules.memory.action import Action
from modules.replay.frames import ASLEEP
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.world.furnish import furnished
from modules.world.interventions import EVENT_MINUTES
from modules.world.maze import Tile
from modules.world.rows import Condition, Happenings, ThingState
from modules.world.talk import Talk
from modules.world.world import Thing

SCRIPTED = "scripted"

CHUNK_STEPS, CROWD = 24, 100
"""Steps that the page asks for at once in a town of no more than so many residents."""

_KEYS = """
    WITH RECURSIVE found(key) AS (
        SELECT min(key) FROM state WHERE key >= ?1 || '/' AND key < ?1 || '0'
        UNION ALL
        SELECT (SELECT min(key) FROM state WHERE key > found.key AND key < ?1 || '0') FROM found WHERE found.key IS NOT NULL
    )
    SELECT key FROM found WHERE key IS NOT NULL"""
"""The keys of a kind that were ever written, of all things ever used, say: one jump along the index for each, however long the run."""


def summary(run: RunReader, names: Names) -> dict[str, Any]:
    """What the list of runs shows of one."""
    manifest, last = run.manifest, run.last_step()
    return {
        "name": manifest.name,
        "parent": manifest.parent,
        "world": manifest.world,
        "world_name": names.world.name if names.world else manifest.world,
        "lang": manifest.lang,
        "start": manifest.start.isoformat(),
        "now": run.moment(last).isoformat(),
        "stride": manifest.stride,
        "steps": last,
        "planned": run.planned_end(),
        "finished": last >= run.planned_end(),
        "model": manifest.llm,
        "scripted": manifest.llm == SCRIPTED,
        "residents": len(run.residents),
    }


def details(run: RunReader, names: Names, base: str) -> dict[str, Any]:
    """What the page needs to know of a run before it plays; the addresses of its map and images begin with `base`."""
    world = furnished(names.world, run.run.furniture(run.last_step())) if names.world else None
    limits = _limits(run)
    return summary(run, names) | {
        "ticks": ticks_of(run),
        "chunk": chunk_of(run),
        "map": f"{base}map" if world else None,
        "residents": [_resident(who, names, base) for who in run.residents],
        "places": {address: world.place_name(address) for address in world.arenas} if world else {},
        "centres": {arena: _centre(tiles) for arena, tiles in names.world.open_tiles.items()} if names.world else {},
        "things": {one.address: _thing(one) | limits.get(one.address, {}) for one in world.things.values()} if world else {},
    }


def frames(run: RunReader, first: int, last: int) -> dict[str, Any]:
    """Everything that moves in steps `first` to `last`."""
    clock = Ticks(run)
    actions = run.actions(first, last)
    moves = _moves(run, first, last, clock)
    tracks = {
        who: {"at": tile, "moves": moves.get(who, []), "actions": [_action(action, clock.begin(step), clock) for step, action in actions[who]]}
        for who, tile in run.positions(first).items()
    }
    return {
        "from": first,
        "to": last,
        "residents": tracks,
        "things": _things(run, first, last, actions, clock),
        "talks": conversations(run, first, last),
        "events": _events(run, first, last, clock),
    }


def conversations(run: RunReader, first: int, last: int) -> list[dict[str, Any]]:
    """The conversations that are held at some time in steps `first` to `last`, in order of time."""
    clock = Ticks(run)
    longest = -(-run.manifest.settings.chat.max_minutes // run.manifest.stride)
    talks = [_talk(talk, clock) for talk in run.talks(max(1, first - longest), last)]
    return [talk for talk in talks if talk["tick"] + talk["ticks"] > clock.begin(first)]


def _centre(tiles: Sequence[Tile]) -> Tile:
    """The tile that is nearest to the middle of them all."""
    column, row = (statistics.fmean(at) for at in zip(*tiles, strict=True))
    return min(tiles, key=lambda tile: (hypot(tile[0] - column, tile[1] - row), tile))


def _thing(thing: Thing) -> dict[str, Any]:
    facing = {f"{column},{row}": way for (column, row), way in thing.facing.items()}
    return {"name": thing.name, "idle": thing.idle, "tiles": thing.tiles, "facing": facing}


def _limits(run: RunReader) -> dict[str, dict[str, int]]:
    """Of things that the user has placed or removed, by address, `from` or `until` which tick they are there."""
    clock, last = Ticks(run), run.last_step()
    found: dict[str, dict[str, int]] = {}
    for kind, limit in (("placed", "from"), ("removed", "until")):
        for (key,) in run.database.execute(_KEYS, (kind,)).fetchall():
            found.setdefault(key.removeprefix(f"{kind}/"), {})[limit] = clock.begin(run.versions(key, 0, last)[0][0])
    return found


def _events(run: RunReader, first: int, last: int, clock: Ticks) -> list[dict[str, Any]]:
    """What the user let happen and could be perceived in steps `first` to `last`, in order."""
    rows = (cast("Happenings | None", row) or Happenings() for _, row in run.versions("happenings/town", max(1, first), last))
    found = dict.fromkeys(one for row in rows for one in row.items)
    ticks = EVENT_MINUTES * TICKS_PER_MINUTE
    return [{"address": one.address, "text": one.text, "tick": clock.tick(one.until) - ticks, "ticks": ticks} for one in found]


def ticks_of(run: RunReader) -> int:
    """Ticks of one step."""
    return run.manifest.stride * TICKS_PER_MINUTE


def tick_of(run: RunReader, moment: datetime) -> int:
    """A game time in ticks from the start of a run."""
    return Ticks(run).tick(moment)


def chunk_of(run: RunReader) -> int:
    """Steps that the page asks for at once: the fewer, the more people there are."""
    return max(2, round(CHUNK_STEPS * min(1, CROWD / len(run.residents))))


class Ticks:
    """Game time and steps of a run, in ticks from its start."""

    def __init__(self, run: RunReader) -> None:
        self.tick = run.tick
        self.ticks = ticks_of(run)

    def begin(self, step: int) -> int:
        """The tick with which a step begins; step 0 is the start itself."""
        return max(0, step - 1) * self.ticks


def _resident(who: str, names: Names, base: str) -> dict[str, Any]:
    persona = names.persona(who)
    return {
        "id": who,
        "name": names.person(who),
        "occupation": persona.occupation if persona else "",
        "portrait": base + persona.portrait if persona and persona.portrait else None,
        "sprite": base + persona.sprite if persona and persona.sprite else None,
    }


def _moves(run: RunReader, first: int, last: int, clock: Ticks) -> dict[str, list[int]]:
    """By resident, the tiles entered, as flat triples (tick, column, row)."""
    found: dict[str, list[int]] = {}
    for step, walks in sorted(run.trajectories(first, last).items()):
        begin = clock.begin(step)
        for who, path in walks.items():
            found.setdefault(who, []).extend(value for tick, column, row in path for value in (begin + tick, column, row))
    return found


def _action(action: Action, tick: int, clock: Ticks) -> dict[str, Any]:
    return {
        "tick": tick,
        "kind": action.kind,
        "activity": action.activity,
        "address": action.address,
        "emoji": action.emoji or (ASLEEP if action.kind == "sleep" else ""),
        "arrived": clock.tick(action.started) if action.started else None,
    }


def _talk(talk: Talk, clock: Ticks) -> dict[str, Any]:
    return {
        "id": talk.id,
        "opener": talk.opener,
        "partner": talk.partner,
        "address": talk.address,
        "tick": clock.tick(talk.started),
        "ticks": max(1, talk.minutes * TICKS_PER_MINUTE),
        "lines": [{"speaker": line.speaker, "text": line.text} for line in talk.lines],
        "summary": talk.summary,
    }


def _things(run: RunReader, first: int, last: int, actions: dict[str, list[tuple[int, Action]]], clock: Ticks) -> dict[str, list[dict[str, Any]]]:
    """By address, what a thing shows from when on; the state with which step `first` begins comes first, idle ones are left out."""
    arrivals = {(step, action.address): clock.tick(action.started) for versions in actions.values() for step, action in versions if action.started}
    found: dict[str, list[dict[str, Any]]] = {}
    for (key,) in run.database.execute(_KEYS, ("thing",)).fetchall():
        address = key.removeprefix("thing/")
        for step, row in run.versions(key, first - 1, last):
            thing = cast("ThingState | None", row) or ThingState()
            if not thing.users and address not in found:
                continue
            # A thing is claimed on arrival, in the midst of a step, and let go as the step begins.
            tick = max(clock.begin(step), arrivals.get((step, address), 0)) if thing.users and step >= first else clock.begin(max(step, first))
            found.setdefault(address, []).append({"tick": tick, "state": thing.state, "users": thing.users})
    return found | _conditions(run, first, last, found, clock)


def _conditions(run: RunReader, first: int, last: int, things: dict[str, list[dict[str, Any]]], clock: Ticks) -> dict[str, list[dict[str, Any]]]:
    """Things with which something is the matter, as `things` has them: they show that, whoever uses them."""
    found: dict[str, list[dict[str, Any]]] = {}
    for (key,) in run.database.execute(_KEYS, ("condition",)).fetchall():
        address = key.removeprefix("condition/")
        said = [(clock.begin(max(step, first)), cast("Condition | None", row)) for step, row in run.versions(key, first - 1, last)]
        used = things.get(address, [])
        for tick in sorted({*(tick for tick, _ in said), *(one["tick"] for one in used)}):
            condition = next((row for since, row in reversed(said) if since <= tick), None)
            use = next((one for one in reversed(used) if one["tick"] <= tick), {"state": "", "users": ()})
            found.setdefault(address, []).append({"tick": tick, "state": condition.text if condition else use["state"], "users": use["users"]})
    return found
