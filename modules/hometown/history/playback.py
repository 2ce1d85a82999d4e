"""The data of the playback page, as plain JSON values; `docs/formats.md` describes the shapes.

Time is counted in ticks of 10 game seconds from the start of the run: step n lasts from tick (n −
1) · ticks to n · ticks. A tile that is entered in tick k is reached at tick k + 1.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from hometown.frozen import frozen
from hometown.history import shapes
from hometown.history.conversations import list_conversations, opening
from hometown.history.director_hand import find_planted
from hometown.history.frames import ASLEEP
from hometown.history.held_goods import town_at
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.history.shapes.versioned_values import Versions
from hometown.json_object import Json
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.model.levels import SCRIPTED, played_by
from hometown.model.routing import public_name, usual_name
from hometown.optional_parts import has_part
from hometown.storage.manifest import Manifest
from hometown.world import keys
from hometown.world.befalling import course_of
from hometown.world.happening_process import DAMAGE_KEY
from hometown.world.incidents import EndedHappening, Happening, Happenings, UnfoldingHappening
from hometown.world.keys import OwnerKind
from hometown.world.maze import Tile
from hometown.world.persona import Persona
from hometown.world.rows import ThingState
from hometown.world.world import Thing, World

CHUNK_STEPS, CROWD = 24, 100
"""Number of steps per request of the page, for towns with up to this number of residents."""

CHUNKS_PER_WIDE_BLOCK = 6
"""Number of chunks (`CHUNK_STEPS` each) in a block of a wide view, whose steps the page searches;
with the usual stride a block is a day.
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
        "recorded": manifest.recorded,
        "residents": residents,
    }


def details(run: RunReader, names: Names, base: str) -> Json:
    """Return the data that the page needs before playback; the addresses of map and images begin
    with `base`.
    """
    last = run.last_step()
    world = town_at(run, names, last)
    limits = _limits(run)
    return entry(
        run.manifest, last, run.planned_end(), len(run.residents), names.world_name(run.manifest)
    ) | {
        "digest": run.run.last.digest,
        "ticks": run.ticks,
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
        "society": names.book is not None,
        "processes": run.manifest.settings.processes.are_on,
        "threads": bool(names.book and names.book.threads),
        "words": {},
    }


def translate_places(described: Json, world: World) -> Json:
    """Return what `details` says of a run, with the names of its world, places and things from the
    world in another language; what the user has placed keeps its name.
    """
    things = {
        address: thing | {"name": world.things[address].name} if address in world.things else thing
        for address, thing in described["things"].items()
    }
    return described | {
        "world_name": world.name,
        "places": {address: world.place_name(address) for address in world.arenas},
        "buildings": {sector: world.name_of(sector) for sector in world.sectors},
        "things": things,
    }


