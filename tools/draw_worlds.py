"""Draws the pictures of our worlds and builds their maps: `python -m tools.draw_worlds [WORLD …]`.

The same bytes every time. `--into FOLDER` writes there and not into `data/worlds`; `--preview` also writes the whole
town as one picture, `preview.png`, which is not part of a world.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from hometown.authoring.art import people, preview, tilemap
from hometown.authoring.art.people import Look
from hometown.authoring.art.plan import Plan
from hometown.authoring.towns import minitown, ville, ville_people
from hometown.paths import WORLDS

TOWNS: dict[str, tuple[Callable[[], Plan], dict[str, Look]]] = {
    "minitown": (minitown.plan, minitown.LOOKS),
    "ville": (ville.plan, ville_people.LOOKS),
}

TILESET = "tileset.png"


def draw(town: str, folder: Path) -> None:
    """Writes the map, the tileset, the sprite sheets and the portraits into a world folder."""
    plan, looks = TOWNS[town]
    folder.mkdir(parents=True, exist_ok=True)
    text, sheet = tilemap.build(plan(), TILESET)
    (folder / "map.tmj").write_text(text, "utf-8")
    sheet.save(folder / TILESET, optimize=True)
    for kind in ("sprites", "portraits"):
        (folder / kind).mkdir(exist_ok=True)
    for who, look in looks.items():
        people.sprites(look).save(folder / "sprites" / f"{who}.png", optimize=True)
        people.portrait(look).save(folder / "portraits" / f"{who}.png", optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("worlds", nargs="*", choices=[[], *TOWNS], default=[], metavar="WORLD")
    parser.add_argument("--into", type=Path, default=WORLDS, metavar="FOLDER")
    parser.add_argument("--preview", action="store_true")
    options = parser.parse_args()
    for town in options.worlds or TOWNS:
        draw(town, options.into / town)
        if options.preview:
            preview.render(options.into / town).save(options.into / town / "preview.png")


if __name__ == "__main__":
    main()
