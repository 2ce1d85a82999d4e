"""The prompt by which the director plants something in the town, and the rules that check it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from hometown.frozen import frozen
from hometown.prompt.bounds import Keywords, between
from hometown.prompt.line import OneLine
from hometown.prompt.prompt import Prompt, Reply, Rule, Variables
from hometown.world.director_moves import DirectorMove, MoveKind
from hometown.world.resident_names import is_named

TEXT_LENGTH, REASON_LENGTH = 240, 160
"""Maximum lengths of what is planted and of its reason, in English characters."""

MatterKind = Literal["happening", "quarrel", "wish", "storyline", "occasion", "concern"]


@frozen
class OpenMatter:
    """A matter that is open in the town.

    `who` are the names of the residents in it, `where` is the name of its place and `when` its
    time; "" and None where it has none.
    """

    kind: MatterKind
    text: str
    who: tuple[str, ...] = ()
    where: str = ""
    when: datetime | None = None


@frozen
class OpenPlace:
    """A place that is open to all: its address, its name, and the number of people in it now."""

    address: str
    name: str
    people: int


@frozen
class DirectorVars(Variables):
    """Variables for the director's move.

    `places` and `people`, the latter as (id, name), are those to choose from, numbered from 1 in
    the reply. `earlier` are the texts of its own moves so far, the oldest first. `strangers` is true
    if strangers may enter, who have no part in the goods of a town with a society.
    """

    matters: tuple[OpenMatter, ...]
    places: tuple[OpenPlace, ...]
    people: tuple[tuple[str, str], ...]
    earlier: tuple[str, ...] = ()
    strangers: bool = True


class DirectorReply(Reply):
    """A move; the numbers of place and reader count only for the kinds that have one."""

    move: Literal["nothing", MoveKind] = Field(description="What is planted, if anything.")
    place: int = Field(ge=1, description="The number of the place.")
    reader: int = Field(ge=1, description="The number of the resident who gets the letter.")
    text: Annotated[str, OneLine(TEXT_LENGTH, 0)] = Field(
        description="What happens there, or the letter; empty for nothing."
    )
    why: Annotated[str, OneLine(REASON_LENGTH, 0)] = Field(
        description="Which open matter it touches, and how."
    )


def _narrow(v: DirectorVars) -> Mapping[str, Keywords]:
    """Return the bounds of a reply: the numbers of choices, and the lengths of texts."""
    return {
        "place": between(1, len(v.places)),
        "reader": between(1, len(v.people)),
        "text": v.situation.text(TEXT_LENGTH, 0),
        "why": v.situation.text(REASON_LENGTH, 0),
    }


def _drop_deeds_of_residents(v: DirectorVars, reply: DirectorReply) -> DirectorReply:
    """Return no move for one without a text, for a stranger where none may enter, and for what names
    a resident beside a letter, since what residents do is theirs alone.
    """
    is_of_resident = reply.move != "letter" and any(
        is_named(name, reply.text) for _, name in v.people
    )
    is_barred = reply.move == "stranger" and not v.strangers
    if reply.move == "nothing" or (reply.text and not is_of_resident and not is_barred):
        return reply
    return make_no_move(v)


def make_no_move(_: DirectorVars) -> DirectorReply:
    """Return a reply that plants nothing, the fallback of the prompt."""
    return DirectorReply(move="nothing", place=1, reader=1, text="", why="")


def as_move(v: DirectorVars, reply: DirectorReply) -> DirectorMove | None:
    """Return the move that a reply makes; None if there is none."""
    if reply.move == "nothing":
        return None
    if reply.move == "letter":
        target, _ = v.people[reply.reader - 1]
    else:
        target = v.places[reply.place - 1].address
    return DirectorMove(reply.move, target, reply.text, reply.why, v.situation.now)


DIRECTOR_MOVE = Prompt(
    "director",
    DirectorVars,
    DirectorReply,
    fallback=make_no_move,
    narrow=_narrow,
    mend=(Rule("emptied", _drop_deeds_of_residents),),
    persona="nobody",
    max_tokens=280,
    temperature=0.9,
    judges=True,
)
