"""Mornings lived in worlds of a folder."""

from __future__ import annotations

from pathlib import Path

from hometown.cli.start import main


def live_morning(folder: Path, lang: str, results: Path) -> int:
    """Live twelve steps of a morning, and return the exit code."""
    begin = [
        "--name",
        "one",
        "--world",
        folder.name,
        "--worlds",
        str(folder.parent),
        "--lang",
        lang,
        "--results",
        str(results),
    ]
    return main([*begin, "--llm", "scripted", "--start", "20250213-08:00", "--step", "12"])
