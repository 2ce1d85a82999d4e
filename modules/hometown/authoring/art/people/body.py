"""The body from the neck to the hips, as sprites and portraits share it.

Units: (0, 0) is the middle of the shoulder line, the hips are 11 below it, y grows downward. Seen
from the left side the chest is at negative x.
"""

from __future__ import annotations

from typing import Final

from hometown.authoring.art.people.brush import BASE, DEEP, LIGHT, SHADE, Brush, Mask
from hometown.authoring.art.people.head import View
from hometown.authoring.art.people.look import Look

OPEN: Final = ("jacket", "blazer", "coat", "cardigan", "waistcoat")
LONG: Final = {"coat": 17.0, "smock": 15.0, "cardigan": 13.0, "blazer": 12.5}
"""Length of a garment below the shoulders; others end at the hips."""
BARE: Final = {"tank": 0.0, "tee": 0.45}
"""Share of the arm that a short sleeve covers."""


def half_width(look: Look) -> float:
    return 6.0 + look.broad


def sleeve(look: Look) -> str:
    return look.inner if look.cut in ("waistcoat", "dungarees") else look.top


def trunk(b: Brush, look: Look, view: View) -> Mask:
    """Draw the upper garment with its details, and return its mask."""
    w, hem = half_width(look), LONG.get(look.cut, 11.5)
    dye = look.inner if look.cut == "dungarees" else look.top
    if view == "left":
        w -= 1.6
        belly = 0.8 if look.broad > 0 or look.aged else 0.0
        points = [
            (-w + 0.8, 0),
            (-w - 0.4, 3),
            (-w - belly, 8),
            (-w + 0.2, hem),
            (w - 0.2, hem),
            (w, 7),
            (w + 0.4, 3),
            (w - 1.2, -0.4),
        ]
    else:
        flare = 1.0 if hem > 12.5 else -0.4
        points = [
            (-3, -1.2),
            (3, -1.2),
            (w - 0.4, 0),
            (w, 3),
            (w - 0.6, 7),
            (w + flare, hem),
            (-w - flare, hem),
            (-w + 0.6, 7),
            (-w, 3),
            (-w + 0.4, 0),
        ]
    mask = b.lay(b.area(points, 1), dye, lit=1, shaded=2)
    _pattern(b, look, mask, dye)
    b.tint(
        mask
        & (
            b.stroke([(w - 2.6, 6), (w - 4, 10.6)], 0.7)
            | b.stroke([(-w + 2, 8), (-w + 3, 10.6)], 0.6)
        ),
        SHADE,
        dye,
    )
    {"down": _front, "left": _side, "up": _back}[view](b, look, mask)
    return mask


def _pattern(b: Brush, look: Look, mask: Mask, dye: str) -> None:
    if "stripes" in look.extras:
        for y in range(2, 18, 3):
            stripe = mask & b.box(-12, y, 12, y + 1.2)
            tones = b.tone[stripe].copy()
            b.flat(stripe, look.trim)
            b.tone[stripe] = tones
    if look.cut in ("sweater", "turtleneck", "hoodie"):
        for x in range(-9, 10, 2):
            b.tint(mask & b.box(x, 10, x + 0.9, 12), SHADE, dye)


def _front(b: Brush, look: Look, mask: Mask) -> None:
    cut = look.cut
    if cut in OPEN:
        _open_front(b, look, mask)
    elif cut in ("shirt", "smock", "blouse"):
        _collar(b, look, mask, look.top)
        b.tint(mask & b.box(0, 2, 0.6, 18), SHADE)
        if cut == "blouse":
            bow = b.oval(-1.4, 2.2, 1.6, 1) | b.oval(1.4, 2.2, 1.6, 1)
            b.lay(mask & bow, look.trim, lit=0.5, shaded=0.6)
    elif cut in ("tee", "tank", "dress"):
        b.flat(mask & b.oval(0, -1, 3, 2.4 if cut != "tank" else 3), look.skin, SHADE)
        b.tint(b.around(mask & b.oval(0, -1, 3, 2.4)) & mask, LIGHT, look.top)
    elif cut in ("sweater", "turtleneck"):
        high = -2 if cut == "turtleneck" else -0.8
        neck = b.area([(-3.4, high), (3.4, high), (3, 1.6), (-3, 1.6)], 1)
        b.lay(neck, look.top, lit=0.7, shaded=0.5)
    elif cut == "hoodie":
        _hood_and_pocket(b, look, mask)
    elif cut == "dungarees":
        _collar(b, look, mask, look.inner)
        _bib(b, look, mask, look.top)
    _accessories(b, look, mask)


