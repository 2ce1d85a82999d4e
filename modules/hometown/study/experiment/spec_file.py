"""Reading an experiment from its file, JSON or YAML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hometown.config import check_town
from hometown.errors import BadInput, collect_faults
from hometown.paths import WORLDS
from hometown.study.definition_files import describe_fault, read_definition_file
from hometown.study.experiment.partial_definitions import read_definition
from hometown.study.experiment.spec import Experiment
from hometown.study.questionnaire import find_questionnaire, list_questionnaires
from hometown.text import Phrase
from hometown.unwieldy import is_unwieldy

SOUND_QUESTIONNAIRE = "awareness"
"""The questionnaire that is read in place of a faulty one, so that all else is checked."""


def read_experiment(file: Path, worlds: Path = WORLDS, **changes: str) -> Experiment:
    """Read an experiment from a file, with the changes of the command line. `worlds` is the folder
    of the user's worlds, in which a faulty experiment is checked further, so that all faults are
    named at once.

    Raises:
        BadInput: With a line for each fault.
    """
    content = read_definition_file(file, "name, question, town, seeds, conditions, primary")
    faults = _read_questionnaires(content, file.parent)
    partial = read_definition(content | {name: value for name, value in changes.items() if value})
    experiment = partial.experiment
    faults += [describe_fault(fault, Experiment) for fault in partial.faults]
    if experiment is not None:
        faults += _list_settings_faults(experiment)
    if faults and experiment is not None:
        from hometown.study.experiment.checking import find_faults  # only a faulty file needs it

        faults += find_faults(
            experiment,
            worlds,
            has_primary=partial.is_primary_sound,
            has_names=not partial.faults,  # neutral values are in place of faulty ones
        )[1]
    if faults or experiment is None:
        raise BadInput(
            [Phrase("{file}: {fault}", file=file, fault=fault) for fault in dict.fromkeys(faults)]
        )
    return experiment


def _read_questionnaires(content: dict[str, Any], folder: Path) -> list[Phrase]:
    """Read the questionnaires of the user's own into a definition, in place of their names, and
    return their faults. `folder` is that of the definition's file.
    """
    faults: list[Phrase] = []
    parts = content.get("interviews")
    for part in parts if isinstance(parts, list) else ():
        name = part.get("questionnaire") if isinstance(part, dict) else None
        if isinstance(name, str) and name not in list_questionnaires():
            part["questionnaire"] = SOUND_QUESTIONNAIRE
            with collect_faults(faults):
                questionnaire = find_questionnaire(name, folder)
                part["questionnaire"] = questionnaire.model_dump(exclude_defaults=True)
    return faults


def _list_settings_faults(experiment: Experiment) -> list[Phrase]:
    """Return the faults of the settings of a town and its conditions."""
    faults: list[Phrase] = []
    conditions = experiment.conditions.values()
    for settings in (experiment.settings, *(treatment.settings for treatment in conditions)):
        with collect_faults(faults):
            check_town(convert_types(settings), "settings")
    return faults


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
