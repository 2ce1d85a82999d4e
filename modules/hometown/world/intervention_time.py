"""The time of an intervention: a step, a time of day, or a date and time."""

from __future__ import annotations

import math
from datetime import datetime, time, timedelta

from hometown.errors import BadInput

MOMENT = "%Y%m%d-%H:%M"
"""The format of a moment in the user's text."""

When = int | time | datetime

LONGEST_STEP = 12
"""Maximum number of digits of a step."""


def parse_when(text: str) -> When:
    """Return a time from the user's text. Raises BadInput for an invalid one.

    >>> parse_when("48"), parse_when("14:30"), parse_when("24:00")
    (48, datetime.time(14, 30), datetime.time(0, 0))
    """
    if text == "24:00":
        return time()
    if text.isascii() and text.isdecimal() and len(text) <= LONGEST_STEP:
        return int(text)
    for form in ("%H:%M", MOMENT):
        try:
            moment = datetime.strptime(text, form)
        except ValueError:
            continue
        return moment.time() if form == "%H:%M" else moment
    raise BadInput(
        "{text!r} is not a time; write a step (48), a time of day (14:30) or a moment (20250213-14:30)",
        text=text[:40],
    )


def step_at(at: When | None, start: datetime, stride: int, last: int) -> int:
    """Return the first step that begins at or after a time, in a run of `last` steps; 0, the next
    one, by default.

    A time of day means its next occurrence. Raises BadInput for the past, and for a step after
    the year 9999.
    """
    if at is None:
        return 0
    step = at if isinstance(at, int) else _step_of_moment(at, start, stride, last)
    if step <= last:
        raise BadInput(
            "step {step} is in the past: the run has reached step {last}", step=step, last=last
        )
    latest = (datetime.max - start) // timedelta(minutes=stride)
    if step > latest:
        raise BadInput(
            "step {step} would come after the year 9999: write a step up to {latest}, "
            "or a moment with a hyphen (20250213-14:30)",
            step=step,
            latest=latest,
        )
    return step


def _step_of_moment(at: time | datetime, start: datetime, stride: int, last: int) -> int:
    """Return the first step that begins at or after a moment. Raises BadInput for the past."""
    now = start + timedelta(minutes=last * stride)
    moment = at if isinstance(at, datetime) else datetime.combine(now.date(), at)
    if moment < now and isinstance(at, time):
        moment += timedelta(days=1)
    if moment < now:
        raise BadInput(
            "{moment:%Y%m%d-%H:%M} is in the past: in the run it is {now:%Y-%m-%d %H:%M}",
            moment=moment,
            now=now,
        )
    return math.ceil((moment - start) / timedelta(minutes=stride)) + 1


def step_before(at: When | None, start: datetime, stride: int, last: int) -> int:
    """Return the last step that is over by a time, in a run of `last` steps; by default the last
    one.

    A time of day means its last occurrence. Raises BadInput for the future, and for a time before
    the run.
    """
    now = start + timedelta(minutes=last * stride)
    if at is None:
        return last
    if isinstance(at, int):
        if at > last:
            raise BadInput(
                "there is no step {step} yet: the run has steps 0 to {last}", step=at, last=last
            )
        return at
    moment = at if isinstance(at, datetime) else datetime.combine(now.date(), at)
    if moment > now and isinstance(at, time):
        moment -= timedelta(days=1)
    if not start <= moment <= now:
        raise BadInput(
            "{moment} is not in the run, which goes from {start:%Y%m%d-%H:%M} to {now:%Y%m%d-%H:%M}",
            moment=at.strftime(MOMENT if isinstance(at, datetime) else "%H:%M"),
            start=start,
            now=now,
        )
    return (moment - start) // timedelta(minutes=stride)
