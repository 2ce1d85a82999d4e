"""Reading an experiment from its file, JSON or YAML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hometown.config import check_town, read_bounded
from hometown.errors import BadInput, collect_faults
from hometown.paths import WORLDS
from hometown.study.experiment.partial_definitions import read_definition
from hometown.study.experiment.spec import Experiment
from hometown.text import N_, Phrase
from hometown.unwieldy import is_unwieldy
from hometown.world.faults import likely, list_keys


def read_experiment(file: Path, worlds: Path = WORLDS, **changes: str) -> Experiment:
    """Read an experiment from a file, with the changes of the command line. `worlds` is the folder
    of the user's worlds, in which a faulty experiment is checked further, so that all faults are
    named at once.

    Raises:
        BadInput: With a line for each fault.
    """
    try:
        content = _read(file)
    except RecursionError:
        raise _too_deep(file) from None
    if is_unwieldy(content):
        raise _too_deep(file)
    if not isinstance(content, dict):
        raise BadInput(
            "{file}: should be an experiment, with name, question, town, seeds, conditions and primary",
            file=file,
        )
    partial = read_definition(content | {name: value for name, value in changes.items() if value})
    experiment = partial.experiment
    faults = [_fault(fault) for fault in partial.faults]
    if experiment is not None:
        faults += _list_settings_faults(experiment)
    if faults and experiment is not None:
        from hometown.study.experiment.checking import find_faults  # only a faulty file needs it

        faults += find_faults(experiment, worlds, has_primary=partial.is_primary_sound)[1]
    if faults or experiment is None:
        raise BadInput(
            [Phrase("{file}: {fault}", file=file, fault=fault) for fault in dict.fromkeys(faults)]
        )
    return experiment


def _list_settings_faults(experiment: Experiment) -> list[Phrase]:
    """Return the faults of the settings of a town and its conditions."""
    faults: list[Phrase] = []
    conditions = experiment.conditions.values()
    for settings in (experiment.settings, *(treatment.settings for treatment in conditions)):
        with collect_faults(faults):
            check_town(convert_types(settings), "settings")
    return faults


def _too_deep(file: Path) -> BadInput:
    text = N_(
        "{file}: is nested too deeply, or too large (aliases of YAML count as often as they stand there), to be an experiment; flatten it"
    )
    return BadInput(text, file=file)


def convert_types(settings: Any) -> Any:
    """Return settings with numbers and truth values in place of the words that were read from
    YAML.

    >>> convert_types({"associate": {"retrieve_max": "5", "normalise": "none"}})
    {'associate': {'retrieve_max': 5, 'normalise': 'none'}}
    """
    if isinstance(settings, dict):
        return {key: convert_types(value) for key, value in settings.items()}
    if isinstance(settings, list):
        return [convert_types(value) for value in settings]
    try:
        value = json.loads(settings) if isinstance(settings, str) else settings
    except (json.JSONDecodeError, RecursionError):
        return settings
    return settings if is_unwieldy(value) else value


def _read(file: Path) -> Any:
    import yaml  # of the extra study

    try:
        text = read_bounded(file)
        return (
            json.loads(text) if file.suffix == ".json" else yaml.load(text, Loader=yaml.BaseLoader)
        )
    except FileNotFoundError:
        raise BadInput("{file}: there is no such experiment file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            "{file}: cannot be read as an experiment file ({reason})", file=file, reason=error
        ) from None
    except json.JSONDecodeError as error:
        raise BadInput(
            "{file}, line {line}: not JSON ({reason})",
            file=file,
            line=error.lineno,
            reason=Phrase(error.msg),
        ) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise BadInput(
            "{file}, line {line}: not YAML ({reason})",
            file=file,
            line=mark.line + 1 if mark else 1,
            reason=getattr(error, "problem", None) or error,
        ) from None


def _fault(error: Any) -> Phrase:
    """Translate a fault of pydantic into our words."""
    where = ".".join(str(part) for part in error["loc"] if part != "[key]")
    if error["type"] == "value_error":
        (own,) = error["ctx"]["error"].args
        return Phrase("{where}: {fault}", where=where, fault=own) if where else Phrase(own)
    if error["type"] == "missing":
        return Phrase("{where} is missing", where=where)
    if error["type"] == "extra_forbidden":
        *parts, name = error["loc"]
        return Phrase(
            "there is no field {where!r} in an experiment{hint}",
            where=where,
            hint=likely(str(name), list_keys(Experiment, tuple(parts))),
        )
    if error["type"] == "string_pattern_mismatch":
        return Phrase(
            "{where} is {value!r}; write at most 31 small letters, digits and hyphens, beginning with a letter or a digit",
            where=where,
            value=str(error["input"])[:80],
        )
    return Phrase(
        "{where} is {value!r}: {reason}",
        where=where,
        value=str(error["input"])[:80],
        reason=Phrase(error["msg"]),
    )
