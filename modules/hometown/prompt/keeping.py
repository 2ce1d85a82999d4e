"""Serialisation of a prompt's variables for deferred questions, restored exactly in a later step.

Values that can be found elsewhere are left out: those of the world, defaults, and the contents of
memories, which are replaced by ids.
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

OF_THE_WORLD = ("me", "names", "lang", "usual")
"""Fields of a situation that belong to the world and are not stored."""

MEMORY = "memory"
"""The key of a memory's id, which stands for the memory."""

LATEST = 1024
"""Maximum number of variables in the cache; most questions are asked soon after they arise."""

Memories = dict[int, Concept]
"""Memories by their ids."""

_latest: OrderedDict[tuple[type[Variables], str], tuple[Variables, Memories]] = OrderedDict()
"""Cache of the latest variables by type and text, with their memories.

Residents may have the same text with different memories of the same ids, so the memories are
compared on use.
"""


def serialize_variables(variables: Variables) -> tuple[str, tuple[int, ...]]:
    """Return the variables as JSON, and the ids of the memories in them; keep them in the cache."""
    memories: Memories = {}
    text = orjson.dumps(_to_json(variables, memories)).decode()
    _latest[type(variables), text] = variables, memories
    if len(_latest) > LATEST:
        _latest.popitem(last=False)
    return text, tuple(memories)


def _to_json(value: Any, memories: Memories) -> Any:
    """Return a value as JSON data without defaults and with ids in place of memories, which are
    added to `memories`.
    """
    kind: Any = type(value)
    if kind is tuple:
        return [_to_json(each, memories) for each in value]
    if kind is Concept:
        memories[value.id] = value
        return {MEMORY: value.id}
    if stored := _stored_fields(kind):
        return {
            name: _to_json(part, memories)
            for name, default in stored
            if (part := getattr(value, name)) != default
        }
    return value


@cache
def _stored_fields(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Return the stored fields of a data class with their defaults; () for other types."""
    if not is_dataclass(kind):
        return ()
    fixed = OF_THE_WORLD if kind is Situation else ()
    return tuple((part.name, part.default) for part in fields(kind) if part.name not in fixed)


def restore_variables(kind: Any, text: str, situation: Situation, memories: MemoryStream) -> Any:
    """Return stored variables.

    Args:
        kind: The class of the variables.
        text: Their JSON.
        situation: The resident's present situation, for the fields of the world.
        memories: The resident's memories. Those deleted since are left out.
    """
    read = _find_cached(kind, text, memories) or _read(kind, text, situation, memories)
    # Not read: the names are those of the whole town.
    world = {name: getattr(situation, name) for name in OF_THE_WORLD}
    return replace(read, situation=replace(read.situation, **world))


def _find_cached(kind: Any, text: str, memories: MemoryStream) -> Any:
    """Return variables from the cache if their memories are unchanged, else None."""
    variables, known = _latest.pop((kind, text), (None, Memories()))
    is_unchanged = all(memories.find(number) is memory for number, memory in known.items())
    return variables if is_unchanged else None


def _read(kind: Any, text: str, situation: Situation, memories: MemoryStream) -> Any:
    """Parse variables from their JSON."""
    parts = _from_json(orjson.loads(text), memories)
    return _adapter(kind).validate_python(
        {**parts, "situation": {**parts["situation"], "me": situation.me}}
    )


def _from_json(value: Any, memories: MemoryStream) -> Any:
    """Return JSON data with memories in place of their ids; missing ones are left out of lists."""
    if isinstance(value, list):
        pairs = [(each, _from_json(each, memories)) for each in value]
        return [full for each, full in pairs if full is not None or each is None]
    if isinstance(value, dict):
        if value.keys() == {MEMORY}:
            return memories.find(value[MEMORY])
        return {name: _from_json(part, memories) for name, part in value.items()}
    return value


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
