"""Figures of experiments."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

from hometown.study.experiment.experiment_wording import load_words
from hometown.study.experiment.report_figures import news_figure


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
