"""From files to checked settings.

What counts, weakest first: the defaults of `modules.settings`, the preset, the world's own settings,
`data/config.json`, the file given with `--config`. Each layer holds only what it changes.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from modules.errors import BadSettings
from modules.settings import PRESETS, Settings
from modules.text import Phrase

Layer = Mapping[str, Any]


def read_layer(file: Path) -> dict[str, Any]:
    """The settings in one JSON file, checked. Raises BadSettings, a line for each fault."""
    try:
        layer = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise BadSettings("{file}: there is no such settings file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings("{file}: cannot be read as a settings file ({reason})", file=file, reason=error) from None
    except json.JSONDecodeError as error:
        raise BadSettings(
            "{file}, line {line}, column {column}: not JSON ({reason})", file=file, line=error.lineno, column=error.colno, reason=Phrase(error.msg)
        ) from None
    if not isinstance(layer, dict):
        raise BadSettings('{file}: should hold an object such as {{"percept": {{"vision_r": 8}}}}', file=file)
    check(layer, str(file))
    return layer


def check(layer: Layer, source: str) -> None:
    """Raises BadSettings if `layer` has an unknown key or an unfit value; `source` says where it was read."""
    try:
        Settings.model_validate(layer, strict=True)
    except ValidationError as error:
        raise BadSettings([Phrase("{source}: {fault}", source=source, fault=_fault(dict(one))) for one in error.errors()]) from None


def combine(layers: Sequence[Layer]) -> Settings:
    """The settings that checked layers make together, the later the stronger, over preset and defaults."""
    own: dict[str, Any] = {}
    for layer in layers:
        own = _merged(own, layer)
    preset = PRESETS[own.get("preset", Settings().preset)]
    return Settings.model_validate(_merged(_merged(Settings().model_dump(), preset), own))


def keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every setting by its dotted name, in the order of `modules.settings`."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from keys(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def wanted(field: FieldInfo) -> Phrase:
    """What a setting may be, in words.

    >>> wanted(dict(keys())["percept.vision_r"]), wanted(dict(keys())["turn_order"])
    ('a whole number from 1 to 64', 'one of simultaneous, sequential')
    """
    if get_origin(field.annotation) is Literal:
        return Phrase("one of {values}", values=list(get_args(field.annotation)))
    names: dict[Any, Phrase] = {
        int: Phrase("a whole number"), float: Phrase("a number"), bool: Phrase("true or false"), str: Phrase("a text"),
        list[str]: Phrase("a list of texts"), dict[str, str]: Phrase("an object of texts"),
    }  # fmt: skip
    kind = names.get(field.annotation, Phrase("an object like {default}", default=json.dumps(field.default)))
    return Phrase("{kind}{bounds}", kind=kind, bounds=_bounds(field))


def _bounds(field: FieldInfo) -> str:
    found = {name: getattr(rule, name) for rule in field.metadata for name in ("ge", "gt", "le", "lt") if hasattr(rule, name)}
    if any(getattr(rule, "pattern", None) for rule in field.metadata):
        return Phrase(" like {default}", default=json.dumps(field.default))
    if found.keys() == {"ge", "le"}:
        return Phrase(" from {ge} to {le}", **found)
    if found.keys() == {"ge"}:
        return Phrase(" from {ge} up", **found)
    if found.keys() == {"gt", "le"}:
        return Phrase(" above {gt} to {le}", **found)
    return Phrase(" above {gt}", **found) if found.keys() == {"gt"} else ""


def _fault(error: Mapping[str, Any]) -> Phrase:
    known = dict(keys())
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return Phrase("there is no setting {name!r}{hint}", name=name, hint=_suggestion(name, known))
    field = next((known[key] for key in known if name == key or name.startswith(key + ".")), None)
    right = wanted(field) if field else Phrase("an object with settings of its own")
    return Phrase("{name} is {value}, but should be {right}", name=name, value=json.dumps(error["input"], ensure_ascii=False, default=str), right=right)


def _suggestion(name: str, known: Mapping[str, FieldInfo]) -> Phrase:
    """The likely key: nearest by its whole name, or by its last part, since keys get lost between sections."""
    sections = {key.partition(".")[0] for key in known if "." in key}
    last = {key.rpartition(".")[2]: key for key in known}
    likely = difflib.get_close_matches(name, [*known, *sections], n=1, cutoff=0.75)
    likely = likely or [last[one] for one in difflib.get_close_matches(name.rpartition(".")[2], last, n=1)]
    return Phrase("; did you mean {close!r}?", close=likely[0]) if likely else Phrase("; docs/configuration.md lists them all")


def _merged(under: Layer, over: Layer) -> dict[str, Any]:
    both = dict(under)
    for key, value in over.items():
        both[key] = _merged(both.get(key, {}), value) if isinstance(value, Mapping) else value
    return both
