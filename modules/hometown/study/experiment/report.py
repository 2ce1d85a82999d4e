"""The report of an experiment: `report.md`, the one file `report.html`, and `figures/NAME.svg`,
from its tables alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from hometown.files import atomic_write
from hometown.language import Lang
from hometown.model.routing import public_name
from hometown.study.experiment.analysis import ConditionFigure, Contrast, Results, is_confirmatory
from hometown.study.experiment.closed_answers import closed_answers
from hometown.study.experiment.comparisons import list_comparisons
from hometown.study.experiment.experiment_wording import amount, label, load_words
from hometown.study.experiment.paper import find_published
from hometown.study.experiment.ranked import judging
from hometown.study.experiment.reference_report import describe_reference
from hometown.study.experiment.report_blocks import (
    Heading,
    Paragraph,
    ReportBlock,
    ReportPicture,
    ReportTable,
    format_html,
    format_markdown,
)
from hometown.study.experiment.report_figures import (
    beside_paper_figure,
    news_figure,
    outcome_figure,
)
from hometown.study.experiment.svg import Drawing
from hometown.study.experiment.tables import find_absent, read_table
from hometown.study.inference.estimates import compute_mean_interval
from hometown.study.inference.paired_tests import compute_least_p
from hometown.text import ngettext, translate

FIRST_MEASURES = ("diffusion", "claims", "attending", "network")
"""Measures that stand first and side by side, since they have the same subjects."""

MOST_FALLBACKS = 0.05
"""The share of unusable replies above which a condition is flagged."""


def write_report(results: Results, folder: Path, lang: Lang) -> None:
    """Write `report.md`, `report.html` and the figures below `folder`, in a language."""
    blocks = list(ExperimentReport(results, folder, lang).blocks())
    files = {
        f"figures/{block.name}.svg": block.svg
        for block in blocks
        if isinstance(block, ReportPicture)
    }
    files |= {"report.md": format_markdown(blocks), "report.html": format_html(blocks, lang)}
    for name, text in files.items():
        with atomic_write(folder / name) as file:
            file.write(text.encode())


class ExperimentReport:
    """The chapters of a report, as blocks, from results and the tables below `folder`."""

    def __init__(self, results: Results, folder: Path, lang: Lang) -> None:
        self.results, self.folder, self.lang = results, folder, lang
        self.experiment = results.experiment
        self.words = load_words(lang)
        self.runs = read_table(folder, "runs")
        self.towns = {
            (row["condition"], int(row["seed"])): (int(row["steps"]), int(row["residents"]))
            for row in self.runs
        }
        self.titles = {row["story"]: row["title"] for row in read_table(folder, "storylines")}

    def blocks(self) -> Iterator[ReportBlock]:
        yield Heading(1, self.words["title"].format(name=self.experiment.name))
        yield Paragraph(self.experiment.question)
        if self.results.scripted:
            yield Paragraph(self._stand_in(), note=True)
        yield Paragraph(self._setup())
        yield from self._provenance()
        yield from self._fallbacks()
        yield from self._primary()
        yield from self._figures()
        yield from self._news()
        yield from closed_answers(self.folder, self.words, self.results.scripted)
        yield from describe_reference(self.folder, self.words, self.results.scripted)
        yield from judging(self.results, self.lang)
        yield Heading(2, self.words["cautions"])
        yield from (
            Paragraph(self.words[f"caution_{name}"])
            for name in ("seeds", "exploratory", "words", "fallbacks")
        )
        yield Paragraph(self.words["recompute"])

    def _stand_in(self) -> str:
        """Return the warning that the towns, or those of some conditions, are the stand-in's."""
        if not self.results.has_model:
            return self.words["scripted"]
        named = [row["condition"] for row in self.runs if row["model"] == "scripted"]
        return self.words["partly_scripted"].format(conditions=", ".join(dict.fromkeys(named)))

    def _setup(self) -> str:
        town, experiment = self.experiment.town, self.experiment
        steps, residents = next(iter(self.towns.values()))
        return self.words["setup"].format(
            world=town.world,
            lang=town.lang,
            residents=translate(
                ngettext("{count} resident", "{count} residents", residents), self.lang
            ),
            steps=translate(ngettext("{count} step", "{count} steps", steps), self.lang),
            stride=translate(ngettext("{count} minute", "{count} minutes", town.stride), self.lang),
            seeds=", ".join(map(str, experiment.seeds)),
            conditions=", ".join(experiment.conditions),
            models=", ".join(map(public_name, self.results.models)),
            embedding=experiment.embedding,
        )

    def _provenance(self) -> Iterator[ReportBlock]:
        """Yield the versions of everything that the runs depend on, each that occurs, with a note
        if there are several of one thing.
        """
        rows = read_table(self.folder, "provenance")
        if not rows:
            return
        names = {"version": "hometown"} | {
            name: name for name in ("engine", "world", "prompts", "definition")
        }
        found = {
            name: list(dict.fromkeys(row[column] for row in rows)) for name, column in names.items()
        }
        yield Paragraph(
            self.words["provenance"].format(
                **{name: ", ".join(values) for name, values in found.items()}
            )
        )
        if any(len(values) > 1 for values in found.values()):
            yield Paragraph(self.words["provenance_mixed"], note=True)

    def _fallbacks(self) -> Iterator[ReportBlock]:
        """Yield a note for each condition with too few usable replies in its towns, or answers in a
        wave of interviews.
        """
        for outcome in self.results.outcomes:
            figure, at, wave = outcome.measure.partition("@")
            what = self.words.get(f"replies_{figure}{at}", "").format(wave=wave)
            if what and outcome.estimate.value > MOST_FALLBACKS:
                yield Paragraph(
                    self.words["fallbacks"].format(
                        condition=outcome.condition,
                        share=amount(100 * outcome.estimate.value),
                        what=what,
                    ),
                    note=True,
                )

    def _primary(self) -> Iterator[ReportBlock]:
        primary = self.experiment.primary
        name, outcomes = (
            label(primary.measure, primary.about, self.lang),
            self.results.of(primary.measure, primary.about),
        )
        yield Heading(2, self.words["primary"])
        yield Paragraph(self.words["primary_about"].format(measure=name))
        if not outcomes:
            yield Paragraph(self.words["primary_missing"].format(measure=name), note=True)
            return
        yield _picture(
            "primary",
            outcome_figure(
                outcomes, name, self.words, self.results.scripted, self._paper(outcomes[0])
            ),
        )
        yield from self._means(outcomes)
        yield from self._contrasts()

    def _means(self, outcomes: Sequence[ConditionFigure]) -> Iterator[ReportBlock]:
        """Yield a table of the primary outcome's estimates, and a sentence on each condition whose
        runs all have the same value.
        """
        names = ("condition", "towns", outcomes[0].estimate.statistic, "interval", "range")
        rows = []
        for outcome in outcomes:
            found, values = outcome.estimate, outcome.values.values()
            limits = _format_range(found.low, found.high) if found.is_interval else "–"
            spread = _format_range(min(values), max(values))
            rows.append([outcome.condition, str(found.count), amount(found.value), limits, spread])
        yield ReportTable([self.words[f"column_{name}"] for name in names], rows)
        for outcome in outcomes:
            if outcome.is_constant:
                yield self._describe_constant(outcome)

    def _describe_constant(self, outcome: ConditionFigure) -> Paragraph:
        """Return the value that all runs of a condition share, and what its interval means, if it
        has one.
        """
        found = outcome.estimate
        told = self.words["primary_constant"].format(
            condition=outcome.condition, value=amount(found.value), count=found.count
        )
        if found.is_interval:
            statistic = self.words[f"key_{found.statistic}"]
            told += " " + self.words["interval_constant"].format(statistic=statistic)
        return Paragraph(told)

    def _contrasts(self) -> Iterator[ReportBlock]:
        """Yield a paragraph for each contrast of the claim, those without a seed in common, too."""
        planned = list_comparisons(self.experiment)
        found = {
            (each.condition, each.base): each
            for each in self.results.contrasts
            if is_confirmatory(each, self.experiment)
        }
        for each in planned:
            contrast = found.get((each.condition, each.base))
            if contrast:
                yield self._contrast(contrast, len(planned))
            else:
                missing = self.words["contrast_missing"]
                yield Paragraph(missing.format(condition=each.condition, base=each.base))
        if not planned:
            yield Paragraph(self.words["no_contrast"])

    def _contrast(self, contrast: Contrast, family: int) -> Paragraph:
        """Return the difference of two conditions, with its direction, its interval and its test, or
        the reason for none; `family` is the number of contrasts that are corrected for.
        """
        middle, values = contrast.estimate, contrast.differences.values()
        higher, lower = sum(each > 0 for each in values), sum(each < 0 for each in values)
        direction = "higher" if contrast.mean > 0 else "lower" if contrast.mean < 0 else "equal"
        return Paragraph(
            self.words["primary_contrast"].format(
                condition=contrast.condition,
                base=contrast.base,
                direction=self.words[f"direction_{direction}"].format(
                    condition=contrast.condition, mean=_format_signed(contrast.mean)
                ),
                count=len(values),
                higher=higher,
                lower=lower,
                same=len(values) - higher - lower,
                median=_format_signed(middle.value),
                low=_format_signed(middle.low),
                high=_format_signed(middle.high),
                kind=self.words["kind_interval" if middle.is_interval else "kind_range"],
                test=self._describe_test(contrast.adjusted, family, higher + lower),
            )
        )

    def _describe_test(self, adjusted: float | None, family: int, differing: int) -> str:
        """Return the test of a contrast of which `differing` seeds have a difference."""
        margin = self.experiment.primary.same_within
        if adjusted is None:
            return self.words["test_none"]
        test = self.words["test_differ"].format(p=amount(adjusted))
        if margin is not None:
            test = self.words["test_same"].format(p=amount(adjusted), margin=amount(margin))
        if family > 1:
            test = self.words["test_corrected"].format(test=test, family=family)
        if margin is not None:
            return test
        return ngettext(
            "{test}; {count} seed that differs allows no uncorrected p below {least}",
            "{test}; {count} seeds that differ allow no uncorrected p below {least}",
            differing,
            test=test,
            least=amount(compute_least_p(differing)),
        ).localize(self.lang)

    def _figures(self) -> Iterator[ReportBlock]:
        """Yield the section with the table of estimates: a row for each measure, a column for each
        condition and, in a replication, one for the paper.
        """
        conditions = list(self.experiment.conditions)
        yield Heading(2, self.words["figures"])
        yield Paragraph(self._explain_figures())
        rows = []
        for measure, about in dict.fromkeys(
            (outcome.measure, outcome.about)
            for outcome in sorted(self.results.outcomes, key=_place_of)
        ):
            found = {outcome.condition: outcome for outcome in self.results.of(measure, about)}
            cells = [_format_estimate(found[name]) if name in found else "–" for name in conditions]
            paper = self._paper(next(iter(found.values()))) if self.experiment.paper else None
            rows.append(
                [
                    label(measure, about, self.lang),
                    *cells,
                    *(
                        [amount(paper) if paper is not None else "–"]
                        if self.experiment.paper
                        else []
                    ),
                ]
            )
        yield ReportTable(
            [
                self.words["column_measure"],
                *conditions,
                *([self.words["paper"]] if self.experiment.paper else []),
            ],
            rows,
        )
        yield from self._beside_paper()

    def _explain_figures(self) -> str:
        """Return the meaning of the table of figures, with the interval of a share that is the same
        in as many towns as a condition has.
        """
        count = len(self.experiment.seeds)
        limits = compute_mean_interval([1.0] * count)
        about = self.words["figures_about"]
        if limits is None:
            return about
        least = limits[0]
        constant = self.words["figures_constant"].format(
            count=count, most=amount(1 - least), least=amount(least)
        )
        return f"{about} {constant}"

    def _beside_paper(self) -> Iterator[ReportBlock]:
        """Yield one figure of the shares that the paper measured, too, under the first
        condition.
        """
        ours = sorted(
            (
                each
                for each in self.results.outcomes
                if each.condition == next(iter(self.experiment.conditions))
            ),
            key=_place_of,
        )
        rows = [
            (label(each.measure, each.about, self.lang), each, paper)
            for each in ours
            if (paper := self._paper(each)) is not None and paper <= 1
        ]
        if rows:
            yield _picture(
                "paper",
                beside_paper_figure(
                    rows, self.words["paper_title"], self.words, self.results.scripted
                ),
            )

    def _news(self) -> Iterator[ReportBlock]:
        learned = read_table(self.folder, "learned")
        yield Heading(2, self.words["news"])
        forks = {row["condition"]: int(row["at"]) for row in self.runs if row["parent"]}
        if forks:
            yield Paragraph(self.words["news_mark"])
        known = {row["story"] for row in learned}
        absent = find_absent(self.experiment, self.titles.values(), known)
        for story, named in self.titles.items():
            if named in absent:
                continue
            rows = [row for row in learned if row["story"] == named]
            clock = (datetime.fromisoformat(self.runs[0]["start"]), int(self.runs[0]["stride"]))
            title = self.words["news_title"].format(story=named)
            yield _picture(
                f"news-{story}",
                news_figure(
                    rows,
                    list(self.experiment.conditions),
                    self.towns,
                    clock,
                    title,
                    self.words,
                    self.results.scripted,
                    forks,
                ),
            )
        yield Paragraph(self.words["network"])

    def _paper(self, outcome: ConditionFigure) -> float | None:
        """Return the value that the paper published for a figure; None for an experiment that does
        not replicate the paper, and where it published none.
        """
        found = (
            find_published(outcome.measure, self._story(outcome.about))
            if self.experiment.paper
            else None
        )
        return found.value if found else None

    def _story(self, title: str) -> str:
        return next((story for story, named in self.titles.items() if named == title), "")


def _place_of(outcome: ConditionFigure) -> tuple[bool, bool, str]:
    """Return the sort key of a figure: the town's knowledge as a whole, then each storyline, then
    daily life, then costs.
    """
    group = outcome.measure.partition(".")[0]
    return group == "cost", group not in FIRST_MEASURES, outcome.about


def _picture(name: str, drawing: Drawing) -> ReportPicture:
    return ReportPicture(re.sub(r"[^\w.-]", "", name).strip("-"), drawing.title, str(drawing))


def _format_estimate(outcome: ConditionFigure) -> str:
    """Return an estimate as text, with its 95 % interval in parentheses if it has one, else with the
    least and the greatest value in brackets; by itself where all runs have its value.
    """
    found = outcome.estimate
    if outcome.is_constant:
        return amount(found.value)
    limits = _format_range(found.low, found.high)
    return f"{amount(found.value)} " + (f"({limits})" if found.is_interval else f"[{limits}]")


def _format_range(low: float, high: float) -> str:
    return f"{amount(low)} – {amount(high)}"


def _format_signed(difference: float) -> str:
    return f"{'+' if difference > 0 else ''}{amount(difference)}"
