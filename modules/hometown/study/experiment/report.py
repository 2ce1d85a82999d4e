"""The report of an experiment: `report.md`, the one file `report.html`, and `figures/NAME.svg`,
from its tables alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from hometown.files import atomic_write
from hometown.language import Lang
from hometown.model.routing import public_name
from hometown.study.experiment.analysis import ConditionFigure, Contrast, Results, is_confirmatory
from hometown.study.experiment.experiment_wording import amount, label, load_words
from hometown.study.experiment.paper import find_published
from hometown.study.experiment.ranked import judging
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
from hometown.study.experiment.tables import read_table
from hometown.study.inference.estimates import Estimate
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
            world=town.world, lang=town.lang, residents=translate(ngettext("{count} resident", "{count} residents", residents), self.lang),
            steps=translate(ngettext("{count} step", "{count} steps", steps), self.lang),
            stride=translate(ngettext("{count} minute", "{count} minutes", town.stride), self.lang), seeds=", ".join(map(str, experiment.seeds)),
            conditions=", ".join(experiment.conditions), models=", ".join(map(public_name, self.results.models)), embedding=experiment.embedding,
        )  # fmt: skip

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
        """Yield a note for each condition with too few usable replies in its towns or answers in
        interviews.
        """
        for outcome in self.results.outcomes:
            if (
                outcome.measure in ("cost.fallbacks", "claims.fallbacks")
                and outcome.estimate.value > MOST_FALLBACKS
            ):
                what = self.words[f"fallbacks_{outcome.measure.partition('.')[0]}"]
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
        contrasts = [
            each for each in self.results.contrasts if is_confirmatory(each, self.experiment)
        ]
        for each in contrasts:
            yield self._contrast(each, len(contrasts))
        if not contrasts:
            yield Paragraph(self.words["no_contrast"])

    def _contrast(self, contrast: Contrast, family: int) -> Paragraph:
        """Return the difference of two conditions, with its interval and its test; `family` is the
        number of contrasts that are corrected for.
        """
        middle, test = contrast.estimate, self.words["test_none"]
        margin = self.experiment.primary.same_within
        if contrast.adjusted is not None and margin is not None:
            test = self.words["test_same"].format(
                p=amount(contrast.adjusted), margin=amount(margin), family=family
            )
        elif contrast.adjusted is not None:
            test = ngettext(
                "p = {p} by all swaps of the two within each seed, after Holm over {family} "
                "contrasts, which cannot be below {least} with {count} seed",
                "p = {p} by all swaps of the two within each seed, after Holm over {family} "
                "contrasts, which cannot be below {least} with {count} seeds",
                len(contrast.differences),
                p=amount(contrast.adjusted),
                family=family,
                least=amount(min(1.0, family * 2 / 2 ** len(contrast.differences))),
            ).localize(self.lang)
        return Paragraph(
            self.words["primary_contrast"].format(
                condition=contrast.condition,
                base=contrast.base,
                count=len(contrast.differences),
                mean=amount(contrast.mean),
                median=amount(middle.value),
                low=amount(middle.low),
                high=amount(middle.high),
                kind=self.words["kind_interval" if middle.is_interval else "kind_range"],
                test=test,
            )
        )

    def _figures(self) -> Iterator[ReportBlock]:
        """Yield the section with the table of estimates: a row for each measure, a column for each
        condition and, in a replication, one for the paper.
        """
        conditions = list(self.experiment.conditions)
        yield Heading(2, self.words["figures"])
        yield Paragraph(self.words["figures_about"])
        rows = []
        for measure, about in dict.fromkeys(
            (outcome.measure, outcome.about)
            for outcome in sorted(self.results.outcomes, key=_place_of)
        ):
            found = {outcome.condition: outcome for outcome in self.results.of(measure, about)}
            cells = [
                _format_estimate(found[name].estimate) if name in found else "–"
                for name in conditions
            ]
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
        for story, named in self.titles.items():
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


def _format_estimate(found: Estimate) -> str:
    """Return an estimate as text, with its 95 % interval in parentheses if it has one; else with
    the least and the greatest value in brackets, or by itself if these are equal.
    """
    value, low, high = map(amount, (found.value, found.low, found.high))
    if found.is_interval:
        return f"{value} ({low} – {high})"
    return value if found.low == found.high else f"{value} [{low} – {high}]"
