"""OpenAI-compatible servers: what is sent to them, what they refuse, and how they fail."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from hometown.errors import BadInput, HometownError, ModelBusy, ModelUnavailable, TooLong
from hometown.model.llm import LanguageModel
from hometown.model.openai_server import OTHER_WAYS, OpenAIModel
from hometown.records import Message
from hometown.settings import Settings
from tests.support.conformance import REQUESTS, ModelConformance
from tests.support.fake_openai import FakeOpenAI

ASKED = REQUESTS["utterance", "en"]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server() -> Iterator[FakeOpenAI]:
    with FakeOpenAI() as server:
        yield server


def settings(url: str, **machine: float) -> Settings:
    return Settings.model_validate({"machine": {"openai_base_url": url, **machine}})


def model_of(server: FakeOpenAI, model: str = "town-7b") -> OpenAIModel:
    return OpenAIModel(model, settings(server.url))


async def failure(model: LanguageModel, asked: type[HometownError] = ModelUnavailable) -> str:
    with pytest.raises(asked) as caught:
        await model.complete(ASKED, seed=1)
    assert "\n" not in str(caught.value)
    assert type(caught.value) is asked
    return str(caught.value)


class TestConformance(ModelConformance):
    @pytest.fixture(
        params=[(), ("json_schema",), ("json_schema", "json_object", "chat_template_kwargs")],
        ids=["schema", "json", "text"],
    )
    def model(self, request: pytest.FixtureRequest) -> Iterator[LanguageModel]:
        with FakeOpenAI(request.param) as server:
            yield model_of(server)


async def test_the_body_holds_what_the_request_says(server: FakeOpenAI) -> None:
    await model_of(server).complete(ASKED, seed=2**64 - 1)
    (body,) = server.bodies
    assert body == {
        "model": "town-7b",
        "messages": [
            {"role": message.role, "content": message.content} for message in ASKED.messages
        ],
        "max_tokens": ASKED.max_tokens,
        "temperature": ASKED.temperature,
        "seed": 2**31 - 1,
        "response_format": {
            "type": "json_schema",
            "json_schema": {
                "name": "utterance",
                "schema": ASKED.schema,
                "strict": True,
            },
        },
        "chat_template_kwargs": {"enable_thinking": False},
        "stream": True,
        "stream_options": {"include_usage": True},
    }


@pytest.mark.parametrize(
    ("refused", "asked", "then"),
    [
        ({"json_schema"}, ["json_schema", "json_schema", "json_object"], "json_object"),
        (
            {"json_schema", "json_object"},
            ["json_schema"] * 2 + ["json_object"] * 2 + ["text"],
            "text",
        ),
        ({"chat_template_kwargs"}, ["json_schema"] * 2, "json_schema"),
    ],
)
async def test_what_is_refused_is_left_out_and_not_tried_again(
    refused: set[str], asked: list[str], then: str
) -> None:
    with FakeOpenAI(refused) as server:
        model = model_of(server)
        await model.complete(ASKED, seed=1)
        assert server.formats() == asked
        await model.complete(ASKED, seed=2)
        await model.complete(REQUESTS["react", "zh"], seed=2)
        assert server.formats()[len(asked) :] == [then, then]
        assert ("chat_template_kwargs" in server.bodies[-1]) == (
            "chat_template_kwargs" not in refused
        )


async def test_a_single_schema_that_is_refused_costs_the_other_prompts_nothing(
    server: FakeOpenAI,
) -> None:
    model = model_of(server)
    await model.complete(ASKED, seed=1)
    server.faults = [400, 400]
    await model.complete(REQUESTS["place", "en"], seed=1)
    await model.complete(REQUESTS["place", "zh"], seed=1)
    await model.complete(ASKED, seed=2)
    assert server.formats() == [
        "json_schema",
        "json_schema",
        "json_schema",
        "json_object",
        "json_object",
        "json_schema",
    ]


async def test_a_server_that_refuses_everything_is_quoted(server: FakeOpenAI) -> None:
    server.faults, server.message = [400] * 6, "temperature is out of range"
    assert "rejected the request (400: temperature is out of range)" in await failure(
        model_of(server)
    )


async def test_a_refusal_in_the_way_that_was_learnt_is_quoted_at_once(server: FakeOpenAI) -> None:
    model = model_of(server)
    model.way.keep(OTHER_WAYS[0])
    server.faults, server.message = [400] * 6, "this request is not allowed"
    assert "400: this request is not allowed" in await failure(model)
    assert len(server.bodies) == 1


async def test_thoughts_are_left_out() -> None:
    with FakeOpenAI(
        text='<think>{"say": "no"}</think>\n\n{"say": "Hello", "end": false}'
    ) as server:
        assert (
            await model_of(server).complete(ASKED, seed=1)
        ).text == '{"say": "Hello", "end": false}'


async def test_a_server_may_count_no_tokens(server: FakeOpenAI) -> None:
    server.usage = False
    completion = await model_of(server).complete(ASKED, seed=1)
    assert (completion.prompt_tokens, completion.reply_tokens) == (0, 0)


@pytest.mark.parametrize(
    "fault", [408, 429, 500, 502, 503, "half-closed", "closed", "not json", "html", "no choices"]
)
async def test_what_may_pass_is_told_from_what_will_not(
    server: FakeOpenAI, fault: int | str
) -> None:
    server.faults = [fault]
    model = model_of(server)
    assert model.name in await failure(model, ModelBusy)
    await model.complete(ASKED, seed=1)
    assert len(server.bodies) == 2, "asking again is not the backend's work"


async def test_a_server_may_say_how_long_to_wait(server: FakeOpenAI) -> None:
    server.faults = [429]
    with pytest.raises(ModelBusy) as caught:
        await model_of(server).complete(ASKED, seed=1)
    assert caught.value.retry_after == 3


async def test_silence_is_no_answer(server: FakeOpenAI) -> None:
    server.faults = ["silent"]
    assert "machine.timeout_seconds" in await failure(
        OpenAIModel("town-7b", settings(server.url, timeout_seconds=0.1)), ModelBusy
    )


async def test_no_server_at_all() -> None:
    with FakeOpenAI() as gone:
        model = model_of(gone)
    assert f"no connection to {gone.url}" in await failure(model, ModelBusy)


async def test_a_missing_model_is_named(server: FakeOpenAI) -> None:
    message = await failure(model_of(server, model="other"))
    assert "openai:other" in message
    assert f"{server.url}/models" in message


async def test_a_context_too_small_names_the_prompt(server: FakeOpenAI) -> None:
    server.faults, server.message = (
        [400],
        "This model's maximum context length is 512 tokens. However, you requested 900 tokens",
    )
    message = await failure(model_of(server), TooLong)
    assert "'utterance'" in message
    assert "900 tokens" in message
    assert "--max-model-len" in message
    assert len(server.bodies) == 1


@pytest.mark.parametrize("key", ["sk-proj-1234567890abcdef", "a plain password"])
async def test_a_key_is_sent_and_never_shown(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with FakeOpenAI(key=key) as server:
        model = model_of(server)
        await model.complete(ASKED, seed=1)
        for status in (400, 404, 429, 500):
            server.faults, server.message = [status] * 6, f"no luck with the key {key}"
            assert key not in await failure(
                model, ModelBusy if status in (429, 500) else ModelUnavailable
            )
            server.faults = []
        server.key = "another"
        message = await failure(model_of(server))
        assert key not in message
        assert "set OPENAI_API_KEY" in message


async def test_a_password_in_the_address_is_not_shown(server: FakeOpenAI) -> None:
    server.faults = [500]
    address = server.url.replace("//", "//ida:secret@")
    assert "secret" not in await failure(OpenAIModel("town-7b", settings(address)), ModelBusy)


@pytest.mark.parametrize("address", ["", "127.0.0.1:8000", "ftp://127.0.0.1/v1", "http://"])
def test_a_server_must_be_named(address: str) -> None:
    with pytest.raises(
        BadInput, match="openai_base_url or OPENAI_BASE_URL, for example to http://127"
    ):
        OpenAIModel("town-7b", settings(address))


@pytest.mark.parametrize("name", ["127.0.0.1", "0.0.0.0"])
async def test_a_proxy_is_not_asked_about_this_machine(
    name: str, server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    model = OpenAIModel("town-7b", settings(server.url.replace("127.0.0.1", name)))
    assert (await model.complete(ASKED, seed=1)).text


async def test_the_address_may_come_from_the_environment(
    server: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert (await OpenAIModel("town-7b", Settings()).complete(ASKED, seed=1)).text


def test_a_model_outlives_an_event_loop(server: FakeOpenAI) -> None:
    model = model_of(server)
    for seed in (1, 2):
        asyncio.run(model.complete(ASKED, seed=seed))
    assert len(server.bodies) == 2


async def test_a_follow_up_question_is_sent_whole(server: FakeOpenAI) -> None:
    server.text = "{}"
    more = replace(
        ASKED,
        messages=(*ASKED.messages, Message("assistant", "nonsense"), Message("user", "again")),
    )
    await model_of(server).complete(more, seed=1)
    assert [message["role"] for message in server.bodies[0]["messages"]] == [
        *(message.role for message in ASKED.messages),
        "assistant",
        "user",
    ]


async def test_the_server_of_the_tests_streams_and_lists_its_models_as_published(
    server: FakeOpenAI,
) -> None:
    import openai  # takes long

    messages = [{"role": message.role, "content": message.content} for message in ASKED.messages]
    async with openai.AsyncOpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
        stream = await client.chat.completions.create(
            model="town-7b", messages=messages, stream=True
        )  # type: ignore[arg-type, call-overload]
        assert '"say"' in "".join([chunk.choices[0].delta.content or "" async for chunk in stream])
        assert [model.id async for model in client.models.list()] == ["town-7b"]
        with pytest.raises(
            openai.BadRequestError, match="Unrecognized request argument supplied: top_z"
        ):
            await client.chat.completions.create(
                model="town-7b", messages=messages, extra_body={"top_z": 1}
            )  # type: ignore[arg-type, call-overload]


# streams -----------------------------------------------------------------------------------


async def test_a_server_that_cannot_count_while_it_streams_is_not_asked_to_again(
    server: FakeOpenAI,
) -> None:
    server.refuses = {"stream_options"}
    model = model_of(server)
    for _ in range(2):
        assert (await model.complete(ASKED, seed=1)).prompt_tokens == 0
    assert ["stream_options" in body for body in server.bodies] == [True, False, False]
    assert server.formats() == ["json_schema"] * 3


async def test_calls_under_way_learn_together_that_it_cannot(server: FakeOpenAI) -> None:
    server.refuses = {"stream_options"}
    model = model_of(server)
    await asyncio.gather(*(model.complete(ASKED, seed=seed) for seed in range(3)))
    assert server.formats() == ["json_schema"] * len(server.bodies)
    assert all("chat_template_kwargs" in body for body in server.bodies)


async def test_a_server_that_does_not_stream_is_understood(server: FakeOpenAI) -> None:
    streamed = await model_of(server).complete(ASKED, seed=1)
    server.streams = False
    whole = await model_of(server).complete(ASKED, seed=1)
    assert whole == streamed
    assert (whole.prompt_tokens, whole.reply_tokens) == (100, 10)
