"""Code by others that pages carry keeps its licence, and NOTICE names it."""

from __future__ import annotations

import re
from importlib import resources

from hometown.page.assets import charts, script, style
from hometown.page.templates import page_words
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
        assert "Permission is hereby granted" in file.read_text("utf-8") or "MIT" in file.read_text(
            "utf-8"
        ), part


FONTS = ROOT / "frontend" / "fonts"


def test_the_fonts_keep_their_licences() -> None:
    notice = (ROOT / "NOTICE").read_text("utf-8")
    names = {"nunito-sans": "Nunito Sans", "fraunces": "Fraunces"}
    assert {file.name for file in FONTS.iterdir()} == {
        f"{name}{suffix}" for name in names for suffix in (".woff2", ".txt")
    }
    for file, name in names.items():
        assert (FONTS / f"{file}.woff2").read_bytes().startswith(b"wOF2")
        licence = (FONTS / f"{file}.txt").read_text("utf-8")
        assert f"{name} Project Authors" in licence
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence
        assert re.search(f"^ +{name} .*SIL Open Font License", notice, re.MULTILINE)


def test_nothing_else_by_others_is_in_the_page() -> None:
    files = [
        file for file in (ROOT / "frontend").rglob("*") if file.is_file() and file.parent != FONTS
    ]
    assert {file.suffix for file in files} <= {
        ".css",
        ".html",
        ".js",
        ".json",
        ".png",
        ".svg",
        ".ts",
    }
    assert [file.name for file in files if file.suffix == ".png"] == ["emblems.png"]  # our own
    for file in files:
        assert file.suffix == ".png" or not re.search(
            r"@license|\(c\) \d|copyright", file.read_text("utf-8"), re.IGNORECASE
        ), file


def test_the_page_is_light() -> None:
    """With its fonts, pictures and the library of its plots, less than 2 MB."""
    texts = [
        script("main.js"),
        style(),
        page_words("en"),
        (ROOT / "frontend" / "replay.html").read_text("utf-8"),
    ]
    others = [
        *FONTS.glob("*.woff2"),
        *(ROOT / "frontend" / name for name in ("emblems.png", "icon.svg", "icons.svg")),
    ]
    weight = (
        len(charts())
        + sum(len(str(text).encode()) for text in texts)
        + sum(file.stat().st_size for file in others)
    )
    assert weight < 2_000_000
