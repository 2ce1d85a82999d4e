"""Draws a whole map as one picture, to look at."""

from __future__ import annotations

import json
from pathlib import Path

from PIL import Image


def render(folder: Path) -> Image.Image:
    """All visible tile layers of a world's map, one above the other."""
    drawn = json.loads((folder / "map.tmj").read_text("utf-8"))
    tileset, size = drawn["tilesets"][0], drawn["tilewidth"]
    sheet = Image.open(folder / tileset["image"]).convert("RGBA")
    picture = Image.new("RGBA", (drawn["width"] * size, drawn["height"] * size))
    for layer in drawn["layers"]:
        if layer["type"] != "tilelayer" or not layer["visible"]:
            continue
        for position, number in enumerate(layer["data"]):
            if number:
                down, right = divmod(number - tileset["firstgid"], tileset["columns"])
                tile = sheet.crop((right * size, down * size, (right + 1) * size, (down + 1) * size))
                picture.alpha_composite(tile, (position % drawn["width"] * size, position // drawn["width"] * size))
    return picture
