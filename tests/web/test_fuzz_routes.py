from __future__ import annotations

from pathlib import Path

from tests.torture.routes import Watched, fuzz


def test_no_route_fails(tmp_path: Path) -> None:
    result = fuzz(tmp_path, 4)
    assert result.failures == []
    assert result.requests > 100
    assert {"from", "to"} <= Watched.asked
