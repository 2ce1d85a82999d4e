"""The Ville's public buildings: for meeting, work and study."""

from __future__ import annotations

from tools.towns.blueprint import Building, Space, Thing

CAFE = """
#;'#e####66#d##a###a!##c##
#S*K*F#..XV{...%..h..P..t#
#.....#........g......r..#
#.....#.C...5..T......Y..#
#..1..+..................#
#...sk#.....7.....7.....t#
#######.g............u...#
      #.G......r.....M...#
      #........Z........i#
      #...2............O.#
      #p..x.l......pv..$.#
      ##8######+#8##8#####
       ......9..........
       ........3........
       .J....R......E...
"""

PUB = """
####e####e##n#+#c#5#X##!##
#R....#.]..[....h.....A.p#
#...b.#..C...............#
#[....#........g...6....t#
#..1..+.........O........#
#s..k.#..r.............l.#
#######..T.....U.........#
      #t......2..........#
      #..M..u......G.....#
      #................i.#
      #x.b.[...[.......p.#
      ##########+#########
"""

WILLOWS = """
#####+##8##=#####+##,c###
#............#M....V...<#
#.Y....Z...F.#..........#
#............#p.........#
#.A....B.....#..C.......#
#............+..........#
#......5.....#<<...2t.W.#
#.X.......1..############
#v.......P..s#R..Q..}..k#
#............+.......3..#
#p.6..7.kk..s#.k..bsk..b#
#########################
"""

SUPPLY = """
###e####e####=#####a##
#T..P..S..}..t#R..Q..#
#.............#......#
#.............+....2b#
#W...bk....>..#k..s.k#
#....1..C....k########
#.............#
#.A....V....ss#
#bkkb6.....5.p#
########+######
"""

COLLEGE = """
####a#####`#d####!#n#######!##X###c#`#=##
#S..A..V..t%..%..@t?.H.#t.%.....L@..%..p#
#......................#................#
#..R.....G......Q......#.E.......F......#
#......................#................#
#...........%.......%..#................#
#...J...K......rI.i....#2C.......D......#
#?t....O.......1...l..p#p..............p#
####a##=###+######c#####-####+#!###a##n##
#p@<....t.....%.....<<<<N......@...B...p#
#.................u.3...................#
#.....7......7...........7..v.......p...#
##!#+#9####a+#!#####++#####0####+#e#n####
#P...t.8#@M..<.#        #W..p<<..{...H.)#
#.......#......#        #...............#
#..4.g..#..5.t.#        #<..T.....U....<#
#..^....#?u....#        #.........6.....#
#.Y...Z^#pO...p#        #p.............p#
################        #################
"""

