"""Residents set out for their appointments in time, however long a step is."""

from __future__ import annotations

import pytest

from hometown.agent.acting.appointments import find_due_appointment
from hometown.agent.acting.walking import walking_minutes
from hometown.agent.mind import Mind
from hometown.agent.mind.context import Moment
from hometown.memory.schedule import Entry
from tests.support.noon_town import LIN, NOON, PARK, Noon


@pytest.mark.parametrize("stride", [10, 60, 120, 240])
def test_who_would_come_late_a_step_later_sets_out(town: Noon, stride: int) -> None:
    walk = walking_minutes(town.mind(), PARK)
    for ahead in (stride, stride + walk, stride + walk + 1):
        noon = NOON.hour * 60
        start = noon + ahead
        read = Entry(0, start, "reading a book")
        town.plan_day(LIN, read, Entry(start, start + 60, "a picnic", "appointment", address=PARK))
        mind = Mind(LIN, town.game.look(Moment(2, NOON, stride)))
        assert (find_due_appointment(mind) is not None) is (ahead <= stride + walk)
