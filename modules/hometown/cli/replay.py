"""`replay.py`: serves the playback page, as `hometown replay` does."""

from __future__ import annotations

from hometown.cli.flat import FlatCommandLine, Mode
from hometown.cli.options import RUN_NAME
from hometown.cli.system_commands import replay

REPLAY = FlatCommandLine("replay.py", [Mode(replay)], replay.about, RUN_NAME)
main, command = REPLAY.main, REPLAY.command
