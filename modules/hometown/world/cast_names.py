"""The names of a thread's cast in its texts."""

from __future__ import annotations

from hometown.world.threads import Cast
from hometown.world.world import World


def fill_in_names(world: World, text: str, cast: Cast) -> str:
    """Return a text of a thread with the names of its cast filled in."""
    return text.format(**{part: world.name_of(who) for part, who in cast})
