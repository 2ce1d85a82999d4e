"""The playback page and its API: a Flask app that reads runs, writes their inboxes, renames and
removes those at rest, and starts and stops processes.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from flask import Flask, Response, abort, request

from hometown.errors import HometownError, reason_of
from hometown.history.blocks import describe_run
from hometown.language import LANGS, Lang
from hometown.model.levels import RECORDED
from hometown.optional_parts import has_part
from hometown.page.assets import charts, script, style
from hometown.page.lesson_sheets import lessons
from hometown.page.templates import NUMBERS, page_words, render_page
from hometown.paths import FRONTEND
from hometown.settings import Settings
from hometown.storage.lock import is_held
from hometown.storage.recordings import list_recordings, recording_title
from hometown.storage.run_names import run_folder
from hometown.web.access import Access
from hometown.web.answers import API, Wrong, page_language, respond_json, respond_tagged
from hometown.web.compression import compress_responses
from hometown.web.library import Library, families
from hometown.web.routes_blocks import block_routes
from hometown.web.routes_control import control_routes
from hometown.web.routes_interventions import intervention_routes
from hometown.web.routes_live import live_routes
from hometown.web.routes_runs import runs_routes
from hometown.web.routes_visits import visit_routes
from hometown.web.run_worlds import Worlds
from hometown.web.security import secure
from hometown.web.sent_pictures import send_picture
from hometown.web.sign_in import may_change, may_look, may_visit

if TYPE_CHECKING:
    from hometown.study.desk import InterviewDesk


def create_app(
    results: Path,
    worlds: Path,
    names: Iterable[str] = (),
    access: Access | None = None,
    desk: InterviewDesk | None = None,
) -> Flask:
    """Return the app over the runs of a results folder.

    Args:
        worlds: The folder of the worlds' folders.
        names: Further host names of the server.
        access: By default, all requests are allowed: for use within a process; an app that listens
            on a socket has rules (`hometown.web.serve`).
        desk: Answers questions to residents, by default on each run's own model.
    """
    access = access or Access(guarded=False)
    names = list(names)
    app = Flask("hometown", static_folder=str(FRONTEND), static_url_path="/frontend")
    library = Library(results, Worlds(worlds))
    _pages(app, library)
    _page_files(app)
    block_routes(app, library)
    intervention_routes(app, library)
    live_routes(app, library)
    control_routes(app, library)
    runs_routes(app, library)
    visit_routes(app, library, access, names)
    if has_part("study"):
        _study_routes(app, library, desk)
    if has_part("authoring"):
        _authoring_routes(app, library, worlds)
    _api(app, library)
    secure(app, access, names)
    compress_responses(app)
    _add_error_handlers(app, library)
    return app


def _add_error_handlers(app: Flask, library: Library) -> None:
    """Let the app answer errors with their reasons instead of a traceback."""
    app.register_error_handler(Wrong, lambda wrong: _respond_wrong(wrong, library))

    def respond(error: Exception) -> tuple[str | Response, int]:
        reason = error if isinstance(error, HometownError) else reason_of(error)
        return _respond_wrong(Wrong(409, "That did not work: {reason}.", reason=reason), library)

    for kind in (HometownError, OSError, sqlite3.Error):  # such as results that can't be written
        app.register_error_handler(kind, respond)


def _study_routes(app: Flask, library: Library, desk: InterviewDesk | None) -> None:
    """Add the routes of the package `study`: comparisons, questions and laws."""
    from hometown.study.desk import InterviewDesk
    from hometown.web.routes_beside import beside_routes
    from hometown.web.routes_laws import law_routes
    from hometown.web.routes_questions import question_routes

    desk = desk or InterviewDesk(Settings())
    beside_routes(app, library)
    question_routes(app, library, desk)
    law_routes(app, library, desk)


def _authoring_routes(app: Flask, library: Library, worlds: Path) -> None:
    """Add the routes of the package `authoring`: pictures and the editor."""
    from hometown.web.routes_looks import look_routes
    from hometown.web.routes_maps import map_routes
    from hometown.web.routes_pictures import picture_routes
    from hometown.web.routes_worlds import world_routes
    from hometown.web.undo import UndoLists

    picture_routes(app, library)
    undo_lists = UndoLists()
    world_routes(app, worlds, undo_lists)
    map_routes(app, worlds, undo_lists)
    look_routes(app)


# pages ------------------------------------------------------------------------------------------


def _pages(app: Flask, library: Library) -> None:
    """Add the routes of the list of runs, a run's page and the editor to the app."""

    @app.get("/")
    def index() -> str:
        if "name" not in request.args:
            return _list(library)
        name = request.args["name"]
        with library.open(name) as run:
            given = {key: _number(key, run.last_step()) for key in NUMBERS}
            return _page(
                "replay.html",
                name=name,
                title=recording_title(run.run.id, page_language()) or name,
                given=given,
                is_running=is_held(run_folder(library.results, name)),
                mapped=library.names(run).world is not None,
                pictures=library.worlds.list_drawn_images(run),
            )

    @app.get("/edit")
    def edit() -> str:
        return _page("editor.html", "edit", world=request.args.get("world", ""))

    @app.get("/<page>")
    def missing(page: str) -> str:
        raise Wrong(404, "There is no page “{page}” here.", page=page[:80])


