"""Answers and verdicts as JSON, the same for the command line and the page; `docs/science.md`
describes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hometown.memory.concept import Concept
from hometown.model.routing import public_name
from hometown.shares import Share
from hometown.study.closed_items import choice_columns
from hometown.study.economic_games import GameOutcome
from hometown.study.interview import InterviewAnswer
from hometown.study.tally import Judged, count_invented, fallbacks, verdicts


def answer_json(answer: InterviewAnswer, name: str) -> dict[str, Any]:
    """Return an answer of the resident called `name` as JSON, with the memories cited and
    retrieved; times are ISO 8601, game time, and scores have five decimals.
    """
    return {
        "who": answer.who,
        "name": name,
        "step": answer.step,
        "time": answer.now.isoformat(),
        "digest": answer.digest,
        "model": public_name(answer.model),
        "question": answer.question,
        "answer": answer.text,
        "knows": answer.knows,
        "outcome": answer.outcome,
        "cited": [_memory(memory) for memory in answer.cited],
        "retrieved": [
            {
                "id": scored.concept.id,
                "score": scored.score,
                "recency": round(scored.recency, 5),
                "importance": round(scored.importance, 5),
                "relevance": round(scored.relevance, 5),
            }
            for scored in answer.retrieved
        ],
    }


def judged_json(judged: Judged, name: str) -> dict[str, Any]:
    """Return an answer to a question of a questionnaire as JSON, with its verdict."""
    question, judgement = judged.question, judged.judgement
    verdict = {
        "verdict": judgement.verdict,
        "support": list(judgement.support),
        "objections": list(judgement.objections),
    }
    return (
        {
            "id": question.id,
            "category": question.category,
            "truth": question.truth,
            "about": question.about,
        }
        | (choice_columns(question, judged.answer) if question.choices.options else {})
        | answer_json(judged.answer, name)
        | verdict
    )


def outcome_json(outcome: GameOutcome, name_of: Callable[[str], str]) -> dict[str, Any]:
    """Return the outcome of a resident's role in a game as JSON; amounts and payoffs are in coins,
    null where a decision is missing.
    """
    return {
        "who": outcome.who,
        "name": name_of(outcome.who),
        "role": outcome.role,
        "partner": outcome.partner,
        "stake": outcome.stake,
        "amount": outcome.amount,
        "payoff": outcome.payoff,
    }


def totals_json(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the counts of verdicts, and the shares of invented answers and of fallbacks."""
    return {
        "verdicts": dict(verdicts(judged)),
        "invented": _share(count_invented(judged)),
        "fallbacks": _share(fallbacks(judged)),
    }


def _memory(memory: Concept) -> dict[str, Any]:
    """Return a memory as JSON."""
    return {
        "id": memory.id,
        "type": memory.type,
        "text": memory.text,
        "time": memory.created.isoformat(),
        "poignancy": memory.poignancy,
    }


def _share(share: Share) -> dict[str, int]:
    """Return a share as JSON: its count and its total."""
    return {"count": share.count, "of": share.total}
