"""Memories and vectors of tests of the memory stream."""

from __future__ import annotations

from datetime import datetime, timedelta

import numpy as np

from hometown.memory.arithmetic import quantise
from hometown.memory.concept import Concept

START = datetime(2025, 2, 13, 6)


def concept(
    number: int, poignancy: int = 3, created: datetime = START, kind: str = "event", text: str = ""
) -> Concept:
    return Concept(
        number,
        kind,  # type: ignore[arg-type]
        text or f"memory {number}",
        "ann",
        "is",
        "",
        "",
        poignancy,
        created,
        created + timedelta(days=30),
    )


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return quantise(vector / np.linalg.norm(vector))
