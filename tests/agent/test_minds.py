"""The operations of a step on minds come in a legal order."""

from __future__ import annotations

import pytest

from hometown.agent.minds import LocalMinds, Phase
from hometown.world.state import Changes


def test_a_step_goes_through_its_phases_in_order() -> None:
    phase = Phase.END
    for following in Phase:
        phase = phase.follow(following)
    assert phase is Phase.END


@pytest.mark.parametrize("phase", [Phase.THINK, Phase.REVIEW])
def test_groups_think_one_after_the_other(phase: Phase) -> None:
    assert Phase.THINK.follow(phase) is phase


@pytest.mark.parametrize("phase", Phase)
def test_a_step_that_was_broken_off_begins_anew(phase: Phase) -> None:
    assert phase.follow(Phase.BEGIN) is Phase.BEGIN


async def test_operations_out_of_order_are_refused() -> None:
    minds = LocalMinds()
    with pytest.raises(ValueError, match="review can't follow end"):
        await minds.review()
    with pytest.raises(ValueError, match="end can't follow end"):
        minds.end(Changes())
