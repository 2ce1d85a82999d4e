"""What comes first, and by which means: the arbiter and the search, in the farmstead as it begins."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest

from benchmarks.society import START, apart, farmstead
from hometown.society.arbiter import choose_activity, should_interrupt, should_wake
from hometown.society.bodies import change_needs
from hometown.society.planner import Planner
from hometown.society.refusals import Refusal
from hometown.society.rule_life import RuleLife
from hometown.world import keys
from hometown.world.labour import AimSet, Errand, Learned, NeedsSet, Skills, Verb
from hometown.world.matter import Shifted, Transfer

BOOK = farmstead()
HOME = "farm/kitchen"


def begun(hours: int = 3) -> RuleLife:
    """At nine on the first morning, if nothing else is said; nobody has done anything."""
    life = RuleLife(BOOK, START, 1, apart)
    life.pass_time(hours * 60)
    return life


def feel(life: RuleLife, who: str, asleep: bool = False, **points: int) -> None:
    """Somebody's needs fall by so many points."""
    body = change_needs(
        life.book,
        life.state.needs(who),
        life.state.clock.now,
        {need: -by for need, by in points.items()},
        asleep,
    )
    life.carry_out([NeedsSet(who, body)])


def tasks(life: RuleLife, who: str, place: str = HOME) -> tuple[str, list[Errand]]:
    choice = choose_activity(life.society, who, place, Planner(life.society, who, apart))
    return choice.need, list(choice.plan.errands) if choice.plan else []


def test_what_is_needed_is_fetched_first() -> None:
    life = begun()
    assert tasks(life, "ada") == (
        "",
        [
            Errand(Verb.TAKE, "barn/main/bin", "grain", 10),
            Errand(Verb.DO, "fields/hill/furrows", "sow"),
        ],
    )
    assert tasks(life, "hugo")[1] == [Errand(Verb.PUT, "bakery/main/counter", "loaf", 2)], (
        "what is in the bag"
    )
    for who in ("hugo", "iris"):
        life.carry_out([Shifted(Transfer(who, "nobody", (("loaf", 2),)))])
    assert tasks(life, "hugo")[1] == [
        Errand(Verb.TAKE, "bakery/main/larder", "flour", 8),
        Errand(Verb.DO, "bakery/main/trough", "knead"),
    ], "what rises by itself"
    life.carry_out([Shifted(Transfer("bakery/main/larder", "nobody", (("flour", 30),)))])
    assert tasks(life, "iris")[1][0] == Errand(Verb.BUY, "mill/main/chest", "flour", 8), (
        "for want of one's own"
    )


def test_hunger_comes_before_duty_and_sleep_at_night() -> None:
    life = begun()
    feel(life, "ada", hunger=600)
    assert tasks(life, "ada") == ("hunger", [Errand(Verb.DO, "", "eat/loaf")])
    feel(life, "ada", hunger=130, energy=845)
    assert tasks(life, "ada")[0] == "energy", "the lower one of two that are urgent"
    night = begun(17)
    assert tasks(night, "bert")[0] == "energy"
    feel(night, "bert", hunger=900)
    assert tasks(night, "bert")[0] == "hunger", "an urgent need keeps awake"


def test_what_was_begun_goes_on_until_it_is_satisfied() -> None:
    life = begun()
    feel(life, "ada", hunger=300)
    assert tasks(life, "ada")[0] == "", "hungry, but not so that it matters"
    life.carry_out([AimSet("ada", "hunger")])
    assert tasks(life, "ada")[0] == "hunger"


def test_who_cannot_pay_asks() -> None:
    life = begun()
    feel(life, "gwen", hunger=900)
    life.carry_out([Shifted(Transfer("gwen", "nobody", (("loaf", 2),)))])
    assert tasks(life, "gwen")[1][0] == Errand(Verb.BUY, "bakery/main/counter", "loaf", 1)
    life.carry_out([Shifted(Transfer("house:mill", "nobody", (("coin", 2000),)))])
    assert tasks(life, "gwen")[1][0].verb == Verb.ASK
    assert life.attempt("gwen", tasks(life, "gwen")[1][0]) is None


def test_an_urgent_need_interrupts_and_wakes() -> None:
    life = begun()
    assert life.attempt("ada", Errand(Verb.TAKE, "barn/main/bin", "grain", 10)) is None
    assert life.attempt("ada", Errand(Verb.DO, "fields/north/furrows", "sow")) is None
    search = Planner(life.society, "ada", apart)
    assert not should_interrupt(life.society, "ada", HOME, search)
    feel(life, "ada", hunger=800)
    assert should_interrupt(life.society, "ada", HOME, search)
    life.carry_out([AimSet("ada", "hunger")])
    assert not should_interrupt(life.society, "ada", HOME, search), "what it sees to already"
    feel(life, "bert", asleep=True, energy=900)
    assert not should_wake(life.society, "bert")
    feel(life, "bert", asleep=True, hunger=950)
    assert should_wake(life.society, "bert"), "nobody starves asleep"


