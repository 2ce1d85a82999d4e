"""The prompt for responding to important events (Park et al. 2023, §4.3.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.activity_form import drop_way
from hometown.prompt.bounds import (
    LEFT_OUT,
    MAY_BE_LEFT_OUT,
    Keywords,
    between,
    one_of,
    text,
)
from hometown.prompt.line import OneLine
from hometown.prompt.mending import in_words
from hometown.prompt.plans import ACTIVITY, LONGEST_ACTIVITY
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.prompt.reactions import CONTINUE, SPEAK, WAIT, Neighbour, find_position

DO, RUN = "do", "run to "
"""The decisions to act on an event, and to run to somebody absent and tell them."""

MEANS, CALL, SAVE, LEAVE, KEEP = "means ", "call help", "save", "leave", "appointment"
"""The decisions to fight a happening by one of its means, to call help, to bring something or
somebody to safety, to leave, and to keep the appointment that is due.
"""

MEANS_MINUTES = 30
"""Minutes for which the fallback uses means."""

SHOUT_LENGTH = 120
"""Maximum length of a shout in characters."""

SHORTEST, LONGEST = 10, 240
"""Minimum and maximum duration of a response in minutes."""

How = Literal["seen", "heard", "told"]
"""Source of a matter: one's own sight, its noise, or another resident."""


@frozen
class Matter:
    """An important event, as a prompt shows it to a resident who may respond to it.

    `how` says how the resident learnt of it. `place` is the number of its place in the prompt's
    list, from 1, or 0 if unknown; `here` means in this room, `own` in a house where the resident
    lives or works. `kind` is its key in `world/befalling.py`, or "". A
    lasting condition has a `remedy`, an activity of `minutes`; it is "" for events that pass by
    themselves.
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
class Absentee:
    """A resident who is not here and whom the matter may concern.

    `place` is the name of the place where they probably are, `minutes` away on foot.
    """

    name: str
    place: str
    minutes: int


@frozen
class RespondVars(Variables):
    """Variables for a response to `matters`, the most important first.

    `neighbours` can be spoken to, and `hearers` are the names of all who would hear a shout.
    `absent` can be run to, and are numbered from 1; `there` are the names of those who are probably
    where the first matter is. `places` can be gone to, as (address, name), and are numbered
    from 1. `means` are activities that help against the first matter, `helpers` those who could be
    called, and `danger` means that one could leave or save something; `appointment` is due now, as
    (minute of the day, activity). `plan` are the coming entries as (minute of the day, activity). `asleep` means that the
    event has woken the resident.
    """

    matters: tuple[Matter, ...]
    neighbours: tuple[Neighbour, ...]
    places: tuple[tuple[str, str], ...]
    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    asleep: bool = False
    hearers: tuple[str, ...] = ()
    absent: tuple[Absentee, ...] = ()
    there: tuple[str, ...] = ()
    means: tuple[str, ...] = ()
    helpers: str = ""
    danger: bool = False
    appointment: tuple[int, str] | None = None


class RespondReply(Reply):
    """`decision` is CONTINUE, WAIT, DO, CALL, SAVE, LEAVE, KEEP, or SPEAK, RUN or MEANS with the
    number of a neighbour, of somebody absent, or of one of the means, each from 1.
    """

    decision: str
    what: Annotated[str, OneLine(LONGEST_ACTIVITY, 0)] = Field(
        "", description='What to do, or what to talk about; "" otherwise.'
    )
    minutes: int = Field(SHORTEST, ge=SHORTEST, le=LONGEST, description="For how long.")
    where: int = Field(0, description="Number of the place; 0 for here.")

    shout: Annotated[str, OneLine(SHOUT_LENGTH, 0)] = Field(
        "", description="Words called out to all who are in hearing."
    )

    @property
    def sought(self) -> int | None:
        """The position, from 0, of the absent resident to run to; None for nobody."""
        return find_position(self.decision, RUN)

    @property
    def chosen_means(self) -> int | None:
        """The position, from 0, of the means to use; None if there is none."""
        return find_position(self.decision, MEANS)

    @property
    def partner(self) -> int | None:
        """The position, from 0, of the neighbour to talk to; None for nobody."""
        return find_position(self.decision, SPEAK)


def _narrow(v: RespondVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the possible decisions, the places, the lengths of texts, and
    a shout only if it would be heard.
    """
    decisions = [
        CONTINUE,
        WAIT,
        *(f"{SPEAK}{number}" for number in range(1, len(v.neighbours) + 1)),
        *(f"{RUN}{number}" for number in range(1, len(v.absent) + 1)),
        *(f"{MEANS}{number}" for number in range(1, len(v.means) + 1)),
        *((CALL,) if v.helpers else ()),
        *((SAVE, LEAVE) if v.danger else ()),
        *((KEEP,) if v.appointment else ()),
        DO,
    ]
    return {
        "decision": one_of(decisions),
        "what": MAY_BE_LEFT_OUT | text(v.situation.lang, ACTIVITY, shortest=0),
        "minutes": MAY_BE_LEFT_OUT,
        "where": MAY_BE_LEFT_OUT | between(0, len(v.places)),
        "shout": MAY_BE_LEFT_OUT | text(v.situation.lang, SHOUT_LENGTH, shortest=0)
        if v.hearers
        else LEFT_OUT,
    }


def _word_activity(v: RespondVars, reply: RespondReply) -> RespondReply:
    """Return a reply whose activity is in the form of all activities, without the way to the place
    that it gives; unchanged unless it is a decision to do something, in words.
    """
    if reply.decision != DO or not in_words(reply.what):
        return reply
    what = v.situation.word_activity(reply.what, ACTIVITY)
    what = drop_way(what, v.situation.lang) if reply.where else what
    return reply.model_copy(update={"what": what})


def _replace_wordless(v: RespondVars, reply: RespondReply) -> RespondReply:
    """Return the usual response in place of a reply with an action without words; any other reply
    unchanged.
    """
    if reply.decision != DO or in_words(reply.what):
        return reply
    return _respond_usually(v)


def _respond_usually(v: RespondVars) -> RespondReply:
    """Return the usual response to the first matter. If it is in a house of one's own: to use the
    first means, or else to apply the remedy of a lasting condition, within `SHORTEST` to `LONGEST`
    minutes; otherwise to go on.
    """
    first = v.matters[0] if v.matters else None
    if first and first.own and v.means:
        return RespondReply(decision=f"{MEANS}1", minutes=MEANS_MINUTES)
    if first is None or not (first.own and first.remedy):
        return RespondReply(decision=CONTINUE)
    return RespondReply(
        decision=DO,
        what=first.remedy,
        minutes=min(max(first.minutes, SHORTEST), LONGEST),
        where=min(first.place, len(v.places)),
    )


RESPOND = Prompt(
    "respond",
    RespondVars,
    RespondReply,
    fallback=_respond_usually,
    narrow=_narrow,
    mend=(Rule("emptied", _replace_wordless), Rule("worded", _word_activity)),
    persona="life",
    max_tokens=160,
    temperature=0.6,
    labels=lambda v: {"where": [name for _, name in v.places]},
)
