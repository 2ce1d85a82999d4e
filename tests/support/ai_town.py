"""A small town as AI Town writes it: two people, a map with a pond, figures in one image."""

from __future__ import annotations

import json
from pathlib import Path

WIDE, HIGH = 24, 20

PEOPLE = """import { data as wren } from './spritesheets/wren';
import { SpritesheetData } from './spritesheets/types';

export const Descriptions = [
  // {
  //   name: 'Nobody',
  // },
  {
    name: 'Wren',
    character: 'c1',
    identity: `Wren is a cheerful potter, and she can't stop talking about clay.
      She has known Oak for years.`,
    plan: 'You want to give a party at your place.',
  },
  { name: "Oak", character: 'c2', identity: 'Oak is a quiet forester who \\'reads\\' a lot. He likes his trees.', plan: "You want to be left alone." },
];

export const characters = [
  { name: 'c1', textureUrl: '/town/assets/figures.png', spritesheetData: wren, speed: 0.1 },
  { name: 'c2', textureUrl: '/town/assets/gone.png', spritesheetData: wren, speed: 0.1, },
];

export const fast = Descriptions.map((one) => one.name);
export const movementSpeed = 0.75;
"""


def write_ai_town(folder: Path) -> Path:
    """The folder of such a town; its images need Pillow."""
    from PIL import Image

    data, assets = folder / "data", folder / "public" / "assets"
    (data / "spritesheets").mkdir(parents=True)
    assets.mkdir(parents=True)
    (data / "characters.ts").write_text(PEOPLE, "utf-8")
    rows, steps = {"down": 0, "left": 1, "right": 2, "up": 3}, ("", "2", "3")
    frames = {
        f"{way}{step}": {"frame": {"x": 16 * at, "y": 16 * row, "w": 16, "h": 16}}
        for way, row in rows.items()
        for at, step in enumerate(steps)
    }
    (data / "spritesheets" / "wren.ts").write_text(
        f"export const data: SpritesheetData = {json.dumps({'frames': frames})};\n", "utf-8"
    )
    ground = [[0] * HIGH for _ in range(WIDE)]
    pond = [
        [1 if 2 <= column < 6 and 2 <= row < 5 else -1 for row in range(HIGH)]
        for column in range(WIDE)
    ]
    sizes = 'export const tilesetpath = "/town/assets/tiles.png"\nexport const tiledim = 16\nexport const tilesetpxw = 32\nexport const tilesetpxh = 16\n'
    layers = f"export const bgtiles = [{json.dumps(ground)}]\nexport const objmap = [{json.dumps(pond)},]\n"
    moving = "export const animatedsprites = [{ x: 0, y: 0, w: 16, h: 16, layer: 1, sheet: 'fire.json', animation: 'a' }, ]\n"
    (data / "brook.js").write_text(
        f"// made by a tool\n{sizes}{layers}{moving}export const mapwidth = bgtiles[0].length;\n",
        "utf-8",
    )
    tiles = Image.new("RGBA", (32, 16), (90, 160, 70, 255))
    tiles.paste((60, 90, 200, 255), (16, 0, 32, 16))
    tiles.save(assets / "tiles.png")
    figures = Image.new("RGBA", (48, 64))
    figures.paste((250, 20, 30, 255), (16, 0, 32, 16))
    figures.save(assets / "figures.png")
    return folder
