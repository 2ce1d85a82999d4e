"""Whoever plans goes by what it has seen or been told, and by nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from benchmarks.society import START, apart, farmstead
from hometown.society.affairs import Affairs
from hometown.society.beginning import beginning
from hometown.society.beliefs import as_seen_by, known_from_the_start, looked, news_from
from hometown.society.errands import due, go_on
from hometown.society.living import Life, without_minds
from hometown.society.means import Search
from hometown.world.apply import apply
from hometown.world.conversation import Conversation, Line
from hometown.world.labour import CourseSet, Errand, Inspected, Process, ProcessBegun, Seen
from hometown.world.matter import Granted, Move, Shifted
from tests.support.society import societal

BOOK = farmstead()
COUNTER = "bakery/main/counter"
STAND = "garden/gate/stand"


def knowing(life: Life, who: str, place: str = "farm/kitchen") -> Search:
    return Search(as_seen_by(life.affairs, who, place), who, apart)


def emptied(life: Life, *holders: str) -> None:
    """Nothing edible is left there."""
    for holder in holders:
        life.carry_out([Shifted(Move(holder, "nobody", life.state.stock(holder).goods))])


def test_stock_that_nobody_has_seen_enters_nobodys_plan() -> None:
    life = Life(BOOK, START, 1, apart)
    emptied(life, "gwen", COUNTER, STAND, "garden/beds/upper")
    for who in BOOK.start.people:
        life.carry_out(looked(life.affairs, who, [COUNTER, STAND, "garden/beds/upper"]))
    life.carry_out([Granted(COUNTER, (("loaf", 9),))])
    life.pass_time(90)
    found = knowing(life, "gwen", "mill/main").meet("hunger", "mill/main")
    assert found is None, "what she saw was empty, an hour and a half ago"
    life.carry_out(looked(life.affairs, "gwen", [COUNTER]))
    found = knowing(life, "gwen", "mill/main").meet("hunger", "mill/main")
    assert found is not None
    assert found.errands[0] == Errand("buy", COUNTER, "loaf")


def test_whoever_knows_of_nothing_goes_to_look() -> None:
    life = Life(BOOK, START, 1, apart)
    emptied(life, "gwen", COUNTER, STAND, "garden/beds/upper")
    life.carry_out(looked(life.affairs, "gwen", life.book.fixtures))
    life.pass_time(4 * 60)
    found = knowing(life, "gwen", "mill/main").meet("hunger", "mill/main")
    assert found is not None
    assert found.errands[0].verb == "look"
    life.pass_time(3 * 60)
    restocked = knowing(life, "gwen", "mill/main").meet("hunger", "mill/main")
    assert restocked is not None
    assert restocked.errands[0].verb == "buy", "a shop has something again by then, she thinks"
    place = restocked.errands[0].at
    life.carry_out([CourseSet("gwen", restocked.errands)])
    life.carry_out(go_on(life.affairs, "gwen", lambda at: at == place))
    assert life.state.course("gwen") == ()
    assert life.refusals == {"LACKS": 1}
    bar = life.state.barred("gwen")[0]
    assert (bar.outcome.code, bar.until - life.state.clock.now) == ("LACKS", timedelta(hours=1))
    again = knowing(life, "gwen", place).meet("hunger", place)
    assert again is None or again.errands[0] != restocked.errands[0], "not tried again for an hour"


def test_what_was_sown_is_known_to_be_ripe_in_time() -> None:
    life, field = Life(BOOK, START, 1, apart), "fields/north/furrows"
    life.carry_out([ProcessBegun(field, Process("sow", START + timedelta(days=12)))])
    life.carry_out(looked(life.affairs, "ada", [field]))
    assert (
        as_seen_by(life.affairs, "ada", "farm/kitchen").state.stock(field).count("ripe_wheat") == 0
    )
    life.state.put("clock/town", replace(life.state.clock, now=START + timedelta(days=12)))
    assert (
        as_seen_by(life.affairs, "ada", "farm/kitchen").state.stock(field).count("ripe_wheat")
        == 300
    )
    assert list(due(life.affairs)), "as it is"


def test_what_is_said_of_a_shop_is_believed_by_who_knows_less(tmp_path: Path) -> None:
    world = societal(tmp_path)
    assert world.book is not None
    affairs = Affairs(world.book, without_minds(world.start), world.start)
    for effect in beginning(world.book, world.start):
        apply(effect, affairs.state)
    for who in world.personas:
        for effect in known_from_the_start(affairs, who):
            apply(effect, affairs.state)
    news = Seen((("loaf", 1),), (("loaf", 33),), None, world.start + timedelta(hours=2))
    apply(Inspected("lin_yue", "cafe/main/counter", news), affairs.state)
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
    assert list(news_from(world, affairs, talk)) == [
        Inspected("zhang_wei", "cafe/main/counter", news)
    ]
    vague = replace(
        talk,
        lines=(
            Line("lin_yue", "One bread, imagine!"),
            Line("zhang_wei", "Bread at the counter, sure."),
        ),
    )
    assert list(news_from(world, affairs, vague)) == [], "neither says where, nor knows better"
