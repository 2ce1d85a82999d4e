"""Write `frontend/js/data/shapes.d.ts` from the views of a run (`hometown.history.blocks`) and the
types in `hometown.history.shapes`: `python -m tools.write_types`.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any, Literal, NotRequired, get_args, get_origin, get_type_hints, is_typeddict

from hometown.history import shapes
from hometown.history.blocks import VIEWS
from hometown.paths import ROOT

FILE = ROOT / "frontend" / "js" / "data" / "shapes.d.ts"

HEAD = """// Written from modules/hometown/history/shapes by `make docs`; a test fails when the two differ.
"""

PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    Any: "any",
}


def declarations() -> str:
    """Return the whole file."""
    types = {name: getattr(shapes, name) for name in shapes.__all__}
    for view in VIEWS:
        types |= {each.__name__: each for each in _dicts_in(view.shape)}
    views = "".join(f'  "{view.address}": {_type(view.shape)};\n' for view in VIEWS)
    return (
        HEAD
        + "".join(f"\n{_declaration(name, shape)}" for name, shape in types.items())
        + f"\n/** The blocks of each view, by its address. */\nexport interface Views {{\n{views}}}\n"
    )


def _dicts_in(kind: Any) -> Iterator[Any]:
    """Yield the typed dictionaries that a type consists of, those within them first."""
    inner = get_type_hints(kind).values() if is_typeddict(kind) else get_args(kind)
    for each in inner:
        yield from _dicts_in(each)
    if is_typeddict(kind):
        yield kind


def _declaration(name: str, shape: Any) -> str:
    if not is_typeddict(shape):
        return f"export type {name} = {_type(shape)};\n"
    fields = "".join(
        f"  {_field(key, kind)};\n"
        for key, kind in get_type_hints(shape, include_extras=True).items()
    )
    return f"export interface {name} {{\n{fields}}}\n"


def _field(key: str, kind: Any) -> str:
    if get_origin(kind) is NotRequired:
        return f"{key}?: {_type(get_args(kind)[0])}"
    return f"{key}: {_type(kind)}"


def _type(kind: Any) -> str:
    """Return a Python type in TypeScript. Raises TypeError for one that JSON has no shape for."""
    if kind in PLAIN:
        return PLAIN[kind]
    if is_typeddict(kind):
        return str(kind.__name__)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if origin is list:
        inner = _type(parts[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, parts))}]"
    if origin is dict:
        return f"Record<string, {_type(parts[1])}>"
    if origin is types.UnionType:
        return " | ".join(map(_type, parts))
    raise TypeError(f"no TypeScript for {kind}")


if __name__ == "__main__":
    FILE.write_text(declarations(), "utf-8")
