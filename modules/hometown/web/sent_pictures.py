"""Pictures of a world as they are sent: large ones in a format that is half as large."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from flask import Response, request, send_file
from PIL import Image

from hometown.web.answers import respond_tagged

LARGE_BYTES = 50_000
"""Size of a picture from which on it is worth another format."""

WEBP = "image/webp"


def send_picture(path: Path) -> Response:
    """Return a response with an image file: a large PNG as lossless WebP, where the client accepts
    it and the image has no fault.
    """
    status, smaller = path.stat(), None
    is_large = path.suffix == ".png" and status.st_size >= LARGE_BYTES
    if is_large and WEBP in request.headers.get("Accept", ""):
        smaller = _convert_to_webp(path, status.st_mtime_ns)
    response = respond_tagged(smaller, WEBP) if smaller else send_file(path, conditional=True)
    response.vary.add("Accept")
    return response


@lru_cache(maxsize=8)
def _convert_to_webp(path: Path, changed: int) -> bytes | None:
    """Return an image as lossless WebP, made once for each version of it (`changed`); None if it is
    unreadable, too large, or no smaller so.
    """
    buffer = io.BytesIO()
    try:
        with Image.open(path) as image:
            image.save(buffer, "WEBP", lossless=True, quality=50, method=2)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return buffer.getvalue() if buffer.tell() < path.stat().st_size else None
