"""Questions of the step before: answered on each resident's shard, settled in the process of the
run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, cast

from hometown.agent.deferred import Answer, DeferredQuestions
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext

Review = list[Answer | None]
"""A resident's answers to the questions of the step before."""


class ShardAfterthoughts(DeferredQuestions):
    """Questions for the residents of a shard."""

    def __init__(
        self, people: Iterable[str], context: StepContext, mind_of: Callable[[str], Mind]
    ) -> None:
        super().__init__(people, context, mind_of, lambda mind, arisen: None, lambda: None)

    async def review(self) -> list[tuple[str, Review]]:
        """Return the answers of each resident. They come without the situation in which they were
        given: that is large, and nothing that they leave depends on it.
        """
        await self.live()
        nowhere = cast(Any, None)
        return [
            (
                who,
                [
                    each and (each[0], each[1], replace(each[2], situation=nowhere))
                    for each in answers
                ],
            )
            for who, answers in self._answers.items()
        ]


class AnsweredAfterthoughts(DeferredQuestions):
    """Questions that were answered on shards, by minds that have their effects already."""

    def __init__(self, reviews: Iterable[tuple[Mind, Review]]) -> None:
        """Take minds with their answers; the questions are those of the town before the step."""
        answered = {mind.who: (mind, answers) for mind, answers in reviews}
        self.minds = {who: mind for who, (mind, _) in answered.items()}
        self._answers = {who: answers for who, (_, answers) in answered.items()}
        self._questions = {
            who: mind.context.snapshot.questions(who) for who, mind in self.minds.items()
        }
