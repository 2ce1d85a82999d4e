"""Replies that the journal holds, or that were had beforehand: a resumed run asks for none of them
again.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from hometown.errors import ModelUnavailable
from hometown.model.queue import CallKey
from hometown.model.reply_journal import request_hash
from tests.support.callers import GOOD, UTTERANCE, ask, make_caller
from tests.support.fake_models import Canned, Failing, PocketJournal, Reordering, Says
from tests.support.prompt_samples import SAMPLES


async def test_what_the_journal_holds_is_not_asked_again() -> None:
    journal = PocketJournal()
    reply, call = await ask(make_caller(Says("no", GOOD), journal=journal))
    resumed, again = await ask(make_caller(Failing(Says("never"), 0), journal=journal))
    assert (resumed, again.outcome, again.attempts) == (reply, "retried", call.attempts)


async def test_an_answer_that_was_had_beforehand_serves_until_its_step_is_over_for_what_it_rests_on() -> (
    None
):
    town, place, question, world = (
        make_caller(Canned()),
        CallKey(3, "ida", "utterance", 0),
        object(),
        object(),
    )
    early = town.prefetching()
    answer = await early.ask(UTTERANCE, SAMPLES["utterance"], step=3, who="ida", ordinal=0, seed=1)
    town.cache_answer(place, (question, world), answer)
    assert (
        town.cached_answer(place, (question, world)) is None
    )  # what the town asks for itself, it asks once
    early.cache_answer(place, (question, world), answer)
    assert [
        town.cached_answer(place, basis) for basis in ((question, object()), (object(), world), ())
    ] == [None] * 3
    assert town.cached_answer(place, (question, world)) is answer
    assert town.stats.total.calls == 1
    town.evict(3)
    assert town.cached_answer(place, (question, world)) is None


async def test_a_reply_to_another_question_is_discarded() -> None:
    journal = PocketJournal()
    await ask(make_caller(Canned(), journal=journal))
    model = Canned()
    changed = replace(SAMPLES["utterance"], topic="something else")  # type: ignore[call-arg]
    await make_caller(model, journal=journal).ask(
        UTTERANCE, changed, step=3, who="ida", ordinal=0, seed=1
    )
    assert len(model.requests) == 1


async def test_a_reply_is_kept_before_anything_else_can_fail() -> None:
    journal = PocketJournal()
    one = make_caller(Reordering(Canned(), 1), journal=journal)
    tasks = [asyncio.create_task(ask(one, who=str(number))) for number in range(20)]
    while len(journal.kept) < 5:
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    kept = set(journal.kept)
    model = Canned()
    for number in range(20):
        await ask(make_caller(model, journal=journal), who=str(number))
    assert len(model.requests) == 20 - len(kept)


async def test_failed_replies_of_the_journal_do_not_stop_a_resumed_run_again() -> None:
    journal = PocketJournal()
    one = make_caller(Says(GOOD), journal=journal)
    await ask(one, ordinal=60)  # a model whose first replies are all unusable is given up sooner
    one.model = Says("no")
    for ordinal in range(38):
        await ask(one, ordinal=ordinal)
    with pytest.raises(ModelUnavailable):
        await ask(one, ordinal=38)
    mended = make_caller(Says(GOOD), journal=journal)
    mended.model.name = "says"
    outcomes = [(await ask(mended, ordinal=ordinal))[1].outcome for ordinal in range(60)]
    assert outcomes == ["fallback"] * 39 + ["ok"] * 21


def test_everything_that_a_model_is_told_changes_the_hash() -> None:
    request = Canned()
    asyncio.run(ask(make_caller(request)))
    base = request.requests[0]
    changes: list[dict[str, Any]] = [
        {"kind": "x"},
        {"lang": "zh"},
        {"messages": base.messages[:1]},
        {"schema": {}},
        {"max_tokens": 1},
        {"temperature": 0.1},
    ]
    others = [
        request_hash("m", base, 1),
        request_hash("n", base, 1),
        request_hash("m", base, 2),
        *(request_hash("m", replace(base, **change), 1) for change in changes),
    ]
    assert len(set(others)) == len(others)
    assert request_hash("m", base, 1) == others[0]
