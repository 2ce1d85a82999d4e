"""How tests ask a server for changes: as its own page does, or as a program that has its token."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

OURS = {"Authorization": "Bearer a token"}
"""Headers of a program that has the token."""

OUR_PAGE = OURS | {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
"""Headers that a browser sends for our own page."""


def signed_in(app: Flask) -> FlaskClient:
    """Return a client that sends the token with each request."""
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = OURS["Authorization"]
    return client


def ask(
    client: FlaskClient,
    path: str,
    body: Any = None,
    method: str = "POST",
    headers: dict[str, str] = OURS,
    **more: Any,
) -> Any:
    return client.open(
        f"/api/v1/{path}",
        method=method,
        data=json.dumps(body or {}),
        headers=headers,
        content_type="application/json",
        **more,
    )
