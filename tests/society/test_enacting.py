"""Laws that change while a town lives: nothing is lost, what has no place any more ends, and what a
law would break is foretold.
"""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from benchmarks.society import START, apart, farmstead, totals
from hometown.clock import DAY
from hometown.society.bodies import MAX_LEVEL, change_needs
from hometown.society.enactment import affected_residents, replace_rules
from hometown.society.forecast import SOCIETY_ROWS, forecast_days
from hometown.society.law_impact import assess_law
from hometown.society.rule_life import RuleLife
from hometown.study.laws.greedy_trial import find_greediest
from hometown.study.laws.value_search import LEAP, find_value_leap
from hometown.world.book.amend import amend, drop_dangling_references
from hometown.world.book.parts import FULL
from hometown.world.faults import Faults
from hometown.world.labour import AimSet, Employment, Errand, Hired, NeedsSet, Verb
from hometown.world.laws import propose_entries
from hometown.world.load import load_world
from hometown.world.matter import Granted
from hometown.world.rows import Row

FARMSTEAD = load_world("farmstead", "en")

BEER: dict[str, Any] = {
    "name": {"en": "beer", "zh": "啤酒"},
    "grams": 500,
    "tags": ["drink"],
    "gives": {"fun": 400},
}
BREW: dict[str, Any] = {
    "says": {"en": ["brew"], "zh": ["酿啤酒"]},
    "at": "press",
    "minutes": 60,
    "take": {"grain": 4, "nature": "rest"},
    "make": {"beer": 10},
}
CALM: dict[str, Any] = {
    "name": {"en": "calm", "zh": "平静"},
    "awake": -10,
    "asleep": 0,
    "met_by": ["play"],
}

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"recipies": {}}, "patch: recipies: there is no section 'recipies'; did you mean 'recipes'?"),
    (
        {"recipes": {"bak": None}},
        "recipes.json: bak: is not there, so it cannot be taken away; did you mean 'bake'?",
    ),
    ({"recipes": ["bake"]}, "recipes.json: should hold one JSON object, { … }"),
    ({"recipes": {"bake": 3}}, "recipes.json: bake: should hold one JSON object, { … }"),
    (
        {"recipes": {"bak": {"minutes": 9}}},
        "patch: recipes: there is no 'bak' to change, only bake, be_tended, ",
    ),
    ({"recipes": {"bak": {"minutes": 9}}}, "; a new one also needs says"),
    ({"recipes": {"mill": {"minutes": 60}}}, "changes nothing: all that it says is so already"),
    (
        {"recipes": {"mill": {"minutes": 0}}},
        "recipes.json: mill.minutes: Input should be greater than or equal to 1, not 0",
    ),
    (
        {"recipes": {"mill": {"make": {"flour": 12}}}},
        "recipes.json: mill: takes 5000 g and makes 6000 g; change a number",
    ),
    (
        {"recipes": {"mill": {"make": {"fluor": 8, "flour": None}}}},
        "recipes.json: mill: there is no kind 'fluor'; did you mean 'flour'?",
    ),
    (
        {"recipes": {"brew": {**BREW, "make": {"beer": 1}}}},
        "recipes.json: brew: there is no kind 'beer'",
    ),
    ({"recipes": {"eat": None}}, "needs.json: hunger: falls, but nothing meets it"),
    (
        {"kinds": {"loaf": {"grams": 300}}},
        "kinds.json: loaf: weighs 400 g and cannot weigh 300 g from now on",
    ),
    (
        {"kinds": {"sickle": {"item": None, "wears": None, "leaves": None}}},
        "kinds.json: sickle: 'item' cannot change",
    ),
    ({"kinds": {"loaf": {"item": True}}}, "kinds.json: loaf: 'item' cannot change"),
    ({"kinds": {"coin": None}}, "kinds.json: coin: cannot be taken away: every society needs it"),
    ({"kinds": {"dough": None}}, "recipes.json: bake: there is no kind 'dough'"),
    (
        {"kinds": {"beer": {**BEER, "name": {"en": "beer"}}}},
        "kinds.json: beer.name: has no text in zh; add it beside en",
    ),
    (
        {"needs": {"calm": {**CALM, "met_by": ["sit"]}}},
        "needs.json: calm: there is no recipe 'sit'",
    ),
    (
        {"fixtures": {"mill/main/milstone": {"tags": ["mill"]}}},
        "fixtures.json: mill/main/milstone: there is no thing on the map",
    ),
    (
        {"fixtures": {"mill/main/chest": {"closed_on": ["sunday"]}}},
        "fixtures.json: mill/main/chest.closed_on[0]: Input should be 'mon', 'tue'",
    ),
    (
        {"fixtures": {"mill/main/chest": {"owner": None}}},
        "fixtures.json: mill/main/chest: is a shop without an owner",
    ),
    ({"people": {"zoe": {"house": "mill"}}}, "start.json: people: there is no resident 'zoe'"),
    ({"people": {"finn": None}}, "start.json: people: 'finn' is missing, who lives in the town"),
    ({"people": {"finn": {"house": "tower"}}}, "start.json: finn: there is no house 'tower'"),
    (
        {"people": {"finn": {"has": {"loaf": 9}}}},
        "start.json: finn: 'has' only counts when a run begins; leave it out",
    ),
    ({"houses": {"mill": None}}, "start.json: finn: there is no house 'mill'"),
    (
        {"people": {"finn": {"duties": [{"keep": "flour", "count": 3, "at": "mill/chest"}]}}},
        "start.json: finn: there is no fixture 'mill/chest'",
    ),
    ({"seasons": {"spring": None}}, "recipes.json: sow: there is no season 'spring'"),
]


