"""Residents who repeat themselves are reported, others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.history.loops import Loop, loops, normalize
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.model.llm import Completion, Request
from hometown.scripted.model import ScriptedModel
from tests.support.days import lived_day
from tests.support.town import live


class Parrot(ScriptedModel):
    """Says one thing, does one thing, thinks one thing."""

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        said = {
            "utterance": '{"say": "The lighthouse is closed today, I fear.", "end": false}',
            "schedule_decompose": '{"tasks": [{"activity": "stare at the wall", "minutes": 10}]}'
            if seed % 2
            else "",
        }.get(request.kind, "")
        return Completion(said, 1, 1) if said else await super().complete(request, seed=seed)


def loops_of(folder: Path) -> list[Loop]:
    with RunReader.open(folder, "town") as run:
        return loops(run, run.last_step())


def test_a_parrot_is_told_of_in_the_summary_and_in_the_diary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live(tmp_path, 108, model=Parrot(), settings={"chat": {"cooldown_minutes": 20}})
    lines = [loop for loop in loops_of(tmp_path) if loop.kind == "line"]
    assert lines
    assert {loop.text for loop in lines} == {"The lighthouse is closed today, I fear."}
    assert (
        main(
            [
                "--name",
                "town",
                "--resume",
                "--step",
                "1",
                "--results",
                str(tmp_path),
                "--lang",
                "en",
            ]
        )
        == 0
    )
    assert "times: The lighthouse is closed today" in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGS)
def test_a_day_in_a_town_is_no_loop(tmp_path_factory: pytest.TempPathFactory, lang: Lang) -> None:
    assert loops_of(lived_day(tmp_path_factory, lang)) == []


def test_numbers_marks_and_capitals_make_no_difference() -> None:
    assert normalize("Meet me at 10:30!") == normalize("meet me at 9.15")
    assert normalize("十点见，老王！") == normalize("十点见 老王")
    assert normalize("Meet me at ten") != normalize("Meet me at noon")
