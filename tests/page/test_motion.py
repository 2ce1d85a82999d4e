"""What moves: two fingers zoom, bubbles keep step with what is said at any speed, and nothing moves
where less motion is wished for.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.browsing import BY_HAND, PHONE, begun, expect, settled, until

LINES = [
    "Good morning! Up early today?",
    "The smell of coffee got me. *What* is new?",
    "I'll hold a tasting on Friday at six. <Do> come!",
]

WATCH = """() => { const seen = []; draw(30, (now) => { const bubble = document.querySelector('.bubble:not([hidden])');
  seen.push([now, document.querySelector('#hour').textContent, bubble?.childNodes[1].data ?? '']); }); return seen; }"""
"""What is seen in the next half second, frame by frame."""

LATER = "(frames) => { draw(frames); return document.querySelector('#town').toDataURL(); }"

TOUCHED = """() => new Promise((done) => { const touched = [];
  const name = ({ target, attributeName }) => `${target.nodeName} ${target.id} ${target.className} ${attributeName}`;
  new MutationObserver((changes) => touched.push(...changes.map(name)))
    .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  let frames = 5;
  const next = () => (frames-- ? requestAnimationFrame(next) : done(touched)); next(); })"""
"""What the page writes into its document within five frames, the same value again included."""

LONGEST = 240
"""Half seconds that are watched at most."""


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
    until(
        page, "Math.abs(Number(new URL(location.href).searchParams.get('zoom')) - 2) < 0.1"
    )  # fingers twice as far apart see all twice as large
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
    settled(page)
    page.evaluate(BY_HAND)
    page.click("#play")
    seen: list[list[Any]] = []
    while not seen or seen[-1][2] or all("<Do> come" not in text for *_, text in seen):
        assert len(seen) < 30 * LONGEST, seen[-1]
        seen += page.evaluate(WATCH)
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
    settled(page)
    page.evaluate(BY_HAND)
    before = page.evaluate(LATER, 2)
    page.keyboard.press("d")
    at_once = page.evaluate(LATER, 2)
    assert at_once != before
    assert page.evaluate(LATER, 30) == at_once, "the view is there at once and does not glide"
    assert page.evaluate("document.getAnimations().length") == 0


def test_motion(visit: Any) -> None:
    page = visit("/?name=town-en&zoom=2&x=20&y=15")
    begun(page)
    page.keyboard.press(" ")
    settled(page)
    page.evaluate(BY_HAND)
    page.keyboard.press("d")
    at_once = page.evaluate(LATER, 2)
    assert page.evaluate(LATER, 30) != at_once


def test_a_page_at_rest_touches_nothing(visit: Any) -> None:
    """Whatever is written is laid out and drawn anew, sixty times a second, from a battery."""
    page = visit("/?name=town-en&step=2&paused=1", reduced_motion="reduce")
    begun(page)
    settled(page)
    assert page.evaluate(TOUCHED) == []
