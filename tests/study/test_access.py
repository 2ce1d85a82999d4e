"""Ablations by access: what a condition leaves out is in no prompt, and the state stays whole."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import pytest

from hometown.agent.mind import Mind
from hometown.agent.mind.circumstances import Circumstances
from hometown.language import LANGS, Lang
from hometown.memory.stream import MemoryStream
from hometown.prompt.interview_answers import InterviewVars
from hometown.prompt.prompt import Situation
from hometown.storage.run import RunFile
from hometown.study.access_conditions import (
    CONDITIONS,
    NOTHING,
    AccessCondition,
    restrict,
    situation_under,
)
from hometown.study.interview import Interviewer
from hometown.world.persona import Persona
from tests.support.interviews import STEPS, Answers, interviewed, interviewer, now
from tests.support.town import minitown

EVERYTHING = 100
"""More memories than a retrieval usually returns: what is in no prompt then, is in none."""


def ask_of(run: RunFile, model: Answers) -> Interviewer:
    """An interviewer who retrieves everything."""
    asks = interviewer(run, model)
    recall = asks.settings.associate.model_copy(update={"retrieve_max": EVERYTHING})
    settings = asks.settings.model_copy(update={"associate": recall})
    return Interviewer(run, asks.founded, model, asks.embedder, settings)


def prompt(
    asks: Interviewer, model: Answers, condition: AccessCondition, who: str
) -> tuple[InterviewVars, str]:
    """What a prompt holds under a condition, and its text."""
    before = set(asks.state(STEPS).memory(who).concepts)
    answer = now(asks.ask(who, "What do you think of it all?", STEPS, condition=condition))
    assert set(asks.state(STEPS).memory(who).concepts) == before
    return answer.given, "\n".join(message.content for message in model.requests[-1].messages)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_prompt_holds_what_its_condition_allows(
    condition: AccessCondition, lang: Lang, tmp_path_factory: pytest.TempPathFactory
) -> None:
    reflections, plans = 0, 0
    model = Answers(lambda v: ("我知道。" if lang == "zh" else "I know.", "yes", []))
    with RunFile.open(interviewed(tmp_path_factory, lang), "town") as run:
        asks = ask_of(run, model)
        seen = {who: prompt(asks, model, condition, who) for who in minitown(lang).personas}
    for who, me in minitown(lang).personas.items():
        given, text = seen[who]
        lived = [memory for memory in given.memories if not me.began_with(memory.id)]
        reflections += sum(
            memory.type in ("thought", "plan") and bool(memory.evidence) for memory in lived
        )
        plans += (
            sum(memory.type == "plan" for memory in lived) + len(given.plan) + len(given.promises)
        )
        assert bool(given.memories) == (condition != "none")
        assert (me.learned in text) == (condition != "none")
        assert (me.occupation in text) == (condition != "none") or me.occupation in me.innate
        assert me.name in text
        assert me.innate in text
        if condition in ("no-reflection", "no-plan"):
            assert given.situation.currently == me.currently
            assert any(me.began_with(memory.id) for memory in given.memories)
    assert (reflections > 0) == (condition == "full")
    assert (plans > 0) == (condition in ("full", "no-reflection"))


def minds_of(asks: Interviewer, steps: range) -> list[Mind]:
    """The minds of all residents after some steps."""
    return [asks.mind(who, at, Counter()) for at in steps for who in asks.founded.personas]


def test_no_plan_tells_neither_of_the_schedule_nor_of_talks_and_gatherings(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Circumstances, "describe_gatherings", lambda _: ("The party is on.",))
    monkeypatch.setattr(Circumstances, "describe_happenings", lambda _: ("It smells of smoke.",))
    left_out = Counter[str]()
    with RunFile.open(interviewed(tmp_path_factory), "town") as run:
        for mind in minds_of(interviewer(run), range(6, STEPS + 1, 6)):
            whole, kept = mind.situation, situation_under(mind, "no-plan")
            left_out += Counter(within=bool(whole.within), lately=bool(whole.lately))
            assert (kept.doing, kept.within, kept.lately) == (NOTHING, "", "")
            assert "The party is on." in whole.around
            assert kept.around == ("It smells of smoke.",)
            assert situation_under(mind, "no-reflection").within == whole.within
    assert left_out.keys() == {"within", "lately"}


def test_none_tells_nothing_but_name_age_character_place_and_time(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Circumstances, "describe_gatherings", lambda _: ("The party is on.",))
    monkeypatch.setattr(
        Mind, "me", property(lambda mind: replace(mind.world.personas[mind.who], absent=("Ma Li",)))
    )
    with RunFile.open(interviewed(tmp_path_factory), "town") as run:
        for mind in minds_of(interviewer(run), range(12, STEPS + 1, 12)):
            situation = situation_under(mind, "none")
            assert told(situation) == {"me", "now", "where", "names", "lang"}
            assert told(situation.me) == {
                *("id", "name", "age", "innate", "wake", "bed", "pronouns", "candour")
            }


def told(thing: Situation | Persona) -> set[str]:
    """The fields with a value."""
    values = {field.name: getattr(thing, field.name) for field in fields(thing)}
    return {name for name, value in values.items() if value and value != NOTHING}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_retired_memory_is_hidden_like_a_live_one(
    condition: AccessCondition, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with RunFile.open(interviewed(tmp_path_factory), "town") as run:
        asks = interviewer(run)
        who = next(iter(asks.founded.personas))
        live = asks.mind(who, STEPS, Counter())
        restrict(live, condition)
        mind = asks.mind(who, STEPS, Counter())
        retired = MemoryStream()
        retired.insert(
            (each, each.created) for each in asks.state(STEPS).memory(who).concepts.values()
        )
        mind.state.memory(who).cold = retired
        before = set(retired.concepts)
        restrict(mind, condition)
        hidden = mind.state.memory(who).cold
        assert hidden is not None
        assert set(hidden.concepts) == set(live.state.memory(who).concepts)
        assert set(hidden.partition.columns().ids.tolist()) == set(hidden.concepts)
        assert set(retired.concepts) == before
