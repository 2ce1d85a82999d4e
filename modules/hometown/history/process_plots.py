"""The processes on a town as plain data for plots over time: opinions by class, and the stages of an
illness.
"""

from __future__ import annotations

from collections import Counter
from statistics import pstdev
from typing import get_args

from hometown.history.bins import Bins, rows_at_ends
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.json_object import Json
from hometown.world import keys
from hometown.world.process_rows import MOST_IN_FAVOUR, STANCES, Stage


def plot_processes(run: RunReader, names: Names) -> Json:
    """Return the numbers of residents with each stance, from against to in favour, and in each stage
    of the illness, and the standard deviation of opinions from 0 to 1 (None without any), at the
    end of each bin; `statement` and `illness` are "" for a process that is off.
    """
    bins, processes = Bins(run), run.manifest.settings.processes
    held = [list(rows.values()) for rows in rows_at_ends(run, bins, keys.OPINION)]
    stances = [Counter(each.stance for each in opinions) for opinions in held]
    stages = [
        Counter(each.stage for each in rows.values())
        for rows in rows_at_ends(run, bins, keys.INFECTION)
    ]
    return bins.header() | {
        "statement": processes.opinion.statement,
        "stances": [[count[stance] for count in stances] for stance in range(STANCES)],
        "deviation": [
            round(pstdev(each.value for each in opinions) / MOST_IN_FAVOUR, 3) if opinions else None
            for opinions in held
        ],
        "illness": processes.illness.name,
        "stages": {stage: [count[stage] for count in stages] for stage in get_args(Stage)},
    }
