"""Realms: practice leads up to the next one, and a breakthrough into it, at a risk."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.society import apart
from hometown.language import LANGS, Lang
from hometown.memory.schedule import MeantTask
from hometown.society.aid import outcome_facts
from hometown.society.bodies import change_needs, need_levels
from hometown.society.chance import success_odds
from hometown.society.initial_state import initial_effects
from hometown.society.jobs import finish_work
from hometown.society.minds.step_offers import offer_steps
from hometown.society.planner import Planner
from hometown.society.realms import describe_realms
from hometown.society.refusals import refuse_work
from hometown.society.rule_life import mindless_state
from hometown.society.society_view import SocietyView
from hometown.society.worded_errands import follow_words
from hometown.society.work_phrasing import WorkPhrases
from hometown.world.apply import apply
from hometown.world.book.parts import FULL
from hometown.world.labour import Errand, Job, Learned, NeedsSet, Outcome, Verb
from hometown.world.load import load_world
from hometown.world.matter import Granted
from hometown.world.world import World, arena_of
from tests.support.farmstead import farmstead, read

WHO = "tie_niu"


def begun(lang: Lang) -> tuple[World, SocietyView]:
    world = load_world("cloudvale", lang)
    assert world.book is not None
    state = mindless_state(world.start)
    for effect in initial_effects(world.book, world.start):
        apply(effect, state)
    return world, SocietyView(world.book, state, world.start)


def do(society: SocietyView, recipe: str, level: int, succeeds: bool = True) -> int:
    """The level of cultivation after a recipe that is begun at a level."""
    apply(Learned(WHO, "cultivation", level), society.state)
    job = Job(recipe, "", society.now, society.now)
    for effect in finish_work(society, WHO, job, succeeds):
        if isinstance(effect, Learned):
            apply(effect, society.state)
    return society.state.skill(WHO, "cultivation")


def test_practice_ends_below_the_next_realm() -> None:
    _, society = begun("en")
    assert do(society, "meditate", 190) == 194
    assert do(society, "meditate", 198) == do(society, "meditate", 199) == 199
    assert do(society, "break_through", 199) == 229
    assert do(society, "break_through", 150, succeeds=False) == 150


@pytest.mark.parametrize(
    ("level", "code"), [(139, "UNSKILLED"), (190, "LACKS"), (570, "UNSKILLED"), (930, "UNSKILLED")]
)
def test_only_who_is_ready_may_try(level: int, code: str) -> None:
    _, society = begun("en")
    apply(Learned(WHO, "cultivation", level), society.state)
    mat = next(at for at in society.book.places_for("mat") if society.may_use(WHO, at))
    refusal = refuse_work(society, WHO, "break_through", mat)
    assert refusal
    assert refusal.code == code


def test_the_gates_of_great_realms_are_harder() -> None:
    _, society = begun("en")

    def odds(level: int) -> int:
        apply(Learned(WHO, "cultivation", level), society.state)
        return success_odds(society, WHO, "break_through")

    assert odds(330) == odds(399) - 34
    assert odds(470) - odds(399) > 80, "although only 71 points lie between"


def test_a_failure_at_the_gate_of_a_great_realm_hurts_more() -> None:
    _, society = begun("en")
    apply(Learned(WHO, "cultivation", 199), society.state)
    job = Job("break_through", "", society.now, society.now)
    health = [society.levels(WHO)["health"]]
    for level in (199, 399):
        apply(Learned(WHO, "cultivation", level), society.state)
        (fails,) = (
            effect
            for effect in finish_work(society, WHO, job, False)
            if isinstance(effect, NeedsSet)
        )
        assert society.book
        health.append(need_levels(society.book, fails.needs, society.now)["health"])
    assert [health[0] - after for after in health[1:]] == [650, 730]


@pytest.mark.parametrize("lang", LANGS)
def test_steps_tell_the_odds_of_a_breakthrough_and_what_a_failure_costs(lang: Lang) -> None:
    world, society = begun(lang)
    apply(Learned(WHO, "cultivation", 199), society.state)
    apply(Granted(WHO, (("pill", 2), ("qi", 90))), society.state)
    mat = next(at for at in society.book.places_for("mat") if society.may_use(WHO, at))
    offer = offer_steps(WorkPhrases(world), Planner(society, WHO, apart), arena_of(mat))
    (line,) = (line for line, errand in offer.errands.items() if errand.what == "break_through")
    odds = round(success_odds(society, WHO, "break_through") / 100)
    needs = {"en": "a failure costs ", "zh": "不成会伤到"}[lang]
    assert str(odds) in line
    assert all(part.name[lang] in line.split(needs)[1] for part in [society.book.needs["health"]])
    assert offer.names[line] == line.split(",")[0].split("，")[0], "the activity has no odds"
    full = change_needs(
        society.book,
        society.state.needs(WHO),
        society.now,
        dict.fromkeys(society.book.needs, FULL),
        False,
    )
    apply(NeedsSet(WHO, full), society.state)
    task = MeantTask(0, 1, line, verb=Verb.DO, what="break_through", at="")
    planner = Planner(society, WHO, apart)
    assert list(follow_words(planner, [task], arena_of(mat))), "even of one who lacks nothing"


@pytest.mark.parametrize("lang", LANGS)
def test_realms_are_told(lang: Lang) -> None:
    world, society = begun(lang)
    apply(Learned(WHO, "cultivation", 200), society.state)
    job = Job("break_through", "", society.now, society.now)
    outcome = Outcome(
        Errand(Verb.DO, "", "break_through"), "", outcome_facts(society, WHO, job, True)
    )
    name = {"en": "early Qi Gathering", "zh": "练气初期"}[lang]
    assert all(name in text for text in WorkPhrases(world).outcome(outcome))
    above = {"en": "middle Qi Gathering", "zh": "练气中期"}[lang]
    assert list(describe_realms(society, WHO, lang)) == [(name, 260, above)]


def test_a_realm_is_of_a_skill_with_breakthroughs(tmp_path: Path) -> None:
    realm = {"name": {"en": "Master", "zh": "大师"}, "skill": "milling", "least": 500}
    _, faults = read(farmstead() | {"realms": {"master": realm}}, tmp_path)
    assert any("realms.json: master: there is no skill 'milling'" in line for line in faults)
