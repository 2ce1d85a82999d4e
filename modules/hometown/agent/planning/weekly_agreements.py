"""Weekly agreements: those that are over are agreed on anew for the next time."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

from hometown.agent.mind import Mind, NewMemory
from hometown.agent.planning.agreements import ask_which_to_keep, enter_promise, find_clashing
from hometown.agent.planning.participation import (
    AGREE_PREDICATE,
    AGREEMENT_POIGNANCY_MIN,
    match_to_occasion,
    record_occasion,
)
from hometown.text import catalogue
from hometown.world.rows import Promise

WEEK = timedelta(weeks=1)
"""The time after which a weekly agreement is due again."""


async def renew_weekly(mind: Mind, over: Iterable[Promise], cause: str) -> None:
    """Agree anew, for the next time to come, on those agreements that are over or called off and that
    the words of their participants call weekly; the new ones are remembered like any agreement.
    """
    pattern = catalogue(mind.world.lang, "dates")["weekly"]
    for promise in over:
        if not re.search(pattern, " ".join((promise.what, *promise.parts)), re.IGNORECASE):
            continue
        weeks = max((mind.now - promise.start) // WEEK, 0) + 1
        given = replace(promise, start=promise.start + weeks * WEEK)
        again, number = match_to_occasion(mind, given)
        record_occasion(mind, again, number, cause)
        if clashing := find_clashing(mind, again):
            ask_which_to_keep(mind, clashing, again, cause)
        else:
            await enter_promise(mind, again, cause)
        others = tuple(who for who in again.people if who != mind.who)
        if not others:  # a host whose guests are yet to come
            continue
        text = mind.words.agreement(mind.who, again)
        memory = NewMemory(
            "plan",
            text,
            mind.who,
            AGREE_PREDICATE,
            others[0],
            again.address,
            talk=again.talk,
            about=others,
        )
        await mind.remember([memory], [AGREEMENT_POIGNANCY_MIN], cause)
