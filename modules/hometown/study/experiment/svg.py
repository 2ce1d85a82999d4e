"""Drawings as SVG, with the same bytes for the same numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

SERIES_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe & Ito's palette, distinguishable with any colour vision."""

GREY, INK = "#666", "#222"


@dataclass(frozen=True)
class PlotArea:
    """An area of a drawing in pixels, and the values at its edges: `xs` at the left and the right,
    `ys` at the lower and the upper one.
    """

    left: float
    top: float
    width: float
    height: float
    xs: tuple[float, float]
    ys: tuple[float, float]

    def x(self, value: float) -> float:
        return self.left + self.width * (value - self.xs[0]) / ((self.xs[1] - self.xs[0]) or 1)

    def y(self, value: float) -> float:
        return self.top + self.height * (
            1 - (value - self.ys[0]) / ((self.ys[1] - self.ys[0]) or 1)
        )


@dataclass
class Drawing:
    """Marks on a white ground. `title` is the accessible name of the picture."""

    width: int
    height: int
    title: str
    marks: list[str] = field(default_factory=list)

    def line(
        self,
        points: Sequence[Point],
        colour: str = INK,
        width: float = 1.5,
        opacity: float = 1,
        dashed: bool = False,
    ) -> None:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = ' stroke-dasharray="5 4"' if dashed else ""
        self.marks.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"{dashes}/>'
        )

    def dot(self, at: Point, colour: str, radius: float = 4, hollow: bool = False) -> None:
        fill = "white" if hollow else colour
        self.marks.append(
            f'<circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{radius}" fill="{fill}" stroke="{colour}" stroke-width="1.5"/>'
        )

    def text(
        self, at: Point, words: str, anchor: str = "start", size: int = 12, colour: str = INK
    ) -> None:
        style = f'text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
        self.marks.append(f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" {style}>{escape(words)}</text>')

    def watermark(self, words: str) -> None:
        """Write words across the whole drawing."""
        at = f"{self.width / 2:.1f} {self.height / 2:.1f}"
        size = min(30, 1.4 * self.width / max(1, len(words)))
        style = f'text-anchor="middle" font-size="{size:.0f}" fill="#c00" opacity="0.22" font-weight="bold"'
        self.marks.append(
            f'<text aria-hidden="true" transform="translate({at}) rotate(-18)" {style}>{escape(words)}</text>'
        )

    def axis(
        self,
        frame: PlotArea,
        ticks: Iterable[tuple[float, str]],
        *,
        below: Iterable[tuple[float, str]] = (),
        upright: bool = False,
    ) -> None:
        """Draw a value axis on the left with lines at its ticks, and words below, which are turned
        to read upwards if they are `upright`.
        """
        for value, words in ticks:
            self.line(
                [(frame.left, frame.y(value)), (frame.left + frame.width, frame.y(value))],
                "#ddd",
                1,
            )
            self.text((frame.left - 6, frame.y(value) + 4), words, "end", 11, GREY)
        bottom = frame.top + frame.height
        for value, words in below:
            if upright:
                self._turned((frame.x(value) + 4, bottom + 10), words, "end", 11, INK)
            else:
                self.text((frame.x(value), bottom + 18), words, "middle", 11, INK)

    def name_axes(self, frame: PlotArea, across: str, up: str = "", lower: float = 0) -> None:
        """Write the titles of the axes: below the labels, which take `lower` pixels more than a
        line, and along the left edge, if it has one.
        """
        middle = frame.top + frame.height / 2
        self.text(
            (frame.left + frame.width / 2, frame.top + frame.height + 38 + lower),
            across,
            "middle",
            12,
            GREY,
        )
        if up:
            self._turned((16, middle), up, "middle", 12, GREY)

    def _turned(self, at: Point, words: str, anchor: str, size: int, colour: str) -> None:
        """Write words that read upwards."""
        style = f'text-anchor="{anchor}" font-size="{size}" fill="{colour}"'
        place = f"translate({at[0]:.1f} {at[1]:.1f}) rotate(-90)"
        self.marks.append(f'<text transform="{place}" {style}>{escape(words)}</text>')

    def __str__(self) -> str:
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        body = "\n".join(
            [f'<rect width="{self.width}" height="{self.height}" fill="white"/>', *self.marks]
        )
        return f'{head} role="img" font-family="sans-serif" aria-label={quoteattr(self.title)}>\n<title>{escape(self.title)}</title>\n{body}\n</svg>\n'


def ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return three to seven round values between two, with their labels.

    >>> ticks(0, 1)
    [(0.0, '0'), (0.2, '0.2'), (0.4, '0.4'), (0.6, '0.6'), (0.8, '0.8'), (1.0, '1')]
    """
    step = next(
        size * 10.0**power
        for power in range(-6, 12)
        for size in (1, 2, 5)
        if (high - low) / (size * 10.0**power) <= 6
    )
    first, last = round(low / step + 0.499), int(high / step + 1e-9)
    return [(round(at * step, 9), f"{at * step:.6g}") for at in range(first, last + 1)]
