"""The halls of the two sects of Cloud Vale, the inn, the cave and the wanderer's hut."""

from __future__ import annotations

from tools.towns.blueprint import Building, Space, Thing

PINE = """
###e###j###e####c######a#####
#F..L...I..t#X.*.N.p#A..W..B#
#...........#.......#.......#
#......S....+.D.....+...2...#
#...1.......#.....3.#.......#
#p..........#.Q.....#p.....t#
####++##########+############
                    #G.W.K.J#
                    #.......#
                    +...4...#
                    #########
"""

CRANE = """
####e##j######c#####a####
#S.H..I..t#X.*N.p#A..W.B#
#.........#......#......#
#.........+.D....+...2..#
#...1.....#....3.#......#
#p..M.O..p#......#......#
####++#######+###########
                 #C.W.G.#
                 #......#
                 +...4..#
                 ########
"""

INN = """
###e##j##e####a###c##
#X.*.L.....t#A..W..B#
#...........#.......#
#.C.........+...2...#
#.......D...#.......#
#....Q......#p.....t#
#p......1...#.......#
####++###############
"""

CAVE = """
##########
#..V.....#
#........#
#..M.O.P.#
#....1...#
####++####
"""

HUT = """
###e#c###
#X.*..A.#
#.......#
#.D...1.#
#......p#
####+####
"""

COMMON = {
    "X": Thing("stove", "wok_stove"), "D": Thing("table", "eating_table"), "Q": Thing("table_two", "eating_table", "second table", "第二张矮桌"),
    "N": Thing("washstand", "washstand"), "I": Thing("incense", "incense"),
}  # fmt: skip


def _bed(who: str, en: str, zh: str) -> Thing:
    return Thing(f"bed_{who}", "bed", f"{en}'s bed", f"{zh}的床")


def _mat(id: str, en: str, zh: str) -> Thing:
    return Thing(id, "mat", en, zh)


def _sleeping(id: str, en: str, zh: str) -> Space:
    return Space(id, "c", en, zh, "home, bedroom", public=False)


def _kitchen(en: str, zh: str) -> Space:
    return Space("kitchen", "w", en, zh, "home, living, kitchen", public=False)


HOUSES = [
    Building(
        "pine", "the Azure Pine Sect", "青松门", (3, 9), PINE,
        {
            "1": Space("hall", "n", "pill hall", "丹房", "work, shop, science"), "2": _sleeping("elders", "elders' room", "长老房"),
            "3": _kitchen("refectory", "斋堂"), "4": _sleeping("disciples", "disciples' room", "弟子房"),
        },
        {
            **COMMON, "F": Thing("furnace", "pill_furnace"), "L": Thing("cabinet", "herb_cabinet"),
            "S": Thing("counter", "shop_counter", "pill counter", "丹药柜台"),
            "A": _bed("su", "Su Qinglan", "苏青岚"), "B": _bed("fang", "Fang Shan", "方山"), "G": _bed("bai", "Bai Zhi", "白芷"),
            "K": _bed("lin", "Lin Xiaoyu", "林小雨"), "J": _bed("tie", "Tie Niu", "铁牛"),
        },
    ),
    Building(
        "crane", "the White Crane Sect", "白鹤宗", (47, 8), CRANE,
        {
            "1": Space("hall", "p", "sword hall", "剑堂", "work, quiet"), "2": _sleeping("elders", "elders' room", "长老房"),
            "3": _kitchen("refectory", "斋堂"), "4": _sleeping("disciples", "disciples' room", "弟子房"),
        },
        {
            **COMMON, "S": Thing("swords", "sword_rack"), "M": _mat("mat", "mat in the hall", "剑堂蒲团"),
            "O": _mat("mat_two", "second mat in the hall", "剑堂第二个蒲团"),
            "A": _bed("lu", "Lu Changfeng", "陆长风"), "B": _bed("yan", "Yan Ruoxue", "颜若雪"), "C": _bed("zhao", "Zhao Ming", "赵鸣"),
            "G": _bed("fu", "Afu", "阿福"),
        },
    ),
    Building(
        "inn", "the Cloud Inn", "云来客栈", (7, 36), INN,
        {"1": Space("main", "w", "tearoom", "茶堂", "cafe, shop, kitchen"), "2": _sleeping("room", "innkeepers' room", "掌柜房")},
        {
            **COMMON, "L": Thing("larder", "larder", "rice larder", "米柜"), "C": Thing("counter", "shop_counter", "inn counter", "客栈柜台"),
            "A": _bed("qiu", "Qiu Niang", "秋娘"), "B": _bed("chen", "Old Chen", "老陈"),
        },
    ),
    Building(
        "cave", "the Echo Cave", "回音洞", (25, 29), CAVE, {"1": Space("main", "q", "the Echo Cave", "回音洞", "quiet, outdoor")},
        {
            "V": Thing("vein", "vein", "old vein", "老灵脉"), "M": _mat("mat", "left mat", "左边的蒲团"), "O": _mat("mat_two", "middle mat", "中间的蒲团"),
            "P": _mat("mat_three", "right mat", "右边的蒲团"),
        },
    ),
    Building(
        "hut", "the wanderer's hut", "散人草庐", (57, 43), HUT,
        {"1": Space("room", "w", "the wanderer's hut", "散人草庐", "home, living, kitchen, bedroom", public=False)},
        {**COMMON, "A": _bed("mo", "Mo Li", "莫离")},
    ),
]  # fmt: skip
