"""What activities are about, in both languages."""

from __future__ import annotations

import pytest

from hometown.language import Lang
from hometown.world.activities import themes, themes_of


def test_themes_are_the_same_ones_in_both_languages() -> None:
    assert [(theme.key, theme.tags) for theme in themes("en")] == [
        (theme.key, theme.tags) for theme in themes("zh")
    ]
    assert all(theme.words and theme.tags for lang in ("en", "zh") for theme in themes(lang))


@pytest.mark.parametrize(
    ("activity", "lang", "keys"),
    [
        ("Brushing teeth, then a shower", "en", ["wash", "bathe"]),
        ("先刷牙，再洗澡", "zh", ["wash", "bathe"]),
        ("staring at nothing", "en", []),
        ("packing up the pieces", "en", []),
        ("solving exercises", "en", []),
        ("比对两条曲线", "zh", []),
        ("切葱花", "zh", []),
    ],
)
def test_an_activity_is_about_what_its_words_name(
    activity: str, lang: Lang, keys: list[str]
) -> None:
    assert [theme.key for theme in themes_of(activity, lang)] == keys
