"""The route for live updates of a run."""

from __future__ import annotations

from flask import Flask, Response, request

from hometown.web.answers import API
from hometown.web.library import Library
from hometown.web.live import Live


def live_routes(app: Flask, library: Library) -> None:
    """Add the route of a run's live events to the app."""
    live = Live(library.results)

    @app.get(f"{API}/runs/<name>/live")
    def follow(name: str) -> Response:
        with library.open(name):
            pass  # raises Wrong if there is no such run
        seen = request.headers.get("Last-Event-ID", type=int)
        return Response(live.events(name, seen), mimetype="text/event-stream")
