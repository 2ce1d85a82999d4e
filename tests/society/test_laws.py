"""The laws of matter, in towns in which anybody tries anything at any time: whatever is not refused
keeps them.
"""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from benchmarks.society import START, totals
from hometown.society.deals import carry_out_deals
from hometown.society.jobs import leave_work
from hometown.society.refusals import Refusal
from hometown.society.rule_life import RuleLife, mindless_state
from hometown.society.society_view import growth_holder, work_holder
from hometown.world.apply import apply
from hometown.world.book.book import COIN
from hometown.world.deal_records import Deal, DealStruck, Handover
from hometown.world.labour import Errand, Shop, Verb
from hometown.world.matter import MARK, Granted, Item
from hometown.world.world import arena_of
from tests.support.luck import chancy

BOOK = chancy()
PEOPLE = sorted(BOOK.start.people)
PLACES = ["", *sorted(BOOK.fixtures)]
ITEMS = ["basket#1", "tin#2", "sickle#3", "basket#9"]


class Anybody(RuleBasedStateMachine):
    """Deeds, purchases and gifts at random, and time that passes, also by days."""

    def __init__(self) -> None:
        super().__init__()
        self.life = RuleLife(BOOK, START, 1, lambda one, other: 0)
        self.totals = totals(self.life)

    @rule(
        who=st.sampled_from(PEOPLE),
        recipe=st.sampled_from(sorted(BOOK.recipes)),
        at=st.sampled_from(PLACES),
    )
    def work(self, who: str, recipe: str, at: str) -> None:
        if self.life.state.job(who) is None:
            self.life.attempt(who, Errand(Verb.DO, at, recipe))

    @rule(who=st.sampled_from(PEOPLE), recipe=st.sampled_from(sorted(BOOK.recipes)))
    def work_where_it_belongs(self, who: str, recipe: str) -> None:
        for at in BOOK.places_for(BOOK.recipes[recipe].at):
            self.work(who, recipe, at)

    @rule(
        who=st.sampled_from(PEOPLE),
        verb=st.sampled_from([Verb.TAKE, Verb.PUT, Verb.BUY, Verb.ASK]),
        at=st.sampled_from(PLACES + ITEMS),
        kind=st.sampled_from(sorted(BOOK.kinds) + ITEMS),
        count=st.integers(1, 60),
    )
    def move(self, who: str, verb: Verb, at: str, kind: str, count: int) -> None:
        self.life.attempt(who, Errand(verb, at, kind, count))

    @rule(
        who=st.sampled_from(PEOPLE),
        verb=st.sampled_from([Verb.TAKE, Verb.PUT]),
        at=st.sampled_from(["farm/kitchen/larder", "farm/yard/press", *ITEMS]),
        kind=st.sampled_from(["basket", "tin", "honey_cake", *ITEMS]),
    )
    def pack(self, who: str, verb: Verb, at: str, kind: str) -> None:
        self.life.attempt(who, Errand(verb, at, kind))

    @rule(who=st.sampled_from(PEOPLE))
    def leave(self, who: str) -> None:
        deed = self.life.state.job(who)
        if deed:
            bound = {move.giver: move.goods for move in deed.reserved_moves}
            before = {holder: dict(self.life.state.stock(holder).goods) for holder in bound}
            self.life.carry_out(leave_work(self.life.society, who, deed))
            for holder, goods in bound.items():
                after = dict(self.life.state.stock(holder).goods)
                assert {
                    kind: after[kind] - before[holder].get(kind, 0) for kind, _ in goods
                } == dict(goods), "what was bound comes back"

    @rule(
        hands=st.lists(
            st.builds(
                Handover,
                st.sampled_from(PEOPLE),
                st.sampled_from(PEOPLE),
                st.sampled_from(sorted(BOOK.kinds)),
                st.integers(1, 500),
            ).filter(lambda hand: hand.giver != hand.taker),
            min_size=1,
            max_size=3,
        ),
        place=st.sampled_from(sorted({arena_of(at) for at in BOOK.fixtures})),
        asked=st.sampled_from([0, 0, 0, 40]),
    )
    def agree(self, hands: list[Handover], place: str, asked: int) -> None:
        """Any deals, also what no two could have agreed on."""
        self.life.carry_out([DealStruck(Deal("1-ada", place, tuple(hands), asked))])
        self.life.carry_out(carry_out_deals(self.life.society))
        assert not self.life.state.deals

    @rule(minutes=st.sampled_from([10, 60, 1440, 13 * 1440]))
    def wait(self, minutes: int) -> None:
        self.life.pass_time(minutes)

    @invariant()
    def nothing_is_lost_or_made_up(self) -> None:
        assert totals(self.life) == self.totals

    @invariant()
    def nobody_holds_more_than_it_can(self) -> None:
        for holder in (
            *PEOPLE,
            *BOOK.fixtures,
            *(
                key[5:]
                for key in self.life.state.rows
                if key.startswith("item/") and BOOK.part_of(key[5:]).holds
            ),
        ):
            stock = self.life.state.stock(holder)
            assert all(count > 0 for _, count in stock.goods)
            assert self.life.society.free_grams(holder) >= 0

    @invariant()
    def work_holds_what_it_has_bound(self) -> None:
        for who in PEOPLE:
            deed = self.life.state.job(who)
            bound = sorted(
                (kind, count)
                for move in (deed.reserved_moves if deed else ())
                for kind, count in move.goods
            )
            assert sorted(self.life.state.stock(work_holder(who)).goods) == bound
        for address in BOOK.fixtures:
            process = self.life.state.process(address)
            assert self.life.state.stock(growth_holder(address)).goods == (
                BOOK.recipes[process.recipe].inputs if process else ()
            )

    @invariant()
    def each_item_is_in_one_place(self) -> None:
        state = self.life.state
        lying = [
            (name, key.removeprefix("stock/"))
            for key in state.rows
            if key.startswith("stock/")
            for name in state.stock(key.removeprefix("stock/")).items
        ]
        rows = {
            key.removeprefix("item/"): row.holder
            for key, row in state.rows.items()
            if isinstance(row, Item)
        }
        assert sorted(lying) == sorted(rows.items())
        for name, holder in rows.items():
            way = state.holders(name)
            assert len(set(way)) == len(way)
            assert MARK not in way[-1], "what holds it in the end is no item that is gone"
            assert MARK not in holder or BOOK.part_of(holder).holds
            assert int(name.partition(MARK)[2]) <= state.last_item_number
        assert all(
            count == 1
            for key in state.rows
            if key.startswith("stock/")
            for name, count in state.stock(key[6:]).goods
            if MARK in name
        )

    def teardown(self) -> None:
        """The state is a fold of the log."""
        again = mindless_state(START)
        for effect in self.life.log:
            apply(effect, again)
        assert again.rows == self.life.state.rows


