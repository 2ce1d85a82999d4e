"""Towns that live without a faculty: it is really gone, everything else goes on, and whoever has
all of them lives as before.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.history.reader import RunReader
from hometown.storage.run import RunFile
from tests.support.town import live

STEPS = 30
"""From six to eleven in the morning."""

THOUGHTFUL = {"think": {"poignancy_max": 30}}

PLANNING = {"wake_up", "schedule_init", "schedule_daily", "schedule_changes", "currently"}
REFLECTING = {"reflect_focus", "reflect_insights", "reflect_chats"}


def kinds(folder: Path, **without: bool) -> tuple[set[str], set[str], int]:
    """Lives a town; the kinds of its prompts, those of its memories, and how many memories came to
    mind in all.
    """
    live(folder, STEPS, settings=THOUGHTFUL | {"faculties": without})
    with RunFile.open(folder, "town") as run:
        reader = RunReader(run)
        asked = {kind for (kind,) in run.database.execute("SELECT DISTINCT kind FROM calls")}
        found = sum(
            retrieved != b"[]"
            for (retrieved,) in run.database.execute("SELECT retrieved FROM calls")
        )
        made: set[str] = {
            memory.concept.type
            for memory in reader.memories(1, STEPS)
            if memory.concept.evidence or memory.concept.predicate == "plan"
        }
        assert len(reader.actions_of("wang_fang", 0, STEPS)) > 5
    return asked, made, found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str], int]:
    return kinds(tmp_path_factory.mktemp("whole"))


def test_with_everything_they_plan_reflect_and_remember(
    whole: tuple[set[str], set[str], int],
) -> None:
    asked, made, found = whole
    assert asked & PLANNING
    assert asked & REFLECTING
    assert "thought" in made
    assert found > 20


def test_without_reflecting_nobody_draws_insights(tmp_path: Path) -> None:
    asked, made, _ = kinds(tmp_path, reflect=False)
    assert not asked & REFLECTING
    assert asked & PLANNING
    assert "thought" not in made


def test_without_planning_every_day_is_the_usual_one(tmp_path: Path) -> None:
    asked, made, _ = kinds(tmp_path, plan=False)
    assert not asked & PLANNING
    assert "plan" not in made
    assert "schedule_decompose" in asked


def test_without_remembering_nothing_comes_to_mind(tmp_path: Path) -> None:
    _, _, found = kinds(tmp_path, remember=False)
    assert found == 0
