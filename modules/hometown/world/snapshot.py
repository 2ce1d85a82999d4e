"""A world folder as data: the files that loading, verifying and showing a world takes, carried by a
run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path

from hometown.world.book.read import book_files
from hometown.world.faults import Faults, read_json
from hometown.world.tiled import map_file, read_map

Files = Mapping[str, bytes]
"""Contents by path within the world folder, with `/` as separator."""

_TEXTS = ("**/*.json", "**/*.tsj", "**/*.tsx", "**/*.tj", "**/*.tx")
"""`world.json`, residents, and external tilesets and templates."""


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the files of a valid world by path, sorted, without unused pictures and links out of
    its folder.
    """
    texts = [map_file(folder), *(path for pattern in _TEXTS for path in folder.glob(pattern))]
    inside = folder.resolve()
    paths = {
        path.relative_to(folder).as_posix(): path
        for path in texts
        if path.resolve().is_relative_to(inside)
    }
    paths |= {name: folder / name for name in _pictures(folder)}
    return {name: paths[name].read_bytes() for name in sorted(paths)}


def world_files_id(files: Files) -> str:
    """Return a hash (hex) of a snapshot's paths and contents."""
    return _hash((name, files[name]) for name in sorted(files))


def fingerprint(folder: Path) -> str:
    """Return a hash (hex) of a world's texts about town and residents, without pictures."""
    paths = (
        folder / "world.json",
        map_file(folder),
        *sorted((folder / "residents").glob("*.json")),
        *book_files(folder),
    )
    return _hash((path.name, path.read_bytes()) for path in paths)


def _hash(files: Iterable[tuple[str, bytes]]) -> str:
    """Return BLAKE2b-128 of names and contents, in hex."""
    digest = blake2b(digest_size=16)
    for name, data in files:
        digest.update(f"{name} {len(data)} ".encode() + data)
    return digest.hexdigest()


def _pictures(folder: Path) -> Iterator[str]:
    """Yield the paths, relative to the world's folder, of the pictures that its map and residents
    name. The world must be valid, so that none is outside its folder.
    """
    drawn = read_map(map_file(folder), Faults(folder.name))
    yield from (tileset.image for tileset in drawn.tilesets) if drawn else ()
    for path in (folder / "residents").glob("*.json"):
        resident = read_json(path, path.name, Faults(folder.name)) or {}
        yield from (resident[kind] for kind in ("portrait", "sprite") if resident.get(kind))
