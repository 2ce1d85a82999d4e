"""How soon a resident answers a visitor's first words in a real browser: `python -m
benchmarks.first_answer [--model MODEL] [--answers N] [--minutes M]`.

A visitor walks into Minitown on a phone in Chromium and speaks with residents. Prints the median
seconds from the click on *Say* until the answer can be read, and those of the model's calls for
these answers. The residents speak by the model, and decide all else by the stand-in, so that the
town does not take long between two talks. The page's share is an upper bound: the browser runs on
the town's machine, where a model takes all processors.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.visiting_browsers import Browsers
from benchmarks.visits import Pages, go_on, serve_runs, start_command
from hometown.records import Call
from hometown.storage.run import RunFile

PATIENCE_MS = 120_000
"""Milliseconds to wait for an answer of a model."""

GIVE_UP_SECONDS = 900
"""Seconds without a sign of a model after which the town rests."""


def measure(model: str, answers: int, minutes: float) -> dict[str, float]:
    """Return the number of first answers, the median seconds until them, and of the model's calls
    for them.
    """
    with tempfile.TemporaryDirectory() as folder:
        results, name = Path(folder), "visited"
        speaker = f"--config={write_speaker(results, model)}"
        begun = ["--world=minitown", "--start=20250213-09:00", "--step=1", speaker]
        start_command(results, "run", name, *begun).wait()
        with serve_runs(results) as (address, token):
            link = Pages(f"{address}/api/v1/runs/{name}", token).ask("/visits/link", {})
            town = go_on(results, name, speaker)
            browsers = Browsers(link["address"], PATIENCE_MS)
            visiting = threading.Thread(target=browsers.visit, args=(1,))
            visiting.start()
            end = time.monotonic() + minutes * 60
            while len(browsers.answered) < answers and time.monotonic() < end:
                time.sleep(1)
            browsers.over.set()
            visiting.join()
            town.terminate()
            town.wait()
        with RunFile.open(results, name) as run:
            replies = _list_first_replies(run)
    answered, reply = (
        statistics.median(each or [math.nan]) for each in (browsers.answered, replies)
    )
    return {
        "answers": len(browsers.answered),
        "answered_s": answered,
        "reply_s": reply,
        "ratio": answered / reply,
    }


def write_speaker(folder: Path, model: str) -> Path:
    """Write settings by which residents speak by a model, however slow, into a folder; return the
    file.
    """
    by_kind = {} if model == "scripted" else {"utterance": model}
    file = folder / "speaker.json"
    settings = {"llm": {"by_kind": by_kind, "give_up_after": GIVE_UP_SECONDS}}
    file.write_text(json.dumps(settings), encoding="utf-8")
    return file


def _list_first_replies(run: RunFile) -> list[float]:
    """Return the seconds of the calls for the first answers to visitors."""
    calls = {
        (call.step, call.who, call.ordinal): _time_call(call)
        for call in run.calls(1)
        if call.kind == "utterance"
    }
    residents = set(run.manifest.residents)
    talks = [talk for talk in run.conversations(1) if talk.opener not in residents]
    return [calls[talk.step, talk.partner, 0] for talk in talks if len(talk.lines) > 1]


def _time_call(call: Call) -> float:
    """Return the seconds of a call. If its step was broken off later, its reply came from the journal,
    and the server's own times count.
    """
    served = sum(attempt.read_ms + attempt.write_ms for attempt in call.attempts)
    return max(call.ms, served) / 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="scripted")
    parser.add_argument("--answers", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=10)
    for figure, value in measure(**vars(parser.parse_args())).items():
        print(f"{figure:12} {value:.3g}")
