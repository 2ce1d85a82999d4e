"""Prompts of a next line carry the speaker's own lines of earlier conversations."""

from __future__ import annotations

from pathlib import Path

from hometown.history.reader import RunReader
from hometown.model.llm import Completion, Request
from hometown.prompt.dialogue import UtteranceVars
from hometown.scripted.model import ScriptedModel
from tests.support.town import live


class Listening(ScriptedModel):
    """A model that keeps the variables of all prompts of a next line."""

    def __init__(self) -> None:
        self.asked: list[UtteranceVars] = []

    async def complete(self, request: Request, *, seed: int, priority: int = 0) -> Completion:
        if isinstance(request.variables, UtteranceVars):
            self.asked.append(request.variables)
        return await super().complete(request, seed=seed, priority=priority)


def test_prompts_of_a_day_hold_what_the_speaker_has_said_to_others(tmp_path: Path) -> None:
    model = Listening()
    live(tmp_path, 24, model=model)
    with RunReader.open(tmp_path, "town") as run:
        talks = run.conversations(1, run.last_step())
    prompts_with_lines = 0
    for asked in model.asked:
        speaker, now = asked.situation.me.id, asked.situation.now
        said = {
            (other, line.text)
            for talk in talks
            if talk.started < now
            for line in talk.lines
            if line.speaker == speaker
            for other in talk.people
            if other != speaker
        }
        assert set(asked.situation.earlier) == said
        prompts_with_lines += bool(said)
    assert prompts_with_lines
