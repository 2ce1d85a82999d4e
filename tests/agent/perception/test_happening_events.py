"""What happens is perceived with its weight, by those whom it concerns and by others."""

from __future__ import annotations

import pytest

from hometown.agent.perception.happening_events import happening_events
from hometown.game import Game
from hometown.world import keys
from hometown.world.befalling import begin_happening
from hometown.world.happening_process import DAMAGE_KEY
from hometown.world.incidents import Course, Happenings
from hometown.world.rows import Body
from tests.support.noon_town import CAFE, CHEN, NOON
from tests.support.town import minds_of


@pytest.mark.parametrize(("weight", "perceived"), [(1, 1), (2, 1), (3, 1), (6, 4)])
def test_damage_that_does_not_concern_a_resident_still_has_a_weight(
    game: Game, weight: int, perceived: int
) -> None:
    course = Course(key=DAMAGE_KEY, weight=weight, minutes=1000)
    damage = begin_happening(CAFE, "The room is left damaged.", course, NOON)
    game.state.put(keys.HAPPENINGS.key, Happenings((damage,)))
    game.state.put(keys.BODY.of(CHEN), Body(game.world.open_tiles[CAFE][0]))
    (event,) = happening_events(minds_of(game, [CHEN])[CHEN])
    assert event.weight == perceived
