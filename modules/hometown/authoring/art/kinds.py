"""The kinds of things and of decorations that `data/art/things.json` lists."""

from __future__ import annotations

from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict

from hometown.authoring.art.drawings import ART

Box = tuple[int, int, int, int]


class Furnishing(BaseModel):
    """The shape of a kind on the map, and the use of its drawing, `data/art/things/KIND.png`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    shape: tuple[str, ...]
    """A row of characters per row of tiles: `#` blocks the way, `.` can be walked (a chair, a
    pillow).
    """
    layer: Literal["floor", "walls", "furniture", "foreground"] = "furniture"
    above: int = 0
    """Rows of the drawing above the shape, which hide residents behind the thing."""
    has_cloth: bool = False
    """True where the teal of the drawing stands for the colour of the room's covers and cushions
    (see `data/art/cloths.png`).
    """
    glow: Box | None = None
    """Area that glows at night: left, top, right and bottom in pixels of the drawing."""
    light: Literal["warm", "cold"] = "warm"
    """The colour of the glow: fire, or crystal."""


class Kind(Furnishing):
    """A kind of thing that residents use: its names, its state when idle, its tags and seats."""

    en: str
    zh: str
    idle_en: str
    idle_zh: str
    tags: str
    seats: int = 1
    area: Box | None = None
    """The part that counts as the thing: column, row, width and height; None for all of it. The
    rest is only drawn.
    """
    facing: str = ""
    """Direction that a user faces, by tile of the area: d(own), l(eft), r(ight), u(p), `.` for any;
    rows are separated by `/`. Empty where all directions are alike.
    """


class _Index(BaseModel):
    model_config = ConfigDict(extra="forbid")

    things: dict[str, Kind]
    decorations: dict[str, Furnishing]


def load_kinds() -> dict[str, Kind]:
    """Return the kinds of things that residents use."""
    return _load_index().things


def load_decorations() -> dict[str, Furnishing]:
    """Return the kinds that residents only see."""
    return _load_index().decorations


@cache
def _load_index() -> _Index:
    """Return the content of `data/art/things.json`, read once."""
    return _Index.model_validate_json((ART / "things.json").read_bytes())
