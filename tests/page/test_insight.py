"""The plots, as a person would look at them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from PIL import Image

from tests.page.browsing import (
    PHONE,
    SECONDS,
    begun,
    expect,
    on_desktop,
    until,
)
from tests.support.page_texts import PageTexts

PLOTS = ("network", "spread", "places", "minds", "loops", "calls")

DRAWN = """canvas => { const copy = new OffscreenCanvas(canvas.width || 1, canvas.height || 1).getContext('2d', { willReadFrequently: true });
                       if (canvas.width && canvas.height) copy.drawImage(canvas, 0, 0);
                       return copy.getImageData(0, 0, copy.canvas.width, copy.canvas.height).data.some((one, at) => at % 4 === 3 && one > 0); }"""


def unfold(page: Any) -> None:
    """On a phone the sheet comes up."""
    if (
        page.is_visible("#panel-toggle")
        and page.get_attribute("#panel-toggle", "aria-expanded") == "false"
    ):
        page.click("#panel-toggle")


@on_desktop
def test_every_plot_is_drawn(visit: Any, size: dict[str, int], lang: str) -> None:
    page = visit(
        f"/?name=town-{lang}&step=3&lang={lang}&tab=insight", size, reduced_motion="reduce"
    )
    begun(page)
    unfold(page)
    for plot in PLOTS:
        page.click(f"[data-plot={plot}]")
        expect(page.locator(f"[data-plot={plot}]")).to_have_attribute("aria-pressed", "true")
        expect(page).to_have_url(re.compile(f"plot={plot}"))
        if plot not in ("spread", "loops"):
            expect(page.locator(".plots canvas").first).to_be_visible()
            until(page, f"({DRAWN})(document.querySelector('.plots canvas'))")
            page.locator(".plots summary").first.click()
            expect(page.locator(".plots table").first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_plot_is_enlarged_and_saved_with_its_words(visit: Any, tmp_path: Path) -> None:
    page = visit("/?name=town-zh&step=3&lang=zh&tab=insight&plot=calls", reduced_motion="reduce")
    page.locator(".plots canvas").first.scroll_into_view_if_needed()
    digest = page.evaluate(
        "fetch('/api/v1/runs/town-zh').then(reply => reply.json()).then(run => run.digest.slice(0, 16))"
    )
    title = page.locator(".plot figcaption").first.inner_text()
    page.locator(".files .larger").first.click()
    saved = {}
    for kind in ("SVG", "PNG", "CSV"):
        with page.expect_download(timeout=SECONDS * 1000) as download:
            page.locator(".plate .files").get_by_text(kind).click()
        saved[kind] = tmp_path / download.value.suggested_filename
        download.value.save_as(saved[kind])
    for kind in ("SVG", "CSV"):
        assert all(
            word in saved[kind].read_text(encoding="utf-8") for word in (title, "town-zh", digest)
        )
    root = ElementTree.parse(saved["SVG"]).getroot()
    assert root.tag.endswith("svg")
    assert len(root.findall(".//{*}path")) > 3, "the chart is drawn in it"
    with Image.open(saved["PNG"]) as picture:
        assert picture.width >= 1600
    page.click(".plate > .wide")
    expect(page.locator(".insight .plot").first).to_contain_text(title)


def test_a_word_is_followed_from_mind_to_mind(visit: Any) -> None:
    page = visit("/?name=town-en&step=3&tab=insight&plot=spread", PHONE, reduced_motion="reduce")
    begun(page)
    unfold(page)
    page.fill(".insight input[type=search]", "tasting")
    page.press(".insight input[type=search]", "Enter")
    expect(page.locator(".tree li").nth(1)).to_be_visible()
    expect(page).to_have_url(re.compile("topic=text%3Dtasting"))
    page.locator(".knower").nth(1).click()
    expect(page.locator(".tree li").first).not_to_have_class(re.compile("later"))


def test_the_load_of_shards_and_servers_is_shown_where_there_are_several(visit: Any) -> None:
    page = visit("/?name=town-zh&step=3&lang=zh&tab=insight", reduced_motion="reduce")
    begun(page)
    words = PageTexts("zh")
    busy = {
        "server": 2,
        "calls": 7,
        "moved": 3,
        "failed": 1,
        "tokens": 900,
        "busy": 0.456,
        "seconds": 1.5,
    }
    servers = [busy | {"server": 1, "moved": 0, "failed": 0}, busy]
    page.click("[data-plot=calls]")
    expect(page.locator("figure.plot", has_text=words["Tokens"]).last).to_be_visible()
    for title in (
        "Processor time of a resident's step, by shard (ms)",
        "Replies, by model server",
        "Busy, of the time in which any server was asked (%)",
    ):
        expect(page.locator("figure.plot", has_text=words[title])).to_be_hidden()
    page.click("[data-plot=minds]")
    page.route(
        "**/insight/calls",
        lambda route: route.fulfill(
            json=route.fetch().json()
            | {"shards": [{"residents": 2, "ms": 4.5}], "servers": servers}
        ),
    )
    page.click("[data-plot=calls]")
    shown = page.locator("figure.plot", has_text=words["Replies, by model server"])
    shown.locator("summary").click()
    expect(shown.locator("tbody tr").last).to_have_text(
        f"{words['Server {number}'].format(number=2)}431"
    )
    for title in (
        "Processor time of a resident's step, by shard (ms)",
        "Busy, of the time in which any server was asked (%)",
        "Time to a reply on average, by server (s)",
        "Tokens of prompts and replies, by server",
    ):
        expect(page.locator("figure.plot", has_text=words[title])).to_be_visible()


def test_a_gathering_is_told_with_who_came(visit: Any) -> None:
    page = visit("/?name=town-en&step=3&lang=en&tab=insight", reduced_motion="reduce")
    begun(page)
    gathering = {
        "place": "cafe/main",
        "tick": 60,
        "came": [{"who": "bo"}, {"who": "cy"}],
        "chanced_by": [],
        "stayed_away": ["ana"],
    }
    answer = {
        "stories": [{"id": "tasting", "title": "The tasting"}],
        "truth": "not held",
        "learned": [
            {"who": who, "from": teller, "tick": 0, "step": 1, "conversation": "", "memory": 1}
            | {"text": "A tasting", "changed": [], "strayed": strayed, "channel": "told"}
            for who, teller, strayed in (("bo", "", []), ("cy", "bo", ["18:00"]))
        ],
        "gathering": gathering,
    }
    page.route("**/spread", lambda route: route.fulfill(json={"stories": answer["stories"]}))
    page.route("**/spread/story/tasting", lambda route: route.fulfill(json=answer))
    page.click("[data-plot=spread]")
    page.locator(".insight select").select_option("tasting")
    lines = page.locator(".insight .quietly p")
    expect(lines).to_have_count(3)
    assert "06:10" in lines.nth(0).text_content()
    assert " and " in lines.nth(1).text_content()
    assert "Knew and stayed away:" in lines.nth(2).text_content()
    expect(page.locator(".insight .quietly", has_text="It did not take place.")).to_have_count(1)
    expect(page.locator(".truths > span")).to_have_text(
        ["≠changed on the way", "✗not borne out by the town"]
    )
    expect(page.locator(".tree .knower.denied")).to_have_count(1)
    expect(page.locator(".tree .knower.strayed")).to_contain_text("changed before: 18:00")


def test_an_address_leads_to_a_plot(visit: Any) -> None:
    page = visit(
        "/?name=town-en&step=3&tab=insight&plot=spread&topic=text%3Dtasting",
        reduced_motion="reduce",
    )
    expect(page.locator(".insight input[type=search]")).to_have_value("tasting")
    expect(page.locator(".tree li").first).to_be_visible()


def test_an_address_that_leads_nowhere_is_explained(visit: Any) -> None:
    """A storyline and a resident that the run does not have: the page says so, and offers those
    that it has.
    """
    topic, words = "topic=story%3Dnowhere", PageTexts("zh")
    page = visit(
        f"/?name=town-zh&step=3&lang=zh&tab=insight&plot=spread&{topic}&resident=nobody",
        reduced_motion="reduce",
    )
    expect(page.locator(".insight p[role=status]")).to_contain_text(
        words["This simulation has no storyline named “{name}”."].format(name="nowhere")
    )
    page.get_by_role("button", name=words["Show all storylines"]).click()
    expect(page.locator(".insight p[role=status]")).to_be_empty()
    expect(page).not_to_have_url(re.compile("topic="))
    page.click("#tab-area-person")
    expect(page.locator("#panel-resident")).to_contain_text(
        words["This simulation has no resident named “{name}”."].format(name="nobody")
    )
    page.locator(".offers button").first.click()
    expect(page.locator("#panel-resident .identity")).to_be_visible()


def test_what_weighed_most_leads_to_how_it_spread(visit: Any) -> None:
    page = visit("/?name=town-en&step=3&tab=insight&plot=minds", reduced_motion="reduce")
    page.locator(".poignant li button").last.click()
    expect(page.locator("[data-plot=spread]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".tree li").first).to_be_visible()


def test_plots_wear_the_colours_of_the_page(visit: Any) -> None:
    page = visit("/?name=town-en&step=3&tab=insight&plot=network", color_scheme="dark")
    expect(page.locator(".plots canvas").first).to_be_visible()
    worn = set()
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        until(page, f"({DRAWN})(document.querySelector('.plots canvas')) && {SOFT} === {WORN}")
        worn.add(page.evaluate(WORN))
    assert len(worn) == 2


WORN = "Chart.defaults.color"
SOFT = "getComputedStyle(document.documentElement).getPropertyValue('--soft').trim()"
