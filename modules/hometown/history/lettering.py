"""Text on pictures, measured and drawn in fonts that have its letters."""

from __future__ import annotations

from PIL import Image, ImageDraw

from hometown.authoring.fonts import Weight, font_for

Colour = tuple[int, int, int]

PAPER, INK, SOFT, LINE = (255, 253, 248), (34, 39, 31), (92, 99, 87), (226, 220, 206)

ELLIPSIS = "…"


class Lettering:
    """Writes text on a picture. Text for which no font has glyphs is left out."""

    def __init__(self, picture: Image.Image) -> None:
        self.picture = picture
        self.pen = ImageDraw.Draw(picture)

    def write(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: Colour = INK,
        weight: Weight = "Regular",
        most: float = 0,
    ) -> None:
        """Write one line from its upper left corner, all fonts on one baseline, cut to `most`
        pixels if given.
        """
        font = font_for(text, size, weight)
        if font:
            self.pen.text(
                (at[0], at[1] + size),
                self.cut(text, size, weight, most) if most else text,
                colour,
                font,
                anchor="ls",
            )

    def width(self, text: str, size: int, weight: Weight = "Regular") -> float:
        """Return the width of a line in pixels; 0 for a text without a font."""
        font = font_for(text, size, weight)
        return self.pen.textlength(text, font) if font else 0.0

    def cut(self, text: str, size: int, weight: Weight, most: float) -> str:
        """Return a line, cut with an ellipsis to a width of at most `most` pixels."""
        while len(text) > 1 and self.width(text, size, weight) > most:
            text = text.removesuffix(ELLIPSIS)[:-1].rstrip() + ELLIPSIS
        return text
