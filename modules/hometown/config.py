"""Reads settings from files and checks them.

Each source overrides those before it: the defaults of `hometown.settings`, the world's own
settings, the preset that the user names, the keys in `data/config.json`, and those in the file
given with `--config`. A layer holds only its changes.

`check_layer` accepts all settings of a user, `check_town` only those of a world or an experiment.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from hometown.errors import BadSettings, reason_of
from hometown.presets import PRESETS
from hometown.setting_sections import Section
from hometown.settings import Settings, TownSettings
from hometown.text import Phrase
from hometown.unwieldy import is_unwieldy

Layer = Mapping[str, Any]

LARGEST = 1 << 20
"""Bytes of a file of settings, or of an experiment, at most."""


def read_bounded(file: Path) -> str:
    """Return the text of a file that a user wrote. Raises BadSettings if it is larger than
    `LARGEST`, and OSError or UnicodeDecodeError if it cannot be read.
    """
    if file.is_file() and file.stat().st_size > LARGEST:
        raise BadSettings(
            "{file}: has more than the {most} MB that are read; make it smaller",
            file=file,
            most=LARGEST >> 20,
        )
    return file.read_text("utf-8")


def read_layer(file: Path) -> dict[str, Any]:
    """Read and check the settings in a JSON file. Raises BadSettings, with a line for each fault."""
    try:
        layer = json.loads(read_bounded(file))
    except RecursionError:
        raise _too_deep(file) from None
    except FileNotFoundError:
        raise BadSettings("{file}: there is no such settings file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSettings(
            "{file}: cannot be read as a settings file ({reason})",
            file=file,
            reason=reason_of(error),
        ) from None
    except json.JSONDecodeError as error:
        raise BadSettings(
            "{file}, line {line}, column {column}: not JSON ({reason})",
            file=file,
            line=error.lineno,
            column=error.colno,
            reason=Phrase(error.msg),
        ) from None
    if is_unwieldy(layer):
        raise _too_deep(file)
    if not isinstance(layer, dict):
        raise BadSettings(
            '{file}: should hold an object such as {{"percept": {{"vision_r": 8}}}}', file=file
        )
    check_layer(layer, str(file))
    return layer


def _too_deep(file: Path) -> BadSettings:
    return BadSettings(
        "{file}: is nested too deeply, or too large, to be a settings file; flatten it", file=file
    )


def check_layer(layer: Layer, source: str) -> None:
    """Raise BadSettings if `layer` has an unknown key or an invalid value; `source` names its
    origin in messages.
    """
    _check(layer, source, Settings)


def check_town(layer: Layer, source: str) -> None:
    """Raise BadSettings as `check_layer` does, and for each key that only the user of this computer may
    set.
    """
    _check(layer, source, TownSettings)


def _check(layer: Layer, source: str, form: type[Section]) -> None:
    try:
        form.model_validate(layer, strict=True)
    except ValidationError as error:
        raise BadSettings(
            [
                Phrase("{source}: {fault}", source=source, fault=_fault(dict(fault)))
                for fault in error.errors()
            ]
        ) from None


def user_layer(settings: Settings) -> Layer:
    """Return the settings that only the user may set: models, servers, files and the machine."""
    town = {name for name, _ in keys(TownSettings)}
    layer: dict[str, Any] = {}
    for name, _ in keys():
        if name not in town:
            section, _, key = name.rpartition(".")
            layer.setdefault(section, {})[key] = getattr(getattr(settings, section), key)
    return layer


def combine(layers: Sequence[Layer], base: Layer = MappingProxyType({})) -> Settings:
    """Merge checked layers into settings; each layer overrides those before it.

    `base` are the settings of a world, or of the run that a fork starts from; they override the
    defaults. A preset sets its constants in the group that names it: a preset named in `layers`
    overrides all of `base`, and single keys in any layer override the preset.
    """
    settings: Layer = Settings().model_dump()
    for group in ([base], layers):
        changes: Layer = reduce(merge_layers, group, {})
        preset = PRESETS[changes["preset"]] if "preset" in changes else {}
        settings = merge_layers(merge_layers(settings, preset), changes)
    return Settings.model_validate(settings)


def keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield all settings, each as (dotted name, field), in the order of `hometown.settings`."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from keys(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, field


def describe_values(field: FieldInfo) -> Phrase:
    """Return the valid values of a setting, in words that can be translated.

    >>> describe_values(dict(keys())["percept.vision_r"]), describe_values(dict(keys())["turn_order"])
    ('a whole number from 1 to 64', 'one of simultaneous, sequential')
    """
    if get_origin(field.annotation) is Literal:
        return Phrase("one of {values}", values=list(get_args(field.annotation)))
    names: dict[Any, Phrase] = {
        int: Phrase("a whole number"),
        float: Phrase("a number"),
        bool: Phrase("true or false"),
        str: Phrase("a text"),
        list[str]: Phrase("a list of texts"),
        dict[str, str]: Phrase("an object of texts"),
    }
    kind = names.get(
        field.annotation, Phrase("an object like {default}", default=json.dumps(field.default))
    )
    return Phrase("{kind}{bounds}", kind=kind, bounds=_bounds(field))


def _bounds(field: FieldInfo) -> str:
    limits = {
        name: getattr(rule, name)
        for rule in field.metadata
        for name in ("ge", "gt", "le", "lt")
        if hasattr(rule, name)
    }
    if any(getattr(rule, "pattern", None) for rule in field.metadata):
        return Phrase(" like {default}", default=json.dumps(field.default))
    if limits.keys() == {"ge", "le"}:
        return Phrase(" from {ge} to {le}", **limits)
    if limits.keys() == {"ge"}:
        return Phrase(" of at least {ge}", **limits)
    if limits.keys() == {"gt", "le"}:
        return Phrase(" above {gt} and at most {le}", **limits)
    return Phrase(" above {gt}", **limits) if limits.keys() == {"gt"} else ""


def _fault(error: Mapping[str, Any]) -> Phrase:
    known = dict(keys())
    name = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden" and any(
        key == name or key.startswith(f"{name}.") for key in known
    ):
        return Phrase(
            "only the user of this computer can set {name!r}: leave it out here, and put it into data/config.json or a file for --config",
            name=name,
        )
    if error["type"] == "extra_forbidden":
        return Phrase(
            "there is no setting {name!r}{hint}", name=name, hint=_suggestion(name, known)
        )
    field = next((known[key] for key in known if name == key or name.startswith(key + ".")), None)
    right = describe_values(field) if field else Phrase("an object with settings of its own")
    return Phrase(
        "{name} is {value}, but should be {right}",
        name=name,
        value=json.dumps(error["input"], ensure_ascii=False, default=str),
        right=right,
    )


def _suggestion(name: str, known: Mapping[str, FieldInfo]) -> Phrase:
    """Suggest the nearest key, by its whole name or else by its last part, since users confuse
    sections.
    """
    sections = {key.partition(".")[0] for key in known if "." in key}
    last = {key.rpartition(".")[2]: key for key in known}
    likely = difflib.get_close_matches(name, [*known, *sections], n=1, cutoff=0.75)
    likely = likely or [
        last[match] for match in difflib.get_close_matches(name.rpartition(".")[2], last, n=1)
    ]
    return (
        Phrase("; did you mean {close!r}?", close=likely[0])
        if likely
        else Phrase("; docs/configuration.md lists them all")
    )


def merge_layers(under: Layer, over: Layer) -> dict[str, Any]:
    """Return settings with those of a layer over them, key by key."""
    both = dict(under)
    for key, value in over.items():
        both[key] = merge_layers(both.get(key, {}), value) if isinstance(value, Mapping) else value
    return both
