"""Somebody moves into a town that lives: checked, known to verify, fork and resume, remembered by
everybody, and in all that is told of the run.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.cli.main import run_hometown as hometown
from hometown.cli.start import main
from hometown.history.diary import days_of, stays
from hometown.history.frames import Film
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.language import Lang
from hometown.reading import Run
from hometown.study.interview import world_of_interview
from hometown.study.laws.proposal import propose_law
from hometown.world.book.book import COIN
from hometown.world.effects import Began, DayPlanned, Remembered
from hometown.world.furnish import furnish_world
from hometown.world.load import load_world
from hometown.world.matter import Granted, Stock
from tests.support.moving import COMES, LAST, MIRA, morning, moving, settle
from tests.support.once import made_once
from tests.support.society import societal
from tests.support.town import live, minitown, opened, state_of


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "moving", morning)


def test_she_lives_in_town_from_that_step_on_and_everybody_has_heard_of_it(town: Path) -> None:
    with opened(town) as run:
        before, after = (run.restore(step) for step in (COMES - 1, COMES))
        heard = {
            e.effect.who: e.effect.concept.text
            for _, e in run.effects(COMES, COMES)
            if isinstance(e.effect, Remembered) and e.cause == "user:1"
        }
        planned = [
            step
            for step, e in run.effects()
            if isinstance(e.effect, DayPlanned) and e.who == "mira"
        ]
        weaves_at = [
            e.effect.action.address.rpartition("/")[0]
            for _, e in run.effects()
            if isinstance(e.effect, Began)
            and e.who == "mira"
            and e.effect.action.activity == "weaving"
        ]
        world = furnish_world(minitown(), run.furniture(LAST))
    assert "mira" not in before.memories
    assert after.action("mira").activity == "arriving with a suitcase"
    assert heard.pop("mira") == "Mira Voss came by the evening coach."
    assert heard == dict.fromkeys(
        minitown().personas, "From now on, Mira Voss, weaver, lives at Wang Fang's home, bedroom."
    )
    assert planned == [COMES], "she plans the rest of her day"
    assert weaves_at == ["flower_shop/shop"], "and goes by her own habits"
    assert world.things["wang_home/bedroom/bed_mira"].name == "Mira Voss's bed"
    assert "sleep" in world.things["wang_home/bedroom/bed_mira"].tags
    assert any(
        "Mira Voss" in each.text
        for each in state_of(town).memory("wang_fang").concepts.values()
        if each.type == "event"
    )


def test_verify_and_fork_know_it(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--verify", "town", "--results", str(town), "--lang", "en"]) == 0
    assert f"{LAST} steps are thought as recorded" in capsys.readouterr().out
    for at in (COMES - 1, COMES + 2):
        assert (
            main(
                [
                    "--fork",
                    f"town@{at}",
                    "--name",
                    f"again{at}",
                    "--results",
                    str(town),
                    "--step",
                    str(LAST - at),
                ]
            )
            == 0
        )
        with opened(town) as run, opened(town, f"again{at}") as fork:
            assert fork.digests() == run.digests()


def test_a_town_that_was_not_stopped_is_the_same(town: Path, tmp_path: Path) -> None:
    live(tmp_path, 6)
    settle(tmp_path, moving())
    live(tmp_path, LAST - 6)
    with opened(town) as run, opened(tmp_path) as other:
        assert other.digests() == run.digests()


def test_before_she_came_she_is_out_of_town_in_all_that_is_told(town: Path) -> None:
    with RunReader.open(town, "town") as run:
        names = Names.of(run.run)
        film = Film(run, names)
        shown = film.opening()
        assert shown["mira"].action == "🧳 out of town"
        frames = list(film.frames(1, LAST))
        came = next(frame for frame, changes in frames if "mira" in changes)
        assert came == (COMES - 1) * 60 + 1
        (early, *_), (late, *_) = (
            [action for _, action in run.actions_of("mira", at, at)] for at in (2, LAST)
        )
        assert (early.kind, late.kind) == ("away", "act")
    with Run.open("town", results=town) as told:
        assert [len(told.residents(step)) for step in (COMES - 1, COMES)] == [6, 7]
        assert "came by the evening coach" in told.memories("Mira")[0].text
        movement = orjson.loads(
            next(
                path
                for path in told.export(html=True, tables=False)
                if path.name == "movement.json"
            ).read_bytes()
        )
    assert movement["all_movement"]["description"]["Mira Voss"]["scratch"]["age"] == 34


def test_who_comes_at_bedtime_plans_nothing_for_the_day(tmp_path: Path) -> None:
    late = datetime(2025, 2, 13, 22, 30)
    live(tmp_path, 1, start=late)
    with opened(tmp_path) as run:
        run.ask([propose_law(run, minitown(), moving()).intervention(2)])
    live(tmp_path, 4)
    with RunReader.open(tmp_path, "town") as reader:
        plans = [memory.concept.text for memory in reader.memories(1, 5, ["plan"], "mira")]
        (day,) = days_of(reader, 5)
        life = stays(reader, "mira", day, 5, [])
    assert not plans
    assert [stay.doings[0].is_away for stay in life] == [True, False]


def test_she_is_asked_once_she_is_there(town: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["ask", "town", "Mira: Where do you come from?", "--results", str(town), "--lang", "en"]
    assert hometown(asked) == 0
    assert "Mira Voss" in capsys.readouterr().out
    assert hometown([*asked, "--at", "3"]) == 2
    assert "nobody in minitown is called 'Mira'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"home": "wang_home/attic"}, "home: no arena of the map is called 'wang_home/attic'"),
        (
            {"sleeps": "wang_home/bedroom/bed"},
            "is the bed of Wang Fang; give a free one, or one that is not there yet, such as 'wang_home/bedroom/bed_mila'",
        ),
        ({"sleeps": "lin_home/bedroom/bed_mira"}, "is not in the building of its home"),
        ({"sleeps": "wang_home/living/sofa"}, "lacks the tag sleep"),
        ({"name": {"en": "wang fang"}}, "is somebody's name already (wang_fang)"),
        ({"name": {"zh": "米拉"}}, "has no text in en"),
        (
            {
                "habits": [
                    {
                        "start": "08:00",
                        "end": "12:00",
                        "activity": {"en": "weaving"},
                        "place": "moon",
                    }
                ]
            },
            "no place of the map is called 'moon'",
        ),
        (
            {"relations": {"nobody": {"text": {"en": "a friend"}, "closeness": 1}}},
            "no resident is called 'nobody'",
        ),
    ],
)
def test_who_does_not_fit_is_refused_with_a_reason(
    town: Path, changes: dict[str, Any], says: str
) -> None:
    with opened(town) as run:
        (fault, *_) = propose_law(
            run,
            world_of_interview(run),
            json.dumps(
                {
                    "residents": {
                        "mila": MIRA
                        | {"name": {"en": "Mila Foss"}, "sleeps": "wang_home/bedroom/cot"}
                        | changes
                    }
                }
            ),
        ).faults
    assert says in fault


@pytest.mark.parametrize(
    ("patch", "says"),
    [
        (moving(), "Mira Voss lives in the town already"),
        ('{"residents": {"wang_fang": null}}', "let this resident leave town instead"),
        ('{"residents": {"Mira Voss": ' + json.dumps(MIRA) + "}}", "cannot be an id"),
        ('{"residents": []}', "should hold one JSON object"),
    ],
)
def test_ids_are_checked(town: Path, patch: str, says: str) -> None:
    with opened(town) as run:
        assert any(
            says in fault for fault in propose_law(run, world_of_interview(run), patch).faults
        )


def test_a_file_that_is_no_json_is_named_with_its_line(
    town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "jo.json"
    file.write_text('{\n  "name": Jo\n}', "utf-8")
    assert hometown(["move-in", "town", str(file), "--results", str(town), "--lang", "en"]) == 2
    assert f"{file}: line 2 column 11: is not valid JSON" in capsys.readouterr().err


def test_what_no_longer_fits_when_its_time_comes_does_not_happen(tmp_path: Path) -> None:
    live(tmp_path, 1)
    with opened(tmp_path) as run:
        two = [
            propose_law(run, minitown(), json.dumps({"residents": {who: MIRA}}))
            for who in ("mira", "mila")
        ]
        run.ask([each.intervention(0) for each in two])
        assert propose_law(run, minitown(), moving()).faults, "who waits to move in counts"
    live(tmp_path, 2)
    assert [who for who in state_of(tmp_path).memories if who not in minitown().personas] == [
        "mira"
    ], "the bed was taken"


def test_in_a_society_she_belongs_to_a_house_and_brings_what_is_said(tmp_path: Path) -> None:
    live(tmp_path, 2, world=societal(tmp_path))
    patch = json.loads(moving()) | {
        "people": {"mira": {"has": {"loaf": 2, COIN: 5}, "skills": {"baking": 200}}}
    }
    before = _grams(tmp_path)
    with opened(tmp_path) as run:
        proposal = propose_law(run, world_of_interview(run), json.dumps(patch))
        assert not proposal.faults
        assert proposal.find_breaches(2) == []
        assert proposal.after.book
        assert proposal.after.book.start.people["mira"].house == "wang", (
            "that of those who live there"
        )
        brought = proposal.after.book.grams((("loaf", 2), (COIN, 5)))
        run.ask([proposal.intervention(4)])
        nowhere = propose_law(
            run, world_of_interview(run), '{"people": {"mira": {"house": "moon"}}}'
        ).faults
        assert any("there is no house 'moon'" in fault for fault in nowhere), (
            "who waits to move in counts"
        )
    live(tmp_path, 4, world=societal(tmp_path))
    with opened(tmp_path) as run:
        granted = [
            logged.effect for _, logged in run.effects(1) if isinstance(logged.effect, Granted)
        ]
    state = state_of(tmp_path)
    assert granted == [Granted("mira", ((COIN, 5), ("loaf", 2)))], (
        "all that comes from outside is told"
    )
    assert _grams(tmp_path) == before + brought
    assert dict(state.skills("mira")) == {"baking": 200}
    assert state.needs("mira").levels
    assert main(["--verify", "town", "--results", str(tmp_path), "--lang", "en"]) == 0


def _grams(folder: Path) -> int:
    book = societal(folder).book
    assert book
    return sum(
        book.grams(row.goods) for row in state_of(folder).rows.values() if isinstance(row, Stock)
    )


def test_a_resident_s_file_settles_somebody(
    town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "jo.json"
    file.write_text(
        json.dumps(MIRA | {"name": {"en": "Jo Lane"}, "sleeps": "wang_home/living/bed_jo"})
    )
    given = ["settle", "town", str(file), "--results", str(town), "--lang", "en"]
    assert hometown([*given, "--at", "300"]) == 0
    assert "Jo Lane, weaver, lives at Wang Fang's home" in capsys.readouterr().out
    assert hometown(given) == 2
    assert "Jo Lane lives in the town already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lang", "words", "home", "work"),
    [
        (
            "en",
            "Rosa Bell, a baker of 41, moves in with Lin Yue; she works at Starlight Café",
            "lin_home/bedroom",
            "cafe/main",
        ),
        (
            "zh",
            "苏青，41岁，是做糕点的，她搬来和林悦同住，在星光咖啡馆做事",
            "lin_home/bedroom",
            "",
        ),
    ],
)
def test_somebody_is_drafted_from_words_and_confirmed(
    tmp_path: Path, lang: Lang, words: str, home: str, work: str, capsys: pytest.CaptureFixture[str]
) -> None:
    live(tmp_path, 1, world=load_world("minitown", lang))
    given = ["settle", "town", words, "--results", str(tmp_path), "--lang", "en"]
    assert hometown(given) == 2
    assert "confirm the draft" in capsys.readouterr().err
    assert hometown([*given, "--yes"]) == 0
    assert (
        hometown(
            ["settle", "town", "let there be peace", "--results", str(tmp_path), "--lang", "en"]
        )
        == 2
    )
    assert "sees nobody in" in capsys.readouterr().err
    live(tmp_path, 1, world=load_world("minitown", lang))
    with opened(tmp_path) as run:
        world = furnish_world(load_world("minitown", lang), run.furniture(2))
    (who,) = world.latecomers
    assert (world.personas[who].home, world.personas[who].age) == (home, 41)
    assert world.personas[who].name in words
    assert not work or work in {habit.place for habit in world.personas[who].habits}
    assert state_of(tmp_path).mind(who).planned
