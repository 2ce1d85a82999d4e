"""Residents who have met a visitor speak of them on the next day: `python -m
benchmarks.remembered_visit [--model MODEL] [--lang LANG] [--seed N] [--steps N] [--speaker]`.

A visitor talks with a resident of Minitown, and leaves. The rest of the day is lived by the
stand-in; the next one, from the hour at which the resident gets up, by the model, or, with
`--speaker`, by the stand-in in all but the words, which are the model's. Prints what is said of
the visitor on that day.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.first_answer import write_speaker
from hometown.cli.commands import main as hometown
from hometown.language import LANGS, Lang
from hometown.storage.run import RunFile
from hometown.world.interventions import Intervention
from hometown.world.load import load_world
from hometown.world.visitors import request_visit

HOST = "xiao_mei"
MORNING = 126
"""The step with which the next day begins: from nine in the morning until six."""

NAMES: dict[Lang, str] = {"en": "Noor Haddad", "zh": "努尔"}
WORDS: dict[Lang, str] = {
    "en": "Good morning! I play the cello and am looking for a room to practise.",
    "zh": "早上好！我是拉大提琴的，想找个能练琴的地方。",
}


def measure(
    model: str, lang: Lang, seed: int, steps: int, speaker: bool = False
) -> dict[str, object]:
    """Return the numbers of steps, calls and talks of the next day, the first line of each talk that
    names the visitor, and those of them that were said by residents who had not heard the name.
    """
    with tempfile.TemporaryDirectory() as folder:
        options = [f"--results={folder}", f"--lang={lang}"]
        begin = ["--world=minitown", "--start=20250213-09:00"]
        hometown(["run", "day", *begin, "--llm=scripted", f"--seed={seed}", "--step=1", *options])
        _visit(Path(folder), lang)
        hometown(["resume", "day", f"--step={MORNING - 1}", *options])
        llm = "scripted" if speaker else model
        spoken = [f"--config={write_speaker(Path(folder), model)}"] if speaker else []
        fork = ["fork", f"day@{MORNING}", "--name=next", f"--llm={llm}", f"--step={steps}"]
        hometown([*fork, *spoken, *options])
        with RunFile.open(Path(folder), "next") as run:
            return _read_day(run, NAMES[lang].split()[0])


def _visit(results: Path, lang: Lang) -> None:
    """Ask for a visit: to the café, a word with the host, and out of town again."""
    with RunFile.open(results, "day") as run:
        visit = request_visit(load_world("minitown", lang), NAMES[lang])
        who = visit.target
        run.ask([visit, Intervention("walk", who, "cafe/main", step=2)])
        run.ask(
            [
                Intervention("say", who, words, step=4, memory=HOST)
                for words in (WORDS[lang], WORDS[lang][:13], "")
            ]
        )
        run.ask([Intervention("leave", who, step=6)])


def _read_day(run: RunFile, name: str) -> dict[str, object]:
    """Return the figures of the day after `MORNING`."""
    state = run.restore(MORNING)
    met = {
        who
        for who in run.manifest.residents
        if any(name in each.text for each in state.memory(who).concepts.values())
    }
    talks = run.conversations(MORNING + 1)
    named: list[str] = []
    unheard: list[str] = []
    for talk in talks:
        first = next((line for line in talk.lines if name in line.text), None)
        if first is not None:
            named.append(f"{first.speaker}: {first.text}")
            unheard += named[-1:] if first.speaker not in met else []
            met.update(talk.people)
    return {
        "steps": run.last.step - MORNING,
        "calls": sum(1 for _ in run.calls(MORNING + 1)),
        "talks": len(talks),
        "named": named,
        "unheard": unheard,
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default="scripted")
    parser.add_argument("--lang", choices=LANGS, default="en")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--speaker", action="store_true")
    for figure, value in measure(**vars(parser.parse_args())).items():
        print(f"{figure:10} {value}")
