"""The playback page and its API: a Flask app that reads runs; it writes their inbox, and renames and removes those that rest."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from flask import Flask, Response, abort, render_template, request, send_file

from modules.replay import api, marks
from modules.replay.assets import FRONTEND, script, style
from modules.replay.reader import RunReader
from modules.replay.routes_inbox import inbox_routes
from modules.replay.routes_insight import insight_routes
from modules.replay.routes_live import live_routes
from modules.replay.routes_people import people_routes
from modules.replay.routes_runs import runs_routes
from modules.replay.security import secure
from modules.replay.web import Library, Wrong, answer, families, json_answer, lasting
from modules.replay.worlds import Worlds
from modules.text import catalogue, fill
from modules.world.world import LANGS, Lang

FRAMES_AT_MOST = 120
"""Steps in one answer."""

NUMBERS: dict[str, tuple[type[int] | type[float], float, float, float]] = {
    "step": (int, 0, 0, math.inf),
    "speed": (int, 0, -4, 6),
    "zoom": (float, 0.8, 0.1, 4),
}
"""The page's parameters, named and meant as in GenerativeAgentsCN: kind, default, lowest, highest. Speeds beyond its 0 to 5 are ours."""


def create_app(results: Path, worlds: Path, names: Iterable[str] = ()) -> Flask:
    """The app over the runs of a results folder; `worlds` holds the folders of their worlds, `names` is what else the server is called."""
    app = Flask("hometown", static_folder=str(FRONTEND), static_url_path="/frontend", template_folder=str(FRONTEND))
    library = Library(results, Worlds(worlds))
    _pages(app, library)
    people_routes(app, library)
    inbox_routes(app, library)
    insight_routes(app, library)
    live_routes(app, library)
    runs_routes(app, library)
    _api(app, library)
    secure(app, names)
    app.register_error_handler(Wrong, lambda wrong: _wrong(wrong, library))
    return app


# pages ------------------------------------------------------------------------------------------


def _pages(app: Flask, library: Library) -> None:
    @app.get("/")
    def index() -> str:
        if "name" not in request.args:
            return _list(library)
        name = request.args["name"]
        with library.open(name) as run:
            given = {key: _number(key) for key in NUMBERS}
            given["step"] = min(given["step"], run.last_step())
            return _page("replay.html", name=name, given=given, mapped=library.worlds.names(run.manifest).world is not None)

    @app.get("/frontend/page.js")
    def scripts() -> Response:
        return answer(script("main.js"), "text/javascript")

    @app.get("/frontend/page.css")
    def styles() -> Response:
        return answer(style(), "text/css")

    @app.get("/frontend/lang/<lang>.json")
    def words(lang: str) -> Response:
        if lang not in LANGS:
            abort(404)
        return json_answer(catalogue(lang, "replay"))


def _list(library: Library, problem: str = "") -> str:
    return _page("index.html", runs=families(library.summaries()), problem=problem)


def _page(template: str, **values: object) -> str:
    lang = _language()
    other = {"lang": "zh" if lang == "en" else "en"}
    return render_template(template, lang=lang, t=_texts(lang), other=request.args.to_dict() | other, **values)


def _language() -> Lang:
    """The page's language: `lang` if it names one, else what the browser prefers."""
    wanted = request.args.get("lang") or request.accept_languages.best_match(LANGS)
    return "zh" if wanted == "zh" else "en"


def _texts(lang: Lang) -> Callable[..., str]:
    words = catalogue(lang, "replay")
    return lambda text, **values: fill(words[text], values, lang)


def _number(key: str) -> int | float:
    """A parameter of the page, brought into its range; raises Wrong (400) for what is no number."""
    kind, default, low, high = NUMBERS[key]
    text = request.args.get(key, str(default))
    try:
        value = kind(text)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise Wrong(400, "bad_number", key=key, value=text[:40], low=low, high=high if high < math.inf else "…")
    return kind(min(max(value, low), high))


def _wrong(wrong: Wrong, library: Library) -> tuple[str | Response, int]:
    """The page that lists the runs, with what is wrong; JSON where JSON was asked for."""
    text = _texts(_language())(wrong.text, **wrong.values)
    if request.path.startswith("/api/") or wrong.status == 403:  # whoever may not ask learns nothing of the runs
        return json_answer({"error": text}), wrong.status
    return _list(library, text), wrong.status


# API --------------------------------------------------------------------------------------------


def _api(app: Flask, library: Library) -> None:
    @app.get("/api/runs")
    def runs() -> Response:
        return json_answer(library.summaries())

    @app.get("/api/runs/<name>")
    def run(name: str) -> Response:
        with library.open(name) as found:
            return json_answer(api.details(found, library.worlds.names(found.manifest), f"/api/runs/{quote(name)}/") | {"name": name})

    @app.get("/api/runs/<name>/frames")
    def frames(name: str) -> Response:
        with library.open(name) as found:
            return _ranged(found, api.frames)

    @app.get("/api/runs/<name>/conversations")
    def conversations(name: str) -> Response:
        with library.open(name) as found:
            return _ranged(found, api.conversations)

    @app.get("/api/runs/<name>/marks")
    def marked(name: str) -> Response:
        """What the timeline shows of the whole run; with `resident`, what that one did."""
        with library.open(name) as found:
            who = request.args.get("resident")
            if who is not None and who not in found.residents:
                raise Wrong(404, "resident_not_in_run", name=who[:40])
            return lasting(f"{found.run.last.digest[:32]}-marks-{who or ''}", lambda: marks.events_of(found, who) if who else marks.marks(found))

    @app.get("/api/runs/<name>/<path:file>")
    def file(name: str, file: str) -> Response:
        """The world's map, or an image that the map or a resident of it names."""
        with library.open(name) as found:
            path = library.worlds.files(found.manifest).get(file)
        if path is None:
            abort(404)
        return send_file(path, conditional=True, mimetype="application/json" if file == "map" else None)


def _ranged(run: RunReader, read: Callable[[RunReader, int, int], Any]) -> Response:
    """What happened in the steps `from` to `to`, cut where the run or the limit ends. What was lived does not change: its digest is its tag."""
    last = max(1, run.last_step())
    try:
        begin = int(request.args.get("from", "1"))
        end = int(request.args.get("to", begin))
    except ValueError:
        raise Wrong(400, "bad_range", last=last) from None
    if not 1 <= begin <= end or begin > last:
        raise Wrong(400, "bad_range", last=last)
    end = min(end, last, begin + FRAMES_AT_MOST - 1)
    steps = run.steps(min(end, run.last_step()), end)
    tag = f"{steps[0].digest[:32] if steps else ''}-{begin}-{end}"
    return lasting(tag, lambda: read(run, begin, end))
