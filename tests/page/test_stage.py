"""The stage and the timeline as a person uses them: names, things, bubbles, speeds, marks, and an
address that keeps it all.
"""

from __future__ import annotations

import re
from typing import Any

from tests.page.browsing import (
    CAST,
    DESKTOP,
    PHONE,
    begun,
    expect,
    on_desktop,
    on_phone,
    settled,
    until,
)

STEADY = {"reduced_motion": "reduce"}
"""Nothing moves by itself."""

PAINTED = "(() => { const c = document.querySelector('#strip'); return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0); })()"


@on_phone
def test_timeline(visit: Any, size: dict[str, int], lang: str) -> None:
    page = visit(f"/?name=town-{lang}&lang={lang}", size, **STEADY)
    begun(page)
    until(page, PAINTED)
    box = page.locator("#scrub").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 30)
    expect(page.locator("#hour")).to_have_text("06:15")
    page.mouse.click(box["x"] + 8, box["y"] + 30)
    expect(page.locator("#hour")).to_have_text("06:00")
    expect(page.locator("#strip-tip")).to_contain_text("06:00")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@on_desktop
def test_next_conversation(visit: Any, size: dict[str, int], lang: str) -> None:
    page = visit(f"/?name=town-{lang}&lang={lang}", size, **STEADY)
    begun(page)
    settled(page)
    page.click("#conversation-forward")
    expect(page.locator("#hour")).to_have_text("06:20")
    expect(page.locator(".bubble")).to_be_visible()
    page.click("#conversation-back")
    expect(page.locator("#hour")).to_have_text("06:20")


def test_next_event_of_one_resident(visit: Any) -> None:
    page = visit("/?name=town-en&step=1", **STEADY)
    begun(page)
    page.keyboard.press("e")
    expect(page).to_have_url(re.compile(f"resident={CAST[0]}"))
    hour = page.locator("#hour")
    expect(hour).not_to_have_text("06:00")
    first = hour.inner_text()
    page.keyboard.press("e")
    expect(hour).not_to_have_text(first)
    page.keyboard.press("Shift+E")
    expect(hour).to_have_text(first)


def test_speeds(visit: Any) -> None:
    page = visit("/?name=town-zh&step=1&speed=-4&lang=zh", **STEADY)
    begun(page)
    value = page.locator("#speed-value")
    shown = ["1", "2", "5", "10", "19", "38", "75", "150", "240", "300", "600"]
    for at, times in enumerate(shown):
        expect(value).to_have_text(re.compile(rf"^{times}\s?倍$"))
        if at < len(shown) - 1:
            page.keyboard.press("ArrowUp")
    expect(page).to_have_url(re.compile("speed=5"))


def test_address_keeps_the_place(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=2&step=2&x=20&y=15&speed=3", PHONE, **STEADY)
    begun(page)
    page.keyboard.press("d")
    expect(page).not_to_have_url(re.compile(r"x=20&"))
    kept = dict(part.split("=") for part in page.url.split("?")[1].split("&"))
    assert float(kept["x"]) > 20
    assert (float(kept["y"]), kept["zoom"], kept["speed"], kept["step"]) == (15, "2", "3", "2")


def test_address_follows(visit: Any) -> None:
    page = visit(f"/?name=town-en&resident={CAST[1]}", **STEADY)
    begun(page)
    page.keyboard.press("0")
    expect(page).to_have_url(re.compile(r"x=\d"))
    assert f"resident={CAST[1]}" not in page.url


def test_things_tell_their_state(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=2", **STEADY)
    begun(page)
    things = page.evaluate(
        "fetch('/api/v1/runs/town-en').then((reply) => reply.json()).then((run) => Object.values(run.things))"
    )
    thing = next(one for one in things if all(16 < at < 24 for at in one["tiles"][0]))
    column, row = thing["tiles"][0]
    page.goto(f"{page.url.split('?')[0]}?name=town-en&step=1&zoom=2&x={column + 0.5}&y={row + 0.5}")
    begun(page)
    box = page.locator("#town").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator("#tooltip")).to_contain_text(thing["name"])
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    expect(page.locator("#tooltip")).to_contain_text(thing["name"])


def test_keys_are_listed(visit: Any) -> None:
    page = visit("/?name=town-zh&lang=zh", **STEADY)
    begun(page)
    page.keyboard.press("?")
    expect(page.locator("#help")).to_contain_text("播放或暂停")
    for key in ("N", "E", "W", "F", "Esc"):
        expect(page.locator("#help kbd", has_text=re.compile(f"^{key}$"))).to_be_visible()


def test_zoom_by_wheel_and_buttons(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=1", **STEADY)
    begun(page)
    page.click("#zoom-in")
    expect(page).to_have_url(re.compile(r"zoom=1\.25"))
    box = page.locator("#town").bounding_box()
    page.mouse.move(box["x"] + 150, box["y"] + 150)
    page.mouse.wheel(0, 300)
    expect(page).to_have_url(re.compile(r"zoom=0\.[78]"))


def test_the_right_button_offers_what_can_be_done(visit: Any) -> None:
    page = visit("/?name=town-en&lang=en&step=2&paused=1&resident=chen_siyuan", DESKTOP, **STEADY)
    begun(page)
    settled(page)
    box = page.locator("#town").bounding_box()
    page.mouse.click(
        box["x"] + box["width"] / 2, box["y"] + 107, button="right"
    )  # he stands near the upper edge of the map
    page.get_by_role("menuitem", name="An inner voice for Chen Siyuan …").click()
    expect(page.locator("#map-menu")).to_be_hidden()
    expect(page.locator("#tab-speak")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".speak-form select").first).to_have_value("tell")
    expect(page.locator(".speak-form select").last).to_have_value("chen_siyuan")
    expect(page.locator(".speak-form input").first).to_be_focused()
