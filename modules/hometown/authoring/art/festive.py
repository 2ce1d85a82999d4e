"""Painters of decorations for special days."""

from __future__ import annotations

from collections.abc import Callable

from hometown.authoring.art.canvas import Canvas


def hot_air_balloon(canvas: Canvas) -> None:
    """Draw two tiles wide and three high: the basket stands on the ground."""
    canvas.shadow(22, 90, 42, 94)
    canvas.oval(6, 2, 57, 58, "red")
    canvas.oval(17, 2, 46, 58, "straw", outline=False)
    canvas.oval(26, 2, 37, 58, "red", outline=False)
    canvas.line(18, 52, 26, 74, "dark_wood")
    canvas.line(45, 52, 37, 74, "dark_wood")
    canvas.line(27, 58, 28, 74, "dark_wood")
    canvas.line(36, 58, 35, 74, "dark_wood")
    canvas.block(23, 74, 40, 92, "wood")
    for row in (79, 84, 89):
        canvas.line(24, row, 39, row, "wood", 2)


PAINTERS: dict[str, Callable[[Canvas], None]] = {"hot_air_balloon": hot_air_balloon}
