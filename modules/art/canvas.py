"""The palette, and the few strokes that every picture is made of."""

from __future__ import annotations

from PIL import Image, ImageDraw

Colour = tuple[int, int, int, int]


def colour(code: str, alpha: int = 255) -> Colour:
    """A colour from six hexadecimal digits."""
    return (int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16), alpha)


INK = colour("3b2f3c")
PALETTE: dict[str, tuple[Colour, Colour, Colour]] = {
    name: (colour(light), colour(base), colour(dark))
    for name, light, base, dark in [
        ("grass", "a9cf7c", "93bf6b", "7aa85a"),
        ("leaf", "7fb069", "5c9350", "437540"),
        ("pine", "5f9468", "467a55", "335f45"),
        ("path", "ead9b5", "dcc79d", "c4ab80"),
        ("stone", "d9d5cd", "c2bdb5", "a09a95"),
        ("water", "a5d8e0", "76bdd1", "5299b8"),
        ("wood", "e0b98a", "c99a69", "a4764c"),
        ("dark_wood", "b3814f", "8f623a", "6b472b"),
        ("carpet", "e7cdb4", "d9b999", "c3a07f"),
        ("tile", "e8f0f0", "d5e3e6", "b5cacf"),
        ("office", "d3d9e2", "bfc7d4", "a1abbc"),
        ("cafe", "f0dcc0", "e0c39d", "c9a67d"),
        ("wall", "f5e9d6", "e6d3b8", "c9b193"),
        ("cap", "c9a182", "b48b6d", "916b54"),
        ("white", "fffdf7", "f1ebe0", "d4cbbf"),
        ("red", "ef8a73", "d9634f", "ad4540"),
        ("rose", "f7b7bd", "ea8fa0", "c96580"),
        ("yellow", "fbe08d", "f0c35a", "cc9540"),
        ("green", "9fd08c", "6fb071", "4c8a5c"),
        ("teal", "8cd0c0", "57aa9f", "3c827f"),
        ("blue", "9fc3ea", "6c98cf", "4c72a6"),
        ("purple", "c6aee0", "9d81c4", "765d9c"),
        ("grey", "b9bcc4", "9397a3", "6d7080"),
        ("metal", "dfe6ea", "b4c0c9", "8593a1"),
        ("soil", "a97c57", "8a6142", "6c4a34"),
        ("dark", "6c6576", "4d4757", "37323f"),
        ("skin", "fbdcbf", "f1c29d", "d99f7c"),
        ("paper", "fffaf0", "f4ead6", "d8c9ae"),
    ]
}
"""Light, base and dark of each material."""


class Canvas:
    """A picture of transparent pixels, and strokes in the palette's colours; coordinates in pixels, ends included."""

    def __init__(self, width: int, height: int) -> None:
        self.image = Image.new("RGBA", (width, height))
        self.pen = ImageDraw.Draw(self.image)

    def block(self, x0: int, y0: int, x1: int, y1: int, material: str, radius: int = 2, outline: bool = True) -> None:
        """A rounded box lit from above: light upper edge, dark lower edge, inked outline."""
        light, base, dark = PALETTE[material]
        self.pen.rounded_rectangle((x0, y0, x1, y1), radius, base, INK if outline else None)
        inset = 1 if outline else 0
        if x1 - x0 > 3 and y1 - y0 > 3:
            straight = max(inset + 1, radius)
            self.pen.line((x0 + straight, y0 + inset, x1 - straight, y0 + inset), light)
            self.pen.line((x0 + straight, y1 - inset, x1 - straight, y1 - inset), dark)

    def fill(self, x0: int, y0: int, x1: int, y1: int, material: str, shade: int = 1) -> None:
        """A plain rectangle; `shade` 0 is light, 1 base, 2 dark."""
        self.pen.rectangle((x0, y0, x1, y1), PALETTE[material][shade])

    def line(self, x0: int, y0: int, x1: int, y1: int, material: str, shade: int = 2, width: int = 1) -> None:
        self.pen.line((x0, y0, x1, y1), PALETTE[material][shade], width)

    def disc(self, x: int, y: int, radius: int, material: str, shade: int = 1, outline: bool = False) -> None:
        self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), PALETTE[material][shade], INK if outline else None)

    def oval(self, x0: int, y0: int, x1: int, y1: int, material: str, shade: int = 1, outline: bool = True) -> None:
        self.pen.ellipse((x0, y0, x1, y1), PALETTE[material][shade], INK if outline else None)

    def dots(self, places: list[tuple[int, int]], material: str, shade: int = 1) -> None:
        self.pen.point(places, PALETTE[material][shade])

    def shade(self, x0: int, y0: int, x1: int, y1: int, alpha: int) -> None:
        """Darkens a rectangle of what is already drawn."""
        self.image.alpha_composite(Image.new("RGBA", (x1 - x0 + 1, y1 - y0 + 1), (40, 34, 60, alpha)), (x0, y0))

    def shadow(self, x0: int, y0: int, x1: int, y1: int) -> None:
        """A soft shadow on the ground, under what is drawn next."""
        self.pen.ellipse((x0, y0, x1, y1), (40, 34, 60, 60))
