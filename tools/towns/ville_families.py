"""Homes of the Ville's families, and of two friends."""

from __future__ import annotations

from tools.towns.blueprint import Building, Thing
from tools.towns.ville_rooms import (
    GARDEN_BENCH,
    bathroom,
    bed_of,
    bedroom,
    garden,
    living,
    room_of,
)

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

FAMILIES = [
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
]  # fmt: skip
