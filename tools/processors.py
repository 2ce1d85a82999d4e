"""Compare the results of other processors byte by byte: `python -m tools.processors`.

Older processors are simulated in separate processes: NumPy and the C library avoid newer
instructions, OpenBLAS uses the kernels of an older processor, sums are shared by two threads, and
sets have another order. On each, the golden runs are verified and exported, a day of the Ville is
simulated and exported, and a small experiment is run once and analysed. A difference is printed
with its file or step, and makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from hometown.paths import ROOT
from hometown.storage.run import RunFile
from tools.make_golden import GOLDEN, NAME

numpy: Any = import_module("numpy._core._multiarray_umath")
"""NumPy's internal module that knows the instructions in use; untyped."""

KERNELS = {"Prescott": "SSE3", "Nehalem": "SSE42", "Sandybridge": "AVX", "Haswell": "AVX2"}
"""OpenBLAS's kernels for older processors, and the instructions that they need; newer processors
cannot be simulated.
"""

BASELINE = {
    "NPY_DISABLE_CPU_FEATURES": " ".join(
        feature for feature in numpy.__cpu_dispatch__ if numpy.__cpu_features__.get(feature)
    )
}
"""The variable that leaves NumPy the instructions that all its processors have."""

LIBRARY = "glibc.cpu.hwcaps=" + ",".join(
    f"-{feature}{state}"
    for state in ("", "_Usable")
    for feature in ("AVX2", "FMA", "FMA4", "AVX512F")
)
"""Instructions that the C library must not use for exponentials, logarithms and sines, by the names
of its newer and older versions.
"""

EXPERIMENT = ROOT / "data" / "experiments" / "smoke.yaml"


