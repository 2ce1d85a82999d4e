"""Take the README's pictures and its clip, in both languages: `python -m tools.take_pictures`,
with Playwright and Chromium.

They are of the demo: two days in the Ville without a language model, which are lived first where
they are not there yet.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import sys
import threading
from datetime import datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from hometown.clock import at_minute
from hometown.errors import BadInput
from hometown.json_object import Json
from hometown.language import LANGS, Lang
from hometown.paths import RESULTS, ROOT, WORLDS
from hometown.storage.run import RunFile
from hometown.storage.run_names import file_of
from hometown.web.access import Access
from hometown.web.serve import serve
from tools.take_clip import take_clip

PICTURES = ROOT / "docs" / "pictures"
DESKTOP, PHONE = (1280, 800), (390, 844)
SETTLED = 1500
"""Milliseconds after which the camera is at rest."""

COLOURS, STEPS = 256, 228

SHOTS: dict[str, tuple[str, tuple[int, int]]] = {
    "noon": (
        "name={name}&step={noon}&speed=-4&zoom=1.2&tab=resident&resident={who}&paused=1",
        DESKTOP,
    ),
    "night": ("name={name}&step={night}&speed=-4&zoom=0.5&tab=town&paused=1", DESKTOP),
    "insight": ("name={name}&step={noon}&speed=-4&zoom=0.8&tab=insight&paused=1", DESKTOP),
    "phone": ("name={name}&step={noon}&speed=-4&zoom=0.8&resident={who}&paused=1", PHONE),
    "index": ("", DESKTOP),
}
"""Name of the picture → query of the page, and the size of the window."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        help="where the runs `ville-en` and `ville-zh` are, or will be",
    )
    parser.add_argument("--resident", default="carmen_ortiz", help="who is followed")
    parser.add_argument("--only", choices=LANGS, help="one language instead of both")
    options = parser.parse_args(argv)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise BadInput("pictures need Chromium: apt-get install chromium")
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(
        target=serve,
        args=(listener, options.results, WORLDS, (), Access(guarded=False)),
        daemon=True,
    ).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    for lang in LANGS:
        if options.only in (None, lang):
            _take(
                chromium,
                address,
                lang,
                _simulate(options.results, lang) | {"who": options.resident},
            )
    return 0


def _simulate(results: Path, lang: Lang) -> Json:
    """Live the run in a language unless it is there, and return it with the steps that are shown of
    it.
    """
    name = f"ville-{lang}"
    if not file_of(results, name).exists():
        start = [
            sys.executable,
            "start.py",
            "--name",
            name,
            "--step",
            str(STEPS),
            "--lang",
            lang,
            "--llm",
            "scripted",
            "--results",
            str(results),
        ]
        subprocess.run(start, cwd=ROOT, check=True)
    with RunFile.open(results, name) as run:
        begin, stride = run.manifest.start, run.manifest.stride
    return {
        "name": name,
        "noon": _step(begin, stride, time(12, 40)),
        "night": _step(begin, stride, time(21, 20)),
    }


def _step(begin: datetime, stride: int, clock: time) -> int:
    """Return the step of a run at a clock time of its first day."""
    return (
        int((at_minute(begin.date(), clock.hour * 60 + clock.minute) - begin).total_seconds())
        // (60 * stride)
        + 1
    )


def _take(chromium: str, address: str, lang: Lang, words: Json) -> None:
    from playwright.sync_api import sync_playwright

    folder = PICTURES if lang == "en" else PICTURES / lang
    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for name, (query, (width, height)) in SHOTS.items():
            page = browser.new_context(viewport={"width": width, "height": height}).new_page()
            page.goto(f"{address}?{query.format(**words)}&lang={lang}")
            if page.locator("#notice").count():
                page.wait_for_selector("#notice", state="hidden")
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(SETTLED)
            _save(page.screenshot(), folder / f"{name}.png")
        clip = take_clip(
            browser, f"{address}?name={words['name']}&lang={lang}", folder / "clip.webp"
        )
        print(clip.relative_to(ROOT), clip.stat().st_size)
        browser.close()


def _save(picture: Any, path: Path) -> None:
    """Save a picture with a palette, which takes a third of the size: the town is drawn with few
    colours.
    """
    with Image.open(BytesIO(picture)) as screenshot:
        screenshot.convert("RGB").quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(
            path, optimize=True
        )
    print(path.relative_to(ROOT), path.stat().st_size)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
