"""Disagreements: contradicting, giving way, falling out, and making up again."""

from __future__ import annotations

from datetime import datetime, timedelta

from hometown.language import Lang
from hometown.prompt.dialogue import ConversationSummaryVars
from hometown.prompt.reactions import Neighbour
from hometown.scripted.clauses import mentions
from hometown.scripted.phrases import Move, bank
from hometown.scripted.scene import Scene, SpokenMove
from hometown.world.persona import MIDDLING_CANDOUR

DIFFERS = {True: 0.4, False: 0.2}
"""Probability of contradicting the plans, wishes and opinions of others, if something has come
between the two before, and if not.
"""

ARGUABLE = ("plan", "opinion")
"""Kinds of news that can be contradicted, if it names one of the bank's arguable matters."""

GIVES_WAY, CLOSE_GIVES_WAY = 0.45, 0.7
"""Probabilities of giving way in a disagreement, to others and to close ones."""

BY_TONE = {"cold": 0.4, "warm": 1.3}
"""Factor of the probability of giving way, proposing or agreeing to meet, by the speaker's tone
towards the other: "cold" from anger, "warm" from gratitude.
"""

CLOSE = 6

QUARREL = ("disagree", "insist", "air", "air_no", "fall_out")

WORDS = (*QUARREL, "air_yes", "yield")
"""Acts of the two who argue."""

AIRS = 0.8
"""Probability of speaking of what divides the two, for a resident of middling candour."""

AIRED_DAYS = 2
"""Days after which the matter that divides the two may come up again."""


def may_differ(scene: Scene, clause: str, kind: str) -> bool:
    """Return True if the speaker contradicts the latest news of third persons, by chance; never
    twice in a talk, nor in a group.
    """
    return (
        kind in ARGUABLE
        and mentions(clause, scene.bank.words["arguable"])
        and not scene.v.several
        and not scene.has_occurred(*QUARREL)
        and scene.chance(_by_candour(scene, DIFFERS[bool(scene.other.rift)]))
    )


def may_air(scene: Scene) -> bool:
    """Return True if something divides the two that has not come up lately, and that the speaker
    brings up, by chance; never in a group, or while a quarrel is to be made up.
    """
    matter = scene.other.at_odds
    return (
        bool(matter)
        and not scene.v.several
        and not scene.v.last_round
        and not scene.other.rift
        and not scene.has_occurred("make_up", *QUARREL)
        and not any(matter in chat.text for chat in scene.chats if _is_recent(scene, chat.created))
        and scene.chance(_by_candour(scene, AIRS))
    )


def _is_recent(scene: Scene, moment: datetime) -> bool:
    """Return True if a moment is within the last `AIRED_DAYS` days."""
    return scene.v.situation.now - moment < timedelta(days=AIRED_DAYS)


def air(scene: Scene) -> bool:
    """Raise the matter that divides the two; return True if it was said."""
    return scene.say("air", {"matter": scene.other.at_odds})


def to_grievance(scene: Scene, spoken: SpokenMove) -> bool:
    """Give the other their due in the matter that divides the two, or deny it; return True if the
    speaker denies it, which the other has to answer.
    """
    gives_way = scene.v.last_round or _gives_way(scene)
    return scene.say("air_yes" if gives_way else "air_no") and not gives_way


def _by_candour(scene: Scene, share: float) -> float:
    """Return the probability `share` of contradicting, adjusted for the speaker's candour."""
    return share * scene.me.candour / MIDDLING_CANDOUR


def to_disagreement(scene: Scene, spoken: SpokenMove) -> bool:
    """Give way or insist; return True if the speaker insists, which the other has to answer."""
    gives_way = scene.v.last_round or _gives_way(scene)
    return scene.say("yield" if gives_way else "insist") and not gives_way


def to_insistence(scene: Scene, spoken: SpokenMove) -> bool:
    """Give way in the end, or fall out with the other; return False, since the other need not
    answer. To give way in a grievance is to let it rest.
    """
    if _gives_way(scene):
        scene.say("yield", tags=["grievance"] if spoken.act == "air_no" else [])
    else:
        scene.say("fall_out")
    return False


def by_tone(scene: Scene, share: float) -> float:
    """Return the probability `share` of a favour, adjusted for the speaker's feelings towards the
    other.
    """
    return share * BY_TONE.get(scene.v.situation.tone or "", 1.0)


def _gives_way(scene: Scene) -> bool:
    """Return True if the speaker gives way, by chance: closeness, tone and candour change the
    probability.
    """
    share = CLOSE_GIVES_WAY if scene.other.closeness >= CLOSE else GIVES_WAY
    reserve = 2 - scene.me.candour / MIDDLING_CANDOUR
    return scene.chance(by_tone(scene, share * reserve))


def make_up(scene: Scene) -> bool:
    """Apologise if the two have quarrelled, in a talk of two, once; return True if it was said."""
    return (
        scene.other.rift == "quarrel"
        and not scene.v.several
        and not scene.has_occurred("make_up", *QUARREL)
        and scene.say("make_up")
    )


def tones(v: ConversationSummaryVars, lang: Lang) -> list[int]:
    """Return the tone of the conversation between the speaker and each of the others, read from its
    lines; nothing for the smallest models' prompts.
    """
    moves = [(line.speaker, move) for line in v.lines for move in bank(lang).recognise(line.text)]
    return (
        []
        if v.situation.plain
        else [_tone(v.situation.me.id, one.other, moves) for one in v.others]
    )


def _tone(me: str, other: Neighbour, moves: list[tuple[str, Move]]) -> int:
    """Return -2 after falling out, -1 if the other has refused the resident's proposal, 0 after an
    argument that one of them gave up, or without an apology after a quarrel, else 1. An argument is
    between those who had words in it.
    """
    between = [(speaker, move) for speaker, move in moves if speaker in (me, other.id)]
    if {me, other.id} - {speaker for speaker, move in moves if move.act in WORDS}:
        between = [(speaker, move) for speaker, move in between if move.act not in QUARREL]
    if any(move.act == "fall_out" for _, move in between):
        return -2
    proposed = any(speaker == me and move.act == "propose" for speaker, move in between)
    refused = any(speaker == other.id and move.act == "decline" for speaker, move in between)
    if proposed and refused:
        return -1
    said = {move.act for _, move in between}
    is_strained = other.rift == "quarrel" and "make_up_back" not in said
    return 0 if is_strained or not said.isdisjoint(QUARREL) else 1
