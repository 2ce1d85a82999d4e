"""Free words become errands where rules understand them, and only those that could ever be run."""

from __future__ import annotations

from pathlib import Path

import pytest

from hometown.language import Lang
from hometown.society.errand_grounding import concerns_others, ground_words, list_options
from hometown.society.initial_state import initial_effects
from hometown.society.planner import Planner
from hometown.society.rule_life import mindless_state
from hometown.society.society_view import SocietyView
from hometown.world.apply import apply
from hometown.world.labour import Errand, Verb
from hometown.world.load import load_world
from hometown.world.world import World
from tests.support.society import societal

MEANT: list[tuple[Lang, str, str, Errand | None]] = [
    ("en", "xiao_mei", "Baking the morning's bread", Errand(Verb.DO, "", "bake")),
    ("en", "xiao_mei", "having breakfast with grandfather", Errand(Verb.DO, "", "eat")),
    ("en", "chen_siyuan", "Grinds a sack of flour", Errand(Verb.DO, "", "grind")),
    ("en", "chen_siyuan", "walking past the mill", None),
    ("en", "chen_siyuan", "to mill a sack at once", Errand(Verb.DO, "", "grind")),
    ("en", "wang_fang", "grinding her teeth", None),
    ("en", "lin_yue", "buying bread to eat by the pond", Errand(Verb.BUY, "", "loaf")),
    ("en", "xiao_mei", "buying bread", None),
    (
        "en",
        "xiao_mei",
        "putting the bread on the counter",
        Errand(Verb.PUT, "cafe/main/counter", "loaf"),
    ),
    ("en", "zhao_gang", "fetching flour for tomorrow", Errand(Verb.TAKE, "", "flour")),
    ("en", "lin_yue", "bakelite is a material", None),
    ("en", "xiao_mei", "baking [cafe/main/oven]", Errand(Verb.DO, "cafe/main/oven", "bake")),
    (
        "en",
        "xiao_mei",
        "fetching flour from cafe/main/espresso_machine",
        Errand(Verb.TAKE, "cafe/main/espresso_machine", "flour"),
    ),
    ("zh", "xiao_mei", "在cafe/main/oven烤面包", Errand(Verb.DO, "cafe/main/oven", "bake")),
    ("zh", "xiao_mei", "去厨房烤面包", Errand(Verb.DO, "", "bake")),
    ("zh", "lin_yue", "买两个面包", Errand(Verb.BUY, "", "loaf")),
    ("zh", "zhang_wei", "望着天空发呆", None),
]


def begun(world: World) -> SocietyView:
    assert world.book is not None
    state = mindless_state(world.start)
    for effect in initial_effects(world.book, world.start):
        apply(effect, state)
    return SocietyView(world.book, state, world.start)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> dict[Lang, World]:
    folder: Path = tmp_path_factory.mktemp("grounding")
    return {"en": societal(folder), "zh": societal(folder, "zh")}


@pytest.mark.parametrize(
    ("lang", "who", "words", "errand"), MEANT, ids=[words for _, _, words, _ in MEANT]
)
def test_words_mean_what_can_be_done(
    worlds: dict[Lang, World], lang: Lang, who: str, words: str, errand: Errand | None
) -> None:
    assert ground_words(worlds[lang], begun(worlds[lang]), who, words) == errand


def test_what_can_be_done_now_is_offered_the_least_effort_first(worlds: dict[Lang, World]) -> None:
    society = begun(worlds["en"])
    offered = list_options(
        society, Planner(society, "lin_yue", worlds["en"].walk_minutes), "lin_home/living"
    )
    wishes = [wish for wish, _ in offered]
    assert Errand(Verb.DO, "", "eat") in wishes
    assert Errand(Verb.BUY, "", "loaf") in wishes
    assert Errand(Verb.DO, "", "bake") not in wishes, "the oven is another house's"
    assert [plan.cost for _, plan in offered] == sorted(plan.cost for _, plan in offered)


@pytest.mark.parametrize(
    ("lang", "words", "place"),
    [
        ("en", "sowing wheat at the furrows of the south field", "fields/south/furrows"),
        ("en", "sowing the hill field with Dirk", "fields/hill/furrows"),
        ("en", "sowing the north field and the south field", ""),
        ("en", "sowing wheat", ""),
        ("zh", "在南田的田垄播种麦子", "fields/south/furrows"),
        ("zh", "去坡田播种", "fields/hill/furrows"),
    ],
)
def test_work_is_placed_by_the_name_of_its_fixture_or_room(
    lang: Lang, words: str, place: str
) -> None:
    world = load_world("farmstead", lang)
    assert ground_words(world, begun(world), "bert", words) == Errand(Verb.DO, place, "sow")


@pytest.mark.parametrize(
    ("lang", "words", "errand"),
    [
        ("en", "fetching two loaves from the larder", Verb.TAKE),
        ("en", "buying three loaves at the bread counter", Verb.BUY),
        ("en", "putting the baskets away at the cider press", Verb.PUT),
        ("en", "reaping wheat", Verb.DO),
        ("en", "taking a nap and thinking about dough", None),
        ("en", "asking for the price of bread", None),
        ("en", "sweeping the threshing floor", None),
        ("en", "posting the notice of the sowing feast", None),
        ("en", "talking with Dirk about sowing", None),
        ("en", "helping Bert sow the hill field", None),
        ("en", "fetching 10 measures of grain from Dirk", None),
        ("en", "sowing with Bert", Verb.DO),
        ("zh", "在坡田的田垄播种麦子", Verb.DO),
        ("zh", "割麦子", Verb.DO),
        ("zh", "从食品柜取两个面包", Verb.TAKE),
        ("zh", "把面粉放到磨面间的柜子", None),
        ("zh", "把播种宴的告示贴到公告栏上", None),
        ("zh", "跟艾达说播种宴要搬几张桌子", None),
        ("zh", "在一旁抖麦秸、扬谷壳，等打谷场空出来", None),
        ("zh", "帮伯特在坡田的田垄播种麦子", None),
        ("zh", "从德克那里拿10份麦粒", None),
        ("zh", "把10份麦粒交给伯特", None),
        ("zh", "和伯特一起播种麦子", Verb.DO),
    ],
)
def test_words_for_nouns_and_for_what_others_do_are_no_work(
    lang: Lang, words: str, errand: Verb | None
) -> None:
    world = load_world("farmstead", lang)
    meant = ground_words(world, begun(world), "ada", words)
    assert (meant and meant.verb) == errand


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("揉面团", "knead"),
        ("用面粉和面", "knead"),
        ("在和面槽和面", "knead"),
        ("取面包和面粉", "loaf"),
        ("和面包师说话", ""),
        ("和面包坊的雨果聊两句", ""),
    ],
)
def test_a_conjunction_is_no_kneading(words: str, what: str) -> None:
    world = load_world("farmstead", "zh")
    meant = ground_words(world, begun(world), "hugo", words)
    assert (meant.what if meant else "") == what


def test_what_two_have_a_part_in_is_not_asked_about() -> None:
    world = load_world("farmstead", "en")
    society = begun(world)
    for words, is_shared in (
        ("helping Bert sow the hill field", True),
        ("getting 10 measures of grain from Dirk", True),
        ("taking the loaves to Hugo", True),
        ("taking the loaves to Hugo's bakery", False),
        ("sowing with Bert", False),
    ):
        assert concerns_others(world, society, words) == is_shared, words
