"""Figures of residents: a sheet with a row for each of four directions, with a standing frame, four
of a walk and one asleep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from PIL import Image

from hometown.authoring.art.people import body, head
from hometown.authoring.art.people.brush import BASE, DEEP, INK, LIGHT, NAMES, SHADE, Brush
from hometown.authoring.art.people.look import Look

Facing = Literal["down", "left", "right", "up"]

FACINGS: Final[tuple[Facing, ...]] = ("down", "left", "right", "up")
"""The rows of a sheet."""
WIDTH: Final = 32
HEIGHT: Final = 48
GROUND: Final = 46
"""The row of a frame that the feet stand on."""


PILLOW: Final = 32
BLANKET: Final = 41
"""Row of a frame where the blanket begins, below the sleeper's head."""


@dataclass(frozen=True)
class Pose:
    """One phase of a walk: the leg in front of the body (−1 left of the picture, 1 right, 0 none),
    the leg lifted next to the other, and the pixels by which the body is lowered.
    """

    ahead: int = 0
    lifted: int = 0
    sunk: int = 0


POSES: Final = (
    Pose(),
    Pose(ahead=-1, sunk=1),
    Pose(lifted=1),
    Pose(ahead=1, sunk=1),
    Pose(lifted=-1),
)
"""The columns of a sheet: standing, then a walk of four (contact, passing, contact, passing)."""


def sprites(look: Look) -> Image.Image:
    """Return a sheet of 192 × 192 pixels: rows for down, left, right and up, in each a standing
    frame, four of a walk and one asleep, 32 × 48 each.
    """
    sheet = Image.new("RGBA", (WIDTH * (len(POSES) + 1), HEIGHT * len(FACINGS)))
    sleeper = asleep(look)
    for row, facing in enumerate(FACINGS):
        for column, pose in enumerate(POSES):
            sheet.paste(frame(look, facing, pose), (column * WIDTH, row * HEIGHT))
        sheet.paste(sleeper, (len(POSES) * WIDTH, row * HEIGHT))
    return sheet


def asleep(look: Look) -> Image.Image:
    """Return a head on the pillow of a bed that begins where the frame's lower 32 rows do; the body
    is below the blanket.
    """
    b = Brush(WIDTH, HEIGHT)
    _put(b, PILLOW)
    bare = replace(look, extras=())
    head.back_hair(b, bare, "down")
    head.head(b, bare, "down")
    for x in (-4, 2):
        b.flat(b.box(x, 2, x + 2, 3), look.skin, DEEP)
    b.flat(b.box(-1, 5, 1, 6), look.skin, DEEP)
    head.hair(b, bare, "down")
    b.dye[BLANKET:] = -1
    return b.image()


def frame(look: Look, facing: Facing, pose: Pose) -> Image.Image:
    """Return one frame of a sheet: a resident with this look, in a pose, seen from one side."""
    b = Brush(WIDTH, HEIGHT, mirrored=facing == "right")
    view: head.View = "left" if facing == "right" else facing
    hip = GROUND - 11 - look.tall + pose.sunk
    shoulder = hip - 11
    _put(b, shoulder - 6)
    head.back_hair(b, look, view)
    _put(b, shoulder)
    if view == "left":
        _side_arm(b, look, pose, far=True)
        _put(b, hip)
        _side_legs(b, look, pose, GROUND - hip)
        _put(b, shoulder)
        body.trunk(b, look, view)
        _side_arm(b, look, pose, far=False)
    else:
        _put(b, hip)
        _legs(b, look, pose, GROUND - hip)
        _put(b, shoulder)
        _arms(b, look, pose, view)
        body.trunk(b, look, view)
        b.flat(b.box(-2, -2, 2, 0) & ~b.painted(), look.skin, SHADE)
    _put(b, shoulder - 6)
    head.head(b, look, view)
    _face(b, look, view)
    head.hair(b, look, view)
    head.glasses(b, look, view)
    head.over_body(b, look, view)
    return b.image()


def _put(b: Brush, y: int) -> None:
    b.origin = (WIDTH / 2, float(y))


# legs, from the hips -----------------------------------------------------------------------


def _legs(b: Brush, look: Look, pose: Pose, length: int) -> None:
    bare = look.lower in ("shorts", "skirt") or (look.cut == "dress" and look.lower != "long_skirt")
    for side in (-1, 1):
        up = 3 if pose.ahead == -side else 2 if pose.lifted == side else 0
        inner, outer = sorted((side * 0.3, side * (4.6 + look.broad * 0.6)))
        end = length - up
        b.lay(b.box(inner, -1, outer, end - 1), look.skin if bare else look.legs, lit=1, shaded=1)
        b.lay(
            b.area([(inner, end - 3), (outer, end - 3), (outer + 0.2, end), (inner - 0.2, end)], 0),
            look.shoes,
            lit=0.8,
            shaded=1,
        )
        if look.lower == "shorts":
            b.lay(b.box(inner, -1, outer, 4.4), look.legs, lit=1, shaded=1, edge=False)
        if up:
            b.darken(b.box(inner, -1, outer, end))
    _skirt(b, look, length, 0.0)


def _skirt(b: Brush, look: Look, length: int, sway: float) -> None:
    if look.lower not in ("skirt", "long_skirt"):
        return
    w, hem = body.half_width(look), length - 2.6 if look.lower == "long_skirt" else 5.4
    dye = look.top if look.cut == "dress" else look.legs
    mask = b.lay(
        b.area([(-w + 1, -2), (w - 1, -2), (w + 1.2 + sway, hem), (-w - 1.2 + sway, hem)], 0),
        dye,
        lit=1,
        shaded=2,
    )
    for x in (-2.6, 1.2):
        b.tint(mask & b.stroke([(x, 1), (x * 1.3 + sway, hem)], 0.8), SHADE)
    b.tint(mask & b.box(-12, hem - 1, 12, hem), DEEP)


