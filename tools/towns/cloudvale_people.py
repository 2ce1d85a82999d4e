"""Looks of the residents of Cloud Vale."""

from __future__ import annotations

from hometown.authoring.art.people import Look

LOOKS: dict[str, Look] = {
    "su_qinglan": Look("porcelain", "bun", "silver", "coat", "sea", "charcoal", "long_skirt", inner="chalk", extras=("earrings",), mood="calm", ground="mint",
        aged=True),
    "fang_shan": Look("honey", "slick", "black", "coat", "forest", "charcoal", inner="linen", trim="sage", extras=("satchel",), beard="goatee", mood="calm",
        ground="sage"),
    "bai_zhi": Look("fair", "long", "black", "blouse", "mint", "sea", "long_skirt", trim="forest", extras=("necklace",), mood="stern", ground="sky"),
    "lin_xiaoyu": Look("peach", "braid", "black", "dress", "sage", "sage", "skirt", trim="lemon", extras=("scarf",), mood="grin", ground="lemon", tall=-1),
    "tie_niu": Look("tan", "buzz", "black", "waistcoat", "rust", "charcoal", inner="camel", trim="scarlet", extras=("headband",), beard="stubble",
        ground="sand", tall=1, broad=1),
    "lu_changfeng": Look("fair", "thin", "snow", "coat", "chalk", "slate", inner="sky", beard="full", mood="stern", ground="sky", tall=1, aged=True),
    "yan_ruoxue": Look("porcelain", "ponytail", "black", "coat", "sky", "navy", inner="chalk", trim="scarlet", extras=("headband",), mood="calm",
        ground="lilac", tall=1),
    "zhao_ming": Look("peach", "messy", "black", "shirt", "cream", "denim", trim="azure", extras=("scarf",), mood="grin", ground="sky"),
    "a_fu": Look("honey", "buzz", "espresso", "smock", "linen", "tweed", trim="cream", extras=("apron", "straw_hat"), mood="grin", ground="linen", broad=1),
    "qiu_niang": Look("fair", "low_bun", "black", "dress", "wine", "wine", "long_skirt", trim="gold", extras=("apron", "earrings"), mood="grin",
        ground="blush"),
    "lao_chen": Look("olive", "thin", "grey_hair", "jacket", "indigo", "charcoal", inner="linen", beard="goatee", extras=("round_glasses",), ground="linen",
        tall=-1, aged=True),
    "mo_li": Look("fair", "long", "black", "coat", "ink_black", "charcoal", inner="wine", trim="wine", extras=("straw_hat", "backpack"), mood="stern",
        ground="lilac"),
}  # fmt: skip
