"""`replay.html`: a run in one file, opened from the disk with the network off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from modules.cli.compress import compress
from modules.replay.bundle import bundle
from modules.replay.server import FRONTEND
from tests.page.browsing import PHONE, begun, expect, languages, sizes
from tests.page.conftest import Visit


@pytest.fixture(scope="module")
def files(results: Path) -> dict[str, str]:
    """Addresses of the files of the runs."""
    names = ("town-en", "town-zh", "mapless")
    return {name: compress(results, name, html=True)[-1].as_uri() for name in names}


@pytest.fixture
def unpack(watched: Visit, files: dict[str, str]) -> Visit:
    """Opens the file of a run, offline: it may ask for nothing at all."""

    def open_file(name: str, query: str, size: dict[str, int], **more: Any) -> Any:
        return watched(f"{files[name]}?{query}", size, offline=True, **more)

    return open_file


@sizes
@languages
def test_it_plays(unpack: Visit, size: dict[str, int], lang: str) -> None:
    page = unpack(f"town-{lang}", f"step=2&speed=2&lang={lang}", size)
    begun(page)
    assert page.get_attribute("html", "lang") == lang
    assert page.title().startswith(f"town-{lang}")
    expect(page.locator("#hour")).not_to_have_text("06:10")
    page.locator("#scrub").fill("30")
    expect(page.locator("#resident-list")).to_contain_text("opening the café")
    drawn = "document.querySelector('#town').getContext('2d').getImageData(200, 200, 60, 60).data.some((one) => one > 0)"
    assert page.evaluate(drawn)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_language_is_changed_in_the_file(unpack: Visit) -> None:
    page = unpack("town-en", "step=1&lang=en", PHONE)
    begun(page)
    page.click("#language")
    begun(page)
    assert page.get_attribute("html", "lang") == "zh"


def test_words_are_shown_as_text(unpack: Visit) -> None:
    page = unpack("mapless", "step=3&lang=en", PHONE)
    expect(page.locator("#talk-lines")).to_contain_text("<Do> come!")


def test_no_server_no_way_back(unpack: Visit) -> None:
    page = unpack("town-en", "step=1&lang=en", PHONE)
    begun(page)
    assert page.locator("[data-server]").count() == 0


@pytest.mark.parametrize("module", sorted(file.name for file in (FRONTEND / "js").glob("*.js")))
def test_every_module_can_be_bundled(module: str) -> None:
    script = bundle(module, lambda path: (FRONTEND / "js" / path).read_text(encoding="utf-8"))
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