def _side_legs(b: Brush, look: Look, pose: Pose, length: int) -> None:
    bare = look.lower in ("shorts", "skirt") or (look.cut == "dress" and look.lower != "long_skirt")
    dye = look.skin if bare else look.legs
    for near in (False, True):
        mine = 1 if near else -1
        if pose.ahead:
            reach = -4.6 if pose.ahead == mine else 4.4
            knee, foot = (
                (reach * 0.55 - 0.6, length * 0.5),
                (reach, length - (1.4 if reach < 0 else 2.4)),
            )
        elif pose.lifted == mine:
            knee, foot = (-1.4, length * 0.5), (2.6, length - 3.6)
        else:
            knee, foot = (-0.2, length * 0.5), (0.2, length - 1.4)
        leg = b.lay(b.stroke([(0, 0), knee, foot], 4.2 + look.broad * 0.4), dye, lit=1, shaded=1)
        if look.lower == "shorts":
            leg = leg | b.lay(
                b.stroke([(0, 0), (knee[0] * 0.5, 2.4)], 4.6),
                look.legs,
                lit=1,
                shaded=1,
                edge=False,
            )
        x, y = foot
        tilt = 1 if pose.ahead and x > 0 else 0
        shoe = b.lay(
            b.area(
                [
                    (x - 3.8, y - 0.8 + tilt),
                    (x + 2, y - 1.4),
                    (x + 2.2, y + 1.4),
                    (x - 3.8, y + 1.4 + tilt),
                ],
                0,
            ),
            look.shoes,
            lit=0.8,
            shaded=1,
        )
        if not near:
            b.darken(leg | shoe)
    _skirt_side(b, look, length, 0.0 if not pose.ahead else 1.0)


def _skirt_side(b: Brush, look: Look, length: int, stride: float) -> None:
    if look.lower not in ("skirt", "long_skirt"):
        return
    hem = length - 2.6 if look.lower == "long_skirt" else 5.4
    dye = look.top if look.cut == "dress" else look.legs
    mask = b.lay(
        b.area([(-4, -2), (4, -2), (5 + stride, hem), (-5 - stride, hem)], 0), dye, lit=1, shaded=2
    )
    b.tint(mask & b.stroke([(0, 1), (1, hem)], 0.8), SHADE)


# arms, from the shoulders ------------------------------------------------------------------


def _arms(b: Brush, look: Look, pose: Pose, view: head.View) -> None:
    w = body.half_width(look)
    for side in (-1, 1):
        # An arm swings with the opposite leg.
        raised = 2 if pose.ahead == side else 0
        out = 1.6 if pose.ahead == 0 else 1.2
        points = [
            (side * (w - 0.4), 2.2),
            (side * (w + out), 6),
            (side * (w + out - (0.6 if pose.ahead == -side else 0)), 10 - raised),
        ]
        _arm(b, look, points)


def _side_arm(b: Brush, look: Look, pose: Pose, far: bool) -> None:
    swing = pose.ahead * (-1 if far else 1)
    points = [
        (0.6, 2.4),
        (0.6 + swing * 2.4, 6.2),
        (0.2 + swing * 4.8 - (0.6 if not swing else 0), 10 - abs(swing) * 0.8),
    ]
    mask_before = b.painted()
    _arm(b, look, points)
    if far:
        b.darken(b.painted() & ~mask_before)


def _arm(b: Brush, look: Look, points: list[tuple[float, float]]) -> None:
    x, y = points[-1]
    bare = body.BARE.get(look.cut)
    b.lay(b.oval(x, y + 0.6, 1.6, 1.6), look.skin, lit=0.8, shaded=1)
    b.lay(b.stroke(points, 3.4), body.sleeve(look), lit=1, shaded=1) if bare is None else b.lay(
        b.stroke(points, 3), look.skin, lit=1, shaded=1
    )
    if bare:
        b.lay(b.stroke(points[:2], 3.6), look.top, lit=1, shaded=1)
    if bare is None:
        b.flat(b.oval(x, y + 1.6, 1.4, 1.2), look.skin, BASE)


# the face ----------------------------------------------------------------------------------


def _face(b: Brush, look: Look, view: head.View) -> None:
    if view == "up":
        return
    brow = look.hair_dye if look.hair != "hijab" else "bark"
    eyes = ((-4, -1), (2, 1)) if view == "down" else ((-5, -1),)
    for x, side in eyes:
        b.flat(b.box(x, 0, x + 2, 3), look.eyes, DEEP)
        b.flat(b.box(x, 0, x + 2, 1), "ink_black", INK)
        b.flat(b.dots((x if side < 0 else x + 1, 2)), "chalk", LIGHT)
        b.flat(b.box(x, -2, x + 2, -1) & b.painted(), brow, SHADE)
        b.tint(b.dots((x, 3), (x + 1, 3)), LIGHT, look.skin)
    for x in (-6, 5) if view == "down" else (-3,):
        b.flat(b.dots((x, 3)) & (b.dye == NAMES.index(look.skin)), f"{look.skin} flush")
    if view == "down":
        b.tint(b.dots((0, 2), (0, 3)), SHADE, look.skin)
        b.flat(
            b.box(-1, 5, 1, 6),
            "wine" if "earrings" in look.extras or "necklace" in look.extras else look.skin,
            DEEP if look.beard != "full" else SHADE,
        )
    else:
        b.flat(b.dots((-5, 5)) & b.painted(), look.skin, DEEP)
