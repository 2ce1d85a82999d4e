"""How fast the playback page is, in headless Chromium without a graphics card: `python -m benchmarks.page --name RUN [--results FOLDER]`.

Prints milliseconds to the first frame and of a jump, frame times as ratios to those of an empty page, milliseconds of the
API's answer for 60 steps, and the page's weight without the world's pictures.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import statistics
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from modules.paths import DATA, RESULTS
from modules.replay.serve import serve

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZE = {"width": 1440, "height": 900}
ROUNDS = 7
JUMPS = 12

FRAME_TIMES = """(span) => new Promise((done) => { const times = []; const start = performance.now(); let before = start;
  const frame = (now) => { times.push(now - before); before = now; now - start < span ? requestAnimationFrame(frame) : done(times); };
  requestAnimationFrame(frame); })"""
FIRST_FRAME = """() => new Promise((done) => { const look = () => { const [mark] = performance.getEntriesByName('first-frame');
  mark ? done(mark.startTime) : setTimeout(look, 20); }; look(); })"""
JUMP = """(share) => new Promise((done) => { const scrub = document.querySelector('#scrub'); const start = performance.now();
  scrub.value = String(Math.floor(share * Number(scrub.max))); scrub.dispatchEvent(new Event('input'));
  const look = () => document.querySelector('#notice').hidden ? done(performance.now() - start) : requestAnimationFrame(look);
  requestAnimationFrame(() => requestAnimationFrame(look)); })"""
WEIGHT = """performance.getEntriesByType('resource').filter((one) => !/\\.png$|\\/map$|\\/frames/.test(one.name))
  .reduce((sum, one) => sum + one.encodedBodySize, performance.getEntriesByType('navigation')[0].encodedBodySize)"""


def measure(results: Path, name: str) -> dict[str, float]:
    """The figures of a run in a results folder."""
    from playwright.sync_api import sync_playwright

    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, results, DATA / "worlds"), daemon=True).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        empty = _frame_ms(browser, f"{address}/frontend/icon.svg")
        figures = _opening(browser, f"{address}/?name={name}")
        for what, query in (("near", "zoom=0.8"), ("whole_town", "zoom=0.25"), ("night", "zoom=0.8&step=96")):
            figures[f"page_frame_ratio_{what}"] = _frame_ms(browser, f"{address}/?name={name}&step=39&{query}") / empty
        browser.close()
    return figures | {"api_60_steps_ms": _answer_ms(f"{address}/api/runs/{name}")}


def _opened(browser: Any, url: str) -> Any:
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(url)
    return page


def _opening(browser: Any, url: str) -> dict[str, float]:
    """First frames in fresh contexts, jumps to moments that have not been fetched, and what was sent."""
    firsts = []
    for _ in range(ROUNDS):
        page = _opened(browser, url)
        firsts.append(page.evaluate(FIRST_FRAME))
    jumps = [page.evaluate(JUMP, (at * 7 % JUMPS + 0.5) / JUMPS) for at in range(JUMPS)]
    return {
        "page_first_frame_ms": statistics.median(firsts),
        "page_jump_ms": statistics.median(jumps),
        "page_jump_ms_slowest": max(jumps),
        "page_weight_kb": page.evaluate(WEIGHT) / 1000,
    }


def _frame_ms(browser: Any, url: str) -> float:
    """Mean time of a frame once the page has settled."""
    page = _opened(browser, url)
    page.wait_for_timeout(2500)
    return statistics.fmean(page.evaluate(FRAME_TIMES, 4000))


def _answer_ms(run: str) -> float:
    """The median over the answers for 60 steps, late in the run."""
    with urllib.request.urlopen(f"{run}/conversations?from=1&to=1"):
        pass
    times = []
    for at in range(ROUNDS):
        began = time.perf_counter()
        with urllib.request.urlopen(f"{run}/frames?from={1 + 10 * at}&to={60 + 10 * at}") as answer:
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--results", type=Path, default=RESULTS)
    said = parser.parse_args()
    for figure, value in measure(said.results, said.name).items():
        print(f"{figure:40} {value:.4g}")


if __name__ == "__main__":
    main()
