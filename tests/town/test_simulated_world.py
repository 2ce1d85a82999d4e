"""A town whose network, disk and clock fail at moments drawn from one number lives the steps of one
where nothing failed.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hometown.storage import run
from hometown.storage.database import connect_writer
from tests.torture.cases import Lost
from tests.torture.simulation import simulated_worlds

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="files are replaced that Windows keeps open"
)


def test_a_number_is_a_history(tmp_path: Path) -> None:
    """The same one each time; `make torture` lives 300."""
    first, again = (simulated_worlds(tmp_path / name, 2, 6) for name in ("one", "other"))
    assert first == again
    assert first.lives > first.worlds
    assert len(first.faults) > 5


def test_the_harness_sees_steps_that_were_not_durable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were commits not synced, it would say so, and how to repeat it."""
    monkeypatch.setattr(run, "connect_writer", lambda file, _: connect_writer(file, "NORMAL"))
    with pytest.raises(Lost, match=r"python -m tests\.torture worlds \d+ 1: "):
        simulated_worlds(tmp_path, 12)
