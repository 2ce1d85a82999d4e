"""Ablations by access: what a condition leaves out is in no prompt, and the state stays whole."""

from __future__ import annotations

import pytest

from hometown.language import LANGS, Lang
from hometown.prompt.interview_answers import InterviewVars
from hometown.storage.run import RunFile
from hometown.study.access_conditions import CONDITIONS, AccessCondition
from hometown.study.interview import Interviewer
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
