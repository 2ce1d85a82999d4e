"""An inner voice in a town: its words stay in the inbox, its owner remembers a statement, and both
survive verify and fork.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.language import LANGS, Lang
from hometown.storage.inbox import Inbox
from hometown.storage.run import RunFile
from hometown.world.effects import Remembered
from hometown.world.incidents import Intervened

SPOKEN = {"en": "You want to sing at the café", "zh": "你想在咖啡馆唱歌"}
REMEMBERED = {"en": "Lin Yue wants to sing at the café", "zh": "林悦想在咖啡馆唱歌"}
TOWN = (
    "--world",
    "minitown",
    "--llm",
    "scripted",
    "--residents",
    "lin_yue,wang_fang",
    "--start",
    "20250213-10:00",
    "--stride",
    "30",
)


def start(results: Path, *options: str) -> None:
    assert main([*options, "--results", str(results)]) == 0


def voices(results: Path, name: str) -> list[str]:
    """What has been remembered of inner voices in a run."""
    with RunFile.open(results, name) as run:
        found = [
            logged.effect.concept
            for _, logged in run.effects()
            if isinstance(logged.effect, Remembered)
        ]
    return [concept.text for concept in found if concept.predicate == "inner voice"]


@pytest.mark.parametrize("lang", LANGS)
def test_a_told_intention_is_the_residents_own(tmp_path: Path, lang: Lang) -> None:
    start(
        tmp_path,
        "--name",
        "town",
        "--lang",
        lang,
        *TOWN,
        "--step",
        "3",
        "--tell",
        f"lin_yue: {SPOKEN[lang]}",
        "--at",
        "2",
    )
    assert voices(tmp_path, "town") == [REMEMBERED[lang]]
    with RunFile.open(tmp_path, "town") as run:
        (done,) = [
            logged.effect for _, logged in run.effects() if isinstance(logged.effect, Intervened)
        ]
    assert (done.text, done.memory) == (SPOKEN[lang], REMEMBERED[lang])
    start(tmp_path, "--verify", "town")
    start(tmp_path, "--name", "fork", "--fork", "town@1", "--step", "2")
    assert voices(tmp_path, "fork") == [REMEMBERED[lang]]
    with RunFile.open(tmp_path, "town") as run, RunFile.open(tmp_path, "fork") as fork:
        assert list(run.digests()) == list(fork.digests())


def test_a_line_of_an_earlier_version_is_remembered_as_it_stands(tmp_path: Path) -> None:
    start(tmp_path, "--name", "town", "--lang", "en", *TOWN, "--step", "1")
    file = Inbox(tmp_path / "checkpoints" / "town").file
    file.write_text(
        '{"kind":"tell","target":"lin_yue","text":"You want to sing","step":2,"number":1}\n',
        "utf-8",
    )
    start(tmp_path, "--name", "town", "--resume", "--step", "2")
    assert voices(tmp_path, "town") == ["You want to sing"]
    start(tmp_path, "--verify", "town")
