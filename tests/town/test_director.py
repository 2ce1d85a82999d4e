"""The director plants things from outside, once a day at most, and writes to no mind."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.agent.acting.note_leaving import NOTE_PREDICATE
from hometown.agent.mind.context import Moment
from hometown.cli.start import main
from hometown.director import DirectorEffect, as_stranger, ask_director, is_director_due
from hometown.game import Game
from hometown.history.director_hand import show_director_moves
from hometown.history.reader import RunReader
from hometown.model.llm import Completion, Request
from hometown.prompt.director_prompt import DIRECTOR_MOVE, DirectorVars
from hometown.prompt.stranger_drafts import STRANGER, StrangerVars
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.director_moves import DirectorMove
from hometown.world.effects import Began, Logged, owner
from hometown.world.furnish import furnish_world
from hometown.world.incidents import HappeningBegan, MovedIn
from hometown.world.strangers import find_free_bed
from hometown.world.visitors import request_visit
from hometown.world.world import sector_of
from tests.support.fake_models import Wrapped
from tests.support.prompt_samples import SAMPLES
from tests.support.town import game_on, live, minitown, opened, state_of

EVENING = datetime(2025, 2, 12, 19)
DAILY = {"director": "daily"}
READER = "zhang_wei"
KITE = "a kite comes down out of the sky"
STRANGER_ID = "stranger"
PEDLAR = {
    "name": "Dora Finch",
    "pronoun": "she",
    "age": 55,
    "occupation": "pedlar",
    "innate": "shrewd, kind, talkative",
    "learned": "Dora Finch comes from the coast.",
    "currently": "Dora Finch would like to sell a box of letters.",
    "doing": "unpacking old letters",
}


class Directing(Wrapped):
    """The scripted model, which makes the given move as the director."""

    def __init__(self, move: str, text: str = KITE, hours: int = 2) -> None:
        super().__init__(ScriptedModel())
        self.move, self.text, self.hours = move, text, hours

    async def answer(self, request: Request, seed: int) -> Completion:
        if request.kind == STRANGER.kind:
            return Completion(orjson.dumps(PEDLAR | {"hours": self.hours}).decode(), 1, 1)
        if request.kind != DIRECTOR_MOVE.kind:
            return await super().answer(request, seed)
        variables: Any = request.variables
        reader = [who for who, _ in variables.people].index(READER) + 1
        reply = {
            "move": self.move,
            "place": 1,
            "reader": reader,
            "text": self.text,
            "why": "a test",
        }
        return Completion(orjson.dumps(reply).decode(), 1, 1)


def minds(game: Game) -> dict[str, object]:
    """Everything that belongs to a mind: the residents' own rows, and their memories."""
    rows = {key: row for key, row in game.state.rows.items() if keys.resident_of(key)}
    return rows | {who: dict(game.state.memory(who).concepts) for who in game.world.personas}


@pytest.mark.parametrize("kind", ["occasion", "letter", "stranger"])
def test_a_move_is_an_effect_on_the_town_and_on_no_mind(tmp_path: Path, kind: str) -> None:
    live(tmp_path, 1, start=EVENING, settings=DAILY | {"director": "off"})
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run, model=Directing(kind))
        game.settings = game.settings.model_copy(update=DAILY)
        moment, before = game.begin_step(), minds(game)
        asyncio.run(game.direct(moment))
        own = {key for key in minds(game) if STRANGER_ID in key}
        assert {key: each for key, each in minds(game).items() if key not in own} == before
        assert bool(own) == (kind == "stranger")
        assert len(game.log) == 2 or kind == "stranger"
        for logged in game.log:
            assert isinstance(logged.effect, DirectorEffect)
            assert owner(logged.effect) == logged.who
            assert logged.who in ("", STRANGER_ID if own else "")
            assert logged.cause == "call:director#0"
        row = game.state.row(keys.DIRECTOR.key)
        assert row is not None
        assert [(move.kind, move.text) for move in row.items] == [(kind, KITE)]
        happening = [each.text for each in game.state.happenings]
        letters = game.state.notes(sector_of(game.world.personas[READER].home))
        assert happening == ([KITE] if kind == "occasion" else [])
        assert [note.reader for note in letters] == ([READER] if kind == "letter" else [])
        assert not is_director_due(game.settings, game.world, game.state, 1), "once a day"


def test_a_letter_is_read_at_home_and_is_from_no_resident(tmp_path: Path) -> None:
    live(tmp_path, 48, start=EVENING, settings=DAILY, model=Directing("letter"))
    state = state_of(tmp_path)
    found = [
        memory
        for memory in state.memory(READER).concepts.values()
        if memory.predicate == NOTE_PREDICATE
    ]
    assert [KITE in memory.text for memory in found] == [True]
    assert found[0].about == ()


def test_no_letter_is_for_a_visitor_who_would_not_read_it(tmp_path: Path) -> None:
    live(tmp_path, 1, start=EVENING)
    with opened(tmp_path) as run:
        run.ask([request_visit(minitown(), "Ada Guest")])
    live(tmp_path, 1)
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run)
        (visitor,) = (who for who in game.world.personas if game.world.is_visitor(who))
        situation = game.view("", Moment(3, EVENING, 10))
        asked = ask_director(game.world, game.state, situation, 1)
    assert READER in dict(asked.people)
    assert visitor not in dict(asked.people)
    assert "Ada Guest" not in {name for matter in asked.matters for name in matter.who}


