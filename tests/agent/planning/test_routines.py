"""What was thought out on one day is done again on the next, where the settings say so."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.agent.planning.entry_tasks import AS_USUAL
from hometown.agent.planning.routines import reuse_tasks
from hometown.cli.summary import print_summary
from hometown.cli.texts import Text
from hometown.game import Game
from hometown.history.names import Names
from hometown.memory.schedule import Entry, PlacedTask, Task, Tasks
from hometown.world.effects import RoutineKept, TasksSet
from tests.support.days import lived_day
from tests.support.town import live, minds_of, opened

REUSED = {"thrift": {"routines_reused": True}}

MORNING_WORK = Entry(540, 660, "repairing bicycles")


def test_a_second_day_is_lived_as_the_first_and_a_run_that_is_resumed_knows_how(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn_up: list[tuple[int, TasksSet, str]] = []

    def note(game: Game) -> None:
        drawn_up.extend(
            (game.state.clock.step, each.effect, each.cause)
            for each in game.log
            if isinstance(each.effect, TasksSet)
        )

    for _ in range(2):  # opened again
        live(tmp_path, 90, settings=REUSED, after_each=note)
    usual = [(step, effect) for step, effect, cause in drawn_up if cause == AS_USUAL]
    again = [(step, effect) for step, effect in usual if step > 90]
    thought_out = [
        effect for step, effect, cause in drawn_up if step > 90 and cause.startswith("call:")
    ]
    assert len(again) > max(6, len(thought_out)), "most of what is long enough to be split recurs"
    assert len(usual) < len(again) + 4, "what was interrupted may be taken up again on the same day"
    with opened(tmp_path) as run:
        before = run.restore(at=90)
        for _, effect in again:
            kept = [
                [task.activity for task in tasks.items]
                for key, row in before.rows.items()
                if key.startswith(f"routine/{effect.who}/")
                for tasks in row.items
            ]  # type: ignore[union-attr]
            assert any(
                {task.activity for task in effect.tasks.items} <= set(activities)
                for activities in kept
            )
        assert sum(stats.get("reused", 0) for stats in run.stats()) == len(usual)
        print_summary(run, Text("en"), Names.of(run))
    assert f"{len(usual)} stretches of a plan done as on an earlier day" in capsys.readouterr().out


def test_what_is_not_there_any_more_agreed_upon_or_much_longer_is_thought_out_anew(
    tmp_path: Path,
) -> None:
    def check(game: Game) -> None:
        who = next(iter(game.world.personas))
        mind = minds_of(game, [who])[who]
        arena = mind.arena
        thing = next(iter(game.world.arenas[arena].things))
        kept = Tasks(
            540,
            (Task(540, 600, "looking"), PlacedTask(600, 660, "mending", address=arena, emoji="🔧")),
        )
        mind.do(RoutineKept(who, MORNING_WORK.activity, kept), "rule:test")
        assert reuse_tasks(mind, MORNING_WORK, 10) == kept
        assert reuse_tasks(mind, Entry(540, 840, MORNING_WORK.activity), 10) is None
        assert reuse_tasks(mind, Entry(840, 960, MORNING_WORK.activity), 10) is None
        assert reuse_tasks(mind, Entry(540, 660, MORNING_WORK.activity, "appointment"), 10) is None
        assert reuse_tasks(mind, Entry(540, 660, "repairing a kite"), 10) is None
        gone = PlacedTask(540, 660, "mending", address=f"{thing}_that_was", emoji="🔧")
        mind.do(RoutineKept(who, MORNING_WORK.activity, Tasks(540, (gone,))), "rule:test")
        assert reuse_tasks(mind, MORNING_WORK, 10) is None

    live(tmp_path, 1, settings=REUSED, after_each=check)


def test_nothing_is_kept_where_all_is_thought_out_anew(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with opened(lived_day(tmp_path_factory)) as run:
        assert not [key for key in run.restore().rows if key.startswith("routine/")]
