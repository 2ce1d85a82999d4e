"""Fixtures of the tests of minds."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from hometown.game import Game
from hometown.language import Lang
from hometown.storage.run import RunFile
from tests.support.town import begin_town, game_on, minitown


@pytest.fixture
def lang() -> Lang:
    """Return the language of the town; a test in another has a parameter of this name."""
    return "en"


@pytest.fixture
def noon(tmp_path: Path, lang: Lang) -> Iterator[Game]:
    """Yield a town at noon, one step after its start."""
    begin_town(tmp_path, lang, start=datetime(2025, 2, 13, 12))
    with RunFile.open(tmp_path, "town", write=True) as run:
        yield game_on(run, minitown(lang))
