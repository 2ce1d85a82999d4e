"""What residents look back on when they reflect."""

from __future__ import annotations

from pathlib import Path

from hometown.agent.inner_life import reflect
from hometown.game import Game
from tests.support.town import live, minds_of


def test_of_many_memories_those_that_mattered_most_are_looked_back_on_in_order(
    tmp_path: Path,
) -> None:
    drowned: list[bool] = []

    def check(game: Game) -> None:
        if game.state.clock.step < 60:
            return
        for who in game.world.personas:
            mind = minds_of(game, [who])[who]
            recent = mind.state.memory(who).recent(
                ("event", "thought", "chat"), mind.settings.think.focus_recent
            )
            shown = reflect._choose_focus_memories(mind, ())
            assert [one.id for one in shown] == sorted(one.id for one in shown)
            assert len(shown) == min(len(recent), reflect.MAX_FOCUS_MEMORIES)
            left_out = [one for one in recent if one not in shown]
            assert all(one.poignancy <= min(kept.poignancy for kept in shown) for one in left_out)
            drowned.append(bool(left_out))

    live(tmp_path, 60, after_each=check)
    assert any(drowned)
