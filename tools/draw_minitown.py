"""Draws the pictures of `minitown` and builds its map: `python -m tools.draw_minitown [FOLDER]`.

The same bytes every time. FOLDER is the world's own unless given; `--preview FILE` also draws the whole town as one picture.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from modules.paths import DATA
from tools.minitown import people, preview, tmj

TILESET = "tileset.png"


def draw(folder: Path) -> None:
    """Writes the map, the tileset, the sprite sheets and the portraits into a world folder."""
    text, sheet = tmj.build(TILESET)
    (folder / "map.tmj").write_text(text, "utf-8")
    sheet.save(folder / TILESET, optimize=True)
    for kind in ("sprites", "portraits"):
        (folder / kind).mkdir(exist_ok=True)
    for who, look in people.LOOKS.items():
        people.sprites(look).save(folder / "sprites" / f"{who}.png", optimize=True)
        people.portrait(look).save(folder / "portraits" / f"{who}.png", optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA / "worlds" / "minitown")
    parser.add_argument("--preview", type=Path, metavar="FILE")
    options = parser.parse_args()
    draw(options.folder)
    if options.preview:
        preview.render(options.folder).save(options.preview)


if __name__ == "__main__":
    main()
