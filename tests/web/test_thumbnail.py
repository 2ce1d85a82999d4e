"""The picture in the list of runs is drawn for every map that a world may have; a map that has
become unreadable is no server error.
"""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hometown.errors import BadWorld
from hometown.paths import WORLDS
from hometown.world.load import load_world
from hometown.world.tiled import FLIPPED_ACROSS, FLIPPED_DIAGONALLY
from tests.support.spoilt_worlds import edit
from tests.world.test_tiled_maps import packed

Image = pytest.importorskip("PIL.Image")

from hometown.web import thumbnail as thumbnail_module  # noqa: E402
from hometown.web.thumbnail import TALLEST, THUMBNAIL_WIDTH, thumbnail, town_picture  # noqa: E402 – it needs Pillow


class Asleep:
    """A run in which nobody is anywhere."""

    def last_step(self) -> int:
        return 1

    def positions(self, step: int) -> dict[str, Any]:
        return {}


def flip_and_pack(drawn: dict[str, Any]) -> None:
    ground = next(layer for layer in drawn["layers"] if layer["name"] == "ground")
    ground["data"] = [
        cell | FLIPPED_ACROSS | FLIPPED_DIAGONALLY if cell else 0 for cell in ground["data"]
    ]
    second = {**drawn["tilesets"][0], "firstgid": drawn["tilesets"][0]["tilecount"] + 1}
    ground["data"][0] = second["firstgid"]
    drawn["tilesets"].append(second)
    packed(drawn, "zlib")


def test_flipped_tiles_packed_layers_and_a_second_tileset(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "town"))
    edit(folder / "map.tmj", flip_and_pack)
    picture = thumbnail(Asleep(), load_world(folder, "en"))  # type: ignore[arg-type]
    assert Image.open(io.BytesIO(picture)).width == THUMBNAIL_WIDTH


def test_a_map_that_has_become_unreadable_has_no_picture(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "town"))
    world = load_world(folder, "en")
    (folder / "map.tmj").write_text(json.dumps({"layers": 1}), "utf-8")
    with pytest.raises(BadWorld):
        thumbnail(Asleep(), world)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("columns", "rows", "size"), [(2, 400, (13, TALLEST)), (400, 2, (THUMBNAIL_WIDTH, 3))]
)
def test_a_long_town_has_a_picture_of_bounded_size(
    columns: int, rows: int, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(WORLDS / "minitown", tmp_path / "town"))
    monkeypatch.setattr(thumbnail_module, "render", lambda *_: Image.new("RGBA", (columns, rows)))
    assert Image.open(io.BytesIO(town_picture(folder))).size == size