def frames(run: RunReader, first: int, last: int) -> Json:
    """Return the movements, actions and events of steps `first` to `last`. Those who come to the
    town meanwhile are left out.
    """
    actions = run.actions(first, last)
    moves = _moves(run, first, last)
    tracks = {
        who: {
            "at": run.position(who, first),
            "moves": moves.get(who, []),
            "actions": [_action(run, step, action) for step, action in taken],
        }
        for who, taken in actions.items()
    }
    return {
        "from": first,
        "to": last,
        "residents": tracks,
        "things": _things(run, first, last, actions),
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
    last = run.last_step()
    limits: dict[str, dict[str, int]] = {}
    kinds: tuple[tuple[OwnerKind[Any], str], ...] = ((keys.PLACED, "from"), (keys.REMOVED, "until"))
    for kind, limit in kinds:
        for address in run.owners(kind):
            begun = run.versions(kind.of(address), 0, last)[0][0]
            limits.setdefault(address, {})[limit] = run.first_tick(begun)
    return limits


@frozen
class HappeningSpan:
    """A happening in its last state, with the step in which it began (`begun`), and the first step
    without it (`ended`), None if it goes on.
    """

    event: Happening
    begun: int
    ended: int | None


def is_damage(event: Happening, lang: Lang) -> bool:
    """Return True if a happening is the damage that another has left."""
    return course_of(event, lang).key == DAMAGE_KEY


def happening_spans(run: RunReader) -> list[HappeningSpan]:
    """Return all happenings of a run, in the order in which they began."""
    spans: dict[tuple[str, str, int], HappeningSpan] = {}
    lasting: dict[tuple[str, str], int] = {}
    for step, row in run.versions(keys.HAPPENINGS.key, 1, run.last_step()):
        there = {each.identity: each for each in (row or Happenings()).items}
        for address, text in lasting.keys() - there.keys():
            begun = lasting.pop((address, text))
            span = spans[address, text, begun]
            spans[address, text, begun] = HappeningSpan(_finish(run, span.event, step), begun, step)
        for (address, text), event in there.items():
            begun = lasting.setdefault((address, text), step)
            spans[address, text, begun] = HappeningSpan(event, begun, None)
    return list(spans.values())


def _finish(run: RunReader, event: Happening, step: int) -> Happening:
    """Return a happening that ended in a step with all who helped, of whom some may have done so in
    that step.
    """
    stopped = run.row(keys.STOPPED.key, step)
    if stopped is None or not isinstance(event, UnfoldingHappening):
        return event
    same = (
        each
        for each in reversed(stopped.items)
        if isinstance(each, EndedHappening) and (each.address, each.text) == event.identity
    )
    ended = next(same, None)
    return replace(event, by=ended.by) if ended else event


def happenings(run: RunReader, first: int, last: int) -> list[shapes.HappeningView]:
    """Return the happenings that could be perceived in steps `first` to `last`, in order, each with
    its first tick and its length in ticks, which ends with its time or with the act of a resident,
    whichever is earlier, and a mark if the director has planted it.
    """
    found: list[shapes.HappeningView] = []
    planted = find_planted(run)
    for span in happening_spans(run):
        if span.begun <= last and (span.ended is None or span.ended >= first):
            begin, until = run.first_tick(span.begun), run.tick(span.event.until)
            if span.ended is not None:
                until = min(until, run.first_tick(span.ended))
            found.append(
                {
                    "address": span.event.address,
                    "text": span.event.text,
                    "tick": begin,
                    "ticks": until - begin,
                    "planted": (*span.event.identity, span.begun) in planted,
                }
            )
    return found


def chunk_of(run: RunReader) -> int:
    """Return the number of steps that the page requests at once: `CHUNK_STEPS` for up to `CROWD`
    residents; the more above that, the fewer steps, 2 at least.
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


def _retrieval(run: RunReader) -> shapes.RankingView:
    """Return the settings of the ranking of memories, and the embedding."""
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
    """Return drawn portrait and sprite sheet of a resident, as data: URIs; (None, None) where the
    art is not installed.
    """
    if not has_part("authoring"):
        return None, None
    from hometown.history.faces import portrait_and_sprite

    return portrait_and_sprite(who, (*persona.pronouns, "")[0], persona.look)


def _resident(who: str, names: Names, base: str) -> Json:
    """Return a resident in the page's format; pictures that those who moved in lack are drawn."""
    persona = names.persona(who)
    late = names.world is not None and who in names.world.latecomers
    face, figure = _draw(who, persona) if persona and late else (None, None)
    return {
        "id": who,
        "name": names.person(who),
        "occupation": persona.occupation if persona else "",
        "home": persona.home if persona else "",
        "visitor": bool(persona and persona.is_visitor),
        "portrait": base + persona.portrait if persona and persona.portrait else face,
        "sprite": base + persona.sprite if persona and persona.sprite else figure,
    }


def _player(who: str, manifest: Manifest) -> Json:
    """Return a resident's field `player` in the page's format: the name of the model that plays
    them, or None if it is the run's main model.
    """
    model = played_by(manifest.settings.detail, manifest.llm, who)
    return {"player": None if model == usual_name(manifest.llm) else public_name(model)}


def _moves(run: RunReader, first: int, last: int) -> dict[str, list[int]]:
    """Return the tiles entered by each resident, as flat triples (tick, column, row)."""
    moves: dict[str, list[int]] = {}
    for step, walks in sorted(run.trajectories(first, last).items()):
        begin = run.first_tick(step)
        for who, path in walks.items():
            moves.setdefault(who, []).extend(
                value for tick, column, row in path for value in (begin + tick, column, row)
            )
    return moves


def _action(run: RunReader, step: int, action: Action) -> Json:
    """Return an action that began in a step, in the page's format."""
    return {
        "tick": run.first_tick(step),
        "kind": action.kind,
        "activity": action.activity,
        "address": action.address,
        "emoji": action.emoji or (ASLEEP if action.kind == "sleep" else ""),
        "arrived": run.tick(action.started) if action.started else None,
    }


def _things(
    run: RunReader,
    first: int,
    last: int,
    actions: dict[str, Versions[Action]],
) -> dict[str, list[Json]]:
    """Return the states of things by address, as {tick, state, users}, beginning with the state as
    step `first` begins; things that stay idle are omitted.
    """
    arrivals = {
        (step, action.address): run.tick(action.started)
        for versions in actions.values()
        for step, action in versions
        if action.started
    }
    shown: dict[str, list[Json]] = {}
    for address in run.owners(keys.THING):
        for step, row in run.versions(keys.THING.of(address), first - 1, last):
            thing = row or ThingState()
            if not thing.users and address not in shown:
                continue
            # A thing is claimed on arrival, in the middle of a step, and released as a step begins.
            tick = (
                max(run.first_tick(step), arrivals.get((step, address), 0))
                if thing.users and step >= first
                else run.first_tick(max(step, first))
            )
            shown.setdefault(address, []).append(
                {"tick": tick, "state": thing.state, "users": thing.users}
            )
    return shown | _conditions(run, first, last, shown)


def _conditions(
    run: RunReader, first: int, last: int, things: dict[str, list[Json]]
) -> dict[str, list[Json]]:
    """Return the states of things that have a condition, in the shape of `things`: the condition
    takes the place of the state set by users.
    """
    shown: dict[str, list[Json]] = {}
    for address in run.owners(keys.CONDITION):
        conditions = [
            (run.first_tick(max(step, first)), row)
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
