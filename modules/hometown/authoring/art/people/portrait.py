"""Portraits: head and shoulders of the sprite's figure, at three times the size and with a more
detailed face.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from hometown.authoring.art.people import body, head
from hometown.authoring.art.people.brush import (
    BASE,
    COLOURS,
    DEEP,
    GLEAM,
    INK,
    LIGHT,
    NAMES,
    SHADE,
    Brush,
)
from hometown.authoring.art.people.look import Look

SIZE: Final = 96
_HEAD: Final = (SIZE / 2, 48.0, 3.2)
_BODY: Final = (SIZE / 2, 74.0, 5.0)
"""Origin of head and body in pixels, x and y, and their scales."""


def portrait(look: Look) -> Image.Image:
    """Return a portrait of 96 × 96 pixels, opaque."""
    b = Brush(SIZE, SIZE)
    _put(b, _HEAD)
    head.back_hair(b, look, "down")
    _put(b, _BODY)
    _shoulders(b, look)
    body.trunk(b, look, "down")
    _put(b, _HEAD)
    head.head(b, look, "down")
    _face(b, look)
    head.hair(b, look, "down")
    head.glasses(b, look, "down")
    head.over_body(b, look, "down")
    picture = _ground(look)
    picture.alpha_composite(b.image())
    return picture


def _put(b: Brush, place: tuple[float, float, float]) -> None:
    b.origin, b.scale = place[:2], place[2]


def _ground(look: Look) -> Image.Image:
    """Return a soft round glow behind the head, in bands of one dye."""
    light, base, shade = (
        tuple(
            (int(part) * 5 + cream * 4) // 9
            for part, cream in zip(
                COLOURS[NAMES.index(look.ground), tone], (246, 236, 216, 255), strict=True
            )
        )
        for tone in (GLEAM, LIGHT, BASE)
    )
    picture = Image.new("RGBA", (SIZE, SIZE), shade)
    glow = Brush(SIZE, SIZE)
    for radius, tone in ((56, base), (40, light)):
        picture.paste(tone, (0, 0), Image.fromarray(glow.oval(42, 38, radius, radius)))
    return picture


def _shoulders(b: Brush, look: Look) -> None:
    """Draw the neck, and the upper arms on both sides of the trunk."""
    w = body.half_width(look)
    for side in (-1, 1):
        dye = look.skin if look.cut == "tank" else body.sleeve(look)
        b.lay(
            b.area(
                [
                    (side * (w - 2), -0.4),
                    (side * (w + 0.6), 0.2),
                    (side * (w + 2.2), 3),
                    (side * (w + 2.6), 8),
                    (side * (w - 1), 8),
                ],
                2,
            ),
            dye,
            lit=0.6,
            shaded=1,
        )
    b.flat(b.box(-1.9, -4, 1.9, 1), look.skin, SHADE)
    b.tint(b.box(-1.9, -4, 1.9, -0.8), DEEP)


def _face(b: Brush, look: Look) -> None:
    for side in (-1, 1):
        _eye(b, look, side)
        b.flat(
            b.oval(side * 4.9, 3.8, 1.5, 0.9) & (b.dye == NAMES.index(look.skin)),
            f"{look.skin} flush",
            LIGHT,
        )
    b.tint(b.stroke([(0.5, 0.8), (0.9, 3)], 0.35), SHADE, look.skin)
    b.tint(b.stroke([(-0.5, 3.4), (0.3, 3.7), (1, 3.2)], 0.45), DEEP, look.skin)
    b.tint(b.stroke([(-0.4, 1), (-0.3, 2.7)], 0.5), LIGHT, look.skin)
    _mouth(b, look)
    if look.aged:
        for side in (-1, 1):
            b.tint(b.stroke([(side * 2.2, 3.6), (side * 3.2, 5)], 0.3), SHADE, look.skin)
            b.tint(b.stroke([(side * 2.2, 3.2), (side * 4.4, 3)], 0.3), SHADE, look.skin)
        b.tint(b.stroke([(-2.6, -4), (2.6, -4)], 0.3), SHADE, look.skin)


def _eye(b: Brush, look: Look, side: int) -> None:
    x, narrow = side * 3.3, 0.3 if look.mood in ("grin", "calm") else 0.0
    white = b.oval(x, 1.3 + narrow / 2, 1.7, 1.55 - narrow)
    b.flat(white, "chalk", BASE)
    iris = white & b.oval(x - 0.1, 1.4, 1.1, 1.5)
    b.flat(iris, look.eyes, BASE)
    b.tint(iris & b.box(x - 2, -1, x + 2, 1.2), DEEP)
    b.flat(white & b.oval(x - 0.1, 1.4, 0.55, 0.75), "ink_black", INK)
    b.flat(b.oval(x - 0.5, 0.8, 0.45, 0.45), "chalk", GLEAM)
    lash = [
        (x - side * 1.6, 0.9 + narrow),
        (x - side * 0.6, -0.1 + narrow),
        (x + side * 0.8, -0.1 + narrow),
        (x + side * 1.9, 0.9 + narrow),
    ]
    b.flat(b.stroke(lash, 0.55), "ink_black", INK)
    if "earrings" in look.extras or "necklace" in look.extras:
        b.flat(b.stroke([lash[3], (x + side * 2.5, 0.2)], 0.5), "ink_black", INK)
    rise = {"smile": 0.4, "grin": 0.7, "calm": 0.0, "stern": -0.5}[look.mood]
    brow = [
        (x - side * 1.7, -1.7 - rise * 0.3 + (0.5 if look.mood == "stern" else 0)),
        (x + side * 0.4, -2.4 - rise * 0.6),
        (x + side * 2, -1.6),
    ]
    b.flat(
        b.stroke(brow, 0.65 if not (look.beard or look.aged) else 0.95),
        look.hair_dye if look.hair != "hijab" else "bark",
        SHADE,
    )


def _mouth(b: Brush, look: Look) -> None:
    lips = "wine" if "earrings" in look.extras or "necklace" in look.extras else look.skin
    y = 5.9 if look.beard == "moustache" else 5.4
    if look.mood == "grin":
        mouth = b.area(
            [
                (-2.5, y - 0.7),
                (-1.2, y - 0.2),
                (1.2, y - 0.2),
                (2.5, y - 0.7),
                (1.8, y + 0.8),
                (0.8, y + 1.5),
                (-0.8, y + 1.5),
                (-1.8, y + 0.8),
            ],
            0,
        )
        b.flat(mouth, "wine", DEEP)
        b.flat(mouth & b.box(-2, y - 1, 2, y + 0.55), "chalk")
        return
    ends = {"smile": -0.6, "calm": -0.15, "stern": 0.25}[look.mood]
    b.flat(
        b.stroke([(-1.9, y + ends), (-0.8, y + 0.1), (0.8, y + 0.1), (1.9, y + ends)], 0.5),
        lips,
        DEEP,
    )
    b.tint(b.stroke([(-0.7, y + 1.1), (0.7, y + 1.1)], 0.35), SHADE, look.skin)
    if lips == "wine":
        b.flat(b.stroke([(-0.8, y + 0.6), (0.8, y + 0.6)], 0.5), "coral", SHADE)
