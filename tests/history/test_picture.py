"""A picture of a moment: everybody is where the run has them, and beside the map stands what they
do and what lies in store.
"""

from __future__ import annotations

import errno
import io
import os
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from hometown.cli.main import run_hometown as hometown
from hometown.history.moment import describe_moment
from hometown.history.picture import HEAD, MARGIN, png, webp_near
from hometown.memory.action import Action
from hometown.settings import Settings
from hometown.world.feeling import Feel
from hometown.world.labour import Shop
from hometown.world.load import load_world
from hometown.world.matter import Stock
from hometown.world.rows import Body
from tests.support.synthetic_run import make_run

CAST = ("chen_siyuan", "lin_yue", "zhang_wei")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Pixels of the map's longer side, fewer than users get."""
    monkeypatch.setattr("hometown.history.picture.LONGEST", 480)
    return 480


class Kept:
    """What the farmstead's Ada does and feels, and what lies on the bread counter."""

    def __init__(self) -> None:
        self.residents, self.run = ["ada"], self
        self.manifest: Any = type(
            "Manifest",
            (),
            {
                "name": "farm",
                "start": datetime(2025, 4, 3, 6),
                "settings": Settings(faculties={"feel": True}),
            },
        )

    def furniture(self, at: int) -> dict[str, Any]:
        return {}

    def moment(self, step: int) -> datetime:
        return datetime(2025, 4, 14, 14)

    def row(self, key: str, step: int) -> Any:
        rows = {
            "body/ada": Body((10, 10)),
            "action/ada": Action("act", "reaping wheat", "fields/north/furrows", 60),
            "feel/ada": Feel((4000, 1200, 0), datetime(2025, 4, 14, 14), ()),
            "stock/bakery/main/counter": Stock((("basket#4", 1), ("loaf", 24))),
            "shop/bakery/main/counter": Shop((("loaf", 43),)),
            "stock/house:farm": Stock((("coin", 12),)),
        }
        return rows.get(key)


@pytest.mark.parametrize(
    ("lang", "when", "counter", "mood"),
    [
        (
            "en",
            "Day 12, 14:00 · 2025-04-14 · summer",
            "basket × 1, loaf × 24 at 43",
            "in high spirits",
        ),
        ("zh", "第 12 天 14:00 · 2025-04-14 · 夏", "柳条篮 1，面包 24（每份 43）", "兴致高昂"),
    ],
)
def test_a_moment_in_words(lang: Any, when: str, counter: str, mood: str) -> None:
    told = describe_moment(Kept(), load_world("farmstead", lang), 1)  # type: ignore[arg-type]
    assert told.when == when
    (ada,) = told.people
    assert (ada.doing, ada.mood, ada.pleasure) == ("reaping wheat", mood, 66)
    assert told.stores[0].goods == counter
    assert " 12" in told.stores[-1].goods


def test_everybody_is_where_the_run_has_them(small: int) -> None:
    told = describe_moment(Kept(), load_world("farmstead", "en"), 1)  # type: ignore[arg-type]
    empty, peopled = (
        Image.open(io.BytesIO(png(each))) for each in (replace(told, people=()), told)
    )
    changed, each = ImageChops.difference(empty, peopled).convert("L"), small / told.size[0]
    column, row = told.people[0].tile
    assert changed.crop(
        (
            round(MARGIN + column * each),
            round(HEAD + row * each),
            round(MARGIN + (column + 1) * each),
            round(HEAD + (row + 1) * each),
        )
    ).getbbox()
    assert changed.crop((MARGIN + small, HEAD, peopled.width, peopled.height)).getbbox(), (
        "what she does is written beside the map"
    )
    assert not changed.crop(
        (MARGIN + small // 2, HEAD + small // 3, MARGIN + small, HEAD + small // 2)
    ).getbbox(), "elsewhere it is the same"


class Left(Kept):
    """Ada has left town."""

    def row(self, key: str, step: int) -> Any:
        gone = Action("away", "out of town", "fields/north/furrows", 60)
        return gone if key == "action/ada" else super().row(key, step)


def test_who_has_left_town_is_on_no_map(small: int) -> None:
    told = describe_moment(Left(), load_world("farmstead", "en"), 1)  # type: ignore[arg-type]
    (ada,) = told.people
    assert (ada.is_away, ada.place, ada.doing) == (True, "", "out of town")
    nobody = replace(told, people=())
    empty, peopled = (Image.open(io.BytesIO(png(each))) for each in (nobody, told))
    changed = ImageChops.difference(empty, peopled).convert("L")
    assert not changed.crop((0, 0, MARGIN + small, changed.height)).getbbox()
    assert webp_near(told, ada.tile) == webp_near(nobody, ada.tile)


def test_the_command_writes_it(
    tmp_path: Path, small: int, capsys: pytest.CaptureFixture[str]
) -> None:
    make_run(tmp_path, world="minitown", residents=CAST)
    folder = ["--results", str(tmp_path), "--lang", "en"]
    assert hometown(["picture", "sample", "--at", "2", *folder]) == 0
    file = Path(capsys.readouterr().out.strip().removeprefix("picture: "))
    assert file.parent == tmp_path / "pictures"
    assert Image.open(file).format == "PNG"
    assert hometown(["picture", "sample", "--at", "9", *folder]) == 2
    assert hometown(["picture", "sample", "--out", str(tmp_path), *folder]) == 2
    assert "name a PNG file in a writable folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("picture", "sample"), ("world", "check", "minitown")])
def test_a_picture_is_kept_where_the_new_one_cannot_be_written(
    command: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    small: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    make_run(tmp_path, world="minitown", residents=CAST)
    file = tmp_path / "wall.png"
    file.write_bytes(b"a picture")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("hometown.files.os.fsync", full)
    assert hometown([*command, "--out", str(file), "--results", str(tmp_path)]) == 2
    assert f"can't write {file} (No space left on device)" in capsys.readouterr().err
    assert file.read_bytes() == b"a picture"
