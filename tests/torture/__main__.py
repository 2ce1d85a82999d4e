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
from hometown.language import LANGS
from hometown.world.clones import populated
from hometown.world.load import load_world
from tests.support.any_json import AnyJson
from tests.support.town import live, minitown
from tests.torture import any_day, boundary, crash, damage, faults, mad, routes

Row = tuple[int, str]
"""How many cases, and their outcome."""

KILLS = (200, 20)
TOWNS = (60, 4)
VILLAGERS = (25, 3)
DAMAGES = (400, 25)
EVERY = (1, 9)
POWER = (2000, 100)
DAYS = (10, 3)
EXAMPLES = (100, 8)
ENVELOPES = (1000, 60)
PARSED = (100_000, 1500)
"""In the long and in the short form."""


def kills(folder: Path, count: int) -> Row:
    toll = crash.killed(folder, count)
    return toll.kills, f"{toll.runs} runs, {len(toll.ended)} kinds of kill; {toll.again} of {toll.requests} replies were in transit and requested again"


def replies(folder: Path, towns: int) -> Row:
    tried = 0
    for madness in range(towns):
        said = mad.lived(
            folder / str(madness), madness, steps=12, lang="zh" if madness % 3 == 0 else "en", share=(0.6, 0.2, 1.0)[madness % 3], residents=3
        ).said
        tried += sum(said.values())
    return tried, f"{towns} towns on mad models"


def envelopes(_: Path, count: int) -> Row:
    toll = boundary.odd_envelopes(count)
    return toll.tried, f"odd responses of {toll.protocols} protocols: {toll.replies} held a reply nevertheless, {toll.failures} failed calls"


def parsed(_: Path, count: int) -> Row:
    usable = boundary.mad_replies(count)
    return count, f"mad replies parsed: {usable} were usable, {count - usable} were rejected with a reason"


def any_json(folder: Path, residents: int) -> Row:
    calls = 0
    for lang in LANGS:
        village = load_world("ville", lang)
        calls += any_day.lived(folder / lang, populated(village, list(village.personas)[:residents]), AnyJson(), steps=36, stride=30).total()
    return calls, f"a day of {residents} on random JSON, in both languages; none requested again, no fallback"


def bytes_damaged(folder: Path, tries: int) -> Row:
    world = minitown()
    live(folder / "whole", 40, world=populated(world, list(world.personas)[:3]), seed=3)
    toll = damage.damaged(folder / "whole", "town", folder / "damaged", tries)
    return toll.damaged, f"{toll.tries} files: {toll.found} detected, {toll.harmless} harmless, {toll.rescued} recovered, {toll.hopeless} without their step 0"


def failing_disks(folder: Path, every: int) -> Row:
    tolls = [faults.call_by_call(folder / kind, kind, every) for kind in faults.FAILURES]
    stopped = sum(toll.stopped for toll in tolls)
    return sum(
        toll.faults for toll in tolls
    ), f"calls to the disk failed once each, of {len(faults.FAILURES)} kinds; {stopped} stopped the run, and all continued"


def power_failures(folder: Path, count: int) -> Row:
    toll = faults.power_failures(folder, count)
    return toll.faults, "moments; what was not synced was dropped, torn and reordered"


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
    ("envelopes read", envelopes, ENVELOPES),
    ("replies parsed", parsed, PARSED),
    ("any JSON", any_json, VILLAGERS),
    ("bytes damaged", bytes_damaged, DAMAGES),
    ("disks that fail", failing_disks, EVERY),
    ("power failures", power_failures, POWER),
    ("days soaked", days, DAYS),
    ("routes fuzzed", requests, EXAMPLES),
)


def main(argv: list[str]) -> int:
    short, lost = "--short" in argv, 0
    print(f"{'':16}{'number':>12}{'lost':>6}{'seconds':>9}  outcome")
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
