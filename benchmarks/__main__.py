"""Runs benchmarks and prints their figures: `python -m benchmarks [NAME …]`, all of them if none is
named.

The figures of all are also written to results/bench.json. `befalling`, `page`, `served`, `soak`,
`society` and `visits` take arguments of their own and are run by themselves, such as `python -m
benchmarks.page`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

# Set before NumPy is imported: a pool of threads costs more than it gains here.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import orjson  # noqa: E402

from benchmarks import (  # noqa: E402
    calls,
    costs,
    crowd,
    districts,
    embeddings,
    growth,
    live,
    machines,
    paths,
    retrieval,
    schedule,
    slots,
    startup,
)
from hometown.paths import RESULTS  # noqa: E402

OUTPUT = RESULTS / "bench.json"

BENCHMARKS: dict[str, Callable[[], dict[str, float]]] = {
    "startup": startup.measure,
    "retrieval": retrieval.measure,
    "embeddings": embeddings.measure,
    "paths": paths.measure,
    "calls": calls.measure,
    "costs": costs.measure,
    "machines": machines.measure,
    "slots": slots.measure,
    "schedule": schedule.measure,
    "growth": growth.measure,
    "crowd": crowd.measure,
    "districts": districts.measure,
    "live": live.measure,
}


def benchmark(name: str) -> str:
    """The name, if there is such a benchmark."""
    if name not in BENCHMARKS:
        raise argparse.ArgumentTypeError(
            f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}"
        )
    return name


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "names", nargs="*", type=benchmark, metavar="NAME", help=", ".join(BENCHMARKS)
    )
    names: list[str] = parser.parse_args(argv).names
    figures: dict[str, float] = {}
    for name in names or BENCHMARKS:
        measured = BENCHMARKS[name]()
        for figure, value in measured.items():
            print(f"{figure:40} {value:.4g}", flush=True)
        figures |= measured
    if not names:
        OUTPUT.write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
