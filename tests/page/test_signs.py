"""What the user brings about is seen on the map: a thing for as long as it is there, an event for
as long as it can be perceived.
"""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from hometown.history import playback
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.storage.run import RunFile
from hometown.world.interventions import Intervention
from tests.page.browsing import (
    DESKTOP,
    begun,
    beside,
    expect,
    on_desktop,
    on_phone,
    settled,
    until,
)
from tests.support.town import live, minitown

ARENA, SQUARE = "cafe/main", "square/plaza"
PLACED, HAPPENS, GONE = 4, 6, 11
"""The steps in which a thing comes to the square, something happens in the café, and the thing
goes.
"""

THING = {"en": "a juke box", "zh": "点唱机"}
EVENT = {"en": "a band plays <b>loudly</b>", "zh": "乐队在<b>演奏</b>"}
OVEN = f"{ARENA}/oven"
WOOD, ALARM = (211, 162, 103), (255, 209, 102)

PAINTED = """([red, green, blue]) => { const c = document.querySelector('#town'); const { width, height } = c;
  const near = c.getContext('2d').getImageData(width / 2 - 70, height / 2 - 110, 140, 180).data; let count = 0;
  for (let at = 0; at < near.length; at += 4) if (near[at] === red && near[at + 1] === green && near[at + 2] === blue) count++;
  return count; }"""


ON_SMALL_MAP = """([x, y]) => { const c = document.querySelector('#minimap');
  return [...c.getContext('2d').getImageData(x * c.width, y * c.height, 1, 1).data].join(); }"""
"""The colour of the small map at a point, in shares of its width and height."""

NEAR = """() => { const c = document.querySelector('#town');
  return [...c.getContext('2d').getImageData(c.width / 2 - 16, c.height / 2 - 16, 32, 32).data].join(); }"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A results folder with `asked-en` and `asked-zh`."""
    folder = tmp_path_factory.mktemp("results")
    for lang in LANGS:
        beside(_lived, folder, lang)
    return folder


def _lived(folder: Path, lang: Lang) -> None:
    """Two game hours by full daylight, in which a thing comes and goes and something happens."""
    world, name = minitown(lang), f"asked-{lang}"
    live(folder, 1, world=world, name=name, start=datetime(2025, 2, 13, 10, 0))
    wishes = [
        Intervention("place", SQUARE, THING[lang], PLACED),
        Intervention("event", ARENA, EVENT[lang], HAPPENS),
    ]
    with RunFile.open(folder, name) as run:
        run.ask(wishes)
    live(folder, PLACED, world=world, name=name)
    with RunFile.open(folder, name) as run:
        placed = next(key.removeprefix("placed/") for key in run.furniture(run.last.step))
        run.ask([Intervention("remove", address, step=GONE) for address in (placed, OVEN)])
    live(folder, GONE + 1 - PLACED, world=world, name=name)


def spot(results: Path, lang: str, placed: bool) -> tuple[float, float]:
    """The middle of the tile on which the thing stands, or over which the event's sign hangs."""
    with RunReader.open(results, f"asked-{lang}") as run:
        run_details = playback.details(run, Names.of(run), "")
    column, row = (
        next(one["tiles"][0] for one in run_details["things"].values() if "from" in one)
        if placed
        else run_details["centres"][ARENA]
    )
    return column + 0.5, row + 0.5


def at(
    visit: Any,
    place: tuple[float, float],
    lang: str,
    step: int,
    size: dict[str, int] = DESKTOP,
    name: str = "",
) -> Any:
    page = visit(
        f"/?name={name or f'asked-{lang}'}&lang={lang}&zoom=2&x={place[0]}&y={place[1]}&step={step}",
        size,
        reduced_motion="reduce",
    )
    begun(page)
    settled(page)
    return page


def go(page: Any, step: int) -> Any:
    """Go to a step on the page that is open, which is what a visit to it would show."""
    page.locator("#scrub").fill(str((step - 1) * 60))
    settled(page)
    return page


@on_desktop
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
    page = at(visit, (column + 0.5, row + 0.5), "en", 1)
    before, there, gone = (go(page, step).evaluate(NEAR) for step in (1, GONE - 1, GONE))
    assert before == there != gone


def test_the_small_map_leaves_out_what_has_gone(visit: Any) -> None:
    world = minitown()
    column, row = world.things[OVEN].tiles[0]
    columns, rows = world.maze.size
    point = [(column + 0.5) / columns, (row + 0.5) / rows]
    page = at(visit, (1.5, 1.5), "en", 1)
    before, there, gone = (
        go(page, step).evaluate(ON_SMALL_MAP, point) for step in (1, GONE - 1, GONE)
    )
    assert before == there != gone


def test_a_thing_that_the_art_knows_is_drawn_as_itself(visit: Any, results: Path) -> None:
    name, world = "asked-piano", minitown()
    beside(live, results, 1, world=world, name=name, start=datetime(2025, 2, 13, 10, 0))
    with RunFile.open(results, name, write=True) as run:
        run.ask([Intervention("place", SQUARE, "a grand piano")])
    beside(live, results, 1, world=world, name=name)
    with RunReader.open(results, name) as run:
        piano = next(
            thing
            for thing in playback.details(run, Names.of(run), "")["things"].values()
            if "from" in thing
        )
    assert piano["picture"].startswith("data:image/png;base64,")
    column, row = piano["tiles"][0]
    place = (column + 0.5, row + 0.5)
    page = at(visit, place, "en", 1, name=name)
    before = page.evaluate(NEAR)
    assert go(page, 2).evaluate(NEAR) != before
    assert page.evaluate(PAINTED, WOOD) == 0, "it is drawn as a crate"


@on_phone
def test_an_event_is_told_while_it_lasts(
    visit: Any, results: Path, size: dict[str, int], lang: str
) -> None:
    place = spot(results, lang, placed=False)
    page = at(visit, place, lang, HAPPENS - 1, size)
    assert page.evaluate(PAINTED, ALARM) <= 50
    go(page, HAPPENS)
    assert page.evaluate(PAINTED, ALARM) > 50
    box = page.locator("#town").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 45)
    expect(page.locator("#tooltip .event")).to_have_text(EVENT[lang])
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2 - 45)
    go(page, HAPPENS + 3)
    expect(page.locator("#tooltip")).to_be_hidden()
    assert page.evaluate(PAINTED, ALARM) <= 50


def test_a_thing_comes_while_one_looks_on(visit: Any, results: Path) -> None:
    name, world = "asked-live", minitown()
    beside(live, results, 1, world=world, name=name, start=datetime(2025, 2, 13, 10, 0))
    with RunFile.open(results, name, write=True) as run:
        run.set_planned_end(9)
        run.ask([Intervention("place", SQUARE, THING["en"])])
    page = visit(f"/?name={name}&zoom=2&lang=en", reduced_motion="reduce")
    begun(page)
    beside(live, results, 1, world=world, name=name)
    expect(page.locator("#step-count")).to_have_text(re.compile("/ 2$"))
    page.locator("#scrub").fill("120")
    expect(page.locator("#hour")).to_have_text("10:20")
    with RunReader.open(results, name) as run:
        column, row = next(
            one["tiles"][0]
            for one in playback.details(run, Names.of(run), "")["things"].values()
            if one.get("from") == 60
        )
    minimap = page.locator("#minimap").bounding_box()
    scale = minimap["width"] / world.maze.size[0]
    page.mouse.click(minimap["x"] + (column + 0.5) * scale, minimap["y"] + (row + 0.5) * scale)
    until(page, f"({PAINTED})({[*WOOD]}) > 50")
