"""Check a world folder: errors that prevent loading, and content that loads but makes no sense."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hometown.authoring.map_checks import check_map
from hometown.authoring.people_checks import check_people
from hometown.authoring.problems import Problem, Problems
from hometown.authoring.society_checks import check_society
from hometown.errors import BadWorld
from hometown.language import LANGS
from hometown.world.faults import Faults
from hometown.world.load import inspect_world
from hometown.world.tiled import TiledMap, map_file, read_map
from hometown.world.world import World


@dataclass(frozen=True)
class LintReport:
    """All problems of a world, errors first. `world` and `drawn` are as much of it as could be
    read.
    """

    problems: list[Problem]
    world: World | None
    drawn: TiledMap | None

    @property
    def errors(self) -> int:
        return sum(problem.level == "error" for problem in self.problems)


def lint(folder: Path) -> LintReport:
    """Return all problems of a world folder, in every language that it declares: faults of loading
    and, if it loads, those of its map, its residents and its society.
    """
    problems = Problems(folder.name)
    first = inspect_world(folder, LANGS[0])
    declared = first[2] or LANGS[:1]
    worlds: list[World] = []
    for lang in declared:
        world, faults, _ = first if lang == LANGS[0] else inspect_world(folder, lang)
        worlds += [world] if world else []
        for line in faults.lines:
            problems.add(Problem("error", line, _place_in(line, world)))
        for line in faults.warnings:
            problems.add(Problem("warning", line))
    drawn = read_map(map_file(folder), Faults(folder.name))
    if worlds and drawn:
        check_map(worlds[0], drawn, problems)
        check_people(worlds[0], problems)
        if worlds[0].book:
            check_society(worlds[0].book, problems)
    return LintReport(problems.listed(), worlds[0] if worlds else None, drawn)


def raise_errors(folder: Path) -> None:
    """Raise BadWorld, with every error a line, for a world folder that no town can be made of."""
    problems = lint(folder)
    if problems.errors:
        raise BadWorld([problem.line for problem in problems.problems if problem.level == "error"])


def _place_in(line: str, world: World | None) -> str:
    """Return the first place of the map that a fault names in quotation marks; "" if it names none,
    or without a world.
    """
    if world is None:
        return ""
    known = {**world.sectors, **world.arenas, **world.things}
    return next((word for word in re.findall(r"'([^']+)'", line) if word in known), "")
