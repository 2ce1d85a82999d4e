"""Stops a run in the midst of its calls, as Ctrl-Z, a paused container or a closed lid do, and lets
it go on in another time.

A stop is a real one, by SIGSTOP. Meanwhile the clocks that the process sees are moved, so that days
pass in no time; or, where a stop is to be honest, a server's patience is shorter than the stop.
"""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass
from pathlib import Path
from random import Random

from hometown.storage.run import RunFile
from tests.torture.cases import Lost, case
from tests.torture.crash import ARRIVALS, TOWN, Original, original

POINTS = ("think", "part", "reply", "journal", "talk", "observe", "walk", "save")
"""Where runs are stopped; most of the time a call is under way."""

PATIENCE, PAUSE = 5.0, 6.0
"""Seconds of silence after which a server is given up, and of a stop, where no clock is moved."""

BLAME = "has sent nothing"
"""What a server is told of that was silent."""


@dataclass
class Toll:
    """How often runs were stopped, and how many runs."""

    stops: int = 0
    runs: int = 0


def suspended(
    folder: Path,
    stops: int,
    first: int = 0,
    *,
    honest: bool = False,
    seconds: float = 0.0,
    argv: tuple[str, ...] = TOWN,
    row: str = "stops",
) -> Toll:
    """Stops runs of the town `argv` so many times at least. Raises Lost where one ends, blames the
    server for its own absence, or lives other steps.
    """
    with original(folder, seconds, argv) as town:
        return stop_runs(town, stops, first, honest=honest, row=row)


def stop_runs(
    town: Original, stops: int, first: int = 0, *, honest: bool = False, row: str = "stops"
) -> Toll:
    """Stop runs of a town so many times at least, as `suspended` does. Raises Lost."""
    toll = Toll()
    impatient = town.folder / "impatient.json"
    impatient.write_text(json.dumps({"llm": {"give_up_after": PATIENCE}}), "utf-8")
    while toll.stops < stops:
        number = first + toll.runs
        with case("honest" if honest else row, number):
            toll.stops += _lived(town, number, impatient if honest else None)
        toll.runs += 1
    return toll


def _lived(town: Original, number: int, impatient: Path | None) -> int:
    """One run from its founding to its end; how often it was stopped."""
    chance, name = Random(number), f"stopped-{number}"
    point = chance.choice(POINTS)
    argv = [
        "--name",
        name,
        "--lang",
        "en",
        "--llm",
        "openai:town",
        *town.argv,
        *(("--config", str(impatient)) if impatient else ()),
    ]
    nth = chance.randint(1, max(1, ARRIVALS[point] // 3))
    how = {"pause": PAUSE} if impatient else {"moved": number + 1}
    life = town.lives.live(
        *argv, point=point, nth=nth, signal=int(signal.SIGSTOP), hasty=not town.seconds, **how
    )
    if life.status or BLAME in life.output or "Traceback" in life.output:
        raise Lost(
            f"exit status {life.status} of a run that was stopped {life.stops} times at every {nth}. {point}:\n{life.output}"
        )
    with RunFile.open(town.folder, name) as run:
        if run.digests() != town.digests:
            raise Lost("digests differ")
    return life.stops
