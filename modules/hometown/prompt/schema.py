"""The JSON schema of a reply, in the plain form that servers can turn into a grammar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import Any

import orjson

from hometown.prompt.bounds import LEFT_OUT, MAY_BE_LEFT_OUT, items_of
from hometown.prompt.prompt import Prompt, Reply, Variables

Schema = dict[str, Any]


def schema_for(prompt: Prompt[Any, Any], variables: Variables) -> Schema:
    """Return the schema of a prompt's reply, narrowed to the variables. It is shared: do not modify
    it.

    References are resolved. Docstrings are dropped, and so are titles, except those of values of
    rows. Every field is required unless `MAY_BE_LEFT_OUT`, and no other is allowed, so that
    grammars leave a model nothing to forget.
    """
    reply: type[Reply] = prompt.reply
    return _narrowed(reply, orjson.dumps(prompt.narrow(variables)))


@lru_cache(maxsize=512)
def _narrowed(reply: type[Reply], narrowing: bytes) -> Schema:
    """Return the schema of a reply with keywords added to its fields; `narrowing` is JSON, with the
    keywords by the path of a field, which may also be left out.
    """
    schema = deepcopy(plain_schema(reply))
    for path, keywords in orjson.loads(narrowing).items():
        if keywords == LEFT_OUT:
            _leave_out(schema, path, for_certain=True)
            continue
        if keywords.items() >= MAY_BE_LEFT_OUT.items():
            _leave_out(schema, path, for_certain=False)
        _field(schema, path).update(
            {name: value for name, value in keywords.items() if name not in MAY_BE_LEFT_OUT}
        )
    return schema


def as_asked(value: Any, schema: Schema) -> Any:
    """Return the JSON of a reply without fields that its schema lacks and without empty optional
    ones.
    """
    if isinstance(value, dict):
        parts = schema["properties"]
        return {
            name: as_asked(part, parts[name])
            for name, part in value.items()
            if name in parts and (part or name in schema["required"])
        }
    if isinstance(value, list):
        return [
            as_asked(item, part)
            for item, part in zip(value, items_of(schema, len(value)), strict=False)
        ]
    return value


@lru_cache(maxsize=64)
def plain_schema(reply: type[Reply]) -> Schema:
    """Return the full schema of a reply type in plain form. It is shared: do not modify it."""
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
    if "properties" in part or "prefixItems" in part:
        kept.pop("description", None)  # a docstring, which speaks to developers
    if "properties" in part:
        kept["properties"] = {
            name: _written_out(value, definitions) for name, value in part["properties"].items()
        }
        return kept | {"required": list(part["properties"]), "additionalProperties": False}
    if "prefixItems" in part:
        return kept | {
            "prefixItems": [
                _written_out(value, definitions) | {"title": value["title"]}
                for value in part["prefixItems"]
            ]
        }
    return {key: _written_out(value, definitions) for key, value in kept.items()}


def _field(schema: Schema, path: str) -> Schema:
    """Return the schema of a field by its path; "[]" stands for list items, as in "hours[].start"."""
    part = schema
    for name in path.replace("[]", ".[]").split("."):
        part = (
            part["items"]
            if name == "[]"
            else part["properties"][name]
            if "properties" in part
            else next(_titled(part, name))
        )
    return part


def _titled(row: Schema, name: str) -> Iterator[Schema]:
    return (value for value in row["prefixItems"] if value["title"] == name)


def _leave_out(schema: Schema, path: str, *, for_certain: bool) -> None:
    """Remove a field from an object (`for_certain`), or else from its required fields alone; of a
    row, remove the value in either case, which has to be the last.
    """
    within, _, name = path.rpartition(".")
    part = _field(schema, within) if within else schema
    if "properties" in part:
        part["required"] = [each for each in part["required"] if each != name]
        if for_certain:
            del part["properties"][name]
    else:
        part["prefixItems"].remove(next(_titled(part, name)))
        part["minItems"] = part["maxItems"] = len(part["prefixItems"])
