"""Where the people of the Ville live."""

from __future__ import annotations

from tools.towns.blueprint import At, Building, Space, Thing


def living(floor: str = "w", address: str = "living", en: str = "living room", zh: str = "客厅") -> Space:
    return Space(address, floor, en, zh, "home, living, kitchen", public=False)


def bathroom() -> Space:
    return Space("bathroom", "b", "bathroom", "浴室", "home, bathroom", public=False)


def bedroom(address: str = "bedroom", en: str = "bedroom", zh: str = "卧室", floor: str = "c") -> Space:
    return Space(address, floor, en, zh, "home, bedroom", public=False)


def garden() -> Space:
    return Space("garden", ".", "garden", "花园", "home, garden, outdoor", public=False)


def room_of(who: str, en: str, zh: str, floor: str = "c") -> Space:
    return bedroom(f"{who}_room", f"{en}'s room", f"{zh}的房间", floor)


def bed_of(who: str, en: str, zh: str) -> Thing:
    return Thing(f"bed_{who}", "bed", f"{en}'s bed", f"{zh}的床")


def _small(
    address: str, en: str, zh: str, at: At, plan: str, floors: str, things: dict[str, Thing] | None = None, fittings: dict[str, str] | None = None
) -> Building:
    """A home for one: living room, bathroom, bedroom; `floors` of the first and the last."""
    return Building(address, en, zh, at, plan, {"1": living(floors[0]), "2": bathroom(), "3": bedroom(floor=floors[1])}, things or {}, fittings or {})


GARDEN_BENCH = Thing("bench", "bench", "garden bench", "花园长椅")
TWO_OF_BATH = {
    "A": Thing("sink_two", "sink", "second washbasin", "第二个洗手台"),
    "G": Thing("shower_two", "shower", "second shower", "第二个淋浴间"),
    "I": Thing("toilet_two", "toilet", "second toilet", "第二个马桶"),
}

LIN = """
##a########c#!##d##,#;##
#W.J.M.#.B...W.#.N.L...#
#......#...^...#....~.U#
#E.....#E..Y...#.......#
#....2.#..3..8t#..p4..t#
###+###=###+####+#######
#...*FSKp....H...#..V..|
#x...............+5....|
#.D.....r........#.....|
#................#.Q...|
#1....v..O....l.p#....y|
#########+########||+|||
"""

MORENO = """
##e##!###c###a###
#FSK*H.p#J...T.W#
#......(#.......#
#x.D....+.......#
#.......#>o..E.t#
#.r...v.#2......#
#.......#########
#1......+.N.L..U#
#t.O..l.#..3....#
###+#############
        |......4|
        +.P.....|
        |.....Q.|
        |y......|
        |||||||||
"""

MOORE = """
        ##6#d##a6###
        #>J..M.5.W.#
        #..........#
##,#;####.....o...7#
#.N.L.U.#E...2.....#
#...3...#.........&#
####+########+#a####|||||||
#KSF....H..p.....A.#.....4|
#...**......7./&...+..P...|
#x.D......r........#......|
#1..............g..#.Q....+
#t.....l..O.......p#.....y|
######+#############|||||||
"""

TAMARA_CARMEN = """
##a#!##e#'####c####a###
#B.7.W#FSK.H..p.#W...B#
#.....#.........#.....#
#E.g..#.D.......#5.E..#
#..2..+....g....+.3...#
#..7.t#.........#5....#
#######1........##,##;#
      #v........+.N.L.#
      #p..O..l.t#.~4.U#
      #####+###########
"""

ADAM = """
###a####c;####
#.B...W#N..L.#
#?..g..#~....#
#E....?#.2.U.#
#3.....#.....#
####+####a+#####
#KSF.H.Z....h..#
#..............#
#.D......u...?.#
#1.............#
#t.?l..@.iO...p#
########+#######
"""

YURIKO = """
        ###a#####,##
        #W...B.#N.L#
        #?.u...#...#
        #E.....#.2U#
        #3....p#...#
####c#######+#####+#=###
#KSF*.H.p...._...<..X.p#
#.....................?#
#xD......r......i.O....#
#1...........v.....p..l#
#########+##############
"""

ARTHUR = """
####a###c##'#7##
#.B..W.#.FSK*.p#
#>.g...#.......#
#E.....+....D..#
#...3.t#.......#
##;#,###.r.....#
#N.2.L.#[.....b#
#......+1......#
#.~..U.#H...O.l#
########.......#
       ###+#####
"""

RYAN = """
###,#;##c'#+#a###
#N.L..#FSK*..pX.#
#..~..#.........#
#.2.U.+........?#
###7###.D....u.6#
#B...W#........t#
#.....+.........#
#.3.E.#1H.....O.#
#5....#)........#
#######l.._....p#
      ###########
"""

