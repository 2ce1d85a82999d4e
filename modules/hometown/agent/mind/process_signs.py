"""The part that processes on a town have in a resident's prompts: their opinion, their illness, and
the people here who look ill.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hometown.agent.mind.phrasing import Words
from hometown.setting_sections import ProcessSettings
from hometown.world import keys
from hometown.world.state import State

STANCE_KEYS = ("opinion_0", "opinion_1", "opinion_2", "opinion_3", "opinion_4")
"""The texts of the stances, from against to in favour."""


def describe_processes(
    words: Words, state: State, processes: ProcessSettings, who: str, here: Iterable[str]
) -> Iterator[str]:
    """Yield a sentence for a resident's opinion, for their illness, and for each of the other people
    `here` who look ill, as the step begins.
    """
    statement, illness = processes.opinion.statement, processes.illness.name
    opinion = state.row(keys.OPINION.of(who)) if statement else None
    if opinion:
        stance = words.say(STANCE_KEYS[opinion.stance])
        yield words.say("opinion_held", statement=statement, stance=stance)
    if not illness:
        return
    if is_ill(state, who):
        yield words.say("ill_oneself", illness=illness)
    for other in here:
        if other != who and is_ill(state, other):
            yield words.say("ill_other", name=words.name(other))


def is_ill(state: State, who: str) -> bool:
    """Return True if a resident has the illness of the run, and everybody can see it."""
    infection = state.row(keys.INFECTION.of(who))
    return infection is not None and infection.stage == "ill"
