"""How many examples a property is tried on that takes long to look at."""

from __future__ import annotations

from hypothesis import settings


def examples(few: int) -> int:
    """So few in `make test`, eight times as many in `make fuzz`."""
    return 8 * few if settings.get_current_profile_name() == "random" else few
