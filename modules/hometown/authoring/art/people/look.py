"""The appearance of a resident, from which sprite and portrait are painted."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final, Literal, get_args

from hometown.authoring.art.people.dyes import CLOTHS

Hair = Literal[
    "bald",
    "thin",
    "buzz",
    "short",
    "parted",
    "quiff",
    "messy",
    "slick",
    "mop",
    "pixie",
    "curly",
    "afro",
    "locs",
    "bob",
    "long",
    "wavy",
    "curls",
    "bun",
    "low_bun",
    "ponytail",
    "braid",
    "hijab",
]
Cut = Literal[
    "tee",
    "tank",
    "shirt",
    "sweater",
    "turtleneck",
    "blouse",
    "hoodie",
    "jacket",
    "blazer",
    "coat",
    "cardigan",
    "waistcoat",
    "dress",
    "smock",
    "dungarees",
]
Lower = Literal["trousers", "shorts", "skirt", "long_skirt"]
Beard = Literal["", "stubble", "moustache", "goatee", "full"]
Extra = Literal[
    "apron",
    "scarf",
    "tie",
    "bow_tie",
    "glasses",
    "round_glasses",
    "headphones",
    "camera",
    "beret",
    "cap",
    "beanie",
    "straw_hat",
    "headband",
    "backpack",
    "satchel",
    "earrings",
    "necklace",
    "stripes",
    "splashes",
]
Mood = Literal["smile", "grin", "calm", "stern"]


@dataclass(frozen=True)
class Look:
    """The appearance of a resident.

    Colours are names of `dyes.DYES`: `inner` is the garment below an open jacket, a waistcoat or
    dungarees, `trim` the apron, scarf, tie, hat or stripes.

    `tall` is −2 to 1 pixels of a sprite, `broad` −1 to 1 on each side; `hair_dye` also colours the
    beard.
    """

    skin: str
    hair: Hair
    hair_dye: str
    cut: Cut
    top: str
    legs: str
    lower: Lower = "trousers"
    inner: str = "chalk"
    trim: str = "scarlet"
    extras: tuple[Extra, ...] = ()
    beard: Beard = ""
    shoes: str = "bark"
    eyes: str = "cocoa"
    mood: Mood = "smile"
    ground: str = "sand"
    tall: int = 0
    broad: int = 0
    aged: bool = False


_SKIN: Final = (
    ("fair", "porcelain", "peach"),
    ("honey", "olive", "tan"),
    ("brown", "umber", "ebony"),
)
_HAIR: Final = (
    ("brown_hair", "chestnut", "auburn", "ginger", "honey_hair", "blond", "black"),
    ("black", "espresso", "brown_hair"),
    ("black", "espresso"),
)
_HEADS: Final = (
    (
        "short",
        "parted",
        "quiff",
        "messy",
        "slick",
        "mop",
        "curly",
        "pixie",
        "bob",
        "long",
        "wavy",
        "curls",
        "bun",
        "low_bun",
        "ponytail",
        "braid",
    ),
    (
        "short",
        "parted",
        "quiff",
        "messy",
        "slick",
        "mop",
        "bob",
        "long",
        "wavy",
        "bun",
        "low_bun",
        "ponytail",
        "braid",
        "hijab",
    ),
    ("buzz", "afro", "locs", "curly", "short", "curls", "bun", "hijab", "bald"),
)
_BEARDED: Final = ("bald", "thin", "buzz", "short", "parted", "quiff", "messy", "slick")
_SKIRTED: Final = ("bob", "long", "wavy", "curls", "bun", "low_bun", "ponytail", "braid", "hijab")
_SHE: Final = ("she", "她")
_RARE: Final = dict.fromkeys(_SHE, ("bald", "thin", "buzz", "slick")) | dict.fromkeys(
    ("he", "他"), (*_SKIRTED, "pixie")
)
"""Heads that are not drawn for a pronoun, in the languages of worlds."""
_BRIGHT: Final = tuple(
    name
    for name in CLOTHS
    if name not in ("ink_black", "bark", "leather", "gold", "steel", "chalk", "lemon", "scarlet")
)
_SOBER: Final = (
    "charcoal",
    "navy",
    "denim",
    "slate",
    "cocoa",
    "bark",
    "tweed",
    "camel",
    "forest",
    "wine",
)
_PALE: Final = ("cream", "chalk", "linen", "sky", "blush", "sage")


def look_for(who: str, pronoun: str = "") -> Look:
    """Return a look for a resident without pictures; the same id and pronoun always give the same
    look.

    Residents with the pronoun "she" have no beard, and are neither bald nor close-cropped;
    residents with "he" have no long hair, skirt, dress or blouse, and all others may have any look.
    """
    dice = random.Random(who)
    family = dice.randrange(len(_SKIN))
    heads: list[Hair] = [head for head in _HEADS[family] if head not in _RARE.get(pronoun, ())]
    hair: Hair = dice.choice(heads)
    aged = dice.random() < 0.15
    skirted = hair in _SKIRTED and dice.random() < 0.5
    bearded = hair in _BEARDED and pronoun not in _SHE and dice.random() < 0.45
    unworn = ("smock",) if hair in _SKIRTED else ("smock", "dress", "blouse")
    cut = dice.choice([cut for cut in get_args(Cut) if cut not in unworn])
    extras = _extras(dice, hair)
    top = dice.choice(_BRIGHT)
    return Look(
        skin=dice.choice(_SKIN[family]),
        hair=hair,
        hair_dye=(
            dice.choice(("grey_hair", "silver", "snow")) if aged else dice.choice(_HAIR[family])
        )
        if hair != "hijab"
        else dice.choice(_BRIGHT),
        cut=cut,
        top=top,
        legs=dice.choice([dye for dye in _SOBER if dye != top]),
        lower=dice.choice(("skirt", "long_skirt")) if skirted else "trousers",
        inner=dice.choice([dye for dye in _PALE if dye != top]),
        trim=dice.choice([dye for dye in _BRIGHT if dye != top]),
        extras=extras,
        beard=dice.choice(("stubble", "moustache", "goatee", "full")) if bearded else "",
        shoes=dice.choice(("bark", "charcoal", "leather", "wine")),
        eyes=dice.choice(("cocoa", "bark", "forest", "denim")) if family == 0 else "bark",
        mood=dice.choice(get_args(Mood)),
        ground=dice.choice(("sand", "sage", "sky", "blush", "lilac", "mint", "mustard", "linen")),
        tall=dice.randint(-2, 1),
        broad=dice.randint(-1, 1),
        aged=aged,
    )


def _extras(dice: random.Random, hair: Hair) -> tuple[Extra, ...]:
    chances: dict[Extra, float] = {
        "glasses": 0.15,
        "round_glasses": 0.1,
        "scarf": 0.1,
        "satchel": 0.08,
        "stripes": 0.1,
        "earrings": 0.25 if hair in _SKIRTED and hair != "hijab" else 0,
    }
    extras: list[Extra] = []
    for extra, chance in chances.items():
        if dice.random() < chance and not (extra == "round_glasses" and "glasses" in extras):
            extras.append(extra)
    return tuple(extras)
