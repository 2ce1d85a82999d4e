"""The variables of a prompt as a text, from which they can be had again in a later step, exactly as
they were.

What can be found again is not in it: what is the world's, what is as it is by default, and of
memories all but their ids.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any

import orjson
from pydantic import TypeAdapter

from hometown.memory.concept import Concept
from hometown.memory.stream import MemoryStream
from hometown.prompt.prompt import Situation, Variables

OF_THE_WORLD = ("me", "names", "lang")
"""What a situation has of the world, which stays as it is and need not be kept."""

MEMORY = "memory"
"""The name under which there is the id of a memory in its place."""

LATEST = 1024
"""Variables that need not be read again: most questions are put soon after they have arisen."""

Memories = dict[int, Concept]
"""Memories by their ids."""

_latest: OrderedDict[tuple[type[Variables], str], tuple[Variables, Memories]] = OrderedDict()
"""The latest that were kept, as they are read, with the memories among them: others may have the
same text, and memories of their own with the same ids.
"""


def kept(variables: Variables) -> tuple[str, tuple[int, ...]]:
    """JSON of the variables, and the ids of the memories among them."""
    memories: Memories = {}
    text = orjson.dumps(_in_short(variables, memories)).decode()
    _latest[type(variables), text] = variables, memories
    if len(_latest) > LATEST:
        _latest.popitem(last=False)
    return text, tuple(memories)


def _in_short(value: Any, memories: Memories) -> Any:
    """A value with what has to be kept of it; `memories` learn of those in it."""
    kind: Any = type(value)
    if kind is tuple:
        return [_in_short(each, memories) for each in value]
    if kind is Concept:
        memories[value.id] = value
        return {MEMORY: value.id}
    if changing := _changing(kind):
        return {
            name: _in_short(part, memories)
            for name, default in changing
            if (part := getattr(value, name)) != default
        }
    return value


@cache
def _changing(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a data class that are not the world's, with what each is by default; none of
    anything else.
    """
    fixed = OF_THE_WORLD if kind is Situation else ()
    return (
        tuple((part.name, part.default) for part in fields(kind) if part.name not in fixed)
        if is_dataclass(kind)
        else ()
    )


def restored(kind: Any, text: str, situation: Situation, memories: MemoryStream) -> Any:
    """The variables that were kept, of the resident who has these `memories`, and whose present
    situation says what is the world's. Whatever memory of them was deleted since is left out.
    """
    read = _known(kind, text, memories) or _read(kind, text, situation, memories)
    world = {
        name: getattr(situation, name) for name in OF_THE_WORLD
    }  # is not read: the names are those of the whole town
    return replace(read, situation=replace(read.situation, **world))


def _known(kind: Any, text: str, memories: MemoryStream) -> Any:
    """The variables, where they need not be read: they are among the latest, and rest on the very
    same memories. None otherwise.
    """
    variables, rests_on = _latest.pop((kind, text), (None, Memories()))
    return (
        variables
        if all(memories.find(number) is memory for number, memory in rests_on.items())
        else None
    )


def _read(kind: Any, text: str, situation: Situation, memories: MemoryStream) -> Any:
    parts = _in_full(orjson.loads(text), memories)
    return _adapter(kind).validate_python(
        {**parts, "situation": {**parts["situation"], "me": situation.me}}
    )


def _in_full(value: Any, memories: MemoryStream) -> Any:
    """A value as it is read, with the memories themselves in their places; where several are
    listed, without those that are not there.
    """
    if isinstance(value, list):
        return [
            full for each in value if (full := _in_full(each, memories)) is not None or each is None
        ]
    if isinstance(value, dict):
        return (
            memories.find(value[MEMORY])
            if value.keys() == {MEMORY}
            else {name: _in_full(part, memories) for name, part in value.items()}
        )
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
