"""The order of thoughts does not depend on which arena comes first to somebody outside the group."""

from __future__ import annotations

from typing import Any, cast

from hometown.agent.mind import Mind
from hometown.agent.thinking_group import ThinkingGroup


def test_minds_outside_the_group_come_by_id_whoever_needs_them_first() -> None:
    def order(first: str, then: str) -> list[str]:
        minds = dict.fromkeys(("bo", "ana"), cast(Mind, None))
        group = ThinkingGroup(minds, lambda who: cast(Any, who))
        minds[first] = minds[then] = cast(Any, "")
        return list(group.order_minds())

    assert order("visitor_z", "visitor_c") == order("visitor_c", "visitor_z")
    assert order("visitor_z", "visitor_c") == ["bo", "ana", "visitor_c", "visitor_z"]
