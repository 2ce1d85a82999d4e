"""Collects everything that is wrong with a world folder, so that its author hears of it all at once."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from json import JSONDecodeError, loads
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from modules.errors import BadWorld

M = TypeVar("M", bound=BaseModel)


MOST = 100
"""Faults of one file that are told."""

LARGEST = 64 << 20
"""Bytes of a JSON file; the map of a town of 1000 × 1000 tiles has half of that."""


class Faults:
    """Lines of the form `file: place: what is wrong and how to mend it`."""

    def __init__(self, world: str) -> None:
        self.world = world
        self.lines: list[str] = []

    def add(self, file: str, where: str, text: str) -> None:
        self.lines.append(": ".join(part for part in (f"{self.world}/{file}", where, text) if part).replace("\n", " "))

    def stop(self) -> None:
        """Raises BadWorld if anything was noted."""
        if self.lines:
            raise BadWorld(self.lines)


def likely(word: str, known: Iterable[str]) -> str:
    """A hint to append: the known word that was probably meant, or all of them if they are few.

    >>> likely("cafe/mian", ["cafe/main", "park/green"]), likely("moon", ["cafe", "park"])
    ("; did you mean 'cafe/main'?", '; it should be one of cafe, park')
    """
    known = sorted(known)
    close = get_close_matches(word, known, n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; it should be one of {', '.join(known)}" if 0 < len(known) <= 12 else ""


def read_json(path: Path, file: str, faults: Faults) -> dict[str, Any] | None:
    """The JSON object at `path`, called `file` in faults; None, with a fault noted, if there is none."""
    folder = path.parents[file.count("/")]
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            faults.add(file, "", "leads out of the world folder; copy the file itself there")
            return None
        if path.stat().st_size > LARGEST:
            faults.add(file, "", f"has {path.stat().st_size >> 20} MB, and {LARGEST >> 20} are enough for any world; make it smaller")
            return None
        found = loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        faults.add(file, "", "is missing; a world folder needs it")
    except (OSError, UnicodeDecodeError) as error:
        faults.add(file, "", f"cannot be read as UTF-8 text ({error}); save it so")
    except JSONDecodeError as error:
        faults.add(file, f"line {error.lineno} column {error.colno}", f"is not valid JSON ({error.msg}); mend it there")
    except (RecursionError, RuntimeError):  # the latter for a link that leads to itself
        faults.add(file, "", "is nested too deeply; flatten it")
    except ValueError as error:
        faults.add(file, "", f"holds what no world needs ({error}); remove it")
    else:
        if isinstance(found, dict):
            return found
        faults.add(file, "", "should hold one JSON object, { … }")
    return None


def check(model: type[M], raw: dict[str, Any], file: str, faults: Faults, langs: tuple[str, ...] = (), where: str = "") -> M | None:
    """`raw` as a checked model; None, with a fault for each thing wrong in it. `langs` are those that every text needs."""
    try:
        return model.model_validate(raw, context={"langs": langs})
    except ValidationError as error:
        if error.error_count() > MOST:
            faults.add(file, where, f"has {error.error_count():,} faults; the first {MOST} are told")
        for one in error.errors(include_url=False)[:MOST]:
            place = where + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in one["loc"])
            if one["type"] == "extra_forbidden":
                text = f"unknown key {str(one['loc'][-1])!r}{likely(str(one['loc'][-1]), _keys(model, one['loc'][:-1]))}"
            else:
                text = one["msg"].removeprefix("Value error, ") + ("" if one["type"] in ("missing", "value_error") else f", not {one['input']!r}"[:120])
            faults.add(file, place.removeprefix("."), text)
    return None


def _keys(model: type[BaseModel], loc: tuple[int | str, ...]) -> set[str]:
    """The keys that the part of a model at `loc` takes."""
    found: Any = model
    for part in loc:
        if isinstance(part, int):
            continue
        found = found.model_fields[part].annotation
        while not (isinstance(found, type) and issubclass(found, BaseModel)):
            found = found.__args__[0]
    return set(found.model_fields)
