"""`replay.html`: a run in one file, opened from the disk with the network off."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hometown.export.write import export_run
from hometown.page.bundle import bundle
from hometown.paths import FRONTEND
from tests.page.browsing import DESKTOP, PHONE, begun, expect, turn, until, ways
from tests.page.conftest import Visit


@pytest.fixture(scope="module")
def files(results: Path) -> dict[str, str]:
    """Addresses of the files of the runs."""
    names = ("town-en", "town-zh", "mapless")
    return {name: export_run(results, name, html=True)[-1].as_uri() for name in names}


@pytest.fixture
def unpack(watched: Visit, files: dict[str, str]) -> Visit:
    """Opens the file of a run, offline: it may ask for nothing at all."""

    def open_file(name: str, query: str, size: dict[str, int], **more: Any) -> Any:
        return watched(f"{files[name]}?{query}", size, offline=True, **more)

    return open_file


@ways
def test_it_plays(unpack: Visit, size: dict[str, int], lang: str) -> None:
    page = unpack(f"town-{lang}", f"step=2&speed=-1&lang={lang}", size)
    begun(page)
    assert page.get_attribute("html", "lang") == lang
    assert page.title().startswith(f"town-{lang}")
    expect(page.locator("#hour")).not_to_have_text("06:10")
    page.click("#play")
    page.locator("#scrub").fill("30")
    expect(page.locator("#resident-list")).to_contain_text("opening the café")
    until(
        page,
        "document.querySelector('#town').getContext('2d').getImageData(200, 200, 60, 60).data.some((one) => one > 0)",
    )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_language_is_changed_in_the_file(unpack: Visit) -> None:
    page = unpack("town-en", "step=1&lang=en", PHONE)
    begun(page)
    page.click("#language")
    begun(page)
    assert page.get_attribute("html", "lang") == "zh"


def test_words_are_shown_as_text(unpack: Visit) -> None:
    page = unpack("mapless", "step=3&lang=en", PHONE)
    expect(page.locator("#conversation-lines")).to_contain_text("<Do> come!")


def test_no_server_no_way_back(unpack: Visit) -> None:
    page = unpack("town-en", "step=1&lang=en", PHONE)
    begun(page)
    assert not page.locator("header [data-server]").is_visible()
    page.click("#help-open")
    expect(page.locator("#help")).to_contain_text("needs no server")


def test_every_module_can_be_bundled() -> None:
    sources = {
        file.relative_to(FRONTEND / "js").as_posix(): file.read_text(encoding="utf-8")
        for file in (FRONTEND / "js").rglob("*.js")
    }
    bundled = {module: bundle(module, sources.__getitem__) for module in sources}
    left = re.compile(r"^(import|export)\b", re.MULTILINE)
    assert bundled
    assert [module for module, script in bundled.items() if left.search(script)] == []


def test_a_resident_is_known_without_a_server(unpack: Visit) -> None:
    page = unpack("town-en", "step=3&speed=0&lang=en&tab=resident&resident=chen_siyuan", PHONE)
    begun(page)
    page.locator("#scrub").fill("180")
    page.click("#panel-toggle")
    page.get_by_role("button", name="Memories").click()
    cards = page.locator("#panel-resident article")
    expect(cards).to_have_count(4)
    page.locator("#memory-text").fill("tasting")
    expect(cards).to_have_count(2)
    page.get_by_role("button", name="Places").click()
    expect(page.locator("#panel-resident .place-bars")).to_be_attached()
    page.click("#tab-area-story")
    expect(page.locator("#panel-conversations article")).to_have_count(1)
    turn(page, "diary")
    expect(page.locator("#panel-diary .story").first).to_be_visible()
    page.click("#panel-diary .timetable > summary")
    expect(page.locator("#panel-diary .stay").first).to_be_visible()


TOLD = {
    "Today": "#panel-resident .section-body",
    "Memories": "#panel-resident .memories",
    "Relations": "#panel-resident .section-body",
    "Places": "#panel-resident .place-bars",
    "About": "#panel-resident .section-body",
}
"""The sections of the resident's tab, and where each is told."""