def enact(life: RuleLife, patch: dict[str, Any]) -> None:
    """A law comes into force in a life of its own."""
    faults = Faults("farmstead")
    entries = propose_entries(FARMSTEAD, json.dumps(patch), faults)
    faults.stop()
    after = drop_dangling_references(amend(life.book, entries))
    life.carry_out(replace_rules(life.society, after, entries))
    life.book = after


def lived(steps: int) -> RuleLife:
    life = RuleLife(farmstead(), START, 1, apart)
    for _ in range(steps):
        life.step()
    return life


def society_rows(life: RuleLife) -> dict[str, Row]:
    return {
        key: row for key, row in life.state.rows.items() if key.partition("/")[0] in SOCIETY_ROWS
    }


@pytest.mark.parametrize(("patch", "line"), FAULTS, ids=[line[:60] for _, line in FAULTS])
def test_what_would_break_the_book_is_told_in_a_line(patch: dict[str, Any], line: str) -> None:
    faults = Faults("farmstead")
    propose_entries(FARMSTEAD, json.dumps(patch), faults)
    assert any(line in each for each in faults.lines), faults.lines


@pytest.mark.parametrize(
    "patch",
    [
        {"recipes": {"press": None, "drink": None}, "kinds": {"cider": None}},
        {"recipes": {"sow": None}},
        {"kinds": {"tin": None}},
        {
            "kinds": {"sickle": None},
            "recipes": {"reap": {"tool": None}, "haft": None},
            "people": {who: {"duties": []} for who in ("ada", "bert", "cora", "dirk", "edda")},
        },
        {
            "kinds": {"beer": BEER},
            "recipes": {"brew": BREW, "play": {"body": {"calm": 90}}},
            "needs": {"calm": CALM},
        },
        {
            "recipes": {
                "eat": {"minutes": 10},
                "knead": {"take": {"flour": 4}, "make": {"dough": 5}, "after": {"hours": 1}},
            }
        },
        {
            "fixtures": {
                "farm/yard/barrel": {"shop": None, "holds": 10},
                "mill/main/millstone": None,
            },
            "people": {"gwen": {"house": "farm", "duties": []}},
        },
    ],
)
def test_no_gram_and_no_coin_is_lost_when_a_law_changes(patch: dict[str, Any]) -> None:
    life = lived(20)
    matter = totals(life)
    enact(life, patch)
    for _ in range(12):
        assert totals(life) == matter
        life.step()


