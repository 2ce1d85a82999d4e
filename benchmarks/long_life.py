"""Measure how a run of any model ages: `python -m benchmarks.long_life NAME [--results FOLDER]`.

For each week it prints how much residents say, plan and think again, how much of their first
situation is left, and how many of them talk in a day. A month is simulated first by:

    python start.py --name month --world minitown --llm scripted --step 4320
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import fmean

from tqdm import tqdm

from hometown.clock import DAY
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.markdown import format_table
from hometown.paths import RESULTS
from hometown.shares import Share

UNITS: dict[Lang, str] = {"en": r"\w+", "zh": r"\w"}
"""Patterns of the units by which texts are compared: words, in Chinese characters."""

IN_A_ROW: dict[Lang, int] = {"en": 5, "zh": 8}
"""Units in a row by which texts are compared."""

WORN = 0.6
"""Share of a text's sequences of units that earlier days had, from which it is worn."""

APART_MINUTES = 30
"""Minutes between two moments of a day at which its plan is compared with that of the day before."""

WEEK = 7


@dataclass
class Day:
    """One day of a run.

    Attributes:
        texts: Number of texts by kind.
        worn: Number of those that earlier days have worn.
        moments: Number of waking moments that were compared with the plan of the day before.
        same: Number of those with the same activity.
        kept: Share of the present situation that stood in the first one, of each resident.
        talkers: Number of residents who talked.
    """

    texts: dict[str, int] = field(default_factory=dict)
    worn: dict[str, int] = field(default_factory=dict)
    moments: int = 0
    same: int = 0
    kept: list[float] = field(default_factory=list)
    talkers: int = 0


class Wear:
    """The sequences of units of all texts so far."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang
        self._known = set[tuple[str, ...]]()

    def count_worn(self, texts: Sequence[str]) -> int:
        """Return how many texts earlier days have worn, and remember these texts."""
        found = [sequences(text, self._lang) for text in texts]
        worn = sum(bool(each) and len(each & self._known) >= WORN * len(each) for each in found)
        self._known.update(*found)
        return worn


def sequences(text: str, lang: Lang) -> set[tuple[str, ...]]:
    """Return the sequences of units of a text; all of it if it is shorter than one.

    >>> sorted(sequences("Good morning to you, dear Tom", "en"))
    [('good', 'morning', 'to', 'you', 'dear'), ('morning', 'to', 'you', 'dear', 'tom')]
    """
    units = re.findall(UNITS[lang], text.casefold())
    length = min(IN_A_ROW[lang], len(units))
    return {tuple(units[at : at + length]) for at in range(len(units) - length + 1) if length}


def read_days(run: RunReader) -> Iterator[Day]:
    """Yield the complete days of a run."""
    lang, stride = run.manifest.lang, timedelta(minutes=run.manifest.stride)
    steps = timedelta(days=1) // stride
    wear = {kind: Wear(lang) for kind in ("lines", "thoughts")}
    first = {who: sequences(run.currently(who, 1), lang) for who in run.residents}
    for start in range(1, run.last_step() - steps + 2, steps):
        end, day = start + steps - 1, Day()
        talks = run.conversations(start, end)
        texts = {
            "lines": [line.text for talk in talks for line in talk.lines],
            "thoughts": [each.concept.text for each in run.memories(start, end, ("thought",))],
        }
        for kind, each in texts.items():
            day.texts[kind], day.worn[kind] = len(each), wear[kind].count_worn(each)
        day.talkers = len({line.speaker for talk in talks for line in talk.lines})
        for who in run.residents:
            now = sequences(run.currently(who, end), lang)
            day.kept.append(len(now & first[who]) / max(1, len(now)))
            if start > steps:
                _compare_plans(day, run, who, end, steps)
        yield day


def _compare_plans(day: Day, run: RunReader, who: str, end: int, steps: int) -> None:
    """Count the moments of a resident's day, and those planned as the day before."""
    today, yesterday = run.schedule(who, end - steps // 2), run.schedule(who, end - 3 * steps // 2)
    if today is None or yesterday is None:
        return
    for minute in range(0, DAY, APART_MINUTES):
        now, before = today.at(minute), yesterday.at(minute)
        if now.kind != "sleep":
            day.moments += 1
            day.same += now.activity == before.activity


def main(argv: Sequence[str]) -> int:
    """Print a line for each week of a run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_life", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--results", type=Path, default=RESULTS, metavar="FOLDER")
    given = parser.parse_args(argv)
    with RunReader.open(given.results, given.name) as run:
        days = list(tqdm(read_days(run), unit="day", disable=not sys.stderr.isatty()))
        rows = [
            [
                f"{at + 1}–{at + len(week)}",
                *(
                    str(
                        Share(
                            sum(day.worn[kind] for day in week),
                            sum(day.texts[kind] for day in week),
                        )
                    )
                    for kind in ("lines", "thoughts")
                ),
                str(Share(sum(day.same for day in week), sum(day.moments for day in week))),
                f"{fmean(each for day in week for each in day.kept):.0%}",
                f"{fmean(day.talkers for day in week):.1f}",
            ]
            for at in range(0, len(days), WEEK)
            for week in [days[at : at + WEEK]]
        ]
        size = run.run.file.stat().st_size / 1e6 / max(1, len(days))
    head = [
        "days",
        "worn lines",
        "worn thoughts",
        "planned as the day before",
        "of the first situation",
        "residents who talk in a day",
    ]
    print(*format_table(head, rows), sep="\n")
    print(f"{size:.1f} MB a day")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
