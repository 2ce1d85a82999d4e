"""A name that nobody in town bears is asked back at once, with the nearest names."""

from __future__ import annotations

import pytest

from hometown.errors import BadInput
from hometown.language import Lang
from hometown.world.load import load_world
from hometown.world.resolve import parse_intervention
from hometown.world.unknown_names import find_nearest_names, find_unknown_name

UNKNOWN: list[tuple[str, Lang, str, str]] = [
    ("ville", "en", "Tell Mary how you feel", "Mary"),
    ("ville", "en", "You want to throw a party with Isabela", "Isabela"),
    ("ville", "en", "Ask Dr Jekyll for help", "Jekyll"),
    ("minitown", "zh", "跟小梅说你支持她", "小梅"),
    ("minitown", "zh", "告诉王方真相", "王方"),
    ("minitown", "zh", "和小吴下棋", "小吴"),
    ("minitown", "zh", "去找周馆长问书", "周馆长"),
    ("minitown", "zh", "给桥头的老吴头送枝玫瑰", "老吴头"),
    ("ville", "en", "Read your poem to Beatrice Langley", "Beatrice Langley"),
    ("ville", "en", "Help old Mr. Pemberton carry it", "Pemberton"),
    ("ville", "zh", "把真相告诉玛莉亚", "玛莉亚"),
]

NO_NAMES: list[tuple[str, Lang, str]] = [
    ("ville", "en", "Tell Maria about Einstein"),
    ("ville", "en", "Go to London on Tuesday"),
    ("ville", "en", "Tell Maria Lopez that you play Chopin"),
    ("ville", "en", "Invite Professor Lin to Hobbs Café"),
    ("ville", "en", "Tell “Mary” hello"),
    ("minitown", "zh", "请小朋友吃糖"),
    ("minitown", "zh", "问问老师"),
    ("minitown", "zh", "和小王下棋"),
    ("minitown", "zh", "对林悦好一点"),
    ("ville", "zh", "去树林里散步"),
    ("ville", "zh", "今晚在咖啡馆唱首歌"),
]


@pytest.mark.parametrize(("world", "lang", "text", "name"), UNKNOWN)
def test_a_name_that_nobody_bears_is_found(world: str, lang: Lang, text: str, name: str) -> None:
    assert find_unknown_name(text, load_world(world, lang)) == name


@pytest.mark.parametrize(("world", "lang", "text"), NO_NAMES)
def test_other_words_are_no_unknown_names(world: str, lang: Lang, text: str) -> None:
    assert find_unknown_name(text, load_world(world, lang)) == ""


def test_the_user_is_asked_back_with_the_nearest_names() -> None:
    minitown = load_world("minitown", "zh")
    with pytest.raises(BadInput) as refused:
        parse_intervention("tell", "赵刚: 跟小梅说你支持她", minitown)
    assert str(refused.value).startswith("nobody in minitown is called '小梅'; did you mean 小美?")
    assert find_nearest_names("Mary", load_world("ville", "en"))[0] == "Maria Lopez"
    meant = parse_intervention("tell", "赵刚: 跟“小梅”说你支持她", minitown)
    assert meant.text == "跟“小梅”说你支持她"
