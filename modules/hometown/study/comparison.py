"""Comparison of two runs: their first difference with its cause, and their figures, as Markdown in
either language and as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from hometown.frozen import frozen
from hometown.history.channels import find_targets
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.markdown import Markdown, heading, literal
from hometown.model.routing import public_name
from hometown.paths import USER_WORLDS
from hometown.storage.run import RunFile
from hometown.study.comparison_wording import COMPARISON_TEXTS
from hometown.study.difference import Difference, ValuePair, find_first_difference
from hometown.study.measuring import Measured, measure_run
from hometown.text import excerpt, fill, translate_all

MAX_VALUE_CHARACTERS = 300
"""Maximum number of characters of a value in the table; JSON has it whole."""


@frozen
class ComparisonRow:
    """A figure of both runs, None for a run without it."""

    name: str
    about: str
    first: float | None
    second: float | None


@frozen
class Comparison:
    """The result of `compare_runs`, with the names and models of both runs."""

    names: tuple[str, str]
    models: tuple[str, str]
    difference: Difference
    time: str
    """Game time at which the first step that differs begins, ISO 8601; "" for no difference."""
    rows: tuple[ComparisonRow, ...]


def compare_runs(first: RunFile, second: RunFile, worlds: Path = USER_WORLDS) -> Comparison:
    """Compare two runs that are open for reading, up to the last step that both have; each may be
    in progress.
    """
    difference = find_first_difference(first, second)
    begins = "" if difference.step is None else _beginning_of(first, difference.step).isoformat()
    readers, last = (RunReader(first), RunReader(second)), difference.common
    targets = {who for reader in readers for who in find_targets(reader, last)}
    rows = side_by_side(
        *(
            measure_run(reader, Names.of(run, worlds), last, targets)
            for reader, run in zip(readers, (first, second), strict=True)
        )
    )
    names, models = (
        (first.manifest.name, second.manifest.name),
        (public_name(first.manifest.llm), public_name(second.manifest.llm)),
    )
    return Comparison(names, models, difference, begins, tuple(rows))


def _beginning_of(run: RunFile, step: int) -> datetime:
    """Return the time at which a step begins; step 0 is the founding of the town."""
    return run.steps()[step - 1].time if step else run.manifest.start


def side_by_side(first: Sequence[Measured], second: Sequence[Measured]) -> Iterator[ComparisonRow]:
    """Yield the figures of both, in the order of the first; those that only the second has come
    last.
    """
    ours, theirs = (
        {(figure.name, figure.about): figure.value for figure in figures}
        for figures in (first, second)
    )
    for name, about in dict.fromkeys([*ours, *theirs]):
        yield ComparisonRow(name, about, ours.get((name, about)), theirs.get((name, about)))


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return the comparison as a dictionary of its fields, values whole."""
    return asdict(comparison)


def format_comparison(comparison: Comparison, lang: Lang) -> str:
    """Return the comparison as Markdown: the first difference and a table of all figures, with a
    note if one of the models is scripted, and a caution.
    """
    words, (first, second) = translate_all(COMPARISON_TEXTS, lang), comparison.names
    lines = [heading(1, fill(words["title"], {"first": first, "second": second}, lang)), ""]
    if "scripted" in comparison.models:
        lines += [words["scripted"], ""]
    lines += [
        *_format_difference(comparison, words, lang),
        "",
        Markdown(words["columns"]).format(first=first, second=second),
        "|---|---:|---:|---:|",
    ]
    for row in comparison.rows:
        label = literal(words.get(row.name, row.name) + (f": {row.about}" if row.about else ""))
        change = (
            ""
            if row.first is None or row.second is None
            else _format_number(row.second - row.first, signed=True)
        )
        lines.append(
            f"| {label} | {_format_number(row.first)} | {_format_number(row.second)} | {change} |"
        )
    return "\n".join(
        [*lines, "", fill(words["caution"], {"common": comparison.difference.common}, lang)]
    )


def _format_difference(comparison: Comparison, words: dict[str, str], lang: Lang) -> Iterator[str]:
    """Yield the Markdown lines of the first difference: its step, time and cause, the evidence, and
    the first different effect and reply; for equal runs the one sentence that says so.
    """
    found, (first, second) = comparison.difference, comparison.names
    values: dict[str, object] = {
        "first": first,
        "second": second,
        "common": found.common,
        "step": found.step,
        "time": comparison.time.replace("T", " ")[:16],
    }
    if found.step is None:
        yield fill(words["no_difference"], values, lang)
        return
    yield fill(words["difference"], values | {"cause": words[f"cause_{found.cause}"]}, lang)
    yield ""
    yield from (_format_pair(words["evidence"], change, words, lang) for change in found.evidence)
    if found.deed:
        yield _format_pair(words["deed"], found.deed, words, lang)
    if found.thought:
        yield _format_pair(words["thought"], found.thought, words, lang, step=found.thought_step)


def _format_pair(
    form: str, change: ValuePair, words: dict[str, str], lang: Lang, **more: object
) -> str:
    """Return a line that fills `form` with the shortened values of both runs, "nothing" for an
    empty one.
    """
    ours, theirs = (
        excerpt(value, MAX_VALUE_CHARACTERS) or words["nothing"]
        for value in (change.first, change.second)
    )
    return fill(
        form,
        {"what": literal(change.what), "first": literal(ours), "second": literal(theirs), **more},
        lang,
    )


def _format_number(value: float | None, *, signed: bool = False) -> str:
    """Return a figure as text: whole numbers and those from 1000 on without decimals, others with
    three, None as a dash.

    >>> _format_number(3.0), _format_number(0.16667), _format_number(None), _format_number(-12000.0, signed=True)
    ('3', '0.167', '–', '-12,000')
    """
    if value is None:
        return "–"
    sign = "+" if signed else ""
    return (
        f"{value:{sign},.0f}"
        if value == round(value) or abs(value) >= 1000
        else f"{value:{sign},.3f}"
    )
