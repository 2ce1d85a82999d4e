"""What the user brings about is seen on the map: a thing for as long as it is there, an event for as long as it can be perceived."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from modules.replay import api
from modules.replay.names import Names
from modules.replay.reader import RunReader
from modules.storage.run import Run
from modules.world.interventions import Intervention
from modules.world.world import Lang
from tests.page.browsing import DESKTOP, begun, expect, languages, sizes
from tests.town import live, minitown

ARENA, SQUARE = "cafe/main", "square/plaza"
PLACED, HAPPENS, GONE = 4, 6, 11
"""The steps in which a thing comes to the square, something happens in the café, and the thing goes."""

THING = {"en": "a juke box", "zh": "点唱机"}
EVENT = {"en": "a band plays <b>loudly</b>", "zh": "乐队在<b>演奏</b>"}
OVEN = f"{ARENA}/oven"
WOOD, ALARM = (211, 162, 103), (255, 209, 102)

PAINTED = """([red, green, blue]) => { const c = document.querySelector('#town'); const { width, height } = c;
  const near = c.getContext('2d').getImageData(width / 2 - 70, height / 2 - 110, 140, 180).data; let count = 0;
  for (let at = 0; at < near.length; at += 4) if (near[at] === red && near[at + 1] === green && near[at + 2] === blue) count++;
  return count; }"""


NEAR = """() => { const c = document.querySelector('#town');
  return [...c.getContext('2d').getImageData(c.width / 2 - 16, c.height / 2 - 16, 32, 32).data].join(); }"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with `asked-en` and `asked-zh`."""
    folder = tmp_path_factory.mktemp("results")
    with ThreadPoolExecutor(1) as other:  # in this thread the browser's event loop may be running
        for lang in ("en", "zh"):
            other.submit(_lived, folder, lang).result()
    return folder


def _lived(folder: Path, lang: Lang) -> None:
    """Two game hours by full daylight, in which a thing comes and goes and something happens."""
    world, name = minitown(lang), f"asked-{lang}"
    live(folder, 1, world=world, name=name, start=datetime(2025, 2, 13, 10, 0))
    wishes = [Intervention("place", SQUARE, THING[lang], PLACED), Intervention("event", ARENA, EVENT[lang], HAPPENS)]
    with Run.open(folder, name) as run:
        run.ask(wishes)
    live(folder, PLACED, world=world, name=name)
    with Run.open(folder, name) as run:
        placed = next(key.removeprefix("placed/") for key in run.furniture(run.last.step))
        run.ask([Intervention("remove", address, step=GONE) for address in (placed, OVEN)])
    live(folder, GONE + 1 - PLACED, world=world, name=name)


def spot(results: Path, lang: str, placed: bool) -> tuple[float, float]:
    """The middle of the tile on which the thing stands, or over which the event's sign hangs."""
    with RunReader.open(results, f"asked-{lang}") as run:
        told = api.details(run, Names.of(run.manifest), "")
    column, row = next(one["tiles"][0] for one in told["things"].values() if "from" in one) if placed else told["centres"][ARENA]
    return column + 0.5, row + 0.5


def at(visit: Any, place: tuple[float, float], lang: str, step: int, size: dict[str, int] = DESKTOP) -> Any:
    page = visit(f"/?name=asked-{lang}&lang={lang}&zoom=2&x={place[0]}&y={place[1]}&step={step}", size, reduced_motion="reduce")
    begun(page)
    page.wait_for_timeout(200)
    return page


@sizes
@languages
def test_a_thing_comes_and_goes(visit: Any, results: Path, size: dict[str, int], lang: str) -> None:
    place = spot(results, lang, placed=True)
    for step, there in ((PLACED - 1, False), (PLACED, True), (GONE, False)):
        page = at(visit, place, lang, step, size)
        assert (page.evaluate(PAINTED, WOOD) > 50) == there
        box = page.locator("#town").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        tooltip = page.locator("#tooltip")
        expect(tooltip).to_contain_text(THING[lang]) if there else expect(tooltip).to_be_hidden()


def test_a_thing_of_the_map_goes(visit: Any, results: Path) -> None:
    column, row = minitown().things[OVEN].tiles[0]
    before, there, gone = (at(visit, (column + 0.5, row + 0.5), "en", step).evaluate(NEAR) for step in (1, GONE - 1, GONE))
    assert before == there != gone


@sizes
@languages
def test_an_event_is_told_while_it_lasts(visit: Any, results: Path, size: dict[str, int], lang: str) -> None:
    place = spot(results, lang, placed=False)
    for step, there in ((HAPPENS - 1, False), (HAPPENS, True), (HAPPENS + 3, False)):
        page = at(visit, place, lang, step, size)
        assert (page.evaluate(PAINTED, ALARM) > 50) == there
        if not there:
            continue
        box = page.locator("#town").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 45)
        expect(page.locator("#tooltip .event")).to_have_text(EVENT[lang])
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 45)
        page.locator("#scrub").fill(str((HAPPENS + 2) * 60))
        expect(page.locator("#tooltip")).to_be_hidden()


def test_a_thing_comes_while_one_looks_on(visit: Any, results: Path) -> None:
    name, world = "asked-live", minitown()
    with ThreadPoolExecutor(1) as other:
        other.submit(live, results, 1, world=world, name=name, start=datetime(2025, 2, 13, 10, 0)).result()
        with Run.open(results, name, write=True) as run:
            run.set_planned_end(9)
            run.ask([Intervention("place", SQUARE, THING["en"])])
        page = visit(f"/?name={name}&zoom=2&lang=en", reduced_motion="reduce")
        begun(page)
        other.submit(live, results, 1, world=world, name=name).result()
    expect(page.locator("#step-count")).to_have_text(re.compile("/ 2$"))
    page.locator("#scrub").fill("120")
    expect(page.locator("#hour")).to_have_text("10:20")
    with RunReader.open(results, name) as run:
        column, row = next(one["tiles"][0] for one in api.details(run, Names.of(run.manifest), "")["things"].values() if one.get("from") == 60)
    minimap = page.locator("#minimap").bounding_box()
    scale = minimap["width"] / world.maze.size[0]
    page.mouse.click(minimap["x"] + (column + 0.5) * scale, minimap["y"] + (row + 0.5) * scale)
    page.wait_for_timeout(500)
    assert page.evaluate(PAINTED, WOOD) > 50
