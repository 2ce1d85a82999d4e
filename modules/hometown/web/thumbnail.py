"""A small picture of a town with dots where its residents are, for the list of runs."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw

from hometown.authoring.art.preview import render
from hometown.history.reader import RunReader
from hometown.world.pictures import scale_picture
from hometown.world.tiled import map_file
from hometown.world.world import World

THUMBNAIL_WIDTH = 640
"""Pixels; twice the width in the list, for high-resolution screens."""

TALLEST = 4 * THUMBNAIL_WIDTH
"""Maximum height in pixels of a picture."""

DOT_PIXELS = 7
"""Radius of the dot that marks a resident."""

FILL, EDGE = (230, 82, 46), (255, 253, 246)
"""Colours of the dot and of its edge (RGB)."""


def town_picture(folder: Path) -> bytes:
    """Return a WebP picture of a world without residents.

    Raises:
        BadWorld: Its map or an image is unreadable.
        OSError: A file is missing.
    """
    return _encode(_town(folder, map_file(folder).stat().st_mtime))


def thumbnail(run: RunReader, world: World) -> bytes:
    """Return a WebP picture of the town after the last step.

    Raises:
        BadWorld: Its map or an image is unreadable.
        OSError: A file is missing.
    """
    picture = _town(world.folder, map_file(world.folder).stat().st_mtime).copy()
    columns, rows = world.maze.size
    pen = ImageDraw.Draw(picture)
    for column, row in run.positions(run.last_step() + 1).values():
        x, y = (column + 0.5) * picture.width / columns, (row + 0.5) * picture.height / rows
        box = (x - DOT_PIXELS, y - DOT_PIXELS, x + DOT_PIXELS, y + DOT_PIXELS)
        pen.ellipse(box, fill=FILL, outline=EDGE, width=2)
    return _encode(picture)


@lru_cache(16)
def _town(folder: Path, changed: float) -> Image.Image:
    """Return the picture of the empty town, at most `THUMBNAIL_WIDTH` × `TALLEST` pixels, drawn
    once for each version of its map.
    """
    full_size = render(folder, 4 * THUMBNAIL_WIDTH).convert("RGB")
    return scale_picture(
        full_size, min(THUMBNAIL_WIDTH / full_size.width, TALLEST / full_size.height)
    )


def _encode(picture: Image.Image) -> bytes:
    """Return a picture as WebP."""
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=80)
    return buffer.getvalue()
