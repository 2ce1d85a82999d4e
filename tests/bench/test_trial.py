"""Trials of models: items, kept replies, and a limit that a bad prompt misses."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import hometown
from benchmarks import minds
from benchmarks.obeying_model import ObeyingModel, list_bad_prompts
from hometown.backends import register
from hometown.bench.items import load_items, save_items
from hometown.bench.model_bench import (
    BRIEF_KINDS,
    DAILY_KINDS,
    Trial,
    broken_by_town,
    read_answers,
    select_items,
)
from hometown.bench.reference_choices import CHANGES, FIELDS, STAYS, Reference, references
from hometown.bench.replies import ScoredReply
from hometown.bench.trying import BRIEF_PROMPTS, PromptChoice
from hometown.cli.model_trial import try_models
from hometown.cli.texts import Text
from hometown.language import LANGS
from hometown.model.llm import Completion, Request
from hometown.model.trials import FINDINGS
from hometown.paths import ROOT, TRIALS
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.clashes import ClashVars
from hometown.prompt.render import PROMPT_FOLDER
from hometown.records import Message
from hometown.scripted.model import ScriptedModel
from hometown.settings import Settings
from hometown.shares import Share


@pytest.mark.parametrize("lang", LANGS)
def test_each_kind_of_prompt_has_twenty_items_of_all_traits(lang: str) -> None:
    items = [item for each in LANGS if each == lang for item in load_items(each)]
    counts = Counter(item.kind for item in items)
    assert set(counts) == set(PROMPTS)
    assert min(counts.values()) >= 20
    for kind in counts:
        traits = Counter(item.trait for item in items if item.kind == kind)
        assert set(traits) == {"short", "long", "adversarial"}, kind
    assert 0.4 < sum(item.is_sealed for item in items) / len(items) < 0.6
    for item in items:
        item.parse()


def test_items_are_kept_and_read_again(tmp_path: Path) -> None:
    items = load_items("en")[:5]
    save_items("en", items, tmp_path)
    assert load_items("en", tmp_path) == items


def test_sealed_items_are_asked_only_on_demand() -> None:
    assert not any(item.is_sealed for item in select_items())
    assert any(item.is_sealed for item in select_items(with_sealed=True))


def test_a_small_selection_holds_all_kinds_in_both_languages() -> None:
    chosen = select_items(60, DAILY_KINDS)
    counts = Counter((item.kind, item.lang) for item in chosen)
    assert len(chosen) == 60
    assert set(counts) == {(kind, lang) for kind in DAILY_KINDS for lang in LANGS}
    assert max(counts.values()) - min(counts.values()) <= 1


def test_items_that_begin_alike_follow_each_other() -> None:
    chosen = select_items(60, DAILY_KINDS)
    begins = [(item.lang, item.world) for item in chosen]
    assert sum(one != other for one, other in pairwise(begins)) == len(set(begins)) - 1


def test_references_are_of_items_with_a_choice() -> None:
    items = {item.id: item for lang in LANGS for item in load_items(lang)}
    for known, reference in references().items():
        assert FIELDS[items[known].kind] == reference.field


def test_a_resident_who_reconsiders_keeps_the_plan_or_changes_it() -> None:
    known = references()
    for each in (STAYS, CHANGES):
        reference = Reference("activity", frozenset({each}))
        assert reference in known.values()
        assert reference.agrees({"activity": ""}) == (each == STAYS)
        assert reference.agrees({"activity": "locking the door"}) == (each == CHANGES)


def test_a_clash_has_one_of_its_own_agreements_as_the_right_one() -> None:
    items = [item for lang in LANGS for item in load_items(lang) if item.kind == "clash"]
    rights = []
    for item in items:
        asked = item.parse()
        assert isinstance(asked, ClashVars)
        if reference := references().get(item.id):
            assert reference.choices <= {str(n) for n in range(1, len(asked.options) + 1)}
            rights.append(reference.choices == {str(len(asked.options))})
    assert 0.8 < len(rights) / len(items) < 1
    assert 0.4 < sum(rights) / len(rights) < 0.6  # neither the new nor the earlier one by habit


def test_a_stored_clash_can_be_asked_and_answered(tmp_path: Path) -> None:
    items = select_items(kinds=["clash"], with_sealed=True)
    verdicts = asyncio.run(Trial(ScriptedModel(), tmp_path).ask(items, lambda verdict: None))
    assert len(verdicts) >= 40
    assert all(verdict.is_unmended for verdict in verdicts)


class Counting(ScriptedModel):
    """The scripted model, which counts its requests."""

    def __init__(self) -> None:
        self.requests = 0

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        self.requests += 1
        return await super().complete(request, seed=seed, priority=priority)


def test_kept_replies_are_not_asked_for_again(tmp_path: Path) -> None:
    items, model = select_items(10, BRIEF_KINDS), Counting()
    first = asyncio.run(Trial(model, tmp_path).ask(items, lambda verdict: None))
    trial = Trial(model, tmp_path)
    with trial.file.open("ab") as file:
        file.write(b'{"item": "cut o')
    again = asyncio.run(Trial(model, tmp_path).ask(items, lambda verdict: None))
    assert model.requests == len(items)
    assert [each.answer for each in again] == [each.answer for each in first]
    assert len(list(read_answers(trial.file))) == len(items)


def test_a_selection_prefers_items_with_little_to_read() -> None:
    few, all_items = select_items(60, DAILY_KINDS), select_items(kinds=DAILY_KINDS)
    sizes = [sum(len(item.variables) for item in each) / len(each) for each in (few, all_items)]
    assert sizes[0] < sizes[1]


def test_a_file_without_replies_is_refused_with_the_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "replies.jsonl").write_text('{"reply": "{}"}\n')
    with pytest.raises(SystemExit):
        minds.main(["--check", str(tmp_path / "replies.jsonl")])
    assert "replies.jsonl, line 1" in capsys.readouterr().err


def _obeying(name: str, settings: Settings) -> ObeyingModel:
    return ObeyingModel()


register("obeying", _obeying)


def _unmended_of_all(results: Path, least: int) -> int:
    choice = PromptChoice(15, is_brief=True)
    return try_models(["obeying:prompt"], choice, [], results, Text("en"), least_overall=least)


def test_a_limit_for_all_kinds_together_is_met_or_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _unmended_of_all(tmp_path, 80) == 0
    assert _unmended_of_all(tmp_path, 101) == 1
    assert "usable (at least 101 %)" in capsys.readouterr().out


def _try(prompts: Path, results: Path) -> int:
    choice = PromptChoice(15, is_brief=True)
    return try_models(
        ["obeying:prompt"], choice, [], results, Text("en"), prompts, least_unmended=80
    )


def test_a_bad_prompt_makes_the_brief_form_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results, prompts = tmp_path / "results", tmp_path / "prompts"
    assert _try(PROMPT_FOLDER, results) == 0
    shutil.copytree(PROMPT_FOLDER, prompts)
    template = prompts / "en" / "schedule_decompose.md"
    text = template.read_text("utf-8")
    assert '{"tasks"' in text
    template.write_text(text.replace('{"tasks"', '{"steps"'), "utf-8")
    capsys.readouterr()
    assert _try(prompts, results) == 1
    assert "schedule_decompose: 0 %" in capsys.readouterr().out


def _plant(folder: Path, file: str, form: str, planted: str) -> Path:
    """Copy all templates and replace the form of the answer in one of them."""
    shutil.copytree(PROMPT_FOLDER, folder)
    text = (folder / file).read_text("utf-8")
    assert form in text
    (folder / file).write_text(text.replace(form, planted), "utf-8")
    return folder


def test_a_planted_bad_prompt_makes_the_form_that_ci_runs_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (options,) = re.findall(r"benchmarks\.minds gguf:smollm2-135m (.+) --config", makefile)
    prompts = _plant(tmp_path / "prompts", "en/schedule_decompose.md", '{"tasks"', '{"steps"')
    given = ["--results", str(tmp_path / "results"), "--templates", str(prompts)]
    assert minds.main(["scripted", *options.split(), *given]) == 1
    bad = [line for line in capsys.readouterr().out.splitlines() if "by the prompt alone" in line]
    assert [line.partition(":")[0] for line in bad] == ["schedule_decompose en"]


def test_a_prompt_that_names_another_field_than_the_schema_is_bad(tmp_path: Path) -> None:
    prompts = _plant(tmp_path / "prompts", "zh/wake_up.md", '"wake"', '"rise"')
    assert [line[:12] for line in list_bad_prompts(prompts, ["wake_up"])] == ["wake_up zh: "]
    assert not list(list_bad_prompts(kinds=["wake_up"]))


def test_a_share_has_its_interval() -> None:
    low, high = Share(50, 100).interval
    assert (round(low, 2), round(high, 2)) == (0.4, 0.6)


RATED = Path(__file__).with_name("rated.jsonl")
"""Replies of the scripted model and of SmolLM2 (135 M), with the faults that a reader found."""


def test_rules_agree_with_a_reader() -> None:
    items = {item.id: item for lang in LANGS for item in load_items(lang)}
    rows = [json.loads(row) for row in RATED.read_text("utf-8").splitlines()]
    trial = Trial(ScriptedModel(), Path("unused"))
    pairs: list[tuple[bool, bool]] = []
    for row in rows:
        item = items[row["item"]]
        verdict = trial.judge(item, row["text"])
        pairs.append((bool(set(verdict.faults) - {"unusable"}), bool(row["faults"])))
    both, either = sum(rule and hand for rule, hand in pairs), sum(map(any, pairs))
    assert len(rows) >= 40
    assert both == sum(hand for _, hand in pairs)  # nothing that the reader saw is missed
    assert either - both <= 2  # and hardly anything is found that the reader did not see


ODD_VALUES: tuple[Any, ...] = (
    *(None, True, 5, "x", "25:99", {}, [], [None], [5], ["1. reading"], [[]], [["07:00"]]),
    *([[1, "reading", "09:00"]], [{"number": 1, "start": 5}], [["a", None, None]]),
    [["06:30", "up"], ["21:00", "tea"], ["21:30"], {"start": "22:00", "activity": "sleep"}],
    [["06:30", "up"], [None, "tea"], ["21:30", ["bed"]]],
)


@pytest.mark.parametrize("kind", PROMPTS)
def test_a_reply_of_any_shape_has_a_verdict(kind: str) -> None:
    trial = Trial(ScriptedModel(), Path("unused"))
    item = next(item for item in load_items("en") if item.kind == kind)
    fields = trial.request(item).schema["properties"]
    for value in ODD_VALUES:
        for chosen in (fields, *([field] for field in fields)):
            verdict = trial.judge(item, json.dumps(dict.fromkeys(chosen, value)))
            assert verdict.refused or verdict.mended or verdict.is_unmended
    assert all(trial.judge(item, text).refused for text in ("", "5", "[]", "null"))


@pytest.mark.parametrize(
    ("written", "used", "spoilt"),
    [
        ("From behind the organ, Bea.", "From behind the organ, Bea.", ""),
        ("From openslibrarying the", "From openslibrarying the", ""),
        ("From behind the organ, Bea.", "From behind the", "From behind the"),
        (f"{'Behind the organ. ' * 10}Beh", f"{'Behind the organ. ' * 10}Beh", "the organ. Beh"),
        (f"1. {'2' * 190}", f"{'2' * 180}", ""),
        (", 7, 8, 9" * 30, f"{', 7, 8, 9' * 18}…", ""),
    ],
)
def test_words_that_the_town_breaks_are_told_from_those_of_the_model(
    written: str, used: str, spoilt: str
) -> None:
    schema = {"properties": {"say": {"type": "string", "maxLength": min(183, len(written))}}}
    messages = [Message("system", "You are Ann Reed, 30, baker."), Message("user", "Speak.")]
    reply = ScoredReply(messages, schema, json.dumps({"say": written}), "en", "utterance")
    found = broken_by_town(reply, {"say": used})
    assert found.endswith(spoilt) if spoilt else not found


def test_a_model_is_tried_from_python(tmp_path: Path) -> None:
    tried = hometown.try_model("obeying:prompt", brief=True, results=tmp_path)
    assert len(tried.verdicts) == BRIEF_PROMPTS
    assert tried.unmended.value >= 0.8
    assert tried.faultless.total == BRIEF_PROMPTS
    assert "utterance en" in tried._repr_markdown_()
    assert list((tmp_path / TRIALS).rglob("*.jsonl")), "replies are kept"
    with pytest.raises(hometown.BadInput, match="-1"):
        hometown.try_model("obeying:prompt", prompts=-1, results=tmp_path)


class Thoughtful(ScriptedModel):
    """A model whose replies are of use after thinking only."""

    name = "thoughtful:it"

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if not request.thinks:
            return Completion("Tea?", 1, 1)
        return await super().complete(request, seed=seed, priority=priority)


register("thoughtful", lambda name, settings: Thoughtful())


def test_a_trial_finds_whether_thinking_pays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    choice = PromptChoice(22, lang="en", with_thinking=True)
    layers = [{"llm": {"retries": 0}}]
    assert try_models(["thoughtful:it"], choice, layers, tmp_path / TRIALS, Text("en")) == 0
    shown = capsys.readouterr().out
    assert "thinking pays" in shown
    assert "thoughtful:it, after thinking" in shown
    kept = json.loads((tmp_path / TRIALS / FINDINGS).read_text())
    assert kept["thoughtful:it"]["en"]["wake_up"][0] == 0
    assert kept["thoughtful:it (thinking)"]["en"]["wake_up"][0] > 0
    assert not {"utterance", "talk_summary"} & kept["thoughtful:it (thinking)"]["en"].keys()
