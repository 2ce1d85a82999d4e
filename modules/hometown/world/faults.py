"""Collects all faults of a world folder, so that authors see them at once."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from json import JSONDecodeError, loads
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from hometown.errors import BadWorld, OverBudget, reason_of
from hometown.json_object import Json
from hometown.read_budget import MB, ROWS, ReadBudget
from hometown.text import Phrase
from hometown.unwieldy import is_unwieldy

M = TypeVar("M", bound=BaseModel)


MOST = 100
"""The largest number of reported faults of a file."""

LARGEST = 64 * MB
"""The largest size of a JSON file in bytes: twice that of a map of 1000 × 1000 tiles."""

MOST_VALUES = 100_000
"""The largest number of values in a file other than a map; a resident has three hundred."""

MAX_FAULTS = 1000
"""The number of faults after which no further file is checked."""


class Faults:
    """Lines of the form `file: place: fault and remedy`; `warnings` are those of accepted content.

    Attributes:
        budget: The remaining amount of data that may be read.
        from_run: Whether the world is a run's copy, which may predate rules on names and patterns.
    """

    def __init__(self, world: str, *, from_run: bool = False) -> None:
        self.world = world
        self.from_run = from_run
        self.lines: list[Phrase] = []
        self.warnings: list[Phrase] = []
        self.budget = ReadBudget(largest=LARGEST)

    def add(self, file: str, where: str, text: str, /, **values: object) -> None:
        """Add a fault of a file of the world.

        Args:
            file: The path of the file within the world's folder; "" for the folder itself.
            where: The place in the file, such as a field; "" for the whole file.
            text: The fault in words, with a placeholder in braces for each of `values`.
        """
        named = f"{self.world}/{file}" if file else self.world
        self.lines.append(locate(named, where, Phrase(text, **values)))

    def stop(self) -> None:
        """Raise BadWorld if there are any faults."""
        if self.lines:
            raise BadWorld(self.lines)


def locate(file: str, where: str, fault: Phrase) -> Phrase:
    """Return a line that begins with the place of a fault; `where` in the file may be empty."""
    return (
        Phrase("{file}: {where}: {fault}", file=file, where=where, fault=fault)
        if where
        else Phrase("{file}: {fault}", file=file, fault=fault)
    )


def likely(word: str, known: Iterable[str]) -> str:
    """Return a hint to append: the known word that was probably meant, or all of a few; "" for
    none.

    >>> likely("cafe/mian", ["cafe/main", "park/green"]), likely("moon", ["cafe", "park"])
    ("; did you mean 'cafe/main'?", '; it should be one of cafe, park')
    """
    known = sorted(known)
    close = find_meant(word, known)
    if close:
        return Phrase("; did you mean {close!r}?", close=close)
    return Phrase("; it should be one of {known}", known=known) if 0 < len(known) <= 12 else ""


def find_meant(word: str, known: Iterable[str]) -> str:
    """Return the known word that was probably meant, "" if none is similar."""
    return next(iter(get_close_matches(word, sorted(known), n=1, cutoff=0.5)), "")


def read_text(path: Path, file: str, faults: Faults) -> str | None:
    """Return the UTF-8 text at `path`, without a byte order mark; None, with a fault, if it is
    none, is larger than `LARGEST`, or leads out of the world folder.

    Args:
        file: The path below the world folder, for faults.
    """
    folder = path.parents[file.count("/")]
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            faults.add(file, "", "leads out of the world folder; copy the file itself there")
        elif path.stat().st_size > LARGEST:
            faults.add(
                file,
                "",
                "has {size} MB; at most {most} are read, so make it smaller",
                size=path.stat().st_size >> 20,
                most=LARGEST >> 20,
            )
        else:
            faults.budget.take(path.stat().st_size)
            return path.read_text(encoding="utf-8-sig")
    except OverBudget as error:
        faults.add(file, "", error.lines[0])
    except FileNotFoundError:
        faults.add(file, "", "is missing; a world folder needs it")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        faults.add(
            file, "", "cannot be read as UTF-8 text ({reason}); save it so", reason=reason_of(error)
        )
    except RuntimeError:
        faults.add(file, "", "is a link to itself; copy the file itself there")
    return None


def read_json(path: Path, file: str, faults: Faults, most: int = ROWS) -> Json | None:
    """Return the JSON object at `path`, of at most `most` values; None, with a fault, if there is
    none.
    """
    text = read_text(path, file, faults)
    return None if text is None else parse_json(text, file, faults, most)


def parse_json(text: str, file: str, faults: Faults, most: int = ROWS) -> Json | None:
    """Return the JSON object in a text; None, with a fault, if it is none, is nested too deeply, or
    has more than `most` values.
    """
    try:
        faults.budget.take_values(text, most)
        content = loads(text)
        if is_unwieldy(content, ROWS):
            raise RecursionError
    except OverBudget as error:
        faults.add(file, "", error.lines[0])
    except JSONDecodeError as error:
        faults.add(
            file,
            Phrase("line {line} column {column}", line=error.lineno, column=error.colno),
            "is not valid JSON ({reason}); correct it there",
            reason=Phrase(error.msg),
        )
    except RecursionError:
        faults.add(file, "", "is nested too deeply; flatten it")
    except ValueError as error:
        faults.add(
            file, "", "contains something that a world may not ({reason}); remove it", reason=error
        )
    else:
        if isinstance(content, dict):
            return content
        faults.add(file, "", "should hold one JSON object, { … }")
    return None


def validate_model(
    model: type[M],
    raw: Json,
    file: str,
    faults: Faults,
    langs: tuple[str, ...] = (),
    where: str = "",
) -> M | None:
    """Return `raw` as a validated model; None, with a fault for each error, or without any once
    there are more than `MAX_FAULTS`. `langs` are the required languages.
    """
    if len(faults.lines) > MAX_FAULTS:
        return None
    warnings: list[Phrase] = []
    try:
        checked = model.model_validate(
            raw, context={"langs": langs, "from_run": faults.from_run, "warnings": warnings}
        )
        faults.warnings += [
            locate(f"{faults.world}/{file}", where, warning) for warning in warnings
        ]
        return checked
    except ValidationError as error:
        if error.error_count() > MOST:
            faults.add(
                file,
                where,
                "has {count:,} faults; the first {most} are listed",
                count=error.error_count(),
                most=MOST,
            )
        for detail in error.errors(include_url=False)[:MOST]:
            key = "".join(
                f"[{part}]" if isinstance(part, int) else f".{part}" for part in detail["loc"]
            )
            faults.add(
                file,
                Phrase("{where}{key}", where=where, key=key) if where else key.removeprefix("."),
                _mistake(detail, model),
            )
    return None


def _mistake(error: ErrorDetails, model: type[BaseModel]) -> Phrase:
    """Return an error of pydantic in words: an unknown key with the likeliest one, the message of a
    validator of ours, or pydantic's own with its values as fields, so that it can be translated,
    and the beginning of what was given.
    """
    kind, loc, values = error["type"], error["loc"], error.get("ctx", {})
    if kind == "extra_forbidden":
        return Phrase(
            "unknown key {key!r}{hint}",
            key=str(loc[-1]),
            hint=likely(str(loc[-1]), list_keys(model, loc[:-1])),
        )
    if kind == "value_error":
        return Phrase(values["error"].args[0])
    template = error["msg"]
    for name, value in values.items():
        if str(value):
            template = template.replace(str(value), f"{{{name}}}")
    mistake = Phrase(template, **values)
    if kind == "missing":
        return mistake
    return Phrase("{mistake}, not {given}", mistake=mistake, given=repr(error["input"])[:114])


def list_keys(model: type[BaseModel], loc: tuple[int | str, ...]) -> set[str]:
    """Return the keys of the part of a model at `loc`, the names of its fields as files write them;
    `loc` consists of such names, and of numbers or keys of entries.
    """
    part_type: Any = model
    for part in loc:
        entry = 1 if get_origin(part_type) is dict else 0
        part_type = (
            _fields(part_type)[str(part)].annotation
            if _is_model(part_type)
            else get_args(part_type)[entry]
        )
        while get_origin(part_type) in (UnionType, Union):
            part_type = get_args(part_type)[0]
    return set(_fields(part_type)) if _is_model(part_type) else set()


def _fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """Return the fields of a model by their names in files."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _is_model(part_type: Any) -> bool:
    """Return True if a type is a class of pydantic models."""
    return isinstance(part_type, type) and issubclass(part_type, BaseModel)
