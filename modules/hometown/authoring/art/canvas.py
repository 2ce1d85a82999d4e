"""The palette of borders and copings, and a canvas for strokes in its colours."""

from __future__ import annotations

from PIL import Image, ImageDraw

Colour = tuple[int, int, int]


def colour(code: str) -> Colour:
    """Return a colour from six hexadecimal digits."""
    red, green, blue = bytes.fromhex(code)
    return red, green, blue


PALETTE: dict[str, tuple[Colour, Colour, Colour]] = {
    name: (colour(light), colour(base), colour(dark))
    for name, light, base, dark in [
        ("grass", "b9cf6d", "9abb60", "7ca056"),
        ("leaf", "93c55a", "5f9f4e", "3d7a4c"),
        ("pine", "6fa866", "437f57", "2b5a50"),
        ("path", "efdcae", "dfc48f", "bf9b6c"),
        ("stone", "dfd7c8", "c3b9ad", "978c8f"),
        ("slate", "a8b2bd", "7f8a9c", "5a617a"),
        ("water", "a9e0df", "67b8cc", "4189b3"),
        ("dark_wood", "b57c50", "8a583d", "623c36"),
        ("cap", "c99a6c", "a87650", "7c5242"),
        ("red_tile", "dc9a78", "c27b60", "955550"),
        ("straw", "f4d98b", "dcb25c", "ad7d45"),
        ("red", "f08a68", "d55d54", "a03c4a"),
    ]
}
"""Light, base and dark of each material: shadows lean to violet, lights to yellow."""

NIGHT = colour("2c2450")
SUN = colour("fff3c4")


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two, rounded to integers: `share` 0 is the first, 1 the other."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def tone(material: str, shade: float) -> Colour:
    """Return a material's colour: -1 highlight, 0 light, 1 base, 2 dark, 3 deep (its outline), or a
    value in between.
    """
    light, base, dark = PALETTE[material]
    ramp = (mix(light, SUN, 0.55), light, base, dark, mix(dark, NIGHT, 0.5))
    at = min(max(shade + 1, 0.0), 4.0)
    low = min(int(at), 3)
    return mix(ramp[low], ramp[low + 1], at - low)


class Canvas:
    """A picture of transparent pixels, and strokes in the palette's colours; coordinates in pixels,
    ends included.
    """

    def __init__(self, width: int, height: int) -> None:
        self.image = Image.new("RGBA", (width, height))
        self.pen = ImageDraw.Draw(self.image)

    def fill(self, x0: int, y0: int, x1: int, y1: int, material: str, shade: float = 1) -> None:
        """Draw a plain rectangle; `shade` as in `tone`."""
        self.pen.rectangle((x0, y0, x1, y1), tone(material, shade))

    def line(self, x0: int, y0: int, x1: int, y1: int, material: str, shade: float) -> None:
        """Draw a line; `shade` as in `tone`."""
        self.pen.line((x0, y0, x1, y1), tone(material, shade))
