"""What the cards of a society tell: bodies, goods and opinions, and why something is felt, was
refused, or costs what it costs.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from hometown.history.blocks import Blocks
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import LANGS, Lang
from hometown.world.load import load_world
from tests.page.browsing import (
    DESKTOP,
    PHONE,
    begun,
    beside,
    expect,
    on_desktop,
    on_phone,
)
from tests.page.conftest import Visit
from tests.page.looking import look
from tests.support.days import FEELING
from tests.support.once import made_once
from tests.support.page_texts import PageTexts
from tests.support.town import live

LAST = 38
"""The step shown, from two in the afternoon on: by then, it is after eight, and the mill and the
barn have posted their prices.
"""

WHO, SHOP = "cora", "barn/main/bin"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "farmstead-afternoon", afternoons)


def afternoons(folder: Path) -> None:
    for lang in LANGS:
        world = load_world("farmstead", lang)
        beside(
            live,
            folder,
            LAST,
            world=world,
            start=world.start.replace(hour=14),
            name=f"farm-{lang}",
            settings=FEELING,
        )


def told(results: Path, lang: Lang, block: str) -> Any:
    """What the page is told of her, up to the moment at which the step shown begins."""
    with RunReader.open(results, f"farm-{lang}") as run:
        return Blocks(run, Names.of(run)).range(block, 1, LAST - 1, WHO)


def opened(visit: Visit, size: dict[str, int], lang: str, **query: str) -> Any:
    more = "".join(f"&{key}={value}" for key, value in query.items())
    page = visit(
        f"/?name=farm-{lang}&step={LAST}&paused=1&lang={lang}{more}", size, reduced_motion="reduce"
    )
    if size == PHONE:
        page.click("#panel-toggle")
    return page


@on_desktop
def test_a_card_tells_of_body_goods_and_opinions(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    her, words = told(results, lang, "resident"), PageTexts(lang)
    living, opinions = her["living"], her["opinions"][-1][1]
    page = opened(visit, size, lang, tab="resident", resident=WHO)
    needs = page.locator("#panel-resident ul.needs").first.locator("li")
    expect(needs).to_have_count(len(living["needs"]))
    for at, need in enumerate(living["needs"]):
        expect(needs.nth(at).locator(".name")).to_have_text(need["name"])
        assert str(living["bodily"][-1][1]["levels"][at]) in needs.nth(at).get_attribute("title")
    expect(page.locator(".feelings .mood b")).not_to_be_empty()
    page.click(".segments [data-id=goods]")
    bag, skills = living["bag"][-1][1], living["skills"][-1][1]
    for held in bag:
        expect(
            page.locator(".goods-section .goods li", has_text=held["name"]).first
        ).to_be_visible()
    expect(page.locator(".purse b")).to_have_text(f"🪙 {living['coins'][-1][1]}")
    expect(page.locator(".goods-section .needs li")).to_have_count(len(skills))
    assert bag
    assert skills
    wrong = look(page, "goods")
    page.click(".segments [data-id=relations]")
    known = [opinion for opinion in opinions if opinion["grounds"] or opinion["impression"]]
    expect(page.locator(".opinion .points")).to_have_count(len(known))
    first = words["Regard {regard}, trust {trust}"].split("{")[0]
    expect(page.locator(".opinion .points").first).to_contain_text(first)
    assert known
    assert wrong + look(page, "opinions") == []


def test_why_a_feeling_is_felt_leads_to_what_has_stirred_it(visit: Visit, results: Path) -> None:
    page = opened(visit, PHONE, "zh", tab="resident", resident=WHO)
    felt = page.locator(".feelings li").first
    expect(felt.locator("small").last).not_to_be_empty()
    felt.locator(".why-button").click()
    expect(page.locator("#panel-why .subject blockquote")).not_to_be_empty()
    expect(page.locator("#panel-why .because")).to_be_visible()
    memory = re.search(r"memory%3D(\d+)|memory=(\d+)", page.evaluate("location.href"))
    assert memory
    stirred = {
        feeling["memory"]
        for _, feel in told(results, "zh", "resident")["feel"]
        if feel
        for feeling in feel["feelings"]
    }
    assert int(memory[1] or memory[2]) in stirred


def test_why_something_was_refused_is_told(visit: Visit, results: Path) -> None:
    refusals = told(results, "en", "causes")["refusals"]
    memory, refusal = next(iter(refusals.items()))
    page = opened(visit, DESKTOP, "en", tab="why", why=f"resident%3D{WHO}%26memory%3D{memory}")
    reason = page.locator("#panel-why .refusal p")
    expect(reason).not_to_be_empty()
    expect(reason).not_to_contain_text(refusal["code"])
    expect(reason).not_to_contain_text("{")
    expect(reason).to_contain_text(str(refusal["facts"]["thing"]))


@on_phone
def test_a_shop_tells_what_it_has_and_why_it_costs_that(
    visit: Visit, results: Path, size: dict[str, int], lang: Lang
) -> None:
    thing = load_world("farmstead", lang).things[SHOP].name
    page = visit(
        f"/?name=farm-{lang}&step={LAST}&paused=1&lang={lang}", size, reduced_motion="reduce"
    )
    begun(page)
    page.click("#find")
    page.fill("#finder input", thing)
    expect(page.locator("#found [role=option]").first).to_be_visible()
    page.press("#finder input", "Enter")
    store = page.locator("#place-card .store", has=page.locator("h3", has_text=thing))
    expect(store.locator(".facts").first).not_to_be_empty()
    expect(store.locator(".goods li").first).to_be_visible()
    expect(page.locator("#place-card .what")).to_be_hidden()  # what it is called stands there once
    why = store.locator(".prices details").first
    why.locator("summary").click()
    expect(why.locator("p")).to_be_visible()
    assert not re.search(r"[{}]|price_", why.locator("p").inner_text())
    assert look(page, "shop") == []
