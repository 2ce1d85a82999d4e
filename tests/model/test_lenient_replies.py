"""Replies that no grammar holds to their form: reasoning, near-JSON, and values in other forms."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from hometown.model.lenient_json import LenientReader
from hometown.model.reply_parsing import (
    FORM,
    UnusableReply,
    answer_in_reasoning,
    parse,
    parse_reply,
    without_thinking,
)
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.dialogue import UtteranceReply
from hometown.prompt.plans import WakeUpReply
from hometown.prompt.schema import schema_for
from tests.support.fake_models import BAD
from tests.support.prompt_samples import REPLIES, SAMPLES

ANSWER, DRAFT = '{"wake": "06:40", "bed": "23:05"}', '{"wake": "07:10", "bed": "22:15"}'

REASONING = {
    "Qwen": f"<think>Perhaps {DRAFT}.</think>\n{ANSWER}",
    "Qwen, opened by the template": f"Okay, perhaps {DRAFT}.\n</think>\n\n{ANSWER}",
    "Qwen, never closed": f"<think>Perhaps {DRAFT}. So: {ANSWER}",
    "Magistral": f"[THINK]Perhaps {DRAFT}.[/THINK]\n{ANSWER}",
    "Seed": f"<seed:think>Perhaps {DRAFT}.</seed:think>{ANSWER}",
    "Kimi": f"◁think▷Perhaps {DRAFT}.◁/think▷{ANSWER}",
    "gpt-oss": f"<|channel|>analysis<|message|>Perhaps {DRAFT}.<|end|><|start|>assistant<|channel|>final<|message|>{ANSWER}",
    "gpt-oss, marks lost": f"analysisPerhaps {DRAFT}.assistantfinal{ANSWER}",
    "Gemma": f"<|channel>thought\nPerhaps {DRAFT}.<channel|>{ANSWER}",
    "thought": f"<thought>Perhaps {DRAFT}.</thought>{ANSWER}",
    "Command": f"<|START_THINKING|>Perhaps {DRAFT}.<|END_THINKING|>{ANSWER}",
    "no marks": f"I might say {DRAFT}, but better: {ANSWER}\nI hope this helps.",
    "a turn of its own making": f"{ANSWER}<|im_end|>\n<|im_start|>user\n{DRAFT}",
}

NEAR_JSON = {
    "trailing comma": '{"wake": "06:40", "bed": "23:05",}',
    "Python": "{'wake': '06:40', 'bed': '23:05', 'late': True, 'why': None}",
    "comments": '{"wake": "06:40", // early\n"bed": "23:05" /* late */}',
    "full-width": '{"wake"："06:40"，"bed"："23:05"}',
    "curly quotes": "{“wake”: “06:40”, “bed”: “23:05”}",
    "closing quotes only": "{”wake”: ”06:40”, ”bed”: ”23:05”}",
    "a JSON string": json.dumps(ANSWER),
    "a member of its own": f'{{"response": {ANSWER}}}',
    "an echo of the schema": f'{{"type": "object", "properties": {ANSWER}}}',
    "a list": f"[{ANSWER}]",
    "bare names": '{wake: "06:40", bed: "23:05"}',
    "missing comma": '{"wake": "06:40"\n"bed": "23:05"}',
    "other case": '{"Wake": "06:40", "BED": "23:05"}',
    "two braces": f"{{\n{ANSWER}",
    "byte order mark": f"\ufeff{ANSWER}",
}

CLOCKS = {
    "6:40 AM": "11:05 PM",
    "6:40am": "11:05 p.m.",
    "06：40": "23：05",
    "０６:４０": "２３:０５",
    "06:40:00": "23:05:00",
    "6.40": "23.05",
    "6h40": "23h05",
    "0640": "2305",
    "早上6点40分": "晚上11点05分",
    "上午六点四十分": "夜里十一点零五分",
    "2025-02-13 06:40": "2025-02-13T23:05:00",
    "**06:40**": "`23:05`",
    "around 6:40": "大约23:05",
}


def wakes(text: str) -> tuple[str, str]:
    reply = parse(WakeUpReply, without_thinking(text))
    return reply.wake, reply.bed


@pytest.mark.parametrize("family", REASONING)
def test_the_answer_is_the_last_object_after_reasoning(family: str) -> None:
    assert wakes(REASONING[family]) == ("06:40", "23:05")


@pytest.mark.parametrize("slip", NEAR_JSON)
def test_near_json_with_a_single_reading_is_read(slip: str) -> None:
    assert wakes(NEAR_JSON[slip]) == ("06:40", "23:05")


@pytest.mark.parametrize("wake", CLOCKS)
def test_times_are_read_as_models_write_them(wake: str) -> None:
    reply = json.dumps({"wake": wake, "bed": CLOCKS[wake]}, ensure_ascii=False)
    assert wakes(reply) == ("06:40", "23:05")


@pytest.mark.parametrize(
    "text",
    [
        f"<think>Perhaps {DRAFT}. Or rather",
        f'{DRAFT} or rather {{"wake": "06:40", "bed": }}',
        '{"wake": "06:40", "wake": "07:10", "bed": "23:05",}',
        '{"wake": "06:40 or 07:10", "bed": "23:05"}',
        '{"wake": "early", "bed": "late"}',
        '{"wake": "06:40", "bed": \\"23:05"}',
        r"{'wake': '06:40\UFFFFFFFF', 'bed': '23:05'}",
        "{" * 3000,
        '{"wake": ' + "9" * 5000 + ", bed: 1e999}",
        "{" + '"a": [1, 2, 3], ' * 3000 + "'b': 1}",
        '{"wake": ' + '"a' * 3000,
    ],
    ids=[
        "draft",
        "broken answer",
        "twice",
        "two times",
        "no times",
        "escape",
        "escape beyond Unicode",
        "braces",
        "numbers",
        "members",
        "marks",
    ],
)
def test_texts_with_no_reading_or_several_are_refused(text: str) -> None:
    with pytest.raises(UnusableReply):
        wakes(text)


@pytest.mark.parametrize("text", ["{a/*" * 80_000, "{a/*" * 80_000 + "*/", "{a//" * 80_000])
def test_comments_that_would_be_read_for_hours_count_towards_the_steps(text: str) -> None:
    with pytest.raises(UnusableReply):
        wakes(text)
    assert LenientReader("{'a': /* 'b' */ 1, // c\n}").readings(0)[0].value == {"a": 1}


def test_quotation_marks_within_a_text_are_read_where_only_one_reading_is_left() -> None:
    reply = parse(UtteranceReply, '{"say": "He said "hi" to me", "end": false}')
    assert (reply.say, reply.end) == ('He said "hi" to me', False)


def test_the_readings_with_the_fewest_oddities_count() -> None:
    (found,) = LenientReader("{'a': 'x', 'b': 'y' 'c': 'z', 'd': 'it's'}").readings(0)
    assert found.value == {"a": "x", "b": "y", "c": "z", "d": "it's"}
    assert LenientReader('{"a": "x" y "b": 1}').readings(0) == []


@pytest.mark.parametrize("spoil", BAD)
def test_spoilt_replies_stay_spoilt(spoil: object) -> None:
    assert callable(spoil)
    with pytest.raises(UnusableReply):
        wakes(spoil(ANSWER))


def test_reasoning_that_ends_with_the_object_holds_the_answer() -> None:
    assert answer_in_reasoning(f"They want JSON, perhaps {DRAFT}. {ANSWER}") == ANSWER
    assert answer_in_reasoning(f"Perhaps {DRAFT}, or rather not") == ""


def read(kind: str, text: str, **changes: object) -> tuple[dict[str, object], tuple[str, ...]]:
    prompt, variables = PROMPTS[kind], replace(SAMPLES[kind], **changes)  # type: ignore[arg-type]
    reply, mended = parse_reply(prompt, variables, schema_for(prompt, variables), text, "en")
    return reply.model_dump(mode="json"), mended


def test_a_choice_is_read_in_other_letters_and_with_words_behind_it() -> None:
    reply, mended = read("react", '{"decision": "Talk to 1.", "topic": "the lamp"}')
    assert (reply["decision"], mended) == ("talk to 1", (FORM,))
    reply, _ = read("react", '{"decision": "wait - it is free soon", "topic": ""}')
    assert reply["decision"] == "wait"
    for decision in ("talk to 1 (Maria Lopez)", "talk to 1\nShe is near", "talk to 1（王芳）"):
        reply, _ = read("react", json.dumps({"decision": decision, "topic": "the lamp"}))
        assert reply["decision"] == "talk to 1"
    with pytest.raises(UnusableReply, match="decision"):
        read("react", '{"decision": "talk", "topic": ""}')


def test_a_place_is_read_by_its_name() -> None:
    names = [spot.name for spot in SAMPLES["place"].spots]  # type: ignore[attr-defined]
    for number, name in enumerate(names, 1):
        reply, mended = read("place", json.dumps({**REPLIES["place"], "place": name}))
        assert (reply["place"], FORM in mended) == (number, True)
    reply, _ = read("place", json.dumps({**REPLIES["place"], "place": f"2. {names[1]}"}))
    assert reply["place"] == 2


def test_yes_and_no_are_read_in_both_languages() -> None:
    for word, meaning in {"是": True, "否": False, "Yes.": True, "no": False}.items():
        assert parse(UtteranceReply, json.dumps({"say": "Hello.", "end": word})).end is meaning


def test_a_reply_that_fits_is_not_called_mended() -> None:
    for kind, reply in REPLIES.items():
        assert FORM not in read(kind, json.dumps(reply, ensure_ascii=False))[1]


@pytest.mark.parametrize(
    ("relations", "closer"), [(["Good neighbours."], [1, 0]), (["One.", "Two."], [1]), ([], [])]
)
def test_no_summary_is_refused_for_the_number_of_people_in_it(
    relations: list[str], closer: list[int]
) -> None:
    given = REPLIES["talk_summary"] | {"relations": relations, "closer": closer}
    reply, mended = read("talk_summary", json.dumps(given))
    assert isinstance(reply["relations"], list)
    assert isinstance(reply["closer"], list)
    assert len(reply["relations"]) == len(reply["closer"]) == 1
    assert "completed" in mended
