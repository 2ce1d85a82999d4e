"""Days of minitown that many tests read: each is lived once for all of them. Nobody may change them; who wants to go on copies the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.language import Lang
from hometown.storage.fork import fork_run
from hometown.storage.world_copy import world_files
from tests.support.once import made_once
from tests.support.town import live, minitown, opened

STEPS = 108
"""From six in the morning to midnight."""


def lived_day(factory: pytest.TempPathFactory, lang: Lang = "en", seed: int = 1) -> Path:
    """The results folder of a day of minitown with the default settings; the run is called "town"."""
    return made_once(factory, f"day-{lang}-{seed}", lambda folder: live(folder, STEPS, world=minitown(lang), seed=seed))


def set_out(factory: pytest.TempPathFactory, folder: Path, step: int) -> None:
    """Puts the first steps of that day into a results folder, from where `live` goes on as it would have if it had lived them."""
    with opened(lived_day(factory)) as day:
        fork_run(folder, day, step, day.manifest, step, None, (), world_files(day))
