"""The cost of a run."""

from __future__ import annotations

from hometown.model.stats import seconds_lived, sum_counts
from hometown.study.measures.registry import Figure, Subject, measure


@measure(
    shares=["fallbacks"],
    counts=["steps", "calls", "prompt_tokens", "reply_tokens"],
    scores=["seconds"],
)
def cost(town: Subject) -> list[Figure]:
    """Return steps, model calls, tokens read and written, the share of calls answered by a fallback
    (0–1), and wall seconds of the steps.
    """
    steps = [step.stats for step in town.run.steps(1, town.last)]
    counts = sum_counts(steps)
    return [
        Figure("steps", town.last),
        Figure("calls", counts.calls),
        Figure("prompt_tokens", counts.prompt_tokens),
        Figure("reply_tokens", counts.reply_tokens),
        Figure("fallbacks", counts.fallback_share),
        Figure("seconds", seconds_lived(steps), timed=True),
    ]
