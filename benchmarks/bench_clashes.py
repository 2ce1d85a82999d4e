"""Clashes of agreements for the bench, written by hand: they are too rare in lived days to collect.

Each is two or more agreements of one resident for one hour, in both languages, with the one that a
careful reader would keep, where one is plainly right: it is promised first and weighs as much, or
it is about need and the other about pleasure.
"""

from __future__ import annotations

from datetime import datetime, time
from pathlib import Path

from benchmarks.towns import new_run
from hometown.agent.mind import Mind
from hometown.frozen import frozen
from hometown.language import Lang
from hometown.prompt.clashes import ClashVars
from hometown.world.load import load_world
from hometown.world.rows import Promise


@frozen
class Agreement:
    """An agreement for an hour, with the ids of the others, separated by spaces; "" for a plan of
    the resident's own.
    """

    others: str
    place: str
    minutes: int
    en: str
    zh: str

    def promise(self, who: str, start: datetime, lang: Lang) -> Promise:
        """Return it as a promise of a resident."""
        what = self.zh if lang == "zh" else self.en
        return Promise(what, (who, *self.others.split()), self.place, start, self.minutes, "")


@frozen
class Clash:
    """The agreements of a resident for an hour of the day; the last one is new.

    `right` is the number of the one to keep, from 1; 0 if none is plainly right.
    """

    who: str
    hour: int
    agreements: tuple[Agreement, ...]
    right: int


BEGIN = {"minitown": 12, "farmstead": 10, "cloudvale": 13, "ville": 11}
"""Hour at which the residents of a world are asked."""

