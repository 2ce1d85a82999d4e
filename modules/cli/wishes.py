"""What the user wants to happen in a run, as far as the command line says it."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import datetime, time, timedelta

from modules.cli.options import Options
from modules.cli.text import Text
from modules.errors import BadInput
from modules.world.asking import understood
from modules.world.interventions import Intervention
from modules.world.world import World


def wishes(options: Options, world: World, start: datetime, stride: int, last: int) -> list[Intervention]:
    """What the options ask for in a run that has lived `last` steps. Raises BadInput for what cannot be."""
    step = step_at(options.at, start, stride, last)
    return [replace(understood(kind, said, world), step=step) for kind, said in options.asks or ()]


def step_at(at: int | time | datetime | None, start: datetime, stride: int, last: int) -> int:
    """The first step that begins at or after a time; 0, the next one, where none was said.

    A time of day means the next time that the clock shows it. Raises BadInput for what is over.
    """
    if at is None:
        return 0
    if isinstance(at, int):
        if at <= last:
            raise BadInput(f"--at {at}: that step is over, the run has lived {last}")
        return at
    now = start + timedelta(minutes=last * stride)
    moment = at if isinstance(at, datetime) else datetime.combine(now.date(), at)
    if moment < now and isinstance(at, time):
        moment += timedelta(days=1)
    if moment < now:
        raise BadInput(f"--at {moment:%Y%m%d-%H:%M}: that is over, in the run it is {now:%Y-%m-%d %H:%M}")
    return math.ceil((moment - start) / timedelta(minutes=stride)) + 1


def noted(wish: Intervention, world: World, last: int, text: Text) -> str:
    """What will happen, in a line."""
    return text(f"noted_{wish.kind}", target=world.name_of(wish.target), text=wish.text or "–", step=max(wish.step, last + 1))
