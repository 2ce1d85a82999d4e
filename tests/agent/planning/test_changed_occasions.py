"""An inner voice about an occasion of one's own changes the occasion, for all who know of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from hometown.clock import DAY
from hometown.game import Game
from hometown.language import Lang
from hometown.memory.action import Action
from hometown.memory.schedule import Entry, Schedule
from hometown.scripted import reconsidering
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.apply import apply
from hometown.world.effects import Promised
from hometown.world.occasion import Guest, Occasion
from hometown.world.resolve import parse_intervention
from hometown.world.rows import Body, Promise, Promises
from hometown.world.social import OccasionSet
from tests.support.town import begin_town, game_on, minds_of, minitown

LIN, CHEN, WANG = "lin_yue", "chen_siyuan", "wang_fang"
NOON, FIVE = datetime(2025, 2, 13, 12), datetime(2025, 2, 13, 17)
CAFE = "cafe/main"


class Party:
    """A town at noon with Lin Yue's party at five, to which Wang Fang has promised to come and of
    which Chen Siyuan was told.
    """

    def __init__(self, run: RunFile, lang: Lang) -> None:
        self.run, self.lang = run, lang
        self.game: Game = game_on(run, minitown(lang))
        what = {"en": "Lin Yue's tea party", "zh": "林悦的茶话会"}[lang]
        guests = (
            Guest(LIN, NOON, part="gives"),
            Guest(WANG, NOON, LIN, "comes"),
            Guest(CHEN, NOON, LIN, "asked"),
        )
        held = Occasion(what, CAFE, FIVE, 60, guests, "song_night")
        apply(OccasionSet("party", held), self.game.state)
        for who in (LIN, WANG):
            promise = Promise(what, (LIN, WANG), CAFE, FIVE, 60, "")
            apply(Promised(who, Promises((promise,))), self.game.state)

    def hear(self, voice: str, who: str = LIN) -> None:
        """Let a resident hear an inner voice, and live two steps."""
        world = minitown(self.lang)
        name = world.personas[who].name
        separator = ": " if self.lang == "en" else "："
        self.run.ask([parse_intervention("tell", f"{name}{separator}{voice}", world)])
        for _ in range(2):
            asyncio.run(self.game.step())

    @property
    def occasion(self) -> Occasion:
        found = self.game.state.occasion("party")
        assert found is not None
        return found

    def promised(self, who: str) -> list[tuple[str, datetime]]:
        return [(each.address, each.start) for each in self.game.state.promises(who).items]

    def remembers(self, who: str, *words: str) -> bool:
        memories = self.game.state.memory(who).concepts.values()
        return any(all(word in memory.text for word in words) for memory in memories)


@pytest.mark.parametrize(
    ("lang", "voice"), [("en", "Call off the party"), ("zh", "把茶话会取消吧")]
)
def test_a_party_is_called_off_for_all(tmp_path: Path, lang: Lang, voice: str) -> None:
    begin_town(tmp_path, lang, start=NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        town = Party(run, lang)
        town.hear(voice)
        state, what = town.game.state, town.occasion.what
        assert town.occasion.fate == "called off"
        assert town.occasion.why
        assert not any(number == "party" for number, _ in state.occasions)
        assert town.promised(LIN) == town.promised(WANG) == []
        off = {"en": "called", "zh": "取消"}[lang]
        assert all(town.remembers(who, what, off) for who in (LIN, WANG, CHEN))
        around = minds_of(town.game, [WANG])[WANG].situation.around
        assert any(what in text for text in around)
        assert state.wishes(LIN)[-1].steps[-1].event == "done"


@pytest.mark.parametrize(
    ("lang", "voice", "later"),
    [
        ("en", "Move the party to eight", FIVE.replace(hour=20)),
        ("zh", "把茶话会改到八点", FIVE.replace(hour=20)),
        ("en", "Move the party to 18:00", FIVE.replace(hour=18)),
        ("en", "Move the party to tomorrow", FIVE + timedelta(days=1)),
        ("zh", "把茶话会改到明天六点", FIVE.replace(hour=18) + timedelta(days=1)),
    ],
)
def test_a_party_is_moved_for_all(tmp_path: Path, lang: Lang, voice: str, later: datetime) -> None:
    begin_town(tmp_path, lang, start=NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        town = Party(run, lang)
        town.hear(voice)
        assert (town.occasion.fate, town.occasion.start) == ("moved", later)
        assert town.promised(LIN) == town.promised(WANG) == [(CAFE, later)]
        assert town.remembers(CHEN, f"{later:%H:%M}", "17:00")
        plan = town.game.state.schedule(WANG).entries
        is_today = any(entry.address == CAFE and entry.kind == "appointment" for entry in plan)
        assert is_today == (later.date() == FIVE.date())


def test_a_guest_takes_a_party_over(tmp_path: Path) -> None:
    begin_town(tmp_path, start=NOON)
    with RunFile.open(tmp_path, "town", write=True) as run:
        town = Party(run, "en")
        town.hear("Take over the party", CHEN)
        assert town.occasion.gives(CHEN)
        assert town.promised(CHEN) == [(CAFE, FIVE)]


@pytest.mark.parametrize("has_substitute", [True, False])
def test_a_party_without_its_host_has_another_or_falls_through(
    tmp_path: Path, has_substitute: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_town(tmp_path, start=FIVE - timedelta(minutes=30))
    monkeypatch.setattr(reconsidering, "TAKES_OVER", float(has_substitute))
    with RunFile.open(tmp_path, "town", write=True) as run:
        town = Party(run, "en")
        run.ask([parse_intervention("leave", "Lin Yue", minitown())])
        tile = minitown().open_tiles[CAFE][0]
        there = Action("act", "waiting", CAFE, 300, "☕", started=town.game.state.clock.now)
        state = town.game.state
        schedule = Schedule(FIVE.date(), (Entry(0, DAY, "waiting for the party", address=CAFE),))
        for _ in range(7):
            state.put(keys.BODY.of(WANG), Body(tile))
            state.put(keys.ACTION.of(WANG), there)
            state.put(keys.SCHEDULE.of(WANG), schedule)
            asyncio.run(town.game.step())
        if has_substitute:
            assert town.occasion.gives(WANG)
            assert town.occasion.fate == ""
        else:
            assert town.occasion.fate == "fell through"
            assert town.remembers(WANG, town.occasion.what, "fell through", "Lin Yue")
        assert CHEN not in town.occasion.came


def test_who_stays_away_remembers_whom_they_had_agreed_with(tmp_path: Path) -> None:
    """A guest may have accepted without a promise, as the host of a meeting does."""
    begin_town(tmp_path, start=FIVE)
    with RunFile.open(tmp_path, "town", write=True) as run:
        town = Party(run, "en")
        apply(OccasionSet("party", replace(town.occasion, minutes=10)), town.game.state)
        apply(Promised(WANG, Promises()), town.game.state)
        home = Action("act", "reading", "home/main", 300, "📖", started=FIVE)
        for _ in range(2):
            town.game.state.put(keys.ACTION.of(WANG), home)
            asyncio.run(town.game.step())
        assert town.occasion.came.isdisjoint({WANG})
        assert town.remembers(WANG, "Wang Fang had agreed with Lin Yue to come and did not")
