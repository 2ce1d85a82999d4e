"""Arrival of a new resident: a body, a mind with first memories, and a bed.

Apply each effect that a generator yields before taking the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from hometown.memory.action import Action
from hometown.text import catalogue
from hometown.world import keys
from hometown.world.beginnings import first_effects
from hometown.world.carrying_out import ARRIVAL_MINUTES
from hometown.world.effects import Effect
from hometown.world.furnish import put_down
from hometown.world.incidents import MovedIn, ThingPlaced
from hometown.world.moving_in import beds
from hometown.world.persona import Persona
from hometown.world.state import State
from hometown.world.world import World


def arrive(world: World, state: State, who: str, expire_days: int) -> Iterator[Effect]:
    """Yield the effects of a new resident's arrival at home: a bed if there is none, the move, and
    the effects with which residents begin.

    Args:
        world: The world with the new resident.
        state: The town.
        who: The new resident.
        expire_days: The days for which their initial memories last.
    """
    persona, now = world.personas[who], state.clock.now
    if persona.sleeps not in world.things:
        yield _place_bed(world, state, persona)
    busy = Action(
        "act",
        catalogue(world.lang, "mind")["arriving"],
        persona.home,
        ARRIVAL_MINUTES,
        "🧳",
        started=now,
    )
    yield MovedIn(who, world.open_tiles[persona.home][0], persona.currently, busy)
    yield from first_effects(world, persona, now, expire_days)


def _place_bed(world: World, state: State, persona: Persona) -> ThingPlaced:
    """Return the effect that places a resident's new bed, modelled on the smallest bed of the map."""
    model = next(bed for bed in beds(world) if state.row(keys.PLACED.of(bed)) is None)
    return ThingPlaced(
        persona.sleeps,
        put_down(
            world,
            persona.sleeps,
            catalogue(world.lang, "mind")["bed_of"].format(name=persona.name),
            model,
        ),
    )
