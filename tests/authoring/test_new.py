"""`--new-world`: a small whole world, never over another, and one that lives."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.cli.start import main

pytest.importorskip("PIL.Image")


def test_a_new_world_lives(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worlds = ["--worlds", str(tmp_path / "worlds")]
    assert main(["--new-world", "tal", "--lang", "en,zh", *worlds]) == 0
    output = capsys.readouterr().out
    assert "2 residents" in output
    assert "--check-world tal" in output
    begin = ["--name", "one", "--world", "tal", "--llm", "scripted", "--results", str(tmp_path)]
    assert main([*begin, "--lang", "zh", "--step", "12", *worlds]) == 0
    assert "艾达" in capsys.readouterr().out


def test_worlds_elsewhere_are_found_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--worlds", str(tmp_path / "worlds"), "--results", str(tmp_path)]
    assert main(["--new-world", "tal", "--lang", "en", *where]) == 0
    capsys.readouterr()
    assert (
        main(
            [
                "--name",
                "one",
                "--world",
                "tal",
                "--lang",
                "en",
                "--llm",
                "scripted",
                "--step",
                "12",
                "--max-calls",
                "3",
                *where,
            ]
        )
        == 0
    )
    assert f"start.py --name one --resume {' '.join(where)}" in capsys.readouterr().out
    assert main(["--name", "one", "--resume", *where]) == 0
    assert main(["--verify", "one", *where]) == 0
    assert "are thought as recorded" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("../x", "can't be the name of a world"),
        ("", "name"),
        (".x", "can't be the name of a world"),
        ("a b", "can't be the name of a world"),
    ],
)
def test_a_name_that_no_folder_should_have(
    name: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--new-world", name, "--worlds", str(tmp_path / "worlds")]) == 2
    assert text in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_never_over_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("mine", "utf-8")
    assert main(["--new-world", "mine", "--worlds", str(tmp_path)]) == 2
    assert "never overwritten" in capsys.readouterr().err
    assert [path.name for path in tmp_path.rglob("*")] == ["mine", "diary.txt"]


@pytest.mark.parametrize(
    "argv",
    [
        ["--new-world", "a", "--check-world", "b"],
        ["--out", "x.png", "--new-world", "a"],
        ["--name", "a", "--lang", "en,zh"],
        ["--import-world", "x"],
    ],
)
def test_options_that_do_not_go_together(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
