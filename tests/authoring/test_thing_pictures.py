"""Things that a user places get the picture of their kind, in both languages; unknown ones are
distinguished.
"""

from __future__ import annotations

import io

import pytest

from hometown.authoring.word_tables import read_word_table

Image = pytest.importorskip("PIL.Image")

from hometown.authoring.art.kinds import load_decorations, load_kinds  # noqa: E402
from hometown.authoring.art.thing_pictures import picture_kind, picture_png  # noqa: E402


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bookshelf", "bookshelf"),
        ("an old bookcase", "bookshelf"),
        ("书架", "bookshelf"),
        ("piano", "piano"),
        ("a grand piano", "piano"),
        ("钢琴", "piano"),
        ("park bench", "bench"),
        ("长椅", "bench"),
        ("television", "tv"),
        ("老式电视机", "tv"),
        ("street lamp", "lamp"),
        ("fish tank", "fish_tank"),
        ("flower_pot", "flower_pots"),
        ("a hot-air balloon", "hot_air_balloon"),
        ("热气球", "hot_air_balloon"),
        ("a secret", ""),
        ("秘密", ""),
    ],
)
def test_a_name_in_either_language_gives_the_picture(name: str, kind: str) -> None:
    assert picture_kind(name) == kind


def test_tags_give_it_where_the_name_says_nothing() -> None:
    assert picture_kind("granny's favourite", ["rest", "read", "seat", "armchair"]) == "armchair"
    assert picture_kind("granny's favourite", ["rest"]) == ""
    assert picture_kind("granny's favourite") == ""


def test_every_kind_in_the_table_has_a_picture() -> None:
    for row in read_word_table("places")["things"]:
        assert row["kind"] in load_kinds(), row
    for row in read_word_table("places")["decor"]:
        assert row["kind"] in load_decorations(), row
    for kind in [*load_kinds(), *load_decorations()]:
        with Image.open(io.BytesIO(picture_png(kind))) as image:
            assert image.mode == "RGBA"
            assert image.size == (image.getbbox()[2], image.getbbox()[3]), kind
            assert image.width >= 8, kind
