"""The work of `hometown model try`: models are put to the bench, and their scores are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from hometown.backends import choose_model
from hometown.bench.items import BenchItem
from hometown.bench.model_bench import (
    BRIEF_KINDS,
    DAILY_KINDS,
    Trial,
    Verdict,
    prompt_version,
    select_items,
)
from hometown.bench.score_tables import faulty_replies, share_of, table_of_kinds, table_of_models
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.language import LANGS, Lang
from hometown.model.routing import public_name
from hometown.model.trials import keep_findings
from hometown.prompt.render import PROMPT_FOLDER
from hometown.settings import Settings

BRIEF_PROMPTS = 15
"""Prompts of a brief trial."""


@dataclass(frozen=True)
class TrialChoice:
    """The choice of items, and the limit of a trial.

    Attributes:
        prompts: number of items, 0 for all.
        is_brief: whether only the most frequent kinds are asked, in one language.
        with_sealed: whether sealed items are asked, too.
        least_unmended: least share of usable replies of each kind, in percent; None for no limit.
        lang: language of the items; None for both.
        least_overall: least share of usable replies of all kinds together, in percent; None for no
            limit.
    """

    prompts: int
    is_brief: bool = False
    with_sealed: bool = False
    least_unmended: int | None = None
    lang: Lang | None = None
    least_overall: int | None = None


def try_models(
    specs: Sequence[str],
    choice: TrialChoice,
    layers: Sequence[Layer],
    results: Path,
    text: Text,
    prompts: Path = PROMPT_FOLDER,
) -> int:
    """Try models, keep their shares of faultless replies below `results`, and print their scores
    and faulty replies; return 1 if one misses a limit, else 0.
    """
    settings = combine(layers)
    langs = (choice.lang,) if choice.lang else LANGS[:1] if choice.is_brief else LANGS
    items = select_items(
        BRIEF_PROMPTS if choice.is_brief else choice.prompts,
        BRIEF_KINDS if choice.is_brief else DAILY_KINDS if choice.prompts else (),
        langs,
        with_sealed=choice.with_sealed,
    )
    trials: dict[str, list[Verdict]] = {}
    for spec in specs:
        verdicts = run_stoppable(_try(spec, items, settings, results, prompts, text.lang))
        trials[public_name(spec)] = verdicts
        keep_trial(results, spec, verdicts)
        print(
            text(
                "{model}, prompts {version}",
                model=public_name(spec),
                version=prompt_version(prompts),
            )
        )
        print(*table_of_kinds(verdicts, text), sep="\n", end="\n\n")
        print(*faulty_replies(verdicts, text), sep="\n", end="\n\n")
    print(*table_of_models(trials, text), sep="\n")
    return max(
        _report_misses(trials, choice.least_unmended, text),
        _report_overall(trials, choice.least_overall, text),
    )


def keep_trial(results: Path, spec: str, verdicts: Sequence[Verdict]) -> None:
    """Keep the share of replies without a fault, by language and kind of prompt."""
    for lang in LANGS:
        kinds = dict.fromkeys(each.item.kind for each in verdicts if each.item.lang == lang)
        found = {
            kind: share_of(
                [each for each in verdicts if (each.item.lang, each.item.kind) == (lang, kind)],
                lambda each: each.is_alive,
            )
            for kind in kinds
        }
        if found:
            keep_findings(results, spec, lang, found)


async def _try(
    spec: str,
    items: Sequence[BenchItem],
    settings: Settings,
    results: Path,
    prompts: Path,
    lang: Lang,
) -> list[Verdict]:
    model, _ = await choose_model(spec, settings, lang)
    with tqdm(total=len(items), desc=public_name(spec), unit="prompt", disable=None) as bar:
        return await Trial(model, results, prompts).ask(items, lambda _: bar.update())


def _report_misses(trials: Mapping[str, Sequence[Verdict]], least: int | None, text: Text) -> int:
    """Print the kinds of prompt with fewer usable replies than the limit; return 1 if there are."""
    if least is None:
        return 0
    missed = [
        text(
            "{model}: {kind}: {share} usable (at least {least} %)",
            model=model,
            kind=kind,
            share=share,
            least=least,
        )
        for model, verdicts in trials.items()
        for kind in dict.fromkeys(each.item.kind for each in verdicts)
        if (
            share := share_of(
                [each for each in verdicts if each.item.kind == kind], lambda each: each.is_unmended
            )
        ).value
        * 100
        < least
    ]
    print(*missed, sep="\n")
    return int(bool(missed))


def _report_overall(trials: Mapping[str, Sequence[Verdict]], least: int | None, text: Text) -> int:
    """Print the models of whose replies fewer than the limit are usable; return 1 if there are."""
    if least is None:
        return 0
    missed = [
        text("{model}: {share} usable (at least {least} %)", model=model, share=share, least=least)
        for model, verdicts in trials.items()
        if (share := share_of(verdicts, lambda each: each.is_unmended)).value * 100 < least
    ]
    print(*missed, sep="\n")
    return int(bool(missed))
