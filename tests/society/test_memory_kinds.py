"""Kinds of memories: identified by their words, and recalled where an activity is of their kind."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from hometown.agent.mind import NewMemory
from hometown.game import Game
from hometown.language import Lang
from hometown.memory.concept import NEVER, Concept, MemoryType
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from hometown.society.memory_kinds import kind_of_memory, recall_kind
from hometown.world.load import load_world
from tests.support.town import MORNING, live, minds_of

WHO = "tie_niu"


@pytest.mark.parametrize(
    ("lang", "kind", "type_", "text"),
    [
        ("en", "cultivation", "event", "Tie Niu got nowhere breathing for a breakthrough."),
        ("en", "combat", "event", "Tie Niu has finished sparring, with Afu"),
        ("en", "discovery", "event", "Tie Niu read at the notice board: rice to spare"),
        ("en", "dialogue", "chat", "Tie Niu and Afu talked about swords."),
        ("en", "action", "event", "Tie Niu is cooking rice at the stove"),
        ("zh", "cultivation", "event", "铁牛突破了，到了练气初期"),
        ("zh", "combat", "event", "铁牛和阿福一起做完了：切磋"),
        ("zh", "discovery", "thought", "铁牛听说集市上来了新人。"),
        ("zh", "dialogue", "chat", "铁牛和阿福聊了剑法。"),
        ("zh", "action", "event", "铁牛在灶上煮饭"),
    ],
)
def test_a_memory_is_of_the_kind_of_its_words(
    lang: Lang, kind: str, type_: MemoryType, text: str
) -> None:
    book = load_world("cloudvale", lang).book
    assert book
    memory = Concept(1, type_, text, WHO, "is", "", "", 3, MORNING, NEVER)
    assert kind_of_memory(book.memory_kinds, memory, lang) == kind
    assert kind_of_memory({}, memory, lang) == "", "in a world without kinds"


class Recorder(ScriptedModel):
    """Keeps the prompts for steps."""

    def __init__(self) -> None:
        super().__init__()
        self.prompts: list[str] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if request.kind == "steps":
            self.prompts.append(request.messages[-1].content)
        return await super().complete(request, seed=seed, priority=priority)


def test_memories_of_the_kind_of_an_activity_are_recalled(tmp_path: Path) -> None:
    games: list[Game] = []
    model = Recorder()
    world = load_world("cloudvale", "zh")
    live(tmp_path, 2, world=world, model=model, after_each=games.append)
    assert any("你记得的修炼：" in prompt for prompt in model.prompts)

    mind = minds_of(games[-1], [WHO], games[-1].state.clock.now + timedelta(minutes=10))[WHO]
    recalled = recall_kind(mind, "cultivation", 2)
    assert recalled
    assert world.book
    kinds = world.book.memory_kinds
    assert {kind_of_memory(kinds, each.concept, "zh") for each in recalled} == {"cultivation"}
    new = NewMemory("event", "冲关没有成功。", WHO, "冲关", "", "", about=(WHO,))
    asyncio.run(mind.remember([new], [9], "rule:work"))
    assert recall_kind(mind, "cultivation", 2) == recalled, "whatever comes first in a step"
