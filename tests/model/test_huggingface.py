"""Models in this process: a small Llama of random weights really generates, by chat template and
schema.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hometown.cli import start
from hometown.doctor import probe
from hometown.errors import BadInput, ModelUnavailable, ModelUnusable
from hometown.model.huggingface import HuggingFaceModel
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.paths import pip_command
from hometown.prompt.catalogue import PROMPTS
from hometown.records import Message
from hometown.settings import Settings
from tests.support.conformance import REQUESTS, ModelConformance, faults
from tests.support.hang import HANG
from tests.support.needs import require_packages
from tests.support.tiny_model import make_tiny_model

require_packages(pip_command("huggingface"), "torch", "transformers", "llguidance")

ASKED = REQUESTS["utterance", "en"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def tiny(folder: Path) -> Iterator[HuggingFaceModel]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield HuggingFaceModel(str(folder), Settings())
    torch.set_num_threads(before)


class TestConformance(ModelConformance):
    promises_seed = False  # batches differ, and with them the last digits of scores

    @pytest.fixture
    def model(self, tiny: HuggingFaceModel) -> LanguageModel:
        return tiny


async def test_the_same_seed_gets_the_same_reply_and_another_seed_another(
    tiny: HuggingFaceModel,
) -> None:
    first, again, other = [await tiny.complete(ASKED, seed=seed) for seed in (7, 7, 8)]
    assert first == again
    assert first.text != other.text


async def test_replies_are_heard_while_they_are_written(tiny: HuggingFaceModel) -> None:
    heard: tuple[list[str], list[str]] = ([], [])
    asked = [replace(ASKED, on_text=one.append) for one in heard]
    replies = await asyncio.gather(
        *(tiny.complete(one, seed=seed) for seed, one in enumerate(asked)),
        tiny.complete(ASKED, seed=9),
    )
    for parts, reply in zip(heard, replies, strict=False):
        assert reply.text in parts
        assert len(set(parts)) > 3
        assert all(one.rstrip("\ufffd") in reply.text for one in parts)


async def test_without_temperature_the_seed_does_not_matter(tiny: HuggingFaceModel) -> None:
    cold = replace(ASKED, temperature=0.0)
    assert await tiny.complete(cold, seed=1) == await tiny.complete(cold, seed=2)


@pytest.mark.parametrize("kind", PROMPTS)
async def test_replies_come_to_their_end_within_their_room(
    tiny: HuggingFaceModel, kind: str
) -> None:
    asked = REQUESTS[kind, "zh"]
    completion = await tiny.complete(asked, seed=0)
    assert faults(json.loads(completion.text), asked.schema) == []
    assert completion.reply_tokens <= asked.max_tokens


async def test_tokens_are_those_of_the_tokenizer(tiny: HuggingFaceModel) -> None:
    completion = await tiny.complete(ASKED, seed=1)
    text = (
        "".join(
            f"<|start|>{message.role}\n{message.content}<|end|>\n" for message in ASKED.messages
        )
        + "<|start|>assistant\n"
    )
    assert completion.prompt_tokens == len(tiny._tokenizer(text)["input_ids"])
    assert completion.reply_tokens > 0


async def test_requests_of_one_turn_share_a_batch_by_priority(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = HuggingFaceModel(str(folder), Settings.model_validate({"machine": {"slots": 3}}))
    batches: list[list[int]] = []

    def generate(batch: list[object], _: object) -> list[Completion]:
        batches.append([job.seed for job in batch])  # type: ignore[attr-defined]
        return [Completion("{}", 1, 1)] * len(batch)

    monkeypatch.setattr(model, "_generate", generate)
    await asyncio.gather(*(model.complete(ASKED, seed=seed, priority=-seed) for seed in range(5)))
    assert batches == [[4, 3, 2], [1, 0]]


async def test_whoever_asks_again_after_some_turns_is_in_the_next_batch(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = HuggingFaceModel(str(folder), Settings())
    sizes: list[int] = []

    def generate(batch: list[object], _: object) -> list[Completion]:
        sizes.append(len(batch))
        return [Completion("{}", 1, 1)] * len(batch)

    async def resident(turns: int) -> None:
        for seed in range(3):
            await model.complete(ASKED, seed=seed)
            for _ in range(turns):
                await asyncio.sleep(0)

    monkeypatch.setattr(model, "_generate", generate)
    await asyncio.gather(*(resident(turns) for turns in range(6)))
    assert sizes == [6, 6, 6]


async def test_a_failure_in_the_worker_reaches_all_who_wait(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    model = HuggingFaceModel(str(folder), Settings())
    for error, told in (
        (torch.cuda.OutOfMemoryError("CUDA out of memory"), r"machine\.slots"),
        (RuntimeError("odd\nstack"), "generation failed: odd$"),
    ):
        monkeypatch.setattr(
            model._model, "generate", lambda *_, error=error, **__: (_ for _ in ()).throw(error)
        )
        for caught in await asyncio.gather(
            *(model.complete(ASKED, seed=seed) for seed in range(2)), return_exceptions=True
        ):
            assert isinstance(caught, ModelUnavailable)
            with pytest.raises(ModelUnavailable, match=told):
                raise caught


def test_a_model_outlives_an_event_loop(tiny: HuggingFaceModel) -> None:
    assert asyncio.run(tiny.complete(ASKED, seed=1)) == asyncio.run(tiny.complete(ASKED, seed=1))


async def test_a_prompt_too_long_is_told_with_its_numbers(tmp_path: Path) -> None:
    model = HuggingFaceModel(str(make_tiny_model(tmp_path, context=256)), Settings())
    with pytest.raises(
        ModelUnavailable,
        match=r"'utterance' has \d+ tokens and its reply up to 200, more than the model's context of 256",
    ):
        await model.complete(ASKED, seed=1)


PICKY = "{% for message in messages %}{% if message.role == 'system' %}{{ raise_exception('no system') }}{% endif %}[{{ message.content }}]{% endfor %}"


@pytest.mark.parametrize("template", [None, PICKY], ids=["no template", "no system message"])
async def test_templates_may_be_missing_or_know_no_system_message(
    tmp_path: Path, template: str | None
) -> None:
    model = HuggingFaceModel(str(make_tiny_model(tmp_path, template)), Settings())
    prompt = model._tokenizer.decode(model._prompt(asked_of("be kind", "who are you?")))
    assert prompt == (
        "System: be kind\n\nUser: who are you?\n\nAssistant:"
        if template is None
        else "[be kind\n\nwho are you?]"
    )
    assert faults(json.loads((await model.complete(ASKED, seed=1)).text), ASKED.schema) == []


@pytest.mark.parametrize(
    "template", ["{{ raise_exception('tools') }}", "{% broken %}", "{{ messages + 5 }}"]
)
async def test_a_template_that_fails_is_told(tmp_path: Path, template: str) -> None:
    model = HuggingFaceModel(str(make_tiny_model(tmp_path, template)), Settings())
    with pytest.raises(ModelUnusable, match="its chat template fails"):
        await model.complete(ASKED, seed=1)


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.safetensors", "cut"),
        ("tokenizer.json", '{"version": "1.0", "model": {"type": "XX"}}'),
        ("config.json", '{"model_type": "llama", "hidden_size": "x"}'),
    ],
)
def test_a_model_with_a_damaged_file_is_bad_input(
    file: str, content: str, folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / file).write_text(content)
    with pytest.raises(BadInput, match=f"huggingface:{tmp_path}: ") as caught:
        HuggingFaceModel(str(tmp_path), Settings())
    assert "\n" not in str(caught.value)


def test_a_model_for_which_memory_is_too_short_is_bad_input(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch
    from transformers import LlamaForCausalLM

    def too_large(*_: object) -> None:
        raise torch.cuda.OutOfMemoryError("CUDA out of memory. Tried to allocate 8 GiB")

    monkeypatch.setattr(LlamaForCausalLM, "to", too_large)
    with pytest.raises(BadInput, match=r"CUDA out of memory.*take a smaller one"):
        HuggingFaceModel(str(folder), Settings())


def asked_of(system: str, user: str) -> Request:
    return replace(ASKED, messages=(Message("system", system), Message("user", user)))


@pytest.mark.parametrize("source", ["/no/such/model", "nobody/no-such-model", "."])
def test_what_is_no_model_is_bad_input(source: str) -> None:
    with pytest.raises(
        BadInput, match=f"huggingface:{source}: (there is no folder|no language model of that name)"
    ) as caught:
        HuggingFaceModel(source, Settings())
    assert "\n" not in str(caught.value)


def test_packages_that_are_missing_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llguidance", None)
    with pytest.raises(BadInput, match="llguidance.*" + re.escape(pip_command("huggingface"))):
        HuggingFaceModel("some/model", Settings())


def test_the_doctor_loads_the_model_and_asks_it(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probe, "SECONDS", HANG)
    start.main(
        [
            "--doctor",
            "--json",
            "--lang",
            "en",
            "--embedding",
            "hash",
            "--llm",
            f"huggingface:{folder}",
        ]
    )
    out, error = capsys.readouterr()
    told = json.loads(out)
    checks = {one["name"]: one for one in told["checks"]}
    assert checks["server"]["ok"]
    assert "cpu" in checks["server"]["detail"]
    assert checks["structured"]["ok"], "held to the schema, whatever the weights"
    assert checks["speed"]["ok"]
    assert told["slots"] in (1, 2, 4, 8)
    assert error.startswith("loading ")


@pytest.mark.parametrize(
    "error",
    [RuntimeError("x" * 500), MemoryError(), StopIteration()],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_the_library_raises_is_told_to_every_caller(
    tiny: HuggingFaceModel, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Also what no thread hands over to the event loop, where callers would wait for ever."""

    def generate(*_: object, **__: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(tiny._model, "generate", generate)
        for failure in await asyncio.gather(
            *(tiny.complete(ASKED, seed=seed) for seed in range(3)), return_exceptions=True
        ):
            assert isinstance(failure, ModelUnavailable)
    assert (await tiny.complete(ASKED, seed=1)).text
