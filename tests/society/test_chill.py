"""Chills: who works outdoors in bad weather may fall ill."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.society import START, farmstead
from hometown.language import LANGS
from hometown.society.jobs import CAUGHT_CHILL
from hometown.society.minds.outcome_appraisal import appraise_outcome
from hometown.society.rule_life import RuleLife
from hometown.society.work_phrasing import WorkPhrases
from hometown.world.book.book import Book
from hometown.world.labour import CameOf, Errand, Outcome, Verb, WeatherCame
from hometown.world.load import load_world
from tests.support.farmstead import farmstead as farmstead_files
from tests.support.farmstead import read


def chilly(often: int) -> Book:
    """The farmstead, where so many of a thousand who work in the fields when it rains catch a
    chill.
    """
    book = farmstead()
    rain = book.calendar.weather["rain"]
    assert rain.chills
    weather = {
        **book.calendar.weather,
        "rain": rain.model_copy(update={"chills": rain.chills.model_copy(update={"often": often})}),
    }
    return replace(book, calendar=book.calendar.model_copy(update={"weather": weather}))


def life(often: int = 1000, weather: str = "rain") -> RuleLife:
    town = RuleLife(chilly(often), START, 1, lambda one, other: 0)
    town.carry_out([WeatherCame(0, weather)])
    return town


def worked(town: RuleLife, who: str, *errands: Errand) -> int:
    """Somebody's health after some work."""
    for errand in errands:
        assert town.attempt(who, errand) is None
    town.pass_time(120)
    return town.level(who, "health")


SOW = (
    Errand(Verb.TAKE, "barn/main/bin", "grain", 10),
    Errand(Verb.DO, "fields/north/furrows", "sow"),
)
MILL = (
    Errand(Verb.TAKE, "mill/main/sacks", "grain", 10),
    Errand(Verb.DO, "mill/main/millstone", "mill"),
)


def test_who_works_outdoors_in_the_rain_may_catch_a_chill() -> None:
    wet = life()
    assert worked(wet, "ada", *SOW) == 250
    ailing = wet.state.ailment("ada")
    assert ailing
    assert not ailing.helpless
    assert [effect.outcome.code for effect in wet.log if isinstance(effect, CameOf)] == [
        CAUGHT_CHILL,
        "",
    ], "it is told, and the work is done"
    assert worked(life(0), "ada", *SOW) == 1000
    assert worked(life(weather="fair"), "ada", *SOW) == 1000
    assert worked(life(), "finn", *MILL) == 1000, "the mill has a roof"


def test_who_has_not_got_over_one_catches_no_other() -> None:
    """Two within a day would be the death of anybody."""
    wet = life()
    assert worked(wet, "ada", *SOW) == 250
    assert worked(wet, "ada", SOW[0], Errand(Verb.DO, "fields/south/furrows", "sow")) > 250


def test_a_chill_is_told_and_felt() -> None:
    outcome = Outcome(Errand(Verb.DO, "fields/north/furrows", "sow"), CAUGHT_CHILL)
    told = {lang: WorkPhrases(load_world("farmstead", lang)).outcome(outcome)[0] for lang in LANGS}
    assert told == {
        "en": "caught a chill while sowing wheat at the furrows of the north field",
        "zh": "在北田的田垄播种麦子时着了凉",
    }
    town, world = life(), load_world("farmstead", "en")
    assert [stirred.stir for stirred in appraise_outcome(world, town.state, "ada", outcome, 1)] == [
        "chilled"
    ]


def test_chills_name_what_there_is(tmp_path: Path) -> None:
    files = farmstead_files()
    files["calendar"]["weather"]["rain"]["chills"] = {
        "at": ["feild"],
        "often": 100,
        "body": {"helth": -5},
    }
    _, lines = read(files, tmp_path)
    assert len(lines) == 2
    assert all(name in "\n".join(lines) for name in ("feild", "helth", "'field'", "'health'"))
