"""Generated pictures for residents without any: drawn from their ids, as data: URIs, which work in
served pages and in single files.
"""

from __future__ import annotations

import io
from base64 import b64encode
from functools import lru_cache

from PIL.Image import Image

from hometown.authoring.art.people import look_for, portrait, sprites


@lru_cache(maxsize=256)
def portrait_and_sprite(who: str, pronoun: str) -> tuple[str, str]:
    """Return portrait and sprite sheet, as data URIs, of a resident with this id and this pronoun,
    in either language.
    """
    look = look_for(who, pronoun)
    return _uri(portrait(look)), _uri(sprites(look))


def _uri(picture: Image) -> str:
    """Return a picture as a data URI (PNG)."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return "data:image/png;base64," + b64encode(buffer.getvalue()).decode()
