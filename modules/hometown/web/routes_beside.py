"""The API's route for the comparison of two runs."""

from __future__ import annotations

from flask import Flask, Response, request

from hometown.study.beside import compare_actions
from hometown.web.answers import API, respond_json
from hometown.web.library import Library


def beside_routes(app: Flask, library: Library) -> None:
    """Add the route of the comparison of two runs to the app."""

    @app.get(f"{API}/runs/<name>/beside/<other>")
    def together(name: str, other: str) -> Response:
        with library.open(name) as run, library.open(other) as original:
            return respond_json(
                compare_actions(
                    run,
                    original,
                    library.names(run),
                    "zh" if request.args.get("lang") == "zh" else "en",
                )
            )
