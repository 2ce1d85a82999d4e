"""The condition under which a resident reflects (Park et al. 2023, §4.2)."""

from __future__ import annotations

from hometown.settings import Settings
from hometown.world.state import State

REFLECTION_KINDS = ("reflect_focus", "reflect_chats", "reflect_insights")
"""The kinds of the questions of a reflection."""


def is_reflection_due(who: str, state: State, settings: Settings) -> bool:
    """Return True if the poignancy of memories since the last reflection has reached its threshold,
    for a resident in town, in a run with the faculty to reflect.
    """
    return (
        settings.faculties.reflect
        and state.mind(who).poignancy >= settings.think.poignancy_max
        and not state.is_away(who)
    )
