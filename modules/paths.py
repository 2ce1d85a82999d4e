"""Where things lie, seen from this file and never from the working directory."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
CONFIG = DATA / "config.json"
RESULTS = ROOT / "results"
WORLDS = DATA / "worlds"
