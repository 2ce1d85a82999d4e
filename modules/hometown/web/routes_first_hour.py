"""Routes of the first hour: look for a model, begin, follow the preparation, and cancel it."""

from __future__ import annotations

from flask import Flask, Response

from hometown.web.answers import API, body_of_request, page_language, read_field, respond_json
from hometown.web.first_hour_progress import FirstHour
from hometown.web.sign_in import refuse_visitors

ADDRESS = f"{API}/first-hour"


def first_hour_routes(app: Flask, hour: FirstHour) -> None:
    """Add the routes to the app that find a model, begin the first hour of a town on it, and tell
    how far it has come. The town speaks the language of the page.
    """

    @app.get(ADDRESS)
    def look_for_model() -> Response:
        refuse_visitors()  # it asks the model servers
        return respond_json(hour.look(page_language()))

    @app.post(ADDRESS)
    def begin_first_hour() -> Response:
        """Begin the hour on a model: `{"llm"}`, one that was offered, or scripted."""
        hour.begin(page_language(), read_field(body_of_request(), "llm"))
        return respond_json({})

    @app.delete(ADDRESS)
    def cancel_first_hour() -> Response:
        """Cancel the fetch of a model; what has arrived is kept."""
        hour.cancel()
        return respond_json({})

    @app.get(f"{ADDRESS}/progress")
    def first_hour_progress() -> Response:
        refuse_visitors()
        return respond_json(hour.progress(page_language()))
