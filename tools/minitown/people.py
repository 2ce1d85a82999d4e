"""The residents: walking sprites and portraits."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from tools.minitown.canvas import Canvas


@dataclass(frozen=True)
class Look:
    hair: str
    top: str


LOOKS = {
    "chen_siyuan": Look("dark", "blue"), "lin_yue": Look("dark_wood", "yellow"), "zhang_wei": Look("dark", "green"),
    "wang_fang": Look("dark", "rose"), "zhao_gang": Look("grey", "dark"), "xiao_mei": Look("dark", "teal"),
}  # fmt: skip


def sprites(look: Look) -> Image.Image:
    """96 × 128 pixels: three frames of each of the directions down, left, right, up."""
    c = Canvas(96, 128)
    for row in range(4):
        for col in range(3):
            x, y = col * 32, row * 32
            c.block(x + 9, y + 14, x + 22, y + 29, look.top)
            c.oval(x + 7, y + 2, x + 24, y + 18, "skin")
            c.oval(x + 7, y + 1, x + 24, y + 10, look.hair)
    return c.image


def portrait(look: Look) -> Image.Image:
    c = Canvas(64, 64)
    c.block(10, 40, 53, 70, look.top, 8)
    c.oval(16, 10, 47, 46, "skin")
    c.oval(14, 6, 49, 26, look.hair)
    return c.image
