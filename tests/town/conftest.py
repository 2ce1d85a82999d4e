"""What several tests of runs share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.torture.crash import Original, original


@pytest.fixture(scope="session")
def unkilled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Original]:
    """The town that nobody kills, with its server; lived once for all tests of a process."""
    with original(tmp_path_factory.mktemp("unkilled"), 0.0) as town:
        yield town
