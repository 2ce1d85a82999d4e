"""Conversion of Tiled's XML (`.tmx`, `.tsx`, `.tx`) to its JSON.

Libraries for these files stop at the first error and open any path that a map names; here all
faults are reported, and nothing outside the map's folder is read.
"""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from hometown.json_object import Json

LAYERS = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "group": "group",
    "imagelayer": "imagelayer",
}

SHAPES = ("ellipse", "point", "text")

DOCTYPE = re.compile(r"<!DOCTYPE[^\[<>]*>")
"""The declaration at the beginning of a file of Tiled 0.x, without entities of its own."""

MOST_TAGS = 3_000_000
"""The largest number of tags of a file; each takes a hundred times its own length in memory."""


def from_xml(text: str) -> Json:
    """Return a map, a tileset or an object template.

    Raises:
        ElementTree.ParseError: The text is invalid XML.
        ValueError: It holds an invalid number or more than `MOST_TAGS` tags, or declares entities.
    """
    text = DOCTYPE.sub("", text, count=1)
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ValueError("declares a document type with entities, which Tiled never does")
    if text.count("<") > MOST_TAGS:
        raise ValueError("has millions of elements")
    root = ElementTree.fromstring(text)
    if root.tag == "tileset":
        return _read_tileset(root)
    if root.tag == "template":
        return {"object": next(map(_read_object, root.findall("object")), None)}
    content: Json = _read_attributes(root)
    content["infinite"] = content.get("infinite") in (1, True)
    content["tilesets"] = [_read_tileset(child) for child in root.findall("tileset")]
    content["layers"] = _read_layers(root)
    return content


def _read_attributes(element: Element) -> Json:
    """Return the attributes of an element, as numbers where they look like numbers."""
    return {key: _parse_value(text) for key, text in element.attrib.items()}


def _parse_value(text: str) -> Any:
    """Return a number if the text looks like one; names that do are converted back where they are
    used.
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _read_tileset(element: Element) -> Json:
    """Return a tileset with its tiles and terrains, and its image if it has one."""
    content: Json = _read_attributes(element)
    content |= {key: element.attrib[key] for key in ("name", "source") if key in element.attrib}
    content["tiles"] = [_read_tile(child) for child in element.findall("tile")]
    content["wangsets"] = [_read_terrains(child) for child in element.findall("wangsets/wangset")]
    content["terrains"] = [
        {"name": child.get("name", "")} for child in element.findall("terraintypes/terrain")
    ]
    return content | _read_image(element)


def _read_terrains(element: Element) -> Json:
    """Return the names of a set of terrains, and the terrains at the edges of each tile, by number
    from 1.
    """
    return {
        "colors": [{"name": child.get("name", "")} for child in element.findall("wangcolor")],
        "wangtiles": [
            {
                "tileid": _parse_value(child.get("tileid", "")),
                "wangid": [_parse_value(number) for number in child.get("wangid", "").split(",")],
            }
            for child in element.findall("wangtile")
        ],
    }


def _read_tile(element: Element) -> Json:
    """Return a tile of a tileset with its image, class, terrains, collision shapes and properties."""
    shapes = element.find("objectgroup")
    content = {
        "id": _parse_value(element.get("id", "")),
        "class": element.get("class") or element.get("type", ""),
        "terrain": [
            _parse_value(corner or "-1") for corner in element.get("terrain", "").split(",")
        ],
        "properties": _read_properties(element),
    }
    if shapes is not None:
        content["objectgroup"] = {"objects": [_read_object(child) for child in shapes]}
    return content | _read_image(element)


def _read_image(element: Element) -> Json:
    """Return the fields of an element's image, with its size where it is given; none without one."""
    image = element.find("image")
    if image is None or not image.get("source"):
        return {}
    size = {f"image{side}": image.get(side) for side in ("width", "height")}
    return {
        "image": image.get("source"),
        **{key: _parse_value(length) for key, length in size.items() if length},
    }


def _read_layers(parent: Element) -> list[Json]:
    """Return the layers within an element, of any kind."""
    return [_read_layer(child) for child in parent if child.tag in LAYERS]


def _read_layer(element: Element) -> Json:
    """Return a layer: its attributes, and the cells of a tile layer, the image of an image layer,
    the layers of a group or the objects of an object layer.
    """
    content = {
        **_read_attributes(element),
        "name": element.get("name", ""),
        "type": LAYERS[element.tag],
        "visible": element.get("visible", "1") != "0",
    }
    data = element.find("data")
    if data is not None:
        content |= {
            key: data.attrib[key] for key in ("encoding", "compression") if key in data.attrib
        }
        content |= {
            "data": _read_cells(data, data),
            "chunks": [
                {**_read_attributes(chunk), "data": _read_cells(chunk, data)}
                for chunk in data.findall("chunk")
            ],
        }
    if element.tag == "imagelayer":
        content |= _read_image(element)
    if element.tag == "group":
        content["layers"] = _read_layers(element)
    if element.tag == "objectgroup":
        content["objects"] = [_read_object(child) for child in element.findall("object")]
    return content


def _read_cells(element: Element, data: Element) -> str | list[int]:
    """Return the contents of a layer or a chunk: packed as `data` says, or a number per element."""
    return (
        element.text or ""
        if data.get("encoding")
        else [int(tile.get("gid", "0")) for tile in element.findall("tile")]
    )


def _read_object(element: Element) -> Json:
    """Return an object; of one placed from a template, only what differs from it."""
    template = element.get("template")
    content: Json = {} if template else {"width": 0, "height": 0, "name": "", "type": ""}
    content |= _read_attributes(element)
    content |= {
        key: element.attrib[key]
        for key in ("name", "type", "class", "template")
        if key in element.attrib
    }
    content |= {shape: True for shape in SHAPES if element.find(shape) is not None}
    for shape in ("polygon", "polyline"):
        drawn = element.find(shape)
        if drawn is not None:
            corners = [pair.split(",") for pair in drawn.get("points", "").split()]
            content[shape] = [{"x": float(x), "y": float(y)} for x, y in corners]
    content["properties"] = _read_properties(element)
    return content


def _read_properties(element: Element) -> list[Json]:
    return [_read_property(child) for child in element.findall("properties/property")]


def _read_property(element: Element) -> Json:
    """Return a property with its value as its type says, a text by default."""
    text, kind = element.get("value", element.text or ""), element.get("type", "string")
    value: Any = (
        text == "true"
        if kind == "bool"
        else _parse_value(text)
        if kind in ("int", "float")
        else text
    )
    return {"name": element.get("name", ""), "type": kind, "value": value}
