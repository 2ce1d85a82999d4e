"""Components: reusable parts of kinds and fixtures, as data. An entry lists them under `components`
with its values, and has their fields and the recipes that they bring.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.book.amend import merge_patch
from hometown.world.book.known_names import FIXTURES, KINDS, check_known
from hometown.world.book.parts import ComponentPart, ComponentValue
from hometown.world.faults import Faults

_VALUE = re.compile(r"\$([a-z_]+)")

Values = Mapping[str, ComponentValue]


def expand_components(
    components: Mapping[str, ComponentPart], sections: Mapping[str, Json], faults: Faults
) -> dict[str, Json]:
    """Return the entries of `kinds`, `fixtures` and `recipes` as authored, completed by their
    components. What an entry or a recipe says itself precedes what a component says. Unknown
    components and values, and missing values, are added to `faults`.
    """
    recipes: Json = {}
    expanded = {
        name: {
            key: _expand_entry(components, name, key, entry, recipes, faults)
            for key, entry in sections.get(name, {}).items()
        }
        for name in ("kinds", "fixtures")
    }
    own = sections.get("recipes", {})
    return expanded | {"recipes": recipes | own}


def _expand_entry(
    components: Mapping[str, ComponentPart],
    section: str,
    key: str,
    entry: Any,
    recipes: Json,
    faults: Faults,
) -> Any:
    """Return an entry with the fields of its components, and add their recipes to `recipes`."""
    used = entry.get("components") if isinstance(entry, dict) else None
    if not isinstance(used, dict):
        return entry
    file = KINDS if section == "kinds" else FIXTURES
    check_known(faults, file, key, Phrase("component"), used, components)
    given: Json = {}
    tags: list[str] = []
    for name in (name for name in used if name in components):
        part = components[name]
        own = used[name] if isinstance(used[name], dict) else {}
        check_known(faults, file, f"{key}.components.{name}", Phrase("value"), own, part.values)
        values = {**part.values, **own, "id": key, **_names_of(entry)}
        for missing in part.required - {value for value, is_ in own.items() if is_ is not None}:
            faults.add(
                file,
                f"{key}.components.{name}",
                "the component {name!r} needs a value for {missing!r}",
                name=name,
                missing=missing,
            )
        fields = _fill(part.kind if section == "kinds" else part.fixture, values)
        tags += fields.pop("tags", [])
        given = merge_patch(given, fields)
        for recipe, content in _fill(part.recipes, values).items():
            recipes.setdefault(recipe, content)
    if own_tags := [*tags, *entry.get("tags", [])]:
        given["tags"] = list(dict.fromkeys(own_tags))
    return merge_patch(given, {name: value for name, value in entry.items() if name != "tags"})


def _names_of(entry: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of an entry as values, by language: `name_en`."""
    names = entry.get("name")
    return {f"name_{lang}": name for lang, name in names.items()} if isinstance(names, dict) else {}


def _fill(template: Any, values: Values) -> Any:
    """Return a template with its values filled in, also in keys. A text that is one value alone has
    its type; a field without a value is left out.
    """
    if isinstance(template, dict):
        filled = {str(_fill(key, values)): _fill(each, values) for key, each in template.items()}
        return {key: each for key, each in filled.items() if each is not None}
    if isinstance(template, list | tuple):
        return [each for one in template if (each := _fill(one, values)) is not None]
    if not isinstance(template, str):
        return template
    if alone := _VALUE.fullmatch(template):
        return values.get(alone[1])
    return _VALUE.sub(lambda found: str(values.get(found[1], found[0])), template)
