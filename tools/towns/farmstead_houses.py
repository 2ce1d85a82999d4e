"""The houses of the farmstead, the barn, the mill, the bakery and the gardeners' cottage."""

from __future__ import annotations

from tools.towns.blueprint import Building, Space, Thing

FARM = """
##a##e####a####e####a###
#A.B...W#C..W#R..W#Q..p#
#.......#....#....#....#
#.2.u...#E.3.#..4.#.5.Y#
#.......#....#>...#....#
###{+##'###+##{##+##+###|||||||||||||||
#X.*..LN*...H...x....t.#Z....:....k<<b|
#......................#..............|
#..............r.......#....P.........|
#...M..................+.6........V...|
#............G.....1...#..............|
#bs..................p.#...........D..|
##########+#############|||||++||||||||
"""

BARN = """
##}####}####}###
#Y...b...V..sss#
#..............#
#..............#
#s...F.........#
#..W.......1.k.#
#............h.#
#hh.........bb.#
######++########
"""

MILL = """
##}##e#####a##c###
#s.Z..G.#X.*LN..t#
#.......#........#
#.1.....#.D......#
#.......+.....2..#
#.....C.#.r...O..#
#kb.....#........#
###+######+####+##
        #A..W#B.W#
        #....#...#
        #.3E.#E.4#
        #....#...#
        ##########
"""

BAKERY = """
###e##'##a####c##a####
#V..T..U.L..#X.*N...p#
#...........#........#
#...........+.D......#
#s.......k..#.....2..#
#s..........#.....O..#
#...1..C....#.r......#
#p..........#........#
####+####j####+###+###
            #A..B#..J#
            #....#...#
            #W.3.#4E.#
            #....#...#
            ##########
"""

GARDEN = """
###{###c##a###c##
#X.*LN.p#.A.E..W#
#.......+...3...#
#.D.....#......t#
#.r...1.####e####
#.......+B.E...W#
+.......#...4...#
#....O.K#......t#
####+####j###{###||||||||
#S....J.#...............|
#.......#.U.....h.H.h...|
#..5....+...............|
#......p#.V.......6.....|
####+####...............|
        |..^^.=...=...y.|
        |...............|
        ||||||+|||||||||
"""

HEARTH = {
    "X": Thing("hearth", "hearth"),
    "N": Thing("washstand", "washstand"),
    "O": Thing("settle", "settle"),
    "E": Thing("desk", "writing_table"),
}
FITTINGS = {"{": "herbs", "}": "tools"}


def _living(address: str, en: str, zh: str, floor: str = "w") -> Space:
    return Space(address, floor, en, zh, "home, living, kitchen", public=False)


def _room(who: str, en: str, zh: str) -> Space:
    return Space(f"{who}_room", "c", f"{en}'s room", f"{zh}的房间", "home, bedroom", public=False)


def _bed(who: str, en: str, zh: str) -> Thing:
    return Thing(f"bed_{who}", "bed", f"{en}'s bed", f"{zh}的床")


