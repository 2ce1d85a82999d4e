"""How residents live by their own words: what they mean to do, where and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from hometown.agent import thinking_group
from hometown.agent.conversation.pairing import Meeting
from hometown.agent.mind import Mind
from hometown.agent.mind.intent import GO_ON, Intent
from hometown.agent.thinking_group import ThinkingGroup
from hometown.game import Game
from hometown.memory.schedule import Entry, MeantTask, PlacedEntry, Tasks, cover
from hometown.society.bodies import change_needs, satisfied_needs
from hometown.world.effects import DayPlanned, Effect, Logged, TasksSet
from hometown.world.labour import Barred, CourseSet, Errand, NeedsSet, Verb, WorkBegun
from hometown.world.load import load_world
from hometown.world.matter import Shifted, Traded, Transfer
from tests.support.town import live

TWENTY_PAST_SEVEN = datetime(2025, 4, 1, 7, 20)
"""When the step begins before the plan does, on a day in spring, when wheat is sown."""

SEED = 4
"""Of lives in which nobody keeps him from work by talking.
"""

FETCH = "fetching 10 × grain from the grain bin", Verb.TAKE, "grain", "barn/main/bin"
GATHER = "fetching 24 × sheaf from the loft", Verb.TAKE, "sheaf", "barn/main/loft"
SOW = "sowing wheat", Verb.DO, "sow", ""
THRESH = "threshing", Verb.DO, "thresh", ""
STORE = "putting 20 measures of grain away at the grain bin", Verb.PUT, "grain", "barn/main/bin"
BUY = "buying 3 × loaf at the bread counter", Verb.BUY, "loaf", "bakery/main/counter"
EAT = "eating a loaf", Verb.DO, "eat", ""

Words = tuple[str, Verb, str, str]


class Life:
    """What Bert does on the farmstead, step by step, as of half past seven, when the entries of his
    plan begin, of which the first has these words for its steps. His needs are met but for `hungry`
    points, and he has some loaves and grain.
    """

    def __init__(
        self,
        words: Sequence[Words],
        *entries: Entry,
        loaves: int = 1,
        hungry: int = 0,
        grain: int = 1,
    ) -> None:
        self.words, self.entries, self.hungry = words, entries, hungry
        self.loaves, self.grain = loaves, grain
        self.is_planned = False
        self.shown: list[tuple[str, str, str]] = []
        self.begun: list[tuple[str, str, str]] = []
        self.bought = 0
        self.refused: list[Errand] = []

    def live(self, folder: Path, steps: int) -> Life:
        """The same life, lived for so many steps."""
        farmstead = load_world("farmstead", "en")
        live(
            folder,
            1 + steps,
            world=farmstead,
            start=TWENTY_PAST_SEVEN,
            seed=SEED,
            after_each=self._see,
        )
        return self

    def _see(self, game: Game) -> None:
        if not self.is_planned:
            self.is_planned = True
            for effect in self._plan(game):
                game.carry_out(Logged(effect, "bert", "test"))
            return
        action, job = game.state.action("bert"), game.state.job("bert")
        place = game.world.maze.arena_at(game.state.body("bert").tile)
        self.shown.append((action.activity, place, job.recipe if job else ""))
        for effect in (logged.effect for logged in game.log):
            if isinstance(effect, WorkBegun) and effect.who == "bert":
                self.begun.append((effect.deed.recipe, effect.deed.at, place))
            if isinstance(effect, Barred) and effect.who == "bert":
                self.refused.append(effect.bar.outcome.errand)
            if isinstance(effect, Traded):
                self.bought += sum(
                    dict(move.goods).get("loaf", 0) for move in effect.moves if move.taker == "bert"
                )

    def _plan(self, game: Game) -> list[Effect]:
        book, now, first = game.world.book, game.state.clock.now, self.entries[0]
        assert book
        length, count = first.end - first.start, len(self.words)
        ends = [first.start + length * at // count for at in range(count + 1)]
        tasks = tuple(
            MeantTask(*stretch, text, verb=verb, what=what, at=at)
            for stretch, (text, verb, what, at) in zip(pairwise(ends), self.words, strict=True)
        )
        met = satisfied_needs(book, now)
        return [
            DayPlanned(
                "bert", cover(now.date(), self.entries, Entry(0, 1440, "resting")), 1320, ""
            ),
            TasksSet("bert", Tasks(first.start, tasks)),
            NeedsSet("bert", change_needs(book, met, now, {"hunger": -self.hungry}, False)),
            Shifted(Transfer("bakery/main/counter", "bert", (("loaf", self.loaves),))),
            *(
                [Shifted(Transfer("barn/main/bin", "bert", (("grain", self.grain),)))]
                if self.grain
                else []
            ),
        ]

    @property
    def work(self) -> list[tuple[str, str]]:
        """The work begun, with its place."""
        return [(recipe, at) for recipe, at, _ in self.begun]


def test_work_agreed_on_is_done_and_not_only_shown(tmp_path: Path) -> None:
    agreed = Entry(450, 720, "sowing the hill field", "appointment", "fields/hill")
    life = Life((FETCH, SOW), agreed).live(tmp_path, 16)
    assert life.work == [("sow", "fields/hill/furrows")]
    assert {job for _, _, job in life.shown[6:]} == {"sow"}, "which is not broken off"


def test_work_that_several_places_would_do_for_is_done_where_it_is_planned(tmp_path: Path) -> None:
    for room in ("fields/south", "fields/hill"):
        planned = PlacedEntry(450, 720, "sowing", room=room)
        assert Life((FETCH, SOW), planned).live(tmp_path / room, 8).work == [
            ("sow", f"{room}/furrows")
        ]


def test_what_is_shown_is_the_work_at_hand(tmp_path: Path) -> None:
    life = Life((GATHER, THRESH), Entry(450, 600, "threshing")).live(tmp_path, 8)
    shown = [activity for activity, _, job in life.shown if job]
    assert set(shown[1:]) == {"threshing sheaves at the threshing floor"}


def test_work_is_repeated_as_long_as_there_is_time_for_it(tmp_path: Path) -> None:
    threshed = [
        Life((GATHER, THRESH), Entry(450, end, "threshing")).live(tmp_path / str(end), 18).work
        for end in (540, 630)
    ]
    assert [work.count(("thresh", "barn/main/floor")) for work in threshed] == [1, 2]


def test_what_has_been_put_away_is_not_put_away_again(tmp_path: Path) -> None:
    working = PlacedEntry(450, 690, "working", room="barn/main")
    rows = (GATHER, THRESH, STORE), (FETCH, STORE), (FETCH, SOW, STORE), (STORE,)
    for at, row in enumerate(rows):
        life = Life(row, working, grain=0).live(tmp_path / str(at), 22)
        assert {errand.verb for errand in life.refused} <= {Verb.DO}, row


def test_a_meal_comes_before_work_that_has_not_begun(tmp_path: Path) -> None:
    sow = *SOW[:3], "fields/south/furrows"
    sowing = PlacedEntry(450, 460, "sowing", room="fields/south")
    breakfast = PlacedEntry(460, 520, "having breakfast", room="farm/kitchen")
    life = Life((sow,), sowing, breakfast, grain=10).live(tmp_path, 6)
    assert ("sow", "fields/south/furrows") not in life.work


def test_as_many_are_bought_as_is_said_and_once(tmp_path: Path) -> None:
    life = Life((BUY,), Entry(450, 600, "getting bread"), loaves=2).live(tmp_path, 14)
    assert life.bought == 3
    assert life.shown[-1][0] == "getting bread", "and not buying it once more"


def test_who_is_full_sits_at_table(tmp_path: Path) -> None:
    breakfast = PlacedEntry(450, 520, "having breakfast", room="farm/kitchen")
    life = Life((EAT,), breakfast).live(tmp_path, 6)
    assert not life.begun
    assert life.shown[-1][:2] == ("having breakfast", "farm/kitchen")


def test_what_is_eaten_by_plan_is_eaten_where_the_plan_says(tmp_path: Path) -> None:
    picnic = PlacedEntry(450, 520, "having breakfast", room="orchard/trees")
    life = Life((EAT,), picnic, hungry=400).live(tmp_path, 6)
    assert life.begun == [("eat/loaf", "", "orchard/trees")]


def test_a_meal_that_ends_in_time_is_finished_before_an_appointment(tmp_path: Path) -> None:
    """From 07:50 to 08:10, a quarter of an hour from the mill."""
    breakfast = PlacedEntry(450, 480, "having breakfast", room="farm/kitchen")
    for start, steps in ((500, 4), (495, 2)):
        meeting = Entry(start, 540, "looking at the mill", "appointment", "mill/main")
        plan = breakfast, Entry(480, start, "resting"), meeting
        life = Life((EAT,), *plan, hungry=400).live(tmp_path / str(start), 6)
        assert [activity for activity, _, _ in life.shown].count(EAT[0]) == steps


class Given(Life):
    """His life, in which somebody hands him the grain while he is on his way to fetch it."""

    def _see(self, game: Game) -> None:
        super()._see(game)
        if len(self.shown) == 1:
            given = Shifted(Transfer("barn/main/bin", "bert", (("grain", 9),)))
            game.carry_out(Logged(given, "bert", "test"))


def test_who_has_been_handed_what_they_set_out_for_does_not_fetch_it(tmp_path: Path) -> None:
    sowing = PlacedEntry(450, 720, "sowing", room="fields/south")
    life = Given((FETCH, SOW), sowing).live(tmp_path, 6)
    assert life.work == [("sow", "fields/south/furrows")]
    assert FETCH[0] not in {activity for activity, _, _ in life.shown[2:]}


class Talking(ThinkingGroup):
    """Two residents who talk in a step, whatever they have decided on in it."""

    def talk(self) -> None:
        opener, partner = self.intents
        self._match([opener, partner])


def test_who_talks_has_not_begun_what_they_have_decided_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games: list[Game] = []
    live(tmp_path, 1, world=load_world("farmstead", "en"), after_each=games.append)
    context = games[0].look(games[0].context.moment)
    minds = {who: Mind(who, context, Counter()) for who in ("bert", "dirk")}
    sow = Errand(Verb.DO, "fields/hill/furrows", "sow")
    minds["dirk"].do(CourseSet("dirk", (sow,)), "rule:schedule")
    group = Talking(minds, minds.__getitem__)
    group.intents = {
        "bert": Intent(partner="dirk", second=GO_ON),
        "dirk": Intent(minds["dirk"].state.action("dirk"), errand=True),
    }
    meeting = Meeting("bert", "dirk", group.intents["bert"])
    monkeypatch.setattr(thinking_group, "pair_up", lambda *_: [meeting])
    group.talk()
    assert group.intents == dict.fromkeys(minds, GO_ON)
    assert minds["dirk"].state.errand_queue("dirk") == ()
