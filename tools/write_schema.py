"""Write `data/society/schema`, for editors that complete and check a society's files: `python -m
tools.write_schema`.
"""

from __future__ import annotations

import json
from typing import Any

from pydantic import TypeAdapter

from hometown.world.book.parts import (
    CalendarFile,
    ComponentPart,
    FeelingPart,
    FixturePart,
    KindPart,
    MemoryKindPart,
    NeedPart,
    RealmPart,
    RecipePart,
    RegardPart,
    StartFile,
    TemperamentPart,
)
from hometown.world.book.plots import ThreadPart
from hometown.world.book.read import SHARED

FOLDER = SHARED / "schema"

FILES: dict[str, Any] = {
    "components": dict[str, ComponentPart],
    "kinds": dict[str, KindPart],
    "fixtures": dict[str, FixturePart],
    "recipes": dict[str, RecipePart],
    "realms": dict[str, RealmPart],
    "memory_kinds": dict[str, MemoryKindPart],
    "needs": dict[str, NeedPart],
    "feelings": dict[str, FeelingPart],
    "regards": dict[str, RegardPart],
    "temperaments": dict[str, TemperamentPart],
    "threads": dict[str, ThreadPart],
    "calendar": CalendarFile,
    "start": StartFile,
}
"""Type of each file of a society."""


def schema(name: str) -> str:
    """Return the JSON schema of a file, as it is written."""
    return json.dumps(TypeAdapter(FILES[name]).json_schema(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in FILES:
        (FOLDER / f"{name}.json").write_text(schema(name), "utf-8")
