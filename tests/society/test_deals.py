"""What people hand to each other as they talk: agreed on by both, checked by the town, and kept in
mind.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from benchmarks.society import START, farmstead
from hometown.agent.mind.esteem import current_regard, regard_for, trust_in, update_regard
from hometown.agent.mind.mood import Stimulus
from hometown.language import Lang
from hometown.prompt.outcome import ConversationOutcomeReply
from hometown.prompt.trade import Dealings, Given, Ware
from hometown.society.deals import carry_out_deals, spendable_coins
from hometown.society.minds.dealings import match_deals
from hometown.society.minds.outcome_appraisal import appraise_outcome
from hometown.society.rule_life import RuleLife
from hometown.society.work_phrasing import WorkPhrases
from hometown.world.apply import apply
from hometown.world.book.book import COIN
from hometown.world.conversation import Conversation
from hometown.world.deal_records import Deal, DealStruck, Handover
from hometown.world.effects import TimePassed
from hometown.world.feeling import Stir
from hometown.world.labour import CameOf, Errand, Outcome, Verb
from hometown.world.load import load_world
from hometown.world.matter import Granted
from hometown.world.state import State

TALK = Conversation("3-ada", 3, "ada", "finn", "barn/main", START, 5, (), "", "word")
PEOPLE = (("ada", "Ada"), ("finn", "Finn"))
LOAVES = Dealings((Ware("loaf", "loaf", "a loaf", "{count} loaves", 2, 40),), 400)


def said(*given: Given) -> ConversationOutcomeReply:
    return ConversationOutcomeReply(relations=["fine"], given=list(given))


def agreed(ada: list[Given], finn: list[Given]) -> list[Deal]:
    return list(
        match_deals(
            TALK,
            {
                "ada": (said(*ada), PEOPLE, LOAVES),
                "finn": (said(*finn), PEOPLE, Dealings(coins=100)),
            },
        )
    )


def town() -> RuleLife:
    return RuleLife(farmstead(), START, 1, lambda one, other: 0)


def outcomes(life: RuleLife, deal: Deal) -> list[Outcome]:
    life.carry_out([DealStruck(deal)])
    before = len(life.log)
    life.carry_out(carry_out_deals(life.society))
    return [effect.outcome for effect in life.log[before:] if isinstance(effect, CameOf)]


def test_each_says_for_itself_what_it_gives() -> None:
    gift = Given(what=1, count=2)
    assert agreed([gift], []) == [Deal("3-ada", "barn/main", (Handover("ada", "finn", "loaf", 2),))]
    assert not agreed([Given(what=2), Given(what=1, to=9)], [Given(what=1)]), (
        "there is no such ware, and no such person"
    )
    sale, coins = Given(what=1, count=2, price=80), Given(what=0, count=80)
    assert agreed([sale], [coins])[0].handovers == (
        Handover("ada", "finn", "loaf", 2),
        Handover("finn", "ada", COIN, 80),
    )
    for pays in ([], [Given(what=0, count=60)]):
        assert agreed([sale], pays)[0].asked == 80, "who is to pay has not said so"


def test_a_sale_is_carried_out_whole_or_not_at_all() -> None:
    life = town()
    sale = Deal(
        "3-ada",
        "farm/kitchen",
        (Handover("ada", "finn", "loaf", 2), Handover("finn", "ada", COIN, 80)),
    )
    assert [
        (each.errand.verb, each.errand.count, dict(each.facts)["coins"], each.code)
        for each in outcomes(life, sale)
    ] == [
        ("give", 2, 80, ""),
        ("get", 2, 80, ""),
    ]
    assert [
        life.state.stock(holder).count(kind)
        for holder, kind in (
            ("ada", "loaf"),
            ("finn", "loaf"),
            ("house:farm", COIN),
            ("house:mill", COIN),
        )
    ] == [
        0,
        4,
        2080,
        1920,
    ]
    rows = dict(life.state.rows)
    assert {each.code for each in outcomes(life, sale)} == {"LACKS"}, "the loaves are gone"
    poor = Deal(
        "3-ada",
        "barn/main",
        (Handover("finn", "ada", COIN, spendable_coins(life.society, "finn") + 1),),
    )
    assert {each.code for each in outcomes(life, poor)} == {"TOO_POOR"}
    heavy = Deal("3-ada", "barn/main", (Handover("ada", "finn", "grain", 200),))
    assert {each.code for each in outcomes(life, heavy)} == {"FULL"}
    unpaid = Deal("3-ada", "barn/main", (Handover("ada", "finn", "grain", 1),), 20)
    assert {each.code for each in outcomes(life, unpaid)} == {"NOT_AGREED"}
    assert {key for key, row in life.state.rows.items() if rows.get(key) != row} == {
        "lately/ada",
        "lately/finn",
    }


def test_each_of_several_wares_is_sold_for_its_part_of_the_price() -> None:
    life, world = town(), load_world("farmstead", "en")
    life.carry_out([Granted("hugo", (("loaf", 1), ("vegetable", 1)))])
    deal = Deal(
        "3-hugo",
        "bakery/main",
        (
            Handover("hugo", "ada", "loaf", 1),
            Handover("hugo", "ada", "vegetable", 1),
            Handover("ada", "hugo", COIN, 56),
        ),
    )
    bought = [each for each in outcomes(life, deal) if each.errand.verb == "get"]
    assert {each.errand.what: dict(each.facts)["coins"] for each in bought} == {
        "loaf": 40,
        "vegetable": 16,
    }
    for outcome in bought:
        (stirred,) = appraise_outcome(world, life.state, "ada", outcome, 5)
        assert stirred.stir == "traded", "at what the shops ask, she is not cheated"


@pytest.mark.parametrize(
    ("lang", "told"),
    [
        ("en", ["handed a loaf to Bert Thorne", "was handed a loaf by Ada Thorne"]),
        ("zh", ["把一个面包交给了伯特", "从艾达手里接过一个面包"]),
    ],
)
def test_what_stays_in_one_house_is_handed_over_and_no_gift(lang: Lang, told: list[str]) -> None:
    life, world = town(), load_world("farmstead", lang)
    loaf, coins = Handover("ada", "bert", "loaf", 1), Handover("ada", "bert", COIN, 24)
    came = outcomes(life, Deal("3-ada", "farm/kitchen", (loaf, coins)))
    assert [WorkPhrases(world).outcome(outcome)[0] for outcome in came] == told
    assert not [
        stirred
        for outcome in came
        for stirred in appraise_outcome(world, life.state, "bert", outcome, 5)
    ]
    assert not outcomes(life, Deal("3-ada", "farm/kitchen", (coins,))), "which stay in their purse"
    wages = Outcome(Errand(Verb.GET, "ada", COIN, 24), "", (("coins", 0),))
    assert ("24 coins" if lang == "en" else "24枚铜钱") in WorkPhrases(world).outcome(wages)[0]


def test_nothing_is_handed_to_a_visitor() -> None:
    life = town()
    gift = Deal("3-ada", "farm/kitchen", (Handover("ada", "visitor_noor", "loaf", 1),))
    assert outcomes(life, gift) == []
    assert life.state.stock("ada").count("loaf") > 0
    assert not life.state.deals


def test_who_is_helped_in_need_and_who_sees_it_keep_it_in_mind() -> None:
    world = load_world("farmstead", "en")
    gift = Deal("3-ada", "green/well", (Handover("ada", "finn", "loaf", 1),))
    assert [each.errand.verb for each in outcomes(town(), gift)] == ["give", "get"], (
        "nobody is hungry"
    )
    life = town()
    life.pass_time(16 * 60)
    life.people["kate"].place = "green/well/bench"
    came = outcomes(life, gift)
    assert [each.errand.verb for each in came] == ["give", "get", "see"], "kate was there"
    stirred = [
        [
            (each.stir, each.towards, each.memory)
            for each in appraise_outcome(world, life.state, "x", outcome, 5)
        ]
        for outcome in came
    ]
    assert stirred == [[], [("cared", "ada", 5)], [("saw_kindness", "ada", 5)]]


@pytest.mark.parametrize(
    ("coins", "stir"), [(0, "given"), (80, "traded"), (159, "traded"), (160, "cheated")]
)
def test_who_knows_what_shops_ask_feels_cheated_by_twice_that(coins: int, stir: str) -> None:
    life, world = town(), load_world("farmstead", "en")
    outcome = Outcome(Errand(Verb.GET, "hugo", "loaf", 2), "", (("coins", coins),))
    assert [
        (each.stir, each.towards)
        for each in appraise_outcome(world, life.state, "finn", outcome, 5)
    ] == [(stir, "hugo")]
    stranger = [each.stir for each in appraise_outcome(world, life.state, "nobody", outcome, 5)]
    assert stranger == ["traded" if coins else "given"], "who knows no price takes any"


@pytest.mark.parametrize(
    ("stir", "better"),
    [
        ("given", True),
        ("quarrelled", False),
        ("unpaid", False),
        ("cared", True),
        ("cheated", False),
    ],
)
def test_regard_follows_what_happens_and_fades(stir: Stir, better: bool) -> None:
    world = load_world("farmstead", "en")
    state = State({}, {}, lambda text: pytest.fail(text))
    apply(TimePassed(START, 1), state)
    effect = update_regard(world, state, Stimulus("ada", stir, "finn", 7))
    assert effect
    apply(effect, state)
    at_first = regard_for(state, "ada", "finn")
    assert (at_first > 0) == better
    assert (trust_in(state, "ada", "finn") > 0) == better
    assert not regard_for(state, "finn", "ada"), "it is hers alone"
    assert [(ground.why, ground.memory) for ground in state.regard("ada", "finn").grounds] == [
        (stir, 7)
    ]
    for _ in range(40):
        again = update_regard(world, state, Stimulus("ada", stir, "finn", 8))
        assert again
        apply(again, state)
    assert abs(regard_for(state, "ada", "finn")) <= 100
    assert abs(regard_for(state, "ada", "finn")) > abs(at_first)
    row = state.regard("ada", "finn")
    points = [abs(current_regard(row, START + timedelta(days=days))[0]) for days in range(150)]
    assert points == sorted(points, reverse=True)
    assert points[-1] == 0


def test_nothing_but_what_others_have_done_moves_it() -> None:
    world = load_world("farmstead", "en")
    state = State({}, {}, lambda text: pytest.fail(text))
    apply(TimePassed(datetime(2025, 4, 1), 1), state)
    assert update_regard(world, state, Stimulus("ada", "learnt")) is None
    assert (
        update_regard(
            load_world("minitown", "en"), state, Stimulus("lin_yue", "good_talk", "wang_fang")
        )
        is None
    )
