"""Pictures of a moment: the map with all residents, and beside it their activities and moods and
the goods in stores; or the part of the map around one resident.
"""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

from PIL import Image

from hometown.authoring.art.people.sprite import HEIGHT, WIDTH
from hometown.authoring.art.preview import Part, render
from hometown.errors import BadWorld
from hometown.history.lettering import INK, LINE, PAPER, SOFT, Colour, Lettering
from hometown.history.moment import ResidentMoment, StoreView, TownMoment
from hometown.world.maze import Tile
from hometown.world.pictures import decode_picture, scale_picture
from hometown.world.tiled import map_file

Box = tuple[float, float, float, float]

LONGEST, PANEL, MARGIN, HEAD = 1900, 520, 24, 76
"""Pixels: of the map's longer side, and of the panel beside it, the margin around it and the
heading above it.
"""

TALLEST, LOWEST, FACE = 88, 38, 64
"""Pixels of a resident's row beside the map, at most and at least, and of the face in it."""

ROOMY = 53
"""Pixels of a row from which on activity and place have separate lines."""

STORE, COLUMNS = 24, 3
"""Height in pixels of a line of the list of stores, and its number of columns."""

CROWD = 60
"""Number of residents above which the map has figures without names."""

EDGE, GLAD, EVEN, SAD = (255, 253, 246), (78, 160, 74), (168, 172, 160), (196, 74, 62)

NIGHT, DARKEST, LIGHT = (18, 26, 58), 0.45, (6.0, 20.0)
"""The colour blended over the map at night, its share, and the hours between which it is light;
dawn and dusk last an hour.
"""

TAG = 15
"""Pixels of the letters of names on the map."""

MAP_FIGURE, NEAR_FIGURE = 1.6, 1.1
"""Widths of a figure in tiles: on the whole map, where it would be too small to see, and on a part
of it.
"""

NEAR = (24, 13)
"""Columns and rows of the part of the map around a resident."""


def png(moment: TownMoment) -> bytes:
    """Return the picture as a PNG file.

    Raises:
        BadWorld: An image of the map cannot be read.
        OSError: The map or an image is missing.
    """
    town = _draw_town(moment.world, map_file(moment.world).stat().st_mtime, LONGEST)
    lines = -(-len(moment.stores) // COLUMNS)
    height = (
        max(
            HEAD + town.height + (lines * STORE + 44 if lines else 0),
            HEAD + len(moment.people) * LOWEST if len(moment.people) <= CROWD else 0,
        )
        + MARGIN
    )
    picture = Image.new("RGB", (MARGIN + town.width + PANEL, height), PAPER)
    picture.paste(_darken(town, moment.now.hour + moment.now.minute / 60), (MARGIN, HEAD))
    letters = Lettering(picture)
    letters.write((MARGIN, 12), moment.title, 30, INK, "Bold", most=town.width)
    letters.write((MARGIN, 48), moment.when, 17, SOFT)
    _draw_people(letters, moment, town.size)
    _draw_stores(letters, moment.stores, HEAD + town.height + 16, town.width)
    _draw_roster(letters, moment.people, MARGIN + town.width + 20, height - MARGIN)
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def webp_near(moment: TownMoment, tile: Tile) -> bytes:
    """Return the part of the map around a tile, with all who are awake there, and at night as dark
    as it is then, as a WebP file.

    Raises:
        BadWorld: An image of the map cannot be read.
        OSError: The map or an image is missing.
    """
    part = _part_around(tile, moment.size)
    town = render(moment.world, part=part).convert("RGB")
    picture = _darken(town, moment.now.hour + moment.now.minute / 60)
    letters, each = Lettering(picture), picture.width / part[2]
    for seen in sorted(moment.people, key=lambda seen: seen.tile[1]):
        if not seen.asleep and not seen.is_away:
            column, row = seen.tile[0] - part[0], seen.tile[1] - part[1]
            _draw_figure(
                letters, seen, ((column + 0.5) * each, (row + 1) * each), each, NEAR_FIGURE
            )
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=85)
    return buffer.getvalue()


