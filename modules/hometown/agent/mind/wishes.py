"""The open wishes of a resident, and the events of their course."""

from __future__ import annotations

from typing import Any

from hometown.agent.mind.mind import Mind
from hometown.language import Lang
from hometown.text import catalogue
from hometown.world.wish import OUTCOMES, Wish, WishEvent, WishSet, WishStep


def say_about_wish(lang: Lang, key: str, **fields: Any) -> str:
    """Return a sentence about the course of a wish, in the town's language."""
    return catalogue(lang, "wishes")[key].format(**fields)


def list_open_wishes(mind: Mind) -> list[Wish]:
    """Return the resident's wishes without an outcome, the oldest first."""
    return [wish for wish in mind.state.wishes(mind.who) if wish.is_open]


def find_wish(mind: Mind, memory: int) -> Wish | None:
    """Return the open wish of a memory; None if it has none."""
    return next((wish for wish in list_open_wishes(mind) if wish.memory == memory), None)


def record_wish(
    mind: Mind, wish: Wish, event: WishEvent, cause: str, why: str = "", memory: int = 0
) -> None:
    """Add an event to the course of a wish. An outcome also settles its memory.

    Args:
        mind: the mind of its owner.
        wish: the wish.
        event: the kind of event.
        cause: the call or rule that it comes from.
        why: the reason.
        memory: the memory that shows it; for an outcome, by default the latest of the wish.
    """
    if event in OUTCOMES and not memory:
        shown = (step.memory for step in reversed(wish.steps) if step.memory)
        memory = next(shown, wish.memory)
    step = WishStep(mind.now, event, why, memory)
    mind.do(WishSet(mind.who, wish.along(step)), cause)
    stream = mind.state.memory(mind.who)
    if event in OUTCOMES and wish.memory in stream:
        mind.settle((stream.concept(wish.memory),), cause)
