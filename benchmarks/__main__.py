"""Runs all benchmarks, prints their figures, and writes them to results/bench.json."""

from __future__ import annotations

import os
from pathlib import Path

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before NumPy is imported: a thread pool costs more than it gives here

import orjson  # noqa: E402

from benchmarks import calls, crowd, growth, live, paths, retrieval, slots, startup  # noqa: E402

OUTPUT = Path(__file__).resolve().parent.parent / "results" / "bench.json"


def main() -> None:
    figures: dict[str, float] = {}
    for one in (startup, retrieval, paths, calls, slots, growth, crowd, live):
        figures |= one.measure()
    figures["engine_ratio"] = figures["engine_ms_late"] / figures["engine_ms_early"]
    figures["commit_ratio"] = figures["commit_ms_late"] / figures["commit_ms_early"]
    figures["bytes_ratio"] = figures["bytes_late"] / figures["bytes_early"]
    for name, value in figures.items():
        print(f"{name:40} {value:.4g}")
    OUTPUT.write_bytes(orjson.dumps(figures, option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    main()
