"""Opinions with bounded confidence (Deffuant et al. 2000): two residents who talk come closer by a
share of the distance between their opinions, if it is not too large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from hometown.rng import stream
from hometown.setting_sections import OpinionSettings
from hometown.world import keys
from hometown.world.process_rows import MOST_IN_FAVOUR, HeldOpinion, OpinionMoved
from hometown.world.state import State


def move_opinions(
    state: State, settings: OpinionSettings, seed: int, people: Sequence[str]
) -> Iterator[OpinionMoved]:
    """Yield the first opinions of residents who have none, drawn from all with equal probability,
    and the moves of those who talked in this step, pair by pair.
    """
    for who in people:
        if state.row(keys.OPINION.of(who)) is None:
            draw = stream(seed, "opinion", who)
            yield OpinionMoved(who, HeldOpinion(draw.randint(0, MOST_IN_FAVOUR)))
    for talk in state.changes.talks:
        for pair in combinations([who for who in talk.people if who in people], 2):
            yield from _move_pair(state, settings, pair, talk.id)


def _move_pair(
    state: State, settings: OpinionSettings, pair: tuple[str, str], talk: str
) -> Iterator[OpinionMoved]:
    """Yield the moves of two residents towards each other; none if their opinions are equal or
    farther apart than the confidence allows.
    """
    one, other = (state.row(keys.OPINION.of(who)) for who in pair)
    if one is None or other is None:
        return
    distance = other.value - one.value
    step = round(settings.pull * distance)
    if step and abs(distance) <= settings.confidence * MOST_IN_FAVOUR:
        yield OpinionMoved(pair[0], HeldOpinion(one.value + step), talk, pair[1])
        yield OpinionMoved(pair[1], HeldOpinion(other.value - step), talk, pair[0])
