"""Routes of the builder of faces and figures: a look to begin with, and pictures of looks."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import asdict

import orjson
from flask import Flask, Response, abort, request
from PIL import Image

from hometown.authoring.art.people import FACINGS, Look, look_for, portrait
from hometown.authoring.art.people.sprite import POSES, frame
from hometown.authoring.people_art import LOOKS, read_look
from hometown.web.answers import API, respond_json, respond_tagged
from hometown.web.routes_worlds import faults

PAINTERS: Mapping[str, Callable[[Look], Image.Image]] = {
    "portrait": portrait,
    "figure": lambda look: frame(look, FACINGS[0], POSES[0]),
}
"""The painter of each kind of picture: of the face, and of the whole figure standing."""


def look_routes(app: Flask) -> None:
    """Add the routes to the app."""

    @app.get(f"{API}/looks")
    def some_look() -> Response:
        """Return a look for `who` with the pronoun `pronoun`, and all values of its parts."""
        look = look_for(request.args.get("who", ""), request.args.get("pronoun", ""))
        return respond_json({"look": asdict(look), "choices": LOOKS})

    @app.get(f"{API}/looks/<kind>")
    def picture_of_look(kind: str) -> Response:
        """Draw the look given as JSON in `look`: the portrait or the figure (PNG)."""
        if kind not in PAINTERS:
            abort(404)
        buffer = io.BytesIO()
        with faults():
            PAINTERS[kind](read_look(_read_json("look"))).save(buffer, "PNG")
        return respond_tagged(buffer.getvalue(), "image/png")


def _read_json(name: str) -> object:
    """Return an argument of a request, given as JSON; None where it is none."""
    try:
        return orjson.loads(request.args.get(name, ""))
    except orjson.JSONDecodeError:
        return None
