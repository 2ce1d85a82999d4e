"""Laws in a town with minds: entered while it lives, known to verify and fork, told to everybody;
drafted from words, refused where they break something.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main
from hometown.storage.run import RunFile
from hometown.study.interview import world_of_interview
from hometown.study.laws.proposal import propose_law
from hometown.world.effects import Remembered
from hometown.world.incidents import LawChanged
from hometown.world.interventions import Intervention
from tests.support.once import made_once
from tests.support.society import societal
from tests.support.town import live, opened
from tests.town.test_society import Matter

PATCH = {
    "recipes": {"bake": None},
    "kinds": {"herb": {"gives": {"hunger": 300}}},
    "fixtures": {
        "studio/pantry/coffee_corner": {"closed_on": ["thu"], "shop": {"sells": {"flour": 26}}},
        "cafe/main/counter": {"shop": {"opens": "10:00"}},
    },
}

SAID = "From now on, nobody bakes."


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A town of a morning, in which a law comes into force in step 8."""

    def lived(folder: Path) -> None:
        live(folder, 6, world=societal(folder), after_each=Matter())
        with opened(folder) as run:
            run.ask([Intervention("law", "", json.dumps(PATCH), step=8, memory=SAID)])
        live(folder, 6, world=societal(folder), after_each=Matter())

    return made_once(tmp_path_factory, "laws", lived)


def give(folder: Path, law: str, *more: str) -> int:
    return hometown(["law", "town", law, "--results", str(folder), "--lang", "en", *more])


def test_a_law_holds_from_its_step_on_and_everybody_has_heard_of_it(town: Path) -> None:
    with opened(town) as run:
        changed = [
            (step, logged.effect.entries)
            for step, logged in run.effects()
            if isinstance(logged.effect, LawChanged)
        ]
        heard = {
            logged.effect.who: logged.effect.concept.poignancy
            for _, logged in run.effects()
            if _heard(logged.effect)
        }
        world = propose_law(run, world_of_interview(run), "{}").world
        shop = run.restore().shop("studio/pantry/coffee_corner")
    ((step, entries),) = changed
    assert (step, len(entries)) == (8, 4)
    assert heard.keys() == world.personas.keys()
    assert heard["zhao_gang"] > heard["zhang_wei"], "who used to bake minds more"
    assert world.book is not None
    assert "bake" not in world.book.recipes
    assert shop is not None
    assert dict(shop.prices) == {"flour": 26}


def _heard(effect: object) -> bool:
    return isinstance(effect, Remembered) and effect.concept.text == SAID


def test_verify_and_fork_know_it(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--verify", "town", "--results", str(town), "--lang", "en"]) == 0
    assert "12 steps are thought as recorded" in capsys.readouterr().out
    assert main(["--fork", "town@7", "--name", "again", "--results", str(town), "--step", "5"]) == 0
    with opened(town) as run, opened(town, "again") as fork:
        assert fork.digests() == run.digests()


def test_what_would_break_the_town_is_refused_unless_the_user_insists(
    town: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    faster = '{"needs": {"hunger": {"awake": -900, "asleep": -900}}}'
    assert give(town, faster, "--trial", "1") == 2
    told = capsys.readouterr()
    assert "is the first to have no food left" in told.out
    assert "nothing was entered" in told.err
    assert give(town, faster, "--trial", "1", "--force", "--say", "Eat!", "--at", "300") == 0
    assert (
        give(town, '{"recipes": {"grind": {"take": {"nature": 4}}}}', "--force", "--trial", "0")
        == 2
    ), "matter is never forced"
    with opened(town) as run:
        assert [(entry.step, entry.memory) for entry in run.inbox.interventions()][-1:] == [
            (300, "Eat!")
        ]


def test_a_law_is_drafted_from_words_and_confirmed(
    town: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "from tomorrow Starlight Café is closed on Sundays"
    assert give(town, words, "--trial", "0") == 2
    assert "confirm the draft" in capsys.readouterr().err
    assert give(town, words, "--trial", "0", "--yes") == 0
    assert give(town, "let there be peace", "--trial", "0") == 2
    with opened(town) as run:
        law = run.inbox.interventions()[-1]
        begins = run.manifest.start.hour * 6
    assert all(
        entry == {"closed_on": ["sun"]} for entry in json.loads(law.text)["fixtures"].values()
    )
    assert law.step == (24 * 6 - begins) + 1, "at midnight"


def test_a_world_without_a_society_has_no_laws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    live(tmp_path, 1)
    for law in ('{"recipes": {"bake": null}}', "nobody may bake"):
        assert give(tmp_path, law) == 2
        assert "has no society" in capsys.readouterr().err


def test_laws_that_wait_count_for_the_next(town: Path) -> None:
    with RunFile.open(town, "town") as run:
        run.ask(
            [
                Intervention(
                    "law",
                    "",
                    '{"kinds": {"cake": {"name": {"en": "cake", "zh": "蛋糕"}, "grams": 400}}}',
                )
            ]
        )
        assert not propose_law(
            run,
            world_of_interview(run),
            '{"fixtures": {"cafe/main/counter": {"shop": {"sells": {"cake": 9}}}}}',
        ).faults
