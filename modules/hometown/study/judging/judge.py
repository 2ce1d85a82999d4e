"""A language model as a judge: it reads a resident's data, ranks answers without knowing their
origin, and gives verdicts on single ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from hometown.agent.mind import concepts
from hometown.prompt.verdicts import CHECK_ANSWER, MOST_ANSWERS, RANK_ANSWERS, CheckVars, RankVars
from hometown.study.grounding import Verdict
from hometown.study.interview import Interviewer, rest_of_day
from hometown.study.judging.readings import Reading, Sheet, orders

MEMORY_COUNT = 30
"""Number of the resident's memories that a judge reads, those most relevant to the question."""


async def read_sheet(interviewer: Interviewer, sheet: Sheet, at: int, number: int) -> list[Reading]:
    """Return the readings of a sheet in all its orders, by the interviewer's model, at the step at
    which the answers were given.

    `number` is that of the sheet with this resident at this step, from 0, by which its calls get
    seeds of their own.

    Raises:
        ModelUnavailable: The model does not answer.
    """
    return [
        await _read(interviewer, sheet, shown, at, number * MOST_ANSWERS + turn)
        for turn, shown in enumerate(orders(sheet))
    ]


async def verify_answer(
    interviewer: Interviewer, who: str, question: str, answer: str, at: int, number: int
) -> tuple[Verdict, str]:
    """Return the judge's verdict on an answer that was given after step `at`, and its reason.
    `number` is as in `read_sheet`.

    Raises:
        ModelUnavailable: The model does not answer.
    """
    mind = interviewer.mind(who, at, Counter({CHECK_ANSWER.kind: number}))
    found = await mind.recall([question], count=MEMORY_COUNT)
    reply, _ = await mind.ask(
        CHECK_ANSWER,
        CheckVars(mind.situation, concepts(found), rest_of_day(mind), question, answer),
        found,
    )
    (call,) = mind.calls
    return ("unanswered" if call.outcome == "fallback" else reply.verdict), reply.reason


async def _read(
    interviewer: Interviewer, sheet: Sheet, shown: Sequence[str], at: int, ordinal: int
) -> Reading:
    mind = interviewer.mind(sheet.who, at, Counter({RANK_ANSWERS.kind: ordinal}))
    found = await mind.recall([sheet.text], count=MEMORY_COUNT)
    answers = tuple(sheet.answers[name] for name in shown)
    reply, _ = await mind.ask(
        RANK_ANSWERS,
        RankVars(mind.situation, concepts(found), rest_of_day(mind), sheet.text, answers),
        found,
    )
    places = tuple(reply.order.index(position) + 1 for position in range(1, len(shown) + 1))
    (call,) = mind.calls
    return Reading(
        sheet.seed,
        sheet.who,
        sheet.question,
        tuple(shown),
        places,
        tuple(map(len, answers)),
        call.outcome,
    )
