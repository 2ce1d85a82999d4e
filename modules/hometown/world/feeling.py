"""Feelings: the row of the state, and the effect that sets it. `modules/hometown/agent/mind/mood.py`
has the rules.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from hometown.frozen import frozen

Stir = Literal[
    "good_talk",
    "made_up",
    "refused",
    "quarrelled",
    "apart",
    "agreed",
    "kept",
    "waited",
    "stood_up",
    "together",
    "alarm",
    "festive",
    "spoilt",
    "mended",
    "seen_mended",
    "learnt",
    "given",
    "starving",
    "chilled",
    "helped",
    "traded",
    "cheated",
    "turned_away",
    "taught",
    "cared",
    "saw_kindness",
    "paid",
    "unpaid",
    "thwarted",
    "rescued",
    "saw_rescue",
    "failed",
    "succeeded",
]
STIRS: tuple[Stir, ...] = get_args(Stir)
"""The stimuli of feelings: good talks, reconciliations, refusals and quarrels; long silence;
agreements, kept or broken; gatherings; frightening or pleasing happenings; own things unusable,
mended by oneself or others; learning; gifts; a need at 0; chills; rescues and great services,
received, given or seen; fair trades, extortion and rejection; care and teaching, received or seen;
wages paid or withheld; refused errands; and difficult work, successful or not.
"""

Tone = Literal["bright", "low", "cold", "warm", "tense"]

Pad = tuple[int, int, int]
"""Pleasure, arousal and dominance, each from -100 to 100 (Mehrabian's PAD)."""


@frozen
class Feeling:
    """A feeling.

    Attributes:
        kind: The kind.
        towards: The resident it is about; "" for none.
        stir: The stimulus.
        memory: The number of the memory of the cause; 0 for none.
        strength: The strength at `since`, 1 to 1000.
    """

    kind: str
    towards: str
    stir: Stir
    memory: int
    strength: int
    since: datetime


@frozen
class Feel:
    """`feel/<resident>`: the mood at `since` (pleasure, arousal, dominance), in sixtieths of a
    point, and the feelings, the latest first.
    """

    mood: Pad
    since: datetime
    feelings: tuple[Feeling, ...] = ()


@frozen
class Felt:
    """A stimulus has changed a resident's feelings."""

    who: str
    feel: Feel
