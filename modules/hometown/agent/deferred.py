"""Deferred questions: answers that no resident waits for.

Summaries of conversations, reflections and clashes between agreements arise as questions in one
step (`modules/hometown/world/pending.py`), are answered in the next step beside all other thinking,
and enter the mind at its end. A question holds everything that its answer depends on, so it can be
asked as soon as it has arisen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from hometown.agent.agent import sleeps_on
from hometown.agent.conversation.aftermath import enter_outcomes, find_summing_up
from hometown.agent.conversation.commitments import SideSummary
from hometown.agent.inner_life.reflect import (
    ask_for_insights,
    begin_reflection,
    extract_thoughts,
    store_thoughts,
)
from hometown.agent.mind import Mind
from hometown.agent.mind.context import StepContext
from hometown.agent.mind.due import find_date, names_day
from hometown.agent.mind.reflection_due import is_reflection_due
from hometown.agent.perception.happening_events import is_alarmed
from hometown.agent.planning.day_reasons import give_reason
from hometown.agent.planning.plan_clashes import Decision, settle_clashes
from hometown.agent.planning.plan_settling import settle_memories
from hometown.agent.planning.reconsider import WEIGHTY_INSIGHT_MIN, WEIGHTY_INTENTION_MIN
from hometown.language import Lang
from hometown.memory.concept import INTENTION_PREDICATE, Concept
from hometown.prompt.clashes import CLASH
from hometown.prompt.reflections import FOCUS, InsightsReply
from hometown.together import run_concurrently
from hometown.world.conversation import Conversation
from hometown.world.pending import Question, QuestionsAnswered


def is_reason(thought: Concept, lang: Lang) -> bool:
    """Return True if a thought is dated for the day on which it was formed or, without a date, is
    weighty: an insight or an intention, each from a poignancy of its own. One for a day left open,
    such as "next week", is none.
    """
    is_intention = thought.predicate == INTENTION_PREDICATE
    due = find_date(thought.text, thought.created, lang, is_intention)
    if due is not None:
        return due.day == thought.created.date()
    if names_day(thought.text, thought.created, lang):  # one that no calendar tells
        return False
    least = WEIGHTY_INTENTION_MIN if is_intention else WEIGHTY_INSIGHT_MIN
    return thought.poignancy >= least


Answer = tuple[Any, str, Any]
"""A reply, the reference of its call, and the variables that were asked."""

OnQuestions = Callable[[Mind, Sequence[Question]], None]
"""Callback for questions that the next step will ask: the mind, and the questions."""


def ignore(*_: object) -> None:
    """Do nothing, as a callback where nothing waits for one."""


class DeferredQuestions:
    """The deferred questions of all residents in one step. Residents who are due for a reflection,
    awake and not alarmed begin it.

    Args:
        people: residents to take into account, in the step's order.
        context: the step, with the state at its beginning.
        mind_of: returns a new mind for a resident. These minds are used for nothing else.
        when_arisen: called with questions that arise for the next step.
        when_known: called when all deferred questions of a resident have been answered.
    """

    def __init__(
        self,
        people: Iterable[str],
        context: StepContext,
        mind_of: Callable[[str], Mind],
        when_arisen: OnQuestions = ignore,
        when_known: Callable[[], None] = ignore,
    ) -> None:
        state, self._world = context.snapshot, context.world
        due = {
            who
            for who in people
            if is_reflection_due(who, state, context.settings) and not self._world.is_visitor(who)
        }
        self.minds = {who: mind_of(who) for who in people if state.questions(who) or who in due}
        self._questions = {who: state.questions(who) for who in self.minds}
        self.answers: dict[str, list[Answer | None]] = {
            who: [None] * len(items) for who, items in self._questions.items()
        }
        """The answers so far, by resident; None for a question that is not answered yet."""
        self._when_arisen, self._when_known = when_arisen, when_known
        self._begun = False
        for who, mind in self.minds.items():
            mind.is_deferred = True
            if who in due and not sleeps_on(mind) and not is_alarmed(mind):
                begin_reflection(mind)
                self._tell_arisen(mind)

    async def live(self) -> None:
        """Answer all questions concurrently. Further calls have no effect."""
        if not self._begun:
            self._begun = True
            await run_concurrently(
                [
                    mind.run_concurrently(*self._answer_functions(who))
                    for who, mind in self.minds.items()
                    if self._questions[who]
                ]
            )

    def _answer_functions(self, who: str) -> list[Any]:
        """Return a function for each of a resident's questions, which answers it in a given mind."""
        return [partial(self._answer, number=number) for number in range(len(self._questions[who]))]

    async def _answer(self, mind: Mind, number: int) -> None:
        """Answer one question of a resident; the answer about the focus of a reflection raises the
        questions for insights. Report once all questions of the resident are answered.
        """
        question = self._questions[mind.who][number]
        answer = self.answers[mind.who][number] = await mind.answer(question)
        if question.kind == FOCUS.kind:
            reply, cause, _ = answer
            await ask_for_insights(mind, reply.questions, cause)
            self._tell_arisen(mind)
        if mind.who not in self.busy:
            self._when_known()

    @property
    def busy(self) -> set[str]:
        """Return the residents who have unanswered questions, and all participants of conversations
        that are not yet summed up by all sides.
        """
        unfinished = (
            talk
            for talk in self.talks()
            if len(self.summed(talk)) < len(find_summing_up(self._world, talk))
        )
        return {who for who, answers in self.answers.items() if None in answers}.union(
            *(talk.people for talk in unfinished)
        )

    def _tell_arisen(self, mind: Mind) -> None:
        """Report the questions of a resident that have arisen in this step."""
        self._when_arisen(mind, mind.state.questions(mind.who)[len(self._questions[mind.who]) :])

    # afterwards ---------------------------------------------------------------------------

    async def settle(self, mind_of: Callable[[str], Mind]) -> None:
        """Enter all answers into the minds as they are at the end of the step.

        In a copy of the town that runs ahead, some answers may be missing.
        """
        await self.sum_up(mind_of)
        for who, memory in await settle_clashes(self._decisions(), mind_of):
            give_reason(mind_of(who), memory, "rule:let_down")
        await self.reflect(mind_of)

    async def sum_up(self, mind_of: Callable[[str], Mind]) -> None:
        """Mark all questions as answered, and enter the outcomes of conversations that all sides
        have summed up.
        """
        for who, questions in self._questions.items():
            if questions:
                mind_of(who).do(QuestionsAnswered(who, len(questions)), "rule:thought_over")
        for talk in self.talks():
            sums = self.summed(talk)
            if len(sums) == len(find_summing_up(self._world, talk)):
                await enter_outcomes(talk, sums, {who: mind_of(who) for who in talk.people})

    def _decisions(self) -> list[Decision]:
        """Return the decisions about clashing agreements that are known."""
        return [
            Decision(who, *answer)
            for who, questions in self._questions.items()
            for question, answer in zip(questions, self.answers[who], strict=True)
            if answer and question.kind == CLASH.kind
        ]

    async def reflect(self, mind_of: Callable[[str], Mind]) -> None:
        """Enter the answers to the questions of reflections, which are neither about a conversation
        nor about a clash of agreements: store the thoughts in them, make the weighty ones reasons
        to reconsider the day, and settle the memories that they name as over.
        """
        for who, questions in self._questions.items():
            mind = mind_of(who)
            answers = [
                answer
                for question, answer in zip(questions, self.answers[who], strict=True)
                if answer and not question.talk and question.kind != CLASH.kind
            ]
            stored = await store_thoughts(
                mind,
                [(extract_thoughts(mind, reply, asked), cause) for reply, cause, asked in answers],
            )
            for thought in stored:
                if is_reason(thought, mind.world.lang):
                    give_reason(mind, thought, "rule:reason")
            for reply, cause, asked in answers:
                if isinstance(reply, InsightsReply):
                    over = [asked.memories[number - 1] for number in reply.settled]
                    settle_memories(mind, over, cause)

    def talks(self) -> list[Conversation]:
        """Return the conversations to be summed up, in the order of their ids."""
        talks = {
            question.talk: who
            for who, questions in self._questions.items()
            for question in questions
            if question.talk
        }
        found = (self.minds[who].state.unsummed(talk) for talk, who in sorted(talks.items()))
        return [talk for talk in found if talk]

    def summed(self, talk: Conversation) -> dict[str, SideSummary]:
        """Return the summaries of a conversation that are known so far, by participant."""
        found = (
            (who, self._answer_about(talk.id, who)) for who in talk.people if who in self._questions
        )
        return {who: SideSummary(*answer) for who, answer in found if answer}

    def _answer_about(self, talk: str, who: str) -> Answer | None:
        """Return a resident's answer about a conversation; None if it is not known yet."""
        answers = zip(self._questions[who], self.answers[who], strict=True)
        return next((answer for question, answer in answers if question.talk == talk), None)
