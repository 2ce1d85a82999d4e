"""The data of the playback page, as plain JSON values; `docs/formats.md` describes the shapes.

Time is counted in ticks of 10 game seconds from the start of the run: step n lasts from tick (n −
1) · ticks to n · ticks. A tile that is entered in tick k is reached at tick k + 1.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from hometown.clock import TICKS_PER_MINUTE
from hometown.history import shapes
from hometown.history.conversations import list_conversations, opening
from hometown.history.frames import ASLEEP
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versions import Versions
from hometown.json_object import Json
from hometown.memory.action import Action
from hometown.model.levels import SCRIPTED, played_by
from hometown.model.routing import public_name, usual_name
from hometown.optional_parts import has_part
from hometown.storage.manifest import Manifest
from hometown.world import keys
from hometown.world.furnish import furnish_world
from hometown.world.incidents import Happening, Happenings
from hometown.world.keys import OwnerKind
from hometown.world.maze import Tile
from hometown.world.persona import Persona
from hometown.world.rows import ThingState
from hometown.world.world import Thing

CHUNK_STEPS, CROWD = 24, 100
"""Number of steps per request of the page, for towns with up to this number of residents."""

CHUNKS_PER_WIDE_BLOCK = 6
"""Number of chunks in a block that is searched: usually a day."""

_KEYS = """
    WITH RECURSIVE found(key) AS (
        SELECT min(key) FROM state WHERE key >= ?1 || '/' AND key < ?1 || '0'
        UNION ALL
        SELECT (SELECT min(key) FROM state WHERE key > found.key AND key < ?1 || '0') FROM found WHERE found.key IS NOT NULL
    )
    SELECT key FROM found WHERE key IS NOT NULL"""
"""The keys of a kind that were ever written, for example of all things ever used: one index lookup
for each, however long the run.
"""


def entry(manifest: Manifest, last: int, planned: int, residents: int, world: str) -> Json:
    """Return a run's entry in the list of runs, from its metadata; `world` is the name of its
    world.
    """
    return {
        "name": manifest.name,
        "parent": manifest.parent,
        "world": manifest.world,
        "world_name": world,
        "lang": manifest.lang,
        "start": manifest.start.isoformat(),
        "now": manifest.moment(last).isoformat(),
        "stride": manifest.stride,
        "steps": last,
        "planned": planned,
        "finished": last >= planned,
        "model": public_name(manifest.llm),
        "scripted": manifest.llm == SCRIPTED,
        "residents": residents,
    }


def details(run: RunReader, names: Names, base: str) -> Json:
    """Return the data that the page needs before playback; the addresses of map and images begin
    with `base`.
    """
    last, world_name = run.last_step(), names.world.name if names.world else run.manifest.world
    world = furnish_world(names.world, run.run.furniture(last)) if names.world else None
    limits = _limits(run)
    return entry(run.manifest, last, run.planned_end(), len(run.residents), world_name) | {
        "digest": run.run.last.digest,
        "ticks": ticks_of(run),
        "chunk": chunk_of(run),
        "retrieval": _retrieval(run),
        "map": f"{base}map" if world else None,
        "residents": [
            _resident(who, names, base) | _player(who, run.manifest) for who in run.residents
        ],
        "places": {address: world.place_name(address) for address in world.arenas} if world else {},
        "buildings": {sector: world.name_of(sector) for sector in world.sectors} if world else {},
        "centres": {arena: _centre(tiles) for arena, tiles in names.world.open_tiles.items()}
        if names.world
        else {},
        "things": {
            thing.address: _thing(thing, limits.get(thing.address, {}))
            for thing in world.things.values()
        }
        if world
        else {},
        "opening": opening(run),
        "society": bool(names.world and names.world.book),
        "threads": bool(names.world and names.world.book and names.world.book.threads),
    }


def frames(run: RunReader, first: int, last: int) -> Json:
    """Return the movements, actions and events of steps `first` to `last`."""
    clock = Ticks(run)
    actions = run.actions(first, last)
    moves = _moves(run, first, last, clock)
    tracks = {
        who: {
            "at": tile,
            "moves": moves.get(who, []),
            "actions": [_action(action, clock.begin(step), clock) for step, action in actions[who]],
        }
        for who, tile in run.positions(first).items()
    }
    return {
        "from": first,
        "to": last,
        "residents": tracks,
        "things": _things(run, first, last, actions, clock),
        "conversations": list_conversations(run, first, last),
        "events": happenings(run, first, last),
    }


def _centre(tiles: Sequence[Tile]) -> Tile:
    """Return the tile nearest to the mean of all tiles."""
    count, (columns, rows) = len(tiles), map(sum, zip(*tiles, strict=True))
    return min(
        tiles,
        key=lambda tile: ((count * tile[0] - columns) ** 2 + (count * tile[1] - rows) ** 2, tile),
    )


def _thing(thing: Thing, limits: dict[str, int]) -> Json:
    """Return a thing of the map, or one that the user has placed, which has a picture of its own
    because the map's picture does not show it.
    """
    facing = {f"{column},{row}": way for (column, row), way in thing.facing.items()}
    fields = {
        "name": thing.name,
        "idle": thing.idle,
        "tiles": thing.tiles,
        "facing": facing,
    } | limits
    return fields | {"picture": _picture(thing)} if "from" in limits else fields


def _picture(thing: Thing) -> str | None:
    """Return a placed thing's picture as a data: URI, which works in served pages and in single
    files; None if the art has no matching picture, or is not installed.
    """
    if not has_part("authoring"):
        return None
    from hometown.authoring.art.thing_pictures import picture_kind, picture_png

    kind = picture_kind(thing.name, thing.tags)
    return "data:image/png;base64," + b64encode(picture_png(kind)).decode() if kind else None


def _limits(run: RunReader) -> dict[str, dict[str, int]]:
    """Return the ticks `from` and `until` which things exist that the user has placed or removed,
    by address.
    """
    clock, last = Ticks(run), run.last_step()
    limits: dict[str, dict[str, int]] = {}
    kinds: tuple[tuple[OwnerKind[Any], str], ...] = ((keys.PLACED, "from"), (keys.REMOVED, "until"))
    for kind, limit in kinds:
        for (key,) in run.database.execute(_KEYS, (kind.name,)).fetchall():
            address = kind.owner(key)
            begun = run.versions(kind.of(address), 0, last)[0][0]
            limits.setdefault(address, {})[limit] = clock.begin(begun)
    return limits


def happenings(run: RunReader, first: int, last: int) -> list[shapes.HappeningView]:
    """Return the user's events that could be perceived in steps `first` to `last`, in order: until
    their time was over, or until a resident ended them.
    """
    clock = Ticks(run)
    began: dict[Happening, int] = {}
    ended: dict[Happening, int] = {}
    for step, row in run.versions(keys.HAPPENINGS.key, 1, run.last_step()):
        there = (row or Happenings()).items
        began |= {event: step for event in there if event not in began}
        ended |= {event: step for event in began if event not in there and event not in ended}
    seen = {
        event: clock.begin(step)
        for event, step in began.items()
        if step <= last and ended.get(event, last) >= first
    }
    until = {
        event: min(
            clock.tick(event.until),
            clock.begin(ended[event]) if event in ended else clock.tick(event.until),
        )
        for event in seen
    }
    return [
        {"address": event.address, "text": event.text, "tick": begin, "ticks": until[event] - begin}
        for event, begin in seen.items()
    ]


def ticks_of(run: RunReader) -> int:
    """Return the number of ticks of one step."""
    return run.manifest.stride * TICKS_PER_MINUTE


def tick_of(run: RunReader, moment: datetime) -> int:
    """Return a game time in ticks from the start of a run."""
    return Ticks(run).tick(moment)


def chunk_of(run: RunReader) -> int:
    """Return the number of steps that the page requests at once: the more residents, the fewer
    steps.
    """
    return max(2, round(CHUNK_STEPS * min(1, CROWD / len(run.residents))))


def arenas(names: Names) -> shapes.Arenas:
    """Return the arena of each tile; no arenas where the world is missing."""
    if names.world is None:
        return {"columns": 1 << 16, "names": [""], "cells": []}
    maze = names.world.maze
    columns, rows = maze.size
    known = {"": 0}
    cells = [
        known.setdefault(maze.arena_at((column, row)), len(known))
        for row in range(rows)
        for column in range(columns)
    ]
    return {"columns": columns, "names": list(known), "cells": cells}


class Ticks:
    """Game time and steps of a run, in ticks from its start."""

    def __init__(self, run: RunReader) -> None:
        self.tick = run.tick
        self.ticks = ticks_of(run)

    def begin(self, step: int) -> int:
        """Return the tick with which a step begins; step 0 is the start itself."""
        return max(0, step - 1) * self.ticks


def _retrieval(run: RunReader) -> shapes.RankingView:
    settings = run.manifest.settings.associate
    return {
        "recency_decay": settings.recency_decay,
        "recency_basis": settings.recency_basis,
        "recency_weight": settings.recency_weight,
        "importance_weight": settings.importance_weight,
        "relevance_weight": settings.relevance_weight,
        "normalise": settings.normalise,
        "embedding": public_name(run.manifest.embedding),
        "dimension": run.manifest.dimension,
    }


def _draw(who: str, persona: Persona) -> tuple[str, str] | tuple[None, None]:
    """Return portrait and sprite sheet of a resident; None where the art is not installed."""
    if not has_part("authoring"):
        return None, None
    from hometown.history.faces import portrait_and_sprite

    return portrait_and_sprite(who, (*persona.pronouns, "")[0])


def _resident(who: str, names: Names, base: str) -> Json:
    persona = names.persona(who)
    late = names.world is not None and who in names.world.latecomers
    face, figure = _draw(who, persona) if persona and late else (None, None)
    return {
        "id": who,
        "name": names.person(who),
        "occupation": persona.occupation if persona else "",
        "home": persona.home if persona else "",
        "portrait": base + persona.portrait if persona and persona.portrait else face,
        "sprite": base + persona.sprite if persona and persona.sprite else figure,
    }


def _player(who: str, manifest: Manifest) -> Json:
    """Return the model that plays a resident if it is not the run's main model."""
    model = played_by(manifest.settings.detail, manifest.llm, who)
    return {"player": None if model == usual_name(manifest.llm) else public_name(model)}


