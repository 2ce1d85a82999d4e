"""A crowd for load: residents cloned from a world's cast, on a map whose things hold as many more."""

from __future__ import annotations

from dataclasses import replace

from modules.world.persona import Persona
from modules.world.world import World


def crowd(world: World, count: int) -> World:
    """The world with `count` residents, cloned in turn; beds and seats are multiplied so that all find a place."""
    originals = list(world.personas.values())
    clones = [_clone(originals[at % len(originals)], at // len(originals)) for at in range(count)]
    times = -(-count // len(originals))
    things = {address: replace(thing, seats=thing.seats * times) for address, thing in world.things.items()}
    return replace(world, personas={one.id: one for one in clones}, things=things)


def _clone(persona: Persona, number: int) -> Persona:
    """The first of each is the original; the others have its life under another name, and get up a little later."""
    if number == 0:
        return persona
    shift = 5 * number
    return replace(
        persona,
        id=f"{persona.id}_{number + 1}",
        name=f"{persona.name} {number + 1}",
        wake=persona.wake + shift,
        seeds=tuple(replace(seed, text=seed.text.replace(persona.name, f"{persona.name} {number + 1}")) for seed in persona.seeds),
    )
