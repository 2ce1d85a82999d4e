"""A memory that is over is not recalled any more, keeps the time since when, and stays as evidence."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.mind.open_intentions import list_open_intentions
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import ConversationSummaryVars
from hometown.prompt.render import Templates
from hometown.prompt.schema import schema_for
from hometown.storage.run import RunFile
from hometown.world.effects import Settled
from hometown.world.pending import QuestionsAnswered
from tests.support.days import lived_day
from tests.support.prompt_samples import MEMORIES, SAMPLES
from tests.support.town import game_on, live, minds_of, opened

LIN = "lin_yue"
INTENTION = "Lin Yue wants to tell Chen Siyuan about the poster, but does not know how to begin"


def remember(mind: Mind, text: str, kind: str = "thought") -> int:
    memory = NewMemory(kind, text, LIN, "think", about=("chen_siyuan",))  # type: ignore[arg-type]
    (made,) = asyncio.run(mind.remember([memory], [9], "rule:test"))
    return made.id


def texts(mind: Mind) -> list[str]:
    found = asyncio.run(mind.recall([INTENTION], count=30))
    return [scored.concept.text for scored in found]


def on_town(tmp_path: Path, settings: dict[str, object] | None = None) -> RunFile:
    live(tmp_path, 1, settings=settings)
    return RunFile.open(tmp_path, "town", write=True)


def settle(game: Game) -> tuple[Mind, int]:
    (mind,) = minds_of(game, [LIN]).values()
    number = remember(mind, INTENTION)
    assert INTENTION in texts(mind)
    mind.settle([mind.state.memory(LIN).concept(number)], "rule:test")
    return mind, number


@pytest.mark.parametrize("consolidate", [False, True])
def test_what_is_over_is_not_recalled_and_keeps_its_time(tmp_path: Path, consolidate: bool) -> None:
    with on_town(tmp_path, {"faculties": {"consolidate": consolidate}}) as run:
        mind, number = settle(game_on(run))
        assert INTENTION not in texts(mind)
        assert mind.state.settled_memories(LIN) == {number: mind.now}
        assert number not in mind.state.memory(LIN)


def test_a_conversation_stays_and_what_an_open_question_is_about_until_it_is_answered(
    tmp_path: Path,
) -> None:
    with on_town(tmp_path) as run:
        (mind,) = minds_of(game_on(run), [LIN]).values()
        stream = mind.state.memory(LIN)
        chat = stream.concept(remember(mind, "They talked about the poster", "chat"))
        asked = stream.concept(remember(mind, INTENTION))
        insights = replace(
            SAMPLES["reflect_insights"],
            situation=mind.situation,
            memories=(asked,),  # type: ignore[call-arg]
        )
        mind.defer_question(PROMPTS["reflect_insights"], insights, (), "rule:test")
        mind.settle([chat, asked], "rule:test")
        assert mind.state.settled_memories(LIN) == {asked.id: mind.now}
        assert {asked.id, chat.id} <= stream.concepts.keys()
        recalled = asyncio.run(mind.recall([asked.text], count=50))
        assert asked not in [scored.concept for scored in recalled], "live, but over"
        assert asked not in list_open_intentions(mind)
        mind.do(QuestionsAnswered(LIN, 1), "rule:test")
        assert asked.id not in stream
        assert chat.id in stream


def test_days_settle_memories_that_stay_as_evidence(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The stand-in settles what it has told, and a meeting the agreement that it was about."""
    with opened(lived_day(tmp_path_factory)) as run:
        settled = [
            logged.effect for _, logged in run.effects() if isinstance(logged.effect, Settled)
        ]
        assert settled
        state = run.restore()
        kept = {memory.id for memory in run.memories(settled[0].who)}
        for effect in settled:
            assert not set(effect.ids) & set(state.memory(effect.who).concepts)
            assert set(effect.ids) <= set(state.settled_memories(effect.who))
        assert set(settled[0].ids) <= kept, "they can still be read as evidence"


@pytest.mark.parametrize("lang", LANGS)
def test_the_numbers_shown_run_through_a_conversation(lang: Lang) -> None:
    v = SAMPLES["talk_summary"]
    assert isinstance(v, ConversationSummaryVars)
    v = replace(v, situation=replace(v.situation, lang=lang))
    assert v.in_mind == MEMORIES
    text = "\n".join(
        message.content for message in Templates(lang).render(PROMPTS["talk_summary"], v)
    )
    positions = [text.index(f"{number}. [") for number in range(1, len(MEMORIES) + 1)]
    assert positions == sorted(positions)
    assert '"settled"' in text
    schema = schema_for(PROMPTS["talk_summary"], v)["properties"]["settled"]
    assert schema["items"]["maximum"] == len(v.candidates_to_settle) + len(v.errands)