@pytest.mark.parametrize("step", [1, 3])
def test_the_file_tells_what_the_server_tells(unpack: Visit, visit: Visit, step: int) -> None:
    query = f"step={step + 1}&speed=0&lang=en&tab=resident&resident=chen_siyuan"
    still = {"reduced_motion": "reduce"}
    file, server = (
        unpack("town-en", query, DESKTOP, **still),
        visit(f"/?name=town-en&{query}", DESKTOP, **still),
    )
    for page in (file, server):
        begun(page)
        page.locator("#scrub").fill(str(step * 60))
        page.evaluate(
            "document.documentElement.dataset.standalone = ''"
        )  # what needs the server is not compared
    for section, where in TOLD.items():
        for page in (file, server):
            page.get_by_role("button", name=section, exact=True).click()
        expect(server.locator(where)).not_to_be_empty()
        expect(file.locator(where)).to_have_text(server.inner_text(where), use_inner_text=True)
    for tab in ("conversations", "diary"):
        for page in (file, server):
            turn(page, tab)
        expect(server.locator(f"#panel-{tab} article, #panel-{tab} .story").first).to_be_visible()
        expect(file.locator(f"#panel-{tab}")).to_have_text(
            server.inner_text(f"#panel-{tab}"), use_inner_text=True
        )


def test_memories_come_to_mind_by_words(unpack: Visit) -> None:
    page = unpack(
        "town-en",
        "step=3&speed=0&lang=en&tab=resident&resident=chen_siyuan",
        DESKTOP,
        reduced_motion="reduce",
    )
    begun(page)
    page.locator("#scrub").fill("180")
    page.get_by_role("button", name="Memories").click()
    page.get_by_role("button", name="score").click()
    page.locator("#memory-query").fill("who brings people together?")
    expect(page.locator("#panel-resident article").first).to_contain_text("bring people together")


def test_the_file_plots_what_the_server_plots(unpack: Visit, visit: Visit) -> None:
    query = "step=3&speed=0&lang=en&tab=insight&plot=spread&topic=text%3Dtasting"
    still = {"reduced_motion": "reduce"}
    file, server = (
        unpack("town-en", query, DESKTOP, **still),
        visit(f"/?name=town-en&{query}", DESKTOP, **still),
    )
    same_plots(file, server)
    for page in (file, server):
        page.locator(".insight input[type=search]").fill("")
        page.press(".insight input[type=search]", "Enter")
    for plot in ("spread", "network", "places", "minds", "calls", "loops"):
        for page in (file, server):
            page.click(f"[data-plot={plot}]")
            expect(page).to_have_url(re.compile(f"plot={plot}"))
        same_plots(file, server)


def same_plots(file: Any, server: Any) -> None:
    for page in (file, server):
        expect(page.locator(".plots")).not_to_be_empty()
        expect(page.locator(".insight > p[role=status]")).to_be_empty()
        page.evaluate(
            "document.querySelectorAll('.plots details').forEach((one) => (one.open = true))"
        )
    expect(file.locator(".plots")).to_have_text(server.inner_text(".plots"), use_inner_text=True)
    if file.locator(".plots canvas:visible").count():
        until(file, "typeof Chart === 'function'")


def test_what_weighed_most_leads_to_how_it_spread_in_the_file(unpack: Visit) -> None:
    page = unpack(
        "town-en", "step=3&speed=0&lang=en&tab=insight&plot=minds", DESKTOP, reduced_motion="reduce"
    )
    page.locator(".poignant li button").last.click()
    expect(page.locator(".tree li").first).to_be_visible()


def test_the_diary_of_the_town_is_saved_from_the_file(unpack: Visit, results: Path) -> None:
    page = unpack("town-zh", "step=3&speed=0&lang=zh&tab=diary", DESKTOP)
    with page.expect_download() as download:
        page.click("#panel-diary .download")
    assert download.value.suggested_filename == "town-zh.md"
    assert (
        Path(download.value.path()).read_text()
        == (results / "compressed" / "town-zh" / "simulation.md").read_text()
    )
