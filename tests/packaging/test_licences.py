"""Code by others that pages carry keeps its licence, and NOTICE names it."""

from __future__ import annotations

import re
from importlib import resources

from hometown.page.assets import charts
from hometown.paths import ROOT


def test_the_chart_library_keeps_its_licences() -> None:
    """Every part that the header of the script names is in NOTICE, with a licence in the package."""
    header = charts().decode().partition("*/")[0]
    parts = re.findall(r"^ \* (\S.*?) v[\d.]+$", header, re.MULTILINE)
    assert {"Chart.js", "@kurkle/color", "date-fns"} <= set(parts)
    assert len(re.findall("MIT licen", header, re.IGNORECASE)) == len(parts)
    notice = (ROOT / "NOTICE").read_text("utf-8")
    licences = resources.files("chartkick") / "licenses"
    for part in parts:
        assert part in notice
        file = licences / f"LICENSE-{part.removeprefix('@').replace('/', '-').lower()}.txt"
        assert "Permission is hereby granted" in file.read_text("utf-8") or "MIT" in file.read_text("utf-8"), part


def test_no_font_or_script_by_others_is_in_the_page() -> None:
    files = {file.suffix for file in (ROOT / "frontend").rglob("*") if file.is_file()}
    assert files <= {".css", ".html", ".js", ".json", ".png", ".svg", ".ts"}
    for file in (path for path in (ROOT / "frontend").rglob("*.*") if path.suffix != ".png"):  # our own, drawn by tools/draw_emblems.py
        assert not re.search(r"@license|\(c\) \d|copyright|@font-face", file.read_text("utf-8"), re.IGNORECASE), file
