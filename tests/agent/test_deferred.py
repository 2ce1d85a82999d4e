"""What is thought over in the step after it arose: until then nothing is lost, and from then on it
is as if it had been so at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import cast

import orjson
import pytest

from hometown.agent.mind.context import StepContext
from hometown.agent.minds import Thought
from hometown.game import Game
from hometown.history.reader import RunReader
from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.keeping import OF_THE_WORLD, restore_variables, serialize_variables
from hometown.prompt.reflections import InsightsVars
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.conversation import Conversation
from hometown.world.effects import Logged, Retired, Settled
from tests.support.days import lived_day, set_out, thoughtful_day
from tests.support.prompt_samples import CHAT, MEMORIES, SAMPLES, WISH
from tests.support.town import begin_town, game_on, live, minds_of, opened


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived_day(tmp_path_factory)


def talks_of(results: Path) -> list[Conversation]:
    with RunReader.open(results, "town") as run:
        return run.conversations(1, run.last_step())


def test_a_conversation_is_summed_up_in_the_next_step(day: Path) -> None:
    with opened(day) as run:
        remembered = {
            memory.talk: step
            for step, logged in run.effects()
            if (memory := getattr(logged.effect, "concept", None)) and memory.type == "chat"
        }
        talks = [talk for talk in run.conversations() if talk.step < run.last.step]
        assert talks
        for talk in talks:
            assert remembered[talk.id] == talk.step + 1
            assert talk.summary in {
                memory.text for memory in run.memories(talk.find_recounter(talk.people))
            }


def test_a_run_that_stops_in_between_goes_on_as_if_it_had_not(day: Path, tmp_path: Path) -> None:
    whole = talks_of(day)
    last = max(
        talk.step
        for talk in whole
        if talk.step < 100 and talk.step + 1 not in {other.step for other in whole}
    )
    set_out(day, tmp_path, last - 1)
    in_mind: list[str] = []

    def look(game: Game) -> None:
        for talk in (talk for talk in whole if talk.step == last):
            minds = minds_of(game, talk.people)
            in_mind.extend(
                mind.situation.lately
                for mind in minds.values()
                if talk.lines[-1].text in mind.situation.lately
            )

    live(tmp_path, 1, after_each=look)
    assert len(in_mind) == sum(len(talk.people) for talk in whole if talk.step == last)
    assert {talk.summary for talk in talks_of(tmp_path) if talk.step == last} == {""}
    live(tmp_path, 1)
    assert talks_of(tmp_path) == [talk for talk in whole if talk.step <= last]
    with opened(day) as lived, opened(tmp_path) as again:
        assert again.digests() == lived.digests()[: last + 2]


def test_a_conversation_is_summed_up_also_when_everybody_has_left_town(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live(tmp_path, 1, start=datetime(2025, 2, 13, 9), settings={"turn_order": "sequential"})
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run)
        while not (talks := run.conversations()):
            asyncio.run(game.step())
        monkeypatch.setattr(game, "thinkers", lambda order: [])
        asyncio.run(game.step())
        (summed, *_) = run.conversations()
    assert not talks[0].summary
    assert summed.summary


def test_a_reflection_takes_three_steps(tmp_path_factory: pytest.TempPathFactory) -> None:
    with opened(thoughtful_day(tmp_path_factory)) as run:
        begun = [
            (logged.who, step)
            for step, logged in run.effects()
            if type(logged.effect).__name__ == "Reflected"
        ]
        asked = {(call.who, call.kind, call.step) for call in run.calls()}
        assert begun
        for who, step in begun:
            if step + 2 <= run.last.step:
                assert (who, "reflect_focus", step + 1) in asked
                assert (who, "reflect_insights", step + 2) in asked


def in_memory(memories: Sequence[Concept]) -> MemoryStream:
    stream = MemoryStream()
    for memory in memories:
        stream.add(memory, None)
    return stream


@pytest.mark.parametrize(
    "kind", ["talk_summary", "reflect_focus", "reflect_insights", "reflect_chats"]
)
def test_a_question_is_asked_as_it_arose(kind: str) -> None:
    """At once, and in a run that was resumed meanwhile, in which it is read. It is kept without
    what can be found again.
    """
    variables, of_kind = SAMPLES[kind], PROMPTS[kind].variables
    text, ids = serialize_variables(variables)
    at_once, later = (
        restore_variables(of_kind, text, variables.situation, in_memory([*MEMORIES, CHAT, WISH]))
        for _ in range(2)
    )
    assert at_once == later == variables
    assert ids
    assert not any(memory.text in text for memory in MEMORIES)


def test_a_question_is_asked_without_what_was_deleted_since() -> None:
    """Whether it is read or not."""
    variables = cast(InsightsVars, SAMPLES["reflect_insights"])
    text, _ = serialize_variables(variables)
    gone, left = variables.memories[0], variables.memories[1:]
    for _ in range(2):
        assert (
            restore_variables(
                InsightsVars,
                text,
                variables.situation,
                in_memory([memory for memory in MEMORIES if memory != gone]),
            ).memories
            == left
        )


def test_what_another_has_in_mind_is_not_what_one_remembers() -> None:
    """Though both are asked the same about memories with the same ids."""
    variables = cast(InsightsVars, SAMPLES["reflect_insights"])
    text, _ = serialize_variables(variables)
    own = [replace(memory, text=f"of one's own: {memory.text}") for memory in MEMORIES]
    for _ in range(2):
        assert restore_variables(
            InsightsVars, text, variables.situation, in_memory(own)
        ).memories == tuple(own)


def test_questions_of_earlier_versions_are_read() -> None:
    """They held the memories themselves."""
    variables = cast(InsightsVars, SAMPLES["reflect_insights"])
    parts = {
        "questions": variables.questions,
        "memories": variables.memories,
        "insights": variables.insights,
    }
    situation = {
        name: part for name, part in asdict(variables.situation).items() if name not in OF_THE_WORLD
    }
    text = orjson.dumps(parts | {"situation": situation}).decode()
    assert restore_variables(InsightsVars, text, variables.situation, MemoryStream()) == variables


def test_what_is_still_to_be_thought_over_is_not_forgotten(tmp_path: Path) -> None:
    """By people who can keep so few memories in mind that most of them are gone after a step."""
    asked_about, retired = set[int](), set[int]()

    def look(game: Game) -> None:
        for who in game.world.personas:
            for question in game.state.questions(who):
                assert all(number in game.state.memory(who) for number in question.memories)
                asked_about.update(question.memories)
        retired.update(
            number
            for logged in game.log
            if isinstance(logged.effect, Retired)
            for number in logged.effect.ids
        )

    live(
        tmp_path,
        60,
        start=datetime(2025, 2, 13, 9),
        settings={"associate": {"max_memory": 4}},
        after_each=look,
    )
    assert asked_about & retired, (
        "nothing was forgotten once it had been thought over: the test shows less than it says"
    )


def test_what_is_settled_while_a_question_about_it_arises_stays_until_the_answer(
    tmp_path: Path,
) -> None:
    """Otherwise the reply that was requested at once would not count, and be requested again."""
    begin_town(tmp_path, start=datetime(2025, 2, 13, 12))
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run)
        weighed = replace(game.state.mind("lin_yue"), poignancy=1000)
        game.state.put(keys.MIND.of("lin_yue"), weighed)
        think, settled = game.minds.think, set[int]()

        async def think_and_settle(context: StepContext, group: Sequence[str]) -> list[Thought]:
            thoughts = await think(context, group)
            (lin,) = (thought for thought in thoughts if thought.who == "lin_yue")
            own = context.snapshot.memory("lin_yue").concepts
            settled.update(number for number in own if not own[number].is_background)
            effect = Settled("lin_yue", tuple(settled), context.moment.now)
            more = replace(lin, effects=[*lin.effects, Logged(effect, "lin_yue", "rule:test")])
            return [more if thought is lin else thought for thought in thoughts]

        game.minds.think = think_and_settle  # type: ignore[method-assign]
        asyncio.run(game.step())
        asked = {number for each in game.state.questions("lin_yue") for number in each.memories}
        assert asked & settled
        assert asked <= set(game.state.memory("lin_yue").concepts)
