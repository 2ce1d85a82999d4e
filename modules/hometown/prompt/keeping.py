"""The variables of a prompt as a text, from which they can be had again in a later step, exactly as they were."""

from __future__ import annotations

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


def kept(variables: Variables) -> str:
    """JSON of the variables, without what is the world's."""
    parts = {part.name: getattr(variables, part.name) for part in fields(variables)}
    parts = {name: value for name, value in parts.items() if value or name not in OF_A_SOCIETY}
    moment = {part.name: getattr(variables.situation, part.name) for part in fields(Situation) if part.name not in OF_THE_WORLD}
    moment = {name: value for name, value in moment.items() if value or name not in OF_THE_HEART}
    return orjson.dumps({**parts, "situation": moment}).decode()


def restored(kind: Any, text: str, situation: Situation) -> Any:
    """The variables that were kept, of their resident, whose present situation says what is the world's."""
    parts = orjson.loads(text)
    read = _adapter(kind).validate_python({**parts, "situation": {**parts["situation"], "me": situation.me}})
    world = {name: getattr(situation, name) for name in OF_THE_WORLD}  # is not read: the names are those of the whole town
    return replace(read, situation=replace(read.situation, **world))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
