"""Rules for the decision about residents whom one has in mind."""

from __future__ import annotations

from random import Random

from hometown.language import Lang
from hometown.prompt.approach_prompt import (
    WRITTEN,
    ApproachReply,
    ApproachVars,
    Choice,
    ReasonKind,
)
from hometown.prompt.reactions import CONTINUE
from hometown.scripted.wish_talk import is_private
from hometown.scripted.words import TOPIC_LENGTH, bare, clip, read_bank

SEES_TO: dict[str, float] = {
    "task": 0.85,
    "agreement": 0.9,
    "memory": 0.7,
    "unsaid": 0.7,
    "plan": 0.45,
    "wish": 0.95,
    "near": 0.0,
}
"""Probability of seeing to it now, by where the other is named."""

FAR_MINUTES = 15
"""Minutes on foot from which a resident prefers to wait or to go on."""

WEIGHTS: dict[Choice, float] = {
    "talk": 1.0,
    "hand": 3.0,
    "ask": 0.4,
    "join": 0.15,
    "go": 1.0,
    "wait": 1.0,
    "note": 1.5,
}
"""Weights of the possible acts."""

OF_ACTIVITIES: tuple[ReasonKind, ...] = ("task", "plan", "agreement")
"""Reasons that name the other in an activity, whose words no note would hold."""

WAITS_UNTIL_ALONE = 0.1
"""Weight of waiting until another who is free has no company."""


WAITS_IN_PRIVATE = 9.0
"""Weight of it for what no one else is to hear."""


def answer_approach(v: ApproachVars, rng: Random, lang: Lang) -> ApproachReply:
    """Return a random one of the choices for the first of the residents in mind to whom the
    resident attends, each by chance and less often if far away; to go on if they attend to none.
    """
    for number, one in enumerate(v.people, 1):
        if rng.random() < SEES_TO[one.kind] * (0.5 if one.minutes > FAR_MINUTES else 1):
            alone = WAITS_IN_PRIVATE if is_private(one.text, lang) else WAITS_UNTIL_ALONE
            weights = [
                alone if choice == "wait" and one.state == "free" else WEIGHTS[choice]
                for choice in one.choices
            ]
            (choice,) = rng.choices(one.choices, weights)
            topic = clip(bare(one.text), TOPIC_LENGTH[lang], lang)
            if choice == "note" and one.kind in OF_ACTIVITIES:
                topic = rng.choice(read_bank(lang, "noticing")["notes"])
            return ApproachReply(decision=f"{WRITTEN[choice]}{number}", topic=topic)
    return ApproachReply(decision=CONTINUE)
