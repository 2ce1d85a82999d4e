"""Changes to the files of a world, each tried out in a copy of its folder, taken over if it makes
no new errors, and put back on request.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hometown.authoring.lint import LintReport, lint
from hometown.authoring.versions import changing, version_of
from hometown.errors import BadWorld, explain_write_errors
from hometown.files import temporary_folder

Before = Mapping[str, bytes | None]
"""Files before a change, by their paths below the world's folder; None for one that was not there."""


@dataclass(frozen=True)
class WorldChange:
    """A change to files of a world: the world's problems after it, the files before it, the version
    of these files after it, and whether any of them is different.
    """

    report: LintReport
    before: Before
    version: str
    differs: bool


def change_world(
    folder: Path,
    change: Callable[[Path], Collection[str]],
    files: Collection[str],
    version: str | None = None,
) -> WorldChange:
    """Try a change in a copy of the world, and take it over if it makes no new errors.

    Args:
        change: Changes the copy, and returns the paths of the files to take over, in their order.
        files: The paths of the files that the change is made for.
        version: The version of these files, None for the present one.

    Raises:
        BadWorld: for the errors that the change would add; Outdated for another version. In these
            cases nothing is changed.
    """
    with (
        changing(folder, version, *(folder / name for name in files)) as compare,
        trial(folder) as copy,
    ):
        changed = change(copy)
        report = without_new_errors(folder, copy)
        compare()
        before = {name: _read(folder / name) for name in changed}
        differs = any(_read(copy / name) != content for name, content in before.items())
        for name in changed:
            _move(copy / name, folder / name)
        version = version_of(*(folder / name for name in changed))
        return WorldChange(report, before, version, differs)


def put_back(folder: Path, done: WorldChange) -> WorldChange:
    """Undo a change, and return that as a change itself.

    Raises BadWorld for errors that undoing would add, and Outdated if one of the files has changed
    since, for instance in Tiled.
    """

    def restore(copy: Path) -> Collection[str]:
        for name, content in done.before.items():
            if content is None:
                (copy / name).unlink(missing_ok=True)
            else:
                (copy / name).write_bytes(content)
        return done.before

    return change_world(folder, restore, done.before, done.version)


@contextmanager
def trial(folder: Path) -> Iterator[Path]:
    """Yield a copy of the world for trying a change. Raises BadWorld if the folder can't be
    written.
    """
    with explain_write_errors(BadWorld, folder), temporary_folder(folder.parent, "draft") as place:
        copy = place / folder.name
        copy_folder(folder, copy)
        yield copy


def copy_folder(source: Path, target: Path) -> None:
    """Copy a folder; links are left out, as they may lead elsewhere."""
    shutil.copytree(
        source,
        target,
        dirs_exist_ok=True,
        ignore=lambda at, names: [name for name in names if (Path(at) / name).is_symlink()],
    )


def without_new_errors(folder: Path, copy: Path) -> LintReport:
    """Return the problems of the copy. Raises BadWorld for errors that the world does not have
    already.
    """
    before = {problem.line for problem in lint(folder).problems}
    report = lint(copy)
    new = [
        problem.line
        for problem in report.problems
        if problem.level == "error" and problem.line not in before
    ]
    if new:
        raise BadWorld(new)
    return report


def _read(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _move(file: Path, target: Path) -> None:
    """Move a file of the copy into the world, atomically; remove one that the copy does not have."""
    if file.is_file():
        target.parent.mkdir(exist_ok=True)
        file.replace(target)
    else:
        target.unlink(missing_ok=True)
