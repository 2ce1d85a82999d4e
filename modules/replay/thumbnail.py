"""A small picture of a town with dots where its residents are, for the list of runs."""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw

from modules.art.preview import render
from modules.replay.reader import RunReader
from modules.world.places import FILE as MAP
from modules.world.world import World

WIDTH = 640
"""Pixels; twice what the list shows, for fine screens."""

DOT = 7
FILL, EDGE = (230, 82, 46), (255, 253, 246)


def thumbnail(run: RunReader, world: World) -> bytes:
    """A WebP picture of the town after the last step."""
    picture = _town(world.folder, (world.folder / MAP).stat().st_mtime).copy()
    columns, rows = world.maze.size
    pen = ImageDraw.Draw(picture)
    for body in run.bodies(run.last_step()).values():
        column, row = body.tile
        x, y = (column + 0.5) * picture.width / columns, (row + 0.5) * picture.height / rows
        pen.ellipse((x - DOT, y - DOT, x + DOT, y + DOT), fill=FILL, outline=EDGE, width=2)
    return _packed(picture)


@lru_cache(16)
def _town(folder: Path, changed: float) -> Image.Image:
    """The empty town, drawn once for each version of its map."""
    whole = render(folder).convert("RGB")
    return whole.resize((WIDTH, round(WIDTH * whole.height / whole.width)), Image.Resampling.LANCZOS)


def _packed(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=80)
    return buffer.getvalue()
