"""The kinds of things: their size and shape on the map, their names and their uses."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """`shape` has a row of characters per row of tiles: `#` blocks the way, `.` can be walked (a
    chair, a pillow).

    `area` is the part (column, row, width, height) that counts as the thing; None for all of it.
    The rest is only drawn.
    """

    shape: tuple[str, ...]
    en: str
    zh: str
    idle_en: str
    idle_zh: str
    tags: str
    seats: int = 1
    area: tuple[int, int, int, int] | None = None


KINDS: dict[str, Kind] = {
    # at home
    "bed": Kind((".", "#"), "bed", "床", "neatly made", "铺得整整齐齐", "sleep, rest, bed"),
    "wardrobe": Kind(
        ("#",), "wardrobe", "衣柜", "closed", "关着", "store, dress, wardrobe, closet"
    ),
    "desk": Kind(
        ("##", ".."),
        "desk",
        "书桌",
        "tidy",
        "收拾得很整齐",
        "work, write, study, computer, desk",
        area=(0, 0, 1, 2),
    ),
    "sink": Kind(("#",), "washbasin", "洗手台", "dry", "干着", "wash, sink, basin"),
    "shower": Kind((".",), "shower", "淋浴间", "off", "没开", "wash, bathe, shower"),
    "toilet": Kind((".",), "toilet", "马桶", "free", "没人用", "toilet"),
    "stove": Kind(("#",), "stove", "灶台", "off", "关着火", "cook, stove"),
    "fridge": Kind(("#",), "fridge", "冰箱", "humming quietly", "轻轻嗡响着", "store, snack"),
    "kitchen_sink": Kind(("#",), "kitchen sink", "水槽", "empty", "空着", "dishes, cook"),
    "dining_table": Kind(
        (".#.",),
        "dining table",
        "餐桌",
        "cleared",
        "收拾干净了",
        "eat, seat, chat, tea, table, dining",
        2,
    ),
    "sofa": Kind(("..",), "sofa", "沙发", "empty", "空着", "rest, seat, chat, tv, sofa", 2),
    "bookshelf": Kind(
        ("##",), "bookshelf", "书架", "well filled", "摆满了书", "books, read, bookshelf"
    ),
    "armchair": Kind((".",), "armchair", "扶手椅", "empty", "空着", "rest, read, seat, armchair"),
    "easel": Kind(
        ("#", "."), "easel", "画架", "holding a blank sheet", "夹着一张白纸", "art, draw, easel"
    ),
    "telescope": Kind(
        ("#",), "telescope", "望远镜", "covered", "盖着布", "science, stars, telescope"
    ),
    "guitar": Kind(
        (".",), "guitar stand", "吉他架", "holding a guitar", "靠着一把吉他", "music, guitar"
    ),
    "calligraphy": Kind(
        ("##", ".."),
        "calligraphy table",
        "书法桌",
        "brushes washed and hung up",
        "毛笔洗净挂好了",
        "art, write, calligraphy, desk",
        area=(0, 0, 1, 2),
    ),
    "tea_table": Kind(
        (".#.",), "tea table", "茶桌", "kettle cold", "水壶凉着", "tea, rest, chat, seat, table", 2
    ),
    "birdcage": Kind(
        ("#",), "birdcage", "鸟笼", "with a dozing thrush", "画眉在打盹", "pet, bird, birdcage"
    ),
    # the café
    "counter": Kind(
        ("####", "...."),
        "counter",
        "吧台",
        "wiped clean",
        "擦得锃亮",
        "counter, coffee, order, snack",
        4,
    ),
    "espresso": Kind(
        ("#",), "espresso machine", "咖啡机", "keeping warm", "保着温", "coffee, serve", 1
    ),
    "oven": Kind(("#",), "pastry oven", "烤箱", "cool", "凉着", "bake, cook, serve, oven"),
    "cafe_table": Kind(
        (".#.",), "table", "桌子", "free", "空着", "eat, coffee, seat, chat, laptop, read, table", 2
    ),
    "cafe_big_table": Kind(
        (".#.", ".#."),
        "long table",
        "长桌",
        "free",
        "空着",
        "eat, coffee, seat, chat, laptop, table",
        4,
    ),
    "piano": Kind(
        ("##", ".."), "piano", "钢琴", "closed", "琴盖合着", "music, piano", area=(0, 0, 1, 2)
    ),
    # the library
    "shelf": Kind(
        ("###",),
        "bookshelves",
        "书架",
        "in order",
        "排得整整齐齐",
        "books, browse, shelve, bookshelf",
        2,
    ),
    "help_desk": Kind(
        ("###", "..."), "lending desk", "借阅台", "unattended", "没人", "counter, notice, borrow", 2
    ),
    "reading_table": Kind(
        (".#.", ".#."),
        "reading table",
        "阅览桌",
        "free",
        "空着",
        "read, write, study, seat, quiet, table, desk",
        4,
    ),
    "carrel": Kind(
        (".#.",),
        "study desk",
        "自习桌",
        "free",
        "空着",
        "read, write, study, seat, quiet, table, desk",
        2,
    ),
    "round_table": Kind(
        (".##.", ".##.", ".##."),
        "discussion table",
        "讨论桌",
        "empty",
        "空着",
        "meet, chat, seat, discuss, study, table",
        6,
    ),
    "catalogue": Kind(
        ("#",),
        "catalogue computer",
        "检索机",
        "showing the search page",
        "停在检索页面",
        "computer, search",
    ),
    # the studio
    "workstation": Kind(
        (".#",),
        "workstation",
        "工位",
        "free",
        "空着",
        "work, computer, code, design, seat, desk, office",
    ),
    "project_table": Kind(
        (".#.", ".#."),
        "project table",
        "项目桌",
        "free",
        "空着",
        "work, meet, chat, seat, laptop, table, workshop",
        4,
    ),
    "whiteboard": Kind(
        ("##",),
        "whiteboard",
        "白板",
        "half wiped",
        "擦了一半",
        "write, teach, meet, plan, whiteboard",
        2,
    ),
    "printer": Kind(
        ("#",), "3D printer", "3D打印机", "idle", "没在打印", "make, print, printer, workshop"
    ),
    "coffee_corner": Kind(
        ("##",),
        "coffee corner",
        "茶水台",
        "kettle warm",
        "水壶还热着",
        "coffee, tea, snack, chat",
        2,
    ),
    # outdoors
    "fountain": Kind(
        ("##", "##"),
        "fountain",
        "喷泉",
        "splashing",
        "哗哗地喷着水",
        "rest, chat, watch, water, fountain",
        4,
    ),
    "bench": Kind(("..",), "bench", "长椅", "empty", "空着", "rest, seat, chat, read, bench", 2),
    "notice_board": Kind(
        ("##",),
        "notice board",
        "公告栏",
        "full of notices",
        "贴满了告示",
        "notice, read, poster",
        2,
    ),
    "stall": Kind(
        ("##",),
        "market stall",
        "摊位",
        "open",
        "摆着摊",
        "shop, snack, groceries, stall, market",
        2,
    ),
    "stage": Kind(
        ("...",),
        "little stage",
        "小舞台",
        "empty",
        "空着",
        "music, dance, perform, exercise, stage",
        3,
    ),
    "lawn": Kind(
        ("...", "..."),
        "lawn",
        "草坪",
        "damp with dew",
        "带着露水",
        "exercise, taichi, stretch, play, draw, lawn",
        6,
    ),
    "chess_table": Kind(
        (".#.",),
        "chess table",
        "棋桌",
        "pieces in the box",
        "棋子收在盒里",
        "play, chess, seat, chat, table, games",
        2,
    ),
    "pavilion": Kind(
        ("...", "..."),
        "pavilion",
        "凉亭",
        "empty",
        "空着",
        "rest, seat, chat, music, read, bench",
        4,
    ),
    "bars": Kind(("..",), "exercise bars", "健身器材", "free", "没人用", "exercise, stretch", 2),
    "flower_bed": Kind(
        ("###",),
        "flower bed",
        "花坛",
        "winter jasmine in bud",
        "迎春花打着苞",
        "flowers, garden, watch, plants",
        2,
    ),
    "pond_side": Kind(
        ("...",),
        "pond side",
        "池塘边",
        "still",
        "水面平静",
        "watch, rest, water, fish, draw, pond",
        3,
    ),
    "camphor": Kind(
        (".#.",),
        "old camphor tree",
        "老樟树",
        "rustling",
        "沙沙作响",
        "rest, watch, stretch, draw, tree",
        3,
        area=(1, 0, 1, 1),
    ),
    # the flower shop
    "flower_counter": Kind(
        ("##", ".."),
        "flower counter",
        "花店柜台",
        "swept clean",
        "收拾干净了",
        "counter, shop, flowers, order",
        2,
    ),
    "arranging_table": Kind(
        (".##",),
        "arranging table",
        "插花台",
        "strewn with leaves",
        "散着几片叶子",
        "work, flowers, art, table, arranging",
    ),
    "flower_rack": Kind(
        ("##",),
        "flower rack",
        "花架",
        "full of fresh flowers",
        "摆满了鲜花",
        "flowers, shop, shelve, plants",
        2,
    ),
    "vegetable_bed": Kind(
        ("###",),
        "garden bed",
        "花圃",
        "freshly weeded",
        "刚除过草",
        "garden, flowers, dig, plants",
        2,
    ),
    "potting_bench": Kind(
        ("##",),
        "potting bench",
        "育苗台",
        "lined with seedlings",
        "摆着一排小苗",
        "garden, flowers, work, plants, table",
        2,
    ),
    "water_butt": Kind(("#",), "rain barrel", "储水桶", "nearly full", "快满了", "garden, water"),
    # the village
    "light_table": Kind(
        ("##", ".."),
        "light table",
        "灯箱",
        "switched off",
        "关着",
        "art, draw, design, work, table, seat",
        2,
    ),
    "bar_counter": Kind(
        ("####", "...."),
        "bar",
        "吧台",
        "polished",
        "擦得发亮",
        "counter, drink, order, serve, snack, chat, seat",
        4,
    ),
    "dartboard": Kind(
        ("#",), "dartboard", "飞镖靶", "three darts in it", "插着三支飞镖", "play, games"
    ),
    "lectern": Kind(("#",), "lectern", "讲台", "bare", "空着", "work, teach"),
    "class_desks": Kind(
        ("####", "...."),
        "row of desks",
        "一排课桌",
        "empty",
        "空着",
        "study, write, listen, seat, desk",
        4,
    ),
    "lab_bench": Kind(
        ("###", "..."), "lab bench", "实验台", "cleared", "收拾干净了", "science, work, study", 2
    ),
    "microscope": Kind(
        ("#",), "microscope", "显微镜", "under its cover", "罩着罩子", "science, study, microscope"
    ),
    "checkout": Kind(
        ("###", "..."),
        "checkout",
        "收银台",
        "unattended",
        "没人",
        "counter, work, serve, order, shop",
        2,
    ),
    "grocery_shelf": Kind(
        ("###",),
        "grocery shelves",
        "食品货架",
        "well stocked",
        "摆得满满的",
        "shop, groceries, browse, shelve",
        2,
    ),
    "dairy_fridge": Kind(
        ("##",), "dairy fridge", "冷藏柜", "humming", "嗡嗡响着", "shop, groceries, store, snack", 2
    ),
    "pharmacy_counter": Kind(
        ("###", "..."),
        "pharmacy counter",
        "药店柜台",
        "unattended",
        "没人",
        "counter, work, serve, order, medicine",
        2,
    ),
    "medicine_shelf": Kind(
        ("###",),
        "medicine shelves",
        "药架",
        "in alphabetical order",
        "按字母排得整整齐齐",
        "medicine, browse, shelve, store",
        2,
    ),
    "shop_counter": Kind(
        ("###", "..."),
        "shop counter",
        "柜台",
        "unattended",
        "没人",
        "counter, work, serve, order, shop",
        2,
    ),
    "tool_shelves": Kind(
        ("###",),
        "tool shelves",
        "工具架",
        "every hammer in its place",
        "锤子各归其位",
        "shop, browse, shelve, make",
        2,
    ),
    "paint_shelves": Kind(
        ("###",),
        "paint shelves",
        "颜料架",
        "a rainbow of tins",
        "颜料罐五颜六色",
        "shop, browse, shelve, art",
        2,
    ),
    "workbench": Kind(
        ("##", ".."),
        "workbench",
        "工作台",
        "swept clean",
        "扫得干干净净",
        "work, make, workshop, table",
        2,
    ),
    "cellar_shelf": Kind(
        ("###",), "bottle shelves", "酒架", "dusty", "落着薄灰", "store, shelve, work", 2
    ),
    "stock_shelf": Kind(
        ("###",),
        "storage shelves",
        "货架",
        "stacked to the top",
        "堆得满满当当",
        "store, shelve, work",
        2,
    ),
    "timber_shelf": Kind(
        ("###",),
        "timber rack",
        "木料架",
        "smelling of pine",
        "一股松木香",
        "store, shelve, work",
        2,
    ),
    "bandstand": Kind(
        ("...",),
        "bandstand",
        "音乐台",
        "empty",
        "空着",
        "music, dance, perform, exercise, stage",
        3,
    ),
    # the farmstead
    "hearth": Kind(
        ("##",),
        "hearth",
        "炉灶",
        "glowing under the ashes",
        "灰底下还有火星",
        "cook, stove, warm, hearth",
    ),
    "washstand": Kind(("#",), "washstand", "脸盆架", "the jug full", "水罐是满的", "wash, basin"),
    "settle": Kind(("..",), "settle", "长靠椅", "empty", "空着", "rest, seat, chat, sofa", 2),
    "writing_table": Kind(
        ("##", ".."),
        "writing table",
        "写字桌",
        "the ink covered",
        "墨水盖着",
        "work, write, read, desk",
        area=(0, 0, 1, 2),
    ),
    "spinning_wheel": Kind(("#",), "spinning wheel", "纺车", "still", "停着", "make, work, rest"),
    "larder": Kind(
        ("#",), "larder", "食品柜", "its door shut", "柜门关着", "store, snack, groceries"
    ),
    "furrows": Kind(
        ("....", "...."),
        "furrows",
        "田垄",
        "a lark above them",
        "上头有只云雀",
        "dig, work, field",
        4,
    ),
    "threshing_floor": Kind(
        ("...", "..."), "threshing floor", "打谷场", "swept", "扫干净了", "work, thresh", 4
    ),
    "hay_loft": Kind(
        ("###",),
        "loft",
        "阁楼草仓",
        "smelling of summer",
        "一股夏天的味道",
        "store, work, shelve",
        2,
    ),
    "grain_bin": Kind(
        ("##",), "grain bin", "粮仓", "its lid shut", "盖着盖子", "store, shop, counter, work", 2
    ),
    "cider_press": Kind(("##",), "cider press", "榨汁机", "scrubbed", "刷干净了", "work, make", 2),
    "cider_barrel": Kind(
        ("##",),
        "cider barrel",
        "苹果酒桶",
        "dripping now and then",
        "隔一会儿滴一滴",
        "drink, order, counter, chat, snack",
        3,
    ),
    "millstone": Kind(
        ("##",), "millstone", "磨盘", "standing still", "停着", "work, make, mill", 2
    ),
    "flour_sacks": Kind(
        ("##",), "grain sacks", "粮袋", "stacked", "码得整整齐齐", "store, work, shelve", 2
    ),
    "flour_chest": Kind(
        ("##",),
        "flour chest",
        "面粉柜",
        "dusted white",
        "蒙着一层白",
        "store, shop, counter, order",
        2,
    ),
    "dough_trough": Kind(
        ("##",), "kneading trough", "和面槽", "floured", "撒了面粉", "work, bake, make", 2
    ),
    "dough_tub": Kind(("#",), "dough tub", "发面桶", "under its cloth", "盖着布", "work, bake"),
    "bread_oven": Kind(
        ("##",), "bread oven", "面包窑", "warm to the hand", "摸着还温", "bake, cook, oven, warm", 2
    ),
    "bread_counter": Kind(
        ("###", "..."),
        "bread counter",
        "面包柜台",
        "brushed clean of crumbs",
        "面包屑扫干净了",
        "counter, shop, order, snack, serve, chat",
        3,
    ),
    "crop_bed": Kind(
        ("###",), "vegetable bed", "菜畦", "watered", "浇过水了", "garden, dig, plants", 2
    ),
    "hive": Kind(("#",), "beehive", "蜂箱", "humming", "嗡嗡响着", "garden, watch, bees"),
    "jar_shelf": Kind(
        ("##",),
        "shelf of jars",
        "罐子架",
        "in rows",
        "一排排摆好了",
        "shop, browse, shelve, store",
        2,
    ),
    "draw_well": Kind(
        ("##",), "well", "水井", "cool and dark", "又凉又深", "wash, water, chat, basin", 4
    ),
    "trestle": Kind(
        ("....", "####", "...."),
        "long table",
        "长桌",
        "bare",
        "空着",
        "eat, seat, chat, table, dining, meet",
        8,
    ),
    "swing": Kind((".",), "swing", "秋千", "swaying a little", "轻轻晃着", "play, rest, watch"),
    "hen_house": Kind(("##",), "hen house", "鸡舍", "clucking", "咯咯叫着", "pet, work, watch", 2),
    # Cloud Vale
    "mat": Kind((".",), "meditation mat", "蒲团", "empty", "空着", "rest, seat, quiet, meditate"),
    "vein": Kind(
        ("##",), "vein of qi", "灵脉", "glimmering", "微微发亮", "watch, quiet, meditate, work", 3
    ),
    "pill_furnace": Kind(
        ("##",), "pill furnace", "炼丹炉", "cooling", "慢慢凉着", "work, make, medicine", 2
    ),
    "herb_bed": Kind(
        ("###",),
        "herb bed",
        "药圃",
        "wet with mist",
        "沾着雾水",
        "garden, dig, plants, medicine",
        2,
    ),
    "paddy": Kind(
        ("####", "####"),
        "paddy",
        "水田",
        "full of sky",
        "映着天光",
        "dig, garden, work, field, water",
        3,
    ),
    "herb_cabinet": Kind(
        ("###",),
        "herb cabinet",
        "药柜",
        "a hundred drawers shut",
        "百来个抽屉都关着",
        "medicine, store, shop, counter, order",
        2,
    ),
    "wok_stove": Kind(("##",), "stove", "灶台", "banked", "压着火", "cook, stove, kitchen", 2),
    "eating_table": Kind(
        (".#.",), "low table", "矮桌", "wiped", "擦干净了", "eat, seat, chat, tea, table, dining", 2
    ),
    "practice_post": Kind(
        ("#",), "practice post", "木人桩", "still trembling", "还微微发颤", "exercise, stretch"
    ),
    "sword_rack": Kind(
        ("##",),
        "sword rack",
        "剑架",
        "every sword in its place",
        "剑都归了架",
        "exercise, store",
        2,
    ),
    "bell": Kind(("##",), "bronze bell", "铜钟", "silent", "没有声响", "music, notice, watch", 2),
    "old_plum": Kind(
        (".#.",),
        "old plum tree",
        "老梅树",
        "dropping a petal",
        "落下一瓣花",
        "rest, watch, draw, tree",
        3,
        area=(1, 0, 1, 1),
    ),
    "incense": Kind(
        ("##",),
        "incense burner",
        "香炉",
        "a thread of smoke above it",
        "飘着一缕烟",
        "rest, quiet, watch",
        2,
    ),
    "hot_spring": Kind(
        ("...", "..."), "hot spring", "温泉", "steaming", "冒着热气", "bathe, wash, rest, water", 4
    ),
}

FACING: dict[str, str] = {
    **dict.fromkeys(("dining_table", "tea_table", "cafe_table", "carrel", "chess_table"), "r.l"),
    **dict.fromkeys(("cafe_big_table", "reading_table", "project_table"), "r.l/r.l"),
    **dict.fromkeys(("desk", "calligraphy", "piano"), "./u"),
    **dict.fromkeys(("sofa", "bench"), "dd"),
    **dict.fromkeys(("counter", "bar_counter", "class_desks"), "..../uuuu"),
    **dict.fromkeys(("lab_bench", "help_desk", "checkout", "pharmacy_counter", "shop_counter"), ".../uuu"),
    **dict.fromkeys(("light_table", "workbench", "flower_counter"), "../uu"),
    "eating_table": "r.l", "settle": "dd", "writing_table": "./u", "bread_counter": ".../uuu", "trestle": "dddd/..../uuuu",
    "armchair": "d", "toilet": "d", "easel": "./u", "round_table": "r..l/r..l/r..l", "workstation": "r.", "arranging_table": "r..",
}  # fmt: skip
"""Direction that the user of a thing faces, by tile of its area: d(own), l(eft), r(ight), u(p), `.`
for any; rows are separated by `/`.
"""
