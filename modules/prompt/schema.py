"""The JSON schema that a reply must follow, in the plain form that servers can turn into a grammar."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any

from modules.prompt.prompt import Prompt, Reply, Variables

Schema = dict[str, Any]

ANY_CHARACTER = r"[^\x00-\x1f]"
"""In patterns of replies: whatever may stand in one line."""

NO_QUOTES = r'[^\x00-\x1f"\\]'


def schema_for(prompt: Prompt[Any, Any], variables: Variables | None) -> Schema:
    """The schema of the reply, with the prompt's choices as enums; None will do where it has none. It is shared: don't change it.

    References are written out, titles left out, every field is required and no other allowed, so that
    grammars leave a model nothing to forget.
    """
    choices = prompt.choices(variables)
    reply: type[Reply] = prompt.reply
    return _narrowed(reply, tuple((path, tuple(values)) for path, values in sorted(choices.items())))


def grammatical(schema: Schema) -> Schema:
    """A schema as servers get it that turn patterns into grammars letter by letter.

    There a text that may hold any character may also hold a bare quotation mark, which ends it in JSON; so its
    pattern leaves out the quotation mark and the backslash. What such a grammar lets through, the reply's own schema takes.
    """
    changed: Schema = _barred(schema)
    return changed


def _barred(part: Any) -> Any:
    if isinstance(part, list):
        return [_barred(one) for one in part]
    if isinstance(part, dict):
        return {key: value.replace(ANY_CHARACTER, NO_QUOTES) if key == "pattern" and isinstance(value, str) else _barred(value) for key, value in part.items()}
    return part


@lru_cache(maxsize=512)
def _narrowed(reply: type[Reply], choices: tuple[tuple[str, tuple[str, ...]], ...]) -> Schema:
    schema = _plain(reply)
    if not choices:
        return schema
    schema = deepcopy(schema)
    for path, values in choices:
        _field(schema, path)["enum"] = list(values)
    return schema


@lru_cache(maxsize=64)
def _plain(reply: type[Reply]) -> Schema:
    schema = reply.model_json_schema()
    plain: Schema = _written_out(schema, schema.get("$defs", {}))
    return plain


def _written_out(part: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_written_out(one, definitions) for one in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _written_out(definitions[part["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {key: value for key, value in part.items() if key not in ("title", "$defs", "default")}
    if "properties" in part:
        kept["properties"] = {name: _written_out(value, definitions) for name, value in part["properties"].items()}
        return kept | {"required": list(part["properties"]), "additionalProperties": False}
    return {key: _written_out(value, definitions) for key, value in kept.items()}


def _field(schema: Schema, path: str) -> Schema:
    """The schema of a field by its path, which passes through lists: "items.place"."""
    part = schema
    for name in path.split("."):
        part = part.get("items", part)["properties"][name]
    return part