REFUSED: list[tuple[str, Errand, str, Mapping[str, object]]] = [
    ("ada", Errand(Verb.DO, "", "fly"), "NO_RECIPE", {"recipe": "fly"}),
    (
        "ada",
        Errand(Verb.DO, "barn/main/loft", "sow"),
        "NO_TARGET",
        {"at": "barn/main/loft", "tag": "field"},
    ),
    ("ada", Errand(Verb.DO, "mill/main/millstone", "mill"), "NOT_YOURS", {"owner": "house:mill"}),
    (
        "ada",
        Errand(Verb.DO, "fields/north/furrows", "sow"),
        "LACKS",
        {"kind": "grain", "has": 0, "needs": 10},
    ),
    (
        "gwen",
        Errand(Verb.BUY, "bakery/main/counter", "loaf", 60),
        "TOO_POOR",
        {"has": 2000, "price": 2400},
    ),
    (
        "gwen",
        Errand(Verb.BUY, "bakery/main/counter", "loaf", 40),
        "LACKS",
        {"has": 24, "needs": 40},
    ),
    ("gwen", Errand(Verb.BUY, "bakery/main/larder", "flour", 1), "NO_TARGET", {"kind": "flour"}),
    (
        "gwen",
        Errand(Verb.TAKE, "bakery/main/larder", "flour", 1),
        "NOT_YOURS",
        {"owner": "house:bakery"},
    ),
    (
        "ada",
        Errand(Verb.TAKE, "barn/main/bin", "grain", 90),
        "FULL",
        {"holder": "ada", "grams": 45000},
    ),
    ("ada", Errand(Verb.ASK, "bakery/main/counter", "loaf"), "NOT_YOURS", {"price": 40}),
]


@pytest.mark.parametrize(
    ("who", "task", "code", "facts"),
    REFUSED,
    ids=[f"{code} {task.verb} {task.what}" for _, task, code, _ in REFUSED],
)
def test_a_refusal_says_why(who: str, task: Errand, code: str, facts: Mapping[str, object]) -> None:
    refusal = begun().attempt(who, task)
    assert refusal is not None
    assert refusal.code == code
    assert facts.items() <= dict(refusal.facts).items()


def test_doors_seasons_others_and_skills_refuse() -> None:
    life = begun(2)
    assert life.attempt("gwen", Errand(Verb.BUY, "farm/yard/barrel", "cider")) == Refusal(
        "CLOSED", (("at", "farm/yard/barrel"),)
    ), "it opens at ten"
    assert life.attempt("ada", Errand(Verb.TAKE, "barn/main/bin", "grain", 20)) is None
    assert life.attempt("ada", Errand(Verb.DO, "fields/north/furrows", "sow")) is None
    assert life.attempt("bert", Errand(Verb.DO, "fields/north/furrows", "sow")) == Refusal(
        "BUSY", (("at", "fields/north/furrows"),)
    )
    life.pass_time(60 * 24 * 25)
    assert life.attempt("ada", Errand(Verb.DO, "fields/hill/furrows", "sow")) == Refusal(
        "CLOSED", (("season", "autumn"),)
    )
    assert 200 < life.state.stock("fields/north/furrows").count("ripe_wheat") <= 300, (
        "what was sown has ripened, as far as the weather let it"
    )
    assert dict(life.state.skills("ada")) == {"farming": 4}


def test_as_many_are_at_work_somewhere_as_it_serves() -> None:
    life = begun()
    assert [
        life.attempt(who, Errand(Verb.DO, "green/well/well", "wash"))
        for who in ("ada", "bert", "cora", "finn")
    ] == [None] * 4
    assert life.attempt("gwen", Errand(Verb.DO, "green/well/well", "wash")) == Refusal(
        "BUSY", (("at", "green/well/well"),)
    )
    life.pass_time(30)
    assert life.attempt("gwen", Errand(Verb.DO, "green/well/well", "wash")) is None


def test_skill_makes_quicker() -> None:
    life = begun()
    life.carry_out([Learned("ada", "farming", 1000)])
    assert life.state.row(keys.SKILLS.of("ada")) == Skills((("farming", 1000),))
    assert life.attempt("ada", Errand(Verb.TAKE, "barn/main/bin", "grain", 20)) is None
    assert life.attempt("ada", Errand(Verb.DO, "fields/north/furrows", "sow")) is None
    deed = life.state.job("ada")
    assert deed.until - deed.since == timedelta(minutes=90)