CLASHES: dict[str, tuple[Clash, ...]] = {
    "minitown": (
        Clash(
            "xiao_mei",
            15,
            (
                Agreement(
                    "zhang_wei",
                    "library/hall",
                    60,
                    "going through the questions for Wednesday's physics test",
                    "把周三物理测验的题目过一遍",
                ),
                Agreement("lin_yue", "cafe/main", 60, "having a hot chocolate", "喝杯热巧克力"),
            ),
            1,
        ),
        Clash(
            "zhao_gang",
            13,
            (
                Agreement(
                    "wang_fang", "park/grounds", 60, "strolling round the park", "在公园里散散步"
                ),
                Agreement(
                    "xiao_mei",
                    "square/plaza",
                    30,
                    "bringing Xiao Mei home, who has sprained her ankle and cannot walk alone",
                    "接小美回家，她扭了脚，一个人走不了",
                ),
            ),
            2,
        ),
        Clash(
            "chen_siyuan",
            14,
            (
                Agreement("zhang_wei", "cafe/main", 45, "talking about films", "聊聊电影"),
                Agreement(
                    "lin_yue",
                    "studio/workspace",
                    60,
                    "rescuing Lin Yue's only copy of the tea-tin design from her broken computer",
                    "从林悦坏掉的电脑里抢救茶叶罐的设计稿，只此一份",
                ),
            ),
            2,
        ),
        Clash(
            "wang_fang",
            13,
            (
                Agreement(
                    "lin_yue",
                    "flower_shop/shop",
                    90,
                    "binding the sixty roses for tomorrow, which nobody can do alone in time",
                    "把明天的六十枝玫瑰扎好，一个人来不及",
                ),
                Agreement("xiao_mei", "cafe/main", 60, "tasting a new cake", "尝尝新出的蛋糕"),
            ),
            1,
        ),
        Clash(
            "zhang_wei",
            15,
            (
                Agreement(
                    "zhao_gang",
                    "library/hall",
                    60,
                    "reading through the town's old stories",
                    "一起读读镇上的老故事",
                ),
                Agreement(
                    "chen_siyuan",
                    "studio/workspace",
                    60,
                    "looking at Chen Siyuan's simulation",
                    "看看陈思远做的模拟",
                ),
            ),
            0,
        ),
        Clash(
            "chen_siyuan",
            13,
            (
                Agreement("zhao_gang", "square/plaza", 60, "playing a game of chess", "下一盘棋"),
                Agreement("xiao_mei", "cafe/main", 30, "trying the new coffee", "试试新到的咖啡"),
                Agreement(
                    "wang_fang lin_yue",
                    "flower_shop/shop",
                    90,
                    "carrying the flowers out of the shop, where a pipe leaks, before they are spoilt",
                    "店里水管漏了，赶在花泡坏之前把花都搬出来",
                ),
            ),
            3,
        ),
    ),
    "farmstead": (
        Clash(
            "gwen",
            11,
            (
                Agreement("cora", "stream/bank", 60, "skipping stones on the pond", "在塘边打水漂"),
                Agreement(
                    "finn",
                    "mill/main",
                    60,
                    "lifting the cracked millstone with Father before it falls on somebody",
                    "跟爹一起把裂了的磨盘抬下来，免得砸着人",
                ),
            ),
            2,
        ),
        Clash(
            "dirk",
            15,
            (
                Agreement(
                    "bert",
                    "fields/hill",
                    120,
                    "ploughing the rest of the hill field before the rain",
                    "赶在下雨前把坡田剩下的地犁完",
                ),
                Agreement("liam", "orchard/trees", 60, "hearing a new reel", "听一支新舞曲"),
            ),
            1,
        ),
        Clash(
            "iris",
            17,
            (
                Agreement(
                    "edda",
                    "bakery/main",
                    60,
                    "weighing the loaves again with Edda Thorne, who has been put off twice",
                    "跟埃德娜把面包重新称一遍，已经让她白等两回了",
                ),
                Agreement("ada", "green/well", 30, "chatting at the well", "在井边拉拉家常"),
            ),
            1,
        ),
        Clash(
            "hugo",
            11,
            (
                Agreement("finn", "mill/main", 45, "looking at the new flour", "看看新磨的面粉"),
                Agreement(
                    "jack",
                    "bakery/main",
                    60,
                    "dressing Jack Reed's burnt hand, who is alone with the hot oven",
                    "给杰克包扎烫伤的手，他一个人守着热烤炉",
                ),
            ),
            2,
        ),
        Clash(
            "kate",
            18,
            (
                Agreement(
                    "ada", "garden/gate", 60, "settling the month's accounts", "结这个月的账"
                ),
                Agreement(
                    "", "garden/beds", 60, "looking after the quiet hive", "看看那箱没声息的蜜蜂"
                ),
            ),
            0,
        ),
        Clash(
            "cora",
            11,
            (
                Agreement("jack", "orchard/trees", 60, "looking at the buds", "看看树上的花苞"),
                Agreement(
                    "edda bert",
                    "farm/yard",
                    60,
                    "carrying Grandmother in, who has fallen and cannot stand on her hip",
                    "奶奶摔了一跤，胯骨疼得站不起来，要把她抬进屋",
                ),
            ),
            2,
        ),
        Clash(
            "finn",
            15,
            (
                Agreement(
                    "bert ada",
                    "barn/main",
                    90,
                    "weighing out the seed that has to be in the ground today",
                    "把今天非下地不可的种子称出来",
                ),
                Agreement("hugo", "bakery/main", 60, "playing cards", "打打牌"),
            ),
            1,
        ),
    ),
    "cloudvale": (
        Clash(
            "a_fu",
            14,
            (
                Agreement(
                    "zhao_ming", "crane/yard", 60, "watching Zhao Ming practise", "看赵鸣练剑"
                ),
                Agreement(
                    "yan_ruoxue",
                    "crane/hall",
                    90,
                    "nursing Lu Changfeng, who has a high fever",
                    "陆长风发高烧，去照料他",
                ),
            ),
            2,
        ),
        Clash(
            "bai_zhi",
            14,
            (
                Agreement(
                    "su_qinglan",
                    "pine/hall",
                    120,
                    "keeping the cracked furnace at its heat, which takes two or it bursts",
                    "看住那口裂了的丹炉的火候，少一个人就要炸",
                ),
                Agreement("qiu_niang", "inn/main", 45, "trying a new tea", "品一品新茶"),
            ),
            1,
        ),
        Clash(
            "tie_niu",
            15,
            (
                Agreement(
                    "yan_ruoxue",
                    "cave/main",
                    60,
                    "being taught the breath of the breakthrough, for which Yan Ruoxue comes only today",
                    "跟颜若雪学破境的吐纳，她只有今天能来",
                ),
                Agreement("a_fu", "market/street", 45, "strolling past the stalls", "逛逛集市"),
            ),
            1,
        ),
        Clash(
            "lin_xiaoyu",
            14,
            (
                Agreement("qiu_niang lao_chen", "inn/main", 60, "listening to a story", "听一段书"),
                Agreement(
                    "su_qinglan",
                    "pine/hall",
                    60,
                    "preparing an antidote with Su Qinglan for Tie Niu, who has eaten a poisonous root",
                    "铁牛误吃了毒草根，跟苏青岚一起给他配解药",
                ),
            ),
            2,
        ),
        Clash(
            "mo_li",
            18,
            (
                Agreement("lao_chen", "inn/main", 60, "drinking tea", "喝茶"),
                Agreement("fang_shan", "bank/herbs", 60, "gathering herbs", "采药"),
            ),
            0,
        ),
        Clash(
            "qiu_niang",
            17,
            (
                Agreement(
                    "lao_chen",
                    "inn/main",
                    90,
                    "hanging the lanterns for tomorrow's tea, as there is no other time for it",
                    "把明天灯茶会的灯笼挂好，过了今天就没工夫了",
                ),
                Agreement("mo_li", "spring/pool", 45, "dipping the feet into the spring", "泡泡脚"),
            ),
            1,
        ),
    ),
    "ville": (
        Clash(
            "eddy_lin",
            12,
            (
                Agreement("wolfgang_schulz", "pub/main", 60, "having a lemonade", "喝杯柠檬水"),
                Agreement(
                    "mei_lin",
                    "willows/pharmacy",
                    30,
                    "taking Mother home, who has fainted and should not walk alone",
                    "妈妈刚才晕倒了，不能一个人走，接她回家",
                ),
            ),
            2,
        ),
        Clash(
            "carmen_ortiz",
            15,
            (
                Agreement(
                    "tamara_taylor",
                    "supply_store/shop",
                    60,
                    "signing the papers for the loan, which the bank wants today or never",
                    "签好贷款的文件，银行过了今天就不收了",
                ),
                Agreement("arthur_burton", "pub/main", 60, "tasting a fish supper", "尝尝炸鱼"),
            ),
            1,
        ),
        Clash(
            "john_lin",
            17,
            (
                Agreement(
                    "tom_moreno",
                    "plaza/square",
                    45,
                    "talking about the weather on a bench",
                    "坐在长椅上聊聊天气",
                ),
                Agreement(
                    "jennifer_moore",
                    "willows/pharmacy",
                    30,
                    "making up the heart drops that Sam Moore cannot be without tonight",
                    "配好山姆今晚离不了的强心药水",
                ),
            ),
            2,
        ),
    ),
}
"""Clashes by the world in which they happen."""


