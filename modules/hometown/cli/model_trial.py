"""The work of `hometown model try`: models are put to the bench, and their scores are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tqdm import tqdm

from hometown.bench.model_bench import Verdict
from hometown.bench.score_tables import (
    faulty_replies,
    table_of_kinds,
    table_of_models,
    table_of_thinking,
)
from hometown.bench.trying import PromptChoice, TriedModel, try_items
from hometown.cli.signals import run_stoppable
from hometown.cli.texts import Text
from hometown.config import Layer, combine
from hometown.model.routing import public_name
from hometown.prompt.render import PROMPT_FOLDER
from hometown.shares import share_of


def try_models(
    specs: Sequence[str],
    choice: PromptChoice,
    layers: Sequence[Layer],
    results: Path,
    text: Text,
    prompts: Path = PROMPT_FOLDER,
    *,
    least_unmended: int | None = None,
    least_overall: int | None = None,
) -> int:
    """Try models, keep their shares of faultless replies below `results`, and print their scores
    and faulty replies; return 1 if one misses a limit, else 0.

    Args:
        least_unmended: least share of usable replies of each kind, in percent; None for no limit.
        least_overall: the same of all kinds together.
    """
    settings, items = combine(layers), choice.select()
    rounds = 1 + choice.with_thinking
    trials: dict[str, Sequence[Verdict]] = {}
    for spec in specs:
        with tqdm(
            total=len(items) * rounds, desc=public_name(spec), unit="prompt", disable=None
        ) as bar:
            tried = run_stoppable(
                try_items(
                    spec,
                    items,
                    settings,
                    results,
                    prompts,
                    lambda _: bar.update(),
                    text.lang,
                    with_thinking=choice.with_thinking,
                )
            )
        trials |= _print_scores(tried, text)
    print(*table_of_models(trials, text), sep="\n")
    return max(
        _report_misses(_split_by_kind(trials), least_unmended, text),
        _report_misses(trials, least_overall, text),
    )


def _split_by_kind(trials: Mapping[str, Sequence[Verdict]]) -> dict[str, Sequence[Verdict]]:
    """Return the verdicts of models by model and kind of prompt."""
    return {
        f"{model}: {kind}": [each for each in verdicts if each.item.kind == kind]
        for model, verdicts in trials.items()
        for kind in dict.fromkeys(each.item.kind for each in verdicts)
    }


def _print_scores(tried: TriedModel, text: Text) -> dict[str, Sequence[Verdict]]:
    """Print the scores of a model by kind of prompt and its faulty replies; return its verdicts,
    those after thinking apart.
    """
    print(text("{model}, prompts {version}", model=tried.model, version=tried.prompts))
    print(*table_of_kinds(tried.verdicts, text), sep="\n", end="\n\n")
    print(*faulty_replies(tried.verdicts, text), sep="\n", end="\n\n")
    if not tried.after_thinking:
        return {tried.model: tried.verdicts}
    compared = table_of_thinking(tried.verdicts, tried.after_thinking, text)
    print(*compared, sep="\n", end="\n\n")
    thinking = text("{model}, after thinking", model=tried.model)
    return {tried.model: tried.verdicts, thinking: tried.after_thinking}


def _report_misses(
    verdicts_by_name: Mapping[str, Sequence[Verdict]], least: int | None, text: Text
) -> int:
    """Print the names of verdicts of which fewer are usable than the limit; return 1 if there are."""
    if least is None:
        return 0
    shares = {
        name: share_of(verdicts, lambda each: each.is_unmended)
        for name, verdicts in verdicts_by_name.items()
    }
    missed = [
        text(
            "{replies}: {share} usable (at least {least} %)", replies=name, share=share, least=least
        )
        for name, share in shares.items()
        if share.value * 100 < least
    ]
    print(*missed, sep="\n")
    return int(bool(missed))
