"""Takes the README's pictures of a run: `python -m tools.take_pictures --name NAME`, of a day in the Ville, with Playwright and Chromium."""

from __future__ import annotations

import argparse
import shutil
import socket
import sys
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from hometown.errors import BadInput
from hometown.paths import RESULTS, ROOT, WORLDS
from hometown.web.serve import serve

PICTURES = ROOT / "docs" / "pictures"
DESKTOP, PHONE = (1280, 800), (390, 844)
SETTLED = 1500
"""Milliseconds after which the camera is at rest."""

COLOURS = 256

SHOTS: dict[str, tuple[str, tuple[int, int]]] = {
    "noon": ("name={name}&step={noon}&speed=-4&zoom=1.2&tab=resident&resident={who}", DESKTOP),
    "night": ("name={name}&step={night}&speed=-4&zoom=0.5&tab=town", DESKTOP),
    "insight": ("name={name}&step={noon}&speed=-4&zoom=0.8&tab=insight", DESKTOP),
    "phone": ("name={name}&step={noon}&speed=-4&zoom=0.8&resident={who}", PHONE),
    "index": ("", DESKTOP),
}
"""Name of the picture → query of the page, and the size of the window."""


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--name", required=True, help="a run of a day at least, from midnight, in steps of ten minutes")
    parser.add_argument("--resident", default="carmen_ortiz", help="who is followed")
    parser.add_argument("--lang", default="en", choices=("en", "zh"))
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args(argv)
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        raise BadInput("pictures need Chromium: apt-get install chromium")
    listener = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=serve, args=(listener, options.results, WORLDS), daemon=True).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    words = {"name": options.name, "who": options.resident, "noon": 76, "night": 128}
    _take(
        chromium,
        PICTURES / options.lang if options.lang != "en" else PICTURES,
        {name: (f"{address}?{query.format(**words)}&lang={options.lang}", size) for name, (query, size) in SHOTS.items()},
    )
    return 0


def _take(chromium: str, folder: Path, shots: dict[str, tuple[str, tuple[int, int]]]) -> None:
    from playwright.sync_api import sync_playwright

    folder.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, (address, (width, height)) in shots.items():
            page = browser.new_context(viewport={"width": width, "height": height}).new_page()
            page.goto(address)
            if page.locator("#notice").count():
                page.wait_for_selector("#notice", state="hidden")
            page.wait_for_load_state("networkidle")
            page.wait_for_timeout(SETTLED)
            _save(page.screenshot(), folder / f"{name}.png")
        browser.close()


def _save(picture: Any, path: Path) -> None:
    """With a palette, a third of the size: the town is drawn with few colours."""
    with Image.open(BytesIO(picture)) as screenshot:
        screenshot.convert("RGB").quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(path, optimize=True)
    print(path.relative_to(ROOT), path.stat().st_size)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