def test_what_has_no_place_any_more_ends_sensibly() -> None:
    life = lived(20)
    field = next(at for at in life.book.places_for("field") if life.state.process(at))
    worker, deed = next(
        (who, deed)
        for who in life.people
        if (deed := life.state.job(who))
        and deed.recipe in ("press", "mill", "knead", "bake", "plant")
    )
    enact(life, {"recipes": {"sow": None, deed.recipe: None}})
    assert life.state.process(field) is None
    assert life.state.stock(field).count("grain") == 10, "seed comes back"
    assert life.state.job(worker) is None
    assert {"do": "sow"} not in [
        duty.model_dump(exclude_defaults=True) for duty in life.book.start.people["ada"].duties
    ]


def test_a_tool_whose_kind_is_replaced_is_laid_down() -> None:
    life = lived(0)
    field = life.book.places_for("field")[0]
    life.carry_out([Granted(field, (("ripe_wheat", 60),))])
    assert life.attempt("ada", Errand(Verb.DO, field, "reap")) is None
    scythe = {
        "name": {"en": "scythe", "zh": "大镰刀"},
        "grams": 600,
        "tags": ["cuts"],
        "item": True,
        "wears": 5,
        "leaves": {"blade": 1},
    }
    matter = totals(life)
    enact(
        life,
        {
            "kinds": {"sickle": None, "scythe": scythe},
            "recipes": {"haft": {"make": {"sickle": None, "scythe": 1}}},
        },
    )
    assert life.state.job("ada") is None
    for _ in range(12):
        life.step()
    assert totals(life) == matter


def test_a_need_that_nothing_meets_any_more_is_no_aim() -> None:
    life = lived(0)
    bored = change_needs(
        life.book, life.state.needs("ada"), life.state.clock.now, {"fun": -900}, False
    )
    life.carry_out([AimSet("ada", "fun"), NeedsSet("ada", bored)])
    enact(life, {"needs": {"fun": {"awake": 0, "met_by": []}}})
    assert life.state.active_need("ada") == ""
    life.step()


def test_who_lived_in_a_house_that_is_removed_takes_its_coins_along() -> None:
    life = lived(0)
    matter = totals(life)
    life.carry_out([Hired("iris", Employment("mill", START + timedelta(hours=4)))])
    enact(
        life,
        {
            "houses": {"mill": None},
            "people": {"finn": {"house": "farm"}, "gwen": {"house": "garden"}},
            "fixtures": {
                at: {"owner": "house:farm"}
                for at, fixture in life.book.fixtures.items()
                if fixture.owner == "house:mill"
            },
        },
    )
    assert life.society.employer("iris") == ""
    assert (life.society.coins("finn"), life.society.coins("gwen")) == (3000, 2500)
    for _ in range(30):
        life.step()
    assert totals(life) == matter


def test_what_can_go_on_goes_on() -> None:
    life = lived(20)
    field = next(at for at in life.book.places_for("field") if life.state.process(at))
    before = life.state.process(field)
    enact(life, {"recipes": {"sow": {"minutes": 60, "after": {"days": 9}}}})
    assert life.state.process(field) == before


def test_a_shop_posts_what_is_said_anew_and_rests_on_its_days() -> None:
    life = lived(6)
    enact(
        life,
        {
            "fixtures": {
                "mill/main/chest": {
                    "closed_on": ["tue"],
                    "shop": {"sells": {"flour": 50, "grain": 30}},
                }
            }
        },
    )
    shop = life.state.shop("mill/main/chest")
    assert shop is not None
    assert dict(shop.prices) == {"flour": 50, "grain": 30}
    assert life.state.clock.now.strftime("%a") == "Tue"
    assert not life.society.is_open("mill/main/chest")
    refusal = life.attempt("hugo", Errand(Verb.BUY, "mill/main/chest", "flour"))
    assert refusal is not None
    assert refusal.code == "CLOSED"


def test_a_need_that_is_new_begins_satisfied() -> None:
    life = lived(6)
    hunger = life.level("ada", "hunger")
    enact(
        life,
        {
            "needs": {"calm": CALM, "hunger": {"awake": -84}},
            "recipes": {"play": {"body": {"calm": 90}}},
        },
    )
    assert life.level("ada", "hunger") == hunger, (
        "what was used up before the law is not used up again"
    )
    assert dict(life.state.needs("ada").levels)["calm"] == MAX_LEVEL


