"""The head, as sprites and portraits share it: skull, hair, beard, hat and glasses; each draws its
own face.
"""

from __future__ import annotations

from typing import Literal

from hometown.authoring.art.people.brush import BASE, DEEP, GLEAM, LIGHT, SHADE, Brush, Mask
from hometown.authoring.art.people.look import Look
from hometown.authoring.art.people.outlines import load_heads

View = Literal["down", "left", "up"]


def back_hair(b: Brush, look: Look, view: View) -> None:
    """Draw hair behind the head and the body, in the view from the front only; painted first."""
    shape = load_heads().hair[look.hair]
    if view != "down":
        return
    if view in shape.extra:
        b.lay(b.area(shape.extra[view]), look.hair_dye)
    if view in shape.behind:
        b.darken(b.lay(b.area(shape.behind[view]), look.hair_dye, edge=False))
    _curls(b, look, "behind_down")


def head(b: Brush, look: Look, view: View) -> None:
    """Draw skull, ears and beard; the face, then hair and hat (`hair`), then glasses are painted
    over them.
    """
    skull = b.lay(b.area(load_heads().skull[view]), look.skin, lit=0.8, shaded=1.6)
    for x in {"down": (-7.4, 7.4), "left": (2.6,), "up": (-7.4, 7.4)}[view]:
        b.lay(b.oval(x, 1.6, 1.4, 1.9), look.skin, lit=0.6, shaded=1)
    if look.hair not in ("bald", "thin"):
        b.darken(skull & b.box(-9, -7, 9, -2.8))
    else:
        b.tint(skull & b.stroke([(-4.2, -5.2), (-2, -7), (1, -7.2)], 1.1), GLEAM)
    beards = load_heads().beards
    if view in beards.get(look.beard, {}):
        beard = b.lay(
            b.area(beards[look.beard][view]), look.hair_dye, lit=0.8, shaded=1.4, edge=False
        )
        if look.beard == "full":
            for x in (-4, -1.6, 1.6, 4) if b.scale > 1 else ():
                b.tint(beard & b.stroke([(x, 6), (x * 0.8, 9.6)], 0.35), SHADE)
                b.tint(beard & b.stroke([(x * 0.3, 3.4), (x, 4.4)], 0.35), SHADE)
    elif look.beard == "stubble" and view != "up":
        b.darken(
            skull & ~b.oval(0 if view == "down" else -4, -1, 6.6, 5.6) & b.box(-8, 2.5, 2.5, 9)
            | (skull & b.box(0, 5.6, 5, 9) if view == "down" else skull & False)
        )


def hair(b: Brush, look: Look, view: View) -> None:
    """Draw hair, hat, headband, headphones and earrings over the face."""
    shape = load_heads().hair[look.hair]
    hat = next((extra for extra in look.extras if extra in load_heads().hats), None)
    if view in shape.over:
        mask = b.area(shape.over[view])
        if look.hair == "afro":
            for x, y, radius in shape.curls[view]:
                mask = mask | b.oval(x, y, radius, radius)
        _gleam(b, look, b.lay(mask, look.hair_dye, lit=1, shaded=2), view)
    if look.hair != "afro":
        _curls(b, look, view)
    if view != "down" and view in shape.extra:
        tail = b.lay(b.area(shape.extra[view]), look.hair_dye)
        b.tint(
            tail
            & b.stroke(
                [(6.6, -7), (10, -8), (11, -2)] if view == "left" else [(-1.6, -8), (-2, 4)], 0.9
            ),
            LIGHT,
        )
        if look.hair == "ponytail":
            b.flat(
                b.oval(7.4, -8, 1.4, 1.6) if view == "left" else b.oval(0, -8, 2.2, 1.2), look.trim
            )
    if hat:
        _hat(b, look, hat, view)
    _worn(b, look, view)


def _gleam(b: Brush, look: Look, mask: Mask, view: View) -> None:
    """Draw the light on the hair: a band on the crown, in portraits strands too; curls for an afro,
    and folds on a hijab.
    """
    if look.hair == "hijab":
        fold = [(-8, 3), (-4, 9), (3, 10.6)] if view == "down" else [(-3, 9), (3, 7), (7, -2)]
        b.tint(mask & b.stroke(fold, 0.8), SHADE)
        b.tint(mask & b.stroke([(-5.6, -6), (-2, -8.6), (3, -9)], 0.8), LIGHT)
        return
    if view == "up":
        b.tint(
            mask & (b.stroke([(-2.4, -3), (-2.8, 4.6)], 0.8) | b.stroke([(2, -5), (2.6, 2)], 0.8)),
            SHADE,
        )
    if look.hair == "afro":
        _wool(b, mask)
        return
    band = b.stroke([(-6.6, -4.4), (-4.4, -7.2), (-1, -8.4), (2.6, -8.2)], 1.5) & mask
    if b.scale > 1:
        for number in range(-9, 10):
            end = (number * 1.25, 1.5 + abs(number) * 1.2)
            bend = (number * 0.95, -6.5 + abs(number) * 0.25)
            b.tint(
                mask & b.stroke([(number * 0.34 - 0.6, -10.6), bend, end], 0.32),
                SHADE if number % 3 else DEEP,
            )
        band &= ~b.stroke([(-3.6, -9), (-3.3, -5)], 0.4) & ~b.stroke([(0.4, -10), (0.5, -6)], 0.5)
        b.tint(band & b.stroke([(-5, -6.6), (-2, -8.2), (0.6, -8.4)], 0.6), GLEAM)
        band &= b.tone != GLEAM
    b.tint(band, LIGHT)


