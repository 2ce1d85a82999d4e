"""What the drawing tool makes is what the world folder holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from modules.world.load import WORLDS

Image = pytest.importorskip("PIL.Image", reason="the drawing tool needs Pillow")


@pytest.mark.parametrize("town", ["minitown"])
def test_the_pictures_in_the_world_folder_are_those_that_the_tool_draws(town: str, tmp_path: Path) -> None:
    from tools.draw_worlds import draw

    draw(town, tmp_path)
    kept = WORLDS / town
    assert (tmp_path / "map.tmj").read_text("utf-8") == (kept / "map.tmj").read_text("utf-8")
    drawn = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.png"))
    assert len(drawn) == 1 + 2 * len(list((kept / "residents").glob("*.json")))
    for name in drawn:
        assert Image.open(tmp_path / name).tobytes() == Image.open(kept / name).tobytes(), name
