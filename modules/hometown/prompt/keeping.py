"""The variables of a prompt as a text, from which they can be had again in a later step, exactly as they were."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import fields, replace
from functools import cache
from typing import Any

import orjson
from pydantic import TypeAdapter

from hometown.prompt.prompt import Situation, Variables

OF_THE_WORLD = ("me", "names", "lang")
"""What a situation has of the world, which stays as it is and need not be kept."""

OF_THE_HEART = ("feels", "tone")
"""What a situation has only where somebody feels something, and is not kept where nobody does."""

OF_A_SOCIETY = ("dealings",)
"""What variables have only in a town with a society, and is not kept elsewhere."""

LATEST = 1024
"""Variables that need not be read again: most questions are put soon after they have arisen."""

_latest: OrderedDict[tuple[type[Variables], str], Variables] = OrderedDict()
"""The latest that were kept, as they are read."""


def kept(variables: Variables) -> str:
    """JSON of the variables, without what is the world's."""
    parts = {part.name: getattr(variables, part.name) for part in fields(variables)}
    parts = {name: value for name, value in parts.items() if value or name not in OF_A_SOCIETY}
    moment = {part.name: getattr(variables.situation, part.name) for part in fields(Situation) if part.name not in OF_THE_WORLD}
    moment = {name: value for name, value in moment.items() if value or name not in OF_THE_HEART}
    text = orjson.dumps({**parts, "situation": moment}).decode()
    _latest[type(variables), text] = variables
    if len(_latest) > LATEST:
        _latest.popitem(last=False)
    return text


def restored(kind: Any, text: str, situation: Situation) -> Any:
    """The variables that were kept, of their resident, whose present situation says what is the world's."""
    read = _latest.pop((kind, text), None) or _read(kind, text, situation)
    world = {name: getattr(situation, name) for name in OF_THE_WORLD}  # is not read: the names are those of the whole town
    return replace(read, situation=replace(read.situation, **world))


def _read(kind: Any, text: str, situation: Situation) -> Any:
    parts = orjson.loads(text)
    return _adapter(kind).validate_python({**parts, "situation": {**parts["situation"], "me": situation.me}})


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
