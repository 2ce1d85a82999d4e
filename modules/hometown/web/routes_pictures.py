"""Routes of the pictures of runs: a thumbnail, and the town at a moment."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, abort, request

from hometown.history.moment import describe_moment
from hometown.history.picture import png, webp_near
from hometown.web.answers import API
from hometown.web.drawing import drawing
from hometown.web.library import Library
from hometown.web.thumbnail import thumbnail


def picture_routes(app: Flask, library: Library) -> None:
    """Add the routes to the app of a run's thumbnail and of pictures of its moments."""

    @app.get(f"{API}/runs/<name>/thumbnail")
    def picture(name: str) -> Response:
        with library.open(name) as run:
            world = library.worlds.names(run).world
            if world is None:
                abort(404)
            tag = f"{run.run.last.digest[:32]}-thumbnail"
            return _respond_drawn(tag, "image/webp", lambda: thumbnail(run, world))

    @app.get(f"{API}/runs/<name>/picture")
    def moment_picture(name: str) -> Response:
        """Draw the town after a step, by default the last one, as a PNG file; or the part `near` a
        resident, as a WebP file.
        """
        near = request.args.get("near", "")
        with library.open(name) as run:
            world, last = library.worlds.names(run).world, run.last_step()
            if world is None or (near and near not in run.residents):
                abort(404)
            step = max(0, min(request.args.get("step", last, int), last))
            tag = f"{run.run.last.digest[:32]}-{step}-{near}"
            if not near:
                return _respond_drawn(
                    tag, "image/png", lambda: png(describe_moment(run, world, step))
                )
            tile = run.position(near, step + 1)
            return _respond_drawn(
                tag, "image/webp", lambda: webp_near(describe_moment(run, world, step), tile)
            )


def _respond_drawn(tag: str, mimetype: str, draw: Callable[[], bytes]) -> Response:
    """Return a picture, drawn unless the browser has the one of this tag already."""
    if request.if_none_match.contains(tag):
        response = Response(status=304)
    else:
        with drawing():
            response = Response(draw(), mimetype=mimetype)
    response.set_etag(tag)
    return response
