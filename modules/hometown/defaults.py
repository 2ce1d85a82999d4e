"""Defaults of a run."""

from __future__ import annotations

DEFAULT_WORLD = "ville"
DEFAULT_STRIDE = 10
"""Minutes of game time in a step."""
LONGEST_STRIDE = 240
"""The longest step of a new run, in minutes: with much longer ones, a town that begins at night
would never see its day. Older runs may have steps of up to a day.
"""
DEFAULT_SEED = 0
DEFAULT_TRIAL_DAYS = 14
"""Days for which the rules of a law are tried before they hold."""
DEFAULT_LICENCE = "CC-BY-4.0"
"""The licence of a deposit: an SPDX id."""
