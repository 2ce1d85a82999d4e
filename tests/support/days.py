"""Days of minitown that many tests read: each is lived once for all of them. Nobody may change
them; who wants to go on copies the folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hometown.language import Lang
from hometown.storage.fork import fork_run
from hometown.storage.world_copy import world_files
from hometown.world.interventions import Intervention
from tests.support.once import made_once
from tests.support.town import live, minitown, opened

STEPS = 108
"""From six in the morning to midnight."""


def lived_day(factory: pytest.TempPathFactory, lang: Lang = "en", seed: int = 1) -> Path:
    """The results folder of a day of minitown with the default settings; the run is called "town"."""
    return made_once(
        factory,
        f"day-{lang}-{seed}",
        lambda folder: live(folder, STEPS, world=minitown(lang), seed=seed),
    )


THOUGHTFUL: Mapping[str, Any] = {"think": {"poignancy_max": 40}}
"""Settings with which residents reflect several times a day."""

THOUGHTFUL_STEPS = 80
"""From six in the morning to twenty past seven in the evening."""


AGREED_SEED = 7
"""A seed on which residents agree, in the morning, to meet on the same day."""


def thoughtful_day(factory: pytest.TempPathFactory) -> Path:
    """The same day until the evening, with more reflections."""
    return made_once(
        factory,
        "day-thoughtful",
        lambda folder: live(folder, THOUGHTFUL_STEPS, settings=THOUGHTFUL, seed=AGREED_SEED),
    )


FEELING: Mapping[str, Any] = {"faculties": {"feel": True}}
FIRE: Mapping[Lang, str] = {"en": "A fire breaks out behind the counter", "zh": "柜台后面着火了"}
NOON, EVENING = 36, 78


def frightful_day(factory: pytest.TempPathFactory, lang: Lang = "en") -> Path:
    """A day until seven in the evening, with feelings, and with a fire in the café at noon."""

    def make(folder: Path) -> None:
        live(folder, NOON, world=minitown(lang), settings=FEELING)
        with opened(folder) as run:
            run.ask([Intervention("event", "cafe/main", FIRE[lang], NOON + 1)])
        live(folder, EVENING - NOON, world=minitown(lang))

    return made_once(factory, f"frightful-{lang}", make)


def set_out(day: Path, folder: Path, step: int, name: str = "town") -> None:
    """Puts the first steps of a day into a results folder, from where `live` goes on as it would
    have if it had lived them.
    """
    with opened(day) as run:
        fork_run(
            folder,
            run,
            step,
            run.manifest.model_copy(update={"name": name}),
            step,
            None,
            (),
            world_files(run),
        )
