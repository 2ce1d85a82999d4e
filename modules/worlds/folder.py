"""Where a world comes into being: under a temporary name beside the others, and renamed when it is whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from modules.errors import BadWorld, reason_of

NAME = re.compile(r"[^\W_][\w-]{0,63}")


@contextmanager
def new_world_folder(root: Path, name: str) -> Iterator[Path]:
    """An empty folder to fill; it becomes the world `name` below `root` if nothing is raised, and is gone otherwise.

    Raises BadWorld for a name that no folder should have, or that is taken, or where one may not write.
    """
    if not NAME.fullmatch(name):
        raise BadWorld("{name!r} can't name a world: take 1 to 64 letters, digits, '-' or '_', beginning with a letter or a digit", name=name)
    target = root / name
    if target.exists():
        raise BadWorld("there is a world {name!r} already, at {target}: take another name, or move it away; it is never written over", name=name, target=target)
    try:
        root.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=root, prefix=".new-") as building:
            folder = Path(building) / name
            folder.mkdir()
            yield folder
            folder.rename(target)
    except OSError as error:
        raise BadWorld(
            "{file} can't be written: {reason}; is there room, and may you write there?", file=error.filename or target, reason=reason_of(error)
        ) from None
