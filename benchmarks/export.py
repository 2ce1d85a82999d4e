"""How long `replay.html` takes and how large it is: `python -m benchmarks.export [--name RUN]
[--results FOLDER]`.

Without a name, a day of 25 residents is lived first, on the scripted model.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

from hometown.cli.start import main as start
from hometown.export.html import write_html
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.paths import RESULTS

ROUNDS = 3


def measure(results: Path, name: str) -> dict[str, float]:
    """Seconds of wall time and of the processor, the median of some rounds, and the megabytes of
    the file.
    """
    walls, works = [], []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / name / "replay.html"
        file.parent.mkdir()
        for _ in range(ROUNDS):
            with RunReader.open(results, name) as run:
                names = Names.of(run)
                wall, work = time.perf_counter(), time.process_time()
                write_html(run, names, file)
                walls.append(time.perf_counter() - wall)
                works.append(time.process_time() - work)
        size = file.stat().st_size
    return {
        "export_seconds": statistics.median(walls),
        "export_cpu_seconds": statistics.median(works),
        "export_mb": size / 1e6,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results, name = options.results, options.name
        if name is None:
            results, name = Path(folder), "day"
            start(["--name", name, "--until", "24:00", "--llm", "scripted", "--results", folder])
        for figure, value in measure(results, name).items():
            print(f"{figure:40} {value:.4g}")


if __name__ == "__main__":
    main()
