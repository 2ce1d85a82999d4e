"""`compress.py`: writes a run as files, as `hometown export` does."""

from __future__ import annotations

from hometown.cli.flat import FlatCommandLine, Mode
from hometown.cli.record_commands import export

COMPRESS = FlatCommandLine("compress.py", [Mode(export)], "about_export", "help_name_of_run")
main, command = COMPRESS.main, COMPRESS.command
