"""Objects placed from a template: its file gives what they do not give themselves."""

from __future__ import annotations

from pathlib import Path

from hometown.json_object import Json
from hometown.text import Phrase
from hometown.world.faults import Faults
from hometown.world.tiled.document import json_objects, read_part


class TemplateReader:
    """The templates of a map's objects; each file is read once.

    Args:
        path: The map.
        root: The folder that templates must be in.
    """

    def __init__(self, path: Path, root: Path, faults: Faults) -> None:
        self.path, self.root, self.faults = path, root, faults
        self.objects: dict[str, Json] = {}

    def complete(self, item: Json) -> Json:
        """Return an object with the fields and properties of its template, if it has one."""
        name = item.get("template")
        if not name:
            return item
        template = self._read(str(name))
        properties = {
            str(prop.get("name")): prop
            for given in (template, item)
            for prop in json_objects(given.get("properties", [])) or ()
        }
        return {**template, **item, "properties": list(properties.values())}

    def _read(self, name: str) -> Json:
        """Return the object of a template, read once; an empty one, with a fault, if it is
        unusable.
        """
        if name not in self.objects:
            where = Phrase("template {name!r}", name=name)
            found = read_part(name, self.path, self.root, self.path.name, where, self.faults)
            given = found[1].get("object") if found else {}
            if not isinstance(given, dict):
                self.faults.add(self.path.name, where, "has no object; save it again from Tiled")
            self.objects[name] = given if isinstance(given, dict) else {}
        return self.objects[name]
