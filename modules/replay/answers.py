"""What all routes answer with: JSON with a tag, and what is wrong with a request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, request


class Wrong(Exception):
    """A request that cannot be met: a status, and a text by its key in the page's catalogue."""

    def __init__(self, status: int, text: str, **values: object) -> None:
        self.status, self.text, self.values = status, text, values


def lasting(tag: str, read: Callable[[], Any]) -> Response:
    """An answer that stays the same under its tag; it is read only for who has not got it yet."""
    response = Response(status=304) if request.if_none_match.contains(tag) else json_answer(read())
    response.set_etag(tag)
    return response


def json_answer(value: Any) -> Response:
    response = Response(orjson.dumps(value), mimetype="application/json")
    response.add_etag()
    response.make_conditional(request)
    return response
