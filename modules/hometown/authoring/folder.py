"""Creation of a world folder: under a temporary name beside the others, renamed once it is
complete.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hometown.errors import BadWorld, explain_write_errors
from hometown.files import temporary_folder
from hometown.name import is_unseen

NAME = re.compile(r"[^\W_][\w-]{0,63}")


@contextmanager
def new_world_folder(root: Path, name: str) -> Iterator[Path]:
    """Yield an empty folder to fill; it becomes the world `name` below `root` if nothing is raised,
    and is deleted otherwise.

    Raises BadWorld if the name is invalid or taken, or if the folder can't be written.
    """
    if not NAME.fullmatch(name) or any(map(is_unseen, name)):
        raise BadWorld(
            "{name!r} can't be the name of a world: use 1 to 64 letters, digits, '-' or '_', beginning with a letter or a digit",
            name=name,
        )
    target = root / name
    if target.exists():
        raise BadWorld(
            "world {name!r} already exists at {target}: choose another name, or move it; it is never overwritten",
            name=name,
            target=target,
        )
    with explain_write_errors(BadWorld, target):
        root.mkdir(parents=True, exist_ok=True)
        with temporary_folder(root, "new") as building:
            folder = building / name
            folder.mkdir()
            yield folder
            folder.rename(target)
