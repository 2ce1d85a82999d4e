"""The README's clip: the guided opening of the page, in twenty seconds, as an animated WebP.

Time passes for the page with each picture that is taken, so that the clip is as smooth on a slow
machine as on a fast one.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

WINDOW, SIZE = (1200, 750), (720, 450)
RATE, STOP, SECONDS = 6, 4, 20
"""Pictures a second, seconds of each stop, and seconds of the whole clip."""

DRAWN = 10
"""Frames that the page draws for each picture."""

MOST = 1_500_000
"""Maximum size of the clip in bytes."""

BY_HAND = """let due = [], now = performance.now();
window.requestAnimationFrame = (callback) => due.push(callback);
window.cancelAnimationFrame = () => {};
window.draw = (frames) => { for (let at = 0; at < frames; at++) {
  const these = due; due = []; now += 1000 / 60; these.forEach((callback) => callback(now)); } };"""
"""Script by which the page's frames pass only when `draw` is called, each a 60th of a second after
the last.
"""


def take_clip(browser: Any, address: str, path: Path) -> Path:
    """Record the page as a first-time visitor sees it, moving to the next stop every few seconds."""
    context = browser.new_context(viewport={"width": WINDOW[0], "height": WINDOW[1]})
    context.add_init_script(BY_HAND)
    page = context.new_page()
    page.goto(address)
    _until(page, "!document.querySelector('#caption').hidden")
    pictures = []
    for at in range(SECONDS * RATE):
        if at and at % (STOP * RATE) == 0:
            page.evaluate("document.querySelector('#caption button').click()")
            _until(page, "document.querySelector('#notice').hidden")
            page.wait_for_load_state("networkidle")
        page.evaluate(f"draw({DRAWN})")
        with Image.open(BytesIO(page.screenshot(type="jpeg", quality=95))) as picture:
            pictures.append(picture.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
    context.close()
    for quality in (70, 55, 40, 25, 10):
        pictures[0].save(
            path,
            save_all=True,
            append_images=pictures[1:],
            duration=1000 // RATE,
            loop=0,
            quality=quality,
            method=4,
        )
        if path.stat().st_size < MOST:
            break
    return path


def _until(page: Any, script: str) -> None:
    """Let frames pass until a script gives true. Raises TimeoutError after a minute."""
    for _ in range(1200):
        page.evaluate("draw(1)")
        if page.evaluate(script):
            return
        page.wait_for_timeout(50)
    raise TimeoutError(script)
