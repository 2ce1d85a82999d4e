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

Layer = Mapping[str, Any]


def read_layer(file: Path) -> dict[str, Any]:
    """The settings in one JSON file, checked. Raises BadSettings, a line for each fault."""
    try:
        layer = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise BadSettings(f"{file}: there is no such settings file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(f"{file}: cannot be read as a settings file ({error})") from None
    except json.JSONDecodeError as error:
        raise BadSettings(f"{file}, line {error.lineno}, column {error.colno}: not JSON ({error.msg})") from None
    if not isinstance(layer, dict):
        raise BadSettings(f'{file}: should hold an object such as {{"percept": {{"vision_r": 8}}}}')
    check(layer, str(file))
    return layer


def check(layer: Layer, source: str) -> None:
    """Raises BadSettings if `layer` has an unknown key or an unfit value; `source` says where it was read."""
    try:
        Settings.model_validate(layer, strict=True)
    except ValidationError as error:
        raise BadSettings("\n".join(f"{source}: {_fault(dict(one))}" for one in error.errors())) from None


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


def wanted(field: FieldInfo) -> str:
    """What a setting may be, in words.

    >>> wanted(dict(keys())["percept.vision_r"]), wanted(dict(keys())["turn_order"])
    ('a whole number from 1 to 64', 'one of simultaneous, sequential')
    """
    if get_origin(field.annotation) is Literal:
        return "one of " + ", ".join(str(one) for one in get_args(field.annotation))
    names: dict[Any, str] = {
        int: "a whole number", float: "a number", bool: "true or false", str: "a text",
        list[str]: "a list of texts", dict[str, str]: "an object of texts",
    }  # fmt: skip
    return names.get(field.annotation, "an object like " + json.dumps(field.default)) + _bounds(field)


def _bounds(field: FieldInfo) -> str:
    found = {name: getattr(rule, name) for rule in field.metadata for name in ("ge", "gt", "le", "lt") if hasattr(rule, name)}
    low = f" from {found['ge']}" if "ge" in found else f" above {found['gt']}" if "gt" in found else ""
    if any(getattr(rule, "pattern", None) for rule in field.metadata):
        return " like " + json.dumps(field.default)
    high = f" to {found['le']}" if "le" in found else f" below {found['lt']}" if "lt" in found else ""
    return low + (high or " up" if "ge" in found else high)


def _fault(error: Mapping[str, Any]) -> str:
    known = dict(keys())
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"there is no setting {name!r}" + _suggestion(name, known)
    field = next((known[key] for key in known if name == key or name.startswith(key + ".")), None)
    right = wanted(field) if field else "an object with settings of its own"
    return f"{name} is {json.dumps(error['input'], ensure_ascii=False, default=str)}, but should be {right}"


def _suggestion(name: str, known: Mapping[str, FieldInfo]) -> str:
    """The likely key: nearest by its whole name, or by its last part, since keys get lost between sections."""
    sections = {key.partition(".")[0] for key in known if "." in key}
    last = {key.rpartition(".")[2]: key for key in known}
    likely = difflib.get_close_matches(name, [*known, *sections], n=1, cutoff=0.75)
    likely = likely or [last[one] for one in difflib.get_close_matches(name.rpartition(".")[2], last, n=1)]
    return f"; did you mean {likely[0]!r}?" if likely else "; docs/configuration.md lists them all"


def _merged(under: Layer, over: Layer) -> dict[str, Any]:
    both = dict(under)
    for key, value in over.items():
        both[key] = _merged(both.get(key, {}), value) if isinstance(value, Mapping) else value
    return both
