"""What stands between a mind and a model: rendering, retries, fallbacks, order, limits, cost."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import pytest

from hometown.errors import ModelUnavailable
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.prompt.catalogue import PROMPTS
from tests.support.callers import GOOD, POIGNANCY, ask, make_caller
from tests.support.fake_models import Canned, Failing, Reordering, Says, Sloppy, Wrapped
from tests.support.hang import HANG
from tests.support.prompt_samples import REPLIES, SAMPLES
from tests.support.work import counted_calls


async def test_lines_of_dialogue_and_nothing_else_are_heard_while_they_are_written() -> None:
    lines = []

    class Listener:
        def hear(self, who: str, partner: str, text: str, *, complete: bool = False) -> None:
            lines.append((who, partner, text))

    class Murmurs(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            completion = await super().complete(request, seed=seed)
            for length in range(6, len(completion.text), 20):
                if request.on_text:
                    request.on_text(completion.text[:length])
            return completion

    one = make_caller(Murmurs())
    await ask(one)
    assert lines == []
    one.listener = Listener()
    for prompt in PROMPTS.values():
        await ask(one, prompt, ordinal=1)
    assert {(who, partner) for who, partner, _ in lines} == {
        ("ida", cast("Any", SAMPLES["utterance"]).other.id)
    }
    texts = [text for *_, text in lines]
    assert texts[0] == ""
    assert texts[-1] == REPLIES["utterance"]["say"]
    assert all(later.startswith(earlier) for earlier, later in pairwise(texts))


# replies -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PROMPTS)
async def test_a_good_reply_is_taken_as_it_is(kind: str) -> None:
    reply, call = await ask(make_caller(Canned()), PROMPTS[kind])
    assert reply == PROMPTS[kind].reply.model_validate(REPLIES[kind])
    assert (call.outcome, call.kind, call.who, call.step, call.model) == (
        "ok",
        kind,
        "ida",
        3,
        "canned",
    )
    assert PROMPTS[kind].reply.model_validate_json(call.reply) == reply
    assert (call.prompt_tokens, call.reply_tokens) == (100, 10)
    assert call.ref == f"call:{kind}#0"


@pytest.mark.parametrize("kind", PROMPTS)
async def test_the_fallback_of_every_prompt_is_a_reply(kind: str) -> None:
    reply, call = await ask(make_caller(Says("no")), PROMPTS[kind])
    assert call.outcome == "fallback"
    assert isinstance(reply, PROMPTS[kind].reply)
    assert len(call.attempts) == 2
    assert all(attempt.error for attempt in call.attempts)


# asking again ------------------------------------------------------------------------------


async def test_a_second_try_is_told_what_was_wrong() -> None:
    model = Says("nonsense", '{"ratings": [1, 2, 3]}', '{"ratings": [1, 2]}')
    reply, call = await ask(make_caller(model, retries=2), POIGNANCY)
    assert reply.ratings == [1, 2]
    assert call.outcome == "retried"
    assert [bool(attempt.error) for attempt in call.attempts] == [True, True, False]
    last = [message.content for message in model.requests[2].messages]
    assert last[2] == "nonsense"
    assert "no JSON object" in last[3]
    assert "ratings: 3 items; give exactly 2" in last[5]
    assert [message.role for message in model.requests[2].messages] == [
        "system",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    assert len(call.messages) == 2, (
        "the question itself is kept, what came after it is in the attempts"
    )


async def test_attempts_have_seeds_of_their_own_that_follow_from_the_call() -> None:
    first, again, other = Says("no"), Says("no"), Says("no")
    for model, seed in ((first, 1), (again, 1), (other, 2)):
        await ask(make_caller(model, retries=2), seed=seed)
    assert first.seeds == again.seeds
    assert len({*first.seeds, *other.seeds}) == 6


async def test_no_retries_means_one_attempt() -> None:
    model = Says("no")
    _, call = await ask(make_caller(model, retries=0))
    assert (len(model.requests), call.outcome) == (1, "fallback")


async def test_an_unavailable_model_is_an_error_and_not_a_fallback() -> None:
    one = make_caller(Failing(Canned(), 1))
    await ask(one)
    with pytest.raises(ModelUnavailable):
        await ask(one, ordinal=1)
    assert one.stats.total.calls == 1


async def test_too_many_fallbacks_stop_the_run_and_say_how_to_go_on() -> None:
    one = make_caller(Says(GOOD, "no"), retries=0, share=0.5)
    for ordinal in range(39):
        await ask(one, ordinal=ordinal)
    with pytest.raises(ModelUnavailable, match=r"39 of the last 40 .*max_fallback_share.*--resume"):
        await ask(one, ordinal=39)


async def test_a_model_whose_first_ten_replies_are_unusable_is_given_up_and_one_is_shown() -> None:
    one = make_caller(Says("I would rather not say."), retries=1)
    for ordinal in range(4):
        await ask(one, ordinal=ordinal)
    with pytest.raises(
        ModelUnavailable, match=r"first 10 replies.*I would rather not.*hometown doctor --llm says"
    ):
        await ask(one, ordinal=4)


async def test_replies_are_counted_by_what_became_of_them() -> None:
    fixable = GOOD.replace("{", "{ // a line\n")
    one = make_caller(Says("no", fixable, GOOD, "no", "never"), retries=1)
    for ordinal in range(3):
        await ask(one, ordinal=ordinal)
    total = one.stats.total
    assert (total.calls, total.requests) == (3, 5)
    assert (total.raw, total.corrected, total.unusable) == (1, 1, 3)


async def test_a_share_below_the_limit_does_not_stop_it() -> None:
    one = make_caller(Sloppy(Canned(), bad=0.3), retries=0, share=0.6)
    for ordinal in range(300):
        await ask(one, ordinal=ordinal, seed=ordinal)
    assert 0.15 < one.stats.total.fallback_share < 0.45


# order, limits, cost -----------------------------------------------------------------------


@pytest.mark.parametrize("order", range(5))
async def test_the_order_of_replies_changes_nothing(order: int) -> None:
    async def outcome(model: LanguageModel) -> list[tuple[str, str]]:
        one = make_caller(model, share=1.0)
        calls = await asyncio.gather(
            *(ask(one, kind, who=who, seed=number) for number, (who, kind) in enumerate(everybody))
        )
        return [(call.outcome, call.reply) for _, call in calls]

    everybody = [(who, prompt) for who in ("ida", "tom", "mei") for prompt in PROMPTS.values()]
    plain = await outcome(Sloppy(Canned(), 0.3, 0.3))
    assert await outcome(Reordering(Sloppy(Canned(), 0.3, 0.3), order)) == plain
    assert {outcome for outcome, _ in plain} == {"ok", "retried", "fallback"}


async def test_no_more_calls_are_under_way_than_slots() -> None:
    model = Reordering(Canned(), 1)
    one = make_caller(model, slots=3)
    await asyncio.gather(*(ask(one, who=str(number)) for number in range(20)))
    assert model.most_under_way == 3


def test_a_caller_outlives_an_event_loop() -> None:
    one = make_caller(Reordering(Canned(), 1), slots=1)

    async def crowd() -> None:
        await asyncio.gather(
            *(ask(one, who=str(number)) for number in range(5)), one.embed(["a", "b"])
        )

    asyncio.run(crowd())
    asyncio.run(crowd())


async def test_cancelling_drops_the_thought_and_frees_the_slot() -> None:
    class Silent(Wrapped):
        async def answer(self, request: Request, seed: int) -> Completion:
            thinks.set()
            return await asyncio.get_running_loop().create_future()

    thinks = asyncio.Event()
    one = make_caller(Silent(Canned()), slots=1)
    thought = asyncio.create_task(ask(one))
    await thinks.wait()
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    one.model = Canned()
    await asyncio.wait_for(ask(one), HANG)


async def test_a_call_costs_little_beside_the_model() -> None:
    one = make_caller(Canned())
    for ordinal in range(60):
        with counted_calls() as calls:
            await ask(one, ordinal=ordinal)
    assert calls[0] < 7500, "2,430 calls of functions, which take 0.3 ms"


async def test_tokens_of_all_attempts_are_counted() -> None:
    class Counting(Says):
        async def complete(self, request: Any, *, seed: int, priority: int = 0) -> Completion:
            return replace(
                await super().complete(request, seed=seed), prompt_tokens=50, reply_tokens=5
            )

    _, call = await ask(make_caller(Counting("no", GOOD)))
    assert (call.prompt_tokens, call.reply_tokens) == (100, 10)


async def test_a_model_thinks_before_the_kinds_of_prompt_in_the_settings() -> None:
    asked = dict[str, bool]()

    class Noting(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            asked[request.kind] = request.thinks
            return await super().complete(request, seed=seed)

    one = make_caller(Noting(), thinking=["schedule_daily"])
    for kind in ("schedule_daily", "utterance"):
        await ask(one, PROMPTS[kind])
    assert asked == {"schedule_daily": True, "utterance": False}
