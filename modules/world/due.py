"""When something that the user asks for is to happen: a step, a time of day, or a moment."""

from __future__ import annotations

import math
from datetime import datetime, time, timedelta

from modules.errors import BadInput

MOMENT = "%Y%m%d-%H:%M"

When = int | time | datetime

FARTHEST = 2**40
"""Above every step that a run will see."""


def parse_when(text: str) -> When:
    """From what a user writes; raises BadInput for what is no time.

    >>> parse_when("48"), parse_when("14:30")
    (48, datetime.time(14, 30))
    """
    if text.isascii() and text.isdecimal() and len(text) < 13 and int(text) <= FARTHEST:
        return int(text)
    for form in ("%H:%M", MOMENT):
        try:
            found = datetime.strptime(text, form)
        except ValueError:
            continue
        return found.time() if form == "%H:%M" else found
    raise BadInput("{text!r} is no time, which would look like 48, 14:30 or 20250213-14:30", text=text[:40])


def step_at(at: When | None, start: datetime, stride: int, last: int) -> int:
    """The first step that begins at or after a time, in a run that has lived `last` steps; 0, the next one, where none was said.

    A time of day means the next time that the clock shows it. Raises BadInput for what is over.
    """
    if at is None:
        return 0
    if isinstance(at, int):
        if at <= last:
            raise BadInput("step {step} is over: the run has lived {last}", step=at, last=last)
        return at
    now = start + timedelta(minutes=last * stride)
    moment = at if isinstance(at, datetime) else datetime.combine(now.date(), at)
    if moment < now and isinstance(at, time):
        moment += timedelta(days=1)
    if moment < now:
        raise BadInput("{moment:%Y%m%d-%H:%M} is over: in the run it is {now:%Y-%m-%d %H:%M}", moment=moment, now=now)
    return math.ceil((moment - start) / timedelta(minutes=stride)) + 1
