"""The pixel icons for activities and events: a line each in `emblems.txt`, all in one sheet for the
page.

A drawing consists of strokes between semicolons: `r` a rectangle, `o` an oval, `l` a line, `w` a
wide line, `p` a polygon; its numbers, in pixels from the upper left, ends included; its material,
`hole` for none, and after a colon its shade as in `tone`. The outline is added: every pixel on the
border of the drawing is ink.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

from hometown.authoring.art.canvas import INK, tone

SIZE = 16
"""Pixels of an icon in width and height."""

COLUMNS = 12

FILE = Path(__file__).with_suffix(".txt")
"""File with the name and drawing of each icon, in the order of the sheet. The page maps emoji to
them (`frontend/js/data/emblems.js`).
"""


@cache
def emblems() -> dict[str, str]:
    """Return the drawings by name."""
    lines = [
        line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")
    ]
    return dict(line.split(": ", 1) for line in lines)


def draw_emblem(name: str) -> Image.Image:
    """One icon, a key of `emblems`: 16 by 16 pixels on a transparent ground."""
    image = Image.new("RGBA", (SIZE, SIZE))
    pen = ImageDraw.Draw(image)
    for stroke in emblems()[name].split("; "):
        kind, *numbers, material = stroke.split()
        cloth, _, shade = material.partition(":")
        at, paint = (
            [int(number) for number in numbers],
            (0, 0, 0, 0) if cloth == "hole" else tone(cloth, float(shade or 1)),
        )
        if kind == "r":
            pen.rectangle(at, paint)
        elif kind == "o":
            pen.ellipse(at, paint)
        elif kind == "p":
            pen.polygon(at, paint)
        else:
            pen.line(at, paint, 2 if kind == "w" else 1)
    return _add_outline(image)


def sheet() -> Image.Image:
    """Return all icons, row by row."""
    rows = -(-len(emblems()) // COLUMNS)
    whole = Image.new("RGBA", (COLUMNS * SIZE, rows * SIZE))
    for at, name in enumerate(emblems()):
        whole.paste(draw_emblem(name), (at % COLUMNS * SIZE, at // COLUMNS * SIZE))
    return whole


def _add_outline(image: Image.Image) -> Image.Image:
    """Ink wherever a transparent pixel borders on a drawn one."""
    alpha = image.getchannel("A")
    ring = alpha
    for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        moved = Image.new("L", image.size)
        moved.paste(alpha, (right, down))
        ring = ImageChops.lighter(ring, moved)
    under = Image.new("RGBA", image.size)
    under.paste(INK, mask=ring)
    under.alpha_composite(image)
    return under
