"""The intention of a resident for the present step."""

from __future__ import annotations

from hometown.frozen import frozen
from hometown.memory.action import Action
from hometown.world.rows import Promise


@frozen
class Shout:
    """Words that a resident calls out to all in the room, about what happens at `address`."""

    words: str
    address: str


@frozen
class Intent:
    """Begin `action`, or ask `partner` to talk about `topic`; with neither, go on as before.

    Attributes of a request to talk include `second`, the intent that replaces it if the partner
    cannot talk. `cause` is the call or rule behind the intent. `errand` marks an action that
    belongs to the errands already under way. `along` are further residents who are to be spoken to
    with the partner, and `gift` is what the partner is given. `shout` is called out at once, and
    `broken` are agreements that the resident drops for an alarm. `declined` are the residents whom
    the mind has decided not to talk with in this step. `alone` marks a request for a talk that no
    third resident joins.
    """

    action: Action | None = None
    partner: str = ""
    topic: str = ""
    cause: str = "rule:continue"
    second: Intent | None = None
    errand: bool = False
    along: tuple[str, ...] = ()
    gift: str = ""
    shout: Shout | None = None
    broken: tuple[Promise, ...] = ()
    declined: tuple[str, ...] = ()
    alone: bool = False


GO_ON = Intent()

MET_CAUSE = "rule:met"
"""The cause of the conversation that opens an agreed meeting."""