def _wool(b: Brush, mask: Mask) -> None:
    """Draw tight curls: small arcs all over, lighter on the lit side."""
    for row in range(-9, 7):
        for column in range(-9, 9):
            x, y = column * 1.5 + (0.75 if row % 2 else 0), row * 1.5 - 2
            lit = x * 0.7 + y + (row * 7 + column * 5) % 4
            b.tint(
                mask & b.oval(x + (column * row) % 3 * 0.3, y, 0.6, 0.5),
                LIGHT if lit < -8 else DEEP if lit > 4 else SHADE,
            )


def _curls(b: Brush, look: Look, view: str) -> None:
    puffs = load_heads().hair[look.hair].curls.get(view, ())
    if b.scale > 1 and look.hair in ("curly", "curls"):
        puffs = tuple(
            (x + dx * r, y + dy * r, r * 0.62)
            for x, y, r in puffs
            for dx, dy in ((0.1, -0.62), (-0.6, -0.1), (0.62, 0.05), (-0.1, 0.6))
        )
    for x, y, radius in puffs:
        curl = b.lay(
            b.oval(x, y, radius, radius),
            look.hair_dye,
            lit=0.9,
            shaded=1.1,
            edge=b.scale == 1 and look.hair in ("braid",),
        )
        if b.scale > 1:
            twist = [
                (x - radius * 0.45, y + radius * 0.35),
                (x - radius * 0.4, y - radius * 0.25),
                (x + radius * 0.2, y - radius * 0.4),
                (x + radius * 0.4, y),
            ]
            b.tint(curl & b.stroke(twist, 0.3), SHADE)
            b.tint(
                curl
                & b.stroke(
                    [(x - radius * 0.6, y - radius * 0.35), (x - radius * 0.1, y - radius * 0.7)],
                    0.3,
                ),
                GLEAM if look.hair_dye in ("silver", "snow", "blond") else LIGHT,
            )


def over_body(b: Brush, look: Look, view: View) -> None:
    """Draw hair in front of the chest, in the view from the front only."""
    if view == "down":
        _curls(b, look, "over_down")
        if look.hair == "braid":
            b.flat(b.oval(6.6, 14, 1.6, 1), look.trim)


def _hat(b: Brush, look: Look, hat: str, view: View) -> None:
    dye = "sand" if hat == "straw_hat" else look.trim
    mask = b.lay(b.area(load_heads().hats[hat][view]), dye)
    b.tint(mask & b.stroke([(-5.4, -9.4), (-2, -11.4), (1.6, -11.6)], 1), LIGHT)
    if hat == "straw_hat":
        b.flat(mask & b.box(-9, -8, 10, -6), look.trim)
        b.tint(mask & b.box(4, -8, 10, -6), SHADE)
    elif hat == "beanie":
        rim = mask & b.box(-10, -6, 11, 0)
        b.tint(rim, LIGHT)
        for x in range(-9, 10, 2):
            b.tint(rim & b.box(x, -6, x + 0.9, 0), SHADE)
        b.lay(b.oval(0.5, -13.4, 2, 1.8), "cream")
    elif hat == "cap" and view == "down":
        b.tint(mask & b.stroke([(-8, -4.6), (-4, -5.6), (4, -5.6), (8, -4.6)], 0.9), DEEP)


def _worn(b: Brush, look: Look, view: View) -> None:
    if "headband" in look.extras:
        b.lay(
            b.area([(-9, -5.4), (0, -7), (9, -5.4), (9, -2.8), (0, -4.4), (-9, -2.8)], 0)
            & b.painted(),
            look.trim,
            lit=0.6,
            shaded=0.6,
            edge=False,
        )
    if "headphones" in look.extras:
        b.lay(
            b.stroke(
                [(-8.4, -1), (-8, -7), (-4, -11.2), (0, -12), (4, -11.2), (8, -7), (8.4, -1)]
                if view != "left"
                else [(2.6, -1), (2.4, -7), (2, -12)],
                1.3,
            ),
            "charcoal",
            shaded=0.6,
        )
        for x in (-8.6, 8.6) if view != "left" else (2.6,):
            b.lay(b.oval(x, 1, 1.8 if view != "left" else 2.4, 2.8), look.trim, shaded=1)
    if "earrings" in look.extras and view != "up":
        for x in (-7.6, 7.6) if view == "down" else (2.6,):
            b.flat(b.oval(x, 4.2, 0.7, 0.9), "gold", LIGHT)


def glasses(b: Brush, look: Look, view: View) -> None:
    """Draw glasses; the lenses lighten the face behind them."""
    kind = next((extra for extra in look.extras if extra in ("glasses", "round_glasses")), None)
    if not kind or view == "up":
        return
    rim = max(0.6, 1 / b.scale) if b.scale > 1 else 1.0
    frame = "gold" if kind == "round_glasses" else "ink_black"
    for x in (-3.5, 3.5) if view == "down" else (-4.5,):
        wide = 2.5 if view == "down" else 2
        if kind == "glasses" or b.scale == 1:
            ring = b.box(x - wide, -1, x + wide, 4) & ~b.box(
                x - wide + rim, -1 + rim, x + wide - rim, 4 - rim
            )
        else:
            ring = b.oval(x, 1.5, 2.9, 2.9) & ~b.oval(x, 1.5, 2.9 - rim, 2.9 - rim)
        b.flat(ring, frame, SHADE if frame == "gold" else BASE)
    bridge = b.box(-1, 1, 1, 1 + rim) if view == "down" else b.box(-2.5, 0, 2.5, 1)
    b.flat(bridge, frame, SHADE if frame == "gold" else BASE)
