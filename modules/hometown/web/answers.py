"""Helpers of all routes: the error for a request, and JSON responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import orjson
from flask import Response, request

from hometown.language import LANGS, Lang
from hometown.text import translate
from hometown.unwieldy import is_unwieldy

API = "/api/v1"
"""The prefix of the API's addresses, with its version."""


class Wrong(Exception):
    """A request that cannot be answered: an HTTP status, and a message with its values."""

    def __init__(self, status: int, text: str, **values: object) -> None:
        self.status, self.text, self.values = status, text, values

    def localize(self, lang: str) -> str:
        """Return the message in a language."""
        return translate(self.text, lang, **self.values)


def page_language() -> Lang:
    """Return the page's language: that of the parameter `lang`, or else the browser's preferred
    one; English for any other.
    """
    wanted = request.args.get("lang") or request.accept_languages.best_match(LANGS)
    return "zh" if wanted == "zh" else "en"


def respond_cached(tag: str, read: Callable[[], Any]) -> Response:
    """Return a response that never changes under its ETag; its content is read only if the client
    does not have it.
    """
    response = Response(status=304) if request.if_none_match.contains(tag) else respond_json(read())
    response.set_etag(tag)
    return response


def respond_json(value: Any) -> Response:
    """Return a response with a value as JSON and an ETag."""
    return respond_tagged(orjson.dumps(value), "application/json")


def respond_tagged(body: str | bytes, mimetype: str) -> Response:
    """Return a response with an ETag; the body is omitted if the client already has it."""
    response = Response(body, mimetype=mimetype)
    response.add_etag()
    response.make_conditional(request)
    return response


def body_of_request() -> dict[str, Any]:
    """Return the JSON object in a request's body; an empty one where there is none, or it is too
    deep or too large.
    """
    try:
        # The standard library's parser fails on deep nesting.
        body = orjson.loads(request.get_data())
    except orjson.JSONDecodeError:
        return {}
    return body if isinstance(body, dict) and not is_unwieldy(body) else {}


def read_field(body: Mapping[str, Any], key: str) -> str:
    """Return a text in a request's body; an empty one where there is none, or something else."""
    text = body.get(key)
    return text if isinstance(text, str) else ""
