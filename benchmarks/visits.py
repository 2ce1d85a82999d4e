"""What a town with visitors costs, and whether it loses anything: `python -m benchmarks.visits
[--minutes M] [--visitors N] [--world NAME] [--browsers]`.

As for users, a server, a process that lives the town and the visitors' pages are apart. The pages
are threads that ask for what the page of a visitor asks for: the news, the frames and the view of
each step, or, with `--browsers`, real pages on phones in Chromium. They walk, speak and hand things
over at random. In the middle, the town's process is
killed and begins again. A twin of the town without visitors lives the same hours at the same time
on the same machine, with which its steps are compared; every act that the server has taken must have
been carried out, and the run is verified.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import orjson

from benchmarks.visiting_browsers import Browsers
from hometown.paths import WORLDS
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import run_folder
from hometown.web.access import Access
from hometown.web.serve import serve

ACTS_EVERY = 20.0
"""Mean seconds between two acts of a visitor."""

PACE = 6
"""Wall seconds of a step, as on the page where it is started to be watched."""

TRIES = 20

WAIT_SECONDS = 60.0
"""Seconds to wait for what must come."""


class Pages:
    """The pages of visitors of one town, as threads, and what the server has taken from them."""

    def __init__(self, address: str, token: str) -> None:
        self._address, self._token = address, token
        self.taken: list[int] = []
        self.over = threading.Event()

    def ask(self, path: str, body: Any = None, header: str = "") -> Any:
        """Return the JSON of an answer; None for a refusal."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        if header:
            headers["Visitor-Pass"] = header
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(f"{self._address}{path}", data, headers), timeout=60) as answer:
                return json.load(answer)
        except HTTPError:
            return None

    def visit(self, number: int) -> None:
        """Visit the town as one page does, until all is over, and leave."""
        chance = random.Random(number)
        me = self.ask("/visits", {"called": f"Guest {chr(65 + number)}"})
        step = 0
        while not self.over.wait(chance.expovariate(1 / ACTS_EVERY)):
            head = self.ask("")
            if head and head["steps"] > step:
                step = head["steps"]
                first = (step - 1) // head["chunk"] * head["chunk"] + 1
                self.ask(f"/frames?from={first}&to={step}")
            seen = self.ask(f"/visits/{me['who']}?since={step}", header=me["pass"])
            for act in self._choose(chance, seen) if seen and seen["entered"] else ():
                self._send(me, act)
        self._send(me, {"kind": "leave"})

    def _choose(self, chance: random.Random, seen: Any) -> list[dict[str, Any]]:
        """Return what a visitor does: a talk, a gift or a walk."""
        free = [each["who"] for each in seen["near"] if not each["busy"]]
        if not free or chance.random() < 0.3:
            return [{"kind": "walk", "place": chance.choice(seen["places"])}]
        other = chance.choice(free)
        if chance.random() < 0.2:
            return [{"kind": "give", "to": other, "text": "a postcard"}]
        return [
            {"kind": "say", "to": other, "text": words}
            for words in ("Good day! How is your day?", "")
        ]

    def _send(self, me: Any, act: dict[str, Any]) -> None:
        """Send an act until the server takes it, and note it; give one up that is impossible."""
        for _ in range(TRIES):
            answer = self.ask(f"/visits/{me['who']}", {**act, "pass": me["pass"]})
            if answer is not None:
                self.taken.append(answer["number"])
                return
            time.sleep(0.5)  # the town rests for a moment, or there was too much at once


def measure(minutes: float, visitors: int, world: str, browsers: bool = False) -> dict[str, float]:
    """Return the figures of a town with so many visitors for so long, half of the time before its
    process is killed, and half after.
    """
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder)
        for name in ("alone", "visited"):
            start_command(
                results, "run", name, f"--world={world}", "--start=20250213-09:00", "--step=1"
            ).wait()
        visit = _live_with_browsers if browsers else _live_with_pages
        taken, figures = visit(results, visitors, minutes * 60)
        with RunFile.open(results, "visited") as run:
            last, lost = run.last.step, _list_lost(run, taken)
        is_true = start_command(results, "verify", "visited").wait() == 0
        alone, visited = (_step_times(results, name) for name in ("alone", "visited"))
        last = min(len(alone), len(visited))
        alone, visited = alone[:last], visited[:last]
    return figures | {
        "visits_acts": len(taken),
        "visits_lost": len(lost),
        "visits_steps": last,
        "visits_verified": is_true,
        "visits_alone_ms": statistics.median(alone),
        "visits_visited_ms": statistics.median(visited),
        "visits_ratio": statistics.median(visited) / statistics.median(alone),
        "visits_mean_ratio": statistics.mean(visited) / statistics.mean(alone),
    }


