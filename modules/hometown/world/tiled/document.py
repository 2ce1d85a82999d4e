"""Open a file of Tiled, JSON or XML, as a JSON object."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hometown.json_object import Json
from hometown.world.faults import Faults, parse_json, read_text
from hometown.world.pictures import path_inside
from hometown.world.tiled.xml import from_xml


def read_document(path: Path, file: str, faults: Faults) -> Json | None:
    """Return the map, tileset or template at `path`; None, with a fault, if it is invalid.

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


def read_part(
    name: str, document: Path, root: Path, file: str, where: str, faults: Faults
) -> tuple[Path, Json] | None:
    """Return the path and content of a tileset or template that a document names; None, with a
    fault, if it is missing, invalid or outside `root`.

    Args:
        name: The path as it stands in the document, from the document's folder.
        file: The document's file, for faults.
        where: The place in the document, for faults.
    """
    named = document.parent.resolve() / name.replace("\\", "/")
    path = path_inside(root, str(named))
    if not os.path.isfile(path or named):
        faults.add(file, where, "does not exist; copy it to the map's folder, or embed it in Tiled")
    elif path is None:
        faults.add(
            file,
            where,
            "lies outside the map's folder; copy it beside the map, or embed it in Tiled",
        )
    else:
        content = read_document(path, path.relative_to(root.resolve()).as_posix(), faults)
        return None if content is None else (path, content)
    return None


def json_objects(value: Any) -> list[Json] | None:
    """Return the value if it is a list of JSON objects; None otherwise."""
    return (
        value if isinstance(value, list) and all(isinstance(item, dict) for item in value) else None
    )


def is_integer_between(value: Any, lowest: int, highest: int) -> bool:
    """Return True if a value is an integer from `lowest` to `highest`, no bool."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
