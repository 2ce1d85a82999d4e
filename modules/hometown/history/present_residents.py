"""Residents at one moment, for `hometown.Run` and `hometown.Town`, and who can arrive or leave."""

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


def refuse_vain_travel(run: RunFile, town: World, requested: Sequence[Intervention]) -> None:
    """Raise BadInput for the arrival of a resident who is in town, and has not been asked to leave
    it, and for the leaving of one who has left, and has not been asked to come back.
    """
    travels = [(each.kind, each.target) for each in requested if each.kind in ("arrive", "leave")]
    if not travels:
        return
    state = run.restore()
    asked = {(each.kind, each.target) for each in (*run.waiting(), *requested)}
    for kind, who in travels:
        if kind == "arrive" and not state.is_away(who) and ("leave", who) not in asked:
            raise BadInput(
                "{name} is in town; only who has left town (leave) can arrive",
                name=town.name_of(who),
            )
        if kind == "leave" and state.is_away(who) and ("arrive", who) not in asked:
            raise BadInput(
                "{name} has left town; only who is in town, or has come back (arrive), can leave",
                name=town.name_of(who),
            )
