"""An experiment's pages: people rank by keyboard alone and go on after a page was closed, and the
report is read on any screen.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hometown.study.experiment.people_pages import collect
from hometown.study.experiment.running import prepare
from hometown.study.experiment.spec_file import read_experiment
from tests.page.browsing import DESKTOP, PHONE, expect
from tests.page.conftest import Visit
from tests.page.looking import look
from tests.support.experiments import lived_once, small

BLOCKS = 25


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived_once(tmp_path_factory) / "experiments" / "small"


def ranked(page: Any) -> None:
    """Ranks the block that is shown from the last answer to the first."""
    for at in range(page.locator(".answer").count(), 0, -1):
        page.keyboard.press(str(at))
    page.keyboard.press("Enter")


def test_blocks_are_ranked_by_keyboard_and_go_on_after_a_reload(
    watched: Visit, folder: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(folder, tmp_path / "small"))
    page = watched((copy / "rank.html").as_uri(), DESKTOP, offline=True)
    for number in range(BLOCKS):
        expect(page.locator("#count")).to_contain_text(f"{number + 1} /")
        ranked(page)
        if number == 11:
            page.reload()
            assert look(page, "rank") == []
    expect(page.locator("#count")).to_contain_text(f"{BLOCKS} done")
    page.keyboard.press("ArrowLeft")
    assert page.locator(".answer").first.inner_text().startswith("No. ")
    page.keyboard.press("Backspace")
    assert page.locator('.answer[aria-pressed="false"]').count() == 1
    with page.expect_download() as saved:
        page.get_by_text("save my file").click()
    file = tmp_path / "mine.json"
    saved.value.save_as(file)
    given = read_experiment(small(tmp_path))
    assert (
        collect(file, given, prepare(given, copy, Path("worlds")).runs, copy)
        == BLOCKS
        == len(json.loads(file.read_bytes())["done"])
    )


def test_answers_are_written_and_kept(watched: Visit, folder: Path) -> None:
    page = watched((folder / "write.html").as_uri(), DESKTOP, offline=True)
    assert look(page, "write") == []
    page.keyboard.type("I would rather bake 3 loaves.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#count")).to_contain_text("2 /")
    page.reload()
    page.get_by_text("← back").click()
    expect(page.locator("textarea")).to_have_value("I would rather bake 3 loaves.")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_report_is_read_by_everybody(watched: Visit, folder: Path, size: dict[str, int]) -> None:
    assert look(watched((folder / "report.html").as_uri(), size, offline=True), "report") == []