@pytest.fixture(scope="module")
def strangers_town(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A town that a stranger enters from the morning on, for two hours."""
    folder = tmp_path_factory.mktemp("stranger")
    morning = EVENING.replace(hour=9)
    live(folder, 36, start=morning, settings=DAILY, model=Directing("stranger"))
    return folder


def test_a_stranger_enters_lives_by_their_mind_and_leaves_in_time(strangers_town: Path) -> None:
    with RunFile.open(strangers_town, "town") as run:
        effects = [(step, logged) for step, logged in run.effects() if logged.who == STRANGER_ID]
        (came,) = (step for step, each in effects if isinstance(each.effect, MovedIn))
        (gone,) = (step for step, each in effects if each.cause == "rule:stay")
        calls = {call.kind for call in run.calls(came, gone) if call.who == STRANGER_ID}
        row = run.restore().row(keys.DIRECTOR.key)
        assert row is not None
        (move,) = row.items
        persona = furnish_world(minitown(), run.restore().rows).personas[STRANGER_ID]
    assert (move.who, move.until) == (STRANGER_ID, move.when + timedelta(hours=2))
    assert (gone - came) * 10 == 120
    assert calls, "their mind is asked like any other"
    assert f"leaves town at {move.until:%H:%M}" in persona.currently
    began = [each.effect.action for _, each in effects if isinstance(each.effect, Began)]
    assert any(PEDLAR["doing"] in action.activity for action in began)
    assert began[-1].kind == "away"
    assert state_of(strangers_town).is_away(STRANGER_ID)
    assert show_moves(strangers_town) == [("stranger", STRANGER_ID, move.target)]


def show_moves(folder: Path) -> list[tuple[str, str, str]]:
    """Return the director's hand as the page shows it: kinds, residents and places."""
    with RunReader.open(folder, "town") as run:
        shown = show_director_moves(run)
    return [(each["kind"], each["who"], each["address"]) for each in shown]


def test_a_stranger_is_verified_and_forked(
    strangers_town: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = ["--results", str(strangers_town)]
    assert main(["--verify", "town", *results, "--lang", "en"]) == 0
    capsys.readouterr()
    with RunFile.open(strangers_town, "town") as run:
        (came,) = (step for step, each in run.effects() if isinstance(each.effect, MovedIn))
        forked = ["--fork", f"town@{came}", "--name", "again", "--step", "2", *results]
        assert main(forked) == 0
        with RunFile.open(strangers_town, "again") as fork:
            assert fork.digests()[:came] == run.digests()[:came]
            assert fork.restore().mind(STRANGER_ID).currently


def test_a_stranger_who_stays_has_a_free_bed(tmp_path: Path) -> None:
    live(tmp_path, 1, start=EVENING)
    with RunFile.open(tmp_path, "town", write=True) as run:
        game = game_on(run)
        reply = STRANGER.reply(**PEDLAR, hours=0)
        move = DirectorMove("stranger", "cafe/main", KITE, "", EVENING)
        assert not find_free_bed(game.world), "all houses of this town are lived in"
        planned, _ = as_stranger(game.world, move, reply)
        assert planned is not None
        assert planned.until == EVENING + timedelta(hours=1)
        (house,) = {
            sector_of(each.home) for each in game.world.personas.values() if each.id == READER
        }
        left = {
            who: each for who, each in game.world.personas.items() if sector_of(each.home) != house
        }
        world = replace(game.world, personas=left)
        planned, person = as_stranger(world, move, reply)
        assert planned is not None
        assert planned.until is None
        assert sector_of(orjson.loads(person)["sleeps"]) == house


def test_nothing_is_asked_while_the_director_is_off_and_a_quiet_one_waits(tmp_path: Path) -> None:
    live(tmp_path, 2, start=EVENING)
    with RunFile.open(tmp_path, "town", write=True) as run:
        assert not [call for call in run.calls(1, 2) if call.kind == DIRECTOR_MOVE.kind]
        game = game_on(run)
        quiet = game.settings.model_copy(update={"director": "quiet"})
        assert is_director_due(quiet, game.world, game.state, 1)
        course = usual_course(KITE, "en")
        kite = begin_happening("cafe/main", KITE, course, game.state.clock.now)
        game.carry_out(Logged(HappeningBegan(kite), "", "user:1"))
        assert not is_director_due(quiet, game.world, game.state, 1)


@pytest.mark.parametrize(
    ("move", "text", "kept"),
    [
        ("occasion", "Tom Reed confesses his love", "nothing"),
        ("stranger", "", "nothing"),
        ("letter", "Give my love to Tom. Rosalind", "letter"),
    ],
)
def test_what_residents_do_is_not_for_the_director_to_say(move: str, text: str, kept: str) -> None:
    reply = DIRECTOR_MOVE.reply(move=move, place=1, reader=1, text=text, why="")
    asked = SAMPLES["director"]
    assert isinstance(asked, DirectorVars)
    mended, _ = DIRECTOR_MOVE.mended(asked, reply)
    assert mended.move == kept


@pytest.mark.parametrize(
    "changes",
    [{"name": "Tom Reed"}, {"name": ""}, {"currently": "Dora Finch wants to marry Tom."}],
)
def test_a_stranger_is_no_resident_and_says_nothing_of_any(changes: dict[str, str]) -> None:
    asked = SAMPLES["stranger"]
    assert isinstance(asked, StrangerVars)
    mended, _ = STRANGER.mended(asked, STRANGER.reply(**(PEDLAR | {"hours": 1} | changes)))
    assert mended.name == ""
