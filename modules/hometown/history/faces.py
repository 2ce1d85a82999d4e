"""Generated pictures for residents without any: drawn from their looks or their ids, as data: URIs,
which work in served pages and in single files.
"""

from __future__ import annotations

import io
from base64 import b64encode
from contextlib import suppress
from functools import lru_cache

import orjson
from PIL.Image import Image

from hometown.authoring.art.people import look_for, portrait, sprites
from hometown.authoring.people_art import read_look
from hometown.errors import BadWorld


@lru_cache(maxsize=256)
def portrait_and_sprite(who: str, pronoun: str, given: str = "") -> tuple[str, str]:
    """Return portrait and sprite sheet, as data URIs, of a resident with the look that is given in
    JSON, or else, and for an impossible one, with one from their id and their pronoun, in either
    language.
    """
    look = look_for(who, pronoun)
    if given:
        with suppress(BadWorld):
            look = read_look(orjson.loads(given))
    return _uri(portrait(look)), _uri(sprites(look))


def _uri(picture: Image) -> str:
    """Return a picture as a data URI (PNG)."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + b64encode(buffer.getvalue()).decode()
