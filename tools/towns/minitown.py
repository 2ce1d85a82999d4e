"""Minitown: six residents, a café, a square, a library, a studio, a flower shop, a park."""

from __future__ import annotations

from pathlib import Path

from hometown.authoring.art.people import Look
from hometown.authoring.art.plan import Placed, Plan, Room

GROUND = Path(__file__).with_suffix(".txt").read_text("utf-8").split()

SECTORS = [
    Room("chen_home", "Chen Siyuan's flat", "陈思远的家", (2, 1, 13, 10)),
    Room("lin_home", "Lin Yue's cottage", "林悦的家", (21, 1, 14, 10)),
    Room("zhang_home", "Zhang Wei's home", "张伟的家", (41, 1, 13, 10)),
    Room("zhao_home", "the Zhao family home", "赵家小院", (2, 33, 13, 12)),
    Room("wang_home", "Wang Fang's home", "王芳的家", (39, 39, 17, 6)),
    Room("flower_shop", "Fang's Flowers", "芳邻花店", (39, 33, 17, 6)),
    Room("studio", "Innovation Studio", "创新工作室", (2, 14, 14, 14)),
    Room("cafe", "Starlight Café", "星光咖啡店", (20, 14, 16, 8)),
    Room("square", "the town square", "小镇广场", (20, 22, 16, 8)),
    Room("library", "the community library", "社区图书馆", (40, 14, 14, 14)),
    Room("park", "the community park", "社区公园", (19, 32, 18, 13)),
]


def _home(address: str, en: str, zh: str, rect: tuple[int, int, int, int], tags: str) -> Room:
    return Room(address, en, zh, rect, f"home, {tags}", public=False)


ARENAS = [
    _home("chen_home/bedroom", "bedroom", "卧室", (3, 2, 4, 4), "bedroom"),
    _home("chen_home/bathroom", "bathroom", "浴室", (3, 7, 4, 3), "bathroom"),
    _home("chen_home/living", "living room", "客厅", (8, 2, 6, 8), "living, kitchen"),
    _home("lin_home/living", "living room", "客厅", (22, 2, 6, 8), "living, kitchen"),
    _home("lin_home/bedroom", "bedroom", "卧室", (29, 2, 5, 4), "bedroom"),
    _home("lin_home/bathroom", "bathroom", "浴室", (29, 7, 5, 3), "bathroom"),
    _home("zhang_home/living", "living room", "客厅", (42, 2, 6, 8), "living, kitchen"),
    _home("zhang_home/bedroom", "bedroom", "卧室", (49, 2, 4, 4), "bedroom"),
    _home("zhang_home/bathroom", "bathroom", "浴室", (49, 7, 4, 3), "bathroom"),
    _home("zhao_home/grandpa_room", "Zhao Gang's room", "赵刚的房间", (3, 34, 4, 4), "bedroom"),
    _home("zhao_home/mei_room", "Xiao Mei's room", "小美的房间", (3, 39, 4, 5), "bedroom"),
    _home("zhao_home/living", "living room", "堂屋", (8, 34, 6, 6), "living, kitchen"),
    _home("zhao_home/bathroom", "bathroom", "浴室", (8, 41, 6, 3), "bathroom"),
    _home("wang_home/living", "living room", "客厅", (40, 40, 6, 4), "living, kitchen"),
    _home("wang_home/bedroom", "bedroom", "卧室", (47, 40, 4, 4), "bedroom"),
    _home("wang_home/bathroom", "bathroom", "浴室", (52, 40, 3, 4), "bathroom"),
    Room("flower_shop/shop", "shop", "店堂", (40, 34, 6, 5), "shop, flowers, work"),
    Room("flower_shop/garden", "garden", "花园", (47, 34, 8, 5), "garden, flowers, outdoor"),
    Room("studio/workspace", "open workspace", "开放办公区", (3, 15, 12, 7), "work, office"),
    Room("studio/meeting", "meeting room", "会议室", (3, 23, 6, 4), "work, meet", public=False),
    Room("studio/pantry", "pantry", "茶水间", (10, 23, 5, 4), "work, coffee", public=False),
    Room("cafe/main", "Starlight Café", "星光咖啡店", (21, 15, 14, 6), "cafe"),
    Room("square/plaza", "the town square", "小镇广场", (20, 22, 16, 8), "square, outdoor, market"),
    Room("library/hall", "reading hall", "阅览大厅", (41, 15, 12, 7), "library, quiet"),
    Room("library/activity", "activity room", "活动室", (41, 23, 12, 4), "library, meet"),
    Room("park/grounds", "the community park", "社区公园", (19, 32, 18, 13), "park, outdoor"),
]

