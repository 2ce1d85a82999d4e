"""Defaults of a run."""

from __future__ import annotations

DEFAULT_WORLD = "ville"
DEFAULT_STRIDE = 10
"""Minutes of game time in a step."""
DEFAULT_SEED = 0
DEFAULT_TRIAL_DAYS = 14
"""Days for which the rules of a law are tried before they hold."""
DEFAULT_LICENCE = "CC-BY-4.0"
"""The licence of a deposit: an SPDX id."""
