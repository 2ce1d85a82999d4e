"""The public interface to a world as a folder of files (docs/worlds.md).

world = hometown.WorldFolder.create("mytown")
for problem in world.check():
    print(problem.level, problem.text)
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Self

from hometown.defaults import DEFAULT_TRIAL_DAYS
from hometown.errors import BadInput, BadWorld
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.optional_parts import explain_missing_parts
from hometown.paths import USER_WORLDS
from hometown.world.load import folder_of, list_worlds
from hometown.world.world import World

if TYPE_CHECKING:
    from hometown.authoring.lint import LintReport
    from hometown.society.livelihood import Livelihood
    from hometown.society.trial import TrialDay


@frozen
class WorldProblem:
    """A problem of a world: its level, "error" or "warning", and a line with its file and a fix. No
    run begins in a world with errors.
    """

    level: str
    text: str


@frozen
class WorldFolder:
    """A world, which `Town.create` takes by its name."""

    folder: Path
    """The folder of its map, residents and texts."""

    @classmethod
    def find(cls, name: str, *, worlds: Path = USER_WORLDS) -> Self:
        """Return the world of that name, in `worlds` or else among the built-in ones. Raises
        BadWorld for an unknown one.
        """
        return cls(folder_of(name, worlds))

    @classmethod
    def create(
        cls, name: str, *, langs: Sequence[Lang] = ("en",), worlds: Path = USER_WORLDS
    ) -> Self:
        """Create a small world to edit, in these languages. Raises BadWorld for a name that is
        taken or invalid.
        """
        with explain_missing_parts():
            from hometown.authoring.starter import make_world
        return cls(make_world(name, tuple(langs), worlds))

    @classmethod
    def convert(
        cls,
        source: str | Path,
        name: str,
        *,
        lang: Lang | None = None,
        town: str = "",
        worlds: Path = USER_WORLDS,
    ) -> Self:
        """Create a world from a town of another system, a Tiled map or a plan in plain text, in the
        language of its texts by default; `town` names one of several. The folder has a report of
        what was taken, guessed and left out. Raises BadWorld with a line for each fault.
        """
        with explain_missing_parts():
            from hometown.authoring.importing.importer import convert_world
        return cls(convert_world(Path(source), name, lang, worlds, town=town).folder)

    @classmethod
    def join(cls, name: str, count: int, district: str, *, worlds: Path = USER_WORLDS) -> Self:
        """Create a large world of `count` districts, each a copy of the world `district`. Raises
        BadWorld if that world has errors or a society, BadInput for a number that no map holds.
        """
        with explain_missing_parts():
            from hometown.authoring.districts.making import make_districts
        return cls(make_districts(district, count, name, worlds))

    @property
    def name(self) -> str:
        return self.folder.name

    def check(self, lang: Lang = "en") -> list[WorldProblem]:
        """Return all problems, errors first, in words of a language."""
        return [
            WorldProblem(problem.level, problem.line.localize(lang))
            for problem in self._lint().problems
        ]

    def livelihoods(self) -> list[Livelihood]:
        """Return how each need of the world's society is met; none without a society. Raises BadWorld
        if the world has errors.
        """
        with explain_missing_parts():
            from hometown.society.livelihood import analyse_livelihoods
        book = self._load().book
        return analyse_livelihoods(book) if book else []

    def trial(self, days: int = DEFAULT_TRIAL_DAYS) -> list[TrialDay]:
        """Simulate some days of the world's society by its rules alone, and return the lowest level
        of each need and the prices of each day. Raises BadWorld if the world has errors, BadInput
        if it has no society.
        """
        with explain_missing_parts():
            from hometown.society.trial import run_trial
        return list(run_trial(self._load(), days))

    def overview(self) -> bytes:
        """Return a PNG picture of the map with the names of its rooms and a mark for each problem,
        numbered from 1 in the order of `check`. Raises BadInput if the map cannot be read.
        """
        report = self._lint()
        if report.world is None:
            raise BadInput(
                "the world of {name} cannot be read, so there is no map to draw", name=self.name
            )
        from hometown.authoring.overview import draw_overview

        picture = BytesIO()
        draw_overview(report.world, report.problems).save(picture, "PNG")
        return picture.getvalue()

    def _repr_png_(self) -> bytes:
        """Show the world in a notebook, by its overview."""
        return self.overview()

    def _load(self) -> World:
        """Return the world. Raises BadWorld with a line for each error."""
        report = self._lint()
        if report.errors or report.world is None:
            raise BadWorld([each.line for each in report.problems if each.level == "error"])
        return report.world

    def _lint(self) -> LintReport:
        with explain_missing_parts():
            from hometown.authoring.lint import lint
        return lint(self.folder.resolve())


def worlds(folder: Path = USER_WORLDS) -> list[str]:
    """Return the names of all worlds: those in a folder, and the built-in ones."""
    return list_worlds(folder)
