"""The grid: which tiles can be walked, to which arena each belongs, and the way from one to another."""

from __future__ import annotations

Tile = tuple[int, int]
"""Column and row, from the upper left corner."""


class Maze:
    """Contract only, replaced below by the real one."""
