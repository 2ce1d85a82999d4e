"""Names and folders of runs."""

from __future__ import annotations

import difflib
import os
import unicodedata
from contextlib import suppress
from itertools import count
from pathlib import Path

from hometown.errors import BadRun
from hometown.name import compose, is_unseen
from hometown.paths import RECORDINGS
from hometown.text import Phrase

LONGEST = 64
"""Characters of a run's name, at most; file systems take no more than 255 bytes."""

LONGEST_PATH = 504
"""Bytes of a database's path, at most: SQLite takes 512, including the suffixes of its other files.
"""

_RESERVED = {
    "CON",
    "PRN",
    "AUX",
    "NUL",
    *(f"{port}{number}" for port in ("COM", "LPT") for number in range(10)),
}
_RULE = Phrase(
    "a name consists of letters, digits, '-', '_' or '.' and begins with a letter or a digit"
)


def check_name(name: str) -> str:
    """Return the name itself if every system can use it for a folder. Raises BadRun otherwise.

    >>> check_name("故里-1.a")
    '故里-1.a'
    """
    if not name or len(name) > LONGEST:
        raise BadRun(
            "{name!r} can't be the name of a run: it has {count} characters, and 1 to {most} are allowed",
            name=name,
            most=LONGEST,
            count=len(name),
        )
    bad = next(
        (character for character in name if not _is_permitted(character)),
        None,
    )
    if bad is not None:
        raise BadRun(
            "{name!r} can't be the name of a run because of {bad!r}: {rule}",
            name=name,
            bad=bad,
            rule=_RULE,
        )
    if unicodedata.category(name[0])[0] not in "LN" or name.endswith("."):
        raise BadRun(
            "{name!r} can't be the name of a run: {rule}, and doesn't end with a dot",
            name=name,
            rule=_RULE,
        )
    if name.split(".")[0].upper() in _RESERVED:
        raise BadRun(
            "{name!r} can't be the name of a run: Windows reserves this name; choose another one",
            name=name,
        )
    return name


def _is_permitted(character: str) -> bool:
    """Return True if a name may contain a character."""
    is_usual = unicodedata.category(character)[0] in "LMN" or character in "-_."
    return is_usual and not is_unseen(character)


def run_folder(root: Path, name: str) -> Path:
    """Return the folder of a run; `root` is the results folder.

    Systems write accented letters as one character or as two: a folder named the other way is the
    run's as well.
    """
    folder = root / "checkpoints" / check_name(name)
    if name.isascii() or folder.exists():
        return folder
    same = compose(name)
    return next((other for other in folder.parent.glob("*") if compose(other.name) == same), folder)


def file_of(root: Path, name: str) -> Path:
    """Return the path of a run's database."""
    return run_folder(root, name) / "run.sqlite"


def check_path(file: Path) -> None:
    """Raise BadRun for a path too long for SQLite, whose own error would only say that it cannot
    open the file.
    """
    length = len(os.fsencode(file.absolute()))
    if length > LONGEST_PATH:
        raise BadRun(
            "{file} has a path of {length} bytes, and SQLite opens {most} at most: use a shorter --results",
            file=file,
            length=length,
            most=LONGEST_PATH,
        )


def list_databases(root: Path) -> dict[str, float]:
    """Return the paths of the databases of all runs, with the times at which they were written, in
    seconds since 1970; none for a folder that cannot be read.
    """
    written: dict[str, float] = {}
    with suppress(OSError), os.scandir(root / "checkpoints") as folders:
        for folder in (each for each in folders if not each.name.startswith(".")):
            file = f"{folder.path}/run.sqlite"
            with suppress(OSError):  # no run, or one that is removed meanwhile
                written[file] = os.stat(file).st_mtime
    return written


def run_names(root: Path) -> list[str]:
    """Return the names of the existing runs, sorted."""
    return sorted(Path(file).parent.name for file in list_databases(root))


def existing_file(root: Path, name: str) -> Path:
    """Return the database of an existing run. Raises BadRun with similar names, or else with the
    first five, otherwise.
    """
    file = file_of(root, name)
    if file.is_file():
        check_path(file)
        return file
    raise BadRun(
        "there is no run {name!r} in {folder}: {hint}",
        name=name,
        folder=root / "checkpoints",
        hint=_hint_at_run(run_names(root), name),
    )


def _hint_at_run(names: list[str], name: str) -> Phrase:
    """Return what the user may do who has asked for a run that does not exist."""
    if (RECORDINGS / name).is_dir():
        return Phrase(
            "it is a recorded town: open it first with hometown recorded {name}", name=name
        )
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:5]
    if near:
        return Phrase("it has {near}", near=near)
    return Phrase("it has none yet; hometown run (or start.py) creates one")


def refuse_taken(root: Path, name: str) -> None:
    """Raise BadRun if a run of that name exists, or anything else except an empty folder is in its
    place.
    """
    folder = run_folder(root, name)
    if (folder / "run.sqlite").exists():
        raise BadRun(
            "run {name!r} already exists: choose another name, or continue it with hometown resume (start.py --resume)",
            name=name,
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadRun(
            "{folder} exists and is not a run: remove it, or choose another name", folder=folder
        )


def free_name(results: Path, base: str) -> str:
    """Return the first of BASE-1, BASE-2, … of which no folder (nor file) exists among the runs.
    Characters of `base` that names cannot have are left out; "town" stands for an empty one.
    """
    base = "".join(filter(_is_permitted, base)).lstrip("-_.") or "town"
    names = (lengthen_name(base, f"-{number}") for number in count(1))
    return next(name for name in names if not (results / "checkpoints" / name).exists())


def lengthen_name(name: str, ending: str) -> str:
    """Return a name with an ending, cut before the ending to the length that names may have.

    >>> lengthen_name("spring", "-repaired")
    'spring-repaired'
    """
    return name[: LONGEST - len(ending)] + ending
