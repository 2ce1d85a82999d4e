"""Routes that rename, remove and restore runs."""

from __future__ import annotations

from flask import Flask, Response

from hometown.errors import BadRun
from hometown.storage.lock import is_held
from hometown.storage.manage import remove_run, rename_run, restore_run
from hometown.storage.run_names import check_name, run_folder
from hometown.web.answers import API, Wrong, body_of_request, read_field, respond_json
from hometown.web.library import Library


def runs_routes(app: Flask, library: Library) -> None:
    """Add the routes to the app that remove, restore and rename a run."""

    @app.delete(f"{API}/runs/<name>")
    def remove(name: str) -> Response:
        """Remove a run, which can be restored until this server ends."""
        _refuse_running(library, name)
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
        new = check_run_name(read_field(body_of_request(), "name"))
        _refuse_running(library, name)
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


def _refuse_running(library: Library, name: str) -> None:
    """Check that a run exists and no process writes it; it may be unreadable.

    Raises:
        Wrong: 400 or 404, if it does not exist; 409, if a process writes it.
    """
    library.check(name)
    if is_held(run_folder(library.results, name)):
        raise Wrong(409, "“{name}” is running: stop it first.", name=name)
