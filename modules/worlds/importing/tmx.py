"""Tiled's XML (`.tmx`, `.tsx`) in the shape of its JSON, so that what follows reads one format.

Libraries for these files stop at the first thing that they don't like and open whatever path a map names; here all is told
at once, and nothing outside the map's folder is read.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

LAYERS = {"layer": "tilelayer", "objectgroup": "objectgroup", "group": "group", "imagelayer": "imagelayer"}

SHAPES = ("ellipse", "point", "text")


def from_xml(text: str) -> dict[str, Any]:
    """A map or a tileset. Raises ElementTree.ParseError for what is no XML, ValueError for numbers that are none."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("declares a document type, which Tiled never does")
    root = ElementTree.fromstring(text)
    if root.tag == "tileset":
        return _tileset(root)
    found: dict[str, Any] = _attributes(root)
    found["infinite"] = found.get("infinite") in (1, True)
    found["tilesets"] = [_tileset(one) for one in root.findall("tileset")]
    found["layers"] = _layers(root)
    return found


def _attributes(element: Element) -> dict[str, Any]:
    return {key: _value(text) for key, text in element.attrib.items()}


def _value(text: str) -> Any:
    """A number where it looks like one; names that do are turned back where they are used."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _tileset(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = _attributes(element)
    found |= {key: element.attrib[key] for key in ("name", "source") if key in element.attrib}
    image = element.find("image")
    if image is not None:
        found |= {"image": image.get("source", ""), "imagewidth": _value(image.get("width", "0")), "imageheight": _value(image.get("height", "0"))}
    return found


def _layers(parent: Element) -> list[dict[str, Any]]:
    return [_layer(one) for one in parent if one.tag in LAYERS]


def _layer(element: Element) -> dict[str, Any]:
    found = {**_attributes(element), "name": element.get("name", ""), "type": LAYERS[element.tag], "visible": element.get("visible", "1") != "0"}
    data = element.find("data")
    if data is not None:
        found |= {key: data.attrib[key] for key in ("encoding", "compression") if key in data.attrib}
        found["data"] = data.text or "" if data.get("encoding") else [int(tile.get("gid", "0")) for tile in data.findall("tile")]
    if element.tag == "group":
        found["layers"] = _layers(element)
    if element.tag == "objectgroup":
        found["objects"] = [_object(one) for one in element.findall("object")]
    return found


def _object(element: Element) -> dict[str, Any]:
    found: dict[str, Any] = {
        "width": 0,
        "height": 0,
        **_attributes(element),
        "name": element.get("name", ""),
        "type": element.get("type", element.get("class", "")),
    }
    found |= {shape: True for shape in SHAPES if element.find(shape) is not None}
    for shape in ("polygon", "polyline"):
        drawn = element.find(shape)
        if drawn is not None:
            corners = [pair.split(",") for pair in drawn.get("points", "").split()]
            found[shape] = [{"x": float(x), "y": float(y)} for x, y in corners]
    found["properties"] = [_property(one) for one in element.findall("properties/property")]
    return found


def _property(element: Element) -> dict[str, Any]:
    text, kind = element.get("value", element.text or ""), element.get("type", "string")
    value: Any = text == "true" if kind == "bool" else _value(text) if kind in ("int", "float") else text
    return {"name": element.get("name", ""), "type": kind, "value": value}
