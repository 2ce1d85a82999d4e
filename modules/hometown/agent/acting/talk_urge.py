"""The urge to talk to residents in sight. It depends on bond, novelty, news, mood and, in a
society, regard.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from hometown.agent.mind import Mind
from hometown.agent.mind.esteem import regard_for
from hometown.agent.planning.at_occasions import gathering_of, has_met_there
from hometown.clock import minutes_between
from hometown.prompt.reactions import Neighbour
from hometown.rng import stream

BASE_URGE, URGE_PER_CLOSENESS, NEWS_URGE = 0.2275, 0.094, 0.35
"""Parts of the urge to talk, from 0 to 1: for any resident, for each point of closeness, for news.
"""

GUEST_PROBABILITY = 0.5
"""Probability of talking to another guest of the same gathering, once."""

HOST_PERIOD = timedelta(minutes=20)
"""Time from the beginning of a gathering in which guests leave the talking to its host."""

WORK_FACTOR = 0.25
"""Factor of the urge to talk during work, which a conversation pauses."""

MAX_REGARD = 50
"""Points of regard beyond which the urge does not change any more."""

NEWS_POIGNANCY_MIN = 5
"""Poignancy from which a memory is worth telling."""

LOOKBACK_MEMORIES = 40
"""Number of latest memories among which news is looked for."""

NO_URGE_MINUTES, FULL_URGE_MINUTES = 45, 405
"""Minutes after a conversation without any urge to talk to the same resident, and minutes until the
urge is at its full strength again.
"""


def feels_like_talking(mind: Mind, other: Neighbour) -> bool:
    """Return True if the resident feels like talking to another, drawn by the urge to do so.

    It never happens in a bathroom. Guests of one gathering talk with `GUEST_PROBABILITY`, once, and
    not in its first `HOST_PERIOD`. Of two residents who see each other, only one is considered in a
    step, so that they do not both decide on the same conversation.
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
            * novelty_factor(other, mind.now)
            * mind.emotions.talkativeness
            * liking_factor(mind, other.id)
            * (WORK_FACTOR if mind.state.job(mind.who) else 1)
        )
    return mind.rng(f"mood {other.id}").random() < chance


def _looks_up_first(mind: Mind, other: str) -> bool:
    """Return True for one of two residents, drawn by their ids and the step."""
    one, another = sorted((mind.who, other))
    return mind.who == stream(mind.context.seed, "turn", mind.moment.step, one, another).choice(
        (one, another)
    )


def _has_news_for(mind: Mind, other: Neighbour) -> bool:
    """Return True if the resident has an important memory, not about the other, since they last
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
    """Return the factor, 0.5 to 1.5, by which regard changes the urge to talk; 1 without a society."""
    return (
        1 + max(-MAX_REGARD, min(MAX_REGARD, regard_for(mind.state, mind.who, other))) / 100
        if mind.world.book
        else 1.0
    )


def novelty_factor(other: Neighbour, now: datetime) -> float:
    """Return the factor, 0 to 1, by which the time since the last conversation limits the urge to
    talk.
    """
    if other.last_conversation is None:
        return 1.0
    minutes = minutes_between(other.last_conversation, now)
    return min(1.0, max(0.0, (minutes - NO_URGE_MINUTES) / (FULL_URGE_MINUTES - NO_URGE_MINUTES)))
