"""Every command does its work, or says in a line why it cannot, on every golden run and on a run
whose residents are gone.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from hometown.cli.commands import COMMANDS, main
from hometown.paths import WORLDS
from hometown.web.server import create_app
from hometown.world.book.read import FOLDER
from tests.support.golden import VERSIONS, put_golden
from tools.make_golden import NAME

QUESTION = "Lin Yue: where were you?"


OF_NO_RUN = {
    "start",
    "run",
    "experiment",
    "league",
    "recorded",
    "replay",
    "mcp",
    "doctor",
    "model list",
    "model get",
    "model try",
    "world new",
    "world import",
    "world districts",
    "world people",
    "world check",
    "world draw",
    "completion",
}
"""Commands that are given no run."""


@dataclass(frozen=True)
class Line:
    """A command line without its folders, its exit code, and what it prints among other things."""

    words: tuple[str, ...]
    code: int = 0
    says: str = ""


LINES = (
    Line(("digest", NAME), says="6 "),
    Line(("picture", NAME, "--at", "3", "--out", "picture.png"), says="picture.png"),
    Line(("picture", NAME, "--out", "picture.jpg"), 2, "let the name end in .png"),
    Line(("compare", NAME, "second"), says="up to step 6"),
    Line(("archive", NAME, "--out", "deposit.zip"), says="deposit.zip"),
    Line(("cite", NAME), says="@misc"),
    Line(("ask", NAME, QUESTION, "--llm", "scripted"), says="The run was only read"),
    Line(("law", NAME, "{}", "--yes"), 2, "changes nothing"),
    Line(("move-in", NAME, "An old baker", "--llm", "scripted", "--yes"), says="step 7"),
    Line(("visit", NAME, "Noor", "Haddad"), 2, "nothing happens in run"),
    Line(("tell", NAME, "lin_yue: the bread is burning"), says="Lin Yue"),
    Line(("set", NAME, "cafe/main/counter: wet"), says="wet"),
    Line(("event", NAME, "cafe: a fire"), says="a fire"),
    Line(("place", NAME, "cafe: a piano"), says="a piano"),
    Line(("remove", NAME, "cafe/main/counter"), says="is removed"),
    Line(("arrive", NAME, "chen_siyuan"), 2, "Chen Siyuan is in town"),
    Line(("leave", NAME, "chen_siyuan"), says="Chen Siyuan leaves town"),
    Line(("arrive", NAME, "chen_siyuan", "--at", "9"), says="comes back to town"),
    Line(("learn", NAME, "lin_yue", "no_such.md"), 2, "no_such.md can't be read"),
    Line(("arrive", NAME, "wang_fang"), 2, "nobody in minitown is called 'wang_fang'"),
    Line(("resume", NAME, "--step", "1"), says="digest"),
    Line(("wishes", NAME), says="bread is burning"),
    Line(("export", NAME, "--tables", "--html"), says="replay.html"),
    Line(("check", NAME), says="intact"),
    Line(("fork", f"{NAME}@3", "--name", "forked", "--step", "1"), says="digest"),
    Line(("repair", NAME, "--name", "mended"), says="hometown resume mended"),
    Line(("verify", "mended"), says="mended"),
)
"""One after the other on the same run; the last interventions are carried out by `resume`."""


def copy_runs(folder: Path, version: str) -> Path:
    for name in (NAME, "second"):
        put_golden(folder, version, name)
    return folder


def test_there_is_a_line_for_each_command_that_is_given_a_run() -> None:
    assert {line.words[0] for line in LINES} == (
        {command.words for command in COMMANDS} - OF_NO_RUN
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_each_does_its_work(
    version: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    copy_runs(tmp_path, version)
    for line in LINES:
        code = main([*line.words, "--results", str(tmp_path), "--lang", "en"])
        output = "".join(capsys.readouterr())
        assert (code, line.says in output, "Traceback" in output) == (line.code, True, False), (
            line,
            output,
        )


@pytest.fixture
def worlds(tmp_path: Path) -> Path:
    """A world of the name of the golden runs', in which others live."""
    folder = tmp_path / "worlds" / "minitown"
    shutil.copytree(WORLDS / "minitown", folder)
    people = sorted((folder / "residents").iterdir())
    for file in [*people, folder / "world.json", *(folder / FOLDER).glob("*.json")]:
        text = file.read_text("utf-8")
        for person in people:
            text = text.replace(f'"{person.stem}"', f'"other_{person.stem}"')
        file.write_text(text, "utf-8")
    for file in people:
        file.rename(file.with_stem(f"other_{file.stem}"))
    return folder.parent


@pytest.mark.parametrize(
    "line",
    [
        Line(("export", NAME), says="simulation.md"),
        Line(("picture", NAME, "--out", "picture.png"), says="picture.png"),
        Line(("compare", NAME, "second"), says="up to step 6"),
        Line(("ask", NAME, QUESTION, "--llm", "scripted"), 2, "missing"),
        Line(("tell", NAME, "lin_yue: hello"), 2, "missing"),
        Line(
            ("resume", NAME, "--step", "1"),
            2,
            "has residents who are missing from world 'minitown': chen_siyuan, lin_yue",
        ),
    ],
    ids=lambda line: line.words[0],
)
def test_residents_who_are_gone_are_told_in_a_line(
    line: Line,
    worlds: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    copy_runs(tmp_path, VERSIONS[0])
    code = main([*line.words, "--results", str(tmp_path), "--worlds", str(worlds), "--lang", "en"])
    output = "".join(capsys.readouterr())
    assert (code, line.says in output, "Traceback" in output) == (line.code, True, False), output


def test_the_page_shows_a_run_whose_residents_are_gone(worlds: Path, tmp_path: Path) -> None:
    copy_runs(tmp_path, VERSIONS[0])
    client = create_app(tmp_path, worlds).test_client()
    for path in (
        f"/?name={NAME}",
        f"/api/v1/runs/{NAME}",
        f"/api/v1/runs/{NAME}/frames?from=1&to=6",
        f"/api/v1/runs/{NAME}/thumbnail",
    ):
        assert client.get(path).status_code == 200, path
