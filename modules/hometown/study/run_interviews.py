"""Interviews with the residents of a recorded run, which is only read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import orjson

from hometown.frozen import frozen
from hometown.session import same_model
from hometown.settings import Settings
from hometown.storage.run import RunFile
from hometown.study.access_conditions import AccessCondition
from hometown.study.interview import (
    InterviewAnswer,
    Interviewer,
    check_question,
    world_of_interview,
)
from hometown.study.laws.drafting import draft_law
from hometown.study.laws.settlers import draft_settler
from hometown.study.questionnaire import Asking, find_questionnaire, questions_for
from hometown.study.questionnaire_definition import Questionnaire
from hometown.study.tally import Judged, interview
from hometown.world.cast_choice import choose_cast


async def give_questionnaire(
    interviewer: Interviewer,
    questionnaire: Questionnaire,
    residents: Sequence[str],
    step: int,
    condition: AccessCondition = "full",
    watch: Callable[[Sequence[str]], Iterable[str]] = iter,
) -> list[Judged]:
    """Return the judged answers of residents, all if none is named, to a questionnaire after a step.
    `watch` passes the residents on, and may show how far it is.

    Raises:
        BadInput: There is no such resident, or there are too few for a game.
    """
    world, now = interviewer.world(step), interviewer.state(step).clock.now
    seed, cast = interviewer.run.manifest.seed, choose_cast(world, residents)
    questions = {
        who: questions_for(questionnaire, Asking(world, who, now, seed, cast)) for who in cast
    }
    judged: list[Judged] = []
    for who in watch(cast):
        judged += await interview(interviewer, questions[who], who, step, condition)
    return judged


DraftKind = Literal["law", "resident"]
"""The subject of a draft: a change of the rules, or a person who moves in."""


@frozen
class RunInterview:
    """An interview after a `step` of the run `name`, None for the last one, on what a `condition`
    leaves of the residents' memories; `llm` is the model that answers, "" for that of the run.
    """

    results: Path
    worlds: Path
    name: str
    step: int | None
    condition: AccessCondition
    llm: str

    async def ask(
        self, resident: str, question: str, earlier: Sequence[tuple[str, str]] = ()
    ) -> InterviewAnswer:
        """Return a resident's answer to a question, after `earlier` ones and their answers. Raises
        BadInput for an empty or long one, or an unknown resident.
        """
        async with self._begin() as interviewer:
            asked = check_question(resident, question, interviewer.founded)
            return await interviewer.ask(
                asked.target, asked.text, self.step, tuple(earlier), self.condition
            )

    async def give(self, questionnaire: str, residents: Sequence[str]) -> list[Judged]:
        """Return the judged answers of residents, all if none is named, to a questionnaire. Raises
        BadInput if there is no such questionnaire or resident.
        """
        async with self._begin() as interviewer:
            at = interviewer.run.last.step if self.step is None else self.step
            found = find_questionnaire(questionnaire)
            return await give_questionnaire(interviewer, found, residents, at, self.condition)

    async def draft(self, kind: DraftKind, words: str) -> dict[str, Any]:
        """Return the patch of a law, or of the law by which a resident moves in, drafted from words.
        Raises BadInput if the model sees nothing of that kind in them.
        """
        async with self._begin() as interviewer:
            drafted = await (draft_law if kind == "law" else draft_settler)(interviewer, words)
            patch: dict[str, Any] = orjson.loads(drafted.proposal.patch)
            return patch

    @asynccontextmanager
    async def _begin(self) -> AsyncIterator[Interviewer]:
        settings = Settings()
        with RunFile.open(self.results, self.name) as run:
            world = world_of_interview(run, self.worlds)
            model = await same_model(run.manifest, settings, self.llm)
            yield Interviewer.on(run, world, model, settings)