@dataclass(frozen=True)
class Processor:
    """A processor to simulate: the variables of its processes, and its threads."""

    name: str
    variables: dict[str, str]
    threads: int = 1

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment of its processes."""
        threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), str(self.threads))
        path = os.pathsep.join(filter(None, (str(ROOT / "modules"), os.environ.get("PYTHONPATH"))))
        return os.environ | threads | {"PYTHONPATH": path, "LC_ALL": "C.UTF-8"} | self.variables

    def run(self, results: Path, *words: str) -> str:
        """Run `hometown` with these arguments and return its output. Raises RuntimeError if it
        fails.
        """
        command = [sys.executable, "-m", "hometown", *words, "--results", str(results)]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(
                f"{self.name}: hometown {' '.join(words)}: {done.stdout}{done.stderr}".strip()
            )
        return done.stdout


HERE = Processor("this one", {"PYTHONHASHSEED": "1"})


def plainest() -> Processor:
    """Return the oldest processor that can be simulated, with all that it lacks, and two threads."""
    return Processor(
        "plainest",
        _kernel("Prescott") | BASELINE | {"GLIBC_TUNABLES": LIBRARY, "PYTHONHASHSEED": "2"},
        threads=2,
    )


def older() -> list[Processor]:
    """Return the processors to compare with this one."""
    kernels = [
        Processor(
            f"{name}, {threads} threads", _kernel(name) | {"PYTHONHASHSEED": str(threads)}, threads
        )
        for name in KERNELS
        for threads in (1, 2)
    ]
    return [plainest(), *(each for each in kernels if "OPENBLAS_CORETYPE" in each.variables)]


def _kernel(name: str) -> dict[str, str]:
    """Return the variable for a kernel, where this processor can run it."""
    return {"OPENBLAS_CORETYPE": name} if numpy.__cpu_features__.get(KERNELS[name]) else {}


# comparisons ---------------------------------------------------------------------------------


def town_differences(folder: Path, others: Iterable[Processor], *words: str) -> Iterator[str]:
    """Yield the differences between processors in a town simulated by `hometown run` with `words`,
    and in the exported files of the first one's run.
    """
    digests = _live(HERE, folder, *words)
    exported = export(HERE, folder, "town")
    for number, other in enumerate(others):
        found = _live(other, folder / str(number), *words)
        step = next(
            (
                step
                for step, (ours, theirs) in enumerate(zip(digests, found, strict=True))
                if ours != theirs
            ),
            None,
        )
        if step is not None:
            yield f"{other.name}: the town is another one from step {step} on"
        yield from _list_differences(other, exported, export(other, folder, "town"))


def golden_differences(folder: Path, others: Sequence[Processor]) -> Iterator[str]:
    """Yield the differences between processors in the files of the golden runs; each run is
    verified as far as its engine is the present one.
    """
    for golden in sorted(GOLDEN.iterdir()):
        results = folder / golden.name
        (results / "checkpoints" / NAME).mkdir(parents=True)
        shutil.copyfile(golden / "run.sqlite", results / "checkpoints" / NAME / "run.sqlite")
        exported = export(HERE, results, NAME)
        for other in others:
            try:
                other.run(results, "verify", NAME)
            except RuntimeError as difference:
                yield f"golden run {golden.name}: {difference}"
            yield from (
                f"golden run {golden.name}: {difference}"
                for difference in _list_differences(other, exported, export(other, results, NAME))
            )


def experiment_differences(
    folder: Path, others: Iterable[Processor], experiment: Path
) -> Iterator[str]:
    """Yield the differences between processors in the tables, figures and reports of an experiment
    that is run once.
    """
    written = _analyse(HERE, folder, experiment)
    for other in others:
        yield from _list_differences(other, written, _analyse(other, folder, experiment))


def export(processor: Processor, results: Path, run: str) -> dict[str, bytes]:
    """Return the files into which a processor exports a run, by path."""
    target = results / "compressed" / run
    shutil.rmtree(target, ignore_errors=True)
    processor.run(results, "export", run, "--tables", "--html")
    return _files(target)


def _live(processor: Processor, results: Path, *words: str) -> list[str]:
    """Return the digests of the steps of a town with feelings."""
    results.mkdir(parents=True, exist_ok=True)
    config = results / "settings.json"
    config.write_text(
        json.dumps({"machine": {"threads": processor.threads}, "faculties": {"feel": True}}),
        "utf-8",
    )
    processor.run(
        results,
        "run",
        "town",
        "--llm",
        "scripted",
        "--embedding",
        "hash",
        "--config",
        str(config),
        *words,
    )
    with RunFile.open(results, "town") as run:
        return run.digests()


def _analyse(processor: Processor, results: Path, experiment: Path) -> dict[str, bytes]:
    processor.run(results, "experiment", str(experiment), "--name", "compared", "--llm", "scripted")
    written = _files(results / "experiments" / "compared")
    return {path: content for path, content in written.items() if "checkpoints" not in path}


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _list_differences(
    other: Processor, ours: Mapping[str, bytes], theirs: Mapping[str, bytes]
) -> list[str]:
    return [
        f"{other.name}: {path} differs"
        for path in sorted(ours.keys() | theirs.keys())
        if ours.get(path) != theirs.get(path)
    ]


def main(argv: Sequence[str]) -> int:
    """Print each difference and return 1 where there is any."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.processors",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--world", default="ville")
    parser.add_argument("--until", default="24:00", metavar="HH:MM")
    parser.add_argument("--experiment", type=Path, default=EXPERIMENT)
    options = parser.parse_args(argv)
    others, found = older(), 0
    print("simulated:", *(each.name for each in others), sep="\n  ", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        comparisons = (
            golden_differences(folder / "golden", others),
            town_differences(
                folder / "town",
                others,
                "--world",
                options.world,
                "--lang",
                "en",
                "--until",
                options.until,
            ),
            experiment_differences(folder / "experiment", others, options.experiment),
        )
        for comparison in comparisons:
            for difference in comparison:
                found += 1
                print(difference, flush=True)
    print(f"{found} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
