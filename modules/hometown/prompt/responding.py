"""The prompt for what cannot wait: something noticed or heard that matters, and what is done about
it (Park et al. 2023, §4.3.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords, between, line, one_of, text
from hometown.prompt.noticing import CONTINUE, SPEAK, WAIT, Neighbour
from hometown.prompt.planning import ACTIVITY, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables

DO = "do"
"""The decision to do something because of it."""

SHORTEST, LONGEST = 10, 240
"""Minutes for which something is done because of what has happened."""

How = Literal["seen", "heard", "told"]
"""How one knows of something: with one's own eyes, by its noise, or from somebody."""


@frozen
class Matter:
    """Something that matters. `place` is the number of the place where it is, from 1, 0 if that is
    not known; `here`: it is in this room.

    `kind` is the key of its kind (`world/befalling.py`), "" if it has none. `own`: it is where I
    live or work. What lasts until somebody changes it has a `remedy`, an activity, which takes
    `minutes`; "" for whatever passes by itself.
    """

    text: str
    how: How
    kind: str = ""
    place: int = 0
    here: bool = False
    own: bool = False
    remedy: str = ""
    minutes: int = 0


@frozen
class RespondVars(Variables):
    """`matters`: the heaviest first; `neighbours`: who could be spoken to; `places` that one could
    go to, by number from 1, as (address, name).

    `plan` is what comes next, as (minute of the day, activity). `asleep`: I was, until this woke
    me.
    """

    matters: tuple[Matter, ...]
    neighbours: tuple[Neighbour, ...]
    places: tuple[tuple[str, str], ...]
    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    asleep: bool = False


class RespondReply(Reply):
    """`decision` is CONTINUE, WAIT, DO, or SPEAK and the number of a neighbour, from 1."""

    decision: str
    what: str = Field(
        "",
        pattern=line(LONGEST_ACTIVITY, 0),
        description='What to do, or what to talk about; "" otherwise.',
    )
    minutes: int = Field(SHORTEST, ge=SHORTEST, le=LONGEST, description="For how long.")
    where: int = Field(0, description="Number of the place; 0 for here.")

    @property
    def partner(self) -> int | None:
        """The position, from 0, of the neighbour to talk to; None for nobody."""
        return (
            int(self.decision.removeprefix(SPEAK)) - 1 if self.decision.startswith(SPEAK) else None
        )


def _possible(v: RespondVars) -> Mapping[str, Keywords]:
    decisions = [
        CONTINUE,
        WAIT,
        *(f"{SPEAK}{number}" for number in range(1, len(v.neighbours) + 1)),
        DO,
    ]
    return {
        "decision": one_of(decisions),
        "what": text(v.situation.lang, ACTIVITY, shortest=0),
        "where": between(0, len(v.places)),
    }


def _in_words(v: RespondVars, reply: RespondReply) -> RespondReply:
    """Who does something does something: what is due about the matter, or goes on if nothing is."""
    if reply.decision != DO or any(map(str.isalpha, reply.what)):
        return reply
    return _as_due(v)


def _as_due(v: RespondVars) -> RespondReply:
    """What has to be done where one lives or works is done; whatever else there is passes."""
    first = v.matters[0] if v.matters else None
    if first is None or not (first.own and first.remedy):
        return RespondReply(decision=CONTINUE)
    return RespondReply(
        decision=DO,
        what=first.remedy,
        minutes=min(max(first.minutes, SHORTEST), LONGEST),
        where=min(first.place, len(v.places)),
    )


RESPOND = Prompt(
    "respond", RespondVars, RespondReply,
    fallback=_as_due, narrow=_possible, mend=(Rule("emptied", _in_words),),
    persona="life", max_tokens=160, temperature=0.6,
)  # fmt: skip
