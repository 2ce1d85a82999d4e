"""A moment and a place are reached from wherever they are named, and a link shows what was seen
when it was made.
"""

from __future__ import annotations

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from hometown.clock import minute_of_day
from hometown.history.reader import RunReader
from hometown.storage.run_names import file_of
from tests.page.browsing import (
    DESKTOP,
    LIVED,
    PHONE,
    answered,
    begun,
    expect,
    fits,
    turn,
    until,
)
from tests.page.conftest import Visit
from tests.support.page_texts import PageTexts

AT = """(() => { const given = new URL(location.href).searchParams; return [Number(given.get('x')), Number(given.get('y'))]; })()"""
"""The tile in the middle of the stage, by the address."""


@pytest.fixture(scope="module")
def results(lived: Path) -> Path:
    return lived


def first_talk(results: Path) -> tuple[str, int, str]:
    """Opener, step and place of a run's first conversation."""
    with sqlite3.connect(file_of(results, "lived-en")) as database:
        found: tuple[str, int, str] = database.execute(
            "SELECT opener, step, address FROM conversations ORDER BY started, id LIMIT 1"
        ).fetchone()
        return found


def opened(visit: Visit, query: str, size: dict[str, int] = DESKTOP, **more: Any) -> Any:
    page = visit(f"/?name=lived-en&lang=en{query}", size, reduced_motion="reduce", **more)
    begun(page) if "tab=" not in query else expect(page.locator("#notice")).to_be_hidden()
    return page


def away(page: Any) -> None:
    """Moves the camera to a corner of the town."""
    page.evaluate("window.scrollTo(0, 0)")
    for _ in range(12):
        page.keyboard.press("a")
        page.keyboard.press("w")
    until(page, f"{AT}[0] < 15")


def test_the_page_opens_with_somebody_speaking(visit: Visit, results: Path) -> None:
    _, step, _ = first_talk(results)
    page = opened(visit, "", PHONE)
    expect(page.locator(".bubble")).to_be_visible()
    page.keyboard.press("n")
    page.keyboard.press("Shift+N")
    expect(page).to_have_url(re.compile(f"step={step}&"))
    assert page.locator(".bubble").bounding_box()["x"] >= 0


def test_an_address_that_names_a_moment_is_obeyed(visit: Visit) -> None:
    expect(opened(visit, "&step=1").locator("#hour")).to_have_text("06:00")


def test_a_card_leads_to_the_talk(visit: Visit, results: Path) -> None:
    page = opened(visit, f"&step={LIVED}&zoom=2&tab=conversations")
    away(page)
    page.locator(".conversation-card .moment").first.click()
    expect(page.locator(".bubble")).to_be_visible()
    until(page, f"{AT}[0] > 0 && {AT}[1] > 0")


def test_an_answer_leaves_the_cards_that_it_does_not_change(visit: Visit) -> None:
    """A card that is replaced between press and release of a button is not clicked."""
    page = opened(visit, f"&step={LIVED}&zoom=2&tab=conversations")
    cards = page.locator(".conversation-card")
    card, before = cards.first.element_handle(), cards.count()
    page.fill("#conversation-text", cards.first.locator(".person").first.inner_text())
    expect(cards).not_to_have_count(before)
    assert cards.count() > 1
    assert card.evaluate("card => card.isConnected")


def test_place_and_speaker_of_a_talk_lead_there(visit: Visit, results: Path) -> None:
    _, step, _ = first_talk(results)
    page = opened(visit, f"&step={step}&minute=1&zoom=2")
    for link in ("#conversation-where .place", "#conversation-lines .speaker"):
        away(page)
        before = page.evaluate(AT)
        page.locator(link).first.click()
        until(
            page,
            f"JSON.stringify({AT}) !== '{before}'.replaceAll(' ', '') && {AT}[0] > {before[0]}",
        )


