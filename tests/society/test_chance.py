"""What chance decides: the weather, what it leaves of a harvest, and whether something succeeds."""

from __future__ import annotations

from collections import Counter

from benchmarks.society import START, farmstead, totals
from hometown.society.chains import build_chain
from hometown.society.chance import success_odds
from hometown.society.minds.errand_steps import describe_season
from hometown.society.rule_life import RuleLife
from hometown.world.labour import Errand, Learned, Verb, WeatherCame
from hometown.world.matter import Granted
from tests.support.luck import LOST, chancy

BOOK = chancy()
OVEN, FIELD = "bakery/main/oven", "fields/north/furrows"


def life(seed: int = 1) -> RuleLife:
    return RuleLife(BOOK, START, seed, lambda one, other: 0)


def test_the_odds_rise_with_skill_and_with_needs_that_are_met() -> None:
    town = life()
    met = town.level("hugo", "fun")
    assert success_odds(town.society, "hugo", "bake") == 500 + 100 * met // 1000
    town.carry_out([Learned("hugo", "baking", 500)])
    assert success_odds(town.society, "hugo", "bake") == 500 + (300 * 500 + 100 * met) // 1000
    assert success_odds(town.society, "hugo", "mill") == 1000, "what has no chance succeeds"


def test_as_many_succeed_as_the_odds_say_and_what_fails_leaves_what_it_is_said_to() -> None:
    came = Counter[tuple[str, int, int]]()
    for seed in range(150):
        town = life(seed)
        town.carry_out([Granted("hugo", (("dough", 11),))])
        loaves = town.state.stock("hugo").count("loaf")
        assert town.attempt("hugo", Errand(Verb.DO, OVEN, "bake")) is None
        town.pass_time(40)
        (outcome,) = town.state.recent_outcomes("hugo")
        assert outcome.errand == Errand(Verb.DO, OVEN, "bake")
        came[
            outcome.code,
            town.state.stock("hugo").count("loaf") - loaves,
            dict(town.state.skills("hugo")).get("baking", 0),
        ] += 1
    assert set(came) == {("", 11, 4), ("FAILED", 1, 0)}
    assert 70 <= came["", 11, 4] <= 110, "six in ten"


def test_every_day_has_one_weather_of_its_season_the_same_on_the_same_seed() -> None:
    towns = [life(1), life(1), life(2)]
    for town in towns:
        town.pass_time(10)
        for _ in range(20):
            town.pass_time(13 * 1440)
    one, same, other = (town.state.weather for town in towns)
    assert one == same
    assert one != other
    assert one.first == 0
    assert len(one.kinds) == 20 * 13 + 1
    assert 0.15 < one.kinds.count("drought") / len(one.kinds) < 0.35


def test_days_without_weather_leave_that_of_later_days_where_it_is() -> None:
    town = life()
    for day in (0, 1, 5):
        town.carry_out([WeatherCame(day, "rain")])
    assert [town.state.weather.on(day) for day in range(6)] == ["rain", "rain", "", "", "", "rain"]


def test_the_weather_is_said_beside_the_season() -> None:
    town = life()
    assert describe_season(town.society, "en") == ["spring"]
    town.pass_time(10)
    says = BOOK.calendar.weather[town.state.weather.on(0)].says["en"]
    assert describe_season(town.society, "en") == ["spring", says]


def test_a_harvest_is_less_by_what_its_days_cost_and_nothing_is_lost() -> None:
    town = life()
    town.carry_out([Granted("ada", (("grain", 10),))])
    before, stood = totals(town), town.state.stock(FIELD).count("ripe_wheat")
    assert town.attempt("ada", Errand(Verb.DO, FIELD, "sow")) is None
    town.pass_time(120)
    sown = town.society.day
    while town.state.process(FIELD):
        town.pass_time(60)
    droughts = sum(town.state.weather.on(day) == "drought" for day in range(sown + 1, sown + 13))
    assert droughts
    assert (
        town.state.stock(FIELD).count("ripe_wheat") - stood
        == 300 * (1000 - LOST * droughts) // 1000
    )
    assert totals(town) == before


def test_the_proof_reckons_with_what_chance_takes() -> None:
    assert BOOK.likely_share(BOOK.recipes["bake"]) == 0.5
    assert abs(BOOK.likely_share(BOOK.recipes["sow"]) - (1 - 12 * 0.25 * LOST / 1000)) < 1e-9
    chancy_loads, sure_loads = (
        build_chain(book, book.recipes["eat/loaf"], 11).loads for book in (BOOK, farmstead())
    )
    assert abs(chancy_loads["oven"] / sure_loads["oven"] - 2) < 1e-6, "one batch of two burns"
    assert chancy_loads["field"] > 2 * sure_loads["field"], (
        "and the weather takes some of the wheat"
    )
