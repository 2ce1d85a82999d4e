"""Decisions of residents: calls with at least two options that lead to different effects."""

from __future__ import annotations

from collections.abc import Callable

import orjson

from hometown.prompt.reactions import CONTINUE
from hometown.records import Call

DEFAULTS: dict[str, Callable[[dict[str, object]], bool]] = {
    "approach": lambda reply: reply["decision"] == CONTINUE,
    "react": lambda reply: reply["decision"] == CONTINUE,
    "respond": lambda reply: reply["decision"] == CONTINUE,
    "reconsider": lambda reply: not reply["activity"],
    "clash": lambda reply: reply["keep"] == 1,
}
"""The kinds of decisions, and whether a reply takes the default option: to leave all as it is."""


def is_departure(call: Call) -> bool:
    """Return True if a call is a decision that departs from the default option."""
    takes_default = DEFAULTS.get(call.kind)
    return takes_default is not None and not takes_default(orjson.loads(call.reply))
