"""The prompt for a resident who has others in mind: to talk with them, look for them, or wait."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.memory.concept import Concept
from hometown.prompt.bounds import Keywords
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Rule, Variables
from hometown.prompt.reactions import (
    CONTINUE,
    TOPIC,
    DecisionReply,
    Neighbour,
    drop_recited_topic,
    drop_wordless_topic,
    narrow_decision,
)

Choice = Literal["talk", "hand", "ask", "join", "go", "wait", "note"]
"""An act towards another: talk with them, hand something over, ask them along, join their
conversation, look for them, wait for them, or leave a note.
"""

WRITTEN: dict[Choice, str] = {
    "talk": "talk to ",
    "hand": "hand over to ",
    "ask": "ask along ",
    "join": "join ",
    "go": "go to ",
    "wait": "wait for ",
    "note": "leave a note for ",
}
"""The choices as replies write them, each followed by the number of a resident."""

ReasonKind = Literal["task", "plan", "agreement", "memory", "wish", "unsaid", "near"]
"""Where the other is named: in the present activity, in a coming entry of the plan, in an agreement
for the present time, in an open intention, in a wish that an inner voice has given, or in the
memory of a talk that did not come about; or that they are only within earshot.
"""


@frozen
class PersonInMind:
    """A resident whom the one asked has in mind.

    Attributes:
        neighbour: The resident, as the one asked knows them.
        kind: Where they are named.
        text: The words that name them.
        when: When it is planned or has been agreed, or the intention was formed.
        state: Whether they are free or busy here, or are not here.
        place: The name of the place where they are sought next; "" for none.
        seen: When they were last seen there; None if the belief is by their home or work.
        minutes: The minutes on foot to that place.
        choices: What can be done about them now.
        company: The names of those with whom they talk; "" for none.
        invitations: The entries of the plan to which they can be asked along.
        gift: The words that name what is to be handed over; "" if `text` does, or for none.
    """

    neighbour: Neighbour
    kind: ReasonKind
    text: str
    when: datetime
    state: Literal["free", "busy", "away"]
    place: str
    seen: datetime | None
    minutes: int
    choices: tuple[Choice, ...]
    company: str = ""
    invitations: tuple[str, ...] = ()
    gift: str = ""


@frozen
class ApproachVars(Variables):
    """Variables for the decision about the residents whom one has in mind, numbered from 1.

    `plan` are the coming entries as (minute of the day, activity). `wait_minutes` is the longest
    time of waiting. `hearers` are the names of those who would hear a talk with one of them here; ""
    for none.
    """

    people: tuple[PersonInMind, ...]
    memories: tuple[Concept, ...]
    plan: tuple[tuple[int, str], ...]
    wait_minutes: int
    hearers: str = ""


class ApproachReply(DecisionReply):
    """`decision` is CONTINUE, or a choice as it is written and the number of a resident, from 1."""

    topic: Annotated[str, OneLine(TOPIC, 0)] = Field(
        "", description="What to talk about, to hand over, or to write, a few words."
    )

    @property
    def choice(self) -> tuple[Choice, int] | None:
        """What to do, and the position, from 0, of the resident; None to continue."""
        for choice, written in WRITTEN.items():
            if self.decision.startswith(written):
                return choice, int(self.decision.removeprefix(written)) - 1
        return None


def list_decisions(v: ApproachVars) -> list[str]:
    """Return the possible decisions, as a reply writes them."""
    return [
        CONTINUE,
        *(
            f"{WRITTEN[choice]}{number}"
            for number, one in enumerate(v.people, 1)
            for choice in one.choices
        ),
    ]


def _narrow(v: ApproachVars) -> Mapping[str, Keywords]:
    """Return the bounds of the decision: the possible ones, by the situation."""
    return narrow_decision(v.situation, list_decisions(v))


def _neighbours(v: ApproachVars) -> list[Neighbour]:
    """Return the residents whom the one asked has in mind."""
    return [one.neighbour for one in v.people]


APPROACH = Prompt(
    "approach",
    ApproachVars,
    ApproachReply,
    fallback=lambda v: ApproachReply(decision=CONTINUE),
    narrow=_narrow,
    mend=(
        Rule("emptied", drop_wordless_topic),
        Rule("recited", lambda v, reply: drop_recited_topic(_neighbours(v), reply)),
    ),
    persona="life",
    max_tokens=110,
    temperature=0.6,
)
