"""The page turns flipped tiles as the pictures of a town do: the diagonal first, then left to
right, then top to bottom.
"""

from __future__ import annotations

import json
import subprocess
from itertools import product
from pathlib import Path

import pytest

from hometown.world.tiled import FLIPPED_ACROSS, FLIPPED_DIAGONALLY, FLIPPED_DOWN
from tests.support.hang import HANG
from tests.support.needs import require_node

Image = pytest.importorskip("PIL.Image")

from hometown.authoring.art.preview import FLIPS  # noqa: E402 – it needs Pillow


def test_a_tile_is_turned_as_its_flags_say() -> None:
    node = require_node()
    flags = [
        sum(chosen)
        for chosen in product((0, FLIPPED_DIAGONALLY), (0, FLIPPED_ACROSS), (0, FLIPPED_DOWN))
    ]
    script = Path(__file__).with_name("flips.mjs")
    answer = subprocess.run(
        [node, str(script), *(str(1 | flag) for flag in flags)],
        capture_output=True,
        check=True,
        timeout=HANG,
        text=True,
    )
    for flag, corners in zip(flags, json.loads(answer.stdout), strict=True):
        tile = Image.new("L", (2, 2))
        tile.putdata([0, 1, 2, 3])
        for bit, flip in FLIPS:
            tile = tile.transpose(flip) if flag & bit else tile
        where = {
            tile.getpixel((column, row)): [2 * column, 2 * row]
            for row in (0, 1)
            for column in (0, 1)
        }
        assert corners == [where[number] for number in range(4)], hex(flag)
