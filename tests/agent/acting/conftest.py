"""Towns at noon, calm and with a fire."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.noon_town import Fire, Noon


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Noon]:
    noon = Noon(tmp_path)
    with noon.run:
        yield noon


@pytest.fixture
def fire(tmp_path: Path) -> Iterator[Fire]:
    town = Fire(tmp_path)
    with town.run:
        yield town
