"""Whether somebody in sight is worth a thought: by bond, by novelty, by the mood of the moment and,
in a town with a society, by regard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from math import fsum

from hometown.agent.mind import Mind
from hometown.agent.planning.participation import gathering_of, has_met_there
from hometown.clock import minutes_between
from hometown.prompt.noticing import Neighbour
from hometown.rng import stream
from hometown.society.esteem import regard_for

BASE_URGE, URGE_PER_CLOSENESS, NEWS_URGE = 0.2275, 0.094, 0.35
"""How much each adds to the urge to talk, on a scale from 0 to 1: that somebody is there, every
point of closeness, and something to tell.
"""

GUEST_PROBABILITY = 0.5
"""Probability to talk to another guest of the same gathering to whom one has not talked there yet.
"""

HOST_PERIOD = timedelta(minutes=20)
"""How long guests leave the word to whoever gives the gathering, whom they stand around."""

INTENDED_JOIN_PROBABILITY, JOINING_SHARE = 0.6, 0.05
"""Probability to come up to those who talk already if one meant to talk to one of them; else the
share of the urge to talk to each of them.
"""

MAX_URGE_WITHOUT_REGARD = BASE_URGE + 10 * URGE_PER_CLOSENESS
MAX_URGE = 1.5 * MAX_URGE_WITHOUT_REGARD
"""The most that the urge to talk to anybody can be in an even mood, and with the best of opinions.
"""

MAX_REGARD = 50
"""Points of regard from which on it makes nobody more or less talkative."""

NEWS_POIGNANCY_MIN = 5
"""Poignancy from which on a memory is worth telling."""

LOOKBACK_MEMORIES = 40
"""Latest memories among which something to tell is looked for."""

NO_URGE_MINUTES, FULL_URGE_MINUTES = 45, 405
"""Minutes after a conversation until which there is no urge for the next one with the same person,
and from which on it is as strong as ever.
"""


def feels_like_talking(mind: Mind, other: Neighbour) -> bool:
    """Whether the resident feels like talking to somebody now: the stronger the urge, the likelier;
    never in a bathroom. Guests of a gathering do once.

    Of two who see each other, one is asked in a step, so that they don't both decide on the same
    conversation.
    """
    if "bathroom" in mind.world.arenas[mind.arena].tags or not _looks_up_first(mind, other.id):
        return False
    if (gathering := gathering_of(mind)) and other.id in gathering.came:
        chance = GUEST_PROBABILITY * (
            mind.now >= gathering.start + HOST_PERIOD and not has_met_there(other, gathering)
        )
    else:
        urge = (
            BASE_URGE
            + URGE_PER_CLOSENESS * other.closeness
            + NEWS_URGE * _has_news_for(mind, other)
        )
        chance = (
            urge
            * novelty(other, mind.now)
            * mind.emotions.talkativeness
            * liking_factor(mind, other.id)
        )
    return mind.rng(f"mood {other.id}").random() < chance


def feels_like_joining(
    mind: Mind, talking: Sequence[str], known: Callable[[str], Neighbour], meant: bool
) -> bool:
    """Whether the resident comes up to those who talk near it: the closer it is to each of them,
    and the longer ago they last talked, the likelier.
    """
    if "bathroom" in mind.world.arenas[mind.arena].tags:
        return False
    drawn = mind.rng(f"join {talking[0]}").random()
    most = MAX_URGE if mind.world.book else MAX_URGE_WITHOUT_REGARD
    if drawn >= (
        INTENDED_JOIN_PROBABILITY
        if meant
        else JOINING_SHARE * len(talking) * most * mind.emotions.talkativeness
    ):
        return False  # as most do, whoever it is that talks
    urge = fsum(
        (BASE_URGE + URGE_PER_CLOSENESS * other.closeness)
        * novelty(other, mind.now)
        * liking_factor(mind, other.id)
        for other in map(known, talking)
    )
    return drawn < (
        INTENDED_JOIN_PROBABILITY if meant else JOINING_SHARE * urge * mind.emotions.talkativeness
    )


def _looks_up_first(mind: Mind, other: str) -> bool:
    one, another = sorted((mind.who, other))
    return mind.who == stream(mind.context.seed, "turn", mind.moment.step, one, another).choice(
        (one, another)
    )


def _has_news_for(mind: Mind, other: Neighbour) -> bool:
    """Something that matters, does not concern the other, and has come up since the two last
    talked.
    """
    since = other.last_conversation
    recent = mind.state.memory(mind.who).recent(("event", "thought"), LOOKBACK_MEMORIES)
    return any(
        memory.poignancy >= NEWS_POIGNANCY_MIN
        and other.id not in memory.about
        and (since is None or memory.created >= since)
        for memory in recent
    )


def liking_factor(mind: Mind, other: str) -> float:
    """By how much likelier than anybody else another is to be talked to for what the resident
    thinks of it, 0.5 to 1.5; 1 where there is no society.
    """
    return (
        1 + max(-MAX_REGARD, min(MAX_REGARD, regard_for(mind.state, mind.who, other))) / 100
        if mind.world.book
        else 1.0
    )


def novelty(other: Neighbour, now: datetime) -> float:
    """1 for somebody who has not been spoken to for long, 0 right after a conversation."""
    if other.last_conversation is None:
        return 1.0
    minutes = minutes_between(other.last_conversation, now)
    return min(1.0, max(0.0, (minutes - NO_URGE_MINUTES) / (FULL_URGE_MINUTES - NO_URGE_MINUTES)))
