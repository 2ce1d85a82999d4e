"""Whose plan leads to an occasion."""

from __future__ import annotations

from datetime import datetime

import pytest

from hometown.language import Lang
from hometown.memory.schedule import PlacedEntry
from hometown.world.attendance import is_entry_for
from hometown.world.load import load_world
from hometown.world.occasion import Occasion

PLACE = "hobbs_cafe/main"


@pytest.mark.parametrize(
    ("lang", "activity", "room", "is_for_it"),
    [
        ("en", "going to Isabella's Valentine's Day party", "park/lawn", True),
        ("en", "joining in the party", PLACE, True),
        ("en", "joining in the party", "hobbs_cafe/terrace", True),
        ("en", "joining in the party", "park/lawn", False),
        ("en", "having coffee with the partygoers", PLACE, False),
        ("zh", "去参加聚会", PLACE, True),
        ("zh", "喝咖啡", PLACE, False),
    ],
)
def test_an_entry_is_for_an_occasion_that_it_mentions_or_whose_kind_it_names_at_its_place(
    lang: Lang, activity: str, room: str, is_for_it: bool
) -> None:
    world = load_world("ville", lang)
    story = next(each for each in world.storylines if each.gathering)
    party = Occasion(story.title, PLACE, datetime(2025, 2, 14, 17), 120, story=story.id)
    entry = PlacedEntry(1020, 1140, activity, room=room)
    assert is_entry_for(world, party, entry) is is_for_it