def _open_front(b: Brush, look: Look, mask: Mask) -> None:
    """Draw an open garment: the inner panel, a collar, two lapels and a button."""
    cut = look.cut
    deep = 5 if cut == "waistcoat" else 17 if cut in ("jacket", "coat") else 8
    wide = 2.4 if cut != "waistcoat" else 2
    below = 0.7 if deep < 17 else wide
    panel = mask & b.area([(-wide - 0.8, -2), (wide + 0.8, -2), (below, deep), (-below, deep)], 0)
    b.lay(panel, look.inner, lit=0, shaded=0.5)
    _collar(b, look, mask, look.inner)
    for side in (-1, 1):
        lapel = b.stroke([(side * 3.4, -0.6), (side * 3, 3), (side * 1.2, min(deep, 9))], 0.7)
        b.tint(mask & lapel & ~panel, LIGHT if side < 0 else DEEP)
    if deep < 17:
        dye, tone = ("gold", LIGHT) if cut == "blazer" else (look.inner, SHADE)
        b.flat(b.dots((0, deep + 1)) & mask, dye, tone)


def _hood_and_pocket(b: Brush, look: Look, mask: Mask) -> None:
    hood = b.area([(-5.4, -1), (-2, 1), (2, 1), (5.4, -1), (3.6, 2.6), (-3.6, 2.6)], 1)
    b.lay(mask & hood, look.top, lit=0.7, shaded=0.7)
    for x in (-2, 1.2):
        b.flat(b.box(x, 2, x + 0.8, 5.6), look.inner)
    pocket = b.stroke([(-4, 10.4), (-2.8, 7.6), (2.8, 7.6), (4, 10.4)], 0.7)
    b.tint(pocket & mask, DEEP)


def _bib(b: Brush, look: Look, mask: Mask, dye: str) -> None:
    b.lay(mask & b.box(-3.6, 3.4, 3.6, 13), dye, lit=0.8, shaded=1)
    for x in (-3.4, 2.4):
        b.flat(mask & b.box(x, -1, x + 1, 4), dye, SHADE)
        b.flat(b.dots((x, 4)), "gold", LIGHT)
    b.lay(
        mask & b.box(-4.6 - look.broad, 9.4, 4.6 + look.broad, 13), dye, lit=0, shaded=1, edge=False
    )
    b.tint(mask & b.box(-2, 6, 2, 6.8), DEEP, dye)


def _collar(b: Brush, look: Look, mask: Mask, dye: str) -> None:
    b.flat(mask & b.area([(-2, -2), (2, -2), (0, 1.6)], 0), look.skin, SHADE)
    for side in (-1, 1):
        b.lay(
            b.area(
                [(side * 2.8, -1.6), (side * 1.2, -1.4), (side * 0.3, 1.4), (side * 2.6, 1.8)], 0
            ),
            dye,
            lit=0.8,
            shaded=0,
        )


def _accessories(b: Brush, look: Look, mask: Mask) -> None:
    for extras, draw in (
        ({"apron"}, _apron),
        ({"tie"}, _tie),
        ({"bow_tie"}, _bow_tie),
        ({"splashes"}, _splashes),
        ({"necklace"}, _necklace),
        ({"camera"}, _camera),
        ({"backpack", "satchel"}, _straps),
        ({"scarf"}, _scarf),
    ):
        if extras & set(look.extras):
            draw(b, look, mask)


