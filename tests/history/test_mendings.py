"""Which rules mended replies: counted, worded, and shown wherever retries and fallbacks are."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from hometown.cli.summary import print_summary
from hometown.cli.texts import Text
from hometown.export.diary_preface import Preface
from hometown.history.call_counts import count_mendings
from hometown.history.insight import calls
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.model.reply_parsing import ENDED
from hometown.page.templates import page_words
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.mending import MENDING_NAMES
from hometown.text import translate
from tests.support.any_json import AnyJson
from tests.support.town import live, minitown
from tests.torture.any_day import EAGER
from tools.acceptance_report import Report as AcceptanceReport


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with a run in which most replies were mended."""
    folder = tmp_path_factory.mktemp("mended")
    live(
        folder,
        4,
        world=minitown(),
        start=datetime(2025, 2, 13, 10),
        stride=60,
        model=AnyJson(),
        settings=EAGER,
    )
    return folder


def test_mendings_are_counted_by_kind_and_rule(results: Path) -> None:
    with RunReader.open(results, "town") as run:
        found = count_mendings(run.database, 0, run.last_step())
        every = list(run.run.calls())
        stats = sum((Counter(step.get("mended", {})) for step in run.run.stats()), Counter[str]())
        assert calls(run, Names.of(run))["mended"] == [
            {"kind": each.kind, "rule": each.rule, "count": each.count} for each in found
        ]
    counted = Counter(
        (call.kind, rule) for call in every for attempt in call.attempts for rule in attempt.mended
    )
    assert {(each.kind, each.rule): each.count for each in found} == counted
    assert [each.count for each in found] == sorted(counted.values(), reverse=True)
    assert counted.total() == stats.total() > 0


@pytest.mark.parametrize("lang", LANGS)
def test_they_are_shown_beside_retries_and_fallbacks(
    lang: Lang, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with RunReader.open(results, "town") as run:
        first, total = (
            count_mendings(run.database, 0, run.last_step())[0],
            sum(each.count for each in count_mendings(run.database, 0, run.last_step())),
        )
        print_summary(run.run, Text(lang), Names.of(run.run))
        facts = list(Preface(run, Names.of(run), run.last_step()).title())
        accepted = list(AcceptanceReport(run).lines())
    shown = capsys.readouterr().out
    assert (
        Text(lang)(
            "{kind} {count}× {rule}",
            kind=first.kind,
            count=first.count,
            rule=translate(MENDING_NAMES[first.rule], lang),
        )
        in shown
    )
    assert any(f"mendings of replies: {total}" in fact for fact in facts)
    assert f"| mendings of replies | {total} |" in accepted


@pytest.mark.parametrize("lang", LANGS)
def test_every_rule_has_words(lang: Lang) -> None:
    rules = {rule.name for prompt in PROMPTS.values() for rule in prompt.mend} | {ENDED}
    assert rules <= MENDING_NAMES.keys()
    assert {f"mended_{rule}" for rule in rules} <= page_words(lang).keys()
