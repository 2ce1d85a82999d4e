"""The prompt that drafts a stranger: the person whom the director lets enter the town."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from hometown.frozen import frozen
from hometown.name import compose, lookalike_key, name_fault
from hometown.prompt.bounds import Keywords, between
from hometown.prompt.line import OneLine
from hometown.prompt.newcomers import NOTHING, Pronoun
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.world.resident_names import is_named

MOST_HOURS = 10
"""Maximum number of hours for which a stranger is in town, unless they stay for good."""

LENGTHS = {"occupation": 60, "innate": 100, "learned": 200, "currently": 200, "doing": 80}
"""Maximum length of each text of a draft, in English characters."""


@frozen
class StrangerVars(Variables):
    """Variables for drafting a stranger.

    `text` is how they are seen, in the words of the director. `names` are taken. `can_stay` is true
    if there is a bed in which they could sleep.
    """

    text: str
    names: tuple[str, ...]
    can_stay: bool = False


class StrangerReply(Reply):
    """A draft of a stranger, with an empty name for none; `hours` is 0 for one who stays."""

    name: Annotated[str, OneLine(60, 0)] = Field(description="First and family name.")
    pronoun: Pronoun
    age: int = Field(ge=10, le=100)
    occupation: Annotated[str, OneLine(60)]
    innate: Annotated[str, OneLine(100)] = Field(description="Three traits, with commas.")
    learned: Annotated[str, OneLine(200)] = Field(description="Where they come from.")
    currently: Annotated[str, OneLine(200)] = Field(description="Why they have come here.")
    doing: Annotated[str, OneLine(80)] = Field(description="What they do here.")
    hours: int = Field(ge=0, le=MOST_HOURS, description="For how many hours they are here.")


def _narrow(v: StrangerVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the lengths of texts, and the number of hours."""
    texts = {field: v.situation.text(length) for field, length in LENGTHS.items()}
    return texts | {"hours": between(0 if v.can_stay else 1, MOST_HOURS)}


def _drop_residents(v: StrangerVars, reply: StrangerReply) -> StrangerReply:
    """Return no stranger for one with an impossible name or that of a resident, and for one whose
    texts name a resident, since what residents do is theirs alone.
    """
    name = compose(reply.name.strip())
    texts = (reply.learned, reply.currently, reply.doing)
    is_taken = lookalike_key(name) in set(map(lookalike_key, v.names))
    names_resident = any(is_named(other, text) for other in v.names for text in texts)
    if is_taken or names_resident or name_fault(name):
        return make_no_stranger(v)
    return reply.model_copy(update={"name": name})


def make_no_stranger(v: StrangerVars) -> StrangerReply:
    """Return a reply without a stranger, the fallback of the prompt."""
    texts = dict.fromkeys(LENGTHS, NOTHING[v.situation.lang])
    return StrangerReply(name="", pronoun="they", age=30, hours=1, **texts)


STRANGER = Prompt(
    "stranger",
    StrangerVars,
    StrangerReply,
    fallback=make_no_stranger,
    narrow=_narrow,
    mend=(Rule("emptied", _drop_residents),),
    persona="nobody",
    max_tokens=500,
    temperature=0.8,
    judges=True,
)
