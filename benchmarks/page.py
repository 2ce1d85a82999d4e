"""How fast the playback page is, in headless Chromium without a graphics card: `python -m
benchmarks.page --name RUN [--results FOLDER]`.

Prints milliseconds to the first frame, of a jump and from the end of a drag along the timeline to
its moment, frames a second as they are and as shares of an empty page's in the same browser,
milliseconds of the page's thread per frame, milliseconds of the API's answer for 60 steps, and the
page's weight without the world's pictures. A run of 1,000 residents is measured like any other.
"""

from __future__ import annotations

import argparse
import json
import shutil
import socket
import statistics
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

from hometown.paths import DATA, RESULTS
from hometown.web.access import Access
from hometown.web.serve import serve

QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
SIZE = {"width": 1440, "height": 900}
ROUNDS = 7
JUMPS = 24
SPAN = 4000
"""Milliseconds for which frames are counted."""

VIEWS = {
    "near_1x": "zoom=0.8&speed=-4",
    "near_75x": "zoom=0.8&speed=2",
    "town_1x": "zoom=0.25&speed=-4",
    "town_75x": "zoom=0.25&speed=2",
}
SCENES = {
    f"{view}_{hour}": f"{query}&step={step}"
    for view, query in VIEWS.items()
    for hour, step in (("day", 61), ("night", 130))
}
"""Near and far, slow and fast, by day and at night, in a run that begins at midnight."""

FRAME_TIMES = """(span) => new Promise((done) => { const times = []; const start = performance.now(); let before = start;
  const frame = (now) => { times.push(now - before); before = now; now - start < span ? requestAnimationFrame(frame) : done(times); };
  requestAnimationFrame(frame); })"""
FIRST_FRAME = """() => new Promise((done) => { const look = () => { const [mark] = performance.getEntriesByName('first-frame');
  mark ? done(mark.startTime) : setTimeout(look, 20); }; look(); })"""
JUMP = """(share) => new Promise((done) => { const scrub = document.querySelector('#scrub'); const start = performance.now();
  scrub.value = String(Math.floor(share * Number(scrub.max))); scrub.dispatchEvent(new Event('input'));
  const look = () => document.querySelector('#notice').hidden ? done(performance.now() - start) : requestAnimationFrame(look);
  requestAnimationFrame(() => requestAnimationFrame(look)); })"""
DRAG = """(places) => new Promise((done) => { const scrub = document.querySelector('#scrub'); let at = 0;
  const look = (start) => document.querySelector('#notice').hidden ? done(performance.now() - start) : requestAnimationFrame(() => look(start));
  const move = () => { scrub.value = String(Math.floor(places[at] * Number(scrub.max))); scrub.dispatchEvent(new Event('input'));
    const start = performance.now(); const next = () => look(start);
    ++at < places.length ? requestAnimationFrame(move) : requestAnimationFrame(() => requestAnimationFrame(next)); };
  move(); })"""
WEIGHT = """performance.getEntriesByType('resource').filter((entry) => !/\\.png$|\\/map$|\\/frames/.test(entry.name))
  .reduce((sum, entry) => sum + entry.encodedBodySize, performance.getEntriesByType('navigation')[0].encodedBodySize)"""


def measure(results: Path, name: str) -> dict[str, float]:
    """The figures of a run in a results folder."""
    from playwright.sync_api import sync_playwright

    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(
        target=serve,
        args=(listener, results, DATA / "worlds", (), Access(guarded=False)),
        daemon=True,
    ).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=QUIET)
        figures = _opening(browser, f"{address}/?name={name}") | {
            "page_drag_ms": _drag_ms(browser, f"{address}/?name={name}&step=1")
        }
        for scene, query in SCENES.items():
            figures |= _scene(
                browser, scene, f"{address}/frontend/icon.svg", f"{address}/?name={name}&{query}"
            )
        browser.close()
    return figures | {"api_60_steps_ms": _answer_ms(f"{address}/api/v1/runs/{name}")}


def _opened(browser: Any, url: str) -> Any:
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(url)
    return page


def _opening(browser: Any, url: str) -> dict[str, float]:
    """First frames in fresh contexts, jumps to moments that have not been fetched, and bytes
    received.
    """
    firsts = [_first_frame(browser, url) for _ in range(ROUNDS)]
    page = _opened(browser, url)
    page.evaluate(FIRST_FRAME)
    page.wait_for_timeout(1000)
    jumps = [page.evaluate(JUMP, (at * 7 % JUMPS + 0.5) / JUMPS) for at in range(JUMPS)]
    weight = page.evaluate(WEIGHT)
    page.context.close()
    return {
        "page_first_frame_ms": statistics.median(firsts),
        "page_jump_ms": statistics.median(jumps),
        "page_jump_ms_slowest": max(jumps),
        "page_weight_kb": weight / 1000,
    }


def _first_frame(browser: Any, url: str) -> float:
    page = _opened(browser, url)
    milliseconds: float = page.evaluate(FIRST_FRAME)
    page.context.close()
    return milliseconds


def _drag_ms(browser: Any, url: str) -> float:
    """From the end of a drag over moments that have not been fetched until its moment is drawn; the
    median of several drags.
    """
    page = _opened(browser, url)
    page.evaluate(FIRST_FRAME)
    page.wait_for_timeout(1000)
    ways = [[(start + 37 * at) % 101 / 101 for at in range(20)] for start in range(ROUNDS)]
    times: list[float] = [page.evaluate(DRAG, way) for way in ways]
    page.context.close()
    return statistics.median(times)


def _scene(browser: Any, scene: str, empty: str, url: str) -> dict[str, float]:
    """Frames a second of a page once it has settled, and as a share of those of an empty page just
    before.
    """
    (blank, _), (rate, busy) = _frames(browser, empty), _frames(browser, url)
    return {
        f"page_fps_{scene}": rate,
        f"page_fps_share_{scene}": rate / blank,
        f"page_frame_thread_ms_{scene}": busy,
    }


def _frames(browser: Any, url: str) -> tuple[float, float]:
    """Frames a second, and milliseconds that the page's thread works for each."""
    page = _opened(browser, url)
    page.wait_for_timeout(2500)
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    before = _at_work(session)
    times = page.evaluate(FRAME_TIMES, SPAN)
    busy = _at_work(session) - before
    page.context.close()
    return 1000 / statistics.fmean(times), busy * 1000 / len(times)


def _at_work(session: Any) -> float:
    """Seconds for which a page's thread has worked."""
    metrics: dict[str, float] = {
        metric["name"]: metric["value"]
        for metric in session.send("Performance.getMetrics")["metrics"]
    }
    return metrics["TaskDuration"]


def _answer_ms(run: str) -> float:
    """The median over answers for 60 steps, or for all steps of a shorter run."""
    with urllib.request.urlopen(run) as answer:
        last: int = json.load(answer)["steps"]
    times = []
    for at in range(ROUNDS):
        first = max(1, min(1 + 10 * at, last - 59))
        began = time.perf_counter()
        with urllib.request.urlopen(
            f"{run}/frames?from={first}&to={min(last, first + 59)}"
        ) as answer:
            answer.read()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True)
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    for figure, value in measure(options.results, options.name).items():
        print(f"{figure:40} {value:.4g}")


if __name__ == "__main__":
    main()
