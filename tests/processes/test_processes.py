"""Processes on a town: opinions that talks move, and an illness that passes by contact."""

from __future__ import annotations

from datetime import datetime
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hometown.agent.mind.context import Moment
from hometown.export.table_export import TABLES
from hometown.history.names import Names
from hometown.history.reader import RunReader
from hometown.processes.illness import spread_illness
from hometown.prompt.second_thoughts import RECONSIDER
from hometown.setting_sections import IllnessSettings
from hometown.study.measures.process_measures import illness, opinions
from hometown.study.measures.registry import Subject
from hometown.verify import fold
from hometown.world import keys
from hometown.world.maze import OUTDOORS
from hometown.world.process_rows import Infection, InfectionSet, OpinionMoved
from hometown.world.rows import Body
from hometown.world.state import State
from tests.support.days import set_out
from tests.support.town import live, minitown, opened, state_of

EVENING = datetime(2025, 2, 13, 17)
STATEMENT = "the meadow should become a car park"
STEPS = 15


def settings(**changes: Any) -> dict[str, Any]:
    """Return the settings of a town with an opinion and a very infectious illness."""
    illness = {
        "name": "influenza",
        "first": 2,
        "hourly_risk": 1,
        "incubation_hours": 0.5,
        "illness_hours": 1,
    }
    opinion = {"statement": STATEMENT, "confidence": 1, "pull": 0.5}
    return {"processes": {"opinion": opinion, "illness": illness | changes}}


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("processes")
    live(folder, STEPS, start=EVENING, settings=settings())
    return folder


def test_opinions_come_closer_by_talks_alone(town: Path) -> None:
    with opened(town) as run:
        moves = [
            (step, each.effect)
            for step, each in run.effects()
            if isinstance(each.effect, OpinionMoved)
        ]
        talks = {
            talk.id: (talk.step, set(talk.people))
            for talk in RunReader(run).conversations(1, STEPS)
        }
        asked = [call for call in run.calls() if STATEMENT in str(call)]
        residents = RunReader(run).residents
    first = [move.who for _, move in moves if not move.talk]
    assert len(first) == len(set(first)) == len(residents)
    later = [each for each in moves if each[1].talk]
    for (step, one), (_, other) in zip(later[::2], later[1::2], strict=True):
        begun, people = talks[one.talk]
        assert begun == step
        assert {one.who, other.who} == {one.other, other.other} <= people
        assert abs(one.opinion.value - other.opinion.value) <= 1
    assert later
    assert asked


def test_an_illness_passes_in_rooms_stage_by_stage(town: Path) -> None:
    with opened(town) as run:
        found = [
            (step, each.effect)
            for step, each in run.effects()
            if isinstance(each.effect, InfectionSet)
        ]
        asked = [call for call in run.calls() if "You have caught influenza" in str(call)]
    stages: dict[str, list[InfectionSet]] = {}
    for _, each in found:
        stages.setdefault(each.who, []).append(each)
    order = ["exposed", "ill", "recovered"]
    for who, passed in stages.items():
        names = [each.infection.stage for each in passed]
        begun = order.index(names[0])
        assert names == order[begun : begun + len(names)]
        source = passed[0].infection.source
        assert bool(source) == (names[0] == "exposed")
        assert source in ("", *stages)
        assert source != who
    assert len(stages) > 2
    assert {"recovered"} <= {each.infection.stage for _, each in found}
    assert asked


def test_an_illness_passes_in_a_room_and_not_from_street_to_street() -> None:
    world, moment = minitown(), Moment(3, EVENING, 60)
    people = sorted(world.personas)[:2]
    maze, caught = world.maze, {}
    for room in (OUTDOORS, "cafe/main"):
        tiles = [
            tile
            for tile in product(range(maze.size[0]), range(maze.size[1]))
            if maze.arena_at(tile) == room
        ]
        rows: dict[str, Any] = {keys.INFECTION.of(people[0]): Infection("ill", EVENING)}
        rows |= {
            keys.BODY.of(who): Body(tile)
            for who, tile in zip(people, (tiles[0], tiles[-1]), strict=True)
        }
        illness = IllnessSettings(name="influenza", hourly_risk=1)
        state = State(rows, {}, lambda text: pytest.fail(text))
        caught[room] = [
            each.who for each in spread_illness(world, state, illness, 1, people, moment)
        ]
    assert caught == {OUTDOORS: [], "cafe/main": people[1:]}


def test_what_they_measure_is_in_bounds(town: Path) -> None:
    with opened(town) as run:
        reader = RunReader(run)
        subject = Subject(reader, Names.of(reader), STEPS)
        found = {each.name: each.value for each in (*opinions(subject), *illness(subject))}
        table = [
            row
            for each in TABLES
            if each.name == "processes"
            for row in each.rows(reader, 0, STEPS)
        ]
    assert {row[2] for row in table} == {"opinion", "illness"}
    assert set(found) == {"mean", "variance", "polarisation", "moved", "infected", "peak"}
    assert all(0 <= value <= 1 for value in found.values())
    assert found["moved"] > 0
    assert found["infected"] > 0


def test_a_run_that_goes_on_is_the_same_and_folds(town: Path, tmp_path: Path) -> None:
    live(tmp_path, 4, start=EVENING, settings=settings())
    live(tmp_path, 4)
    with opened(town) as whole, opened(tmp_path) as parts:
        assert whole.digests()[:9] == parts.digests()
        assert list(fold(parts)) == list(range(9))


def test_those_who_have_to_stay_in_bed_infect_nobody_where_there_is_no_risk(tmp_path: Path) -> None:
    live(tmp_path, 3, start=EVENING, settings=settings(hourly_risk=0, stay_home=True))
    with opened(tmp_path) as run:
        infected = [
            each.effect.infection
            for _, each in run.effects()
            if isinstance(each.effect, InfectionSet)
        ]
        ill = dict(keys.INFECTION.select(run.restore().rows))
        resting = [who for who in ill if state_of(tmp_path).action(who).emoji == "🤒"]
    assert [each.stage for each in infected] == ["ill", "ill"]
    assert resting


def test_those_who_fall_ill_remember_it_once_and_reconsider_their_day(tmp_path: Path) -> None:
    live(tmp_path, 8, start=EVENING, settings=settings(remembered=True, illness_hours=96))
    with opened(tmp_path) as run:
        last = RunReader(run).last_step()
        ill = {
            each.effect.who
            for step, each in run.effects()
            if isinstance(each.effect, InfectionSet)
            and each.effect.infection.stage == "ill"
            and step < last
        }
        remembered = [
            memory.who
            for memory in RunReader(run).memories(1, last)
            if "has fallen ill with influenza" in memory.concept.text
        ]
        asked = {
            call.who
            for call in run.calls()
            if call.kind == RECONSIDER.kind and "has fallen ill with influenza" in str(call)
        }
    assert sorted(remembered) == sorted(ill)
    assert len(ill) > 2
    assert asked


def test_a_fork_goes_on_with_the_opinions_and_infections_of_its_run(
    town: Path, tmp_path: Path
) -> None:
    set_out(town, tmp_path, STEPS - 3)
    with opened(tmp_path) as fork:
        rows = fork.restore().rows
        assert dict(keys.OPINION.select(rows))
        assert dict(keys.INFECTION.select(rows))
    live(tmp_path, 3)
    with opened(town) as whole, opened(tmp_path) as fork:
        assert fork.digests()[-3:] == whole.digests()[-3:]
