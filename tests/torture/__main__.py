"""`make torture`: everything that is done to runs, and what was lost by it.

    python -m tests.torture [--short] [ROW [FIRST [COUNT]]]

A row alone, and of it the cases from `FIRST` on, `COUNT` of them: a case is the same on every
machine, and a failure prints the line that repeats it.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.torture import rows


@dataclass(frozen=True)
class Part:
    """A row of the table: what is counted, and how many cases there are in the long and in the
    short form.
    """

    title: str
    run: Callable[[rows.Scale], rows.Row]
    long: int
    short: int


PARTS = {
    "kills": Part("kills survived", rows.kills, 1000, 16),
    "society": Part("kills of a society", rows.kills_of_a_society, 1000, 8),
    "experiments": Part("kills of experiments", rows.kills_of_experiments, 20, 1),
    "stops": Part("suspensions", rows.stops, 100, 12),
    "jumps": Part("jumps of the clock", rows.jumps, 60, 6),
    "honest": Part("stops for real time", rows.honest, 100, 0),
    "bursts": Part("bursts of signals", rows.signals, 200, 8),
    "llama": Part("bursts on a model", rows.llama, 40, 1),
    "identities": Part("runs by other names", rows.identities, 140, 7),
    "drives": Part("network drives", rows.drives, 40, 2),
    "interviews": Part("interviews", rows.interviews, 80, 8),
    "gguf": Part("model files spoiled", rows.gguf, 80, 8),
    "worlds": Part("simulated worlds", rows.worlds, 300, 4),
    "power": Part("power failures", rows.power, 10_000, 100),
    "disks": Part("disks that fail", rows.disks, 10_000, 40),
    "damages": Part("damaged runs", rows.damages, 2000, 25),
    "days": Part("days", rows.days, 30, 0),
    "envelopes": Part("odd envelopes", rows.envelopes, 1000, 40),
    "replies": Part("mad replies", rows.replies, 100_000, 300),
    "towns": Part("mad towns", rows.towns, 60, 4),
    "json": Part("any JSON", rows.any_json, 25, 3),
    "routes": Part("routes fuzzed", rows.fuzzed, 100, 6),
    "strangers": Part("strangers' towns", rows.strangers_towns, 300, 12),
    "visitors": Part("visitors", rows.visited, 100, 2),
    "pauses": Part("pauses", rows.paused, 260, 13),
    "causes": Part("causes of stops", rows.causes, 200, 10),
    "readonly": Part("read-only folders", rows.unwritable, 210, 7),
    "pictures": Part("broken pictures", rows.pictures, 1000, 16),
    "edits": Part("edits at once", rows.edited, 50, 2),
    "hostile": Part("hostile input", rows.hostile, 200, 12),
    "crowd": Part("crowd", rows.crowd, 50_000, 400),
}


def tortured(part: Part, first: int, count: int, *, short: bool) -> bool:
    """Prints a row of the table; whether nothing was lost."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            number, outcome = part.run(rows.Scale(Path(folder), first, count, short))
            lost = 0
        except Exception as error:
            number, outcome, lost = 0, f"{type(error).__name__}: {error}", 1
            if not isinstance(error, AssertionError):
                traceback.print_exc()
    print(
        f"{part.title:20}{number:>10,}{lost:>6}{time.perf_counter() - began:>9.0f}  {outcome}",
        flush=True,
    )
    return not lost


def main(argv: list[str]) -> int:
    short, chosen = "--short" in argv, [argument for argument in argv if argument != "--short"]
    first, count = (int(chosen[at]) if len(chosen) > at else 0 for at in (1, 2))
    lost = []
    if hasattr(
        signal, "SIGHUP"
    ):  # under nohup it is ignored, and would be by all processes that are tortured
        signal.signal(signal.SIGHUP, lambda *_: None)
    print(f"{'':20}{'number':>10}{'lost':>6}{'seconds':>9}  outcome")
    for name in chosen[:1] or PARTS:
        amount = count or (PARTS[name].short if short else PARTS[name].long)
        if amount and not tortured(PARTS[name], first, amount, short=short):
            lost.append(name)
    if lost:
        print("lost in:", *lost)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
