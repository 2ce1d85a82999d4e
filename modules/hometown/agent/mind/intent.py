"""What a resident intends to do next."""

from __future__ import annotations

from hometown.frozen import frozen
from hometown.memory.action import Action


@frozen
class Intent:
    """Go on (both empty), begin `action`, or ask `partner` to talk about `topic`.

    A request to talk carries its second choice: what is done if the other cannot. `cause` names the
    call or the rule that led to it. `errand`: the action is one of those that the resident is about
    to do anyway.
    """

    action: Action | None = None
    partner: str = ""
    topic: str = ""
    cause: str = "rule:continue"
    second: Intent | None = None
    errand: bool = False


GO_ON = Intent()
