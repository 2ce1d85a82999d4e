"""Residents at one moment, for `hometown.Run` and `hometown.Town`, and who of them can arrive."""

from __future__ import annotations

from collections.abc import Sequence

from hometown.errors import BadInput
from hometown.history.names import Names
from hometown.run_records import Resident
from hometown.storage.run import RunFile
from hometown.world.interventions import Intervention
from hometown.world.state import State
from hometown.world.world import World


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


def refuse_arrival_of_present(run: RunFile, town: World, requested: Sequence[Intervention]) -> None:
    """Raise BadInput for the arrival of a resident who is in town, and has not been asked to leave
    it.
    """
    back = [each.target for each in requested if each.kind == "arrive"]
    if not back:
        return
    state = run.restore()
    leaving = {each.target for each in (*run.waiting(), *requested) if each.kind == "leave"}
    for who in back:
        if who not in leaving and not state.is_away(who):
            raise BadInput(
                "{name} is in town; only who has left town (leave) can arrive",
                name=town.name_of(who),
            )
