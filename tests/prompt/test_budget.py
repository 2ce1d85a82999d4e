"""Prompts and the contexts of models: what is cut, in which order, and that nothing is cut where
all fits.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hometown.errors import TooLong
from hometown.language import LANGS
from hometown.model.caller import Caller
from hometown.model.llm import Completion, Request, context_of
from hometown.model.retrying import RetryingModel
from hometown.model.routing import RoutedModel
from hometown.model.server_context import SMALLEST_CONTEXT
from hometown.prompt.budget import ORDER, about_tokens, fit
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import Templates
from hometown.records import Message, Retrieval
from hometown.settings import Llm, Settings
from tests.support.fake_models import Canned, HashEmbeddings, PocketJournal, PocketTable, Says
from tests.support.prompt_samples import REPLIES, SAMPLES

TEMPLATES = {lang: Templates(lang) for lang in LANGS}
RENDER = TEMPLATES["en"].render


def tokens(kind: str) -> int:
    return about_tokens(RENDER(PROMPTS[kind], SAMPLES[kind]))


@pytest.mark.parametrize("kind", PROMPTS)
def test_nothing_is_cut_where_all_fits(kind: str) -> None:
    for room in (inf, tokens(kind)):
        fitted = fit(PROMPTS[kind], SAMPLES[kind], RENDER, room, {})
        assert (fitted.variables, fitted.cut, fitted.spent) == (SAMPLES[kind], 0, False)
        assert fitted.messages == RENDER(PROMPTS[kind], SAMPLES[kind])


@given(st.sampled_from(sorted(PROMPTS)), st.sampled_from(LANGS), st.floats(0.1, 1.0))
def test_what_fits_is_as_much_as_will_and_what_does_not_is_said(
    kind: str, lang: Any, share: float
) -> None:
    prompt, render = PROMPTS[kind], TEMPLATES[lang].render
    room = about_tokens(render(prompt, SAMPLES[kind])) * share
    fitted = fit(prompt, SAMPLES[kind], render, room, {})
    assert fitted.messages == render(prompt, fitted.variables)
    assert fitted.spent == (about_tokens(fitted.messages) > room)
    again = fit(prompt, fitted.variables, render, room, {})
    assert (again.variables, again.cut) == (fitted.variables, 0)


def test_parts_go_in_order_and_only_as_much_as_must() -> None:
    prompt, sample = PROMPTS["utterance"], SAMPLES["utterance"]
    one_less = fit(prompt, sample, RENDER, tokens("utterance") - 1, {}).variables
    assert len(one_less.in_mind) == len(sample.in_mind) - 1  # type: ignore[attr-defined]
    assert replace(one_less, memories=sample.memories, lines=sample.lines) == sample  # type: ignore[attr-defined, call-arg]
    least = fit(prompt, sample, RENDER, 0, {})
    assert least.spent
    for part in ORDER:
        if hasattr(sample, part.name):
            name = "in_mind" if part.name == "memories" else part.name
            assert len(getattr(least.variables, name)) == min(
                part.least, len(getattr(sample, name))
            )
    assert not least.variables.situation.me.relations
    assert "1. [" in "".join(message.content for message in least.messages[1:])
    assert (
        least.messages[1].content.splitlines()[0]
        == RENDER(prompt, sample)[1].content.splitlines()[0]
    )


def test_memories_go_by_their_score_and_without_one_by_their_age() -> None:
    prompt, sample = PROMPTS["reflect_insights"], SAMPLES["reflect_insights"]
    ids = [memory.id for memory in sample.memories]  # type: ignore[attr-defined]
    room = tokens("reflect_insights") - 30
    worst = ids[4]
    kept = fit(prompt, sample, RENDER, room, {one: float(one != worst) for one in ids}).variables
    assert worst not in [memory.id for memory in kept.memories]  # type: ignore[attr-defined]
    kept = fit(prompt, sample, RENDER, room, {}).variables
    assert ids[-len(kept.memories) :] == [memory.id for memory in kept.memories]  # type: ignore[attr-defined]


@given(st.text())
def test_tokens_of_any_text_can_be_counted(text: str) -> None:
    assert about_tokens((Message("user", text),)) >= len(text) // 30


# asking ------------------------------------------------------------------------------------


class Narrow(Canned):
    """A model with a context, that counts a little more tokens than are reckoned with."""

    def __init__(self, context: float, said: float = inf, stretch: float = 1.0) -> None:
        super().__init__()
        self.has, self.said, self.stretch = context, said, stretch
        self.asked: list[Request] = []

    def context(self, kind: str) -> float:
        return self.said

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.asked.append(request)
        if about_tokens(request.messages) * self.stretch + request.max_tokens > self.has:
            raise TooLong(f"prompt {request.kind!r} does not fit")
        return await super().complete(request, seed=seed, priority=priority)


def caller(model: Any, retries: int = 1) -> Caller:
    return Caller(
        model,
        HashEmbeddings(),
        TEMPLATES["en"],
        PocketJournal(),
        PocketTable(),
        Settings(llm=Llm(retries=retries)),
    )


async def ask(one: Caller, kind: str = "utterance") -> Any:
    retrieved = tuple(Retrieval(number, 1 / number, 0, 0, 0) for number in range(1, 11))
    return await one.ask(
        PROMPTS[kind], SAMPLES[kind], step=1, who="ida", ordinal=0, seed=1, retrieved=retrieved
    )


async def test_a_prompt_is_cut_to_the_context_that_the_model_tells_and_recorded_as_sent() -> None:
    context = tokens("utterance") + PROMPTS["utterance"].max_tokens - 100
    model = Narrow(context, said=context)
    one = caller(model)
    _, call, asked = await ask(one)
    assert len(model.asked) == 1
    assert call.messages == model.asked[0].messages == RENDER(PROMPTS["utterance"], asked)
    assert call.cut == len(SAMPLES["utterance"].in_mind) - len(asked.in_mind) > 0  # type: ignore[attr-defined]
    assert one.stats.total.shortened == one.stats.snapshot()["shortened"] == 1


async def test_a_conversation_is_summed_up_whole_in_the_shortest_context() -> None:
    model = Narrow(SMALLEST_CONTEXT, said=SMALLEST_CONTEXT)
    _, call, asked = await ask(caller(model), "talk_summary")
    assert (asked.lines, call.cut) == (SAMPLES["talk_summary"].lines, 0)  # type: ignore[attr-defined]
    assert model.asked[0].max_tokens < PROMPTS["talk_summary"].max_tokens


@pytest.mark.parametrize("stretch", [1.1, 1.3])
async def test_a_server_that_finds_a_prompt_too_long_is_asked_with_less(stretch: float) -> None:
    model = Narrow(tokens("utterance") + PROMPTS["utterance"].max_tokens, stretch=stretch)
    _, call, _ = await ask(caller(model))
    assert len(model.asked) > 1
    assert call.cut > 0
    assert (call.outcome, len(call.attempts)) == ("ok", 1)


async def test_only_what_cannot_be_cut_any_more_is_an_error() -> None:
    with pytest.raises(TooLong, match="'utterance'"):
        await ask(caller(Narrow(200, said=200)))


async def test_a_second_try_for_which_there_is_no_room_is_not_made() -> None:
    context = tokens("utterance") + PROMPTS["utterance"].max_tokens
    model = Says("no " * 50)
    model.context = lambda kind: context  # type: ignore[attr-defined]
    _, call, _ = await ask(caller(model))
    assert (call.outcome, len(call.attempts)) == ("fallback", 1)


async def test_numbers_in_replies_count_what_was_sent() -> None:
    kind = "reflect_insights"
    model = Narrow(inf, said=tokens(kind) + PROMPTS[kind].max_tokens - 100)
    reply, _, asked = await ask(caller(model), kind)
    assert reply == PROMPTS[kind].reply.model_validate(REPLIES[kind])
    best = sorted(SAMPLES[kind].memories, key=lambda memory: memory.id)[: len(asked.memories)]  # type: ignore[attr-defined]
    assert list(asked.memories) == best


def test_wrappers_tell_the_context_of_what_they_wrap() -> None:
    inner = Narrow(0, said=2048)
    routed = RoutedModel(Canned(), {"react": RetryingModel(inner, Settings(), lambda _: None)})
    assert (context_of(routed, "react"), context_of(routed, "place")) == (2048, inf)
