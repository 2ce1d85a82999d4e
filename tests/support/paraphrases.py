"""Pairs of sentences that say much the same in other words, as memories and the questions that
should find them.
"""

from __future__ import annotations

from hometown.language import Lang

PARAPHRASES: dict[Lang, tuple[tuple[str, str], ...]] = {
    "en": (
        (
            "The lighthouse lamp will be repaired before the spring market.",
            "When does the repair of the lamp in the lighthouse take place?",
        ),
        (
            "Ida is baking rye bread for the school picnic.",
            "Who bakes bread for the picnic of the school?",
        ),
        (
            "Tom lent his ladder to the painter next door.",
            "The painter borrowed a ladder from Tom.",
        ),
        (
            "Mei is painting a picture of the harbour at dawn.",
            "A painting of the harbour in the morning by Mei",
        ),
        (
            "The library closes early on Fridays in winter.",
            "On winter Fridays the library has shorter hours.",
        ),
        (
            "Ben forgot to water the tomato plants behind the house.",
            "The tomatoes were not watered by Ben.",
        ),
        (
            "Clara wants to start a choir with her neighbours.",
            "Clara's idea of a neighbourhood choir",
        ),
        ("There was a fox in the park last night.", "Somebody saw foxes in the park."),
        (
            "The ferry to the island is cancelled because of the storm.",
            "Does the storm stop the island ferry?",
        ),
        (
            "Otto is studying for his chemistry exam.",
            "Otto's examination in chemistry needs a lot of study.",
        ),
        ("The café serves a new lemon cake.", "What new cakes are there at the café?"),
        (
            "Nora broke her arm when she fell off the bicycle.",
            "Nora's broken arm and the bicycle accident",
        ),
        (
            "Victor collects old maps of the coast.",
            "a collection of coastal maps that belongs to Victor",
        ),
        (
            "The fountain on the square has run dry.",
            "Why is there no water in the square's fountain?",
        ),
        (
            "Rosa's cat hides under the piano during thunder.",
            "Thunder frightens the cat, which sits below the piano.",
        ),
    ),
    "zh": (
        ("灯塔的灯要在春天的集市之前修好。", "什么时候修灯塔上的灯？"),
        ("小艾在给学校的野餐烤黑麦面包。", "谁为学校野餐烤面包？"),
        ("阿森把梯子借给了隔壁的画家。", "画家从阿森那里借来一架梯子。"),
        ("林梅正在画清晨的港口。", "林梅画的一幅早晨港口的画"),
        ("图书馆冬天的星期五关门早。", "冬季每到周五，图书馆提前关门。"),
        ("小本忘了给屋后的番茄浇水。", "番茄没有浇水，是小本忘记了。"),
        ("陈老师想和邻居们办一个合唱团。", "陈老师办邻里合唱团的主意"),
        ("昨天夜里公园里来了一只狐狸。", "有人在公园见到狐狸。"),
        ("去岛上的渡船因为暴风雨停开了。", "暴风雨会让渡船停航吗？"),
        ("小欧在准备化学考试。", "小欧的化学考试复习得怎么样？"),
        ("咖啡馆新出了一种柠檬蛋糕。", "咖啡馆有什么新蛋糕？"),
        ("诺拉骑自行车摔断了胳膊。", "诺拉的胳膊断了，是骑车摔的。"),
        ("老魏收藏海岸的旧地图。", "老魏的旧地图收藏"),
        ("广场上的喷泉没有水了。", "广场喷泉为什么不喷水？"),
        ("一打雷，罗莎的猫就躲到钢琴底下。", "猫怕打雷，躲在钢琴下面。"),
    ),
}