DECOR = [
    ("plant", (10, 2)), ("rug", (9, 6)), ("plant", (13, 9)), ("plant", (27, 9)), ("rug_blue", (23, 6)), ("plant", (33, 5)), ("plant", (42, 9)),
    ("rug_green", (43, 6)), ("plant", (52, 5)), ("plant", (13, 39)), ("plant", (40, 43)), ("plant", (3, 15)), ("plant", (14, 21)), ("plant", (8, 26)),
    ("plant", (34, 15)), ("plant", (21, 20)), ("plant", (34, 20)), ("plant", (52, 15)), ("plant", (52, 26)), ("plant", (41, 26)), ("lamp", (19, 23)),
    ("lamp", (36, 23)), ("lamp", (19, 29)), ("lamp", (36, 29)), ("lamp", (16, 11)), ("lamp", (39, 11)), ("lamp", (26, 32)), ("lamp", (29, 32)),
    ("lantern", (23, 22)), ("lantern", (32, 22)), ("lantern", (23, 29)), ("lantern", (32, 29)), ("rug_green", (42, 24)), ("painting", (5, 1)),
    ("wall_shelf", (4, 6)), ("wall_lamp", (9, 1)), ("clock", (12, 1)), ("painting", (30, 1)), ("wall_lamp", (24, 1)), ("wall_shelf", (30, 6)),
    ("clock", (26, 1)), ("wall_lamp", (44, 1)), ("clock", (47, 1)), ("painting", (51, 1)), ("wall_shelf", (51, 6)), ("wall_lamp", (9, 33)),
    ("painting", (5, 33)), ("banner", (11, 33)), ("painting", (5, 38)), ("wall_shelf", (11, 40)), ("wall_lamp", (42, 39)), ("painting", (48, 39)),
    ("wall_lamp", (50, 39)), ("wall_lamp", (41, 33)), ("wall_lamp", (45, 33)), ("wall_lamp", (24, 14)), ("wall_lamp", (29, 14)), ("wall_lamp", (33, 14)),
    ("painting", (30, 14)), ("clock", (11, 14)), ("wall_lamp", (5, 14)), ("wall_lamp", (14, 14)), ("wall_lamp", (44, 14)),
    ("wall_lamp", (51, 14)), ("painting_wide", (47, 14)), ("painting", (49, 22)), ("wall_lamp", (51, 22)), ("sign_cafe", (29, 21)), ("lily", (22, 41)),
    ("lily", (24, 42)), ("reeds", (20, 42)),
]  # fmt: skip
"""Decorations."""

