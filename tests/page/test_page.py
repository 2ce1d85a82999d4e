"""The playback page in a real browser: it plays, at desktop and phone size, in both languages, and
asks nobody else for anything.
"""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

from hometown.storage.inbox import Inbox
from tests.page.browsing import CAST, PHONE, begun, expect, until, ways
from tests.support.synthetic_run import make_run


@ways
def test_it_plays(visit: Any, size: dict[str, int], lang: str) -> None:
    pause, word = {"en": ("Pause", "Residents"), "zh": ("暂停", "居民")}[lang]
    page = visit(f"/?name=town-{lang}&step=1&speed=-1&lang={lang}", size)
    begun(page)
    assert page.title().startswith(f"town-{lang}")
    expect(page.locator("#scrub")).not_to_have_value(re.compile("^[01]$"))
    expect(page.locator("#play")).to_have_attribute("aria-label", pause)
    assert page.text_content("#residents-title") == word
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    until(
        page,
        "document.querySelector('#town').getContext('2d').getImageData(200, 200, 60, 60).data.some((one) => one > 0)",
    )


def test_list_leads_to_a_run(visit: Any) -> None:
    page = visit("/")
    page.click("text=town-en")
    begun(page)


def test_keys(visit: Any) -> None:
    page = visit("/?name=town-en&step=2&speed=-2")
    begun(page)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#scrub")).to_have_value("120")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#scrub")).to_have_value("60")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#speed-value")).to_have_text("10×")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    page.keyboard.press("f")
    page.wait_for_selector("#resident-list button[aria-pressed=true]")
    expect(page).to_have_url(re.compile("speed=-1"))
    page.keyboard.press("Enter")
    expect(page.locator("#tab-area-person")).to_have_attribute("aria-selected", "true")


def test_conversation_is_shown_as_text(visit: Any) -> None:
    page = visit("/?name=mapless&step=3&speed=0", reduced_motion="reduce")
    expect(page.locator(".bubble b")).to_have_text("ana")
    expect(page.locator(".bubble")).to_contain_text("Good morning! Up early today?")
    expect(page.locator("#conversation-lines li")).to_have_count(3)
    expect(page.locator("#conversation-lines")).to_contain_text("<Do> come!")
    expect(page.locator("#resident-list")).to_contain_text("talking with")


def test_of_one_followed_who_is_silent_no_silence_of_all_is_told(visit: Any) -> None:
    page = visit("/?name=mapless&step=3&speed=0&resident=cy", reduced_motion="reduce")
    expect(page.locator("#resident-list")).to_contain_text("talking with")
    expect(page.locator("#conversation-where")).to_have_text("cy is not talking now.")


def test_scrubbing_shows_any_moment(visit: Any) -> None:
    page = visit("/?name=town-en&step=3&speed=-4")
    begun(page)
    page.click("#play")
    page.locator("#scrub").fill("30")
    expect(page.locator("#hour")).to_have_text("06:05")
    expect(page.locator("#resident-list")).to_contain_text("opening the café")
    page.locator("#scrub").fill("0")
    expect(page.locator("#hour")).to_have_text("06:00")


def test_clicking_a_resident_follows_it(visit: Any) -> None:
    page = visit("/?name=town-en&step=1&zoom=2", reduced_motion="reduce")
    begun(page)
    page.locator("#resident-list button").nth(1).click()
    expect(page.locator("#panel-resident .picker")).to_have_value(CAST[1])
    expect(page.locator(".follow")).to_have_attribute("aria-pressed", "true")
    page.click("#tab-area-town")
    page.wait_for_selector("#resident-list li:nth-child(2) button[aria-pressed=true]")
    assert page.get_attribute("#play", "aria-label") == "Play", (
        "nothing moves by itself where less motion is wished for"
    )


def test_sheet_on_a_phone(visit: Any) -> None:
    page = visit("/?name=town-zh&step=1", PHONE, has_touch=True, locale="zh-CN")
    begun(page)
    assert not page.is_visible("#resident-list")
    page.tap("#panel-toggle")
    assert page.is_visible("#resident-list")
    assert page.get_attribute("#panel-toggle", "aria-expanded") == "true"


def test_the_sheet_of_a_phone_waits_for_its_click(visit: Any) -> None:
    page = visit("/?name=town-en&step=1", PHONE)
    held: list[Any] = []
    page.route(re.compile(r"/runs/town-en\?"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/runs/town-en\?")):
        page.reload(wait_until="commit")
    toggle = page.locator("#panel-toggle")
    expect(toggle).to_be_disabled()
    for route in held:
        route.continue_()
    page.unroute_all()
    toggle.click()
    expect(page.locator("#tab-panels")).to_be_visible()


def test_a_page_for_what_is_not_there(visit: Any, address: str) -> None:
    page = visit("/")
    reply = page.request.get(f"{address}/?name=nobody")
    assert reply.status == 404
    assert "town-en" in reply.text()
    assert reply.text().index('id="problem"') < reply.text().index("<section")


def test_a_running_simulation_is_followed(visit: Any, results: Path, tmp_path: Path) -> None:
    whole, growing = make_run(tmp_path, "growing"), make_run(results, "growing")
    tables = ("steps", "state", "trajectories", "conversations", "memories")
    with sqlite3.connect(growing) as database:
        for table in tables:
            database.execute(f"DELETE FROM {table} WHERE step = 3")
    page = visit("/?name=growing&step=2&speed=5")
    expect(page.locator("#scrub")).to_have_value("120")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    with sqlite3.connect(growing) as database:
        database.execute("ATTACH ? AS whole", (str(whole),))
        for table in tables:
            database.execute(f"INSERT INTO {table} SELECT * FROM whole.{table} WHERE step = 3")
    expect(page.locator("#conversation-lines")).to_contain_text("tasting")
    expect(page.locator("#scrub")).to_have_value("180")


def test_the_user_steps_in(visit: Any, results: Path) -> None:
    make_run(results, "asked", world="minitown", lang="en", residents=CAST)
    page = visit("/?name=asked&lang=en&tab=speak")
    page.locator(".speak-form select").first.select_option("tell")
    page.locator(".speak-form input").first.fill("You want to sing")
    page.locator(".speak-form button").click()
    page.locator(".speak-list li.waiting").get_by_text("You want to sing").wait_for()
    expect(page.locator(".speak-status")).to_contain_text("Added")
    page.locator(".speak-form select").first.select_option("remove")
    assert not page.get_by_label("Text").is_visible()
    page.locator(".speak-form button").click()
    page.locator(".speak-list li.waiting").nth(1).wait_for()
    assert [one.kind for one in Inbox(results / "checkpoints" / "asked").interventions()] == [
        "tell",
        "remove",
    ]
