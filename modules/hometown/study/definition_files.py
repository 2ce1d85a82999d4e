"""Files with definitions of studies, JSON or YAML: their content, and their faults in words.

YAML is read without its guesses, by which 17:00 would be 1020 and `no` false; the field decides if
a value is a number.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from hometown.config import read_bounded
from hometown.errors import BadInput, reason_of
from hometown.optional_parts import explain_missing_packages
from hometown.text import Phrase
from hometown.unwieldy import is_unwieldy
from hometown.world.faults import likely, list_keys

LONGEST_QUOTED = 80
"""Characters of a faulty value that are quoted."""


def read_definition_file(file: Path, needed: str) -> dict[str, Any]:
    """Return the content of a definition; `needed` names the fields that it should have.

    Raises:
        BadInput: The file is missing, unreadable, too large, or no object.
    """
    try:
        content = _read(file)
        is_too_large = is_unwieldy(content)
    except RecursionError:
        is_too_large = True
    if is_too_large:
        raise BadInput(
            "{file}: is nested too deeply, or too large (aliases of YAML count as often as they stand there); flatten it",
            file=file,
        )
    if not isinstance(content, dict):
        raise BadInput("{file}: should be an object with {needed}", file=file, needed=needed)
    return content


def _read(file: Path) -> Any:
    try:
        text = read_bounded(file)
        return json.loads(text) if file.suffix == ".json" else _parse_yaml(text, file)
    except FileNotFoundError:
        raise BadInput("{file}: there is no such file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "{file}: cannot be read ({reason})", file=file, reason=reason_of(error)
        ) from None
    except json.JSONDecodeError as error:
        raise BadInput(
            "{file}, line {line}: not JSON ({reason})",
            file=file,
            line=error.lineno,
            reason=Phrase(error.msg),
        ) from None


def _parse_yaml(text: str, file: Path) -> Any:
    with explain_missing_packages("study"):
        import yaml

    try:
        return yaml.load(text, Loader=yaml.BaseLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BadInput(
            "{file}, line {line}: not YAML ({reason})",
            file=file,
            line=mark.line + 1 if mark else 1,
            reason=getattr(error, "problem", None) or error,
        ) from None


def describe_fault(error: ErrorDetails, model: type[BaseModel], skipped: int = 0) -> Phrase:
    """Return a fault of a definition of type `model`, as pydantic found it, in words: the field,
    its value, and what would be right. The first `skipped` parts of its place are left out.
    """
    where = ".".join(str(part) for part in error["loc"][skipped:] if part != "[key]")
    if error["type"] == "value_error":
        (own,) = error["ctx"]["error"].args
        return Phrase("{where}: {fault}", where=where, fault=own) if where else Phrase(own)
    if error["type"] == "missing":
        return Phrase("{where} is missing", where=where)
    if error["type"] == "extra_forbidden":
        *parts, name = error["loc"]
        return Phrase(
            "there is no field {where!r}{hint}",
            where=where,
            hint=likely(str(name), list_keys(model, tuple(parts))),
        )
    value = str(error["input"])[:LONGEST_QUOTED]
    if error["type"] == "string_pattern_mismatch":
        return Phrase(
            "{where} is {value!r}; write at most 31 small letters, digits and hyphens, beginning with a letter or a digit",
            where=where,
            value=value,
        )
    return Phrase(
        "{where} is {value!r}: {reason}", where=where, value=value, reason=Phrase(error["msg"])
    )
