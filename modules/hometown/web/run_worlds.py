"""The worlds of runs: the names in them, and the files that may be served."""

from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path

import orjson

from hometown.history.names import Names
from hometown.storage.latecomers import latecomers
from hometown.storage.world_copy import OpenRun, world_id
from hometown.world.faults import MOST_VALUES, Faults, read_json
from hometown.world.load import folder_of, list_worlds
from hometown.world.tiled import map_file, page_map, read_map
from hometown.world.world import World


class Worlds:
    """The worlds of runs, each loaded on first use; one that a run does not contain is reloaded
    when a file of its folder has changed.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._loaded: dict[
            tuple[str, str, tuple[str, ...]], tuple[float, Names, dict[str, Path]]
        ] = {}
        self._checked: dict[str, tuple[float, float]] = {}
        self._titles: dict[str, tuple[float, dict[str, object]]] = {}

    def names(self, run: OpenRun) -> Names:
        """Return the names of people and places in the world of a run; ids where the run has no
        copy and the folder is missing or broken.
        """
        return self._of(run)[1]

    def title(self, world: str, lang: str) -> str | None:
        """Return a world's title in a language, its id if it has none; None if there is no such
        folder.
        """
        changed = self._find_change_time(world)
        if not changed:
            return None
        if self._titles.get(world, (0.0, {}))[0] != changed:
            given = (
                read_json(
                    folder_of(world, self.root) / "world.json",
                    "world.json",
                    Faults(world),
                    MOST_VALUES,
                )
                or {}
            )
            self._titles[world] = (
                changed,
                named if isinstance(named := given.get("name"), dict) else {},
            )
        return str(self._titles[world][1].get(lang, world))

    def files(self, run: OpenRun) -> dict[str, Path]:
        """Return the images named by the map and the residents of a run's world: the only files of
        it that may be served.
        """
        return self._of(run)[2]

    def list_drawn_images(self, run: OpenRun) -> list[str]:
        """Return those images from which the town is drawn: tiles and people, without portraits."""
        _, names, files = self._of(run)
        portraits = (
            {persona.portrait for persona in names.world.personas.values()}
            if names.world
            else set()
        )
        return [file for file in files if file not in portraits]

    def map(self, run: OpenRun) -> bytes | None:
        """Return the map of a run's world as the page draws it (JSON); None where the world is
        missing or broken.
        """
        changed, names, _ = self._of(run)
        return _page_map(names.world.folder, changed) if names.world else None

    def _of(self, run: OpenRun) -> tuple[float, Names, dict[str, Path]]:
        """Return, for the world of a run, the time of its last change (0 for a copy in the run),
        its names, and its images. They are loaded anew if the time differs.
        """
        manifest = run.manifest
        copy = world_id(run)
        key = (
            copy or manifest.world,
            manifest.lang,
            (*manifest.residents, *latecomers(run.database).values()),
        )
        changed = 0.0 if copy else self._find_change_time(manifest.world)
        if key not in self._loaded or self._loaded[key][0] != changed:
            names = Names.of(run, self.root)
            self._loaded[key] = (changed, names, _files(names.world) if names.world else {})
        return self._loaded[key]

    def _find_change_time(self, world: str) -> float:
        """Return the time of the last change in a world's folder, 0 if there is none; checked once
        a second, as a page asks for fifty pictures at once.
        """
        now = time.monotonic()
        known = self._checked.get(world)
        if known is None or now - known[0] > 1:
            folder = folder_of(world, self.root) if world in list_worlds(self.root) else None
            known = (now, find_change_time(folder) if folder else 0.0)
            self._checked[world] = known
        return known[1]


def find_change_time(folder: Path) -> float:
    """Return when a folder or a file below it last changed, in seconds since 1970."""
    return max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))


@lru_cache(4)
def _page_map(folder: Path, changed: float) -> bytes | None:
    """Return the map of a world folder as JSON, read once for each version of it (`changed`); None
    if it is unreadable.
    """
    drawn = read_map(map_file(folder), Faults(folder.name))
    return orjson.dumps(page_map(drawn)) if drawn else None


def _files(world: World) -> dict[str, Path]:
    """Return the images of a world's map and residents, by their path within its folder."""
    drawn = read_map(map_file(world.folder), Faults(world.id))
    images = [tileset.image for tileset in drawn.tilesets] if drawn else []
    for persona in world.personas.values():
        images += [image for image in (persona.portrait, persona.sprite) if image]
    return {image: world.folder / image for image in images}
