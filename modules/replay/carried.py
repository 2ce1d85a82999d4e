"""The answers of the API that `replay.html` carries, each under the key by which `frontend/js/embedded.js` finds it.

A key is an address below the run's own. Most answers are the API's; of what it tells as of any step, a resident, each part is
kept once for as long as it stays the same.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import orjson
from werkzeug.test import Client

from modules.errors import BadRun
from modules.replay import stream
from modules.replay.api import chunk_of, ticks_of
from modules.replay.carried_why import causes
from modules.replay.diary import days_of
from modules.replay.insight import PLOTS
from modules.replay.names import Names
from modules.replay.output import progress
from modules.replay.reader import RunReader, blocks
from modules.replay.routes_insight import library
from modules.world.world import LANGS

PAGE = 200
"""Conversations in one answer."""

PROMPTS_AT_MOST = 10_000_000
"""Bytes of prompts that are carried; of a run with more, two days of 25 residents say, the page says that they need the server."""

FOLLOWED = 12
"""Memories of which a plot tells how they spread: as many as it lists (`frontend/js/plot_minds.js`)."""

Answers = dict[str, Any]


def answers(run: RunReader, names: Names, client: Client, name: str) -> Iterator[Answers]:
    """All answers, in blocks that are unpacked together."""
    asker = _Asker(client, f"/api/runs/{quote(name)}")
    last = max(1, run.last_step())
    yield _start(asker) | {"arenas": _arenas(names)}
    for first, end in blocks(1, last, chunk_of(run)):
        yield {f"frames/{first}": asker.get(f"/frames?from={first}&to={end}")}
    kept = _prompts_packed(run) <= PROMPTS_AT_MOST
    for first, told, prompts in causes(run, chunk_of(run)):
        yield {f"why/{first}": told}
        if kept:
            yield {f"prompts/{first}": prompts}
    yield {"talks": _talks(asker)} | asker.all("threads", "marks")
    yield _plots(asker)
    yield {"/charts.js": library().decode()}
    yield {"report.md": asker.bytes(f"{asker.base}/report.md").decode()}
    for who in progress(run.residents, "replay.html", "resident", len(run.residents)):
        at = quote(who)
        yield {f"residents/{who}": _versions(asker, at, last), f"residents/{who}/memories": _stream(run, who)}
        days = {day.isoformat(): asker.get(f"/diary/{at}?day={day.isoformat()}") for day in days_of(run, last)}
        yield {f"diary/{who}": days} | asker.all(f"marks?resident={at}")


class _Asker:
    """Asks the API, without a server."""

    def __init__(self, client: Client, base: str) -> None:
        self.client = client
        self.base = base

    def bytes(self, address: str) -> bytes:
        """Raises BadRun with the API's words where it refuses."""
        reply = self.client.get(address)
        if reply.status_code != 200:
            raise BadRun("the page's API refuses {address}: {answer}", address=address, answer=reply.get_data(as_text=True)[:200])
        return reply.get_data()

    def get(self, address: str) -> Any:
        """The answer to an address below the run's own."""
        return orjson.loads(self.bytes(self.base + address))

    def all(self, *addresses: str) -> Answers:
        return {address: self.get(f"/{address}") for address in addresses}

    def picture(self, address: str) -> str:
        return "data:image/png;base64," + b64encode(self.bytes(address)).decode()


def _start(asker: _Asker) -> Answers:
    """What is needed before the first frame: the run with its pictures, the map, and the page's words."""
    run = asker.get("")
    for resident in run["residents"]:
        for kind in ("portrait", "sprite"):
            if resident[kind]:
                resident[kind] = asker.picture(resident[kind])
    words = {f"/frontend/lang/{lang}.json": orjson.loads(asker.bytes(f"/frontend/lang/{lang}.json")) for lang in LANGS}
    return {"": run} | words | ({"map": _map(asker)} if run["map"] else {})


def _map(asker: _Asker) -> Any:
    drawn = asker.get("/map")
    for tileset in drawn["tilesets"]:
        tileset["image"] = asker.picture(f"{asker.base}/{quote(tileset['image'])}")
    return drawn


def _arenas(names: Names) -> dict[str, Any]:
    """In which arena each tile lies, row by row, as places in `names`; 0 is none. Empty where the world is gone."""
    if names.world is None:
        return {"columns": 1 << 16, "names": [""], "cells": []}
    maze = names.world.maze
    columns, rows = maze.size
    known = {"": 0}
    cells = [known.setdefault(maze.arena_at((column, row)), len(known)) for row in range(rows) for column in range(columns)]
    return {"columns": columns, "names": list(known), "cells": cells}


def _talks(asker: _Asker) -> list[Any]:
    """All conversations."""
    found: list[Any] = []
    while True:
        page = asker.get(f"/talks?offset={len(found)}&limit={PAGE}")
        found += page["items"]
        if not page["items"] or len(found) >= page["total"]:
            return found


def _prompts_packed(run: RunReader) -> int:
    """Bytes of all prompts as the run keeps them, about what they take in the file."""
    return int(run.database.execute("SELECT coalesce(sum(length(messages)), 0) FROM prompts").fetchone()[0])


def _plots(asker: _Asker) -> Answers:
    """The plots, and how each storyline spread and each of the memories that weighed most; how a word did the page works out."""
    found = asker.all(*(f"insight/{plot}" for plot in PLOTS), "insight/spread")
    stories = [f"story={quote(story['id'], safe='')}" for story in found["insight/spread"]["stories"]]
    memories = [f"memory={quote(one['who'] + '/' + str(one['memory']), safe='')}" for one in found["insight/minds"]["poignant"][:FOLLOWED]]
    return found | asker.all(*(f"insight/spread?{topic}" for topic in stories + memories))


def _versions(asker: _Asker, who: str, last: int) -> dict[str, list[tuple[int, Any]]]:
    """By part of the answer about a resident, what it says from which step on."""
    found: dict[str, list[tuple[int, Any]]] = {}
    for step in range(last + 1):
        for key, value in asker.get(f"/residents/{who}?step={step}").items():
            versions = found.setdefault(key, [])
            if not versions or versions[-1][1] != value:
                versions.append((step, value))
    return found


def _stream(run: RunReader, who: str) -> dict[str, Any]:
    """All memories of a resident, and when each was used and retired."""
    last = run.last_step()
    used, retired = run.history(who)
    return {
        "items": [stream.told(run, one) for one in run.stream(who, last)],
        "used": [(step, one, run.tick(when)) for step, one, when in used],
        "retired": retired,
        "settings": run.manifest.settings.associate.model_dump(include={"recency_decay", "recency_weight", "importance_weight", "relevance_weight"}),
        "ticks": ticks_of(run),
    }
