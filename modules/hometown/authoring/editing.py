"""Changes to the residents of a world: tried out in a copy of its folder, and taken over if they
make no new errors.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import orjson

from hometown.authoring.folder import new_world_folder
from hometown.authoring.lint import LintReport, lint
from hometown.authoring.people_art import draw_people
from hometown.authoring.starter import write_json
from hometown.authoring.versions import version_of
from hometown.authoring.world_changes import WorldChange, change_world, copy_folder, trial
from hometown.errors import BadWorld
from hometown.json_object import Json
from hometown.name import is_unseen
from hometown.paths import WORLDS
from hometown.world.faults import Faults, read_json
from hometown.world.load import folder_of

SHIPPED = frozenset({"cloudvale", "farmstead", "minitown", "ville"})
"""The worlds that come with Hometown, which stay as they are."""

ID = re.compile(r"[^\W\d_]\w{0,63}")
"""Ids of residents, which are the names of their files, in small letters of any script."""

Resident = Mapping[str, Any]


def is_user_world(name: str, root: Path) -> bool:
    """Return True if a world is the user's own: in the folder of user worlds, and not a shipped
    one, even under another name.
    """
    folder = (root / name).resolve()
    return (folder / "world.json").is_file() and not (
        folder.name in SHIPPED and folder.parent == WORLDS.resolve()
    )


def copy_world(which: str, name: str, root: Path) -> Path:
    """Copy a world to the user's own worlds under another name, also its title, and return its
    folder.

    Raises BadWorld if there is no such world, or as `new_world_folder` does; then nothing is
    written.
    """
    source = folder_of(which, root)
    with new_world_folder(root, name) as folder:
        copy_folder(source, folder)
        given = orjson.loads((folder / "world.json").read_bytes())
        write_json(folder / "world.json", given | {"name": dict.fromkeys(given["langs"], name)})
    return root / name


def residents_of(folder: Path) -> Json:
    """Return the contents of the residents' files by id; a file without a JSON object is left out."""
    faults = Faults(folder.name)
    read = {
        path.stem: read_json(path, f"residents/{path.name}", faults)
        for path in sorted((folder / "residents").glob("*.json"))
    }
    return {who: content for who, content in read.items() if content is not None}


def versions_of(folder: Path) -> dict[str, str]:
    """Return the version of each resident's file, by id."""
    return {path.stem: version_of(path) for path in sorted((folder / "residents").glob("*.json"))}


def list_resident_problems(folder: Path, who: str, content: Resident) -> LintReport:
    """Return the problems that the world would have with a resident, known or new, as given.
    Nothing is changed.
    """
    _check_id(who)
    with trial(folder) as copy:
        _write_resident(copy, who, content)
        return lint(copy)


def put_resident(
    folder: Path, who: str, content: Resident, version: str | None = None
) -> WorldChange:
    """Write a resident, known or new, and return the change, which can be undone; a resident
    without a portrait and a sprite gets both drawn.

    Raises BadWorld with the errors that the change would add, and Outdated if the resident's
    version is not the given one; in these cases nothing is changed.
    """
    _check_id(who)

    def write(copy: Path) -> Collection[str]:
        _write_resident(copy, who, content)
        pictures = [f"{kind}/{who}.png" for kind in ("sprites", "portraits")]
        drawn = [
            name
            for name in pictures
            if (copy / name).is_file() and (content.get("look") or not (folder / name).is_file())
        ]
        return [*drawn, _file_of(who)]

    return change_world(folder, write, [_file_of(who)], version)


def remove_resident(folder: Path, who: str, version: str | None = None) -> WorldChange:
    """Remove a resident and all references by others, and return the change. Raises BadWorld as
    `put_resident` does.
    """
    _check_id(who)

    def remove(copy: Path) -> Collection[str]:
        known = residents_of(copy)
        if known.pop(who, None) is None:
            raise BadWorld(
                "there is no resident {who!r} in the world {world!r}", who=who, world=folder.name
            )
        (copy / _file_of(who)).unlink()
        changed = {
            other: after
            for other, content in known.items()
            if (after := _without_resident(content, who)) != content
        }
        for other, content in changed.items():
            write_json(copy / _file_of(other), content)
        return [*map(_file_of, changed), _file_of(who)]

    return change_world(folder, remove, [_file_of(who)], version)


def _file_of(who: str) -> str:
    """Return the path of a resident's file below the world's folder."""
    return f"residents/{who}.json"


def _without_resident(content: Resident, who: str) -> Resident:
    """Return a resident without relations to `who` and without `who` among the people of their
    memories; malformed parts are left to the check.
    """
    relations = content.get("relations")
    seeds = content.get("seeds")
    changed: Json = {}
    if isinstance(relations, dict):
        changed["relations"] = {
            other: relation for other, relation in relations.items() if other != who
        }
    if isinstance(seeds, list) and all(
        isinstance(seed, dict) and isinstance(seed.get("about", []), list) for seed in seeds
    ):
        changed["seeds"] = [
            seed | {"about": [other for other in seed["about"] if other != who]}
            if who in seed.get("about", ())
            else seed
            for seed in seeds
        ]
    return dict(content) | changed


def _check_id(who: str) -> None:
    """Raise BadWorld for an id that is none."""
    if not ID.fullmatch(who) or who != who.lower() or any(map(is_unseen, who)):
        raise BadWorld(
            "{who!r} can't be the id of a resident: use up to 64 small letters of any script, digits and '_', beginning with a letter",
            who=who,
        )


def _write_resident(copy: Path, who: str, content: Resident) -> None:
    """Write a resident's file in a world's folder, with the paths of their pictures; first draw the
    pictures if their look is given, or if one is missing, and the content names no others.
    """
    drawn = {"portrait": f"portraits/{who}.png", "sprite": f"sprites/{who}.png"}
    pictures = {key: content.get(key) or picture for key, picture in drawn.items()}
    missing = not all((copy / kind / f"{who}.png").exists() for kind in ("portraits", "sprites"))
    if (missing or content.get("look")) and drawn == pictures:
        draw_people(copy, {who: {"pronouns": _pronouns(content), "look": content.get("look")}})
    (copy / "residents").mkdir(exist_ok=True)
    write_json(copy / _file_of(who), dict(content) | pictures)


def _pronouns(content: Resident) -> dict[str, list[str]]:
    """Return the pronouns for drawing a resident; "they" if they are malformed."""
    given = content.get("pronouns")
    is_valid = (
        isinstance(given, dict)
        and given
        and all(
            isinstance(words, list) and words and isinstance(words[0], str)
            for words in given.values()
        )
    )
    return dict(given) if isinstance(given, dict) and is_valid else {"en": ["they"]}
