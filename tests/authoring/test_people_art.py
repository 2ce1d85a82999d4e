"""The residents' pictures: sheets of the promised layout, looks that fit the palette, and the same
bytes each time.
"""

from __future__ import annotations

import json
from io import BytesIO
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hometown.authoring.art.people import Look, look_for, portrait, sprites
from hometown.authoring.art.people.dyes import DYES
from hometown.authoring.art.people.sprite import FACINGS, GROUND, HEIGHT, POSES, WIDTH
from hometown.authoring.starter import make_world
from hometown.paths import WORLDS

Image = pytest.importorskip("PIL.Image", reason="pictures need Pillow")

SOME = ("isabella_rodriguez", "wolfgang_schulz", "sam_moore", "ayesha_khan", "tamara_taylor")
LOOKS: dict[str, dict[str, Look]] = {
    world: {
        who: Look(**{**given, "extras": tuple(given.get("extras", ()))})
        for who, given in residents.items()
    }
    for world, residents in json.loads(
        Path(__file__).with_name("looks.json").read_text("utf-8")
    ).items()
}
"""Looks of the residents of the worlds that ship, by world and resident."""
COLOURED = ("skin", "hair_dye", "top", "legs", "inner", "trim", "shoes", "eyes", "ground")


def frames(look: Look) -> np.ndarray:
    """`(facing, pose, height, width)`: which pixels are painted."""
    alpha = np.asarray(sprites(look))[..., 3]
    return (alpha.reshape(len(FACINGS), HEIGHT, len(POSES) + 1, WIDTH).swapaxes(1, 2)[:, :-1]) > 0


@pytest.mark.parametrize("who", SOME)
def test_feet_stand_on_the_ground_and_nothing_is_cut_off(who: str) -> None:
    painted = frames(LOOKS["ville"][who])
    assert painted[..., GROUND, :].any(-1).all(), "every frame has a foot on the ground"
    assert not painted[..., 0, :].any(), "a head ends at the frame's edge"
    assert not painted[..., (0, -1)].any(), "somebody is wider than a frame"


@pytest.mark.parametrize("who", SOME)
def test_a_walk_moves(who: str) -> None:
    sheet = (
        np.asarray(sprites(LOOKS["ville"][who]))
        .reshape(len(FACINGS), HEIGHT, len(POSES) + 1, WIDTH, 4)
        .swapaxes(1, 2)
    )
    for row in sheet:
        assert all((frame != other).any() for frame, other in combinations(row, 2))


def test_portraits_are_opaque_squares() -> None:
    picture = portrait(LOOKS["ville"]["sam_moore"])
    assert picture.size == (96, 96)
    assert picture.getchannel("A").getextrema() == (255, 255)


@given(st.text(max_size=20))
@settings(max_examples=200)
def test_every_id_has_a_look_of_known_dyes(who: str) -> None:
    look = look_for(who)
    assert look == look_for(who)
    assert all(getattr(look, part) in DYES for part in COLOURED)


@pytest.mark.parametrize("number", range(60))
def test_looks_fit_the_pronouns(number: int) -> None:
    who = f"stranger_{number}"
    for she, he in (("she", "he"), ("她", "他")):
        assert not look_for(who, she).beard
        man = look_for(who, he)
        assert man.lower == "trousers"
        assert man.cut not in ("dress", "blouse")
        assert "earrings" not in man.extras


def test_the_first_two_of_a_new_world_look_as_they_are_spoken_of(tmp_path: Path) -> None:
    folder = make_world("new", ["en", "zh"], tmp_path)
    for who in ("ada", "ben"):
        pronoun = json.loads((folder / "residents" / f"{who}.json").read_text("utf-8"))["pronouns"][
            "en"
        ][0]
        written = BytesIO()
        portrait(look_for(who, pronoun)).save(written, "PNG", optimize=True)
        assert (folder / "portraits" / f"{who}.png").read_bytes() == written.getvalue()


def test_looks_of_strangers_can_be_drawn_and_differ() -> None:
    drawn = {sprites(look_for(f"clone_{number}")).tobytes() for number in range(12)}
    assert len(drawn) == 12


@pytest.mark.parametrize("number", range(0, 40, 8))
def test_a_stranger_fits_a_frame(number: int) -> None:
    painted = frames(look_for(f"stranger_{number}"))
    assert not painted[..., 0, :].any()
    assert not painted[..., (0, -1)].any()


def test_no_two_residents_look_alike() -> None:
    looks = [look for residents in LOOKS.values() for look in residents.values()]
    assert len(looks) == 55
    assert all(look != other for look, other in combinations(looks, 2))


@pytest.mark.parametrize("world", LOOKS)
def test_residents_of_the_worlds_that_ship_are_drawn_as_before(world: str) -> None:
    assert {*LOOKS[world]} == {file.stem for file in (WORLDS / world / "residents").iterdir()}
    for who, look in LOOKS[world].items():
        for folder, drawn in (("sprites", sprites(look)), ("portraits", portrait(look))):
            with Image.open(WORLDS / world / folder / f"{who}.png") as before:
                assert drawn.tobytes() == before.convert("RGBA").tobytes(), (folder, who)