def _moves(run: RunReader, first: int, last: int, clock: Ticks) -> dict[str, list[int]]:
    """Return the tiles entered by each resident, as flat triples (tick, column, row)."""
    moves: dict[str, list[int]] = {}
    for step, walks in sorted(run.trajectories(first, last).items()):
        begin = clock.begin(step)
        for who, path in walks.items():
            moves.setdefault(who, []).extend(
                value for tick, column, row in path for value in (begin + tick, column, row)
            )
    return moves


def _action(action: Action, tick: int, clock: Ticks) -> Json:
    return {
        "tick": tick,
        "kind": action.kind,
        "activity": action.activity,
        "address": action.address,
        "emoji": action.emoji or (ASLEEP if action.kind == "sleep" else ""),
        "arrived": clock.tick(action.started) if action.started else None,
    }


def _things(
    run: RunReader,
    first: int,
    last: int,
    actions: dict[str, Versions[Action]],
    clock: Ticks,
) -> dict[str, list[Json]]:
    """Return the states of things by address, as (tick, state), beginning with the state as step
    `first` begins; things that stay idle are omitted.
    """
    arrivals = {
        (step, action.address): clock.tick(action.started)
        for versions in actions.values()
        for step, action in versions
        if action.started
    }
    shown: dict[str, list[Json]] = {}
    for (key,) in run.database.execute(_KEYS, (keys.THING.name,)).fetchall():
        address = keys.THING.owner(key)
        for step, row in run.versions(keys.THING.of(address), first - 1, last):
            thing = row or ThingState()
            if not thing.users and address not in shown:
                continue
            # A thing is claimed on arrival, in the middle of a step, and released as a step begins.
            tick = (
                max(clock.begin(step), arrivals.get((step, address), 0))
                if thing.users and step >= first
                else clock.begin(max(step, first))
            )
            shown.setdefault(address, []).append(
                {"tick": tick, "state": thing.state, "users": thing.users}
            )
    return shown | _conditions(run, first, last, shown, clock)


def _conditions(
    run: RunReader, first: int, last: int, things: dict[str, list[Json]], clock: Ticks
) -> dict[str, list[Json]]:
    """Return the states of things that have a condition, in the shape of `things`: the condition
    takes the place of the state set by users.
    """
    shown: dict[str, list[Json]] = {}
    for (key,) in run.database.execute(_KEYS, (keys.CONDITION.name,)).fetchall():
        address = keys.CONDITION.owner(key)
        conditions = [
            (clock.begin(max(step, first)), row)
            for step, row in run.versions(keys.CONDITION.of(address), first - 1, last)
        ]
        used = things.get(address, [])
        for tick in sorted(
            {*(tick for tick, _ in conditions), *(change["tick"] for change in used)}
        ):
            condition = next((row for since, row in reversed(conditions) if since <= tick), None)
            use = next(
                (change for change in reversed(used) if change["tick"] <= tick),
                {"state": "", "users": ()},
            )
            shown.setdefault(address, []).append(
                {
                    "tick": tick,
                    "state": condition.text if condition else use["state"],
                    "users": use["users"],
                }
            )
    return shown
