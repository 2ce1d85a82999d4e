"""The residents: walking sprites and portraits, from one description of how each looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PIL import Image

from modules.art.canvas import INK, PALETTE, Canvas

Style = Literal["short", "neat", "bob", "bun", "plait", "thin"]
Facing = Literal["down", "left", "right", "up"]

FACINGS: tuple[Facing, ...] = ("down", "left", "right", "up")
"""The rows of a sprite sheet."""


@dataclass(frozen=True)
class Look:
    """`hair`, `top`, `legs` and `trim` are materials of the palette; `trim` colours what is worn over the top."""

    style: Style
    hair: str
    top: str
    legs: str
    trim: str = ""
    wears: Literal["", "apron", "scarf", "hood", "tie", "jacket"] = ""
    glasses: bool = False
    moustache: bool = False


# sprites -----------------------------------------------------------------------------------


def sprites(look: Look) -> Image.Image:
    """96 × 128 pixels: a row for each of down, left, right, up, of three frames: left foot, standing, right foot."""
    sheet = Image.new("RGBA", (96, 128))
    for row, facing in enumerate(FACINGS):
        for frame in range(3):
            picture = _frame(look, "left" if facing == "right" else facing, frame)
            if facing == "right":
                picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            sheet.paste(picture, (frame * 32, row * 32))
    return sheet


def _frame(look: Look, facing: Facing, frame: int) -> Image.Image:
    c = Canvas(32, 32)
    c.shadow(8, 26, 23, 31)
    bob = 0 if frame == 1 else 1
    _legs(c, look, facing, frame - 1)
    _body(c, look, facing, frame - 1, 16 - bob)
    _head(c, look, facing, 2 - bob)
    return c.image


def _legs(c: Canvas, look: Look, facing: Facing, step: int) -> None:
    for side, x in ((-1, 11), (1, 16)):
        lift = 2 if step == side else 0
        slide = step * side * 2 if facing == "left" else 0
        c.block(x + slide, 23, x + 4 + slide, 30 - lift, look.legs, 1)
        c.fill(x + slide, 29 - lift, x + 4 + slide, 30 - lift, "dark", 2)


def _body(c: Canvas, look: Look, facing: Facing, step: int, y: int) -> None:
    side = facing == "left"
    left, right = (11, 20) if side else (9, 22)
    for number, x in enumerate((left - 2, right - 1) if not side else (14,)):
        swing = step * (1 if number else -1)
        c.block(x, y + 1 + max(swing, 0), x + 3, y + 9 + swing, look.top, 1)
        c.fill(x + 1, y + 8 + swing, x + 2, y + 9 + swing, "skin")
    c.block(left, y, right, y + 10, look.top, 3)
    if side:
        c.block(14, y + 2 - step, 17, y + 9, look.top, 1)
    _worn(c, look, facing, (left, right), y)


def _worn(c: Canvas, look: Look, facing: Facing, sides: tuple[int, int], y: int) -> None:
    left, right = sides
    front = facing == "down"
    if look.wears == "apron" and facing != "up":
        c.fill(left + (0 if not front else 3), y + 3, right - (6 if not front else 3), y + 10, look.trim)
        c.line(left + 3, y + 1, left + 3, y + 3, look.trim, 1)
    elif look.wears == "scarf":
        c.fill(left + 1, y, right - 1, y + 2, look.trim)
        if front:
            c.fill(18, y + 2, 20, y + 7, look.trim, 2)
    elif look.wears == "tie" and front:
        c.fill(14, y + 1, 17, y + 3, "white", 0)
        c.fill(15, y + 2, 16, y + 8, look.trim)
    elif look.wears == "hood":
        c.fill(left + 1, y, right - 1, y + 1, look.trim)
        if front:
            c.line(14, y + 2, 14, y + 5, "white", 0)
            c.line(17, y + 2, 17, y + 5, "white", 0)
    elif look.wears == "jacket" and front:
        c.line(15, y + 1, 15, y + 9, look.trim, 0)
        c.dots([(17, y + 3), (17, y + 5), (17, y + 7)], "yellow", 0)


def _head(c: Canvas, look: Look, facing: Facing, y: int) -> None:
    hair = look.hair
    if look.style == "plait" and facing != "down":
        c.oval(19, y + 10, 24, y + 21, hair)
    if look.style == "bob":
        c.block(6, y + 3, 25, y + 15, hair, 6)
    c.oval(7, y, 24, y + 16, "skin")
    _hair(c, look, facing, y)
    if facing == "down":
        for x in (12, 19):
            c.fill(x, y + 9, x, y + 11, "dark", 2)
        c.dots([(10, y + 12), (11, y + 12), (20, y + 12), (21, y + 12)], "rose")
        c.line(15, y + 13, 16, y + 13, "red", 2)
    elif facing == "left":
        c.fill(10, y + 9, 10, y + 11, "dark", 2)
        c.dots([(12, y + 12), (13, y + 12)], "rose")
    if look.glasses and facing != "up":
        for x in (10, 17) if facing == "down" else (8,):
            c.pen.rectangle((x, y + 8, x + 4, y + 12), outline=INK)
        if facing == "down":
            c.line(14, y + 10, 17, y + 10, "dark", 2)
    if look.moustache and facing == "down":
        c.line(13, y + 12, 18, y + 12, "metal", 0)


def _hair(c: Canvas, look: Look, facing: Facing, y: int) -> None:
    """The hair over the face: a cap from the crown to the brow, all of the head from behind."""
    light, base, _ = PALETTE[look.hair]
    thin = look.style == "thin"
    c.pen.pieslice((7, y, 24, y + 12), 180, 360, base)
    c.pen.arc((7, y, 24, y + 16), 180, 360, INK)
    if facing == "up":
        c.oval(7, y, 24, y + 15 - (2 if thin else 0), look.hair)
    elif not thin:
        c.pen.rectangle((8, y + 5, 23, y + 7), base)
        c.pen.rectangle((8, y + 5, 8, y + 10), base)
    if facing in ("down", "up") and not thin:
        c.pen.rectangle((23, y + 5, 23, y + 10), base)
    if facing == "left":
        c.pen.rectangle((17, y + 5, 23, y + (11 if not thin else 9)), base)
    if look.style == "neat" and facing == "down":
        c.line(11, y + 7, 15, y + 4, look.hair, 0)
    if look.style == "bun":
        c.oval(12, y - 2, 19, y + 4, look.hair)
        c.dots([(18, y + 1), (19, y + 2)], "rose", 0)
    if look.style == "plait" and facing == "down":
        c.oval(22, y + 10, 26, y + 21, look.hair)
        c.fill(23, y + 18, 25, y + 19, "red")
    c.pen.line((11, y + 2, 16, y + 1), light)


# portraits ---------------------------------------------------------------------------------


def portrait(look: Look) -> Image.Image:
    """64 × 64 pixels: head and shoulders before a plain ground."""
    c = Canvas(64, 64)
    ground = {"blue": "water", "yellow": "paper", "green": "grass", "rose": "white", "dark": "path", "teal": "cafe"}[look.top]
    c.block(0, 0, 63, 63, ground, 8, outline=False)
    if look.style in ("bob", "plait"):
        c.block(11, 14, 52, 50 if look.style == "bob" else 40, look.hair, 16)
    c.block(8, 47, 55, 72, look.top, 12)
    c.block(26, 40, 37, 52, "skin", 3)
    _portrait_clothes(c, look)
    c.oval(9, 26, 16, 36, "skin")
    c.oval(47, 26, 54, 36, "skin")
    c.block(13, 10, 50, 47, "skin", 16)
    _portrait_hair(c, look)
    _portrait_face(c, look)
    return c.image.crop((0, 0, 64, 64))


def _portrait_clothes(c: Canvas, look: Look) -> None:
    if look.wears == "apron":
        c.block(20, 54, 43, 70, look.trim, 2)
        for x in (21, 40):
            c.fill(x, 48, x + 2, 55, look.trim)
    elif look.wears == "scarf":
        c.block(19, 46, 44, 55, look.trim, 5)
        c.block(36, 52, 43, 68, look.trim, 2)
    elif look.wears == "tie":
        c.pen.polygon([(25, 48), (38, 48), (32, 58)], fill=PALETTE["white"][0], outline=INK)
        c.block(29, 51, 34, 70, look.trim, 2)
    elif look.wears == "hood":
        c.block(15, 45, 48, 54, look.trim, 5)
        for x in (27, 36):
            c.line(x, 54, x, 62, "white", 0, 2)
    else:
        c.line(31, 50, 31, 63, look.trim, 0, 2)
        c.pen.polygon([(24, 47), (31, 54), (38, 47)], fill=PALETTE["white"][0], outline=INK)
        c.disc(36, 60, 1, "yellow", 0)


def _portrait_hair(c: Canvas, look: Look) -> None:
    light, base, _ = PALETTE[look.hair]
    if look.style == "thin":
        c.pen.chord((12, 8, 51, 40), 205, 335, base)
        c.pen.arc((12, 8, 51, 40), 205, 335, INK)
        for x in (11, 48):
            c.block(x, 20, x + 4, 31, look.hair, 2)
        c.pen.arc((17, 9, 46, 34), 215, 265, light, 2)
        return
    if look.style == "bun":
        c.oval(22, 0, 41, 15, look.hair)
        c.disc(41, 12, 4, "rose", 1, outline=True)
    c.pen.pieslice((10, 4, 53, 44), 180, 360, base, INK)
    fringe = {
        "short": [(12, 24), (16, 30), (22, 22), (28, 29), (34, 22), (41, 29), (46, 22), (51, 28), (51, 20), (12, 20)],
        "neat": [(12, 25), (13, 32), (20, 22), (44, 20), (50, 32), (51, 20), (12, 20)],
        "bob": [(12, 22), (12, 36), (17, 28), (46, 28), (51, 36), (51, 20), (12, 20)],
        "bun": [(12, 24), (13, 34), (24, 24), (32, 18), (40, 24), (50, 34), (51, 20), (12, 20)],
        "plait": [(12, 24), (13, 34), (19, 27), (30, 26), (33, 22), (40, 27), (50, 34), (51, 20), (12, 20)],
    }[look.style]
    c.pen.polygon(fringe, fill=base)
    c.pen.arc((18, 8, 45, 34), 210, 265, light, 3)
    if look.style == "plait":
        for n, y in enumerate((40, 47, 54)):
            c.oval(48 + n, y, 57 + n, y + 9, look.hair)
        c.block(50, 58, 59, 62, "red", 1)


def _portrait_face(c: Canvas, look: Look) -> None:
    brow = "metal" if look.style == "thin" else look.hair
    for x in (22, 41):
        c.line(x - 4, 27, x + 3, 27, brow, 2, 2)
        c.oval(x - 2, 31, x + 2, 37, "dark", 2, outline=False)
        c.dots([(x - 1, 32), (x, 32), (x - 1, 33)], "white", 0)
        c.oval(x - 6 if x < 32 else x + 1, 38, x - 1 if x < 32 else x + 6, 41, "rose", 0, outline=False)
    c.line(31, 36, 30, 39, "skin", 2)
    c.pen.arc((26, 37, 37, 44), 20, 160, PALETTE["red"][2], 2)
    if look.glasses:
        for x in (15, 34):
            c.pen.rounded_rectangle((x, 29, x + 13, 39), 4, outline=INK, width=2)
        c.line(28, 33, 34, 33, "dark", 2, 2)
    if look.moustache:
        c.block(25, 38, 38, 41, "metal", 1, outline=False)
    if look.style == "thin":
        for x in (16, 44):
            c.line(x, 43, x + 2, 45, "skin", 2)
