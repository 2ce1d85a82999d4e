"""`replay.py`: serves the playback page, as `hometown replay` does."""

from __future__ import annotations

from hometown.cli.flat import FlatCommandLine, Mode
from hometown.cli.system_commands import replay

REPLAY = FlatCommandLine("replay.py", [Mode(replay)], "about_replay", "help_name_of_run")
main, command = REPLAY.main, REPLAY.command
