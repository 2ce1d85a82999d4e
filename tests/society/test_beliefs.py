"""Whoever plans goes by what it has seen or been told, and by nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from benchmarks.society import START, apart, farmstead
from hometown.society.errands import advance_due_events, do_errands
from hometown.society.initial_state import initial_effects
from hometown.society.knowledge import (
    initial_knowledge,
    learn_from_conversation,
    look_around,
    view_as,
)
from hometown.society.planner import Planner
from hometown.society.rule_life import RuleLife, mindless_state
from hometown.society.society_view import SocietyView
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line
from hometown.world.labour import (
    CourseSet,
    Errand,
    FixtureSight,
    Inspected,
    Process,
    ProcessBegun,
    Verb,
)
from hometown.world.load import load_world
from hometown.world.matter import Granted, Shifted, Transfer
from tests.support.society import societal

BOOK = farmstead()
COUNTER = "bakery/main/counter"
STAND = "garden/gate/stand"


def knowing(life: RuleLife, who: str, place: str = "farm/kitchen") -> Planner:
    return Planner(view_as(life.society, who, place), who, apart)


def emptied(life: RuleLife, *holders: str) -> None:
    """Nothing edible is left there."""
    for holder in holders:
        life.carry_out([Shifted(Transfer(holder, "nobody", life.state.stock(holder).goods))])


def test_stock_that_nobody_has_seen_enters_nobodys_plan() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    emptied(life, "gwen", COUNTER, STAND, "garden/beds/upper")
    for who in BOOK.start.people:
        life.carry_out(look_around(life.society, who, [COUNTER, STAND, "garden/beds/upper"]))
    life.carry_out([Granted(COUNTER, (("loaf", 9),))])
    life.pass_time(90)
    found = knowing(life, "gwen", "mill/main").plan_need("hunger", "mill/main")
    assert found is None, "what she saw was empty, an hour and a half ago"
    life.carry_out(look_around(life.society, "gwen", [COUNTER]))
    found = knowing(life, "gwen", "mill/main").plan_need("hunger", "mill/main")
    assert found is not None
    assert found.errands[0] == Errand(Verb.BUY, COUNTER, "loaf")


def test_whoever_knows_of_nothing_goes_to_look() -> None:
    life = RuleLife(BOOK, START, 1, apart)
    emptied(life, "gwen", COUNTER, STAND, "garden/beds/upper")
    life.carry_out(look_around(life.society, "gwen", life.book.fixtures))
    life.pass_time(4 * 60)
    found = knowing(life, "gwen", "mill/main").plan_need("hunger", "mill/main")
    assert found is not None
    assert found.errands[0].verb == Verb.LOOK
    life.pass_time(3 * 60)
    restocked = knowing(life, "gwen", "mill/main").plan_need("hunger", "mill/main")
    assert restocked is not None
    assert restocked.errands[0].verb == Verb.BUY, "a shop has something again by then, she thinks"
    place = restocked.errands[0].at
    life.carry_out([CourseSet("gwen", restocked.errands)])
    life.carry_out(do_errands(life.society, "gwen", lambda at: at == place))
    assert life.state.errand_queue("gwen") == ()
    assert life.refusals == {"LACKS": 1}
    bar = life.state.blocked_errands("gwen")[0]
    assert (bar.outcome.code, bar.until - life.state.clock.now) == ("LACKS", timedelta(hours=1))
    again = knowing(life, "gwen", place).plan_need("hunger", place)
    assert again is None or again.errands[0] != restocked.errands[0], "not tried again for an hour"


def test_what_was_sown_is_known_to_be_ripe_in_time() -> None:
    life, field = RuleLife(BOOK, START, 1, apart), "fields/north/furrows"
    life.carry_out([ProcessBegun(field, Process("sow", START + timedelta(days=12)))])
    life.carry_out(look_around(life.society, "ada", [field]))
    assert view_as(life.society, "ada", "farm/kitchen").state.stock(field).count("ripe_wheat") == 0
    life.state.put(keys.CLOCK.key, replace(life.state.clock, now=START + timedelta(days=12)))
    assert (
        view_as(life.society, "ada", "farm/kitchen").state.stock(field).count("ripe_wheat") == 300
    )
    assert list(advance_due_events(life.society)), "as it is"


def test_what_is_said_of_a_shop_is_believed_by_who_knows_less(tmp_path: Path) -> None:
    world = societal(tmp_path)
    assert world.book is not None
    society = SocietyView(world.book, mindless_state(world.start), world.start)
    for effect in initial_effects(world.book, world.start):
        apply(effect, society.state)
    for who in world.personas:
        for effect in initial_knowledge(society, who):
            apply(effect, society.state)
    news = FixtureSight((("loaf", 1),), (("loaf", 33),), None, world.start + timedelta(hours=2))
    apply(Inspected("lin_yue", "cafe/main/counter", news), society.state)
    text = "There is one bread left at the counter, for 33!"
    talk = Conversation(
        "1-lin_yue",
        1,
        "lin_yue",
        "zhang_wei",
        "square/plaza",
        world.start,
        4,
        (Line("lin_yue", text),),
        "",
        "",
    )
    assert list(learn_from_conversation(world, society, talk)) == [
        Inspected("zhang_wei", "cafe/main/counter", news)
    ]
    vague = replace(
        talk,
        lines=(
            Line("lin_yue", "One bread, imagine!"),
            Line("zhang_wei", "Bread at the counter, sure."),
        ),
    )
    assert list(learn_from_conversation(world, society, vague)) == [], (
        "neither says where, nor knows better"
    )


def test_a_visitor_learns_no_stocks_from_what_a_resident_says() -> None:
    life, world = RuleLife(BOOK, START, 1, apart), load_world("farmstead", "en")
    life.pass_time(90)
    life.carry_out(look_around(life.society, "hugo", BOOK.fixtures))
    larder, counter = (world.things[at].name for at in ("bakery/main/larder", COUNTER))
    flour, bread = (BOOK.kinds[kind].name["en"] for kind in ("flour", "loaf"))
    talk = Conversation(
        "1-hugo",
        1,
        "hugo",
        "visitor_tom",
        "bakery/main",
        START,
        4,
        (Line("hugo", f"{flour} is in the {larder}."), Line("hugo", f"{bread} at the {counter}.")),
        "",
        "word",
    )
    assert list(learn_from_conversation(world, life.society, talk)) == []
    with_resident = replace(talk, partner="ada")
    learnt = learn_from_conversation(world, life.society, with_resident)
    assert [(effect.who, effect.address) for effect in learnt] == [("ada", COUNTER)]
