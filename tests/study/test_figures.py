"""Figures of experiments."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

from hometown.study.experiment.analysis import ConditionFigure
from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.report_figures import news_figure, outcome_figure
from hometown.study.inference.estimates import estimate_outcome


def test_long_names_of_conditions_do_not_overlap_in_a_legend() -> None:
    conditions = ("uncorrected", "hub", "edge")
    towns = {(name, seed): (10, 5) for name in conditions for seed in (1, 2)}
    drawing = news_figure(
        [], conditions, towns, (datetime(2025, 2, 13, 6), 10), "News", load_words("en"), False, {}
    )
    pattern = r'<text x="([\d.]+)" [^>]*>(\w+ \(n = 2\))<'
    places = [(float(x), name) for x, name in re.findall(pattern, str(drawing))]
    assert [name for _, name in places] == [f"{name} (n = 2)" for name in conditions]
    for (x, name), (following, _) in pairwise(places):
        assert following - x > 6 * len(name) + 12


def test_names_of_many_conditions_read_upwards_above_the_title_of_the_axis() -> None:
    names = [f"served-brief-hub-{at}" for at in range(16)]
    values = {1: 0.2, 2: 0.4}
    estimate = estimate_outcome(list(values.values()), "share")
    outcomes = [
        ConditionFigure("claims.known", "", name, "share", values, estimate) for name in names
    ]
    drawing = outcome_figure(outcomes, "News", load_words("en"), False)
    turned = re.findall(r"translate\(([\d.]+) 280\.0\) rotate\(-90\).*?>(.*?)<", str(drawing))
    assert [name for _, name in turned] == [f"{name} (n = 2)" for name in names]
    axis = re.search(r'y="([\d.]+)"[^>]*>condition ', str(drawing))
    assert axis is not None
    assert 280 + 6 * len(turned[0][1]) < float(axis[1]) < drawing.height
