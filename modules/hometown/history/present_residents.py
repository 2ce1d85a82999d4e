"""Residents at one moment, for `hometown.Run` and `hometown.Town`."""

from __future__ import annotations

from hometown.history.names import Names
from hometown.run_records import Resident
from hometown.world.state import State


def residents_in(state: State, names: Names) -> list[Resident]:
    """Return the residents of a state of the town."""
    return [_resident(who, state, names) for who in state.memories]


def _resident(who: str, state: State, names: Names) -> Resident:
    action, tile, persona = state.action(who), state.body(who).tile, names.persona(who)
    return Resident(
        id=who,
        name=names.person(who),
        occupation=persona.occupation if persona else "",
        currently=state.mind(who).currently,
        activity=action.activity,
        place="" if state.is_away(who) else names.place_at(tile, action.address),
        tile=tile,
        asleep=state.is_asleep(who),
    )