def _apron(b: Brush, look: Look, mask: Mask) -> None:
    right = [(3.4, 2.4), (3.6, 6.6), (5.2, 8), (5.4, 17)]
    left = [(-x, y) for x, y in reversed(right)]
    b.lay(b.area([left[-1], *right, *left[:-1]], 0), look.trim, lit=1, shaded=1.4)
    for side in (-1, 1):
        b.flat(mask & b.stroke([(side * 3, 2.8), (side * 2.6, -0.6)], 0.9), look.trim, SHADE)
    b.tint(b.box(-3, 10.4, 3, 11), DEEP, look.trim)


def _tie(b: Brush, look: Look, mask: Mask) -> None:
    shape = [(-1, 0.2), (1, 0.2), (0.8, 1.8), (1.3, 7), (0, 8.6), (-1.3, 7), (-0.8, 1.8)]
    b.lay(b.area(shape, 0), look.trim, lit=0.5, shaded=0.5)


def _bow_tie(b: Brush, look: Look, mask: Mask) -> None:
    shape = [(-2.8, -0.6), (0, 0.4), (2.8, -0.6), (2.8, 2.2), (0, 1.2), (-2.8, 2.2)]
    b.lay(b.area(shape, 0), look.trim, lit=0.5, shaded=0.5)


def _splashes(b: Brush, look: Look, mask: Mask) -> None:
    places = ((-4, 5), (2, 4), (-2, 8), (3.4, 9), (-4.4, 11), (0.6, 12))
    for (x, y), dye in zip(places, ("scarlet", "azure", "mustard") * 2, strict=True):
        b.flat(mask & b.oval(x + 0.5, y + 0.5, 0.8, 0.7), dye, BASE)


def _necklace(b: Brush, look: Look, mask: Mask) -> None:
    chain = [(-2.6, 0), (-1.6, 2.4), (0, 3.4), (1.6, 2.4), (2.6, 0)]
    b.flat(b.stroke(chain, 0.7), "gold", LIGHT)


def _camera(b: Brush, look: Look, mask: Mask) -> None:
    strap = b.stroke([(-3.6, -0.6), (-2.4, 6)], 0.8) | b.stroke([(3.6, -0.6), (2.4, 6)], 0.8)
    b.flat(mask & strap, "ink_black")
    b.lay(b.box(-3.4, 5.4, 3.4, 9.6), "charcoal", lit=0.8, shaded=0.8)
    b.lay(b.oval(0, 7.4, 1.5, 1.5), "sky", lit=0.8, shaded=0.6)


def _straps(b: Brush, look: Look, mask: Mask) -> None:
    """Draw the straps of a backpack and of a satchel, in the order of the look."""
    for extra in look.extras:
        if extra == "backpack":
            for side in (-1, 1):
                strap = b.stroke([(side * 4, -0.6), (side * 4.4, 8)], 1.3)
                b.flat(mask & strap, "leather", SHADE if side > 0 else BASE)
        elif extra == "satchel":
            b.flat(mask & b.stroke([(4, -0.8), (-5.6, 11)], 1.3), "leather", SHADE)


def _scarf(b: Brush, look: Look, mask: Mask) -> None:
    around = b.area([(-5, -2.2), (5, -2.2), (4.6, 2), (0, 3.2), (-4.6, 2)], 1)
    b.lay(around, look.trim, lit=1, shaded=1)
    end = b.area([(1, 2), (4, 1.4), (4.4, 9), (1.4, 9.4)], 0)
    b.lay(end, look.trim, lit=0.8, shaded=0.8)