ISABELLA = """
##'#'##c####a##
#FSK*H..#W..B.#
#.......#..r.(#
#.D.....+.E...#
#x.....5#...3t#
#..r....##,#;##
#1.....t#.N.L.#
#.......+..2..#
#.O.l..p#~..U.#
######+########
"""

GIORGIO = """
      ###a#!####
      #.B....W.#
      #@..u....#
##,#;##.3....E.#
#.N.L.#?.......#
#.~2.U#........#
###+#8#####+#X##
#....KSFH......#
+..............#
#.D.....g......#
#1..........<.v#
#t.l..O..i.?..p#
################
"""

CARLOS = """
##c#+###!#a####
#SKF.H.#?B.?.W#
#......#..r...#
#.D....+.3..E.#
#.....?#......#
#.r..X.##,##;##
#1.....#.N.L..#
#......+.~2..U#
#t.O..l########
########
"""

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

HOMES = [
    Building(
        "lin_house", "the Lin family's house", "林家", (5, 5), LIN,
        {
            "1": living(), "2": bedroom("parents_room", "John and Mei Lin's room", "约翰和林梅的房间"),
            "3": bedroom("eddy_room", "Eddy Lin's room", "埃迪的房间", "w"), "4": bathroom(), "5": garden(),
        },
        {
            "J": bed_of("john", "John Lin", "约翰"), "M": bed_of("mei", "Mei Lin", "林梅"), "Y": Thing("keyboard", "piano", "keyboard", "键盘"),
            "V": Thing("vegetable_bed", "vegetable_bed", "vegetable bed", "菜畦"), "Q": GARDEN_BENCH,
        },
        {"8": "cello"},
    ),
    Building(
        "moreno_house", "the Moreno family's house", "莫雷诺家", (32, 4), MORENO,
        {"1": living("p"), "2": bedroom(), "3": bathroom(), "4": garden()},
        {
            "J": bed_of("jane", "Jane Moreno", "简妮"), "T": bed_of("tom", "Tom Moreno", "汤姆"),
            "P": Thing("flower_bed", "flower_bed"), "Q": GARDEN_BENCH,
        },
    ),
    Building(
        "moore_house", "the Moore family's house", "摩尔家", (3, 31), MOORE,
        {"1": living(), "2": bedroom(), "3": bathroom(), "4": garden()},
        {
            "J": bed_of("jennifer", "Jennifer Moore", "詹妮弗"), "M": bed_of("sam", "Sam Moore", "山姆"), "A": Thing("easel", "easel"),
            "P": Thing("rose_bed", "vegetable_bed", "rose bed", "玫瑰花圃"), "Q": GARDEN_BENCH,
        },
        {"5": "globe", "6": "sea_chart", "7": "ship"},
    ),
    Building(
        "tamara_carmen_house", "Tamara and Carmen's house", "塔玛拉与卡门的家", (5, 73), TAMARA_CARMEN,
        {"1": living("p"), "2": room_of("tamara", "Tamara Taylor", "塔玛拉"), "3": room_of("carmen", "Carmen Ortiz", "卡门"), "4": bathroom()},
        fittings={"5": "chest", "7": "toys"},
    ),
    _small("adam_house", "Adam Smith's house", "亚当·史密斯的家", (5, 52), ADAM, "nc", {"Z": Thing("old_books", "bookshelf", "shelf of old books", "旧书架")}),
    _small("yuriko_house", "Yuriko Yamamoto's house", "山本百合子的家", (36, 71), YURIKO, "pc", {"X": Thing("office_desk", "desk", "office desk", "办公桌")}),
    _small("arthur_flat", "Arthur Burton's flat", "亚瑟·伯顿的公寓", (117, 51), ARTHUR, "nc", {}, {"7": "antlers"}),
    _small("ryan_flat", "Ryan Park's flat", "瑞恩·朴的公寓", (6, 86), RYAN, "ww",
        {"X": Thing("computer_desk", "desk", "computer desk", "电脑桌")},
        {"5": "game_corner", "6": "computers", "7": "poster_blue"},
    ),
    _small("isabella_flat", "Isabella Rodriguez's flat", "伊莎贝拉·罗德里格斯的公寓", (92, 32), ISABELLA, "pc", {}, {"5": "plant"}),
    _small("giorgio_flat", "Giorgio Rossi's flat", "乔治·罗西的公寓", (29, 85), GIORGIO, "wc",
        {"X": Thing("blackboard", "whiteboard", "blackboard", "黑板")},
        {"8": "chalk_wall"},
    ),
    _small("carlos_flat", "Carlos Gomez's flat", "卡洛斯·戈麦斯的公寓", (48, 86), CARLOS, "wc", {"X": Thing("writing_desk", "desk", "writing desk", "写字台")}),
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
"""Every home, with the people's own names on what is theirs."""
