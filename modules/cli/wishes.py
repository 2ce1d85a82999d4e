"""What the user wants to happen in a run, as far as the command line says it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from modules.cli.options import Options
from modules.cli.text import Text
from modules.world.asking import understood
from modules.world.due import step_at
from modules.world.interventions import Intervention
from modules.world.world import World


def wishes(options: Options, world: World, start: datetime, stride: int, last: int) -> list[Intervention]:
    """What the options ask for in a run that has lived `last` steps. Raises BadInput for what cannot be."""
    step = step_at(options.at, start, stride, last)
    return [replace(understood(kind, said, world), step=step) for kind, said in options.asks or ()]


def noted(wish: Intervention, world: World, last: int, text: Text) -> str:
    """What will happen, in a line."""
    return text(f"noted_{wish.kind}", target=world.name_of(wish.target), text=wish.text or "–", step=max(wish.step, last + 1))
