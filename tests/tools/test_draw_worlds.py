"""What the drawing tool makes is what the world folder holds."""

from __future__ import annotations

import pytest

from hometown.paths import WORLDS
from hometown.world.load import list_worlds

Image = pytest.importorskip("PIL.Image", reason="the drawing tool needs Pillow")


@pytest.mark.parametrize("town", list_worlds())
def test_the_pictures_in_the_world_folder_are_those_that_the_tool_draws(town: str) -> None:
    from tools.draw_worlds import draw_town

    text, pictures = draw_town(town)
    kept = WORLDS / town
    assert text == (kept / "map.tmj").read_text("utf-8")
    assert set(pictures) == {path.relative_to(kept).as_posix() for path in kept.rglob("*.png")}
    assert len(pictures) == 1 + 2 * len(list((kept / "residents").glob("*.json")))
    for name, picture in pictures.items():
        assert picture.tobytes() == Image.open(kept / name).convert("RGBA").tobytes(), name


def test_the_sheet_of_icons_is_the_one_that_is_drawn() -> None:
    from hometown.authoring.art import emblems
    from tools.draw_emblems import FILE

    assert emblems.sheet().tobytes() == Image.open(FILE).convert("RGBA").tobytes()
    pictures = {emblems.draw(name).tobytes() for name in emblems.emblems()}
    assert len(pictures) == len(emblems.emblems()) > 60


def test_every_kind_and_every_character_of_a_plan_can_be_drawn() -> None:
    from hometown.authoring.art import furniture, ground, kinds, terrain
    from hometown.authoring.art.floors import FLOORS

    for kind in [*kinds.KINDS, *kinds.DECOR]:
        picture, shape = furniture.draw(kind), furniture.shape(kind)
        assert picture.image.size == (32 * len(shape[0]), 32 * (len(shape) + picture.above)), kind
        assert picture.image.getbbox(), kind
    for mark in [*FLOORS, *ground.LAID, *".fTtaihjM|#+"]:
        plan = [".....", f"..{mark}..", f".{mark * 3}.", f"..{mark}..", "....."]
        drawn = [
            (layer, image)
            for row in range(5)
            for column in range(5)
            for layer, image in terrain.tiles(column, row, plan)
        ]
        assert all(image.size == (32, 32) for _, image in drawn), mark
        assert all(
            image.getchannel("A").getextrema() == (255, 255)
            for layer, image in drawn
            if layer == "ground"
        ), mark


def test_a_border_goes_on_from_tile_to_tile() -> None:
    import numpy as np

    from hometown.authoring.art.texture import MARGIN, border

    cells = [[n % 3 == 0 or m > 3 for n in range(8)] for m in range(7)]

    def around(column: int, row: int) -> tuple[bool, ...]:
        return tuple(
            cells[row + down][column + right]
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            for _ in (0, 1)
        )

    for row in range(1, 5):
        for column in range(1, 6):
            here = border(around(column, row), column, row, 0.4)
            beside = border(around(column + 1, row), column + 1, row, 0.4)
            assert np.allclose(
                here[MARGIN:-MARGIN, -2 * MARGIN : -MARGIN], beside[MARGIN:-MARGIN, :MARGIN]
            )


def test_windows_and_lamps_glow_at_night() -> None:
    import json

    drawn = json.loads((WORLDS / "minitown" / "map.tmj").read_text("utf-8"))
    (lights,) = (layer for layer in drawn["layers"] if layer["name"] == "lights")
    assert not lights["visible"]
    assert 40 < sum(map(bool, lights["data"])) < 200


@pytest.mark.parametrize("town", list_worlds())
def test_nothing_stands_in_anything_else(town: str) -> None:
    from hometown.authoring.art.furniture import shape
    from tools.draw_worlds import TOWNS

    plan = TOWNS[town][0]()
    standing = [(thing.kind, thing.at) for thing in plan.things] + [
        (kind, at) for kind, at in plan.decor if "#" in shape(kind)[0]
    ]
    taken: dict[tuple[int, int], str] = {}
    for kind, (column, row) in standing:
        for place in [
            (column + right, row + down)
            for down, line in enumerate(shape(kind))
            for right in range(len(line))
        ]:
            assert place not in taken, f"{kind} and {taken[place]} at {place}"
            taken[place] = kind


@pytest.mark.parametrize("town", list_worlds())
def test_what_swims_is_in_the_water(town: str) -> None:
    from tools.draw_worlds import TOWNS

    plan = TOWNS[town][0]()
    swimming = [(kind, at) for kind, at in plan.decor if kind in ("koi", "ducks", "boat", "lily")]
    assert swimming
    assert [
        (kind, (column, row)) for kind, (column, row) in swimming if plan.ground[row][column] != "~"
    ] == []


@pytest.mark.parametrize("town", ["cloudvale", "farmstead"])
def test_bridges_have_no_notch(town: str) -> None:
    from tools.draw_worlds import TOWNS

    decks = {
        (column, row)
        for row, line in enumerate(TOWNS[town][0]().ground)
        for column, mark in enumerate(line)
        if mark == "="
    }
    assert decks
    for column, row in decks:  # a corner that is missing has two neighbours that are there
        for right, down in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            beside = {(column + right, row), (column, row + down)}
            assert not beside <= decks or (column + right, row + down) in decks, (
                f"the bridge at {column, row} has a notch"
            )
