"""What residents feel: the row of the state that holds it, and the effect that sets it. What it
means is in `modules/hometown/society/mood.py`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal, get_args

from hometown.frozen import frozen

Stir = Literal[
    "good_talk", "made_up", "refused", "quarrelled", "apart", "agreed", "kept", "waited", "stood_up", "together",
    "alarm", "festive", "spoilt", "mended", "seen_mended", "learnt", "given", "starving", "chilled",
    "helped", "traded", "cheated", "turned_away", "taught", "cared", "saw_kindness", "paid", "unpaid", "thwarted", "rescued", "saw_rescue",
    "failed", "succeeded",
]  # fmt: skip
STIRS: tuple[Stir, ...] = get_args(Stir)
"""What stirs feelings: a talk that was good, made up for something, or in which one was refused or
quarrelled; days without a word; something agreed on; an agreement that was kept, in which one
waited in vain, or to which one did not come; a gathering; a happening that frightens or pleases;
something of one's own that cannot be used, that one has mended or sees mended; something learnt; a
gift; a need at 0; a chill caught at work; a great service done in a talk; an honest trade, having
paid far too much, or being turned away with what one asked for; being taught, or cared for, and
seeing somebody do so to another; wages that are paid, and those that are not; what could not be
done; what is difficult having come to nothing, or succeeded; being saved when one was helpless, and
seeing somebody do so to another.
"""

Tone = Literal["bright", "low", "cold", "warm", "tense"]

Pad = tuple[int, int, int]
"""Pleasure, arousal and dominance, each from -100 to 100 (Mehrabian's PAD)."""


@frozen
class Feeling:
    """One feeling: of which kind, towards whom ("" for nobody), stirred by what, and how strong it
    was at `since`, 1 to 1000.

    `memory` is the number of the memory that tells of its cause, 0 for none.
    """

    kind: str
    towards: str
    stir: Stir
    memory: int
    strength: int
    since: datetime


@frozen
class Feel:
    """`feel/<resident>`: its mood at `since`, in sixtieths of a point, and its feelings, the latest
    first.
    """

    mood: Pad
    since: datetime
    feelings: tuple[Feeling, ...] = ()


@frozen
class Felt:
    """Something has stirred somebody: this is what it feels from now on."""

    who: str
    feel: Feel