THINGS = [
    # Chen Siyuan
    Placed("chen_home/bedroom/bed", "bed", (3, 2)),
    Placed("chen_home/bedroom/wardrobe", "wardrobe", (6, 2)),
    Placed("chen_home/bedroom/bookshelf", "bookshelf", (5, 5)),
    Placed("chen_home/bathroom/sink", "sink", (4, 7)),
    Placed("chen_home/bathroom/shower", "shower", (3, 9)),
    Placed("chen_home/bathroom/toilet", "toilet", (6, 7)),
    Placed("chen_home/living/stove", "stove", (12, 2)),
    Placed("chen_home/living/kitchen_sink", "kitchen_sink", (11, 2)),
    Placed("chen_home/living/fridge", "fridge", (13, 2)),
    Placed("chen_home/living/dining_table", "dining_table", (11, 5)),
    Placed("chen_home/living/sofa", "sofa", (9, 9)),
    Placed("chen_home/living/desk", "desk", (8, 2), "computer desk", "电脑桌"),
    # Lin Yue
    Placed("lin_home/bedroom/bed", "bed", (32, 2)),
    Placed("lin_home/bedroom/wardrobe", "wardrobe", (29, 2)),
    Placed("lin_home/bedroom/armchair", "armchair", (33, 2)),
    Placed("lin_home/bathroom/sink", "sink", (30, 7)),
    Placed("lin_home/bathroom/shower", "shower", (33, 7)),
    Placed("lin_home/bathroom/toilet", "toilet", (33, 9)),
    Placed("lin_home/living/stove", "stove", (23, 2)),
    Placed("lin_home/living/kitchen_sink", "kitchen_sink", (24, 2)),
    Placed("lin_home/living/fridge", "fridge", (22, 2)),
    Placed("lin_home/living/dining_table", "dining_table", (22, 5)),
    Placed("lin_home/living/sofa", "sofa", (25, 9)),
    Placed("lin_home/living/desk", "desk", (26, 2), "drawing desk", "绘图桌"),
    Placed("lin_home/living/easel", "easel", (22, 7)),
    # Zhang Wei
    Placed("zhang_home/bedroom/bed", "bed", (52, 2)),
    Placed("zhang_home/bedroom/wardrobe", "wardrobe", (49, 2)),
    Placed("zhang_home/bedroom/armchair", "armchair", (50, 2)),
    Placed("zhang_home/bathroom/sink", "sink", (50, 7)),
    Placed("zhang_home/bathroom/shower", "shower", (52, 9)),
    Placed("zhang_home/bathroom/toilet", "toilet", (52, 7)),
    Placed("zhang_home/living/stove", "stove", (43, 2)),
    Placed("zhang_home/living/kitchen_sink", "kitchen_sink", (44, 2)),
    Placed("zhang_home/living/fridge", "fridge", (42, 2)),
    Placed("zhang_home/living/dining_table", "dining_table", (42, 5)),
    Placed("zhang_home/living/desk", "desk", (46, 2), "study desk", "书桌"),
    Placed("zhang_home/living/bookshelf", "bookshelf", (46, 6), "physics bookshelf", "物理书架"),
    Placed("zhang_home/living/telescope", "telescope", (47, 9)),
    Placed("zhang_home/living/sofa", "sofa", (43, 9)),
    # Zhao Gang and Xiao Mei
    Placed("zhao_home/grandpa_room/bed", "bed", (3, 34), "Zhao Gang's bed", "赵刚的床"),
    Placed("zhao_home/grandpa_room/calligraphy", "calligraphy", (5, 34)),
    Placed("zhao_home/grandpa_room/wardrobe", "wardrobe", (6, 37)),
    Placed("zhao_home/mei_room/bed", "bed", (3, 39), "Xiao Mei's bed", "小美的床"),
    Placed("zhao_home/mei_room/desk", "desk", (5, 41), "Xiao Mei's desk", "小美的书桌"),
    Placed("zhao_home/mei_room/guitar", "guitar", (3, 43)),
    Placed("zhao_home/mei_room/wardrobe", "wardrobe", (6, 43)),
    Placed("zhao_home/living/stove", "stove", (12, 34)),
    Placed("zhao_home/living/kitchen_sink", "kitchen_sink", (11, 34)),
    Placed("zhao_home/living/fridge", "fridge", (13, 34)),
    Placed("zhao_home/living/tea_table", "tea_table", (11, 37)),
    Placed("zhao_home/living/dining_table", "dining_table", (8, 37)),
    Placed("zhao_home/living/birdcage", "birdcage", (8, 34)),
    Placed("zhao_home/bathroom/sink", "sink", (9, 41)),
    Placed("zhao_home/bathroom/shower", "shower", (13, 43)),
    Placed("zhao_home/bathroom/toilet", "toilet", (8, 43)),
    # Wang Fang
    Placed("wang_home/bedroom/bed", "bed", (50, 40)),
    Placed("wang_home/bedroom/wardrobe", "wardrobe", (47, 43)),
    Placed("wang_home/bedroom/desk", "desk", (47, 40)),
    Placed("wang_home/bathroom/sink", "sink", (53, 40)),
    Placed("wang_home/bathroom/shower", "shower", (54, 43)),
    Placed("wang_home/bathroom/toilet", "toilet", (54, 41)),
    Placed("wang_home/living/stove", "stove", (41, 40)),
    Placed("wang_home/living/kitchen_sink", "kitchen_sink", (42, 40)),
    Placed("wang_home/living/fridge", "fridge", (40, 40)),
    Placed("wang_home/living/dining_table", "dining_table", (40, 42)),
    Placed("wang_home/living/sofa", "sofa", (43, 43)),
    Placed("flower_shop/shop/counter", "flower_counter", (43, 36)),
    Placed("flower_shop/shop/arranging_table", "arranging_table", (40, 37)),
    Placed("flower_shop/shop/rack", "flower_rack", (40, 34)),
    Placed("flower_shop/shop/cooler", "flower_rack", (44, 34), "flower cooler", "鲜花冷柜"),
    Placed("flower_shop/garden/rose_bed", "vegetable_bed", (48, 35), "rose bed", "玫瑰花圃"),
    Placed("flower_shop/garden/herb_bed", "vegetable_bed", (52, 35), "herb bed", "香草花圃"),
    Placed("flower_shop/garden/peony_bed", "vegetable_bed", (48, 37), "peony bed", "牡丹花圃"),
    Placed("flower_shop/garden/potting_bench", "potting_bench", (52, 38)),
    Placed("flower_shop/garden/rain_barrel", "water_butt", (54, 34)),
    Placed("flower_shop/garden/bench", "bench", (47, 34), "garden bench", "花园长椅"),
    # Innovation Studio
    Placed(
        "studio/workspace/desk_window", "workstation", (4, 16), "window workstation", "靠窗工位"
    ),
    Placed("studio/workspace/desk_left", "workstation", (4, 18), "left workstation", "左边工位"),
    Placed(
        "studio/workspace/desk_corner", "workstation", (4, 20), "corner workstation", "角落工位"
    ),
    Placed(
        "studio/workspace/desk_middle", "workstation", (12, 16), "bright workstation", "向阳工位"
    ),
    Placed("studio/workspace/project_table", "project_table", (8, 18)),
    Placed("studio/workspace/whiteboard", "whiteboard", (8, 14)),
    Placed("studio/workspace/printer", "printer", (14, 15)),
    Placed("studio/workspace/sofa", "sofa", (11, 21), "lounge sofa", "休息区沙发"),
    Placed("studio/meeting/table", "round_table", (4, 24), "meeting table", "会议桌"),
    Placed(
        "studio/meeting/whiteboard", "whiteboard", (3, 22), "meeting-room whiteboard", "会议室白板"
    ),
    Placed("studio/pantry/coffee_corner", "coffee_corner", (13, 23)),
    Placed("studio/pantry/table", "cafe_table", (11, 25), "pantry table", "茶水间小桌"),
    # Starlight Café
    Placed("cafe/main/espresso_machine", "espresso", (22, 15)),
    Placed("cafe/main/oven", "oven", (24, 15)),
    Placed("cafe/main/counter", "counter", (21, 17)),
    Placed("cafe/main/window_table", "cafe_table", (29, 16), "window table", "靠窗的桌子"),
    Placed("cafe/main/corner_table", "cafe_table", (32, 18), "corner table", "角落的桌子"),
    Placed("cafe/main/long_table", "cafe_big_table", (28, 18)),
    Placed("cafe/main/small_table", "cafe_table", (23, 20), "small table", "小圆桌"),
    Placed("cafe/main/piano", "piano", (32, 15)),
    # the town square
    Placed("square/plaza/fountain", "fountain", (27, 25)),
    Placed("square/plaza/notice_board", "notice_board", (22, 23)),
    Placed("square/plaza/fruit_stall", "stall", (32, 24), "fruit stall", "水果摊"),
    Placed("square/plaza/snack_stall", "stall", (32, 27), "snack stall", "小吃摊"),
    Placed("square/plaza/stage", "stage", (26, 28)),
    Placed("square/plaza/west_bench", "bench", (22, 26), "west bench", "西边长椅"),
    Placed("square/plaza/north_bench", "bench", (29, 23), "north bench", "北边长椅"),
    # the library
    Placed("library/hall/lending_desk", "help_desk", (42, 20)),
    Placed("library/hall/science_shelves", "shelf", (42, 15), "science shelves", "科学书架"),
    Placed("library/hall/novel_shelves", "shelf", (46, 15), "novel shelves", "小说书架"),
    Placed("library/hall/art_shelves", "shelf", (49, 15), "art shelves", "艺术书架"),
    Placed("library/hall/reading_table", "reading_table", (43, 17)),
    Placed("library/hall/window_desk", "carrel", (50, 18), "window desk", "靠窗书桌"),
    Placed("library/hall/quiet_desk", "carrel", (50, 20), "quiet desk", "安静书桌"),
    Placed("library/hall/armchair", "armchair", (48, 18)),
    Placed("library/hall/catalogue", "catalogue", (47, 21)),
    Placed("library/activity/table", "round_table", (47, 24)),
    Placed(
        "library/activity/whiteboard",
        "whiteboard",
        (42, 22),
        "activity-room whiteboard",
        "活动室白板",
    ),
    Placed("library/activity/sofa", "sofa", (43, 26), "old sofa", "旧沙发"),
    # the park
    Placed("park/grounds/lawn", "lawn", (32, 35)),
    Placed("park/grounds/chess_table", "chess_table", (23, 36)),
    Placed("park/grounds/pavilion", "pavilion", (29, 41)),
    Placed("park/grounds/pond_side", "pond_side", (21, 40)),
    Placed("park/grounds/camphor", "camphor", (23, 34)),
    Placed("park/grounds/flower_bed", "flower_bed", (30, 37)),
    Placed("park/grounds/bars", "bars", (20, 37)),
    Placed("park/grounds/shady_bench", "bench", (25, 37), "shady bench", "树荫下的长椅"),
    Placed("park/grounds/pond_bench", "bench", (26, 42), "bench by the pond", "池边长椅"),
    Placed("park/grounds/gate_bench", "bench", (30, 34), "bench by the gate", "门口的长椅"),
]

