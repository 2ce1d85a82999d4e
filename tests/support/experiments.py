"""A small experiment for tests, lived in processes of its own that can be killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.paths import ROOT
from tests.support.once import made_once

SMALL = """
name: small
question: Does a reminder spread the news?
town: {world: minitown, residents: ["5"], until: "08:30"}
seeds: [1, 2]
conditions:
  control: {}
  reminded: {from: "07:30", do: [{tell: "Wang Fang: Tell everybody about the reading circle."}]}
  forgetful: {settings: {associate: {retrieve_max: 3}}}
interviews:
  - {questionnaire: awareness, at: [start, end], questions: 4}
  - {questionnaire: believability, access: [full, no-plan, none], questions: 3}
judge: scripted
primary: {measure: diffusion.known, about: "The reading circle “Technology and Life”"}
"""


def lived_once(factory: pytest.TempPathFactory) -> Path:
    """A results folder with the small experiment, lived in one go. Nobody may change it."""

    def live(folder: Path) -> None:
        assert (
            hometown(["experiment", str(small(folder)), "--results", str(folder), "--lang", "en"])
            == 0
        )

    return made_once(factory, "experiment", live)


def small(folder: Path, text: str = SMALL) -> Path:
    """The file of the experiment."""
    file = folder / "small.yaml"
    file.write_text(text, "utf-8")
    return file


def begin(file: Path, results: Path) -> subprocess.Popen[str]:
    """The experiment in a process group of its own, which prints a line for each thing that is
    done.
    """
    environment = os.environ | {"PYTHONPATH": str(ROOT / "modules"), "LC_ALL": "C.UTF-8"}
    return subprocess.Popen(
        [sys.executable, "-m", "hometown", "experiment", str(file), "--results", str(results)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        start_new_session=True,
    )


def tables(results: Path, name: str = "small") -> dict[str, bytes]:
    """What an experiment has written for readers, by path; but for the dates of its runs."""
    folder = results / "experiments" / name
    kinds = ("tables/*.csv", "networks/*.graphml", "figures/*.svg", "report.*", "results.json")
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for kind in kinds
        for file in sorted(folder.glob(kind))
        if file.name != "provenance.csv"
    }
