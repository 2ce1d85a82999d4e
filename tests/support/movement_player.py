"""Plays a `movement.json` by the rules of GenerativeAgentsCN's player, to see what it would show
and where it would stop.

Rules (its `replay.py` and the script of its page): playing starts at step n, frame (n − 1) · 60 +
1, and each figure is placed where that frame says; from then on a figure keeps its target until a
frame names it again, and a figure that was never named has none, which ends the script with an
error. A frame without a number in the file is the end. Figures are listed in `persona_init_pos` and
looked up in the frames with blanks for underscores.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

FRAMES = 60

Figures = dict[str, dict[str, Any]]
"""By name: `movement` (column, row), `location` and `action`."""


class MovementPlayer:
    """The file's frames, as that player goes through them."""

    def __init__(self, file: Path) -> None:
        self.data: dict[str, Any] = json.loads(file.read_text("utf-8"))
        self.frames: dict[str, Any] = self.data["all_movement"]
        self.names = list(self.data["persona_init_pos"])

    def places_at(self, step: int) -> dict[str, list[int]]:
        """Where everybody is put as playing starts at a step. Raises KeyError where the player
        answers with an error.
        """
        if step <= 1:
            return dict(self.data["persona_init_pos"])
        first = min((step - 1) * FRAMES + 1, len(self.frames) - 1)
        return {name: self.frames[str(first)][name]["movement"] for name in self.names}

    def play(self, step: int = 1) -> Iterator[tuple[datetime, Figures, str]]:
        """Time, figures and conversation on display, frame by frame to the end. Raises KeyError
        where the player freezes.
        """
        number = max((step - 1) * FRAMES + 1, 1)
        now = datetime.fromisoformat(self.data["start_datetime"]) + timedelta(
            minutes=self.data["stride"] * (max(step, 1) - 1)
        )
        shown: Figures = {}
        conversation = ""
        while (frame := self.frames.get(str(number))) is not None:
            conversation = self.frames["conversation"].get(f"{now:%Y%m%d-%H:%M}") or conversation
            for name in self.names:
                if (entry := frame.get(name.replace("_", " "))) is not None:
                    shown[name] = {
                        "movement": entry["movement"],
                        "action": entry["action"],
                        "location": entry["location"],
                    }
                    self.frames["description"][name]["currently"]
            yield now, {name: shown[name] for name in self.names}, conversation
            number += 1
            now += timedelta(seconds=self.data["sec_per_step"])
