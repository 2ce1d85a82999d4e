"""Pronouns of a Chinese summary lead back to the teller's name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hometown.scripted.reference import (
    name_in_return,
    name_teller,
    use_pronouns,
    use_pronouns_in_return,
)
from tests.support.scripted_talks import world

JOHN, MEI, EDDY = ("约翰", "他"), ("林梅", "她"), ("埃迪", "他")


@pytest.mark.parametrize(
    ("first", "second", "told", "short"),
    [
        (JOHN, MEI, "约翰告诉林梅：约翰觉得林梅太累。", "他告诉她：他觉得她太累。"),
        (JOHN, MEI, "林梅告诉约翰：林梅想歇一天。", "她告诉他：她想歇一天。"),
        (JOHN, EDDY, "约翰告诉埃迪：约翰好奇埃迪在听什么。", "他告诉对方：他好奇对方在听什么。"),
        (JOHN, EDDY, "埃迪告诉约翰：埃迪写了首歌。", "对方告诉他：对方写了首歌。"),
    ],
)
def test_news_keep_their_teller(
    first: tuple[str, str], second: tuple[str, str], told: str, short: str
) -> None:
    assert use_pronouns(told, [first, second]) == short
    for name, pronoun in (first, second):
        me = replace(world("zh").personas["lin_yue"], name=name, pronouns=(pronoun,))
        named = name_teller(short, first[0], second[0], me)
        teller, _, rest = told.partition("告诉")
        assert named.startswith(f"{teller}告诉{rest.partition('：')[0]}：{teller}")


def test_what_is_about_both_leads_back_to_both() -> None:
    me = replace(world("zh").personas["lin_yue"], name="林梅", pronouns=("她",))
    short = use_pronouns("约翰和林梅不欢而散。", [JOHN, MEI])
    assert short == "两人不欢而散。"
    assert name_teller(short, "约翰", "林梅", me) == "约翰和林梅不欢而散。"


def test_other_sentences_stay() -> None:
    me = world("zh").personas["lin_yue"]
    assert name_teller("聊的是天气。", "约翰", me.name, me) == "聊的是天气。"


def test_of_several_what_is_told_in_return_leads_back_to_its_teller() -> None:
    told = ["林梅告诉约翰：她想歇一天。", "约翰告诉林梅：他为对方高兴。", "聊的是天气。"]
    short = use_pronouns_in_return(told, dict([JOHN, MEI, EDDY]))
    assert short == [told[0], "对方告诉她：他为她高兴。", told[2]]
    me = replace(world("zh").personas["lin_yue"], name="埃迪", pronouns=("他",))
    assert name_in_return(short, me) == [told[0], "约翰告诉林梅：他为她高兴。", told[2]]