def _part_around(tile: Tile, size: tuple[int, int]) -> Part:
    """Return the part of a map of `size`, of at most `NEAR` tiles, that has a tile in its middle,
    or nearer to its edge where the map ends.
    """
    columns, rows = (min(most, of) for most, of in zip(NEAR, size, strict=True))
    left = min(max(0, tile[0] - columns // 2), size[0] - columns)
    top = min(max(0, tile[1] - rows // 2), size[1] - rows)
    return left, top, columns, rows


@lru_cache(4)
def _draw_town(folder: Path, changed: float, longest: int) -> Image.Image:
    """Return the picture of the empty town, scaled to `longest` pixels on its longer side, and
    drawn once for each version of its map.
    """
    drawn = render(folder, 2 * longest).convert("RGB")
    return scale_picture(drawn, longest / max(drawn.size))


def _darken(town: Image.Image, hour: float) -> Image.Image:
    """Return the picture of the town as dark as it is at an hour, unchanged by day."""
    dawn, dusk = LIGHT
    dark = DARKEST * min(1.0, max(0.0, dawn - hour, hour - dusk))
    return Image.blend(town, Image.new("RGB", town.size, NIGHT), dark) if dark else town


# on the map --------------------------------------------------------------------------------


def _draw_people(letters: Lettering, moment: TownMoment, size: tuple[int, int]) -> None:
    """Draw all residents who are in town on the map, from back to front, and their names if there
    are at most CROWD of them; a line leads from a name to a figure that is not beside it.
    """
    each = size[0] / moment.size[0]
    spots = {
        seen: (MARGIN + (seen.tile[0] + 0.5) * each, HEAD + (seen.tile[1] + 1) * each)
        for seen in moment.people
        if not seen.is_away
    }
    for seen in sorted(spots, key=lambda seen: seen.tile[1]):
        _draw_figure(letters, seen, spots[seen], each, MAP_FIGURE)
    if len(spots) > CROWD:
        return
    taken: list[Box] = [(x - each, y - 1.8 * each, x + each, y) for x, y in spots.values()]
    for seen, (x, y) in spots.items():
        box = _find_label_box(letters, seen.name, x, y, each, taken)
        taken.append(box)
        middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
        if abs(middle[1] - y) + abs(middle[0] - x) > 2.5 * each + (box[2] - box[0]) / 2:
            letters.pen.line((*middle, x, y - each), _mood_colour(seen), 2)
        letters.pen.rounded_rectangle(box, 6, (*EDGE,), outline=_mood_colour(seen), width=2)
        letters.write((box[0] + 6, box[1] + 1), seen.name, TAG)


def _draw_figure(
    letters: Lettering,
    seen: ResidentMoment,
    at: tuple[float, float],
    each: float,
    width: float,
) -> None:
    """Draw a resident from the front, with a width in tiles of `each` pixels; a dot of the mood's
    colour if there is no readable sprite sheet.
    """
    x, y = at
    sheet = _open_figure(seen.sprite, round(width * each)) if seen.sprite else None
    if sheet:
        letters.picture.paste(sheet, (round(x - sheet.width / 2), round(y - sheet.height)), sheet)
    else:
        letters.pen.ellipse((x - each / 2, y - each, x + each / 2, y), _mood_colour(seen), EDGE, 2)


@lru_cache(256)
def _open_figure(file: Path, width: int) -> Image.Image | None:
    """Return the first figure of a sprite sheet, scaled to a width in pixels, 1 at least; None for
    an unreadable one.
    """
    try:
        sheet = decode_picture(file)
    except BadWorld:
        return None
    rows = sheet.height // 4
    figure = sheet.crop((0, 0, min(WIDTH, sheet.width), rows))
    return figure.resize(
        (max(1, width), max(1, round(width * rows / WIDTH)) if rows else HEIGHT),
        Image.Resampling.LANCZOS,
    )


def _find_label_box(
    letters: Lettering, name: str, x: float, y: float, each: float, taken: list[Box]
) -> Box:
    """Return the box for a name: below its figure, above or beside it, where it overlaps least with
    the boxes taken.
    """
    wide, high = letters.width(name, TAG) + 12, TAG + 8
    corners = [
        (x - wide / 2 + across * (wide / 2 + each), y + 2 + down * (high + 2))
        for down in (0, -3, -1, 1, -4, 2, -2, 3, -5, 4)
        for across in (0, 1, -1)
        if (across, down) not in ((0, -1), (0, -2))
    ]
    boxes = [_move_onto_map((left, top, left + wide, top + high), letters) for left, top in corners]
    return min(boxes, key=lambda box: sum(_overlap(box, other) for other in taken))


def _move_onto_map(box: Box, letters: Lettering) -> Box:
    """Return the box, moved by as little as brings it inside the map, except its lower edge."""
    left, top, right, bottom = box
    across = max(MARGIN - left, 0.0) or min(letters.picture.width - PANEL - right, 0.0)
    return left + across, max(top, HEAD), right + across, max(bottom, HEAD + bottom - top)


def _overlap(one: Box, other: Box) -> float:
    """Return the common area of two boxes in square pixels."""
    return max(0.0, min(one[2], other[2]) - max(one[0], other[0])) * max(
        0.0, min(one[3], other[3]) - max(one[1], other[1])
    )


def _mood_colour(seen: ResidentMoment) -> Colour:
    """Return the colour of a resident's mood: green for pleasure, red for displeasure, blended with
    grey by its strength (pure from 50 points on); grey without pleasure or feelings.
    """
    if not seen.pleasure:
        return EVEN
    full, share = (GLAD if seen.pleasure > 0 else SAD), min(1.0, abs(seen.pleasure) / 50)
    red, green, blue = (
        round(even + (most - even) * share) for even, most in zip(EVEN, full, strict=True)
    )
    return red, green, blue


# beside and below the map ------------------------------------------------------------------


def _draw_roster(
    letters: Lettering, people: tuple[ResidentMoment, ...], left: int, bottom: int
) -> None:
    """Draw, beside the map, face, name, mood, activity and place of as many residents as there is
    room for, in rows of `LOWEST` to `TALLEST` pixels.
    """
    row = max(LOWEST, min(TALLEST, (bottom - HEAD) // max(1, len(people))))
    shown = people[: (bottom - HEAD) // row]
    for number, seen in enumerate(shown):
        top, face = HEAD + number * row, min(FACE, row - 6)
        portrait = _open_portrait(seen.portrait, face) if seen.portrait else None
        if portrait:
            letters.picture.paste(portrait, (left, top), portrait)
        if seen.pleasure is not None:
            letters.pen.ellipse(
                (left + face - 9, top + face - 11, left + face + 3, top + face + 1),
                _mood_colour(seen),
                PAPER,
                2,
            )
        words, most = left + face + 14, PANEL - face - 54
        letters.write((words, top - 2), seen.name, 18, INK, "Bold", most)
        after = words + letters.width(seen.name, 18, "Bold") + 10
        letters.write(
            (after, top + 1), seen.mood, 15, _mood_colour(seen), most=max(1, words + most - after)
        )
        if row < ROOMY:
            line = " · ".join(filter(None, (seen.doing, seen.place)))
            letters.write((words, top + 20), line, 14, SOFT, most=most)
        else:
            letters.write((words, top + 19), seen.doing, 15, INK, most=most)
            letters.write((words, top + 37), seen.place, 14, SOFT, most=most)


@lru_cache(256)
def _open_portrait(file: Path, size: int) -> Image.Image | None:
    """Return a portrait, scaled to a size in pixels; None for an unreadable one."""
    try:
        return decode_picture(file).resize((size, size), Image.Resampling.LANCZOS)
    except BadWorld:
        return None


def _draw_stores(letters: Lettering, stores: tuple[StoreView, ...], top: int, width: int) -> None:
    """Draw the list of stores, in columns below the map."""
    lines, wide = -(-len(stores) // COLUMNS), width // COLUMNS
    for number, store in enumerate(stores):
        column, line = divmod(number, lines)
        left, at = MARGIN + column * wide, top + line * STORE
        if not line:
            letters.pen.line((left, at - 5, left + wide - 20, at - 5), LINE)
        letters.write((left, at), store.name, 15, INK, "Bold", wide * 0.42)
        after = left + min(letters.width(store.name, 15, "Bold"), wide * 0.42) + 10
        letters.write((after, at), store.goods, 15, SOFT, most=left + wide - 20 - after)
