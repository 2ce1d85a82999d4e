"""Who is helpless lies where it is, and whoever is there goes to help."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hometown.agent.mind import Mind
from hometown.game import Game
from hometown.memory.schedule import Task
from hometown.society.bodies import change_needs
from hometown.society.minds.helping import help_helpless, lie_helpless, rest_while_ill
from hometown.world import keys
from hometown.world.effects import Logged
from hometown.world.labour import Ailed, Ailment, NeedsSet
from tests.support.society import societal
from tests.support.town import live

SAYS = "温饱不继，昏倒在地"


def test_who_is_helpless_lies_there_and_who_is_there_helps(tmp_path: Path) -> None:
    found: list[str] = []

    def collapse(game: Game) -> None:
        """Somebody lies where another is; later it is only weak."""
        who, other, *_ = game.world.personas
        game.state.rows[keys.BODY.of(other)] = game.state.body(who)
        assert game.world.book
        starved = change_needs(
            game.world.book,
            game.state.needs(who),
            game.state.clock.now,
            {"health": -1000, "hunger": -1000},
            asleep=False,
        )
        for effect in (
            NeedsSet(who, starved),
            Ailed(who, Ailment("health", True, game.state.clock.now, "hunger")),
        ):
            game.carry_out(Logged(effect, who, "test"))
        lies, helps, free = (
            Mind(each, game.look(game.context.moment), Counter()) for each in (who, other, who)
        )
        lying, help_ = lie_helpless(lies), help_helpless(helps)
        assert lie_helpless(helps) is None
        assert lying
        assert help_
        found.extend(
            [
                lying.action.activity if lying.action else "",
                help_.action.activity if help_.action else "",
                game.world.name_of(who),
            ]
        )
        assert [(errand.verb, errand.at) for errand in helps.state.errand_queue(other)] == [
            ("tend", who)
        ]
        free.do(Ailed(who, Ailment("health", False, game.state.clock.now)), "test")
        resting = rest_while_ill(free, Task(0, 60, "work"))
        assert resting
        assert resting[1] == game.world.personas[who].home

    live(
        tmp_path,
        1,
        world=societal(tmp_path, "zh"),
        settings={"faculties": {"autopilot": "full"}},
        after_each=collapse,
    )
    assert found[0] == SAYS
    assert found[2] in found[1]
