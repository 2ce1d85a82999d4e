"""The address at which a run is followed as it goes."""

from __future__ import annotations

from flask import Flask, Response

from modules.replay.live import Live
from modules.replay.web import Library


def live_routes(app: Flask, library: Library) -> None:
    live = Live(library.results)

    @app.get("/api/runs/<name>/live")
    def follow(name: str) -> Response:
        with library.open(name):
            pass  # refused as everywhere, if it is none
        return Response(live.events(name), mimetype="text/event-stream")
