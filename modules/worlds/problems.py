"""What is wrong with a world: errors, which keep it from living as meant, and warnings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from modules.text import Phrase
from modules.world.faults import located

Level = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One line that names file, object and cure. `address` is the place that it is about, "" where it is about none.

    `tile` marks it on the overview where no address does.
    """

    level: Level
    line: Phrase
    address: str = ""
    tile: tuple[int, int] | None = None


@dataclass
class Problems:
    """Collects the problems of the world called `world`; the same one is kept once."""

    world: str
    found: dict[tuple[Level, str], Problem] = field(default_factory=dict)

    def error(self, file: str, where: str, text: str, address: str = "", /, **values: object) -> None:
        self.add(Problem("error", located(f"{self.world}/{file}", where, Phrase(text, **values)), address))

    def warn(self, file: str, where: str, text: str, address: str = "", tile: tuple[int, int] | None = None, /, **values: object) -> None:
        self.add(Problem("warning", located(f"{self.world}/{file}", where, Phrase(text, **values)), address, tile))

    def add(self, problem: Problem) -> None:
        self.found.setdefault((problem.level, problem.line), problem)

    def listed(self) -> list[Problem]:
        """Errors first, each kind in the order in which it was found."""
        return sorted(self.found.values(), key=lambda problem: problem.level)
