"""The worlds that runs live in: names for what is in them, and the files that the page may see."""

from __future__ import annotations

import time
from pathlib import Path

import orjson

from modules.replay.names import Names
from modules.storage.manifest import Manifest
from modules.world.load import list_worlds
from modules.world.places import FILE as MAP
from modules.world.world import World


class Worlds:
    """Worlds below a folder, each loaded when first asked for and again when a file of it has changed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._loaded: dict[tuple[str, str, tuple[str, ...]], tuple[float, Names, dict[str, Path]]] = {}
        self._looked: dict[str, tuple[float, float]] = {}

    def names(self, manifest: Manifest) -> Names:
        """What people and places are called in the world of a run; ids where the world is gone or broken."""
        return self._of(manifest)[1]

    def files(self, manifest: Manifest) -> dict[str, Path]:
        """What may be served of the world of a run: its map, and the images that the map and the residents name."""
        return self._of(manifest)[2]

    def _of(self, manifest: Manifest) -> tuple[float, Names, dict[str, Path]]:
        key = (manifest.world, manifest.lang, tuple(manifest.residents))
        changed = self._changed(manifest.world)
        if key not in self._loaded or self._loaded[key][0] != changed:
            names = Names.of(manifest, self.root)
            self._loaded[key] = (changed, names, _files(names.world) if names.world else {})
        return self._loaded[key]

    def _changed(self, world: str) -> float:
        """When a file of a world was last changed, 0 if there is no such world; looked up once a second, as a page asks for fifty pictures at once."""
        now = time.monotonic()
        known = self._looked.get(world)
        if known is None or now - known[0] > 1:
            folder = self.root / world if world in list_worlds(self.root) else None
            known = (now, max((path.stat().st_mtime for path in folder.rglob("*.*")), default=0.0) if folder else 0.0)
            self._looked[world] = known
        return known[1]


def _files(world: World) -> dict[str, Path]:
    drawn = orjson.loads((world.folder / MAP).read_bytes())
    images = [tileset["image"] for tileset in drawn["tilesets"]]
    for persona in world.personas.values():
        images += [image for image in (persona.portrait, persona.sprite) if image]
    return {"map": world.folder / MAP} | {image: world.folder / image for image in images}