def test_a_law_concerns_those_whose_work_or_house_it_changes() -> None:
    assert FARMSTEAD.book
    assert affected_residents(FARMSTEAD.book, {"recipes/bake": "{}"}) >= {"hugo", "iris", "jack"}
    assert affected_residents(
        FARMSTEAD.book, {"fixtures/mill/main/millstone": "{}", "people/kate": "{}"}
    ) == {"finn", "gwen", "kate"}


def test_the_guard_foretells_days_in_which_a_resident_is_out_of_town() -> None:
    life = lived(1)
    places = {who: person.place for who, person in life.people.items() if who != "ada"}
    forecast = forecast_days(FARMSTEAD, life.book, {}, society_rows(life), places, 1, 1)
    assert not next(forecast).unchanged.empty
    life = RuleLife(life.book, START, 1, apart, society_rows(life), places)
    life.pass_time(3 * DAY)
    assert set(life.society.levels("ada").values()) == {FULL}
    assert life.state.ailment("ada") is None


def test_the_guard_tells_who_would_starve_and_when() -> None:
    life = lived(1)
    rows = society_rows(life)
    places = {who: person.place for who, person in life.people.items()}
    faster = {"needs": {"hunger": {"awake": -700, "asleep": -700}}}
    entries = propose_entries(FARMSTEAD, json.dumps(faster), Faults(""))
    (outlook,) = forecast_days(
        FARMSTEAD, drop_dangling_references(amend(life.book, entries)), entries, rows, places, 1, 1
    )
    verdict = assess_law(life.state, outlook)
    assert not verdict.harmless
    first = verdict.breaches[0]
    assert (first.kind, first.what) == ("empty", "hunger")
    assert first.who in FARMSTEAD.personas
    assert 0 < outlook.days_until(first.when or START) < 1
    assert not outlook.unchanged.empty
    assert any(
        breach.kind == "unmet" and breach.supplied < breach.used for breach in verdict.breaches
    )
    assert len(outlook.changed.prices) == len(outlook.changed.lowest) == 1


@pytest.mark.parametrize(
    ("recipe", "leaps"),
    [
        ({"bake": {"minutes": 30}}, False),
        ({"spin": {"take": {"grain": 1, "nature": "rest"}, "make": {"loaf": 100}}}, True),
        ({"split": {"take": {"loaf": 1, "nature": "rest"}, "make": {"loaf": 40}}}, True),
    ],
)
def test_the_guard_finds_work_that_creates_value_from_nothing(
    recipe: dict[str, dict[str, object]], leaps: bool
) -> None:
    pytest.importorskip("scipy", reason="the search for value from nothing needs scipy")
    assert FARMSTEAD.book
    (family,) = recipe
    says = {"says": {"en": [family], "zh": [family]}, "minutes": 60}
    faults = Faults("")
    patch = {"recipes": {family: {**({} if family == "bake" else says), **recipe[family]}}}
    after = amend(FARMSTEAD.book, propose_entries(FARMSTEAD, json.dumps(patch), faults))
    assert not faults.lines
    days = find_value_leap(FARMSTEAD.book, after)
    assert (days is not None) == leaps
    if days:
        was, now = days
        assert now.coins > LEAP * was.coins > 0
        assert after.recipes[next(iter(now.runs))].family == family


def test_the_guard_has_a_greedy_resident_try_a_law() -> None:
    life = lived(0)
    spin = {
        "says": {"en": ["spin"], "zh": ["纺"]},
        "minutes": 60,
        "take": {"grain": 1, "nature": "rest"},
        "make": {"loaf": 20},
    }
    entries = propose_entries(FARMSTEAD, json.dumps({"recipes": {"spin": spin}}), Faults(""))
    rows = society_rows(life)
    places = {who: life.people[who].place for who in ("ada", "kate")}
    book = amend(life.book, entries)
    greedy = find_greediest(FARMSTEAD, book, entries, rows, places, ["spin"])
    assert greedy.who == "ada", "whose house has grain"
    assert greedy.coins > 5 * 20 * 20
