"""Problems of a world: errors, which keep it from working as intended, and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hometown.frozen import frozen
from hometown.text import Phrase
from hometown.world.faults import locate

Level = Literal["error", "warning"]


@frozen
class Problem:
    """A line with the file, the object and a suggested fix. `address` is the place concerned, "" if
    there is none.

    `tile` marks it on the overview where no address does.
    """

    level: Level
    line: Phrase
    address: str = ""
    tile: tuple[int, int] | None = None


@dataclass
class Problems:
    """Collects the problems of the world called `world`, without duplicates."""

    world: str
    problems: dict[tuple[Level, str], Problem] = field(default_factory=dict)

    def error(
        self, file: str, where: str, text: str, address: str = "", /, **values: object
    ) -> None:
        """Add an error: a phrase with its values, and its place in the file."""
        self.add(
            Problem("error", locate(f"{self.world}/{file}", where, Phrase(text, **values)), address)
        )

    def warn(
        self,
        file: str,
        where: str,
        text: str,
        address: str = "",
        tile: tuple[int, int] | None = None,
        /,
        **values: object,
    ) -> None:
        """Add a warning, likewise; `tile` marks it where no address does."""
        self.add(
            Problem(
                "warning",
                locate(f"{self.world}/{file}", where, Phrase(text, **values)),
                address,
                tile,
            )
        )

    def add(self, problem: Problem) -> None:
        """Add a problem unless one of the same level and line is known."""
        self.problems.setdefault((problem.level, problem.line), problem)

    def listed(self) -> list[Problem]:
        """Return the problems, errors first, each kind in the order of discovery."""
        return sorted(self.problems.values(), key=lambda problem: problem.level)
