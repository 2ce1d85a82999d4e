"""Items: tools that wear and are made anew, and containers in which something is hidden."""

from __future__ import annotations

from benchmarks.society import START, apart, farmstead
from hometown.society.errand_plan import ErrandPlan
from hometown.society.errands import do_errands
from hometown.society.jobs import TOOL_BROKE
from hometown.society.knowledge import look_around, view_as
from hometown.society.planner import Planner
from hometown.society.refusals import Refusal
from hometown.society.rule_life import RuleLife
from hometown.society.verb_rules import plan_errand
from hometown.world.labour import CameOf, CourseSet, Errand, Verb
from hometown.world.matter import Granted, Item, Shifted, Transfer, Worn

BOOK = farmstead()
FIELD, BENCH, LARDER = "fields/north/furrows", "barn/main/workbench", "farm/kitchen/larder"


def life() -> RuleLife:
    """Morning on the farmstead; the north field is ripe, and Ada has seen it."""
    begun = RuleLife(BOOK, START, 1, apart)
    begun.carry_out([Granted(FIELD, (("ripe_wheat", 120),))])
    begun.carry_out(look_around(begun.society, "ada", [FIELD]))
    return begun


def sickle(of: RuleLife, who: str) -> str:
    return next(name for name in of.state.stock(who).items if name.startswith("sickle"))


def search(of: RuleLife, who: str) -> Planner:
    return Planner(view_as(of.society, who, FIELD), who, apart)


def steps(plan: ErrandPlan | None) -> list[tuple[str, str, str]]:
    return [(errand.verb, errand.at, errand.what) for errand in plan.errands] if plan else []


def test_a_tool_is_at_hand_while_it_is_used_and_wears_by_it() -> None:
    town = life()
    tool = sickle(town, "ada")
    assert town.attempt("ada", Errand(Verb.DO, FIELD, "reap")) is None
    assert town.state.holders(tool) == (tool, "work:ada")
    town.pass_time(60)
    assert town.state.item(tool) == Item("ada", 1)


def test_a_worn_out_tool_breaks_and_is_made_anew_of_what_is_left() -> None:
    town = life()
    tool = sickle(town, "ada")
    town.carry_out(
        [
            Worn(tool, BOOK.kinds["sickle"].wears - 1),
            Shifted(Transfer("ada", FIELD, (("loaf", 2),))),
        ]
    )
    town.attempt("ada", Errand(Verb.DO, FIELD, "reap"))
    town.pass_time(60)
    broke = [
        effect.outcome
        for effect in town.log
        if isinstance(effect, CameOf) and effect.outcome.code == TOOL_BROKE
    ]
    assert [outcome.facts for outcome in broke] == [(("kind", "sickle"),)]
    assert town.state.item(tool) is None
    assert (town.state.stock("ada").count("blade"), town.state.stock("ada").count("sheaf")) == (
        1,
        30,
    )
    assert town.attempt("ada", Errand(Verb.DO, FIELD, "reap")) == Refusal(
        "LACKS", (("tool", "cuts"),)
    )
    assert steps(plan_errand(search(town, "ada"), Verb.DO, "reap", "", FIELD)) == [
        ("do", BENCH, "haft"),
        ("do", FIELD, "reap"),
    ]
    town.attempt("ada", Errand(Verb.DO, BENCH, "haft"))
    town.pass_time(60)
    assert town.state.item(sickle(town, "ada")) == Item("ada", 0), (
        "a new one, with a number of its own"
    )


def test_a_tool_is_fetched_from_where_one_is_known_to_lie() -> None:
    town = life()
    town.carry_out([Shifted(Transfer("ada", BENCH, (("sickle", 1),)))])
    assert steps(plan_errand(search(town, "ada"), Verb.DO, "reap", "", FIELD))[0] == (
        "do",
        BENCH,
        "haft",
    ), "she has not seen that it lies there"
    town.carry_out(look_around(town.society, "ada", [BENCH]))
    assert steps(plan_errand(search(town, "ada"), Verb.DO, "reap", "", FIELD)) == [
        ("take", BENCH, "sickle"),
        ("do", FIELD, "reap"),
    ]


def test_what_is_in_something_closed_is_hidden_until_somebody_looks() -> None:
    town = life()
    (tin,) = town.society.containers(LARDER)
    assert view_as(town.society, "ada", LARDER).state.stock(tin).count("honey_cake") == 12, (
        "her own house's, and she knows it"
    )
    town.carry_out(
        [
            Shifted(Transfer(LARDER, "ada", (("tin", 1),))),
            Shifted(Transfer("ada", "gwen", (("tin", 1),))),
        ]
    )
    assert view_as(town.society, "gwen", "").state.stock(tin).goods == (), (
        "she has been given a tin"
    )
    assert town.attempt("ada", Errand(Verb.TAKE, tin, "honey_cake")) == Refusal(
        "NOT_YOURS", (("at", tin), ("owner", "gwen"))
    )
    town.carry_out([CourseSet("gwen", (Errand(Verb.LOOK, tin, ""),))])
    town.carry_out(do_errands(town.society, "gwen", lambda site: False))
    assert view_as(town.society, "gwen", "").state.stock(tin).count("honey_cake") == 12
    assert steps(plan_errand(search(town, "gwen"), Verb.TAKE, "honey_cake", tin, "")) == [
        ("take", tin, "honey_cake")
    ]


def test_room_is_needed_in_all_that_something_lies_in() -> None:
    town = life()
    (tin,) = town.society.containers(LARDER)
    town.carry_out([Granted("ada", (("loaf", 10),))])
    assert town.attempt("ada", Errand(Verb.PUT, tin, "loaf", 4)) == Refusal(
        "FULL", (("holder", tin), ("room", 1280), ("grams", 1600))
    )
    town.carry_out([Granted(LARDER, (("loaf", 46),))])
    assert town.attempt("ada", Errand(Verb.PUT, tin, "loaf", 2)) == Refusal(
        "FULL", (("holder", LARDER), ("room", 580), ("grams", 800))
    )
    assert town.attempt("ada", Errand(Verb.PUT, tin, tin)) == Refusal(
        "LACKS", (("kind", tin), ("has", 0), ("needs", 1))
    )
    town.carry_out([Shifted(Transfer(LARDER, "ada", (("tin", 1),)))])
    assert town.attempt("ada", Errand(Verb.PUT, tin, "tin")) == Refusal("NO_TARGET", (("at", tin),))


def test_nobody_looks_for_food_for_ever_in_the_basket_that_it_carries() -> None:
    """In plain view there is nothing to look for; and whoever has looked somewhere knows what is
    there, and looks elsewhere next.
    """
    town = RuleLife(BOOK, START, 1, apart)
    (basket,) = town.state.stock("farm/yard/press").items
    town.carry_out([Shifted(Transfer("farm/yard/press", "ada", ((basket, 1),)))])
    town.pass_time(23 * 60)  # all that is known has been seen long ago
    hungry = search(town, "ada")
    assert basket not in {
        plan.errands[-1].at for plan in hungry._plan_looks(ErrandPlan((), FIELD, 0))
    }
    town.carry_out([CourseSet("ada", (Errand(Verb.LOOK, basket, ""),))])
    town.carry_out(do_errands(town.society, "ada", lambda at: True))
    seen = town.state.last_sight("ada", basket)
    assert seen is not None
    assert seen.since == town.state.clock.now
