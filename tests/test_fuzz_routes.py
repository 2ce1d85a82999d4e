from __future__ import annotations

from pathlib import Path

from tests.torture.routes import Watched, fuzz


def test_no_route_fails(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 15)
    assert found.failures == []
    assert found.requests > 100
    assert {"from", "to"} <= Watched.asked
