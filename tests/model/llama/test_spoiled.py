"""A file that is spoiled between two sessions or during one, and a llama.cpp that dies in the midst
of a reply: told in a line, and nothing is lost.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.torture.llama_files import KINDS, spoil_files


@pytest.mark.skipif(
    os.name == "nt", reason="Windows does not empty a file that another process reads"
)
def test_each_is_told_and_the_town_goes_on(tmp_path: Path) -> None:
    kinds = [kind for kind in KINDS if not kind.startswith("really")]
    toll = spoil_files(tmp_path, len(kinds))
    assert (sorted(toll.kinds), toll.lived, toll.refused) == (
        sorted(kinds),
        len(kinds),
        len(kinds) - 1,
    )
