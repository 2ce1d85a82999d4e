"""The page's plots: their data, and the chart library that draws them."""

from __future__ import annotations

import gzip
from functools import cache
from importlib import resources
from typing import Any

from flask import Flask, Response, abort, request

from modules.replay import insight, topics
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.replay.spread import Topic
from modules.replay.web import Library, Wrong, json_answer, lasting

LONGEST_WORD = 200
"""Characters that may be looked for in memories."""


def insight_routes(app: Flask, library: Library) -> None:
    @app.get("/api/runs/<name>/insight/<plot>")
    def plot(name: str, plot: str) -> Response:
        read = insight.PLOTS.get(plot)
        if read is None:
            raise Wrong(404, "no_plot", name=plot[:40], plots=", ".join([*insight.PLOTS, "spread"]))
        with library.open(name) as run:
            names = library.worlds.names(run.manifest)
            return lasting(f"{run.run.last.digest[:32]}-{plot}", lambda: read(run, names))

    @app.get("/api/runs/<name>/insight/spread")
    def spread(name: str) -> Response:
        """Who knows of a `story`, of a `text`, or of a memory `<resident>/<id>`; without any of them, the stories that there are."""
        with library.open(name) as run:
            names = library.worlds.names(run.manifest)
            told: dict[str, Any] = {"stories": topics.stories(names)}
            topic = _topic(run, names)
            return json_answer(told | ({"learned": topics.spread(run, names, topic)} if topic else {}))

    @app.get("/charts.js")
    def charts() -> Response:
        """Chart.js, from the package that brings it."""
        response = Response(_packed(), mimetype="text/javascript")
        response.content_encoding = "gzip"
        response.add_etag()
        response.make_conditional(request)
        return response


def _topic(run: RunReader, names: Names) -> Topic | None:
    """What the request asks about; raises Wrong (404) for what isn't there."""
    if story := request.args.get("story"):
        found = next((one for one in (names.world.storylines if names.world else ()) if one.id == story), None)
        if found is None:
            raise Wrong(404, "no_story", name=story[:40])
        return found
    if memory := request.args.get("memory"):
        who, _, number = memory.rpartition("/")
        recalled = run.recall(who, [int(number)]) if number.isascii() and number.isdigit() and len(number) < 10 else []
        if not recalled:
            raise Wrong(404, "no_memory", name=memory[:40])
        return topics.Retelling(recalled[0].concept.text, [names.person(who) for who in run.residents])
    text = request.args.get("text", "").strip()[:LONGEST_WORD]
    return topics.Word(text) if text else None


def library() -> bytes:
    """The chart library; aborts (404) where its package is not installed whole."""
    file = resources.files("chartkick") / "django/static/chartkick/Chart.bundle.js"
    if not file.is_file():
        abort(404)
    return file.read_bytes()


@cache
def _packed() -> bytes:
    """The library, packed once: a sixth of its size goes over the wire."""
    return gzip.compress(library(), mtime=0)
