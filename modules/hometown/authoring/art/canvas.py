"""The palette, and the drawing operations that every picture is made of."""

from __future__ import annotations

from PIL import Image, ImageDraw

Colour = tuple[int, int, int, int]


def colour(code: str, alpha: int = 255) -> Colour:
    """Return a colour from six hexadecimal digits."""
    return (int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16), alpha)


INK = colour("3b2f3c")
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
        ("wood", "ebc088", "d19a62", "a36c49"),
        ("dark_wood", "b57c50", "8a583d", "623c36"),
        ("carpet", "ecd3b1", "dcbb96", "bf9578"),
        ("tile", "eaf3ee", "d3e4e3", "a9c3cc"),
        ("office", "d0d8de", "b5c0cd", "939fb5"),
        ("cafe", "f6e2bd", "e6c596", "c99a6e"),
        ("wall", "f9ecd0", "ecd6b0", "cdaf8c"),
        ("cap", "c99a6c", "a87650", "7c5242"),
        ("brick", "d98a68", "b9624f", "8a4347"),
        ("red_tile", "dc9a78", "c27b60", "955550"),
        ("straw", "f4d98b", "dcb25c", "ad7d45"),
        ("white", "fffdf2", "f3ebdc", "d2c6bd"),
        ("red", "f08a68", "d55d54", "a03c4a"),
        ("rose", "fabdb4", "ec8d97", "c15f7d"),
        ("yellow", "fde28a", "f3bf58", "cb8b42"),
        ("green", "a7d382", "6db069", "44855e"),
        ("teal", "92d6bd", "57aa9c", "397980"),
        ("blue", "9fc8e6", "6a98cb", "4a6aa0"),
        ("purple", "cbaedd", "9d7fc0", "6f5896"),
        ("grey", "bdbdc2", "9593a0", "6b6a7e"),
        ("metal", "e2e9e8", "b6c1c8", "808ea1"),
        ("soil", "b58558", "8f6244", "694539"),
        ("dark", "6f6578", "4d4557", "352f40"),
        ("skin", "fbdcbf", "f1c29d", "d99f7c"),
        ("paper", "fffaea", "f5ead0", "d6c3a4"),
    ]
}
"""Light, base and dark of each material: shadows lean to violet, lights to yellow."""

NIGHT = colour("2c2450")
SUN = colour("fff3c4")


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Return a colour between two: `share` 0 is the first, 1 the other."""
    red, green, blue, alpha = (
        round(a + (b - a) * share) for a, b in zip(first, second, strict=True)
    )
    return (red, green, blue, alpha)


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
