"""The last changes of each world, which can be undone until the server ends."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from hometown.authoring.lint import LintReport
from hometown.authoring.world_changes import WorldChange, put_back
from hometown.errors import Outdated
from hometown.web.answers import Wrong

MAX_UNDO = 30
"""Maximum number of changes of a world that can be undone."""


class UndoLists:
    """The changes of all worlds that can be undone, the last one of a world first."""

    def __init__(self) -> None:
        self._done: defaultdict[str, list[WorldChange]] = defaultdict(list)

    def add(self, world: str, change: WorldChange) -> None:
        """Add a change that was made, unless it left all files as they were."""
        if change.differs:
            self._done[world] = [*self._done[world], change][-MAX_UNDO:]

    def last(self, world: str) -> str:
        """Return the version that the last change led to; "" if there is none."""
        done = self._done[world]
        return done[-1].version if done else ""

    def undo(self, world: str, folder: Path, version: str | None) -> LintReport:
        """Undo the last change, and return the world's problems; all are forgotten once another
        program has changed the files.

        Raises BadWorld for errors that undoing would add, Outdated if the last change is not the
        one that led to the given version (None for any), and Wrong (409) if there is none.
        """
        done = self._done[world]
        if not done:
            raise Wrong(409, "There is nothing to undo.")
        if version not in (None, done[-1].version):
            raise Outdated("another change has been made meanwhile: load it again")
        try:
            change = put_back(folder, done[-1])
        except Outdated:
            done.clear()
            raise
        done.pop()
        return change.report