def _page_files(app: Flask) -> None:
    """Add the routes of the files that pages load: scripts, styles, words and lessons."""

    @app.get("/frontend/page.js")
    def scripts() -> Response:
        return respond_tagged(script("main.js"), "text/javascript")

    @app.get("/frontend/css/page.css")
    def styles() -> Response:
        return respond_tagged(style(), "text/css")

    @app.get("/charts.js")
    def chart_library() -> Response:
        return respond_tagged(charts(), "text/javascript")

    @app.get("/frontend/lang/<lang>.json")
    def words(lang: str) -> Response:
        if lang not in LANGS:
            abort(404)
        return respond_json(page_words(lang))

    @app.get("/frontend/lessons/<any('en', 'zh'):lang>.json")
    def sheets(lang: Lang) -> Response:
        return respond_json(lessons(lang))


def _list(library: Library, problem: str = "") -> str:
    """Return the page that lists the runs, with the error `problem` if there is one."""
    query = request.args.get("query", "").strip()
    listing = library.read_page(request.args.get("page", 1, int), query, page_language())
    has_stories = not query and listing.page == 1 and any(run.get("steps") for run in listing.runs)
    living, runs = families(listing.runs)
    return _page(
        "index.html",
        living=living,
        runs=runs,
        listing=listing,
        query=query,
        problem=problem,
        has_stories=has_stories,
        is_new=not query and all(run.get("model") == RECORDED for run in listing.runs),
        recorded=list_recordings(page_language()),
        lessons=lessons(page_language()),
    )


def _page(template: str, page: str = "./", **values: object) -> str:
    """Return a page from its template, in its language, for a user who may change or only look."""
    return render_page(
        template,
        page_language(),
        request.args.to_dict(),
        page,
        may_change=may_change(),
        may_visit=may_visit(),
        **values,
    )


def _number(key: str, last: int) -> int | float:
    """Return a parameter of the page of a run with `last` steps, clamped to its range.

    Raises:
        Wrong: 400, if it is not a number.
    """
    kind, default, low, high = NUMBERS[key]
    high = last if key == "step" else high
    text = request.args.get(key, str(default))
    try:
        value = min(max(kind(text), low), high)
    except ValueError:
        value = math.nan
    if math.isnan(value):
        raise Wrong(
            400,
            "{key}={value} is not valid: {key} should be a number from {low} to {high}.",
            key=key,
            value=text[:40],
            low=low,
            high=high,
        )
    return kind(value)


def _respond_wrong(wrong: Wrong, library: Library) -> tuple[str | Response, int]:
    """Return the response for an error, with its status: the page that lists the runs, with the
    message; JSON for the API and for users who may not look.
    """
    text = wrong.localize(page_language())
    if (
        request.path.startswith("/api/") or not may_look()
    ):  # a refused client learns nothing about the runs
        return respond_json({"error": text}), wrong.status
    return _list(library, text), wrong.status


# API --------------------------------------------------------------------------------------------


def _api(app: Flask, library: Library) -> None:
    """Add the routes of the list of runs, of a run's description and of its files to the app."""

    @app.get(f"{API}/runs")
    def runs() -> Response:
        if (page := request.args.get("page", 0, int)) < 1:
            return respond_json(library.summaries())
        listing = library.read_page(page)
        return respond_json(listing.runs if listing.page == page else [])

    @app.get(f"{API}/runs/<name>")
    def run(name: str) -> Response:
        """Describe a run, with its places in the parameter `lang` if there is one."""
        with library.open(name) as reader:
            lang = page_language() if "lang" in request.args else None
            base = f"{API}/runs/{quote(name)}/"
            described = describe_run(reader, library.names(reader), base, lang)
            return respond_json(described | {"name": name})

    @app.get(f"{API}/runs/<name>/<path:file>")
    def file(name: str, file: str) -> Response:
        """Send the world's map, or an image that the map or a resident of it names."""
        with library.open(name) as reader:
            drawn = library.worlds.map(reader) if file == "map" else None
            path = library.worlds.files(reader).get(file)
        if drawn is not None:
            return respond_tagged(drawn, "application/json")
        if path is None:
            abort(404)
        return send_picture(path)