TestAnybody = Anybody.TestCase
TestAnybody.settings = settings(max_examples=25, stateful_step_count=30, deadline=None)


def test_room_is_kept_for_what_may_come_back() -> None:
    life, field = RuleLife(BOOK, START, 1, lambda one, other: 0), "fields/north/furrows"
    nearly = BOOK.fixtures[field].holds // BOOK.kinds["ripe_wheat"].grams - 1
    life.carry_out([Granted(field, (("ripe_wheat", nearly),)), Granted("bert", (("sheaf", 3),))])
    assert life.attempt("ada", Errand(Verb.DO, field, "reap")) is None
    refusal = life.attempt("bert", Errand(Verb.PUT, field, "sheaf", 3))
    assert refusal == Refusal("FULL", (("holder", field), ("room", 500), ("grams", 1500)))
    assert life.attempt("bert", Errand(Verb.PUT, field, "sheaf", 1)) is None
    life.pass_time(60)
    assert life.attempt("bert", Errand(Verb.PUT, field, "sheaf", 2)) is None, "the work is done"


def test_coins_only_change_hands() -> None:
    life = RuleLife(BOOK, START, 1, lambda one, other: 0)
    assert life.attempt("ada", Errand(Verb.BUY, "bakery/main/counter", "loaf", 3)) is None
    assert [life.state.stock(f"house:{house}").count(COIN) for house in ("farm", "bakery")] == [
        2000 - 120,
        2000 + 120,
    ]
    assert life.state.stock("ada").count("loaf") == 5
    assert life.state.shop("bakery/main/counter") == Shop((("loaf", 40),), (("loaf", 48 + 3),))
