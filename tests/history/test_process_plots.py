"""The plot of the processes on a town."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from hometown.history.names import Names
from hometown.history.process_plots import plot_processes
from hometown.history.reader import RunReader
from tests.support.town import live, opened

ILLNESS = {"name": "influenza", "first": 2, "hourly_risk": 0, "illness_hours": 1}
OPINION = {"statement": "The meadow should become a car park.", "confidence": 1}


def test_each_bin_counts_all_opinions_and_the_stages_of_the_illness(tmp_path: Path) -> None:
    settings = {"processes": {"opinion": OPINION, "illness": ILLNESS}}
    live(tmp_path, 13, start=datetime(2025, 2, 13, 17), settings=settings)
    with opened(tmp_path) as run:
        reader = RunReader(run)
        plot = plot_processes(reader, Names.of(reader))
    assert (plot["statement"], plot["illness"]) == (OPINION["statement"], "influenza")
    assert plot["bins"] == 3
    assert [sum(counts) for counts in zip(*plot["stances"], strict=True)] == [6, 6, 6]
    assert plot["stages"] == {"exposed": [0, 0, 0], "ill": [2, 0, 0], "recovered": [0, 2, 2]}
    assert plot["deviation"][0] >= plot["deviation"][-1]
