"""What moves: two fingers zoom, bubbles keep step with what is said at any speed, and nothing moves where less motion is wished for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import PHONE, begun, expect, until

LINES = ["Good morning! Up early today?", "The smell of coffee got me. *What* is new?", "I'll hold a tasting on Friday at six. <Do> come!"]

WATCH = """() => { window.seen = []; const look = (now) => { const bubble = document.querySelector('.bubble:not([hidden])');
  window.seen.push([now, document.querySelector('#hour').textContent, bubble?.lastChild.data ?? '']); requestAnimationFrame(look); };
  requestAnimationFrame(look); }"""
RESTS = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector('#town').toDataURL()))))"


def test_two_fingers_zoom(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=1", PHONE, has_touch=True, reduced_motion="reduce")
    begun(page)
    session = page.context.new_cdp_session(page)
    box = page.locator("#town").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def touch(kind: str, *fingers: float) -> None:
        points = [{"x": x + by, "y": y, "id": number} for number, by in enumerate(fingers)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", -40, 40)
    for apart in range(45, 85, 5):
        touch("touchMove", -apart, apart)
    touch("touchEnd")
    until(page, "Number(new URL(location.href).searchParams.get('zoom')) > 1.8")
    zoomed = float(page.evaluate("new URL(location.href).searchParams.get('zoom')"))
    assert zoomed == pytest.approx(2, rel=0.05), "fingers twice as far apart see everything twice as large"
    touch("touchStart", -80, 80)
    for apart in range(75, 35, -5):
        touch("touchMove", -apart, apart)
    touch("touchEnd")
    until(page, "Number(new URL(location.href).searchParams.get('zoom')) < 1.1")


@pytest.mark.parametrize("speed", [2, 5], ids=["75x", "600x"])
def test_bubbles_keep_step(visit: Any, speed: int) -> None:
    page = visit(f"/?name=town-en&step=2&speed={speed}", reduced_motion="reduce")
    begun(page)
    page.locator("#scrub").fill("114")  # a minute before the talk
    page.evaluate(WATCH)
    page.click("#play")
    until(page, "window.seen.some(([, , text]) => text.includes('<Do> come'))")
    until(page, "window.seen.at(-1)[2] === ''")
    seen = page.evaluate("window.seen")
    spoken = [(now, hour, text) for now, hour, text in seen if text]
    assert spoken[0][1] in ("06:20", "06:21"), "the bubble opens with the talk"
    order = [LINES.index(text) for _, _, text in spoken]
    assert order == sorted(order), "no line comes twice, or after a later one"
    for line in set(order):
        times = [now for now, _, text in spoken if text == LINES[line]]
        assert times[-1] - times[0] > 700, "each line can be read"
    first, last = seen.index(list(spoken[0])), seen.index(list(spoken[-1]))
    assert all(text for *_, text in seen[first:last]), "it stays from its first line to its last"


def test_less_motion(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=2&x=20&y=15", reduced_motion="reduce")
    begun(page)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("d")
    at_once = page.evaluate(RESTS)
    page.wait_for_timeout(500)
    assert page.evaluate(RESTS) == at_once, "the view is there at once and does not glide"
    assert page.evaluate("document.getAnimations().length") == 0


def test_motion(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=2&x=20&y=15")
    begun(page)
    page.keyboard.press(" ")
    page.keyboard.press("d")
    at_once = page.evaluate(RESTS)
    page.wait_for_timeout(500)
    assert page.evaluate(RESTS) != at_once
