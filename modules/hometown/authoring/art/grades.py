"""Colour grades for a whole town, which turn the same palette into another season or country."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from PIL import Image

Colours = npt.NDArray[np.float64]


def apply_grade(sheet: Image.Image, grade: str) -> Image.Image:
    """Return a tileset in the colours of a grade; as it is without one."""
    if not grade:
        return sheet
    pixels = np.asarray(sheet).astype(float)
    pixels[..., :3] = GRADES[grade](pixels[..., :3])
    return Image.fromarray(np.rint(pixels).astype(np.uint8))


def _ink(colours: Colours) -> Colours:
    """Greens turn to washes of ink and jade, and earth pales to silk; reds and blues stay."""
    red, green, blue = colours[..., 0], colours[..., 1], colours[..., 2]
    light = (colours @ np.array([0.3, 0.59, 0.11]))[..., None] / 255
    jade = np.array([30.0, 62.0, 66.0]) * (1 - light) + np.array([208.0, 224.0, 196.0]) * light
    leafy = np.clip((green - np.maximum(red, blue)) / 36, 0, 0.85)[..., None]
    silk = np.array([92.0, 84.0, 84.0]) * (1 - light) + np.array([246.0, 240.0, 226.0]) * light
    earthy = np.clip((red - blue) / 120, 0, 0.6)[..., None] * (np.abs(red - green) < 48)[..., None]
    washed: Colours = colours * (1 - leafy) + jade * leafy
    paled: Colours = washed * (1 - earthy) + silk * earthy
    return paled


GRADES: dict[str, Callable[[Colours], Colours]] = {"ink": _ink}
