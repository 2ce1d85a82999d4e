"""Days of minitown that many tests read: each is lived once for all of them. Nobody may change them; who wants to go on copies the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.language import Lang
from tests.support.once import made_once
from tests.support.town import live, minitown

STEPS = 108
"""From six in the morning to midnight."""


def lived_day(factory: pytest.TempPathFactory, lang: Lang = "en", seed: int = 1) -> Path:
    """The results folder of a day of minitown with the default settings; the run is called "town"."""
    return made_once(factory, f"day-{lang}-{seed}", lambda folder: live(folder, STEPS, world=minitown(lang), seed=seed))
