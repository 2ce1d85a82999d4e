"""The plug-in of the processes: the effects of one step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hometown.agent.mind.context import Moment
from hometown.processes.illness import spread_illness
from hometown.processes.opinion_dynamics import move_opinions
from hometown.setting_sections import ProcessSettings
from hometown.world.effects import Logged
from hometown.world.state import State
from hometown.world.world import World


def advance(
    world: World,
    state: State,
    processes: ProcessSettings,
    seed: int,
    residents: Sequence[str],
    moment: Moment,
) -> Iterator[Logged]:
    """Yield the effects of a step on the residents in town. Apply each before taking the next."""
    people = sorted(who for who in residents if not world.is_visitor(who))
    if processes.opinion.statement:
        for move in move_opinions(state, processes.opinion, seed, people):
            yield Logged(move, move.who, "rule:opinion")
    if processes.illness.name:
        for change in spread_illness(world, state, processes.illness, seed, people, moment):
            yield Logged(change, change.who, "rule:illness")


PLUGIN = advance
