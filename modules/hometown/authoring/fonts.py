"""Fonts for pictures: the page's own for Latin letters, an installed one for Chinese."""

from __future__ import annotations

from functools import cache
from typing import Literal

from PIL import ImageFont

from hometown.paths import FRONTEND

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

Weight = Literal["Regular", "Bold"]

OWN = FRONTEND / "fonts" / "nunito-sans.woff2"

LATIN = 0x180
"""The first character beyond the letters, accents included, that the page's font has."""

PUNCTUATION = frozenset("–—‘’“”…·×−")
"""Further characters that the font has."""

CHINESE_FONTS = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansSC-Regular.otf",
    "SourceHanSansSC-Regular.otf",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "DroidSansFallbackFull.ttf",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "msyh.ttc",
    "simhei.ttf",
)
"""Usual files of a Chinese font on Linux, macOS and Windows; Pillow searches the system's folders.
"""


def font_for(text: str, size: int, weight: Weight = "Regular") -> Font | None:
    """Return a font that has the letters of a text, None if there is none at hand."""
    return _load_font(
        size, all(ord(letter) < LATIN or letter in PUNCTUATION for letter in text), weight
    )


@cache
def _load_font(size: int, latin: bool, weight: Weight) -> Font | None:
    """Return the page's font for Latin text, Pillow's own where that is unreadable; for other text
    the first installed Chinese font, None without any.
    """
    for file in (str(OWN),) if latin else CHINESE_FONTS:
        try:
            font = ImageFont.truetype(file, size)
            if latin:
                font.set_variation_by_name(weight)
        except OSError:  # missing, or Pillow was built without support for it
            continue
        return font
    return ImageFont.load_default(size) if latin else None
