"""Routes of the list of runs: thumbnails, renaming, removing and restoring."""

from __future__ import annotations

from flask import Flask, Response, abort, request

from hometown.errors import BadRun
from hometown.history.moment import describe_moment
from hometown.history.picture import png
from hometown.storage.lock import is_held
from hometown.storage.manage import remove_run, rename_run, restore_run
from hometown.storage.run_names import check_name, run_folder
from hometown.web.answers import API, Wrong, body_of_request, respond_json
from hometown.web.drawing import drawing
from hometown.web.library import Library
from hometown.web.thumbnail import thumbnail


def runs_routes(app: Flask, library: Library) -> None:
    """Add the routes to the app."""
    _picture_routes(app, library)
    _changing_routes(app, library)


def _picture_routes(app: Flask, library: Library) -> None:
    @app.get(f"{API}/runs/<name>/thumbnail")
    def picture(name: str) -> Response:
        with library.open(name) as run:
            world = library.worlds.names(run).world
            if world is None:
                abort(404)
            tag = f"{run.run.last.digest[:32]}-thumbnail"
            if request.if_none_match.contains(tag):
                response = Response(status=304)
            else:
                with drawing():
                    response = Response(thumbnail(run, world), mimetype="image/webp")
            response.set_etag(tag)
            return response

    @app.get(f"{API}/runs/<name>/picture")
    def moment_picture(name: str) -> Response:
        """Draw the town after a step, by default the last one, as a PNG file."""
        with library.open(name) as run:
            world, last = library.worlds.names(run).world, run.last_step()
            if world is None:
                abort(404)
            step = max(0, min(request.args.get("step", last, int), last))
            seen = describe_moment(run, world, step)
            with drawing():
                return Response(png(seen), mimetype="image/png")


def _changing_routes(app: Flask, library: Library) -> None:
    @app.delete(f"{API}/runs/<name>")
    def remove(name: str) -> Response:
        """Remove a run, which can be restored until this server ends."""
        _at_rest(library, name)
        remove_run(library.results, name)
        return respond_json({"removed": name})

    @app.post(f"{API}/runs/<name>/back")
    def back(name: str) -> Response:
        """Restore a run that was removed."""
        body_of_request()
        check_run_name(name)
        restore_run(library.results, name)
        return respond_json({"name": name})

    @app.post(f"{API}/runs/<name>/name")
    def rename(name: str) -> Response:
        """Give a run the name in the request's body, `{"name": …}`."""
        new = check_run_name(str(body_of_request().get("name", "")))
        _at_rest(library, name)
        if new != name and run_folder(library.results, new).exists():
            raise Wrong(409, "There is a simulation named “{name}” already.", name=new)
        rename_run(library.results, name, new)
        return respond_json({"name": new})


def check_run_name(name: object) -> str:
    """Return a valid name of a run.

    Raises:
        Wrong: 400, for any other.
    """
    try:
        check_name(name if isinstance(name, str) else "")
    except BadRun:
        raise Wrong(
            400,
            "“{name}” is not a valid name: use letters, digits, dots, dashes and underscores.",
            name=str(name)[:80],
        ) from None
    return str(name)


def _at_rest(library: Library, name: str) -> None:
    """Check that a run exists and no process writes it; it may be unreadable.

    Raises:
        Wrong: 400, 404 or 409.
    """
    library.check(name)
    if is_held(run_folder(library.results, name)):
        raise Wrong(409, "“{name}” is running: stop it first.", name=name)