def _live_with_pages(
    results: Path, visitors: int, seconds: float
) -> tuple[list[int], dict[str, float]]:
    """Let visitors into a town by threads that ask as pages do; return the numbers of the acts that
    the server has taken, and no figures.
    """
    with serve_runs(results) as (address, token):
        pages = Pages(f"{address}/api/v1/runs/visited", token)
        _live_through_a_kill(results, pages, [(at,) for at in range(visitors)], seconds)
    return pages.taken, {}


def _live_with_browsers(
    results: Path, visitors: int, seconds: float
) -> tuple[list[int], dict[str, float]]:
    """Let visitors into a town by browsers; return the numbers of the acts that the server has
    taken, with the median seconds until a visitor is in town and until an answer, and the number of
    errors of the pages.
    """
    with serve_runs(results) as (address, token):
        link = Pages(f"{address}/api/v1/runs/visited", token).ask("/visits/link", {})
        browsers = Browsers(link["address"])
        _live_through_a_kill(results, browsers, [(visitors,)], seconds)
    return browsers.taken, {
        "visits_page_errors": len(browsers.errors),
        "visits_answers": len(browsers.answered),
        "visits_walked_in_s": statistics.median(browsers.walked_in),
        "visits_answered_s": statistics.median(browsers.answered or [math.nan]),
    }


def _live_through_a_kill(
    results: Path, visiting: Pages | Browsers, threads_of: Sequence[tuple[int]], seconds: float
) -> None:
    """Let a town live with visitors for some seconds, in a thread for each of the arguments of their
    `visit`, kill its process in the middle and let it go on, while its twin lives without visitors.
    """
    twin, town = go_on(results, "alone"), go_on(results, "visited")
    threads = [threading.Thread(target=visiting.visit, args=each) for each in threads_of]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 2)
    town.kill()
    town.wait()
    town = go_on(results, "visited")
    time.sleep(seconds / 2)
    visiting.over.set()
    for thread in threads:
        thread.join()
    _await_last(results, visiting.taken)
    for process in (town, twin):
        process.terminate()
        process.wait()


def _await_last(results: Path, taken: list[int]) -> None:
    """Wait until the last acts are carried out, for a time in which they should be."""
    end = time.monotonic() + WAIT_SECONDS
    with RunFile.open(results, "visited") as run:
        while _list_lost(run, taken) and time.monotonic() < end:
            time.sleep(1)


def _list_lost(run: RunFile, taken: list[int]) -> list[int]:
    """Return the acts that were taken and are not carried out."""
    answered = run.answered(run.last.step)
    return [number for number in taken if number not in answered]


def go_on(results: Path, name: str, *options: str) -> subprocess.Popen[bytes]:
    """Start the process that lives a town, and return it as soon as it does."""
    town = start_command(results, "resume", name, "--step=9999", f"--pace={PACE}", *options)
    end = time.monotonic() + WAIT_SECONDS
    while not is_held(run_folder(results, name)) and time.monotonic() < end:
        time.sleep(0.1)
    return town


def start_command(results: Path, command: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command of hometown on a run in a results folder, with the stand-in."""
    name, *options = arguments
    model = ["--llm=scripted"] if command == "run" else []
    line = [
        sys.executable,
        "-m",
        "hometown",
        command,
        name,
        *options,
        *model,
        f"--results={results}",
    ]
    return subprocess.Popen(line, stdout=subprocess.DEVNULL)


def _step_times(results: Path, name: str) -> list[float]:
    """Return the wall milliseconds of a run's steps but the first."""
    with RunFile.open(results, name) as run:
        rows = run.database.execute("SELECT stats FROM steps WHERE step > 1").fetchall()
    return [sum(orjson.loads(stats)["milliseconds"].values()) for (stats,) in rows]


@contextmanager
def serve_runs(results: Path) -> Iterator[tuple[str, str]]:
    """Serve the runs; yield the address of the server and its token."""
    listener, access = socket.create_server(("127.0.0.1", 0)), Access()
    threading.Thread(
        target=serve, args=(listener, results, WORLDS, (), access), daemon=True
    ).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}", access.token


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--world", default="minitown")
    parser.add_argument("--browsers", action="store_true")
    for figure, value in measure(**vars(parser.parse_args())).items():
        print(f"{figure:20} {value:.4g}")
