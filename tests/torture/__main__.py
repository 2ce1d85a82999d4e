"""`make torture`: everything that is done to runs, and what was lost by it.

python -m tests.torture [--short]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.soak import soak
from modules.world.clones import populated
from tests.torture import crash, damage, mad, routes
from tests.town import live, minitown

Row = tuple[int, str]
"""How many, and what became of them."""

KILLS = (200, 20)
TOWNS = (60, 4)
DAMAGES = (400, 25)
DAYS = (10, 3)
EXAMPLES = (100, 8)
"""In the long and in the short form."""


def kills(folder: Path, count: int) -> Row:
    toll = crash.killed(folder, count)
    return toll.kills, f"{toll.runs} runs, {len(toll.ended)} ways to die; {toll.again} of {toll.requests} replies were on their way and asked for again"


def replies(folder: Path, towns: int) -> Row:
    tried = 0
    for madness in range(towns):
        said = mad.lived(
            folder / str(madness), madness, steps=12, lang="zh" if madness % 3 == 0 else "en", share=(0.6, 0.2, 1.0)[madness % 3], residents=3
        ).said
        tried += sum(said.values())
    return tried, f"{towns} towns on mad models"


def bytes_damaged(folder: Path, tries: int) -> Row:
    world = minitown()
    live(folder / "whole", 40, world=populated(world, list(world.personas)[:3]), seed=3)
    toll = damage.damaged(folder / "whole", "town", folder / "damaged", tries)
    return toll.damaged, f"{toll.tries} files: {toll.found} found, {toll.harmless} harmless, {toll.rescued} rescued, {toll.hopeless} lost their beginning"


def days(_: Path, count: int) -> Row:
    result = soak(count)
    if count > DAYS[1] and not result.passed:
        raise crash.Lost(f"soak: steps {result.slower:.2f} times as long, memory {result.larger:.2f} times the vectors")
    return count, f"steps {result.slower:.2f} times as long, memory {result.larger:.2f} times the vectors added"


def requests(folder: Path, examples: int) -> Row:
    found = routes.fuzz(folder, examples)
    if found.failures:
        raise crash.Lost("the server failed\n" + "\n".join(found.failures[:20]))
    return found.requests, f"requests of {len(list(found.routes()))} routes"


PARTS: tuple[tuple[str, Callable[[Path, int], Row], tuple[int, int]], ...] = (
    ("kills survived", kills, KILLS),
    ("replies tried", replies, TOWNS),
    ("bytes damaged", bytes_damaged, DAMAGES),
    ("days soaked", days, DAYS),
    ("routes fuzzed", requests, EXAMPLES),
)


def main(argv: list[str]) -> int:
    short, lost = "--short" in argv, 0
    print(f"{'':16}{'number':>12}{'lost':>6}{'seconds':>9}  what became of them")
    for name, part, amounts in PARTS:
        began, gone = time.perf_counter(), 0
        with tempfile.TemporaryDirectory() as folder:
            try:
                count, told = part(Path(folder), amounts[short])
            except AssertionError as error:
                count, told, gone = 0, f"{type(error).__name__}: {error}", 1
        lost += gone
        print(f"{name:16}{count:>12,}{gone:>6}{time.perf_counter() - began:>9.0f}  {told}", flush=True)
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
