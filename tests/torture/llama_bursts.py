"""Stops a town on a real language model by bursts of signals, while llama.cpp is started and in the
midst of replies: no reply that was kept is lost, and no process of llama.cpp stays.
"""

from __future__ import annotations

import json
import signal
from collections import Counter
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from random import Random

from hometown.model.recommended import recommended
from hometown.paths import DATA
from hometown.storage.run_names import file_of
from tests.support.hang import waited_for
from tests.support.town import opened
from tests.torture.bursts import STOPPED, make_burst
from tests.torture.cases import Lost, case
from tests.torture.crash import Lives

MODEL = "smollm2-135m"

TOWN = (
    "--world",
    "minitown",
    "--lang",
    "en",
    "--residents",
    "3",
    "--llm",
    f"gguf:{MODEL}",
    "--embedding",
    "hash",
    "--start",
    "20250213-07:00",
    "--step",
    "1",
)
"""Three people at seven, two of whom are up; without plans their prompts are short."""

SETTINGS = {
    "min_tokens_per_second": 0.001,
    "give_up_after": 0,
}
"""Nothing is requested again since a busy machine is slow."""

POINTS = {"load": 1, "think": 2, "part": 60, "reply": 1}
"""Where a life is when the first signal comes, and the most arrivals there until then."""

RUN_BURSTS = 5
"""Bursts that one run gets."""

MARK = "HOMETOWN_TORTURE"
"""Name of an environment variable by which the processes of llama.cpp are found."""


@dataclass
class Toll:
    """Bursts by where they came, and how many replies were kept."""

    points: Counter[str] = field(default_factory=Counter)
    kept: int = 0


def stopped(folder: Path, count: int, first: int = 0) -> Toll:
    """Send so many bursts; none where llama.cpp or SmolLM2 is not installed. Raises Lost where a
    life ends in another way than it may, or a reply or a process is not as it should be.
    """
    toll = Toll()
    if not find_spec("xllamacpp") or not recommended()[MODEL].place.is_file():
        return toll
    tiny = json.loads((DATA / "tiny.json").read_text("utf-8"))
    config = folder / "config.json"
    settings = {
        "machine": {**tiny["machine"], "slots": 1, "llama_threads": 1, "timeout_seconds": 1e6},
        "llm": {**tiny["llm"], **SETTINGS},
        "faculties": {"plan": False},
    }
    config.write_text(json.dumps(settings), "utf-8")
    lives = Lives(folder)
    lives.env[MARK] = str(folder)
    try:
        for number in range(first, first + count):
            with case("llama", number):
                toll.points[_stop(lives, number, config)] += 1
        names = {f"town-{number // RUN_BURSTS}" for number in range(first, first + count)}
        toll.kept = sum(len(_list_kept(folder, name)) for name in names)
    finally:
        lives.close()
    return toll


def _stop(lives: Lives, number: int, config: Path) -> str:
    """Let a run live until a burst stops it; return where."""
    random, name = Random(number), f"town-{number // RUN_BURSTS}"
    there = file_of(lives.folder, name).exists()
    point = random.choice(tuple(POINTS))
    before = _list_kept(lives.folder, name)
    life = lives.live(
        "--name",
        name,
        "--config",
        str(config),
        *(("--resume",) if there else TOWN),
        point=point,
        nth=random.randint(1, POINTS[point]),
        signal=int(signal.SIGSTOP),
        burst=make_burst(random),
    )
    told = f"exit status {life.status} after a burst at {point}:\n{life.output}"
    if life.status not in (0, STOPPED) or "Traceback" in life.output:
        raise Lost(told)
    if file_of(lives.folder, name).exists() and life.status and "--resume" not in life.output:
        raise Lost(f"it doesn't say how to continue; {told}")
    waited_for(lambda: not list_processes(MARK, str(lives.folder)))
    kept = _list_kept(lives.folder, name)
    if before - kept:
        raise Lost(f"replies are gone: {sorted(before - kept)}; {told}")
    if there and lives.live("--verify", name, "--lang", "en").status:
        raise Lost(f"it cannot be verified; {told}")
    return point


def _list_kept(folder: Path, name: str) -> set[tuple[object, ...]]:
    """The replies in the journal and in the steps of a run, by their places."""
    if not file_of(folder, name).exists():
        return set()
    with opened(folder, name) as run:
        rows = run.database.execute("SELECT step, resident, kind, ordinal, attempt FROM journal")
        return {tuple(row) for row in rows} | {
            (call.step, call.who, call.kind, call.ordinal, at)
            for call in run.calls()
            for at in range(len(call.attempts))
        }


def list_processes(name: str, value: str) -> list[int]:
    """Return the processes that were started with this environment variable; none where the system
    is not Linux.
    """
    found, wanted = [], f"{name}={value}".encode()
    for file in Path("/proc").glob("[0-9]*/environ"):
        try:
            if wanted in file.read_bytes().split(b"\0"):
                found.append(int(file.parent.name))
        except OSError:  # ended, or another user's
            continue
    return found
