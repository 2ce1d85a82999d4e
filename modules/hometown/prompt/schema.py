"""The JSON schema that a reply must follow, in the plain form that servers can turn into a grammar."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any

import orjson

from hometown.prompt.bounds import ANY_CHARACTER, SAYING, VISIBLE
from hometown.prompt.prompt import Prompt, Reply, Variables

Schema = dict[str, Any]

WITHOUT_QUOTES = {part: part[:-1] + r'"\\]' for part in (ANY_CHARACTER, VISIBLE, SAYING)}
"""What stands in grammars for the parts of patterns that allow any character."""


def schema_for(prompt: Prompt[Any, Any], variables: Variables) -> Schema:
    """The schema of the reply, narrowed to the variables. It is shared: don't change it.

    References are written out, titles left out, every field is required and no other allowed, so that
    grammars leave a model nothing to forget.
    """
    reply: type[Reply] = prompt.reply
    return _narrowed(reply, orjson.dumps(prompt.narrow(variables)))


def grammatical(schema: Schema) -> Schema:
    """The schema for servers that turn patterns into grammars literally.

    There a text that may hold any character may also hold a bare quotation mark, which ends it in JSON; so its
    pattern leaves out the quotation mark and the backslash. What such a grammar lets through, the reply's own schema takes.
    """
    changed: Schema = _barred(schema)
    return changed


def _barred(part: Any) -> Any:
    if isinstance(part, list):
        return [_barred(item) for item in part]
    if isinstance(part, dict):
        return {key: _barred_pattern(value) if key == "pattern" and isinstance(value, str) else _barred(value) for key, value in part.items()}
    return part


def _barred_pattern(pattern: str) -> str:
    for part, barred in WITHOUT_QUOTES.items():
        pattern = pattern.replace(part, barred)
    return pattern


@lru_cache(maxsize=512)
def _narrowed(reply: type[Reply], narrowing: bytes) -> Schema:
    """`narrowing` is the JSON of keywords by path."""
    schema = deepcopy(_plain(reply))
    for path, keywords in orjson.loads(narrowing).items():
        _field(schema, path).update(keywords)
    return schema


@lru_cache(maxsize=64)
def _plain(reply: type[Reply]) -> Schema:
    schema = reply.model_json_schema()
    plain: Schema = _written_out(schema, schema.get("$defs", {}))
    return plain


def _written_out(part: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(part, list):
        return [_written_out(item, definitions) for item in part]
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
    """The schema of a field by its path, in which "[]" stands for the items of a list: "hours[].start"."""
    part = schema
    for name in path.replace("[]", ".[]").split("."):
        part = part["items"] if name == "[]" else part["properties"][name]
    return part
