"""What stands between a mind and a model: rendering, journal, retries, fallbacks, counting, limits."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise
from typing import Any, cast

import numpy as np
import orjson
import pytest

from hometown.errors import ModelUnavailable
from hometown.memory.arithmetic import quantise
from hometown.model.caller import Caller, asked_hash
from hometown.model.hashing import hash_vector
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.model.queue import Place
from hometown.model.replies import UnusableReply, parse
from hometown.model.stats import Stats
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.noticing import PoignancyReply
from hometown.prompt.prompt import Prompt, Reply
from hometown.prompt.render import Templates
from hometown.prompt.talking import UtteranceReply
from hometown.records import Attempt, Call, Retrieval
from hometown.settings import Llm, Machine, Settings
from tests.support.fake_models import (
    BAD,
    HARMLESS,
    Canned,
    Deaf,
    Failing,
    HashEmbeddings,
    OneAtATime,
    PocketJournal,
    PocketTable,
    Reordering,
    Says,
    Sloppy,
    Wrapped,
)
from tests.support.hang import HANG
from tests.support.prompt_samples import REPLIES, SAMPLES
from tests.support.work import counted_calls

TEMPLATES = Templates("en")
UTTERANCE, POIGNANCY = PROMPTS["utterance"], PROMPTS["poignancy"]
GOOD = orjson.dumps(REPLIES["utterance"]).decode()


def caller(model: LanguageModel, *, retries: int = 1, share: float = 0.5, slots: int = 8, **parts: Any) -> Caller:
    settings = Settings(llm=Llm(retries=retries, max_fallback_share=share), machine=Machine(slots=slots))
    parts = {"embedder": HashEmbeddings(), "templates": TEMPLATES, "journal": PocketJournal(), "table": PocketTable(), **parts}
    return Caller(model, settings=settings, **parts)


async def ask(one: Caller, prompt: Prompt[Any, Any] = UTTERANCE, *, who: str = "ida", ordinal: int = 0, seed: int = 1) -> tuple[Any, Call]:
    reply, call, _ = await one.ask(prompt, SAMPLES[prompt.kind], step=3, who=who, ordinal=ordinal, seed=seed)
    return reply, call


async def test_lines_of_dialogue_and_nothing_else_are_heard_while_they_are_written() -> None:
    lines = []

    class Listener:
        def hear(self, who: str, partner: str, text: str) -> None:
            lines.append((who, partner, text))

    class Murmurs(Canned):
        async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
            completion = await super().complete(request, seed=seed)
            for length in range(6, len(completion.text), 20):
                if request.on_text:
                    request.on_text(completion.text[:length])
            return completion

    one = caller(Murmurs())
    await ask(one)
    assert lines == []
    one.listener = Listener()
    for prompt in PROMPTS.values():
        await ask(one, prompt, ordinal=1)
    assert {(who, partner) for who, partner, _ in lines} == {("ida", cast("Any", SAMPLES["utterance"]).other.id)}
    texts = [text for *_, text in lines]
    assert texts[0] == ""
    assert texts[-1] == REPLIES["utterance"]["say"]
    assert all(later.startswith(earlier) for earlier, later in pairwise(texts))


# replies -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", PROMPTS)
async def test_a_good_reply_is_taken_as_it_is(kind: str) -> None:
    reply, call = await ask(caller(Canned()), PROMPTS[kind])
    assert reply == PROMPTS[kind].reply.model_validate(REPLIES[kind])
    assert (call.outcome, call.kind, call.who, call.step, call.model) == ("ok", kind, "ida", 3, "canned")
    assert PROMPTS[kind].reply.model_validate_json(call.reply) == reply
    assert (call.prompt_tokens, call.reply_tokens) == (100, 10)
    assert call.ref == f"call:{kind}#0"


@pytest.mark.parametrize("kind", PROMPTS)
async def test_the_fallback_of_every_prompt_is_a_reply(kind: str) -> None:
    reply, call = await ask(caller(Says("no")), PROMPTS[kind])
    assert call.outcome == "fallback"
    assert isinstance(reply, PROMPTS[kind].reply)
    assert len(call.attempts) == 2
    assert all(attempt.error for attempt in call.attempts)


@pytest.mark.parametrize("dress", HARMLESS)
def test_a_dressed_up_reply_is_found(dress: Any) -> None:
    assert parse(UtteranceReply, dress(GOOD)).say == "Is the old lamp (那盏灯) still burning?"


@pytest.mark.parametrize("spoil", BAD)
def test_a_spoilt_reply_is_refused(spoil: Any) -> None:
    with pytest.raises(UnusableReply):
        parse(UtteranceReply, spoil(GOOD))


def test_thoughts_that_hold_json_are_not_the_reply() -> None:
    assert parse(UtteranceReply, f'<think>{{"say": "no"}}</think>{GOOD}').end
    assert parse(UtteranceReply, f'{{"say": "no"}} or so</think>{GOOD}').end


def test_two_different_objects_are_ambiguous_and_two_equal_ones_are_not() -> None:
    assert parse(UtteranceReply, f"{GOOD}\n{GOOD}").end
    with pytest.raises(UnusableReply, match="several"):
        parse(UtteranceReply, f'{GOOD}\n{{"say": "something else"}}')


def test_raw_line_breaks_within_a_string_are_read_as_spaces() -> None:
    assert parse(UtteranceReply, '{"say": "one\ntwo", "end": false}').say == "one two"


def test_half_a_character_does_not_get_through() -> None:
    assert parse(UtteranceReply, '{"say": "one \\ud83d two"}').model_dump_json()


class Falsy(Reply):
    number: int
    flag: bool
    text: str


def test_zero_false_and_empty_are_replies() -> None:
    assert parse(Falsy, '{"number": 0, "flag": false, "text": ""}') == Falsy(number=0, flag=False, text="")


def test_an_error_is_short_and_names_the_field() -> None:
    with pytest.raises(UnusableReply, match="ratings") as caught:
        parse(PoignancyReply, orjson.dumps({"ratings": ["x"] * 200}).decode())
    assert len(str(caught.value)) <= 300


# asking again ------------------------------------------------------------------------------


async def test_a_second_try_is_told_what_was_wrong() -> None:
    model = Says("nonsense", '{"ratings": [1, 2, 3]}', '{"ratings": [1, 2]}')
    reply, call = await ask(caller(model, retries=2), POIGNANCY)
    assert reply.ratings == [1, 2]
    assert call.outcome == "retried"
    assert [bool(attempt.error) for attempt in call.attempts] == [True, True, False]
    last = [message.content for message in model.requests[2].messages]
    assert last[2] == "nonsense"
    assert "no JSON object" in last[3]
    assert "ratings: 3 items; give exactly 2" in last[5]
    assert [message.role for message in model.requests[2].messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert len(call.messages) == 2, "the question itself is kept, what came after it is in the attempts"


async def test_attempts_have_seeds_of_their_own_that_follow_from_the_call() -> None:
    first, again, other = Says("no"), Says("no"), Says("no")
    for model, seed in ((first, 1), (again, 1), (other, 2)):
        await ask(caller(model, retries=2), seed=seed)
    assert first.seeds == again.seeds
    assert len({*first.seeds, *other.seeds}) == 6


async def test_no_retries_means_one_attempt() -> None:
    model = Says("no")
    _, call = await ask(caller(model, retries=0))
    assert (len(model.requests), call.outcome) == (1, "fallback")


async def test_an_unavailable_model_is_an_error_and_not_a_fallback() -> None:
    one = caller(Failing(Canned(), 1))
    await ask(one)
    with pytest.raises(ModelUnavailable):
        await ask(one, ordinal=1)
    assert one.stats.total.calls == 1


async def test_too_many_fallbacks_stop_the_run_and_say_how_to_go_on() -> None:
    one = caller(Says("no"), retries=0, share=0.5)
    for ordinal in range(39):
        await ask(one, ordinal=ordinal)
    with pytest.raises(ModelUnavailable, match=r"40 of the last 40 .*max_fallback_share.*--resume"):
        await ask(one, ordinal=39)


async def test_a_share_below_the_limit_does_not_stop_it() -> None:
    one = caller(Sloppy(Canned(), bad=0.3), retries=0, share=0.6)
    for ordinal in range(300):
        await ask(one, ordinal=ordinal, seed=ordinal)
    assert 0.15 < one.stats.total.fallback_share < 0.45


# the journal -------------------------------------------------------------------------------


async def test_what_the_journal_holds_is_not_asked_again() -> None:
    journal = PocketJournal()
    reply, call = await ask(caller(Says("no", GOOD), journal=journal))
    resumed, again = await ask(caller(Failing(Says("never"), 0), journal=journal))
    assert (resumed, again.outcome, again.attempts) == (reply, "retried", call.attempts)


async def test_an_answer_that_was_had_beforehand_serves_until_its_step_is_over_for_what_it_rests_on() -> None:
    town, place, question, world = caller(Canned()), Place(3, "ida", "utterance", 0), object(), object()
    early = town.beforehand()
    answer = await early.ask(UTTERANCE, SAMPLES["utterance"], step=3, who="ida", ordinal=0, seed=1)
    town.keep(place, (question, world), answer)
    assert town.given(place, (question, world)) is None  # what the town asks for itself, it asks once
    early.keep(place, (question, world), answer)
    assert [town.given(place, basis) for basis in ((question, object()), (object(), world), ())] == [None] * 3
    assert town.given(place, (question, world)) is answer
    assert town.stats.total.calls == 1
    town.forget(3)
    assert town.given(place, (question, world)) is None


async def test_a_reply_to_another_question_is_discarded() -> None:
    journal = PocketJournal()
    await ask(caller(Canned(), journal=journal))
    model = Canned()
    changed = replace(SAMPLES["utterance"], topic="something else")  # type: ignore[call-arg]
    await caller(model, journal=journal).ask(UTTERANCE, changed, step=3, who="ida", ordinal=0, seed=1)
    assert len(model.requests) == 1


async def test_a_reply_is_kept_before_anything_else_can_fail() -> None:
    journal = PocketJournal()
    one = caller(Reordering(Canned(), 1), journal=journal)
    tasks = [asyncio.create_task(ask(one, who=str(number))) for number in range(20)]
    while len(journal.kept) < 5:
        await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    kept = set(journal.kept)
    model = Canned()
    for number in range(20):
        await ask(caller(model, journal=journal), who=str(number))
    assert len(model.requests) == 20 - len(kept)


async def test_failed_replies_of_the_journal_do_not_stop_a_resumed_run_again() -> None:
    journal = PocketJournal()
    one = caller(Says("no"), journal=journal)
    for ordinal in range(39):
        await ask(one, ordinal=ordinal)
    with pytest.raises(ModelUnavailable):
        await ask(one, ordinal=39)
    mended = caller(Says(GOOD), journal=journal)
    mended.model.name = "says"
    outcomes = [(await ask(mended, ordinal=ordinal))[1].outcome for ordinal in range(60)]
    assert outcomes == ["fallback"] * 40 + ["ok"] * 20


def test_everything_that_a_model_is_told_changes_the_hash() -> None:
    request = Canned()
    asyncio.run(ask(caller(request)))
    base = request.requests[0]
    changes: list[dict[str, Any]] = [{"kind": "x"}, {"lang": "zh"}, {"messages": base.messages[:1]}, {"schema": {}}, {"max_tokens": 1}, {"temperature": 0.1}]
    others = [
        asked_hash("m", base, 1),
        asked_hash("n", base, 1),
        asked_hash("m", base, 2),
        *(asked_hash("m", replace(base, **change), 1) for change in changes),
    ]
    assert len(set(others)) == len(others)
    assert asked_hash("m", base, 1) == others[0]


# order, limits, cost -----------------------------------------------------------------------


@pytest.mark.parametrize("order", range(5))
async def test_the_order_of_replies_changes_nothing(order: int) -> None:
    async def outcome(model: LanguageModel) -> list[tuple[str, str]]:
        one = caller(model, share=1.0)
        calls = await asyncio.gather(*(ask(one, kind, who=who, seed=number) for number, (who, kind) in enumerate(everybody)))
        return [(call.outcome, call.reply) for _, call in calls]

    everybody = [(who, prompt) for who in ("ida", "tom", "mei") for prompt in PROMPTS.values()]
    plain = await outcome(Sloppy(Canned(), 0.3, 0.3))
    assert await outcome(Reordering(Sloppy(Canned(), 0.3, 0.3), order)) == plain
    assert {outcome for outcome, _ in plain} == {"ok", "retried", "fallback"}


async def test_no_more_calls_are_under_way_than_slots() -> None:
    model = Reordering(Canned(), 1)
    one = caller(model, slots=3)
    await asyncio.gather(*(ask(one, who=str(number)) for number in range(20)))
    assert model.most_under_way == 3


def test_a_caller_outlives_an_event_loop() -> None:
    one = caller(Reordering(Canned(), 1), slots=1)

    async def crowd() -> None:
        await asyncio.gather(*(ask(one, who=str(number)) for number in range(5)), one.embed(["a", "b"]))

    asyncio.run(crowd())
    asyncio.run(crowd())


async def test_cancelling_drops_the_thought_and_frees_the_slot() -> None:
    class Silent(Wrapped):
        async def answer(self, request: Request, seed: int) -> Completion:
            thinks.set()
            return await asyncio.get_running_loop().create_future()

    thinks = asyncio.Event()
    one = caller(Silent(Canned()), slots=1)
    thought = asyncio.create_task(ask(one))
    await thinks.wait()
    thought.cancel()
    with pytest.raises(asyncio.CancelledError):
        await thought
    one.model = Canned()
    await asyncio.wait_for(ask(one), HANG)


async def test_a_call_costs_little_beside_the_model() -> None:
    one = caller(Canned())
    for ordinal in range(60):
        with counted_calls() as calls:
            await ask(one, ordinal=ordinal)
    assert calls[0] < 7500, "2,430 calls of functions, which take 0.3 ms"


def test_stats_count_by_model_and_kind() -> None:
    retrieved = (Retrieval(1, 0.5, 0.1, 0.2, 0.3),)
    base = Call(1, "ida", "react", 0, "m", "ok", "{}", (), (), retrieved, 10, 2, 1.5)
    mended = replace(base, kind="place", attempts=(Attempt("{}", mended=("sorted", "merged")),))
    stats = Stats([base, replace(base, outcome="fallback"), replace(base, outcome="retried"), mended, mended])
    snapshot = stats.snapshot()
    assert (snapshot["calls"], snapshot["ok"], snapshot["retried"], snapshot["fallback"]) == (5, 3, 1, 1)
    counts = {"ok": 1, "retried": 1, "fallback": 1, "prompt_tokens": 30, "reply_tokens": 6, "ms": 4.5, "shortened": 0, "mended": {}}
    assert counts.items() <= snapshot["by_model"]["m"]["react"].items()
    assert snapshot["by_model"]["m"]["place"]["mended"] == {"sorted": 2, "merged": 2}
    assert snapshot["mended"] == {"sorted": 2, "merged": 2}
    assert stats.total.fallback_share == 0.2
    assert Stats().total.fallback_share == 0
    assert orjson.loads(orjson.dumps(snapshot)) == snapshot


# embeddings --------------------------------------------------------------------------------


async def test_residents_share_batches_and_no_text_is_embedded_twice() -> None:
    embedder = HashEmbeddings(order=1)
    one = caller(Canned(), embedder=embedder)
    groups = [["a", "b"], ["b", "c"], [], ["d", "a", "a"]]
    found = await asyncio.gather(*(one.embed(group) for group in groups))
    assert embedder.batches == [["a", "b", "c", "d"]]
    for group, vectors in zip(groups, found, strict=True):
        assert all(np.array_equal(vector, quantise(hash_vector(text, 64))) for text, vector in zip(group, vectors, strict=True))
    await one.embed(["c", "e"])
    assert embedder.batches[1:] == [["e"]]
    assert np.array_equal(one.vector("e"), quantise(hash_vector("e", 64)))
    with pytest.raises(LookupError, match="'f'"):
        one.vector("f")


async def test_a_text_on_its_way_is_waited_for() -> None:
    embedder = HashEmbeddings(order=2)
    one = caller(Canned(), embedder=embedder)
    first = asyncio.create_task(one.embed(["a"]))
    for _ in range(3):
        await asyncio.sleep(0)
    await asyncio.gather(first, one.embed(["a", "b"]))
    assert sorted(text for batch in embedder.batches for text in batch) == ["a", "b"]


async def test_texts_that_are_begun_early_are_embedded_once_and_stored_when_they_are_needed() -> None:
    embedder, table = HashEmbeddings(), PocketTable()
    one = caller(Canned(), embedder=embedder, table=table)
    one.begin_embedding(["a", "b", "a"])
    for _ in range(5):
        await asyncio.sleep(0)
    assert embedder.batches == [["a", "b"]]
    assert table.get_many(["a", "b"]) == {}
    await one.embed(["a"])
    assert embedder.batches == [["a", "b"]]
    assert list(table.get_many(["a", "b"])) == ["a"]


async def test_a_failure_of_what_was_begun_early_is_met_where_it_is_needed() -> None:
    one = caller(Canned(), embedder=Deaf())
    one.begin_embedding(["a"])
    await asyncio.sleep(0)
    with pytest.raises(ModelUnavailable):
        await one.embed(["a"])


async def test_known_texts_of_the_run_are_not_embedded() -> None:
    table = PocketTable()
    await caller(Canned(), table=table).embed(["a"])
    embedder = HashEmbeddings()
    await caller(Canned(), table=table, embedder=embedder).embed(["a"])
    assert embedder.batches == []


@pytest.mark.parametrize("order", range(5))
async def test_vectors_do_not_depend_on_their_batch(order: int) -> None:
    texts = [f"text {number}" for number in range(20)]
    one = caller(Canned(), embedder=OneAtATime(HashEmbeddings(), order))
    found = await asyncio.gather(*(one.embed([text]) for text in texts))
    assert all(np.array_equal(vectors[0], quantise(hash_vector(text, 64))) for text, vectors in zip(texts, found, strict=True))


async def test_an_embedding_outage_is_an_error_for_all_who_wait_and_can_be_tried_again() -> None:
    one = caller(Canned(), embedder=Deaf())
    for _ in range(2):
        failures = await asyncio.gather(one.embed(["a"]), one.embed(["a", "b"]), return_exceptions=True)
        assert all(isinstance(failure, ModelUnavailable) for failure in failures)


async def test_one_who_gives_up_waiting_takes_nothing_from_the_others() -> None:
    one = caller(Canned(), embedder=HashEmbeddings(order=3))
    impatient, patient = asyncio.create_task(one.embed(["a"])), asyncio.create_task(one.embed(["a"]))
    await asyncio.sleep(0)
    impatient.cancel()
    assert len(await patient) == 1
    with pytest.raises(asyncio.CancelledError):
        await impatient


@pytest.mark.parametrize("vectors", [np.ones((1, 64), np.float32), np.zeros((1, 64), np.float32), np.ones((2, 64), np.float32), np.ones((1, 64))])
async def test_vectors_of_a_wrong_shape_length_or_type_are_refused(vectors: Any) -> None:
    class Wrong(HashEmbeddings):
        async def embed(self, texts: Any) -> Any:
            return vectors

    with pytest.raises(ModelUnavailable, match="embedding hash returned"):
        await caller(Canned(), embedder=Wrong()).embed(["a"])


async def test_vectors_that_are_not_numbers_are_refused() -> None:
    class Wrong(HashEmbeddings):
        async def embed(self, texts: Any) -> Any:
            return np.full((1, 64), np.nan, np.float32)

    with pytest.raises(ModelUnavailable):
        await caller(Canned(), embedder=Wrong()).embed(["a"])


async def test_tokens_of_all_attempts_are_counted() -> None:
    class Counting(Says):
        async def complete(self, request: Any, *, seed: int, priority: int = 0) -> Completion:
            return replace(await super().complete(request, seed=seed), prompt_tokens=50, reply_tokens=5)

    _, call = await ask(caller(Counting("no", GOOD)))
    assert (call.prompt_tokens, call.reply_tokens) == (100, 10)
