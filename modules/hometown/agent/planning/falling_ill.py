"""Falling ill with the illness of the run: remembered once, as a pressing reason to reconsider the day."""

from __future__ import annotations

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.day_reasons import give_reason
from hometown.world import keys

ILL_PREDICATE, ILL_POIGNANCY = "fall ill", 8
"""The predicate of the memory of falling ill, and its poignancy, enough to be considered at once."""


async def remember_falling_ill(mind: Mind) -> None:
    """Remember that the resident has fallen ill, where the settings say so."""
    illness = mind.settings.processes.illness
    if not (illness.name and illness.remembered):
        return
    infection = mind.context.snapshot.row(keys.INFECTION.of(mind.who))
    if infection is None or infection.stage != "ill":
        return
    since = mind.state.memory(mind.who).since(infection.since, ("event",))
    if any(memory.predicate == ILL_PREDICATE for memory in since):
        return
    text = mind.words.say("fell_ill", name=mind.me.name, illness=illness.name)
    memory = NewMemory("event", text, mind.who, ILL_PREDICATE, illness.name)
    (made,) = await mind.remember([memory], [ILL_POIGNANCY], "rule:illness")
    give_reason(mind, made, "rule:illness")
