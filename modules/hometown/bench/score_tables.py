"""Tables of trials, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from hometown.bench.model_bench import Verdict
from hometown.bench.reader_agreement import least_kappa, measured_scores
from hometown.bench.rules import RULES
from hometown.language import LANGS
from hometown.markdown import format_table, literal
from hometown.model.trials import pays
from hometown.shares import Share, share_of
from hometown.text import N_

SHOWN = 160
"""Characters of a reply that are shown beside its fault."""

BENCH_TEXTS = {
    "kind_columns": N_("prompt|replies|usable|mended|without fault|commonest fault"),
    "thinking_columns": N_(
        "prompt|replies|without fault|after thinking|seconds a reply|after thinking|thinking pays"
    ),
    "pays": N_("yes"),
    "score": N_("score"),
    "usable": N_("usable without mending"),
    "mended": N_("mended"),
    "alive": N_("without fault"),
    "agrees": N_("choices as in the reference"),
    "total": N_("all"),
    "unmeasured": N_("not measured"),
}

RULE_NAMES = {
    "unusable": N_("not of the form asked for"),
    "wrong_language": N_("wrong language"),
    "echo": N_("echo of the prompt"),
    "repetition": N_("repetition"),
    "empty_talk": N_("empty talk"),
    "speaks_for_others": N_("speaking for others"),
    "contradiction": N_("contradiction of times, people or tasks given"),
    "invented_people": N_("invented people"),
    "ignores_last_line": N_("last line not answered"),
    "leaves_persona": N_("out of the persona"),
    "broken_words": N_("broken words or endings"),
}
"""Names of the rules for the user."""

Translate = Callable[[str], str]


def table_of_kinds(verdicts: Sequence[Verdict], text: Translate) -> Iterable[str]:
    """Return a table with a row for each kind of prompt and language that has verdicts, and one for
    all.
    """
    rows = []
    for lang in LANGS:
        for kind in dict.fromkeys(verdict.item.kind for verdict in verdicts):
            some = [each for each in verdicts if (each.item.kind, each.item.lang) == (kind, lang)]
            if some:
                found = Counter(name for each in some for name in each.faults)
                usual = [
                    f"{text(RULE_NAMES[name])} {count}" for name, count in found.most_common(1)
                ]
                rows.append((f"{kind} {lang}", *_format_figures(some), "".join(usual)))
    rows.append((text(BENCH_TEXTS["total"]), *_format_figures(verdicts), ""))
    return format_table(text(BENCH_TEXTS["kind_columns"]).split("|"), rows)


def table_of_thinking(
    plain: Sequence[Verdict], after_thinking: Sequence[Verdict], text: Translate
) -> Iterable[str]:
    """Return a table with a row for each kind of prompt and language: the shares of replies without a
    fault and the mean seconds of a reply, without thinking and after it.
    """
    rows = []
    for kind, lang in dict.fromkeys((each.item.kind, each.item.lang) for each in after_thinking):
        both = [
            [each for each in verdicts if (each.item.kind, each.item.lang) == (kind, lang)]
            for verdicts in (plain, after_thinking)
        ]
        shares = [share_of(some, lambda each: each.is_alive) for some in both]
        seconds = [fmean(each.answer.ms for each in some) / 1000 for some in both]
        rows.append(
            (
                f"{kind} {lang}",
                str(len(both[1])),
                *map(str, shares),
                *(f"{each:.1f}" for each in seconds),
                text(BENCH_TEXTS["pays"]) if pays(*shares) else "",
            )
        )
    return format_table(text(BENCH_TEXTS["thinking_columns"]).split("|"), rows)


def _format_figures(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """Return the number of verdicts, and the shares of replies usable without mending, mended, and
    without fault.
    """
    return (
        str(len(verdicts)),
        str(share_of(verdicts, lambda each: each.is_unmended)),
        str(share_of(verdicts, lambda each: bool(each.mended))),
        str(share_of(verdicts, lambda each: each.is_alive)),
    )


def table_of_models(trials: Mapping[str, Sequence[Verdict]], text: Translate) -> Iterable[str]:
    """Return a table with a column for each model and a row for each score."""
    rows = [
        (
            text(BENCH_TEXTS[name]),
            *(str(share_of(each, holds)) for each in trials.values()),
        )
        for name, holds in (
            ("usable", lambda each: each.is_unmended),
            ("mended", lambda each: bool(each.mended)),
            ("alive", lambda each: each.is_alive),
        )
    ]
    rows += [
        (text(RULE_NAMES[name]), *(_share_by_rule(name, each, text) for each in trials.values()))
        for name in RULES
    ]
    rows.append(
        (text(BENCH_TEXTS["agrees"]), *(str(_share_of_agreeing(each)) for each in trials.values()))
    )
    return format_table([text(BENCH_TEXTS["score"]), *map(literal, trials)], rows)


def _share_by_rule(rule: str, verdicts: Sequence[Verdict], text: Translate) -> str:
    """Return the share of replies with a fault; of a score about which the rules and readers
    disagree, that it is not measured, and κ.
    """
    if rule in measured_scores():
        return str(share_of(verdicts, _finds_fault(rule)))
    kappa, unmeasured = least_kappa(rule), text(BENCH_TEXTS["unmeasured"])
    return unmeasured if kappa is None else f"{unmeasured} (κ {kappa:.2f})".replace("-", "−")


def _finds_fault(rule: str) -> Callable[[Verdict], bool]:
    """Return the condition that a rule finds a fault."""
    return lambda verdict: rule in verdict.faults


def _share_of_agreeing(verdicts: Sequence[Verdict]) -> Share:
    """Return the share of choices as in the reference, of the replies to items that have one."""
    return share_of(
        [each for each in verdicts if each.is_agreeing is not None],
        lambda each: bool(each.is_agreeing),
    )


def faulty_replies(verdicts: Iterable[Verdict], text: Translate) -> Iterator[str]:
    """Yield two lines for each reply with a fault: its item with the rules and their reasons, and
    the reply; reasons and reply are cut to `SHOWN` characters.
    """
    for verdict in verdicts:
        faults = dict(verdict.faults)
        if verdict.refused:
            faults["unusable"] = verdict.refused
        if faults:
            reasons = "; ".join(
                f"{text(RULE_NAMES[name])}: {' '.join(reason.split())[:SHOWN]}"
                for name, reason in faults.items()
            )
            item, shown = verdict.item, " ".join(verdict.answer.text.split())[:SHOWN]
            yield f"- {item.kind} {item.lang} {item.id}: {reasons}\n  {shown}"
