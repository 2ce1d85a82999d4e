"""Sprites and portraits of residents: with the look that their file gives, or else with one derived
from the id and fitting the pronouns.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import TypeAdapter, ValidationError

from hometown.authoring.art.people import Look, look_for, portrait, sprites
from hometown.authoring.art.people.dyes import CLOTHS, HAIRS, SKINS
from hometown.authoring.art.people.look import Beard, Cut, Extra, Hair, Lower, Mood
from hometown.errors import BadWorld

LOOKS: Mapping[str, tuple[str, ...]] = {
    "skin": tuple(SKINS),
    "hair": get_args(Hair),
    "hair_dye": (*HAIRS, *CLOTHS),
    "beard": get_args(Beard),
    "cut": get_args(Cut),
    "top": tuple(CLOTHS),
    "lower": get_args(Lower),
    "legs": tuple(CLOTHS),
    "extras": get_args(Extra),
    "mood": get_args(Mood),
    "ground": tuple(CLOTHS),
    "inner": tuple(CLOTHS),
    "trim": tuple(CLOTHS),
    "shoes": tuple(CLOTHS),
    "eyes": (*CLOTHS, *HAIRS),
}
"""The values of each part of a look that has names."""


def draw_people(folder: Path, residents: Mapping[str, Any]) -> None:
    """Write `sprites/<id>.png` and `portraits/<id>.png` into a world folder; `residents` are the
    contents of their files by id. Raises BadWorld for an impossible look.
    """
    for kind in ("sprites", "portraits"):
        (folder / kind).mkdir(exist_ok=True)
    for who, given in residents.items():
        pronoun = next(iter(given["pronouns"].values()))[0]
        look = read_look(given["look"]) if given.get("look") else look_for(who, pronoun)
        sprites(look).save(folder / "sprites" / f"{who}.png", optimize=True)
        portrait(look).save(folder / "portraits" / f"{who}.png", optimize=True)


def read_look(given: object) -> Look:
    """Return a look written as JSON. Raises BadWorld where a part of it is unknown or impossible."""
    try:
        look = TypeAdapter(Look).validate_python(given)
    except ValidationError as error:
        first = error.errors()[0]
        raise BadWorld(
            "{value} is not possible for {part!r} of a look",
            value=str(first["input"])[:60],
            part=".".join(map(str, first["loc"])),
        ) from None
    for part, known in LOOKS.items():
        value = getattr(look, part)
        for each in value if part == "extras" else (value,):
            if each not in known:
                raise BadWorld(
                    "{value} is not possible for {part!r} of a look",
                    value=str(each)[:60],
                    part=part,
                )
    return look
