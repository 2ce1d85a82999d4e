"""Happenings are worked on, grow, are ended by residents, by help or by time, and leave damage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from hometown.errors import BadInput
from hometown.game import Game
from hometown.language import LANGS, Lang
from hometown.memory.action import Action
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.effects import Effect
from hometown.world.happening_course import change_course
from hometown.world.happening_process import advance_happenings, find_closure, work_needed
from hometown.world.incidents import (
    Countermeasure,
    Course,
    EndedHappening,
    HappeningBegan,
    HappeningStopped,
    Role,
    UnfoldingHappening,
)
from hometown.world.rows import Body
from tests.support.town import begin_town, game_on

CAFE, LIN, CHEN = "cafe/main", "lin_yue", "chen_siyuan"
START = datetime(2025, 2, 13, 12, 0)
STRIDE = 10
FIRE = "A fire breaks out"


class Burning:
    """A town in which something happens in the café, and time passes without thoughts."""

    def __init__(self, game: Game, course: Course) -> None:
        self.game, self.state, self.now = game, game.state, START
        self.do(HappeningBegan(begin_happening(CAFE, FIRE, course, START)))

    def do(self, effect: Effect) -> None:
        apply(effect, self.state)

    def act(self, who: str, role: Role, what: str = "doing what they can") -> None:
        """Let a resident do something about it in the café from now on."""
        state = self.state
        state.put(keys.BODY.of(who), Body(self.game.world.open_tiles[CAFE][0]))
        state.put(keys.ACTION.of(who), Action("act", what, CAFE, 600, started=self.now))
        measure = Countermeasure(CAFE, FIRE, what, role, "react:1", self.now, here=True)
        state.put(keys.MEASURE.of(who), measure)

    def pass_time(self, minutes: int) -> list[Effect]:
        """Let time pass and return what it brings."""
        brought: list[Effect] = []
        for _ in range(minutes // STRIDE):
            self.now += timedelta(minutes=STRIDE)
            clock = self.state.clock
            self.state.put(keys.CLOCK.key, replace(clock, now=self.now))
            for effect in advance_happenings(self.game.world, self.state, self.now, STRIDE):
                self.do(effect)
                brought.append(effect)
        return brought

    @property
    def happening(self) -> UnfoldingHappening:
        (happening,) = self.state.happenings
        assert isinstance(happening, UnfoldingHappening)
        return happening


@pytest.fixture(scope="module")
def noon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    folder = tmp_path_factory.mktemp("noon")
    begin_town(folder, start=START - timedelta(minutes=STRIDE))
    with RunFile.open(folder, "town", write=True) as run:
        yield game_on(run)


@pytest.fixture
def game(noon: Game) -> Game:
    noon.restore()
    return noon


def test_work_ends_a_fire_and_all_who_did_it_are_named(game: Game) -> None:
    town = Burning(game, usual_course(FIRE, "en"))
    town.act(LIN, "helps", "singing to the flames")
    town.act(CHEN, "helps")
    town.pass_time(20)
    assert (town.happening.stage, town.happening.worked) == ("held", 40)
    assert find_closure(town.state, CAFE) == FIRE
    (ended, began) = town.pass_time(10)
    assert isinstance(ended, HappeningStopped)
    assert set(ended.by) == {LIN, CHEN}
    (record,) = town.state.stopped_happenings
    assert isinstance(record, EndedHappening)
    assert (record.over, record.since) == ("The fire is out", START)
    assert isinstance(began, HappeningBegan)


@pytest.mark.parametrize("role", ["useless", "saves", "stays", "leaves"])
def test_what_does_not_help_ends_nothing_whatever_its_words(game: Game, role: Role) -> None:
    town = Burning(game, usual_course(FIRE, "en"))
    town.act(LIN, role, "putting out the fire")
    town.pass_time(60)
    assert (town.happening.stage, town.happening.worked, town.happening.by) == ("grown", 0, ())


def test_a_fire_that_nobody_fights_grows_and_takes_twice_the_work(game: Game) -> None:
    town = Burning(game, usual_course(FIRE, "en"))
    reach = town.happening.reach
    town.pass_time(40)
    assert (town.happening.stage, town.happening.reach) == ("grown", 2 * reach)
    assert work_needed(town.happening) == 2 * town.happening.course.effort


def test_what_worsens_undoes_work(game: Game) -> None:
    town = Burning(game, usual_course(FIRE, "en"))
    town.act(LIN, "helps")
    town.act(CHEN, "worsens")
    town.pass_time(30)
    assert (town.happening.worked, town.happening.stage) == (0, "begun")


def test_help_that_was_called_comes_and_works(game: Game) -> None:
    town = Burning(game, usual_course(FIRE, "en"))
    town.act(LIN, "calls")
    town.pass_time(10)
    assert town.happening.called == START + timedelta(minutes=30)
    town.pass_time(20)
    assert town.happening.worked == 0, "they are on the way"
    town.pass_time(20)
    (record,) = town.state.stopped_happenings
    assert isinstance(record, EndedHappening)
    assert (record.by, record.helpers) == ((LIN,), "the fire brigade")


def test_damage_closes_the_room_until_it_is_repaired(game: Game) -> None:
    town = Burning(game, usual_course(FIRE, "en"))
    town.act(LIN, "helps")
    town.pass_time(60)
    damage = town.happening
    assert "damaged by the fire" in damage.text
    assert work_needed(damage) == 600
    town.pass_time(60)
    assert town.happening.worked == 0, "to have fought the fire repairs nothing"
    assert find_closure(town.state, CAFE)
    measure = Countermeasure(
        CAFE, damage.text, "repairing", "helps", "react:2", town.now, here=True
    )
    for who in (LIN, CHEN):
        town.act(who, "helps", "repairing")
        town.state.put(keys.MEASURE.of(who), measure)
    town.pass_time(310)
    assert not town.state.happenings
    assert not find_closure(town.state, CAFE)


@pytest.mark.parametrize(
    ("what", "worked"),
    [
        ("plastering the wall", 60),
        ("reading", 0),
        ("turning off the water of the coffee machine", 0),
    ],
)
def test_who_mends_damage_by_a_plan_of_their_own_repairs_it(
    game: Game, what: str, worked: int
) -> None:
    course = replace(usual_course(FIRE, "en"), mending="plastering what the water has spoilt")
    town = Burning(game, course)
    town.act(LIN, "helps")
    town.pass_time(60)
    town.act(LIN, "helps", what)
    town.state.put(keys.MEASURE.of(LIN), None)
    town.pass_time(60)
    assert town.happening.worked == worked


def test_what_nobody_can_end_ends_with_its_time(game: Game) -> None:
    town = Burning(game, usual_course("Fireworks over the park", "en"))
    (ended,) = town.pass_time(30)
    assert isinstance(ended, HappeningStopped)
    assert not ended.by
    assert not town.state.happenings


@pytest.mark.parametrize("lang", LANGS)
def test_words_that_no_kind_knows_have_an_honest_course(lang: Lang) -> None:
    course = usual_course({"en": "A cow sings", "zh": "牛唱起歌来了"}[lang], lang)
    assert course.weight == 6
    assert course.means
    assert not course.damage


def test_a_user_changes_a_course() -> None:
    changed = change_course(
        Course(weight=3, helpers="the vet"), '{"weight": 9, "means": ["hiding"]}'
    )
    assert (changed.weight, changed.means, changed.helpers) == (9, ("hiding",), "the vet")


@pytest.mark.parametrize(
    "changes", ["[]", "{", '{"weigth": 9}', '{"weight": 11}', '{"means": "one"}', '{"key": "x"}']
)
def test_changes_that_are_impossible_are_refused(changes: str) -> None:
    with pytest.raises(BadInput, match=r"course|weight"):
        change_course(Course(), changes)
