"""What all routes share: the error for a request, and JSON responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response, request

from hometown.unwieldy import is_unwieldy

API = "/api/v1"
"""Where the API begins, with its version."""


class Wrong(Exception):
    """A request that cannot be answered: an HTTP status, and a text by its key in the page's catalogue."""

    def __init__(self, status: int, text: str, **values: object) -> None:
        self.status, self.text, self.values = status, text, values


def cached_answer(tag: str, read: Callable[[], Any]) -> Response:
    """A response that never changes under its ETag; its content is read only if the client does not have it."""
    response = Response(status=304) if request.if_none_match.contains(tag) else json_answer(read())
    response.set_etag(tag)
    return response


def json_answer(value: Any) -> Response:
    return answer(orjson.dumps(value), "application/json")


def answer(body: str | bytes, mimetype: str) -> Response:
    """A response with an ETag; the body is omitted if the client already has it."""
    response = Response(body, mimetype=mimetype)
    response.add_etag()
    response.make_conditional(request)
    return response


def body_of_request() -> dict[str, Any]:
    """The JSON object in a request's body; empty where it holds anything else."""
    try:
        body = orjson.loads(request.get_data())  # the standard library's parser fails on deep nesting
    except orjson.JSONDecodeError:
        return {}
    return body if isinstance(body, dict) and not is_unwieldy(body) else {}
