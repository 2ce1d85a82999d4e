"""Whether a town stays as fast and as small as it was, and can be verified in time: ten days of
minitown on the scripted model.

python -m benchmarks.soak [DAYS]        prints the figures, and writes results/soak.md
"""

from __future__ import annotations

import asyncio
import ctypes
import functools
import gc
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from tqdm import tqdm  # noqa: E402

from benchmarks.towns import STEPS_A_DAY, new_run, town_of  # noqa: E402
from hometown.game import Game  # noqa: E402
from hometown.garbage import tune_collector  # noqa: E402
from hometown.storage.run import RunFile  # noqa: E402
from hometown.verify import Rehearsal, fold, rehearse  # noqa: E402
from hometown.world.world import World  # noqa: E402

OUTPUT = Path(__file__).resolve().parent.parent / "results" / "soak.md"

NAME = "soak"
DAYS = 10
SLOWER = 1.25
"""At most this many times the processor time of days two and three may a step of the last two days
take.
"""

VERIFY_SECONDS = 2.0
"""At most so many seconds of the processor may it take to verify a day: a month in a minute."""

LARGER = 2.0
"""At most this many times the bytes of the vectors added may the process grow by, from the end of
day two.
"""


@dataclass(frozen=True, slots=True)
class Day:
    """Milliseconds of a step (median wall time, mean processor time), and the state at the end of
    the day; sizes in bytes.
    """

    step_ms: float
    processor_ms: float
    resident: int
    vectors: int
    database: int
    memories: int


@dataclass(frozen=True, slots=True)
class Soak:
    """The days, and the seconds of the processor that it took to verify them on both levels."""

    days: tuple[Day, ...]
    verify_seconds: float

    @property
    def slower(self) -> float:
        early, late = self.days[1:3], self.days[-2:]
        return statistics.mean(day.processor_ms for day in late) / statistics.mean(
            day.processor_ms for day in early
        )

    @property
    def larger(self) -> float:
        """Growth of the process over growth of the vectors, since the end of day two."""
        early, late = self.days[1], self.days[-1]
        return (late.resident - early.resident) / max(1, late.vectors - early.vectors)

    @property
    def passed(self) -> bool:
        return (
            self.slower <= SLOWER
            and self.larger <= LARGER
            and self.verify_seconds <= VERIFY_SECONDS * len(self.days)
        )


def soak(days: int = DAYS, residents: int = 6) -> Soak:
    """Measures so many days, at least three, of so many residents."""
    world = town_of("minitown", residents)
    with tempfile.TemporaryDirectory() as folder:
        lived = asyncio.run(live_days(Path(folder), world, days))
        return Soak(tuple(lived), asyncio.run(_verify(Path(folder), world)))


async def _verify(folder: Path, world: World) -> float:
    """Seconds of the processor that it takes. Raises Difference."""
    began = time.process_time()
    with RunFile.open(folder, NAME) as run:
        *_, last = fold(run)
        game = rehearse(Rehearsal(run), world)
        for _ in range(last):
            await game.step()
    return time.process_time() - began


async def live_days(
    folder: Path, world: World, days: int, clock: Callable[[], float] = time.process_time
) -> list[Day]:
    """Live so many days, their processor time measured by another clock if there is one."""
    run, game = await new_run(folder, world, steps=days * STEPS_A_DAY, name=NAME)
    measured, frozen = list[Day](), _caches()
    with run, tune_collector() as between_steps:
        for _ in tqdm(range(days), desc="soak", unit="day", disable=None):
            began, steps = clock(), list[float]()
            for _ in range(STEPS_A_DAY):
                steps.append(sum((await game.step()).milliseconds.values()))
                between_steps()
            processor_ms = (clock() - began) * 1000 / STEPS_A_DAY
            for cache in (*frozen, *_caches()):
                cache.cache_clear()
            measured.append(_day(run, game, statistics.median(steps), processor_ms))
    return measured


def _caches() -> list[functools._lru_cache_wrapper[object]]:
    """All caches of this process, but for those that `tune_collector` found there: what it leaves
    alone, the collector does not list.
    """
    return [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]


def _day(run: RunFile, game: Game, step_ms: float, processor_ms: float) -> Day:
    """`vectors` are those of the memories and of recently embedded texts."""
    memories = sum(len(stream) for stream in game.state.memories.values())
    vectors = memories + len(run.vectors._recent)
    (pages,) = run.database.execute("PRAGMA page_count").fetchone()
    return Day(
        step_ms,
        processor_ms,
        resident_bytes(),
        vectors * run.manifest.dimension * 4,
        pages * 4096,
        memories,
    )


def resident_bytes() -> int:
    """Bytes of this process in RAM, free memory returned; its caches should be empty: their size is
    bounded, and they fill for days.
    """
    gc.collect()
    try:
        ctypes.CDLL("libc.so.6").malloc_trim(0)
        status = Path("/proc/self/status").read_text()
        return int(status.partition("RssAnon:")[2].split()[0]) * 1024
    except (OSError, AttributeError, IndexError):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
            1 if sys.platform == "darwin" else 1024
        )


def report(result: Soak) -> str:
    """A page of Markdown."""
    rows = [
        f"| {number} | {day.step_ms:.2f} | {day.processor_ms:.2f} | {day.memories} | "
        + " | ".join(f"{size / 1e6:.1f}" for size in (day.vectors, day.resident, day.database))
        + " |"
        for number, day in enumerate(result.days, start=1)
    ]
    verdict = "passed" if result.passed else "FAILED"
    return "\n".join(
        [
            f"# {len(result.days)} days of minitown: {verdict}",
            "",
            f"- a step of the last two days takes {result.slower:.2f} times one of days two and three ({SLOWER} allowed)",
            f"- since the end of day two the process grew by {result.larger:.2f} times the vectors added ({LARGER} allowed)",
            f"- it is verified in {result.verify_seconds:.1f} s of the processor ({VERIFY_SECONDS * len(result.days):g} allowed)",
            "",
            "| day | ms a step | of the processor | memories | MB of vectors | MB in RAM | MB on disk |",
            "|---|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def main() -> int:
    result = soak(int(sys.argv[1]) if len(sys.argv) > 1 else DAYS)
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(report(result), "utf-8")
    print(report(result))
    return 0 if result.passed else 1


if __name__ == "__main__":
    sys.exit(main())
