"""The wishes that users have whispered to residents: how far each has come, and why."""

from __future__ import annotations

from hometown.history import shapes
from hometown.history.reader import RunReader
from hometown.world import keys
from hometown.world.wish import Wish, WishStep


def list_wishes(run: RunReader) -> list[shapes.WishView]:
    """Return the wishes of all residents with their course, the earliest first."""
    last = run.last_step()
    found = [
        _wish_shape(run, who, wish) for who in run.residents for wish in _wishes_of(run, who, last)
    ]
    return sorted(found, key=lambda wish: (wish["steps"][0]["tick"], wish["who"], wish["memory"]))


def _wishes_of(run: RunReader, who: str, last: int) -> tuple[Wish, ...]:
    row = run.row(keys.WISHES.of(who), last)
    return row.items if row else ()


def _wish_shape(run: RunReader, who: str, wish: Wish) -> shapes.WishView:
    return {
        "who": who,
        "memory": wish.memory,
        "text": wish.text,
        "people": list(wish.people),
        "address": wish.address,
        "due": run.tick(wish.start) if wish.start else None,
        "steps": [_step_shape(run, step) for step in wish.steps],
    }


def _step_shape(run: RunReader, step: WishStep) -> shapes.WishStepView:
    return {
        "tick": run.tick(step.when),
        "event": step.event,
        "why": step.why,
        "memory": step.memory,
    }
