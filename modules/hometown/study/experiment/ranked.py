"""The chapters of a report on judging: the judge, and its rankings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hometown.language import Lang
from hometown.model.routing import public_name
from hometown.study.experiment.analysis import Ranked, Results
from hometown.study.experiment.experiment_wording import amount, load_words
from hometown.study.experiment.report_blocks import (
    Heading,
    Paragraph,
    ReportBlock,
    ReportPicture,
    ReportTable,
)
from hometown.study.experiment.report_figures import rating_figure
from hometown.study.grounding import VERDICTS
from hometown.study.judging.agreement import Agreement
from hometown.study.judging.controls import AT_MOST, BOUNDS
from hometown.study.ranking.primary import Pair
from hometown.text import ngettext, translate

Words = Mapping[str, str]


def judging(results: Results, lang: Lang) -> Iterator[ReportBlock]:
    """Yield the chapters on judging; none where there was no judging."""
    words = load_words(lang)
    if results.experiment.judge:
        yield from _judge(results, words, lang)
    for ranked in results.rankings:
        yield from _rankings(ranked, words, results, lang)


def _judge(results: Results, words: Words, lang: Lang) -> Iterator[ReportBlock]:
    verdict = words["verdict_admitted" if results.is_admitted else "verdict_refused"]
    yield Heading(2, words["judge"])
    yield Paragraph(
        words["judge_about"].format(judge=public_name(results.experiment.judge), verdict=verdict),
        note=not results.is_admitted,
    )
    if results.experiment.judge == results.experiment.llm != "scripted":
        yield Paragraph(words["judge_same"], note=True)
    yield _controls(results, words)
    if results.agreement:
        yield from _verdicts(results.agreement, words, lang)
    if not any(ranked.judge == "people" for ranked in results.rankings):
        yield Paragraph(words["judge_invites"])


def _controls(results: Results, words: Words) -> ReportTable:
    rows = []
    for control in results.judge:
        bound = words["at_most" if control.name in AT_MOST else "at_least"].format(
            bound=amount(BOUNDS[control.name])
        )
        value = words["too_few"] if control.value is None else amount(control.value)
        rows.append(
            [
                words[f"control_{control.name}"],
                value,
                bound,
                str(control.count),
                words["yes" if control.has_passed else "no"],
            ]
        )
    return ReportTable(
        [words[f"column_{name}"] for name in ("control", "value", "bound", "count", "passed")], rows
    )


def _verdicts(agreed: Agreement, words: Words, lang: Lang) -> Iterator[ReportBlock]:
    told = words["verdicts_none"]
    if agreed.share is not None:
        kappa = amount(agreed.kappa) if agreed.kappa is not None else "–"
        told = ngettext(
            "Where a rule tells as well, {count} answer, the two agree in {share} %; Cohen's κ is "
            "{kappa}, and 0 for a judge who draws lots.",
            "Where a rule tells as well, {count} answers, the two agree in {share} %; Cohen's κ is "
            "{kappa}, and 0 for a judge who draws lots.",
            agreed.count,
            share=amount(100 * agreed.share),
            kappa=kappa,
        ).localize(lang)
    yield Paragraph(f"{words['verdicts']} {told}")
    found = [
        verdict for verdict in VERDICTS if verdict in agreed.by_rule or verdict in agreed.by_judge
    ]
    rows = [
        [
            words[f"verdict_{verdict}"],
            str(agreed.by_rule.get(verdict, 0)),
            str(agreed.by_judge.get(verdict, 0)),
        ]
        for verdict in found
    ]
    yield ReportTable(
        [words[f"column_{name}"] for name in ("verdict", "by_rule", "by_judge")], rows
    )


def _rankings(ranked: Ranked, words: Words, results: Results, lang: Lang) -> Iterator[ReportBlock]:
    """Yield the chapter on one ranking: where no test is allowed, with the reason in place of
    p-values.
    """
    reason = "test_none" if results.scripted else "test_refused"
    untested = "" if results.may_test(ranked) else words[reason]
    named = {"condition": ranked.condition, "judge": words[f"judge_{ranked.judge}"]}
    yield Heading(2, words["believability"].format(**named))
    yield _describe_ranking(ranked, words, untested, lang)
    yield _ratings_table(ranked, words)
    if "human" not in ranked.access:
        yield Paragraph(words["human"])
    yield _pairs_table(ranked, words, not untested, lang)
    yield _describe_published(ranked, words, untested, lang)
    if results.experiment.paper:
        yield Paragraph(words["papers_h"])
    if ranked.published.ratings:
        title = words["rating_title"].format(**named)
        drawing = rating_figure(ranked, title, words, results.scripted, results.experiment.paper)
        yield ReportPicture(f"trueskill-{ranked.condition}-{ranked.judge}", title, str(drawing))


def _describe_ranking(ranked: Ranked, words: Words, untested: str, lang: Lang) -> Paragraph:
    """Return the size of a ranking, its missing answers, and the test of all its conditions."""
    judged = ranked.judged
    return Paragraph(
        words["believability_about"].format(
            blocks=_count_blocks(judged.blocks, lang),
            residents=_count_residents(judged.residents, lang),
            chi=amount(judged.statistic),
            p=untested or words["p_value"].format(p=amount(judged.p)),
            missing=", ".join(f"{name} {count}" for name, count in judged.missing.items()),
        )
    )


def _pairs_table(ranked: Ranked, words: Words, tested: bool, lang: Lang) -> ReportTable:
    """Return a table of the comparisons of pairs of conditions: residents, wins, interval, p, and
    Dunn's p as published; a dash where no test is allowed.
    """
    dunn = ranked.published.dunn

    def format_p(p: float | None) -> str:
        return amount(p) if tested and p is not None else "–"

    return ReportTable(
        [words[f"column_{name}"] for name in ("pair", "count", "wins", "interval", "p", "dunn")],
        [
            [
                f"{pair.first} – {pair.second}",
                _count_residents(pair.residents, lang),
                amount(pair.wins),
                _format_interval(pair),
                format_p(pair.p),
                format_p(dunn.get((pair.first, pair.second))),
            ]
            for pair in ranked.judged.pairs
        ],
    )


def _describe_published(ranked: Ranked, words: Words, untested: str, lang: Lang) -> Paragraph:
    """Return the test of all conditions as the paper published it."""
    published = ranked.published
    return Paragraph(
        words["as_published"].format(
            blocks=_count_blocks(published.blocks, lang),
            h=amount(published.h),
            p=untested or words["p_value"].format(p=amount(published.p)),
        )
    )


def _count_blocks(count: int, lang: Lang) -> str:
    return translate(ngettext("{count} block", "{count} blocks", count), lang)


def _count_residents(count: int, lang: Lang) -> str:
    return translate(ngettext("{count} resident", "{count} residents", count), lang)


def _ratings_table(ranked: Ranked, words: Words) -> ReportTable:
    """Return the rank, worth and TrueSkill rating of each kind of access."""
    judged, ratings = ranked.judged, ranked.published.ratings
    return ReportTable(
        [words[f"column_{name}"] for name in ("access", "rank", "worth", "mu")],
        [
            [
                name,
                amount(judged.means[name]),
                amount(judged.worths[name]),
                f"{ratings[name].mu:.2f} ({ratings[name].sigma:.2f})" if name in ratings else "–",
            ]
            for name in ranked.access
        ],
    )


def _format_interval(pair: Pair) -> str:
    if pair.low is None or pair.high is None:
        return "–"
    return f"{amount(pair.low)} – {amount(pair.high)}"
