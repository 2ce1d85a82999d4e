"""`compress.py`: writes a run as files, as `hometown export` does."""

from __future__ import annotations

from hometown.cli.flat import FlatCommandLine, Mode
from hometown.cli.options import RUN_NAME
from hometown.cli.record_commands import export

COMPRESS = FlatCommandLine("compress.py", [Mode(export)], export.about, RUN_NAME)
main, command = COMPRESS.main, COMPRESS.command
