"""The colours of people: a ramp of six tones for each skin, hair and cloth, with the hue shifting
from warm light to cool shadow.
"""

from __future__ import annotations

import colorsys
from typing import Final

TONES: Final = 6
"""Number of tones of a dye: 0 gleam, 1 light, 2 base, 3 shade, 4 deep, 5 ink."""

SKINS: Final = {
    "porcelain": "f8d8c0",
    "fair": "f2c6a0",
    "peach": "eebc92",
    "honey": "dfa878",
    "olive": "c99568",
    "tan": "b97f54",
    "brown": "96603f",
    "umber": "78492f",
    "ebony": "5d3828",
}
HAIRS: Final = {
    "black": "3a3546",
    "espresso": "4a3436",
    "brown_hair": "6e4633",
    "chestnut": "8f5636",
    "auburn": "a2482f",
    "ginger": "cf7135",
    "honey_hair": "b98845",
    "blond": "e0b962",
    "ash": "a89472",
    "grey_hair": "9a9aa6",
    "silver": "c3c6cf",
    "snow": "e9e8ea",
    "plum": "7a4a78",
    "teal_hair": "3f8288",
}
CLOTHS: Final = {
    "cream": "f3e8d2",
    "linen": "dccdb0",
    "chalk": "f2f1ee",
    "sand": "cdb083",
    "camel": "bb8c57",
    "tweed": "94795a",
    "cocoa": "6f4d3c",
    "bark": "54413a",
    "brick": "b5513f",
    "scarlet": "d44a45",
    "wine": "87394f",
    "coral": "ee8468",
    "blush": "eeaea4",
    "fuchsia": "c95488",
    "rust": "c0683a",
    "pumpkin": "e2893d",
    "mustard": "dba63c",
    "lemon": "f0d36a",
    "moss": "7d8a45",
    "sage": "9bb38a",
    "fern": "5d9a58",
    "forest": "3d6b50",
    "mint": "94d0b4",
    "sea": "46979a",
    "sky": "86bbe0",
    "azure": "4d86c6",
    "denim": "56719c",
    "navy": "38476f",
    "indigo": "51509a",
    "lilac": "b39bd6",
    "violet": "7f5aa6",
    "slate": "6b7486",
    "ash_grey": "9da2a9",
    "charcoal": "494a57",
    "ink_black": "363343",
    "gold": "e8bd4e",
    "steel": "a9b4c2",
    "leather": "80522f",
}


def ramp(code: str) -> tuple[tuple[int, int, int], ...]:
    """Return the six tones around a base colour of six hexadecimal digits: lighter tones shift
    towards yellow, darker ones towards violet.
    """
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, strength, value = colorsys.rgb_to_hsv(red, green, blue)
    tones = []
    for step, brightness in zip(
        (2, 1, 0, -1, -2, -3), (0.78, 0.42, 1.0, 0.82, 0.62, 0.34), strict=True
    ):
        goal = 0.13 if step > 0 else 0.8 if 0.45 < hue < 0.95 or strength < 0.12 else 0.97
        turn = (goal - hue + 0.5) % 1 - 0.5
        # A grey has no hue to shift, so its shadows take the target hue at once.
        shifted = (hue + turn * abs(step) * (0.07 if strength > 0.06 else 0.3)) % 1
        lit = value + (1 - value) * brightness + 0.04 * step if step > 0 else value * brightness
        tones.append(
            colorsys.hsv_to_rgb(
                shifted,
                min(
                    1.0,
                    strength * (1 - 0.2 * step if step > 0 else 1 - 0.06 * step)
                    + (-0.045 * step if step < 0 else 0),
                ),
                min(1.0, lit),
            )
        )
    return tuple((round(r * 255), round(g * 255), round(b * 255)) for r, g, b in tones)


def flush(code: str) -> str:
    """Return a skin tone (hex digits "rrggbb") flushed for cheeks and noses: mixed with red, the
    more the redder it is.
    """
    share = int(code[:2], 16) / 800  # the fairer the skin, the stronger
    return "".join(
        f"{round(int(code[at : at + 2], 16) * (1 - share) + red * share):02x}"
        for at, red in ((0, 228), (2, 92), (4, 84))
    )


DYES: Final = {
    name: ramp(code) for group in (SKINS, HAIRS, CLOTHS) for name, code in group.items()
} | {f"{name} flush": ramp(flush(code)) for name, code in SKINS.items()}
"""Every ramp by name; a skin's flush is called by the skin's name and `flush`."""
