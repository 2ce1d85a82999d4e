"""Errands as they are worded: nothing that they lack is fetched, and the rules refuse what cannot
be done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from benchmarks.society import START, apart, farmstead
from hometown.memory.schedule import MeantTask, Tasks
from hometown.society.arbiter import choose_reflex
from hometown.society.bodies import change_needs
from hometown.society.errand_plan import DEFAULT_QUANTITY
from hometown.society.errands import do_errands, is_done_by_partner
from hometown.society.goods_words import count_named
from hometown.society.jobs import leave_work
from hometown.society.known_ways import find_known_ways
from hometown.society.planner import Planner
from hometown.society.refusals import build_refusal
from hometown.society.rule_life import RuleLife
from hometown.society.worded_errands import follow_words, seems_possible, tick_off
from hometown.world.effects import Promised
from hometown.world.labour import (
    Barred,
    BlockedErrand,
    CourseSet,
    Errand,
    NeedsSet,
    Outcome,
    Verb,
)
from hometown.world.matter import Shifted, Transfer
from hometown.world.rows import Promise, Promises

BOOK = farmstead()
BAKERY = "bakery/main"
FETCH = "fetching 8 × flour from the larder", Verb.TAKE, "flour", "bakery/main/larder"
KNEAD = "kneading dough", Verb.DO, "knead", ""
EAT = "eating a loaf", Verb.DO, "eat", ""

Words = tuple[str, Verb, str, str]


def begun(hunger: int = 0) -> RuleLife:
    """The farmstead at nine, with Hugo so much hungrier."""
    life = RuleLife(BOOK, START, 1, apart)
    life.pass_time(180)
    needs = change_needs(
        BOOK, life.state.needs("hugo"), life.state.clock.now, {"hunger": -hunger}, False
    )
    life.carry_out([NeedsSet("hugo", needs)])
    return life


def search(life: RuleLife) -> Planner:
    return Planner(life.society, "hugo", apart)


def course(life: RuleLife, *words: Words) -> Sequence[Errand]:
    tasks = [
        MeantTask(at, at + 1, activity, verb=verb, what=what, at=address)
        for at, (activity, verb, what, address) in enumerate(words)
    ]
    return list(follow_words(search(life), tasks, BAKERY))


def test_only_what_is_said_is_done_as_many_as_are_named() -> None:
    life = begun()
    knead = Errand(Verb.DO, "bakery/main/trough", "knead")
    assert course(life, KNEAD) == [knead], "nobody fetches the flour"
    assert life.attempt("hugo", knead) == build_refusal("LACKS", kind="flour", has=0, needs=8)
    fetch = Errand(Verb.TAKE, "bakery/main/larder", "flour", 8)
    assert course(life, FETCH, KNEAD) == [fetch, knead]
    assert seems_possible(search(life), fetch)
    assert not seems_possible(search(life), knead)
    life.attempt("hugo", fetch)
    assert course(life, FETCH, KNEAD) == [knead], "the flour is in the bag"


def test_what_was_refused_lately_ends_the_course() -> None:
    life = begun()
    knead = Errand(Verb.DO, "bakery/main/trough", "knead")
    now = life.state.clock.now
    bar = BlockedErrand(Outcome(knead, "LACKS"), now + timedelta(hours=1))
    life.carry_out([Barred("hugo", bar, now)])
    assert course(life, KNEAD, FETCH) == []


def test_nobody_eats_on_a_full_stomach_by_words_either() -> None:
    assert course(begun(hunger=-500), EAT) == []
    assert [errand.what for errand in course(begun(hunger=500), EAT)] == ["eat/loaf"]


def test_the_body_takes_only_what_is_at_hand() -> None:
    life = begun(hunger=700)
    reflex = choose_reflex(life.society, "hugo", BAKERY, search(life), "low")
    assert reflex
    assert reflex.plan
    assert [(errand.verb, errand.what) for errand in reflex.plan.errands] == [("do", "eat/loaf")]
    life.carry_out([Shifted(Transfer("hugo", "farm/kitchen/larder", (("loaf", 2),)))])
    elsewhere = choose_reflex(life.society, "hugo", "green/well", search(life), "low")
    assert elsewhere is None, "the bread is in the bakery"


def test_a_resident_knows_ways_for_needs_and_duties() -> None:
    life = begun(hunger=700)
    ways = {way.need or way.kind: way for way in find_known_ways(search(life), BAKERY)}
    assert ways["hunger"].plan.errands[-1].what == "eat/loaf"
    assert ways["duty"].duty in life.society.duties("hugo")


def test_goods_of_which_none_are_known_are_looked_for_where_they_should_be() -> None:
    buy, take = ("buying flour", Verb.BUY, "flour", ""), ("fetching dough", Verb.TAKE, "dough", "")
    (bought,), (fetched,) = course(begun(), buy), course(begun(), take)
    assert (bought.at, bought.count) == ("mill/main/chest", 4)
    assert fetched.at.startswith("bakery/")


def test_the_work_that_is_meant_is_among_the_ways_where_it_is_meant() -> None:
    life = begun()
    bert = Planner(life.society, "bert", apart)
    for meant, room, at in (
        (Errand(Verb.DO, "", "sow"), "fields/south", "fields/south/furrows"),
        (Errand(Verb.DO, "fields/hill/furrows", "sow"), "fields/south", "fields/hill/furrows"),
    ):
        way = next(find_known_ways(bert, "farm/kitchen", meant, room))
        assert [(errand.verb, errand.count) for errand in way.plan.errands] == [
            ("take", 10),
            ("do", 1),
        ]
        assert (way.kind, way.plan.errands[-1].at) == ("work", at)


def test_a_step_is_ticked_off_when_its_errand_has_succeeded() -> None:
    buy = MeantTask(0, 10, "buying 2 × loaf", verb="buy", what="loaf", at="")
    eat = MeantTask(10, 20, "eating", verb="do", what="eat", at="")
    done = [Errand(Verb.DO, "", "eat/loaf"), Errand(Verb.BUY, "bakery/main/counter", "loaf", 2)]
    tasks = Tasks(0, (buy, eat, eat))
    assert [each.status for each in tick_off(BOOK, tasks, done).items] == ["done", "done", "todo"]
    assert tick_off(BOOK, tasks, ()) == tasks
    assert not list(follow_words(search(begun()), [replace(buy, status="done")], BAKERY))


def test_as_many_are_meant_as_stand_before_the_goods() -> None:
    for words, count in (
        ("at 7:30 buying two loaves", 2),
        ("at 7:30 buying bread", 4),
        ("buying a loaf", 1),
        ("七点半买三个面包", 3),
        ("买12个面包", 12),
        ("一起买面包", 4),
    ):
        (bought,) = course(begun(), (words, Verb.BUY, "vegetable", ""))
        assert bought.count == DEFAULT_QUANTITY, "no number of vegetables is said"
        assert count_named(BOOK, "loaf", words) == (count if count != 4 else 0)


def test_only_goods_that_the_bag_will_have_are_put_away() -> None:
    store = "putting 10 × grain away", Verb.PUT, "grain", "barn/main/bin"
    fetch = "fetching 10 × grain from the grain bin", Verb.TAKE, "grain", "barn/main/bin"
    sow = "sowing wheat", Verb.DO, "sow", "fields/hill/furrows"
    assert course(begun(), store) == []
    assert [errand.verb for errand in course(begun(), fetch, sow, store)] == ["take", "do"]
    assert [errand.verb for errand in course(begun(), fetch, store)] == ["take", "put"]


SOW_HILL = Errand(Verb.DO, "fields/hill/furrows", "sow")


def two_at_one_field(*, have_agreed: bool) -> RuleLife:
    """Ada sows the hill field, and Bert is about to."""
    life = begun()
    now = life.state.clock.now
    together = Promise("sowing the hill field", ("ada", "bert"), "fields/hill", now, 90, "1-ada")
    grain = Transfer("barn/main/bin", "ada", (("grain", 10),))
    life.carry_out([Shifted(grain), Shifted(replace(grain, taker="bert"))])
    if have_agreed:
        life.carry_out(Promised(who, Promises((together,))) for who in together.people)
    assert life.attempt("ada", SOW_HILL) is None
    life.carry_out([CourseSet("bert", (SOW_HILL,))])
    life.carry_out(do_errands(life.society, "bert", lambda at: True))
    return life


def test_whoever_helps_at_the_work_agreed_on_has_not_failed_at_it() -> None:
    for have_agreed, bars in ((True, ()), (False, (SOW_HILL,))):
        life = two_at_one_field(have_agreed=have_agreed)
        assert is_done_by_partner(life.society, "bert", SOW_HILL) == have_agreed
        assert tuple(life.society.refused_errands("bert")) == bars
        assert bool(life.state.recent_outcomes("bert")) != have_agreed
        assert not life.state.errand_queue("bert")


def test_what_was_in_use_is_tried_again_as_soon_as_it_is_seen_to_be_free() -> None:
    life = two_at_one_field(have_agreed=False)
    job = life.state.job("ada")
    assert job
    sow = MeantTask(0, 9, "sowing", verb="do", what="sow", at="fields/hill/furrows")
    bert = [Planner(life.society, "bert", apart)]
    assert not list(follow_words(bert[0], [sow], "fields/hill"))
    life.carry_out(leave_work(life.society, "ada", job))
    bert.append(Planner(life.society, "bert", apart))
    assert list(follow_words(bert[1], [sow], "fields/hill")) == [SOW_HILL]
    assert not list(follow_words(bert[1], [sow], "farm/kitchen")), "where it is not seen"