def test_a_link_shows_the_minute_and_stays_paused(visit: Visit) -> None:
    page = opened(visit, "&step=30&minute=4&paused=1&speed=5")
    clock = page.inner_text("#hour")
    assert clock.endswith("4")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.locator("#scrub").fill(str(29 * 60 + 6 * 7))
    expect(page.locator("#hour")).to_have_text(f"{clock[:-1]}7")
    expect(page).to_have_url(re.compile("minute=7&?.*paused=1|paused=1.*minute=7"))
    page.reload()
    expect(page.locator("#hour")).to_have_text(f"{clock[:-1]}7")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    page.click("#language")
    expect(page.locator("html")).to_have_attribute("lang", "zh")
    expect(page.locator("#hour")).to_have_text(f"{clock[:-1]}7")
    expect(page.locator("#play")).to_have_attribute("aria-label", "播放")


def test_a_paused_address_does_not_play(visit: Visit) -> None:
    page = visit("/?name=lived-en&lang=en&step=30&paused=1&speed=5")
    begun(page)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    page.click("#play")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    expect(page).not_to_have_url(re.compile("paused"))


def test_a_click_keeps_no_key(visit: Visit) -> None:
    page = opened(visit, "&step=30&paused=1")
    turn(page, "diary")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#scrub")).to_have_value(str(30 * 60))
    expect(page.locator("#tab-diary")).to_have_attribute("aria-selected", "true")
    page.click("#zoom-in")
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")


def test_a_profile_opens_at_its_name(visit: Visit) -> None:
    page = opened(visit, f"&step={LIVED}&tab=resident&resident=wang_fang", PHONE)
    page.click("#panel-toggle")
    expect(page.locator(".stretch.present")).to_have_count(1)
    page.evaluate("document.querySelector('#panel-resident').scrollTop = 1000")
    until(page, "document.querySelector('#panel-resident').scrollTop > 100")
    page.locator(".picker").select_option("lin_yue")
    expect(page.locator(".picker")).to_have_value("lin_yue")
    expect(page.locator(".stretch.present")).to_have_count(1)
    until(page, "document.querySelector('#panel-resident').scrollTop === 0")


FROM = 20
"""The step from which on Wang Fang is followed."""


def held_up(results: Path, who: str) -> dict[int, str]:
    """What somebody is seen doing after each step in which it cannot do its task yet: its turn has
    not come, or it is early for an appointment.
    """
    held = {}
    with RunReader.open(results, "lived-en") as run:
        for step in range(FROM - 1, LIVED):
            (action,), minute = (
                (one for _, one in run.actions_of(who, step, step)),
                minute_of_day(run.moment(step)),
            )
            coming = run.schedule(who, step).next_of("appointment", minute)
            if action.kind == "wait" or (
                coming and action.address == coming.address and action.activity != coming.activity
            ):
                held[step] = action.activity
    return held


def test_today_agrees_with_what_is_seen(visit: Visit, results: Path) -> None:
    held = held_up(results, "wang_fang")
    page = opened(visit, f"&step={FROM}&minute=5&paused=1&tab=resident&resident=wang_fang")
    seen = 0
    for step in range(FROM, LIVED, 2):
        page.locator("#scrub").fill(str((step - 1) * 60 + 30))
        expect(page.locator("#scrub")).to_have_value(str((step - 1) * 60 + 30))
        answered(page)
        expect(page.locator(".stretch.present")).to_have_count(1)
        waits = json.dumps([held[each] for each in (step - 1, step) if each in held])
        until(
            page,
            f"{TALKING} || !{TASK} || {AGREES} || {waits}.some((held) => {DOING}.endsWith(held))",
        )
        seen += page.evaluate(f"Boolean({TASK} && {AGREES})")
    assert seen > 5
    assert page.locator(".stretch.past .tasks li.doing, .stretch.past .tasks li.todo").count() == 0


