"""Homes of the Ville's residents who live alone."""

from __future__ import annotations

from tools.towns.blueprint import At, Building, Thing
from tools.towns.ville_rooms import bathroom, bedroom, living


def _small(
    address: str,
    en: str,
    zh: str,
    at: At,
    plan: str,
    floors: str,
    things: dict[str, Thing] | None = None,
    fittings: dict[str, str] | None = None,
) -> Building:
    """Return a home for one: living room, bathroom, bedroom; `floors` of the first and the last."""
    return Building(
        address,
        en,
        zh,
        at,
        plan,
        {"1": living(floors[0]), "2": bathroom(), "3": bedroom(floor=floors[1])},
        things or {},
        fittings or {},
    )


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

FLATS = [
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
]  # fmt: skip