LOOKS = {
    "chen_siyuan": Look("peach", "mop", "black", "hoodie", "azure", "charcoal", inner="chalk", extras=("glasses", "backpack"), trim="slate", mood="calm",
        ground="sky", shoes="chalk"),
    "lin_yue": Look("porcelain", "bob", "chestnut", "sweater", "mustard", "sea", "skirt", trim="brick", extras=("scarf",), ground="lemon", tall=-1),
    "zhang_wei": Look("fair", "parted", "black", "shirt", "fern", "cocoa", trim="brick", extras=("tie", "glasses"), ground="sage", tall=1),
    "wang_fang": Look("peach", "bun", "black", "blouse", "blush", "violet", trim="fern", extras=("apron", "earrings"), mood="grin", ground="blush"),
    "zhao_gang": Look("honey", "thin", "silver", "jacket", "charcoal", "slate", inner="linen", beard="moustache", ground="linen", aged=True, broad=1),
    "xiao_mei": Look("fair", "braid", "black", "tee", "sea", "denim", trim="scarlet", extras=("stripes", "satchel"), mood="grin", ground="mint", tall=-1),
}  # fmt: skip


def plan() -> Plan:
    """Return the town as it is drawn."""
    return Plan("minitown", GROUND, SECTORS, ARENAS, THINGS, DECOR)
