"""Prompts for events in sight: their poignancy, and the reaction to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal, TypeVar

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import (
    LEFT_OUT,
    MAY_BE_LEFT_OUT,
    Keywords,
    between,
    exactly,
    one_of,
    text,
)
from hometown.prompt.line import OneLine
from hometown.prompt.mending import in_words, is_passage
from hometown.prompt.prompt import Prompt, Reply, Rule, Situation, Variables
from hometown.world.bond import Why

UNRATED = 3
"""Poignancy of events for which no usable reply is available."""

# poignancy ---------------------------------------------------------------------------------


@frozen
class RatedEvent:
    """An event whose poignancy is to be rated. `kind` is the type of the memory that it will become,
    `about` the ids of the residents in it, and `is_own` marks an act of the resident's own.
    """

    text: str
    kind: Literal["event", "thought", "chat", "plan"]
    about: tuple[str, ...] = ()
    is_own: bool = False


@frozen
class PoignancyVars(Variables):
    """Variables for rating happenings on the world's scale: `rubric` lists (poignancy, example),
    ascending.
    """

    happenings: tuple[RatedEvent, ...]
    rubric: tuple[tuple[int, str], ...]


class PoignancyReply(Reply):
    """A rating of each happening, in order."""

    ratings: list[int] = Field(
        min_length=1, description="One number from 1 to 10 for each, in order."
    )


def _narrow_ratings(v: PoignancyVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: a number from 1 to 10 for each happening."""
    return {"ratings": exactly(len(v.happenings)), "ratings[]": between(1, 10)}


POIGNANCY = Prompt(
    "poignancy",
    PoignancyVars,
    PoignancyReply,
    fallback=lambda v: PoignancyReply(ratings=[UNRATED] * len(v.happenings)),
    narrow=_narrow_ratings,
    persona="life",
    max_tokens=400,
    temperature=0.1,
)


# react -------------------------------------------------------------------------------------


@frozen
class Neighbour:
    """A resident in sight who can be spoken to. `relation` is theirs to the one asked, as the author
    wrote it about that one; "" for strangers.

    `closeness` is 0 for strangers to 10, and `drift` the points by which it has moved in this run.
    `at_odds` is what divides the two by their circumstances, and `rift` what has come between them;
    each "" for nothing.
    `conversations` is the number of earlier conversations in this run, and `impression` that which
    the one asked has of them, "" for none. A latecomer has come to the town during the run.
    """

    id: str
    name: str
    occupation: str
    doing: str
    relation: str
    closeness: int
    conversations: int
    last_conversation: datetime | None
    drift: int = 0
    at_odds: str = ""
    rift: Why | Literal[""] = ""
    impression: str = ""
    is_latecomer: bool = False


@frozen
class ReactVars(Variables):
    """Variables for the reaction to residents and things in sight.

    `waiting_for` names a thing that the resident came to use and that is in use by others, "" if
    none; `free_in` is the estimated number of minutes until it is free. `memories` were retrieved
    for the neighbours. `plan` are the coming entries as (minute of the day, activity). `inclined`
    means that the neighbours are only those to whom the resident feels like talking, and `near`
    others in earshot, who come last.
    """

    neighbours: tuple[Neighbour, ...]
    waiting_for: str
    free_in: int
    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    inclined: bool = False
    near: int = 0


CONTINUE, WAIT, SPEAK = "continue", "wait", "talk to "
"""The decisions; the last one is followed by the number of a neighbour."""

TOPIC = 160
"""Maximum length of a topic, in English characters."""


class DecisionReply(Reply):
    """The decision taken, as the text of one of the options offered, and the topic of the
    conversation that it begins, if it begins one.
    """

    decision: str
    topic: Annotated[str, OneLine(TOPIC, 0)] = Field(
        "", description="What to talk about, a few words."
    )


V = TypeVar("V", bound=Variables)
D = TypeVar("D", bound=DecisionReply)


def find_position(decision: str, option: str) -> int | None:
    """Return the position, from 0, whose number, from 1, follows an option in a decision; None if
    another option was taken.
    """
    return int(decision.removeprefix(option)) - 1 if decision.startswith(option) else None


class ReactReply(DecisionReply):
    """`decision` is CONTINUE, WAIT, or SPEAK and the number of a neighbour, from 1."""

    @property
    def partner(self) -> int | None:
        """The position, from 0, of the neighbour to talk to; None for nobody."""
        return find_position(self.decision, SPEAK)


def _narrow_reaction(v: ReactVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: to continue, to wait if there is something to wait for, or to
    speak to one of the neighbours.
    """
    decisions = [
        CONTINUE,
        *([WAIT] if v.waiting_for else []),
        *(f"{SPEAK}{number}" for number in range(1, len(v.neighbours) + 1)),
    ]
    return narrow_decision(v.situation, decisions)


def narrow_decision(situation: Situation, decisions: Sequence[str]) -> Mapping[str, Keywords]:
    """Return the bounds of a reply that chooses among decisions; the smallest models name no topic."""
    return {
        "decision": one_of(decisions),
        "topic": LEFT_OUT
        if situation.plain
        else MAY_BE_LEFT_OUT | text(situation.lang, TOPIC, shortest=0),
    }


def drop_wordless_topic(_: V, reply: D) -> D:
    """Return a reply without a topic that holds no words."""
    return reply.model_copy(update={"topic": in_words(reply.topic)})


def drop_recited_topic(neighbours: Iterable[Neighbour], reply: D) -> D:
    """Return a reply without a topic that recites the relation to a neighbour."""
    is_recited = any(one.relation in reply.topic and is_passage(one.relation) for one in neighbours)
    return reply.model_copy(update={"topic": ""}) if is_recited else reply


REACT = Prompt(
    "react",
    ReactVars,
    ReactReply,
    fallback=lambda v: ReactReply(decision=CONTINUE),
    narrow=_narrow_reaction,
    mend=(
        Rule("emptied", drop_wordless_topic),
        Rule("recited", lambda v, reply: drop_recited_topic(v.neighbours, reply)),
    ),
    persona="life",
    max_tokens=110,
    temperature=0.6,
)
