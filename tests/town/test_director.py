"""The director plants things from outside, once a day at most, and writes to no mind."""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from hometown.agent.acting.note_leaving import NOTE_PREDICATE
from hometown.director import DirectorEffect, is_director_due
from hometown.game import Game
from hometown.model.llm import Completion, Request
from hometown.prompt.director_prompt import DIRECTOR_MOVE, DirectorVars
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world import keys
from hometown.world.befalling import begin_happening, usual_course
from hometown.world.effects import Logged, owner
from hometown.world.incidents import HappeningBegan
from hometown.world.world import sector_of
from tests.support.fake_models import Wrapped
from tests.support.prompt_samples import SAMPLES
from tests.support.town import game_on, live, state_of

EVENING = datetime(2025, 2, 12, 19)
DAILY = {"director": "daily"}
READER = "zhang_wei"
KITE = "a kite comes down out of the sky"


class Directing(Wrapped):
    """The scripted model, which makes the given move as the director."""

    def __init__(self, move: str, text: str = KITE) -> None:
        super().__init__(ScriptedModel())
        self.move, self.text = move, text

    async def answer(self, request: Request, seed: int) -> Completion:
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
        assert minds(game) == before
        assert len(game.log) == 2
        for logged in game.log:
            assert isinstance(logged.effect, DirectorEffect)
            assert owner(logged.effect) == logged.who == ""
            assert logged.cause == "call:director#0"
        row = game.state.row(keys.DIRECTOR.key)
        assert row is not None
        assert [(move.kind, move.text) for move in row.items] == [(kind, KITE)]
        happening = [each.text for each in game.state.happenings]
        letters = game.state.notes(sector_of(game.world.personas[READER].home))
        assert happening == ([] if kind == "letter" else [KITE])
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
