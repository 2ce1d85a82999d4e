"""Looks of the residents of the farmstead."""

from __future__ import annotations

from hometown.authoring.art.people import Look

LOOKS: dict[str, Look] = {
    "ada": Look("peach", "low_bun", "chestnut", "blouse", "forest", "cocoa", "long_skirt", trim="linen", extras=("apron",), mood="calm", ground="sage"),
    "bert": Look("fair", "short", "brown_hair", "waistcoat", "tweed", "bark", inner="linen", trim="mustard", extras=("straw_hat",), beard="full",
        mood="stern", ground="sand", tall=1, broad=1),
    "cora": Look("fair", "braid", "auburn", "dungarees", "denim", "denim", inner="lemon", trim="coral", extras=("scarf",), eyes="forest", mood="grin",
        ground="lemon"),
    "dirk": Look("olive", "messy", "black", "shirt", "rust", "charcoal", trim="cream", extras=("satchel",), beard="stubble", eyes="bark", mood="calm",
        ground="mustard", tall=1),
    "edda": Look("porcelain", "bun", "snow", "cardigan", "wine", "slate", "long_skirt", inner="cream", trim="blush", extras=("round_glasses", "necklace"),
        eyes="denim", ground="blush", tall=-2, aged=True),
    "finn": Look("peach", "thin", "grey_hair", "smock", "linen", "slate", trim="cream", beard="moustache", eyes="denim", mood="stern", ground="linen",
        broad=1, aged=True),
    "gwen": Look("fair", "ponytail", "blond", "shirt", "azure", "camel", trim="cream", extras=("apron",), eyes="azure", mood="calm", ground="sky"),
    "hugo": Look("honey", "bald", "espresso", "smock", "chalk", "navy", trim="scarlet", extras=("cap",), beard="goatee", eyes="bark", mood="grin",
        ground="cream", broad=1),
    "iris": Look("tan", "curls", "black", "dress", "coral", "coral", "skirt", trim="chalk", extras=("apron", "earrings"), eyes="bark", mood="grin",
        ground="blush"),
    "jack": Look("brown", "curly", "black", "tee", "cream", "denim", trim="wine", extras=("stripes", "beanie"), eyes="bark", ground="lilac", tall=-1,
        broad=-1),
    "kate": Look("fair", "wavy", "ginger", "coat", "moss", "bark", inner="cream", trim="sand", extras=("straw_hat",), eyes="forest", mood="calm",
        ground="mint"),
    "liam": Look("fair", "mop", "ginger", "waistcoat", "fern", "tweed", inner="sky", trim="brick", extras=("scarf",), eyes="forest", mood="grin",
        ground="sage", tall=1, broad=-1),
}  # fmt: skip