async def collect_clashes(lang: Lang, folder: Path) -> list[ClashVars]:
    """Return the prompts about all clashes, asked of residents in the middle of a day."""
    return [each for name in CLASHES for each in await _ask(name, lang, folder / f"clash-{name}")]


async def _ask(name: str, lang: Lang, folder: Path) -> list[ClashVars]:
    """Return the prompts about the clashes of a world."""
    world = load_world(name, lang)
    start = datetime.combine(world.start.date(), time(BEGIN[name]))
    run, game = await new_run(folder, world, steps=1, start=start)
    with run:
        await game.step()
        context = game.look(game.begin_step())
        return [_variables(each, Mind(each.who, context), lang) for each in CLASHES[name]]


def _variables(clash: Clash, mind: Mind, lang: Lang) -> ClashVars:
    start = datetime.combine(mind.now.date(), time(clash.hour))
    *kept, new = (each.promise(clash.who, start, lang) for each in clash.agreements)
    return ClashVars(mind.situation, tuple(kept), new)


RIGHT: dict[tuple[str, str], int] = {
    (clash.who, what): clash.right
    for clashes in CLASHES.values()
    for clash in clashes
    for what in (clash.agreements[0].en, clash.agreements[0].zh)
}


def right_choice(variables: ClashVars) -> int:
    """Return the number of the agreement to keep; 0 if none is plainly right."""
    return RIGHT[variables.situation.me.id, variables.kept[0].what]
