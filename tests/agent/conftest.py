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
def start() -> datetime:
    """Return the time at which the town begins."""
    return datetime(2025, 2, 13, 12)


@pytest.fixture
def game(tmp_path: Path, lang: Lang, start: datetime) -> Iterator[Game]:
    """Yield a town one step after its start, at noon where a test has no other time."""
    begin_town(tmp_path, lang, start)
    with RunFile.open(tmp_path, "town", write=True) as run:
        yield game_on(run, minitown(lang))