HOUSES = [
    Building(
        "farm",
        "the Thorne farm",
        "索恩农舍",
        (4, 17),
        FARM,
        {
            "1": _living("kitchen", "kitchen", "厨房", "q"),
            "2": Space(
                "ada_room",
                "c",
                "Ada and Bert's room",
                "艾达和伯特的房间",
                "home, bedroom",
                public=False,
            ),
            "3": _room("cora", "Cora", "柯拉"),
            "4": _room("dirk", "Dirk", "德克"),
            "5": _room("edda", "Edda", "埃德娜"),
            "6": Space("yard", ":", "yard", "院子", "outdoor, pub, work"),
        },
        {
            **HEARTH,
            "A": _bed("ada", "Ada", "艾达"),
            "B": _bed("bert", "Bert", "伯特"),
            "C": _bed("cora", "Cora", "柯拉"),
            "R": _bed("dirk", "Dirk", "德克"),
            "Q": _bed("edda", "Edda", "埃德娜"),
            "Y": Thing("spinning_wheel", "spinning_wheel"),
            "L": Thing("larder", "larder"),
            "M": Thing("table", "trestle", "kitchen table", "厨房长桌"),
            "G": Thing("settle", "settle"),
            "P": Thing("press", "cider_press"),
            "V": Thing("barrel", "cider_barrel"),
            "Z": Thing("hen_house", "hen_house"),
            "D": Thing("bench", "bench", "bench by the barrel", "酒桶边的长椅"),
        },
        {**FITTINGS, "<": "apples", ":": "hens"},
    ),
    Building(
        "barn",
        "the barn",
        "谷仓",
        (33, 3),
        BARN,
        {"1": Space("main", "n", "the barn", "谷仓", "work, store")},
        {
            "Y": Thing("loft", "hay_loft"),
            "V": Thing("bin", "grain_bin"),
            "F": Thing("floor", "threshing_floor"),
            "W": Thing("workbench", "workbench"),
        },
        {**FITTINGS, "h": "hay"},
    ),
    Building(
        "mill",
        "the mill",
        "磨坊",
        (64, 14),
        MILL,
        {
            "1": Space("main", "n", "mill room", "磨面间", "work, shop"),
            "2": _living("living", "living room", "堂屋"),
            "3": _room("finn", "Finn", "芬恩"),
            "4": _room("gwen", "Gwen", "格温"),
        },
        {
            **HEARTH,
            "A": _bed("finn", "Finn", "芬恩"),
            "B": _bed("gwen", "Gwen", "格温"),
            "Z": Thing("millstone", "millstone"),
            "G": Thing("sacks", "flour_sacks"),
            "C": Thing("chest", "flour_chest"),
            "L": Thing("pantry", "larder"),
        },
        FITTINGS,
    ),
    Building(
        "bakery",
        "the bakery",
        "面包坊",
        (36, 41),
        BAKERY,
        {
            "1": Space("main", "k", "bakehouse", "烤房", "shop, work, kitchen"),
            "2": _living("living", "living room", "堂屋"),
            "3": Space(
                "hugo_room",
                "c",
                "Hugo and Iris's room",
                "雨果和伊莉丝的房间",
                "home, bedroom",
                public=False,
            ),
            "4": _room("jack", "Jack", "杰克"),
        },
        {
            **HEARTH,
            "A": _bed("hugo", "Hugo", "雨果"),
            "B": _bed("iris", "Iris", "伊莉丝"),
            "J": _bed("jack", "Jack", "杰克"),
            "V": Thing("oven", "bread_oven"),
            "T": Thing("trough", "dough_trough"),
            "U": Thing("tub", "dough_tub"),
            "L": Thing("larder", "larder"),
            "C": Thing("counter", "bread_counter"),
        },
        FITTINGS,
    ),
    Building(
        "garden",
        "the garden",
        "菜园",
        (66, 40),
        GARDEN,
        {
            "1": _living("cottage", "cottage", "小屋"),
            "3": _room("kate", "Kate", "凯特"),
            "4": _room("liam", "Liam", "利亚姆"),
            "5": Space("gate", "q", "shop", "铺子", "shop, market"),
            "6": Space("beds", "g", "beds", "菜畦", "garden, outdoor"),
        },
        {
            **HEARTH,
            "A": _bed("kate", "Kate", "凯特"),
            "B": _bed("liam", "Liam", "利亚姆"),
            "L": Thing("pantry", "larder"),
            "K": Thing("fiddle", "guitar", "fiddle", "小提琴"),
            "S": Thing("stand", "stall", "vegetable stand", "菜摊"),
            "J": Thing("shelf", "jar_shelf"),
            "U": Thing("upper", "crop_bed", "upper bed", "上畦"),
            "V": Thing("lower", "crop_bed", "lower bed", "下畦"),
            "H": Thing("hive", "hive", "beehives", "蜂箱"),
        },
        {**FITTINGS, "h": "skep", "^": "currants", "=": "cabbages"},
    ),
]
