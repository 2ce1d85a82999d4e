"""Draw the pictures of our worlds and build their maps: `python -m tools.draw_worlds [WORLD …]`.

The same bytes every time. `--into FOLDER` writes there and not into `data/worlds`; `--preview` also
writes the whole town as one picture, `preview.png`, which is not part of a world.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from hometown.authoring.art import people, preview, tilemap
from hometown.authoring.art.people import Look
from hometown.authoring.art.plan import Plan
from hometown.paths import WORLDS
from tools.towns import (
    cloudvale,
    cloudvale_people,
    farmstead,
    farmstead_people,
    minitown,
    ville,
    ville_people,
)

TOWNS: dict[str, tuple[Callable[[], Plan], dict[str, Look]]] = {
    "cloudvale": (cloudvale.plan, cloudvale_people.LOOKS),
    "farmstead": (farmstead.plan, farmstead_people.LOOKS),
    "minitown": (minitown.plan, minitown.LOOKS),
    "ville": (ville.plan, ville_people.LOOKS),
}

TILESET = "tileset.png"


def draw_town(town: str) -> tuple[str, dict[str, Image.Image]]:
    """Return the text of a town's map; and its pictures, by their paths in the world folder: the
    tileset, sprite sheets and portraits.
    """
    plan, looks = TOWNS[town]
    text, sheet = tilemap.build(plan(), TILESET)
    pictures = {TILESET: sheet}
    for who, look in looks.items():
        pictures |= {
            f"sprites/{who}.png": people.sprites(look),
            f"portraits/{who}.png": people.portrait(look),
        }
    return text, pictures


def draw(town: str, folder: Path) -> None:
    """Write the map and the pictures into a world folder."""
    text, pictures = draw_town(town)
    for name, picture in pictures.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        picture.save(folder / name, optimize=True)
    (folder / "map.tmj").write_text(text, "utf-8")


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
