"""Decorations along the streets of the Ville, on its square, in its park and on its allotments."""

from __future__ import annotations

from tools.towns.blueprint import At

OUTDOOR_DECOR: list[tuple[str, At]] = [
    ("sign_cafe", (70, 40)), ("sign_pub", (101, 63)), ("sign_tools", (37, 42)), ("sign_college", (116, 16)), ("sign_art", (72, 15)), ("parasol", (65, 41)),
    ("parasol", (78, 41)), ("flower_pots", (69, 41)), ("flower_pots", (76, 41)), ("flower_pots", (36, 50)), ("flower_pots", (48, 50)), ("lamp", (61, 55)),
    ("lamp", (83, 55)), ("lamp", (66, 64)), ("lamp", (78, 64)), ("lamp", (86, 43)), ("lamp", (86, 33)), ("lamp", (111, 23)), ("lamp", (117, 23)),
    ("lamp", (90, 74)), ("lamp", (117, 73)), ("lamp", (122, 89)), ("lamp", (82, 85)), ("lamp", (74, 82)), ("lamp", (79, 71)), ("lamp", (57, 26)),
    ("lamp", (38, 25)), ("lamp", (22, 25)), ("lamp", (29, 71)), ("lamp", (33, 85)), ("lamp", (56, 85)), ("lantern", (68, 54)), ("lantern", (75, 54)),
    ("lantern", (68, 58)), ("lantern", (75, 58)), ("flower_pots", (70, 49)), ("flower_pots", (73, 49)), ("flower_cart", (77, 52)),
    ("flower_cart", (44, 44)), ("well", (26, 86)), ("signpost", (27, 51)), ("signpost", (84, 44)), ("log", (79, 90)), ("hay", (48, 28)),
    ("scarecrow", (40, 29)), ("cabbages", (34, 27)), ("cabbages", (37, 27)), ("pumpkins", (41, 27)), ("pumpkins", (44, 27)), ("sunflowers", (34, 30)),
    ("sunflowers", (37, 30)), ("cabbages", (42, 30)), ("pumpkins", (34, 29)), ("cabbages", (37, 29)), ("sunflowers", (43, 29)), ("pumpkins", (34, 28)),
    ("cabbages", (42, 28)), ("barrel", (47, 26)), ("sacks", (32, 31)), ("mosaic", (69, 54)), ("clock_post", (72, 62)), ("statue", (71, 50)),
    ("stall_fruit", (76, 57)), ("stall_bread", (79, 57)), ("stall_cloth", (82, 57)), ("square_tree", (64, 56)), ("square_tree", (64, 59)),
    ("square_tree", (67, 50)), ("square_tree", (77, 50)), ("square_tree", (70, 63)), ("square_tree", (75, 64)), ("planter_wide", (67, 63)),
    ("planter_wide", (74, 59)), ("planter", (68, 52)), ("planter", (75, 52)), ("bunting", (68, 53)), ("bicycle", (63, 65)), ("a_board", (85, 44)),
    ("post_market", (38, 50)), ("post_pharmacy", (51, 50)), ("post_pub", (103, 51)), ("bicycle", (105, 51)), ("planter_wide", (94, 51)),
    ("planter_wide", (108, 51)), ("a_board", (99, 51)), ("bicycle", (53, 50)), ("post_college", (113, 21)), ("planter_wide", (112, 18)), ("boat", (96, 80)),
    ("boat", (108, 86)), ("ducks", (104, 79)), ("ducks", (95, 85)), ("ducks", (110, 81)), ("ducks", (106, 84)), ("ducks", (36, 68)), ("picnic", (119, 79)),
    ("picnic", (84, 89)), ("picnic", (128, 81)), ("picnic", (90, 77)), ("topiary", (91, 70)), ("topiary", (97, 70)), ("planter_wide", (98, 70)),
    ("planter_wide", (106, 70)), ("barrel", (86, 61)), ("barrel", (86, 62)), ("crate", (58, 61)), ("crate", (58, 62)), ("barrel", (53, 38)),
    ("crate", (53, 40)),
]  # fmt: skip
