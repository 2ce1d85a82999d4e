"""Defaults of a run."""

from __future__ import annotations

DEFAULT_WORLD = "ville"
DEFAULT_STRIDE = 10
"""Minutes of game time that a step covers."""
DEFAULT_SEED = 0