PUBLIC = [
    Building(
        "hobbs_cafe", "Hobbs Café", "霍布斯咖啡馆", (57, 29), CAFE,
        {
            "1": Space("kitchen", "b", "café kitchen", "后厨", "cafe, kitchen", public=False), "2": Space("main", "k", "Hobbs Café", "霍布斯咖啡馆", "cafe"),
            "3": Space("terrace", "d", "terrace", "露台", "cafe, outdoor"),
        },
        {
            "X": Thing("espresso_machine", "espresso"), "V": Thing("oven", "oven"), "C": Thing("counter", "counter"), "P": Thing("piano", "piano"),
            "T": Thing("window_table", "cafe_table", "window table", "靠窗的桌子"), "Y": Thing("corner_table", "cafe_table", "corner table", "角落的桌子"),
            "Z": Thing("middle_table", "cafe_table", "middle table", "中间的桌子"), "M": Thing("quiet_table", "cafe_table", "quiet table", "安静的桌子"),
            "G": Thing("long_table", "cafe_big_table"), "J": Thing("terrace_table", "cafe_table", "terrace table", "露台的桌子"),
            "E": Thing("sunny_table", "cafe_table", "sunny table", "晒得到太阳的桌子"), "R": Thing("terrace_bench", "bench", "terrace bench", "露台的长椅"),
        },
        {"5": "cake_case", "6": "menu_board", "7": "planter_wide", "8": "awning_red", "9": "a_board"},
    ),
    Building(
        "pub", "The Rose and Crown Pub", "玫瑰与皇冠酒吧", (87, 52), PUB,
        {
            "1": Space("storeroom", "q", "pub storeroom", "酒吧储藏室", "store, work", public=False),
            "2": Space("main", "n", "The Rose and Crown Pub", "玫瑰与皇冠酒吧", "pub"),
        },
        {
            "R": Thing("shelves", "cellar_shelf", "storeroom shelves", "储藏室的货架"), "X": Thing("dartboard", "dartboard"), "C": Thing("bar", "bar_counter"),
            "T": Thing("table_one", "cafe_table", "first pub table", "第一张酒桌"), "U": Thing("table_two", "cafe_table", "second pub table", "第二张酒桌"),
            "G": Thing("long_table", "cafe_big_table"), "M": Thing("stage", "stage"), "A": Thing("piano", "piano", "old piano", "旧钢琴"),
            "O": Thing("fireside", "sofa", "fireside sofa", "炉边沙发"),
        },
        {"5": "antlers", "6": "billiards"},
    ),
    Building(
        "willows", "The Willows Market and Pharmacy", "柳树市场与药店", (33, 51), WILLOWS,
        {
            "1": Space("market", "k", "market", "卖场", "shop, market"), "2": Space("pharmacy", "l", "pharmacy", "药房", "shop, pharmacy"),
            "3": Space("stockroom", "q", "stockroom of The Willows", "市场仓库", "store, work", public=False),
        },
        {
            "X": Thing("checkout", "checkout"), "Y": Thing("grocery_shelves", "grocery_shelf"),
            "Z": Thing("bread_shelves", "grocery_shelf", "bread shelves", "面包货架"),
            "A": Thing("tin_shelves", "grocery_shelf", "shelves of tins", "罐头货架"),
            "B": Thing("household_shelves", "grocery_shelf", "household shelves", "日用品货架"), "F": Thing("dairy_fridge", "dairy_fridge"),
            "P": Thing("produce_stand", "stall", "produce stand", "果蔬摊"), "C": Thing("pharmacy_counter", "pharmacy_counter"),
            "M": Thing("medicine_shelves", "medicine_shelf"), "V": Thing("herb_shelves", "medicine_shelf", "shelf of herbs", "草药柜"),
            "W": Thing("waiting_bench", "bench", "waiting bench", "等候长椅"), "R": Thing("shelves", "stock_shelf", "stockroom shelves", "仓库货架"),
            "Q": Thing("back_shelves", "stock_shelf", "back shelves", "里面的货架"),
        },
        {"5": "bread_rack", "6": "stall_fruit", "7": "stall_bread", "8": "garland"},
    ),
    Building(
        "supply_store", "Harvey Oak Supply Store", "哈维橡木用品店", (31, 33), SUPPLY,
        {
            "1": Space("shop", "w", "supply store", "用品店店堂", "shop"),
            "2": Space("stockroom", "q", "stockroom of the supply store", "用品店仓库", "store, work", public=False),
        },
        {
            "T": Thing("tool_shelves", "tool_shelves"), "P": Thing("paint_shelves", "paint_shelves"),
            "S": Thing("seed_rack", "flower_rack", "seed rack", "种子架"),
            "W": Thing("workbench", "workbench"), "C": Thing("counter", "shop_counter"),
            "A": Thing("paper_shelves", "paint_shelves", "paper shelves", "纸品货架"),
            "V": Thing("garden_shelves", "tool_shelves", "garden shelves", "园艺货架"), "R": Thing("shelves", "stock_shelf", "stockroom shelves", "仓库货架"),
            "Q": Thing("timber_shelves", "timber_shelf", "timber shelves", "木料架"),
        },
        {"5": "clothes_rail", "6": "a_board"},
    ),
    Building(
        "college", "Oak Hill College", "橡树山学院", (93, 4), COLLEGE,
        {
            "1": Space("library", "p", "library", "图书馆", "library, quiet"),
            "2": Space("classroom", "w", "classroom", "教室", "college, work, study"), "3": Space("hall", "q", "college hall", "学院大厅", "college"),
            "4": Space("music_room", "w", "music room", "音乐室", "college, music"),
            "5": Space("office", "e", "professors' office", "教授办公室", "college, work", public=False),
            "6": Space("laboratory", "l", "laboratory", "实验室", "college, work, science"),
        },
        {
            "S": Thing("science_shelves", "shelf", "science shelves", "科学书架"), "A": Thing("arts_shelves", "shelf", "arts shelves", "文艺书架"),
            "V": Thing("history_shelves", "shelf", "history shelves", "历史书架"), "R": Thing("reading_table", "reading_table"),
            "Q": Thing("study_table", "reading_table", "study table", "自习长桌"), "G": Thing("lending_desk", "help_desk"),
            "J": Thing("window_desk", "carrel", "window desk", "靠窗的自习桌"), "K": Thing("quiet_desk", "carrel", "quiet desk", "安静的自习桌"),
            "I": Thing("armchair", "armchair"), "X": Thing("whiteboard", "whiteboard"), "L": Thing("lectern", "lectern"),
            "E": Thing("desk_row_one", "class_desks", "first row of desks", "第一排课桌"),
            "F": Thing("desk_row_two", "class_desks", "second row of desks", "第二排课桌"),
            "D": Thing("desk_row_three", "class_desks", "third row of desks", "第三排课桌"),
            "C": Thing("desk_row_four", "class_desks", "back row of desks", "最后一排课桌"), "N": Thing("notice_board", "notice_board"),
            "B": Thing("bench", "bench", "hall bench", "大厅长椅"),
            "P": Thing("piano", "piano"), "Y": Thing("guitar", "guitar"), "Z": Thing("practice_chair", "armchair", "practice chair", "练琴椅"),
            "M": Thing("mei_desk", "desk", "Mei Lin's desk", "林梅的办公桌"), "T": Thing("lab_bench", "lab_bench"), "W": Thing("microscope", "microscope"),
            "U": Thing("back_bench", "lab_bench", "back lab bench", "后排实验台"),
        },
        {"`": "world_map", "-": "garland", "7": "planter_wide", "8": "cello", "9": "poster_blue", "0": "chalk_wall"},
    ),
]  # fmt: skip
