"""What people carry: whose bag is full puts something away before it goes hungry, or stops working."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.society import START, STEPS_A_DAY, apart, farmstead
from hometown.society.arbiter import choose_duty, is_supplied_by
from hometown.society.errand_plan import DEFAULT_QUANTITY, ErrandPlan
from hometown.society.planner import Planner
from hometown.society.rule_life import RuleLife
from hometown.world.book.book import Book
from hometown.world.book.parts import FixturePart
from hometown.world.labour import Errand, Verb
from hometown.world.matter import Granted, Shifted, Transfer

BOOK = farmstead()
COUNTER, LARDER, LOFT, BIN = (
    "bakery/main/counter",
    "farm/kitchen/larder",
    "barn/main/loft",
    "barn/main/bin",
)


def lade(life: RuleLife, holder: str, kind: str, free: int = 0) -> None:
    """Puts so much of a kind into a bag or a fixture that no more than this many grams are free,
    but for less than another one weighs.
    """
    life.carry_out(
        [
            Granted(
                holder,
                ((kind, (life.society.free_grams(holder) - free) // BOOK.kinds[kind].grams),),
            )
        ]
    )


def laden(who: str, kind: str, free: int = 0, book: Book = BOOK) -> RuleLife:
    """Morning on the farmstead; somebody has a heavy bag."""
    life = RuleLife(book, START, 1, apart)
    lade(life, who, kind, free)
    return life


def search(life: RuleLife, who: str) -> Planner:
    return Planner(life.society, who, apart)


def errands(plan: ErrandPlan | None) -> list[tuple[str, str, str]]:
    return [(errand.verb, errand.at, errand.what) for errand in plan.errands] if plan else []


def test_who_is_hungry_and_can_carry_no_bread_first_puts_away_what_is_heaviest() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    life.carry_out(
        [
            Shifted(Transfer("ada", LARDER, (("loaf", 2),))),
            Shifted(Transfer(LARDER, "bert", (("loaf", 2), ("tin", 1)))),
        ]
    )
    lade(life, "ada", "cider")
    lade(life, "ada", "blade")
    assert errands(search(life, "ada").plan_need("hunger", COUNTER)) == [("put", BIN, "cider")], (
        "where there is most room"
    )
    assert life.attempt("ada", Errand(Verb.PUT, BIN, "cider", DEFAULT_QUANTITY)) is None
    assert errands(search(life, "ada").plan_need("hunger", COUNTER))[-1][2].startswith("eat/")


def test_a_bag_is_emptied_when_it_is_more_than_half_full_and_nothing_else_is_to_be_done() -> None:
    half = BOOK.start.bag // 2
    assert search(laden("gwen", "cider", half), "gwen").plan_unloading(COUNTER) is None
    assert errands(search(laden("gwen", "cider", half - 1000), "gwen").plan_unloading(COUNTER)) == [
        ("put", "mill/main/sacks", "cider")
    ]
    life = laden("gwen", "cider")
    life.pass_time(120)
    assert errands(choose_duty(life.society, "gwen", COUNTER, search(life, "gwen"))) == [
        ("put", "mill/main/sacks", "cider")
    ]


def test_nothing_is_put_where_it_is_anothers_or_where_there_is_no_room() -> None:
    homeless = {
        address: FixturePart(owner="house:mill", holds=9000) if part.owner == "house:farm" else part
        for address, part in BOOK.fixtures.items()
    }
    assert (
        search(laden("ada", "cider", book=replace(BOOK, fixtures=homeless)), "ada").plan_unloading(
            COUNTER
        )
        is None
    )
    life = laden("ada", "cider")
    for address in (BIN, *BOOK.places_for("field")):
        lade(life, address, "grain")
    assert errands(search(life, "ada").plan_unloading(COUNTER)) == [("put", LOFT, "cider")]


def test_things_are_put_where_something_grows_only_where_nothing_else_has_room() -> None:
    life = laden("kate", "basket")
    lade(life, "garden/gate/stand", "vegetable", free=3000)
    assert max(map(life.society.free_grams, BOOK.places_for("bed"))) > life.society.free_grams(
        "garden/gate/stand"
    )
    assert errands(search(life, "kate").plan_unloading(COUNTER)) == [
        ("put", "garden/gate/stand", "basket")
    ]
    lade(life, "garden/gate/stand", "vegetable")
    assert errands(search(life, "kate").plan_unloading(COUNTER))[0][1] in BOOK.places_for("bed")


def test_nobody_makes_more_of_what_it_has_no_use_for_than_it_would_fetch() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    life.carry_out([Granted("gwen", (("basket", DEFAULT_QUANTITY - 1),))])
    assert not is_supplied_by(life.society, "gwen", "weave")
    life.carry_out([Granted("gwen", (("basket", 1),))])
    assert is_supplied_by(life.society, "gwen", "weave")


def test_a_town_whose_bags_are_all_full_does_not_starve() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    for who in life.people:
        lade(life, who, "basket")
    for _ in range(3 * STEPS_A_DAY):
        life.step()
        assert min(life.level(who, "hunger") for who in life.people) > 0