def _side(b: Brush, look: Look, mask: Mask) -> None:
    w = half_width(look) - 1.6
    if look.cut in OPEN:
        b.lay(
            mask & b.area([(-9, -1), (-w + 1.8, -1), (-w + 0.6, 18), (-9, 18)], 0),
            look.inner,
            lit=0,
            shaded=0,
            edge=look.cut != "waistcoat",
        )
    if look.cut == "dungarees":
        b.lay(mask & b.box(-9, 5, 9, 13), look.top, lit=0.6, shaded=1)
    if look.cut in ("hoodie", "turtleneck", "sweater"):
        b.lay(b.oval(0.6, -0.2, 3.8, 1.6), look.top, lit=0.6, shaded=0.8)
    if look.cut in ("shirt", "smock", "blouse", "blazer", "waistcoat"):
        b.lay(
            b.area([(-3.4, -1.2), (2.4, -1.4), (2.8, 0.6), (-2.8, 1.4)], 0),
            look.top if look.cut in ("shirt", "smock", "blouse") else look.inner,
            lit=0.8,
            shaded=0,
        )
    if "apron" in look.extras:
        b.lay(
            b.area(
                [(-w - 0.6, 3), (-w + 2, 2.6), (-w + 2.6, 7.4), (0.6, 8), (0.4, 17), (-w - 1, 17)],
                0,
            ),
            look.trim,
            lit=0.8,
            shaded=1,
        )
        b.flat(mask & b.box(0, 8, 9, 9), look.trim, SHADE)
    if "backpack" in look.extras:
        b.lay(b.area([(2.4, 0), (7.4, 0.4), (8.6, 4), (8.4, 9.6), (3.4, 10)], 1), look.trim)
    if "satchel" in look.extras:
        b.flat(mask & b.stroke([(-0.6, -0.8), (1, 9)], 1.2), "leather")
        b.lay(b.area([(-1.6, 8.6), (4, 8.6), (4, 13), (-1.6, 13)], 0), "leather", lit=0.8, shaded=1)
    if "scarf" in look.extras:
        b.lay(b.area([(-4.6, -2.2), (4, -2.4), (4.4, 1.6), (-4, 2.4)], 1), look.trim, shaded=1)


def _back(b: Brush, look: Look, mask: Mask) -> None:
    b.tint(mask & b.stroke([(0, 4), (0, 11)], 0.6), SHADE)
    if look.cut == "dungarees":
        for side in (-1, 1):
            b.flat(mask & b.stroke([(side * 3.6, -1), (0, 5.6)], 1.1), look.top)
        b.lay(
            mask & b.area([(-2, 5.4), (2, 5.4), (9, 8.6), (9, 13), (-9, 13), (-9, 8.6)], 0),
            look.top,
            lit=0.8,
            shaded=1,
        )
    if look.cut == "hoodie":
        b.lay(b.area([(-4.6, -1.6), (4.6, -1.6), (4, 3), (0, 5), (-4, 3)], 2), look.top)
    if "apron" in look.extras:
        b.flat(
            mask
            & (
                b.stroke([(-2.8, -0.6), (-5, 3)], 0.9)
                | b.stroke([(2.8, -0.6), (5, 3)], 0.9)
                | b.box(-9, 7.6, 9, 8.6)
            ),
            look.trim,
            SHADE,
        )
        b.lay(
            b.oval(-1.6, 8.2, 1.8, 1.2) | b.oval(1.6, 8.2, 1.8, 1.2), look.trim, lit=0.6, shaded=0.6
        )
    if "backpack" in look.extras:
        pack = b.lay(b.area([(-5, 0), (5, 0), (5.4, 10.4), (-5.4, 10.4)], 1), look.trim)
        b.tint(
            pack
            & (b.box(-4, 3.4, 4, 4.2) | b.stroke([(-3, 8.6), (-3, 6.4), (3, 6.4), (3, 8.6)], 0.7)),
            DEEP,
        )
    if "satchel" in look.extras:
        b.flat(mask & b.stroke([(-4, -0.8), (5.6, 10)], 1.2), "leather")
    if "scarf" in look.extras:
        b.lay(b.area([(-4.8, -2.2), (4.8, -2.2), (4.4, 2), (-4.4, 2)], 1), look.trim, shaded=1)
