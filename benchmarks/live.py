"""Does it cost a run anything that people look on? The same scripted run alone, and with two viewers of its live events.

The server is a process of its own, as for users. The viewers also fetch the frames of each new step, as the page does. Runs alone
and runs watched take turns, and the fastest of each count, so that what else the machine does is left out.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
STEPS = 60
ROUNDS = 3
VIEWERS = 2


def measure() -> dict[str, float]:
    """Seconds of the run alone and watched, by the clock and of its process, and their ratios."""
    with tempfile.TemporaryDirectory() as folder, _server(Path(folder)) as address:
        alone: list[tuple[float, float]] = []
        watched: list[tuple[float, float]] = []
        for number in range(ROUNDS):
            alone.append(_lived(Path(folder), f"alone-{number}"))
            name = f"watched-{number}"
            for _ in range(VIEWERS):
                threading.Thread(target=_watch, args=(f"{address}/api/runs/{name}",), daemon=True).start()
            watched.append(_lived(Path(folder), name))
    figures: dict[str, float] = {}
    for at, kind in enumerate(("wall", "cpu")):
        one, other = min(seconds[at] for seconds in alone), min(seconds[at] for seconds in watched)
        figures |= {f"live_alone_{kind}_s": one, f"live_watched_{kind}_s": other, f"live_{kind}_ratio": other / one}
    return figures


def _lived(results: Path, name: str) -> tuple[float, float]:
    """Seconds by the clock that the engine spent on the steps of a new run, and seconds of processor time that its process took."""
    from modules.storage.run import Run

    command = [sys.executable, "start.py", "--name", name, "--world", "ville", "--llm", "scripted", "--start", "20250213-08:00", "--step", str(STEPS)]
    before = os.times()
    subprocess.run([*command, "--results", str(results)], cwd=ROOT, check=True, capture_output=True)
    after = os.times()
    taken = after.children_user + after.children_system - before.children_user - before.children_system
    with Run.open(results, name) as run:
        return sum(sum(one.get("milliseconds", {}).values()) for one in run.stats()) / 1000, taken


@contextmanager
def _server(results: Path) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "replay.py", "--port", str(port), "--results", str(results)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _patiently(f"{address}/api/runs")
        yield address
    finally:
        server.terminate()
        server.wait()


def _watch(address: str) -> None:
    """Follows a run from its beginning to its end."""
    _patiently(address)
    with urlopen(f"{address}/live") as events:
        for line in events:
            if line.startswith(b'data: {"step":'):
                step = max(1, int(line.split(b":")[2].split(b",")[0]))
                first = (step - 1) // 24 * 24 + 1
                urlopen(f"{address}/frames?from={first}&to={step}").read()


def _patiently(address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urlopen(address).read()
            return
        except URLError:
            time.sleep(0.1)


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{name:20} {value:.4g}")
