"""A visitor's words and walks while residents think: words are answered before any other call, a walk
begins at once, and the town is the same as if they had come before the step.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from pathlib import Path

import pytest

from hometown.cli.start import main
from hometown.model.llm import Completion, LanguageModel, Request
from hometown.scripted.model import ScriptedModel
from hometown.storage.run import RunFile
from hometown.world.interventions import Intervention
from hometown.world.visitors import request_visit
from tests.support.company import talks_of
from tests.support.fake_models import Wrapped
from tests.support.hang import HANG
from tests.support.town import begin_town, game_on, live, minitown, opened

NOOR, NAME = "visitor_noor_haddad", "Noor Haddad"
MORNING, SEED = datetime(2025, 2, 13, 9, 0), 19
STEPS_BEFORE = 5
HELLO = (
    Intervention(
        "say", NOOR, "Good morning, Siyuan! Do you know the library?", memory="chen_siyuan"
    ),
    Intervention("say", NOOR, "", memory="chen_siyuan"),
)

TO_THE_LIBRARY = Intervention("walk", NOOR, "library/hall")


class Stuck(Wrapped):
    """A visitor speaks at the first call for one of some residents; from then on, those of all
    others are not answered until the visitor is, as `asked` counts: the people of each call.
    """

    def __init__(self, folder: Path, at: str) -> None:
        super().__init__(ScriptedModel())
        self.folder, self.at = folder, at
        self.has_begun = self.is_waiting = False
        self.asked: list[tuple[str, ...]] = []

    async def answer(self, request: Request, seed: int) -> Completion:
        if not self.has_begun and self.at in request.people:
            self.has_begun = self.is_waiting = True
            with opened(self.folder) as run:
                run.ask(HELLO)
        elif self.has_begun:
            self.asked.append(request.people)
        if NOOR in request.people:
            self.is_waiting = False
        elif self.is_waiting:
            await asyncio.Event().wait()
        return await super().answer(request, seed)


def begin(folder: Path) -> None:
    """Begin a town in whose café a visitor stands by the step in which they will speak."""
    begin_town(folder, start=MORNING, seed=SEED)
    with opened(folder) as run:
        run.ask([request_visit(minitown(), NAME)])
        run.ask([Intervention("walk", NOOR, "cafe/main", step=2)])
    live(folder, STEPS_BEFORE - 1)


async def go_on(folder: Path, model: LanguageModel, steps: int) -> list[str]:
    """Live some steps, with one call at a time, and return all digests."""
    with RunFile.open(folder, "town", write=True) as run:
        game = game_on(run, model=model)
        game.caller.queue.slots = 1
        for _ in range(steps):
            await game.step()
        return list(run.digests())


def test_a_visitor_is_answered_first_and_the_town_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, amid = tmp_path / "before", tmp_path / "amid"
    begin(before), begin(amid)
    with opened(before) as run:
        run.ask(HELLO)
    model = Stuck(amid, "lin_yue")
    assert asyncio.run(asyncio.wait_for(go_on(amid, model, 3), HANG)) == live(before, 3)
    assert model.asked[0] == ("chen_siyuan", NOOR), "no other call comes between"
    with opened(amid) as run:
        (talk,) = (talk for talk in talks_of(run) if talk.opener == NOOR)
    assert (talk.step, len(talk.lines)) == (STEPS_BEFORE + 1, 2)
    assert main(["--verify", "town", "--results", str(amid), "--lang", "en"]) == 0
    assert f"{STEPS_BEFORE + 3} steps are thought as recorded" in capsys.readouterr().out


def test_a_conversation_that_has_only_begun_gives_way(tmp_path: Path) -> None:
    """Siyuan has opened one with Lin Yue in this step, which nobody has seen yet."""
    before, amid = tmp_path / "before", tmp_path / "amid"
    for folder in (before, amid):
        begin(folder)
        live(folder, 1)
    with opened(before) as run:
        run.ask(HELLO)
    model = Stuck(amid, "lin_yue")
    assert asyncio.run(asyncio.wait_for(go_on(amid, model, 3), HANG)) == live(before, 3)
    with opened(amid) as run:
        later = [talk for talk in talks_of(run) if talk.step > STEPS_BEFORE + 1]
    first = next(talk for talk in later if "chen_siyuan" in talk.people)
    assert (first.step, first.opener) == (STEPS_BEFORE + 2, NOOR)


class SetOut(Wrapped):
    """A visitor sets out at the first call, which is never answered, as are all that follow before
    the step begins anew.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(ScriptedModel())
        self.folder, self.unanswered = folder, 0
        self.has_begun_anew = False

    async def answer(self, request: Request, seed: int) -> Completion:
        if not self.has_begun_anew:
            if not self.unanswered:
                with opened(self.folder) as run:
                    run.ask([TO_THE_LIBRARY])
            self.unanswered += 1
            try:
                await asyncio.Event().wait()
            finally:
                self.has_begun_anew = True
        return await super().answer(request, seed)


def test_a_visitor_sets_out_in_the_step_under_way(tmp_path: Path) -> None:
    before, amid = tmp_path / "before", tmp_path / "amid"
    begin(before), begin(amid)
    with opened(before) as run:
        run.ask([TO_THE_LIBRARY])
    model = SetOut(amid)
    assert asyncio.run(asyncio.wait_for(go_on(amid, model, 2), HANG)) == live(before, 2)
    assert model.unanswered
    with opened(amid) as run:
        action = run.restore(STEPS_BEFORE + 1).action(NOOR)
    assert action.address == "library/hall"
