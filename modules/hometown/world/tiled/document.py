"""Open a file of Tiled, JSON or XML, as a JSON object."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hometown.json_object import Json
from hometown.world.faults import Faults, parse_json, read_text
from hometown.world.tiled.xml import from_xml


def read_document(path: Path, file: str, faults: Faults) -> Json | None:
    """Return the map or tileset at `path`; None, with a fault, if it is invalid.

    Args:
        file: The path below the map's folder, for faults.
    """
    text = read_text(path, file, faults)
    if text is None:
        return None
    if not text.lstrip().startswith("<"):
        return parse_json(text, file, faults)
    try:
        return from_xml(text)
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        faults.add(
            file,
            "",
            "is not a file that Tiled writes ({reason}); save it again from Tiled",
            reason=error,
        )
    return None


def json_objects(value: Any) -> list[Json] | None:
    """Return the value if it is a list of JSON objects; None otherwise."""
    return (
        value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else None
    )


def is_integer_between(value: Any, lowest: int, highest: int) -> bool:
    """Return whether a value is an integer between two others."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
