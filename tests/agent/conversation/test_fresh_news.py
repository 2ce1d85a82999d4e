"""News that its listener told, or knew already, is no news to them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from hometown.agent.conversation.fresh_news import find_fresh_news
from hometown.agent.mind import NewMemory
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.prompt.dialogue import Learnt
from hometown.storage.run import RunFile
from hometown.world.conversation import Line
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN = "lin_yue", "chen_siyuan"

KNOWN = {
    "en": "Wang Fang opens a reading circle on Friday at 15:00",
    "zh": "王芳周五15:00在图书馆办读书会",
}
CHANGED = {
    "en": "Wang Fang opens a reading circle on Friday at 16:00",
    "zh": "王芳周五16:00在图书馆办读书会",
}
DENIED = {
    "en": "Wang Fang opens no reading circle on Friday at 15:00",
    "zh": "王芳周五15:00不在图书馆办读书会",
}
SOURCE = {"en": " (heard from Zhao Gang)", "zh": "（听赵刚说的）"}
SAID = {
    "en": ("I have lost my green notebook near the bridge.", "My landlord sells the old mill."),
    "zh": ("我的绿色笔记本在桥边弄丢了。", "我的房东要卖掉老磨坊。"),
}
TOLD = {"en": "Lin Yue lost a green notebook near the bridge", "zh": "林月的绿色笔记本在桥边弄丢了"}
HEARD = {"en": "Chen Siyuan's landlord sells the old mill", "zh": "陈思远的房东要卖掉老磨坊"}


@pytest.mark.parametrize("lang", LANGS)
def test_only_what_is_new_is_news(tmp_path: Path, lang: Lang) -> None:
    def check(game: Game) -> None:
        mind = minds_of(game, [LIN])[LIN]
        memory = NewMemory("event", KNOWN[lang], LIN, "hear", CHEN)
        asyncio.run(mind.remember([memory], [5], "rule:test"))
        lines = [Line(LIN, SAID[lang][0], ""), Line(CHEN, SAID[lang][1], "")]
        texts = [KNOWN[lang] + SOURCE[lang], CHANGED[lang], DENIED[lang], TOLD[lang], HEARD[lang]]
        fresh = find_fresh_news(mind, lines, [Learnt(what=text) for text in texts])
        assert [each.what for each in fresh] == [CHANGED[lang], DENIED[lang], HEARD[lang]]

    begin_town(tmp_path, lang)
    with RunFile.open(tmp_path, "town", write=True) as run:
        check(game_on(run, minitown(lang)))
