"""Days of towns whose model fills every schema with random valid JSON: each reply is used, and the
laws of the town hold.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hometown.model.llm import LanguageModel
from hometown.world.world import World
from tests.support.laws import laws
from tests.support.town import live, opened

EAGER = {
    "chat": {"cooldown_minutes": 10},
    "think": {"poignancy_max": 30},
    "thrift": {"reacts_with_reason": False},
}
"""Settings with which residents talk and reflect often."""


def lived(
    folder: Path, world: World, model: LanguageModel, *, steps: int, stride: int, seed: int = 1
) -> Counter[str]:
    """The number of calls of each kind. Raises AssertionError where a reply was not used as it
    came, or a law is broken.
    """
    live(
        folder,
        steps,
        world=world,
        stride=stride,
        seed=seed,
        model=model,
        settings=EAGER,
        after_each=laws,
    )
    with opened(folder) as run:
        calls = list(run.calls(1, steps))
    refused = [
        f"{call.ref}: {attempt.error} in {attempt.text[:300]}"
        for call in calls
        for attempt in call.attempts
        if attempt.error
    ]
    assert not refused, "\n".join(refused)
    return Counter(call.kind for call in calls)
