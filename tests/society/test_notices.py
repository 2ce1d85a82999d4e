"""Notices: put up by whoever knows what its house lacks, read by who comes by, acted on, and taken
down.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from benchmarks.society import START, apart, farmstead
from hometown.society.hire import BOARD_TAG, HIRE_HOURS, hire, plan_job_search
from hometown.society.knowledge import look_around
from hometown.society.notice_boards import POSTED_FOR, visit_boards
from hometown.society.rule_life import RuleLife
from hometown.world.book.book import COIN
from hometown.world.labour import CameOf, Errand, FixtureSight, Inspected, Verb
from hometown.world.matter import Shifted, Transfer
from hometown.world.notices import BoardSet, Notice

SQUARE, COUNTER = "green/well/notice_board", "bakery/main/counter"


def town() -> RuleLife:
    """On the first morning, with wages of 20 coins; Iris has seen that nothing is left to sell at
    the bakery.
    """
    book = farmstead()
    life = RuleLife(
        replace(book, start=book.start.model_copy(update={"wage": 20})), START, 1, apart
    )
    life.pass_time(180)
    life.carry_out([Shifted(Transfer(COUNTER, "nobody", (("loaf", 24),)))])
    life.carry_out(look_around(life.society, "iris", [COUNTER]))
    return life


def come_by(life: RuleLife, who: str) -> list[CameOf]:
    """Somebody stands at the board; what it has learnt there."""
    before = len(life.log)
    life.carry_out(visit_boards(life.society, who, lambda at: at == SQUARE))
    return [effect for effect in life.log[before:] if isinstance(effect, CameOf)]


def hung(life: RuleLife) -> list[tuple[str, str, str, int]]:
    return [
        (notice.house, notice.call, notice.kind, notice.coins)
        for notice in life.state.notices(SQUARE)
    ]


def test_who_knows_that_its_house_is_short_puts_up_what_others_read_once() -> None:
    life = town()
    assert come_by(life, "jack") == []
    assert hung(life) == [], "he has not been at the counter since"
    come_by(life, "iris")
    assert hung(life) == [("bakery", "buys", "loaf", 32), ("bakery", "hands", "", 20)]
    read = [effect.outcome.errand for effect in come_by(life, "kate")]
    assert read == [
        Errand(Verb.READ, SQUARE, "loaf", 40),
        Errand(Verb.READ, SQUARE, "", HIRE_HOURS),
    ]
    assert come_by(life, "kate") == []
    assert [notice.readers for notice in life.state.notices(SQUARE)] == [("iris", "kate")] * 2


def test_who_has_read_that_hands_are_wanted_goes_there_sooner() -> None:
    life = town()
    life.carry_out([Shifted(Transfer("house:garden", "nobody", ((COIN, 400),)))])
    assert plan_job_search(life.society, "kate", "garden/gate", apart) is None, (
        "the garden is not so poor"
    )
    come_by(life, "iris")
    come_by(life, "kate")
    plan = plan_job_search(life.society, "kate", "garden/gate", apart)
    assert plan
    assert plan.errands == (Errand(Verb.HIRE, "bakery/main", "bakery", HIRE_HOURS),)
    assert plan_job_search(life.society, "liam", "garden/gate", apart) is None, "he has not read it"
    life.carry_out(hire(life.society, "kate", "bakery"))
    come_by(life, "kate")
    assert hung(life) == [("bakery", "buys", "loaf", 32)]


def test_a_notice_comes_down_when_it_is_met_or_old() -> None:
    life = town()
    come_by(life, "iris")
    life.carry_out([Shifted(Transfer("nobody", COUNTER, (("loaf", 24),)))])
    come_by(life, "iris")
    assert len(hung(life)) == 2, "she does not know yet"
    life.pass_time(10)
    life.carry_out(
        [
            Inspected(
                "iris",
                COUNTER,
                FixtureSight((("loaf", 40),), (("loaf", 40),), None, life.state.clock.now),
            )
        ]
    )
    come_by(life, "iris")
    assert hung(life) == [("bakery", "hands", "", 20)], "there is enough, and nobody has come"
    life.pass_time(int(POSTED_FOR / timedelta(minutes=1)))
    come_by(life, "kate")
    assert hung(life) == []


def test_what_is_offered_is_known_from_then_on() -> None:
    life = town()
    life.carry_out(look_around(life.society, "ada", ["barn/main/bin"]))
    life.pass_time(60)
    life.carry_out(look_around(life.society, "ada", ["barn/main/bin"]))
    come_by(life, "ada")
    (notice,) = life.state.notices(SQUARE)
    assert (notice.call, notice.at, notice.kind) == ("offers", "barn/main/bin", "grain")
    come_by(life, "kate")
    seen = life.state.last_sight("kate", "barn/main/bin")
    assert seen
    assert (seen.since, dict(seen.goods)["grain"], dict(seen.prices)["grain"]) == (
        notice.since,
        notice.count,
        notice.coins,
    )


def test_without_a_board_nothing_is_written() -> None:
    life = town()
    fixtures = {
        address: part for address, part in life.book.fixtures.items() if BOARD_TAG not in part.tags
    }
    life.book = replace(life.book, fixtures=fixtures)
    assert list(visit_boards(life.society, "iris", lambda at: True)) == []
    assert not any(key.startswith("board/") for key in life.state.rows)


def test_no_house_has_two_notices_about_the_same() -> None:
    life = town()
    come_by(life, "iris")
    life.pass_time(120)
    life.carry_out(look_around(life.society, "hugo", [COUNTER]))
    come_by(life, "hugo")
    about = [notice.about for notice in life.state.notices(SQUARE)]
    assert len(about) == len(set(about)) == 2


def test_the_house_that_offers_a_surplus_does_not_take_it_for_all_it_has() -> None:
    life = town()
    life.carry_out([Shifted(Transfer("nobody", COUNTER, (("loaf", 24),)))])
    life.carry_out(look_around(life.society, "iris", [COUNTER]))
    life.carry_out(look_around(life.society, "hugo", [COUNTER]))
    seen = life.state.last_sight("hugo", COUNTER)
    assert seen
    notice = Notice("bakery", "offers", COUNTER, "loaf", 5, 40, life.state.clock.now, ("iris",))
    life.pass_time(5)
    later = replace(notice, since=life.state.clock.now)
    life.carry_out([BoardSet(SQUARE, (later,))])
    come_by(life, "hugo")
    assert life.state.last_sight("hugo", COUNTER) == seen
