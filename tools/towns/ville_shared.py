"""The Ville's shared houses: the artists' house and the college dormitory."""

from __future__ import annotations

from tools.towns.blueprint import Building, Space, Thing
from tools.towns.ville_rooms import GARDEN_BENCH, bathroom, garden, living, room_of

TWO_OF_BATH = {
    "A": Thing("sink_two", "sink", "second washbasin", "第二个洗手台"),
    "G": Thing("shower_two", "shower", "second shower", "第二个淋浴间"),
    "I": Thing("toilet_two", "toilet", "second toilet", "第二个马桶"),
}

ARTISTS = """
##a####d#!##a###9a####a####,c#;###
#W..B#B..W#W..B#B..W#W..B#N.A..L.#
#&...#...>#?...#...&#....#~..~...#
#E...#..E.#E...#..E.#X..&#U.G..I.#
#.1.t#^2..#.3.p#-4..#.5/&#..6....#
##+####+####+####+####+#####+#####
#...FSK.*p...^H....t....p.......t#
#................................#
#..M......r.............u.....l..#
#...................O........_...#
#7.......i.&....................t#
#####+#####a##9######+############
#..X...Y..&t../.#
#...............#
#&.J......V....&#
#8....&.........+
#...........p...#
#################
"""

DORM = """
##a####c####a####n###,a#;##
#B..W#W..B#B..W#W..B#N.A.L#
#...?#....#...p#9...#~.~..#
#E..?#-.E.#E..?#9.E.#U.G.I#
#.1.p#82..#.3.?#<4..#..5..#
##+####+####+####+####+####
#x..FSK...H....p...J....p.#
#.........................#
#.M......u................#
#6...............O......l.#
#p....i....v.....$.......t#
#####+#############+#######
           |..7..........y|
           |.Q......R.....|
           +..............|
           |y.............|
           ||||||||||||||||
"""

SHARED = [
    Building(
        "artists_house", "the artists' house", "艺术家之家", (53, 4), ARTISTS,
        {
            "1": room_of("abigail", "Abigail Chen", "阿比盖尔"), "2": room_of("francisco", "Francisco Lopez", "弗朗西斯科", "w"),
            "3": room_of("hailey", "Hailey Johnson", "海莉"), "4": room_of("latoya", "Latoya Williams", "拉托亚", "w"),
            "5": room_of("rajiv", "Rajiv Patel", "拉吉夫"), "6": bathroom(), "7": living("p", "common", "shared living room", "公共客厅"),
            "8": Space("studio", "w", "studio", "画室", "home, art, workshop", public=False),
        },
        {
            "M": Thing("long_table", "cafe_big_table"), "X": Thing("easel", "easel"), "Y": Thing("easel_two", "easel", "tall easel", "高画架"),
            "J": Thing("project_table", "project_table"), "V": Thing("light_table", "light_table"), **TWO_OF_BATH,
        },
        {"-": "tripod", "9": "poster_blue"},
    ),
    Building(
        "dorm", "the dormitory of Oak Hill College", "橡树山学院宿舍", (110, 27), DORM,
        {
            "1": room_of("klaus", "Klaus Mueller", "克劳斯"), "2": room_of("maria", "Maria Lopez", "玛丽亚", "w"),
            "3": room_of("ayesha", "Ayesha Khan", "阿伊莎"), "4": room_of("wolfgang", "Wolfgang Schulz", "沃尔夫冈", "w"), "5": bathroom(),
            "6": living("w", "common", "common room", "公共活动室"), "7": garden(),
        },
        {
            "M": Thing("long_table", "cafe_big_table"), "J": Thing("tv_sofa", "sofa", "sofa by the television", "电视前的沙发"),
            "Q": GARDEN_BENCH, "R": Thing("table", "chess_table", "stone table", "石桌"), **TWO_OF_BATH,
        },
        {"-": "game_corner", "8": "computers", "9": "weights"},
    ),
]  # fmt: skip
