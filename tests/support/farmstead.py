"""The farmstead's society, as files to be changed and read again."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hometown.paths import WORLDS
from hometown.world.book.read import read_book
from hometown.world.faults import Faults

FILES = ("kinds", "fixtures", "recipes", "needs", "calendar", "start")


def farmstead() -> dict[str, Any]:
    """What the files say, by name."""
    return {
        name: json.loads((WORLDS / "farmstead" / "society" / f"{name}.json").read_text("utf-8"))
        for name in FILES
    }


def read(
    files: dict[str, Any], folder: Path, beside: Collection[str] = ()
) -> tuple[Any, list[str]]:
    """The book of such files, None if anything is wrong with them, and what is. Its map has what
    the farmstead's own files name, and what is said beside.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / f"{name}.json").write_text(text, "utf-8")
    good = farmstead()
    things = {
        *good["fixtures"],
        *(house["home"] for house in good["start"]["houses"].values()),
        *beside,
    }
    faults = Faults("farmstead")
    book = read_book(folder, ("en", "zh"), things, good["start"]["people"], faults)
    return book, list(faults.lines)