TASK = "document.querySelector('.stretch.present .tasks li.doing span[lang]')?.textContent"
TALKING = "document.querySelector('.now .doing .emblem')?.dataset.emblem === 'talk'"
DOING = "document.querySelector('.now .doing').textContent"
AGREES = f"{DOING}.endsWith({TASK})"


def test_the_diary_opens_at_the_moment_shown(visit: Visit) -> None:
    page = opened(visit, f"&step={LIVED - 1}&tab=diary&resident=wang_fang", PHONE)
    page.click("#panel-toggle")
    expect(page.locator(".stay[aria-current]")).to_have_count(1)
    page.click(".timetable > summary")
    until(page, IN_SIGHT)
    page.locator("#scrub").fill("60")
    until(page, f"document.querySelector('.stay[aria-current]').dataset.from < 100 && {IN_SIGHT}")


IN_SIGHT = """(() => { const panel = document.querySelector('#panel-diary').getBoundingClientRect();
  const stay = document.querySelector('.stay[aria-current]').getBoundingClientRect();
  return panel.height > 0 && stay.top < panel.bottom && stay.bottom > panel.top; })()"""
"""Whether the present stay is in sight."""


def test_a_server_that_is_gone_is_told_in_words(visit: Visit) -> None:
    page = visit("/")
    page.route(
        "**/frames?from=49*", lambda route: route.abort("aborted")
    )  # from the start, or they may have been fetched
    page.goto(f"{page.url}?name=lived-zh&lang=zh&step=1&speed=-4&paused=1")
    expect(page.locator("#hour")).not_to_be_empty()
    page.locator("#scrub").fill(str((LIVED - 1) * 60))
    expect(page.locator("#notice")).to_have_text(
        PageTexts("zh")[
            "The server does not answer. What is shown stays; the page goes on when it is back."
        ]
    )
    page.unroute("**/frames?from=49*")
    expect(page.locator("#notice")).to_be_hidden()


def test_the_moments_that_mattered_are_a_click_away(visit: Visit) -> None:
    page = opened(visit, f"&step={LIVED}&zoom=2", PHONE)
    page.click("#panel-toggle")
    page.click("#highlights summary")
    moments = page.locator("#highlights li")
    expect(moments.first).to_be_visible()
    assert 0 < moments.count() <= 10
    first = moments.first.locator("time").inner_text()
    moments.first.locator("button").click()
    expect(page.locator("#hour")).to_have_text(first[-5:])
    if moments.first.locator("[data-emblem=talk]").count():
        expect(page.locator(".bubble")).to_be_visible()
    times = [time[-5:] for time in moments.locator("time").all_inner_texts()]
    later = sum(time > first[-5:] for time in times)
    expect(page.locator("#highlights li.later")).to_have_count(later)
    assert fits(page)


def test_an_alert_leads_to_its_moment_and_to_what_helps(visit: Visit) -> None:
    """Alerts are shown while they hold; the other residents' hunger comes later."""
    page = opened(visit, "&step=1")
    told = [
        {"kind": kind, "tick": tick, "end": tick + 600, "amount": 4, "who": who, "need": need}
        for kind, tick, who, need in (
            ("silence", 1200, "", {}),
            ("need", 2400, "wang_fang", {"en": "food", "zh": "饱足"}),
        )
    ]
    page.route("**/alerts", lambda route: route.fulfill(json=told))
    page.goto(page.url.split("?")[0] + "?name=lived-en&lang=en&step=22&paused=1")
    begun(page)
    alerts = page.locator("#alerts li")
    expect(alerts).to_have_count(1)
    alerts.locator("button.words").click()
    expect(page.locator("#hour")).to_have_text("09:20")
    alerts.get_by_role("button", name="Step in").click()
    expect(page.locator("#tab-speak")).to_have_attribute("aria-selected", "true")
    turn(page, "town")
    page.locator("#scrub").fill("2406")
    expect(alerts).to_have_text(re.compile("Wang Fang: food"))
