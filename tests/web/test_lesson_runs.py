"""Lessons begun from the front page: their commands are carried out one after another."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from hometown.language import LANGS, Lang
from hometown.page import lesson_sheets
from hometown.page.lesson_sheets import lesson_commands, lessons
from hometown.paths import DATA
from hometown.storage.lock import is_held
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of, run_folder
from hometown.web.server import create_app
from tests.support.hang import waited_for
from tests.support.lesson import write_lesson
from tests.web.asking import ask


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    monkeypatch.setattr(lesson_sheets, "LESSONS", write_lesson(tmp_path / "lessons"))
    return create_app(tmp_path / "results", DATA / "worlds").test_client()


def lived_steps(results: Path, name: str) -> int:
    """Return the last step of a run that nobody writes; -1 where there is none yet."""
    if not file_of(results, name).is_file() or is_held(run_folder(results, name)):
        return -1
    with RunFile.open(results, name) as run:
        return run.last.step


def test_all_towns_of_a_lesson_are_made(client: FlaskClient, tmp_path: Path) -> None:
    reply = ask(client, "lessons/drill?lang=en", {"seed": 23})
    assert reply.json == {"name": "drill-1"}
    results = tmp_path / "results"
    waited_for(lambda: lived_steps(results, "alone-1") == 1)
    assert lived_steps(results, "drill-1") == 2
    for name in ("alone-1", "drill-1"):
        with RunFile.open(results, name) as run:
            assert run.manifest.seed == 23
    assert ask(client, "lessons/drill?lang=en", {"seed": "many"}).status_code == 400


def test_an_unknown_lesson_is_told(client: FlaskClient) -> None:
    for name in ("nobody", "..", "en%2Fdrill"):
        assert ask(client, f"lessons/{name}?lang=en", {}).status_code == 404


@pytest.mark.parametrize("lang", LANGS)
def test_every_lesson_names_the_commands_that_make_its_towns(lang: Lang) -> None:
    for lesson in lessons(lang):
        assert lesson_commands(lesson["id"], lang)[0][0] == "run"
