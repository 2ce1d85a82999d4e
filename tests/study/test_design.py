"""Designs: factors, grids, timelines, targets by rule, news and waves."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from hometown.config import combine
from hometown.errors import BadInput
from hometown.paths import DATA
from hometown.prompt.catalogue import PROMPTS
from hometown.prompt.render import Templates
from hometown.study.experiment.asking import list_waves
from hometown.study.experiment.checking import check_experiment
from hometown.study.experiment.comparisons import list_comparisons, list_effects
from hometown.study.experiment.experiment_worlds import world_for
from hometown.study.experiment.planned_interventions import (
    find_planned_targets,
    list_interventions,
    list_shared_interventions,
    rank_by_connections,
)
from hometown.study.experiment.run_plans import plan_runs
from hometown.study.experiment.spec import (
    Experiment,
    Treatment,
    join_treatments,
    name_wave_figure,
)
from hometown.world.load import load_world
from tests.support.prompt_samples import SAMPLES

START = datetime(2025, 2, 13, 6)
WORLDS = DATA / "worlds"


def design(**changes: Any) -> Experiment:
    base = {
        "name": "x",
        "question": "?",
        "town": {"world": "minitown", "until": "12:00"},
        "seeds": [1],
        "primary": {"measure": "cost.calls"},
    }
    return Experiment.model_validate(base | changes)


def tell(at: str, who: str, text: str = "sing") -> dict[str, str]:
    return {"at": at, "tell": f"{who}: {text}"}


def town_with(*titles: str) -> dict[str, Any]:
    """Return a town with news of these titles."""
    news = {f"n{at}": {"title": title, "keywords": ["k"]} for at, title in enumerate(titles)}
    return {"world": "minitown", "until": "12:00", "news": news}


def own(name: str, text: str) -> dict[str, Any]:
    """Return a questionnaire with one question."""
    return {"name": name, "title": "Own", "questions": [{"id": "q", "text": text}]}


FACTORS = {
    "who": {
        "yue": {"timeline": [tell("07:00", "Yue")]},
        "wei": {"timeline": [tell("07:00", "Wei")]},
    },
    "when": {"never": {}, "late": {"timeline": [tell("09:00", "Wang Fang")]}},
}


def test_conditions_are_all_combinations_of_levels() -> None:
    given = design(factors=FACTORS)
    assert list(given.conditions) == ["yue-never", "yue-late", "wei-never", "wei-late"]
    late = given.conditions["wei-late"]
    assert [entry.request for entry in late.timeline] == [
        ("tell", "Wei: sing"),
        ("tell", "Wang Fang: sing"),
    ]


def test_a_grid_has_a_condition_for_each_value() -> None:
    given = design(grid={"associate.retrieve_max": ["3", "30"], "chat_iter": ["2", "4"]})
    assert next(iter(given.conditions)) == "retrieve-max-3-chat-iter-2"
    assert list(given.conditions.values())[-1].settings == {
        "associate": {"retrieve_max": "30"},
        "chat_iter": "4",
    }


def test_a_town_can_start_later_than_its_world(tmp_path: Path) -> None:
    town = {"world": "minitown", "start": "20250213-11:00", "until": "12:00"}
    given = design(town=town | {"timeline": [tell("11:30", "Yue")]}, conditions={"a": {}})
    (plan,) = check_experiment(given, tmp_path, WORLDS).runs
    assert plan.end == 6
    (planned,) = list_shared_interventions(given, load_world("minitown", "en"), 1)
    assert planned.step == 4
    with pytest.raises(ValidationError, match="'11:00' is not a start time"):
        design(town=town | {"start": "11:00"}, conditions={"a": {}})


def test_effects_are_differences_of_means_and_an_interaction_that_of_differences() -> None:
    given = design(factors=FACTORS, primary={"measure": "cost.calls", "contrasts": "factors"})
    values = {
        "yue-never": {1: 1.0},
        "yue-late": {1: 2.0},
        "wei-never": {1: 5.0},
        "wei-late": {1: 10.0, 2: 7.0},
    }
    found = {each.factor: each.compute_differences(values) for each in list_comparisons(given)}
    assert found == {"who": {1: 6.0}, "when": {1: 3.0}, "who × when": {1: 2.0}}  # (5 − 1) ÷ 2


def test_effects_of_three_levels_are_each_against_the_first() -> None:
    levels = {"llm": {name: {"llm": name} for name in ("a", "b", "c")}, "when": FACTORS["when"]}
    assert [(each.condition, each.base) for each in list_effects(design(factors=levels))] == [
        ("llm: b", "a"),
        ("llm: c", "a"),
        ("when: late", "never"),
        ("llm × when: b × late", "a × never"),
        ("llm × when: c × late", "a × never"),
    ]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "either conditions, or factors"),
        ({"conditions": {"a": {}}, "factors": FACTORS}, "either conditions, or factors"),
        ({"factors": {"who": {"one": {}}}}, "two different levels"),
        ({"grid": {"chat_iter": [str(each) for each in range(300)]}}, "more than 256"),
        ({"factors": {"x": {"a": {}, "a-b": {}}, "y": {"b-c": {}, "c": {}}}}, "the same name"),
        ({"conditions": {"a": {"timeline": [{"at": "08:00"}]}}}, "exactly one of"),
        ({"conditions": {"a": {"timeline": [{"at": "noon", "leave": "Yue"}]}}}, "not a time"),
    ],
)
def test_an_impossible_design_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        design(**changes)


def test_combined_levels_keep_their_own_moments() -> None:
    early = Treatment.model_validate({"from": "08:00", "do": [{"tell": "Yue: a"}]})
    late = Treatment.model_validate({"from": "09:00", "do": [{"tell": "Yue: b"}]})
    joined = join_treatments([early, Treatment(), late])
    assert joined.start is None
    assert [(entry.at, *entry.request) for entry in joined.timeline] == [
        ("08:00", "tell", "Yue: a"),
        ("09:00", "tell", "Yue: b"),
    ]
    settings = Treatment.model_validate({"from": "08:00", "settings": {"chat_iter": "2"}})
    with pytest.raises(ValueError, match="different moments"):
        join_treatments([settings, late])


def test_a_timeline_forks_at_its_first_moment_and_shared_ones_do_not() -> None:
    given = design(
        town={"world": "minitown", "until": "12:00", "timeline": [tell("08:00", "Yue")]},
        conditions={
            "none": {},
            "twice": {"timeline": [tell("10:00", "Yue"), tell("09:00", "Wei")]},
        },
    )
    none, twice = plan_runs(given, START)
    assert (none.parent, twice.parent, twice.at) == ("", "none-1", 18)
    world = load_world("minitown", "en")
    treatment = given.conditions["twice"]
    own = list_interventions(given, treatment, world, 19, 1)
    assert [each.step for each in own] == [25, 19]
    assert [each.step for each in list_shared_interventions(given, world, 1)] == [13]


def test_targets_by_rule_are_residents_and_the_random_one_depends_on_the_seed_alone() -> None:
    world = load_world("ville", "en")
    ranked = rank_by_connections(world)
    assert ranked[0] == "isabella_rodriguez"
    town = {"world": "ville", "until": "12:00", "timeline": [tell("08:00", "random resident")]}
    given = design(
        town=town,
        conditions={
            "hub": {"timeline": [tell("09:00", "most connected")]},
            "edge": {"timeline": [tell("09:00", "Least connected")]},
        },
    )
    targets = [find_planned_targets(given, world, seed) for seed in range(8)]
    assert all({ranked[0], ranked[-1]} <= each for each in targets)
    assert len(set(targets)) > 1
    assert targets[3] == find_planned_targets(given, world, 3)


def test_news_is_a_storyline_of_a_copy_of_the_world(tmp_path: Path) -> None:
    gathering = {"place": "cafe/main", "start": "20250213-10:00", "end": "20250213-11:00"}
    topic = {"title": "The meeting", "keywords": ["meeting at ten"], "gathering": gathering}
    town = {"world": "minitown", "until": "12:00", "news": {"meeting": topic}}
    given = design(
        town=town, conditions={"a": {}}, primary={"measure": "attending.came", "about": "meeting"}
    )
    world = world_for(given.town, tmp_path, WORLDS)
    assert world.storylines[-1].is_mentioned_in("There is a Meeting at ten.")
    assert world.storylines[-1].gathering is not None
    assert check_experiment(given, tmp_path, WORLDS).experiment.primary.about == "The meeting"


def test_versions_of_prompts_are_levels_of_a_factor(tmp_path: Path) -> None:
    prompts = {
        name: {"settings": {"instructions": {"utterance": text}}}
        for name, text in {"brief": "Be brief.", "warm": "Be warm."}.items()
    }
    given = design(factors={"prompts": prompts, "when": FACTORS["when"]})
    check_experiment(given, tmp_path, WORLDS)
    settings = combine([given.conditions["warm-late"].settings])
    assert settings.instructions == {"utterance": "Be warm."}
    for kind, prompt in PROMPTS.items():
        plain, changed = (
            Templates("en", instructions=each).render(prompt, SAMPLES[kind])[0].content
            for each in ({}, settings.instructions)
        )
        assert ("Be warm." in changed) == (kind == "utterance")
        assert changed.replace("\n\nBe warm.", "") == plain
    bad = design(conditions={"a": {"settings": {"instructions": {"uterance": "Be brief."}}}})
    with pytest.raises(BadInput, match="unknown kind of prompt, 'uterance'"):
        check_experiment(bad, tmp_path, WORLDS)


def test_waves_come_in_the_order_of_time() -> None:
    given = design(
        conditions={"a": {}},
        interviews=[{"questionnaire": "awareness", "at": ["end", "09:00", "start"]}],
        primary={"measure": "claims.known@09:00", "about": "layoffs"},
    )
    assert list_waves(given, START, 36) == [("start", 0), ("09:00", 18), ("end", 36)]
    assert name_wave_figure("claims.known", "09:00") == given.primary.measure


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"conditions": {"a": {}}, "primary": {"measure": "cost.calls", "contrasts": "factors"}},
            "needs factors",
        ),
        ({"conditions": {"a": {"timeline": [tell("13:00", "Yue")]}}}, "not in the town's time"),
        (
            {"conditions": {"a": {"from": "09:00", "timeline": [tell("08:00", "Yue")]}}},
            "before the moment of its condition",
        ),
        (
            {"conditions": {"a": {"timeline": [tell("08:00", "Nobody Atall")]}}},
            "nobody in minitown is called",
        ),
        (
            {"conditions": {"a": {"timeline": [tell("08:00", "most conected")]}}},
            "choose among most connected",
        ),
        (
            {
                "conditions": {"a": {}},
                "interviews": [{"questionnaire": "awareness", "at": ["23:00"]}],
            },
            "not in the town's time",
        ),
        (
            {
                "conditions": {"a": {}},
                "interviews": [{"questionnaire": "awareness"}],
                "primary": {"measure": "claims.known@09:00", "about": "layoffs"},
            },
            "is no figure",
        ),
        (
            {
                "town": {
                    "world": "minitown",
                    "until": "12:00",
                    "news": {
                        "milk": {
                            "title": "Milk",
                            "keywords": ["milk"],
                            "gathering": {
                                "place": "moon",
                                "start": "20250213-10:00",
                                "end": "20250213-11:00",
                            },
                        }
                    },
                },
                "conditions": {"a": {}},
            },
            "is not an arena of the map",
        ),
        (
            {"town": town_with("A rumour of layoffs at Lanqiao Software"), "conditions": {"a": {}}},
            "two storylines have the title 'A rumour of layoffs",
        ),
        (
            {"town": town_with("Milk", "Milk"), "conditions": {"a": {}}},
            "two storylines have the title 'Milk'",
        ),
        (
            {"grid": {"associate.recency_weight": [-0.5, 0.5, 1]}},
            "-0.5, 0.5, 1 make only the levels recency-weight-0-5, recency-weight-1",
        ),
        (
            {"factors": {name: {"x" * 31: {}, "y": {}} for name in "ab"}},
            "has 65 characters; 64 are allowed",
        ),
        (
            {
                "conditions": {"a": {}},
                "interviews": [{"questionnaire": own("awareness", "Who are you?")}],
            },
            "'awareness' is the name of a questionnaire of the package",
        ),
        (
            {
                "conditions": {"a": {}},
                "interviews": [{"questionnaire": own("own", text)} for text in ("A?", "B?")],
            },
            "two different questionnaires have the name 'own'",
        ),
        (
            {
                "conditions": {"a": {}},
                "interviews": [{"questionnaire": "awareness", "at": ["end", "end"]}],
            },
            "awareness: at has 'end' twice",
        ),
        (
            {
                "conditions": {"a": {}},
                "interviews": [{"questionnaire": "awareness", "access": ["full", "full"]}],
            },
            "awareness: access has 'full' twice",
        ),
    ],
)
def test_a_plan_refuses_what_the_town_cannot_do(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInput, match=words):
        check_experiment(design(**changes), tmp_path, WORLDS)


def test_a_questionnaire_is_stored_by_name_only_if_it_is_the_packages() -> None:
    for asked in (own("awareness", "Who are you?"), "awareness"):
        given = design(conditions={"a": {}}, interviews=[{"questionnaire": asked}])
        stored = given.model_dump(mode="json", by_alias=True)
        assert (stored["interviews"][0]["questionnaire"] == "awareness") == (asked == "awareness")
        assert Experiment.model_validate(stored) == given


def test_names_of_an_experiment_that_is_there_already_are_left_as_they_are(tmp_path: Path) -> None:
    twice = [{"questionnaire": "awareness", "at": ["end", "end"]}]
    given = design(conditions={"a": {}}, interviews=twice)
    (tmp_path / "experiment.json").write_text(given.model_dump_json(by_alias=True), "utf-8")
    assert check_experiment(given, tmp_path, WORLDS).experiment == given


def test_news_that_changed_are_those_of_the_file(tmp_path: Path) -> None:
    """A plan writes no copy of the world, and a start that was interrupted may have left an older
    one.
    """
    for keyword in ("milk", "free milk"):
        news = {"milk": {"title": "Milk", "keywords": [keyword]}}
        town = {"world": "minitown", "until": "12:00", "news": news}
        given = design(town=town, conditions={"control": {}})
        planned = check_experiment(given, tmp_path / "plan", WORLDS).world
        begun = world_for(given.town, tmp_path / "start", WORLDS)
        assert planned.storylines == begun.storylines
        assert begun.storylines[-1].keywords == (keyword,)
    assert not (tmp_path / "plan").exists()
