"""Prompts for what is seen: how much it matters, and whether to react to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, between, exactly, line, one_of, text
from hometown.prompt.mending import in_words
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables

UNRATED = 3
"""Poignancy of what no usable reply rates."""

# poignancy ---------------------------------------------------------------------------------


@frozen
class Happening:
    """Something to rate. `kind` is the type of memory it will become; `about` holds residents' ids."""

    text: str
    kind: Literal["event", "thought", "chat", "plan"]
    about: tuple[str, ...] = ()


@frozen
class PoignancyVars(Variables):
    """Happenings to rate on the world's own scale, `rubric`: (poignancy, what deserves it),
    ascending.
    """

    happenings: tuple[Happening, ...]
    rubric: tuple[tuple[int, str], ...]


class PoignancyReply(Reply):
    ratings: list[int] = Field(
        min_length=1, description="One number from 1 to 10 for each, in order."
    )


def _one_for_each(v: PoignancyVars) -> Mapping[str, Keywords]:
    return {"ratings": exactly(len(v.happenings)), "ratings[]": between(1, 10)}


POIGNANCY = Prompt(
    "poignancy", PoignancyVars, PoignancyReply,
    fallback=lambda v: PoignancyReply(ratings=[UNRATED] * len(v.happenings)), narrow=_one_for_each,
    persona="life", max_tokens=400, temperature=0.1,
)  # fmt: skip


# react -------------------------------------------------------------------------------------


@frozen
class Neighbour:
    """Somebody in sight who could be spoken to. `relation` is what it is to me, "" for a stranger.

    `closeness` is 0 (stranger) to 10. Of this run, `conversations` and `last_conversation` tell of
    earlier conversations, and `drift` by how many points closeness has moved.
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


@frozen
class ReactVars(Variables):
    """`waiting_for` names a thing that somebody else is using and that I came to use, "" if none.

    `free_in` is for how many minutes more it will be in use, as far as one can tell. `memories` are
    those retrieved for the neighbours; `plan` is what comes next, as (minute of the day, activity).
    `inclined`: the neighbours are only those whom I feel like talking to.
    """

    neighbours: tuple[Neighbour, ...]
    waiting_for: str
    free_in: int
    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    inclined: bool = False


CONTINUE, WAIT, SPEAK = "continue", "wait", "talk to "
"""The decisions; the last one with the number of a neighbour."""

TOPIC = 160


class ReactReply(Reply):
    """`decision` is CONTINUE, WAIT, or SPEAK and the number of a neighbour, from 1."""

    decision: str
    topic: str = Field(
        "", pattern=line(TOPIC, shortest=0), description="What to talk about, a few words."
    )

    @property
    def partner(self) -> int | None:
        """The position, from 0, of the neighbour to talk to; None for nobody."""
        return (
            int(self.decision.removeprefix(SPEAK)) - 1 if self.decision.startswith(SPEAK) else None
        )


def _possible(v: ReactVars) -> Mapping[str, Keywords]:
    decisions = [
        CONTINUE,
        *([WAIT] if v.waiting_for else []),
        *(f"{SPEAK}{number}" for number in range(1, len(v.neighbours) + 1)),
    ]
    return {
        "decision": one_of(decisions),
        "topic": one_of([""]) if v.situation.plain else text(v.situation.lang, TOPIC, shortest=0),
    }


def _topic_in_words(_: ReactVars, reply: ReactReply) -> ReactReply:
    return reply.model_copy(update={"topic": in_words(reply.topic)})


REACT = Prompt(
    "react", ReactVars, ReactReply,
    fallback=lambda v: ReactReply(decision=CONTINUE), narrow=_possible, mend=(Rule("emptied", _topic_in_words),),
    persona="little", max_tokens=110, temperature=0.6,
)  # fmt: skip
