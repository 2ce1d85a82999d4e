"""Appraisal of the outcomes of errands, once a resident remembers them."""

from __future__ import annotations

from collections.abc import Iterator

from hometown.agent.mind.mood import Stimulus
from hometown.society.errands import FAILED
from hometown.society.jobs import CAUGHT_CHILL, MISHAPS
from hometown.world.feeling import Stir
from hometown.world.labour import Outcome, Verb
from hometown.world.state import State
from hometown.world.world import World, arena_of

CHEATED_PRICE_RATIO = 2
"""The ratio of a price paid in a talk to the lowest known shop price from which a buyer feels
cheated.
"""


def appraise_outcome(
    world: World, state: State, who: str, outcome: Outcome, memory: int
) -> Iterator[Stimulus]:
    """Yield a resident's stimuli from the outcome of an errand, once they remember it: of its
    success or failure, and of the residents who had a part in it.

    A refusal because a fixture was occupied counts half.

    Args:
        memory: The number of the memory of the outcome.
    """
    errand, facts = outcome.errand, dict(outcome.facts)
    recipe = world.book.recipes.get(errand.what) if world.book and errand.verb == Verb.DO else None
    if outcome.code == CAUGHT_CHILL:
        yield Stimulus(who, "chilled", "", memory)
    elif outcome.code not in ("", FAILED, *MISHAPS):
        yield Stimulus(who, "thwarted", "", memory, 5 if outcome.code == "BUSY" else 10)
    elif recipe and recipe.part.chance and outcome.code not in MISHAPS:
        yield Stimulus(who, "failed" if outcome.code else "succeeded", "", memory)
    match errand.verb:
        case Verb.GET if not outcome.code and "within" not in facts:
            yield Stimulus(who, _appraise_handover(world, state, who, outcome), errand.at, memory)
        case Verb.SEE:
            yield Stimulus(
                who, "saw_rescue" if "helpless" in facts else "saw_kindness", errand.at, memory
            )
        case Verb.DO if not outcome.code and "partner" in facts:
            if recipe and recipe.part.stirs:
                yield Stimulus(
                    who,
                    "rescued" if "helpless" in facts else recipe.part.stirs,
                    str(facts["partner"]),
                    memory,
                )
        case Verb.ASK if not outcome.code or "favour" in facts:
            for keeper in _keepers_there(world, state, who, errand.at):
                yield Stimulus(who, "turned_away" if outcome.code else "given", keeper, memory)
        case Verb.HIRE if "owed" in facts:
            for other in world.book.people_of(errand.what) if world.book else ():
                yield Stimulus(who, "unpaid" if outcome.code else "paid", other, memory)


def _appraise_handover(world: World, state: State, who: str, outcome: Outcome) -> Stir:
    """Return the stimulus of goods received in a talk: care in need, a gift, a fair trade, or a
    price far above the known shop prices.
    """
    errand, facts = outcome.errand, dict(outcome.facts)
    if "needed" in facts or not facts.get("coins"):
        return "cared" if "needed" in facts else "given"
    known = [
        seen
        for address in (world.book.fixtures if world.book else ())
        if (seen := state.last_sight(who, address))
    ]
    lowest = min(
        (price for seen in known for kind, price in seen.prices if kind == errand.what), default=0
    )
    return (
        "cheated"
        if lowest and int(facts["coins"]) >= CHEATED_PRICE_RATIO * lowest * errand.count
        else "traded"
    )


def _keepers_there(world: World, state: State, who: str, address: str) -> list[str]:
    """Return the owners of a shop who are present when a resident asks for a gift."""
    assert world.book is not None
    here = [
        other
        for other in world.personas
        if other != who and world.maze.arena_at(state.body(other).tile) == arena_of(address)
    ]
    return [keeper for keeper in world.book.keepers(address) if keeper in here]
