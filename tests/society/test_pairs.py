"""What two do together as they have agreed, and work for wages."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks.society import START, apart, farmstead
from hometown.language import Lang
from hometown.society.errands import do_errands
from hometown.society.hire import HIRE_HOURS, pay_wages, plan_job_search
from hometown.society.jobs import leave_work
from hometown.society.joint_work import begin_joint_work, find_joint_recipes
from hometown.society.market import price_for
from hometown.society.refusals import Refusal, refuse_gift
from hometown.society.rule_life import RuleLife
from hometown.world.book.book import COIN
from hometown.world.book.parts import RecipePart
from hometown.world.effects import Promised
from hometown.world.labour import CameOf, CourseSet, Errand, Learned, Verb
from hometown.world.load import load_world
from hometown.world.matter import Granted, Shifted, Transfer
from hometown.world.regard import Regard, Regarded
from hometown.world.rows import Promise, Promises
from tests.society.test_deals import town

LESSON = Promise("a lesson in baking bread", ("hugo", "finn"), "green/well", START, 90, "3-hugo")


def skill(life: RuleLife, who: str, craft: str) -> int:
    return dict(life.state.skills(who)).get(craft, 0)


def met(promise: Promise = LESSON, ready: bool = True) -> RuleLife:
    """Two have agreed on something, one of them a good baker, and have both come."""
    life = town()
    life.carry_out(
        [
            Learned("hugo", "baking", 400),
            *(Promised(who, Promises((promise,))) for who in promise.people),
        ]
    )
    life.carry_out(
        begin_joint_work(life.society, "en", lambda who, address: ready or who == "hugo")
    )
    return life


@pytest.mark.parametrize(
    ("lang", "words", "meant"),
    [
        ("en", "a lesson in baking bread", {"teach/baking"}),
        ("en", "learning to mill grain", {"learn/milling"}),
        ("en", "a walk to the mill", set()),
        ("zh", "学烤面包", {"learn/baking"}),
        ("zh", "学编柳条篮", {"learn/weaving"}),
        ("zh", "散步", set()),
    ],
)
def test_words_of_an_agreement_mean_what_two_can_do(
    lang: Lang, words: str, meant: set[str]
) -> None:
    found = find_joint_recipes(town().society, words, lang)
    assert {recipe.id for recipe in found[:1]} == meant


def test_a_lesson_is_worth_much_to_who_learns_and_both_end_at_once() -> None:
    life = met()
    teaching, learning = life.state.job("hugo"), life.state.job("finn")
    assert teaching
    assert learning
    assert (teaching.recipe, teaching.partner, learning.recipe, learning.partner) == (
        "teach/baking",
        "finn",
        "learn/baking",
        "hugo",
    )
    life.pass_time(60)
    assert (life.state.job("hugo"), life.state.job("finn")) == (None, None)
    assert (skill(life, "hugo", "baking"), skill(life, "finn", "baking")) == (402, 24)
    assert [
        dict(effect.outcome.facts)["partner"] for effect in life.log if isinstance(effect, CameOf)
    ] in (["finn", "hugo"], ["hugo", "finn"])


def test_where_one_leaves_it_ends_for_both() -> None:
    life = met()
    deed = life.state.job("finn")
    assert deed
    life.carry_out(leave_work(life.society, "finn", deed))
    assert (life.state.job("hugo"), life.state.job("finn")) == (None, None)
    life.pass_time(60)
    assert skill(life, "finn", "baking") == 0


def test_nobody_is_taught_alone_late_or_by_who_is_no_better() -> None:
    assert met(ready=False).state.job("hugo") is None
    assert met(replace(LESSON, start=START - timedelta(minutes=40))).state.job("hugo") is None
    assert met(replace(LESSON, what="a lesson in milling grain")).state.job("hugo") is None, (
        "neither can mill"
    )
    assert town().attempt("hugo", Errand(Verb.DO, "", "teach/baking")) == Refusal(
        "NO_TARGET", (("partner", "learn"),)
    )


def test_lessons_end_when_the_appointment_does() -> None:
    assert met(replace(LESSON, start=START - timedelta(minutes=20), minutes=20)).society.jobs == []
    short = met(replace(LESSON, start=START - timedelta(minutes=20), minutes=25))
    job = short.state.job("finn")
    assert job
    assert job.until - START == timedelta(minutes=5)


@pytest.mark.parametrize(
    ("lang", "words"),
    [("en", "channel qi together after supper"), ("en", "dress a wound"), ("zh", "运功疗伤")],
)
def test_no_appointment_is_care(lang: Lang, words: str) -> None:
    vale = load_world("cloudvale", lang)
    assert vale.book
    life = RuleLife(vale.book, vale.start, 1, vale.walk_minutes)
    assert not find_joint_recipes(life.society, words, lang)


def test_what_two_use_up_together_is_in_their_bags() -> None:
    book = farmstead()
    toast = RecipePart(
        says={"en": ("drink a toast",), "zh": ("干杯",)},
        minutes=30,
        take={"cider": 1},
        make={"nature": "rest"},
        partner="toast",
    )
    life = RuleLife(replace(book, entries={**book.entries, "toast": toast}), START, 1, apart)
    promise = replace(LESSON, what="drink a toast")
    life.carry_out(Promised(who, Promises((promise,))) for who in promise.people)

    def meet() -> None:
        life.carry_out(begin_joint_work(life.society, "en", lambda who, address: True))

    life.carry_out([Granted("hugo", (("cider", 1),))])
    meet()
    assert life.society.jobs == [], "finn has none"
    life.carry_out([Granted("finn", (("cider", 1),))])
    meet()
    assert [life.state.stock(f"work:{who}").count("cider") for who in promise.people] == [1, 1]
    life.pass_time(30)
    assert life.society.goods_in((*promise.people, "work:hugo", "work:finn"))["cider"] == 0


def poor() -> RuleLife:
    """The bakery has few coins, the mill has more than it began with; wages are 20 coins an hour."""
    book = farmstead()
    life = RuleLife(
        replace(book, start=book.start.model_copy(update={"wage": 20})),
        START,
        1,
        lambda one, other: 0,
    )
    life.carry_out([Shifted(Transfer("house:bakery", "house:mill", ((COIN, 1900),)))])
    return life


def test_who_has_few_coins_works_for_who_has_many_and_is_paid() -> None:
    life = poor()
    assert plan_job_search(life.society, "finn", "", life.travel_minutes) is None, (
        "the mill is rich"
    )
    plan = plan_job_search(life.society, "iris", "", life.travel_minutes)
    assert plan
    assert life.attempt("iris", Errand(Verb.HIRE, "farm/kitchen", "farm", HIRE_HOURS)) is None
    life = poor()
    life.carry_out([CourseSet("iris", (Errand(Verb.HIRE, "mill/main", "mill", HIRE_HOURS),))])
    life.carry_out(do_errands(life.society, "iris", lambda at: True))
    assert life.society.employer("iris") == "mill"
    assert life.society.may_use("iris", "mill/main/millstone")
    assert not life.society.may_consume("iris", "mill/main/sacks"), (
        "for its own needs it pays as anybody"
    )
    assert {duty.keep for duty in life.society.duties("iris")} == {"flour", "grain"}
    assert life.attempt("iris", Errand(Verb.HIRE, "garden/gate", "garden", HIRE_HOURS)), (
        "one house at a time"
    )
    life.pass_time(HIRE_HOURS * 60)
    life.carry_out(pay_wages(life.society))
    assert (
        life.society.coins("iris"),
        life.society.coins("finn"),
        life.society.employer("iris"),
    ) == (180, 3820, "")


def test_regard_sets_prices_and_gifts() -> None:
    life, counter = town(), "bakery/main/counter"
    bakers = life.book.keepers(counter)
    assert price_for(life.society, "ada", counter, "loaf") == 40
    life.carry_out([Regarded(baker, "ada", Regard(60, 0, START)) for baker in bakers])
    assert price_for(life.society, "ada", counter, "loaf") == 36
    life.carry_out([Shifted(Transfer("house:farm", "house:mill", ((COIN, 2000),)))])
    assert refuse_gift(life.society, "ada", counter, "loaf") is None
    life.carry_out([Regarded(baker, "ada", Regard(-60, 0, START)) for baker in bakers])
    refusal = refuse_gift(life.society, "ada", counter, "loaf")
    assert refusal
    assert (refusal.code, dict(refusal.facts)["favour"]) == ("NOT_YOURS", -60)
    assert price_for(life.society, "ada", counter, "loaf") == 40, "nobody is asked more"


def test_what_is_taught_and_learnt_is_in_every_society() -> None:
    vale = load_world("cloudvale", "zh").book
    assert vale
    assert {"teach/alchemy", "learn/alchemy", "spar"} <= vale.recipes.keys()
    assert all(
        recipe.part.partner in vale.entries
        for recipe in vale.recipes.values()
        if recipe.part.partner
    )
